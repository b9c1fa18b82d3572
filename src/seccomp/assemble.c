/*
 * assemble.c - rules to a program, by libseccomp
 *
 * Each program is run in our interpreter against the rules it came from before it is used: several
 * releases of libseccomp compile some argument tests wrongly, and a wrong filter looks like a
 * right one until somebody needs it.
 *
 * The calls are laid out as a binary tree. In the kernel's bitmap (5.11 and later) that makes no
 * difference to a call, but the kernel fills the bitmap by running the program once for every
 * call number when it is loaded: 70 us for the profile as a tree, 199 us as a list (Linux 6.18).
 * Older kernels walk it on every call.
 */
#include "config.h"

#include "seccomp/assemble.h"

#include <errno.h>
#include <linux/audit.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include "seccomp/interp.h"

#define BINARY_TREE	2		/* SCMP_FLTATR_CTL_OPTIMIZE */
#define API_LEVEL	3		/* libseccomp's: log and kill_process */
#define CALLS_MAX	1024		/* numbers compared; x86-64 has some 470 */

_Static_assert(SCMP_ACT_ALLOW == SECCOMP_RET_ALLOW && SCMP_ACT_LOG == SECCOMP_RET_LOG &&
	       SCMP_ACT_TRAP == SECCOMP_RET_TRAP && SCMP_ACT_ERRNO(1) == (SECCOMP_RET_ERRNO | 1) &&
	       SCMP_ACT_KILL_PROCESS == SECCOMP_RET_KILL_PROCESS, "a verdict is libseccomp's action");

static int add_rule(scmp_filter_ctx ctx, const struct policy_rule *r)
{
	struct scmp_arg_cmp cmp[POLICY_TESTS_MAX];
	unsigned n = 0;

	for (; n < POLICY_TESTS_MAX && r->tests[n].mask != 0; n++) {
		const struct policy_test *t = &r->tests[n];

		cmp[n] = t->mask == UINT64_MAX ? SCMP_CMP64(t->arg, SCMP_CMP_EQ, t->value, 0)
			: SCMP_CMP64(t->arg, SCMP_CMP_MASKED_EQ, t->mask, t->value);
	}
	return seccomp_rule_add_exact_array(ctx, r->ret, r->nr, n, cmp);
}

/* A rule that answers what the default answers is left out: libseccomp refuses it. */
static int add_rules(scmp_filter_ctx ctx, const struct policy_rule *rules, size_t n,
		     uint32_t fallback)
{
	int r = seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);

	if (r == 0)
		r = seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, BINARY_TREE);
	for (size_t i = 0; i < n && r == 0; i++)
		if (rules[i].ret != fallback)
			r = add_rule(ctx, &rules[i]);
	return r;
}

/* libseccomp writes to a descriptor only. */
static int export(scmp_filter_ctx ctx, struct sock_filter *ret, size_t size)
{
	const int fd = memfd_create("filter", MFD_CLOEXEC);
	int r = fd < 0 ? -errno : seccomp_export_bpf(ctx, fd);
	ssize_t got;

	if (r == 0) {
		got = pread(fd, ret, size * sizeof(*ret), 0);
		r = got < 0 ? -errno : (int)((size_t)got / sizeof(*ret));
		if (r >= 0 && lseek(fd, 0, SEEK_END) != got)
			r = -E2BIG;
	}
	if (fd >= 0)
		(void)close(fd);
	return r;
}

int assemble(const struct policy_rule *rules, size_t n, uint32_t fallback,
	     struct sock_filter *ret, size_t size)
{
	scmp_filter_ctx ctx;
	int r;

	/* The machine that compiles need not be able to load what it compiles. */
	(void)seccomp_api_set(API_LEVEL);
	ctx = seccomp_init(fallback);
	if (ctx == NULL)
		return -ENOMEM;
	r = add_rules(ctx, rules, n, fallback);
	if (r == 0)
		r = export(ctx, ret, size);
	seccomp_release(ctx);
	return r;
}

static int differs(const struct policy_rule *rules, size_t n, uint32_t fallback,
		   const struct sock_filter *prog, size_t len, const struct seccomp_data *call)
{
	uint64_t args[POLICY_ARGS_MAX];
	uint32_t got;

	for (size_t i = 0; i < POLICY_ARGS_MAX; i++)
		args[i] = call->args[i];
	return !interp_run(prog, len, call, &got) ||
	       got != policy_verdict(rules, n, fallback, call->nr, args);
}

/* Arguments that satisfy `r`, and then, one test after the other, just fail it, in both halves. */
static int verify_rule(const struct policy_rule *rules, size_t n, uint32_t fallback,
		       const struct sock_filter *prog, size_t len, const struct policy_rule *r)
{
	struct seccomp_data call = { .nr = r->nr, .arch = AUDIT_ARCH_X86_64 };
	int bad;

	for (size_t i = 0; i < POLICY_TESTS_MAX && r->tests[i].mask != 0; i++)
		call.args[r->tests[i].arg] = r->tests[i].value;
	bad = differs(rules, n, fallback, prog, len, &call);
	for (size_t i = 0; i < POLICY_TESTS_MAX && r->tests[i].mask != 0 && !bad; i++) {
		for (unsigned bit = 0; bit < 64 && !bad; bit++) {
			call.args[r->tests[i].arg] ^= (uint64_t)1 << bit;
			bad = differs(rules, n, fallback, prog, len, &call);
			call.args[r->tests[i].arg] ^= (uint64_t)1 << bit;
		}
	}
	return bad;
}

int assemble_verify(const struct policy_rule *rules, size_t n, uint32_t fallback,
		    const struct sock_filter *prog, size_t len)
{
	for (int nr = 0; nr < CALLS_MAX; nr++) {
		const struct seccomp_data call = { .nr = nr, .arch = AUDIT_ARCH_X86_64 };

		if (differs(rules, n, fallback, prog, len, &call))
			return nr;
	}
	for (size_t i = 0; i < n; i++)
		if (verify_rule(rules, n, fallback, prog, len, &rules[i]))
			return rules[i].nr;
	return -1;
}
