/* policy.h - the policy as a table. Build time, tools and tests only: not part of the launcher. */
#ifndef QH_SECCOMP_POLICY_H
#define QH_SECCOMP_POLICY_H

#include <stddef.h>
#include <stdint.h>

#define POLICY_TESTS_MAX	6	/* a call has six arguments */
#define POLICY_ARGS_MAX		6

/* (argument & mask) == value; mask 0 ends the list. */
struct policy_test {
	unsigned arg;
	uint64_t mask, value;
};

/* One row: the call `nr`, when all tests hold, is answered with `ret` (a SECCOMP_RET_ or a mark). */
struct policy_rule {
	const char *name;
	int nr;
	uint32_t ret;
	struct policy_test tests[POLICY_TESTS_MAX];
};

extern const struct policy_rule policy_qemu[];
extern const size_t policy_qemu_len;

/* What the rules say, `fallback` where none applies. The reference that programs are compared with. */
uint32_t policy_verdict(const struct policy_rule *rules, size_t n, uint32_t fallback, int nr,
			const uint64_t args[POLICY_ARGS_MAX]);

/* True when no call can match both, so that their order is no matter. */
int policy_disjoint(const struct policy_rule *a, const struct policy_rule *b);

#endif
