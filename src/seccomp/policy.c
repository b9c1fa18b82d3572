/*
 * policy.c - policy.def and its like as tables, and what a table says about one call
 *
 * Numbers are those of x86-64, from the kernel's headers or from the row; they are ABI and never
 * change. libseccomp's names play no part, so an old libseccomp builds the same program.
 */
#include "config.h"

#include "seccomp/policy.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <linux/keyctl.h>
#include <linux/prctl.h>
#include <linux/sockios.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "seccomp/filter.h"

#if !defined(__x86_64__) || defined(__ILP32__)
#error "policy.def holds for x86-64 only: other architectures have other calls and numbers"
#endif

/* CLONE_NEWTIME is not here: clone(2) reads that bit as part of the exit signal. */
#define POLICY_CLONE_NEW \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | \
	 CLONE_NEWPID | CLONE_NEWNET)

/* open() makes a file. O_TMPFILE has O_DIRECTORY in it, which alone does not. */
#define POLICY_CREATE	(O_CREAT | (O_TMPFILE & ~O_DIRECTORY))

#define EQ(a, v)			{ .arg = (a), .mask = UINT64_MAX, .value = (v) }
#define MASKED(a, m, v)			{ .arg = (a), .mask = (m), .value = (v) }
#define EQ32(a, v)			MASKED(a, UINT32_MAX, v)
#define ROW(id, number, answer, ...) \
	{ .name = #id, .nr = (number), .ret = (answer), .tests = { __VA_ARGS__ } },
#define REST(id, answer) \
	{ .name = #id, .nr = __NR_##id, .ret = (answer), .otherwise = true },
#define ERRNO(e)			(SECCOMP_RET_ERRNO | (e))

const struct policy_rule policy_qemu[] = {
#define GROUP(why)
#define ALLOW(id)			ROW(id, __NR_##id, SECCOMP_RET_ALLOW, { 0 })
#define ALLOW_NR(id, number)		ROW(id, number, SECCOMP_RET_ALLOW, { 0 })
#define ALLOW_IF(id, ...)		ROW(id, __NR_##id, SECCOMP_RET_ALLOW, __VA_ARGS__)
#define FAIL(id, number, e)		ROW(id, number, ERRNO(e), { 0 })
#define FAIL_IF(id, e, ...)		ROW(id, __NR_##id, ERRNO(e), __VA_ARGS__)
#define ALLOW_ELSE(id)			REST(id, SECCOMP_RET_ALLOW)
#define ELSE(id, e)			REST(id, ERRNO(e))
#define MARK(group)			FILTER_MARK_GROUP((unsigned)FILTER_GROUP_##group)
#define TRIED(group, e)			FILTER_MARK_TRY((unsigned)FILTER_GROUP_##group, e)
#define WITH(group, id)			ROW(id, __NR_##id, MARK(group), { 0 })
#define WITH_IF(group, id, ...)		ROW(id, __NR_##id, MARK(group), __VA_ARGS__)
#define TRY(group, id, e)		ROW(id, __NR_##id, TRIED(group, e), { 0 })
#define TRY_IF(group, id, e, ...)	ROW(id, __NR_##id, TRIED(group, e), __VA_ARGS__)
#define TRY_ELSE(group, id, e)		REST(id, TRIED(group, e))
#include "seccomp/policy.def"
};
const size_t policy_qemu_len = sizeof(policy_qemu) / sizeof(policy_qemu[0]);

const struct policy_rule policy_keeper[] = {
#include "seccomp/keeper.def"
};
const size_t policy_keeper_len = sizeof(policy_keeper) / sizeof(policy_keeper[0]);

const struct policy_rule policy_terminal[] = {
#include "seccomp/terminal.def"
};
const size_t policy_terminal_len = sizeof(policy_terminal) / sizeof(policy_terminal[0]);

static bool applies(const struct policy_rule *r, const uint64_t args[POLICY_ARGS_MAX])
{
	for (size_t i = 0; i < POLICY_TESTS_MAX && r->tests[i].mask != 0; i++) {
		const struct policy_test *t = &r->tests[i];

		if ((args[t->arg] & t->mask) != t->value)
			return false;
	}
	return true;
}

bool policy_has(const struct policy_rule *rules, size_t n, int nr)
{
	for (size_t i = 0; i < n; i++)
		if (rules[i].nr == nr)
			return true;
	return false;
}

uint32_t policy_otherwise(const struct policy_rule *rules, size_t n, uint32_t fallback, int nr)
{
	for (size_t i = 0; i < n; i++)
		if (rules[i].nr == nr && rules[i].otherwise)
			return rules[i].ret;
	return fallback;
}

uint32_t policy_verdict(const struct policy_rule *rules, size_t n, uint32_t fallback, int nr,
			const uint64_t args[POLICY_ARGS_MAX])
{
	for (size_t i = 0; i < n; i++)
		if (rules[i].nr == nr && !rules[i].otherwise && applies(&rules[i], args))
			return rules[i].ret;
	return policy_otherwise(rules, n, fallback, nr);
}

/* Do two lists of tests demand different values of one bit? */
static bool conflict(const struct policy_rule *a, const struct policy_rule *b)
{
	for (size_t i = 0; i < POLICY_TESTS_MAX && a->tests[i].mask != 0; i++) {
		for (size_t j = 0; j < POLICY_TESTS_MAX && b->tests[j].mask != 0; j++) {
			const struct policy_test *t = &a->tests[i], *u = &b->tests[j];

			if (t->arg == u->arg && ((t->value ^ u->value) & t->mask & u->mask) != 0)
				return true;
		}
	}
	return false;
}

bool policy_disjoint(const struct policy_rule *a, const struct policy_rule *b)
{
	if (a->nr != b->nr)
		return true;
	if (a->otherwise || b->otherwise)
		return !(a->otherwise && b->otherwise) &&
		       (a->otherwise ? b : a)->tests[0].mask != 0;
	return conflict(a, b);
}
