/*
 * text.h - a policy written as text, to rules
 *
 * Pure. The language is described in qemu-handoff-seccomp(1). All faults are collected, in the
 * order of the text, up to the room given.
 */
#ifndef QH_SECCOMP_TEXT_H
#define QH_SECCOMP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seccomp/calls.h"
#include "seccomp/policy.h"

#define TEXT_RULES_MAX	2048		/* twice the numbers there are */
#define TEXT_FAULTS_MAX	16		/* more than one screen helps nobody */
#define TEXT_WORDS_MAX	1024		/* words on one line */

struct text_fault {
	unsigned line, column;		/* from 1 */
	char text[160];
};

struct text_policy {
	struct policy_rule rules[TEXT_RULES_MAX];
	unsigned line[TEXT_RULES_MAX];	/* where each was written; 0: the built-in profile */
	size_t n;
	uint32_t fallback;
	unsigned groups;
	bool included;
};

/*
 * `text` is NUL-terminated at text[len] and is cut into words in place; rules keep pointers into
 * `calls`. Returns the number of faults stored, 0 when ret is a policy.
 */
size_t text_parse(char *text, size_t len, const struct calls *calls, struct text_policy *ret,
		  struct text_fault faults[TEXT_FAULTS_MAX]);

#endif
