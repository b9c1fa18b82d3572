/*
 * text.h - from the text of a policy to rules
 *
 * Pure. The language is described in qemu-handoff-seccomp(1). All faults are collected, in the
 * order of the text.
 */
#ifndef QH_SECCOMP_TEXT_H
#define QH_SECCOMP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seccomp/calls.h"
#include "seccomp/lex.h"
#include "seccomp/policy.h"

#define TEXT_RULES_MAX	2048		/* twice the numbers there are */

/* Where a rule was written; line 0: it comes from the built-in profile. */
struct text_place {
	unsigned line, column;
	unsigned narrowed;		/* arguments, as bits, tested for less than the call uses */
};

struct text_policy {
	struct policy_rule rules[TEXT_RULES_MAX];
	struct text_place places[TEXT_RULES_MAX];
	size_t n;
	uint32_t fallback;
	unsigned groups;
	bool included;
};

/*
 * `text` has a NUL at text[len] and is cut into words in place; rules keep pointers into `calls`.
 * ret is a policy if errors->n is 0. Warnings are tests that calls can get around, because a test
 * and the kernel look at different bits of an argument.
 */
void text_parse(char *text, size_t len, const struct calls *calls, struct text_policy *ret,
		struct faults *errors, struct faults *warnings);

#endif
