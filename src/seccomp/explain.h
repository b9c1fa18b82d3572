/*
 * explain.h - what a program answers to a call, with the conditions on its arguments
 *
 * Pure, and bounded for any program. The way through the program is followed for one call number;
 * where it depends on an argument, both ways are followed.
 */
#ifndef QH_SECCOMP_EXPLAIN_H
#define QH_SECCOMP_EXPLAIN_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seccomp/calls.h"

#define EXPLAIN_CONDS_MAX	64	/* as many denied values of one argument */
#define EXPLAIN_WAYS_MAX	128

/* ((word at `offset` of seccomp_data) & mask) OP k, which `holds` or does not. */
struct explain_cond {
	unsigned offset;
	uint32_t mask, k;
	unsigned op;			/* BPF_JEQ, BPF_JGT, BPF_JGE, BPF_JSET */
	bool holds;
};

struct explain_way {
	uint32_t ret;
	unsigned n;
	struct explain_cond cond[EXPLAIN_CONDS_MAX];
};

struct explain {
	struct explain_way way[EXPLAIN_WAYS_MAX];
	size_t n;
	bool beyond;			/* some way could not be followed to its end */
};

/* `prog` must have passed interp_check(). */
void explain(const struct sock_filter *prog, size_t len, uint32_t arch, int nr,
	     struct explain *ret);

/*
 * The way's tests on call `nr` in the policy language ("arg0 & 0x1 == 0x1 and arg4 == 0x2"), "" if
 * it has none. False if the language cannot say it; ret then has the same in words.
 */
bool explain_tests(const struct explain_way *way, const struct calls *calls, int nr, char *ret,
		   size_t size);

#endif
