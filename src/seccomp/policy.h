/*
 * policy.h - a policy as a table of rules, and what it says about one call
 *
 * Pure. Used when the project is built, by qemu-handoff-seccomp and by tests; the launcher holds
 * the compiled program only. Tables are constant or the caller's; nothing here fails.
 */
#ifndef QH_SECCOMP_POLICY_H
#define QH_SECCOMP_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POLICY_TESTS_MAX	6	/* a call has six arguments */
#define POLICY_ARGS_MAX		6

/* (argument & mask) == value; mask 0 ends the list. */
struct policy_test {
	unsigned arg;
	uint64_t mask, value;
};

/*
 * One rule: the call `nr`, if all tests hold, is answered with `ret` (a SECCOMP_RET_ or a mark). An
 * `otherwise` has no tests: it answers the call where no other rule of it does.
 */
struct policy_rule {
	const char *name;
	int nr;
	uint32_t ret;
	bool otherwise;
	struct policy_test tests[POLICY_TESTS_MAX];
};

/* A mask of so many low bits, 1 to 64. */
static inline uint64_t policy_low_bits(unsigned width)
{
	return UINT64_MAX >> (64 - width);
}

extern const struct policy_rule policy_qemu[];
extern const size_t policy_qemu_len;
extern const struct policy_rule policy_keeper[];
extern const size_t policy_keeper_len;
/* What is refused besides where there is a terminal, and everything that ioctl may do there. */
extern const struct policy_rule policy_terminal[];
extern const size_t policy_terminal_len;

/* What the rules say; `fallback` if none applies. Compiled programs are compared with this. */
uint32_t policy_verdict(const struct policy_rule *rules, size_t n, uint32_t fallback, int nr,
			const uint64_t args[POLICY_ARGS_MAX]);

/* Is there a rule about this call? */
bool policy_has(const struct policy_rule *rules, size_t n, int nr);

/* What the rules say about a call of which no tested rule applies. */
uint32_t policy_otherwise(const struct policy_rule *rules, size_t n, uint32_t fallback, int nr);

/* True if no call can match both rules, so their order does not matter. */
bool policy_disjoint(const struct policy_rule *a, const struct policy_rule *b);

#endif
