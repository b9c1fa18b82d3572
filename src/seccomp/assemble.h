/* assemble.h - rules to a program, by libseccomp. Build time and tool only. */
#ifndef QH_SECCOMP_ASSEMBLE_H
#define QH_SECCOMP_ASSEMBLE_H

#include <linux/filter.h>
#include <stddef.h>

#include "seccomp/policy.h"

/*
 * Compile for x86-64; other architectures, x32 numbers included, kill the process. Returns the
 * number of instructions, or a negative errno (libseccomp's way); -E2BIG: more than `size`.
 * Rules that share a call must be disjoint (policy_disjoint()).
 */
int assemble(const struct policy_rule *rules, size_t n, uint32_t fallback,
	     struct sock_filter *ret, size_t size);

/* Does the program say what the rules say? The number of a call where it does not, or -1. */
int assemble_verify(const struct policy_rule *rules, size_t n, uint32_t fallback,
		    const struct sock_filter *prog, size_t len);

#endif
