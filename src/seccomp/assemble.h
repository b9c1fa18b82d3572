/*
 * assemble.h - from rules to a program, by libseccomp
 *
 * Used when the project is built and by qemu-handoff-seccomp; the launcher does not link it.
 */
#ifndef QH_SECCOMP_ASSEMBLE_H
#define QH_SECCOMP_ASSEMBLE_H

#include <linux/filter.h>
#include <stddef.h>

#include "seccomp/policy.h"

#define ASSEMBLE_PARTS_MAX	64	/* different answers by `otherwise`, the default included */

/*
 * Compile for x86-64; calls of other architectures, x32 included, kill the process. Returns the
 * number of instructions, or a negative errno as libseccomp does; -E2BIG: more than `size`;
 * -EOVERFLOW: more than ASSEMBLE_PARTS_MAX.
 * Rules of one call must be disjoint (policy_disjoint()).
 */
int assemble(const struct policy_rule *rules, size_t n, uint32_t fallback,
	     struct sock_filter *ret, size_t size);

/* Does the program say what the rules say? The number of a call for which it does not, or -1. */
int assemble_verify(const struct policy_rule *rules, size_t n, uint32_t fallback,
		    const struct sock_filter *prog, size_t len);

#endif
