/*
 * assemble.c - from rules to a program, by libseccomp
 *
 * libseccomp has one answer for all calls that no rule matches. A call with an answer of its own
 * for that case (an `otherwise` rule) is compiled in a part of its own, whose default is that
 * answer. The main part returns a mark for such a call, and each mark becomes a jump to its part.
 * Calls with the same `otherwise` share a part.
 *
 * Every program is run in our interpreter and compared with its rules before it is used: several
 * releases of libseccomp compile some argument tests wrongly, and a wrong filter goes unnoticed
 * until it is needed.
 *
 * The calls are laid out as a binary tree. Once the kernel has its bitmap (5.11 and later) that
 * makes no difference to a call, but to fill the bitmap the kernel runs the program once for every
 * call number when it is loaded: 70 us for the profile as a tree, 199 us as a list (Linux 6.18).
 * Older kernels run it on every call.
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
#define CALLS_MAX	1024		/* numbers compared; x86-64 has about 470 */

/* What the main part returns for part i: an action that no policy can ask for. */
#define PART_MARK(i)	(SECCOMP_RET_TRACE | (uint32_t)(i))

_Static_assert(SCMP_ACT_ALLOW == SECCOMP_RET_ALLOW && SCMP_ACT_LOG == SECCOMP_RET_LOG &&
	       SCMP_ACT_TRAP == SECCOMP_RET_TRAP && SCMP_ACT_ERRNO(1) == (SECCOMP_RET_ERRNO | 1) &&
	       SCMP_ACT_TRACE(1) == PART_MARK(1) &&
	       SCMP_ACT_KILL_PROCESS == SECCOMP_RET_KILL_PROCESS,
	       "a verdict is libseccomp's action");

struct policy {
	const struct policy_rule *rules;
	size_t n;
	uint32_t fallback;
	uint32_t parts[ASSEMBLE_PARTS_MAX];	/* the default of each; parts[0] is the main one */
	size_t n_parts;
};

static uint32_t otherwise_of(const struct policy *p, int nr)
{
	return policy_otherwise(p->rules, p->n, p->fallback, nr);
}

/* -1: there is none. */
static int find_part(const struct policy *p, uint32_t answer)
{
	for (size_t i = 0; i < p->n_parts; i++)
		if (p->parts[i] == answer)
			return (int)i;
	return -1;
}

static int find_parts(struct policy *p)
{
	p->parts[0] = p->fallback;
	p->n_parts = 1;
	for (size_t i = 0; i < p->n; i++) {
		if (!p->rules[i].otherwise || find_part(p, p->rules[i].ret) >= 0)
			continue;
		if (p->n_parts == ASSEMBLE_PARTS_MAX)
			return -EOVERFLOW;
		p->parts[p->n_parts++] = p->rules[i].ret;
	}
	return 0;
}

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

/* libseccomp refuses a rule that answers what its default answers. */
static int add_rules(scmp_filter_ctx ctx, const struct policy *p, int part)
{
	int r = seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);

	if (r == 0)
		r = seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, BINARY_TREE);
	for (size_t i = 0; i < p->n && r == 0; i++) {
		const struct policy_rule *rule = &p->rules[i];
		const int home = find_part(p, otherwise_of(p, rule->nr));

		if (rule->otherwise && home != 0 && part == 0)
			r = seccomp_rule_add_exact_array(ctx, PART_MARK(home), rule->nr, 0, NULL);
		else if (!rule->otherwise && home == part && rule->ret != p->parts[part])
			r = add_rule(ctx, rule);
	}
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

static int compile_part(const struct policy *p, int part, struct sock_filter *ret, size_t size)
{
	scmp_filter_ctx ctx = seccomp_init(p->parts[part]);
	int r;

	if (ctx == NULL)
		return -ENOMEM;
	r = add_rules(ctx, p, part);
	if (r == 0)
		r = export(ctx, ret, size);
	seccomp_release(ctx);
	return r;
}

/* Turn the main part's returns of a part's mark into jumps to where that part starts. */
static void link_part(struct sock_filter *prog, size_t main_len, int part, size_t start)
{
	for (size_t pc = 0; pc < main_len; pc++)
		if (prog[pc].code == (BPF_RET | BPF_K) && prog[pc].k == PART_MARK(part))
			prog[pc] = (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA,
								(uint32_t)(start - pc - 1));
}

int assemble(const struct policy_rule *rules, size_t n, uint32_t fallback,
	     struct sock_filter *ret, size_t size)
{
	struct policy p = { .rules = rules, .n = n, .fallback = fallback };
	size_t len = 0, main_len = 0;
	int r = find_parts(&p);

	/* The machine that compiles need not be able to load what it compiles. */
	(void)seccomp_api_set(API_LEVEL);
	for (int part = 0; r >= 0 && part < (int)p.n_parts; part++) {
		r = compile_part(&p, part, ret + len, size - len);
		if (r < 0)
			return r;
		if (part == 0)
			main_len = (size_t)r;
		else
			link_part(ret, main_len, part, len);
		len += (size_t)r;
	}
	return r < 0 ? r : (int)len;
}

/* --- verification ---------------------------------------------------------------------------- */

struct subject {
	struct policy policy;
	const struct sock_filter *prog;
	size_t len;
};

static bool differs(const struct subject *s, const struct seccomp_data *call)
{
	uint64_t args[POLICY_ARGS_MAX];
	uint32_t got;

	for (size_t i = 0; i < POLICY_ARGS_MAX; i++)
		args[i] = call->args[i];
	return !interp_run(s->prog, s->len, call, &got) ||
	       got != policy_verdict(s->policy.rules, s->policy.n, s->policy.fallback, call->nr,
				     args);
}

/* One argument changed: every bit by itself, and the whole lower and upper half. */
static bool differs_near(const struct subject *s, struct seccomp_data *call, unsigned arg)
{
	static const uint64_t halves[] = { UINT32_MAX, (uint64_t)UINT32_MAX << 32 };
	const uint64_t value = call->args[arg];
	bool bad = false;

	for (unsigned bit = 0; bit < 64 && !bad; bit++) {
		call->args[arg] = value ^ (uint64_t)1 << bit;
		bad = differs(s, call);
	}
	for (size_t i = 0; i < 2 && !bad; i++) {
		call->args[arg] = value ^ halves[i];
		bad = differs(s, call);
		call->args[arg] = value | halves[i];
		bad = bad || differs(s, call);
	}
	call->args[arg] = value;
	return bad;
}

/* Arguments that satisfy the rule, and then just fail it, in both halves of each argument. */
static bool differs_on(const struct subject *s, const struct policy_rule *r)
{
	struct seccomp_data call = { .nr = r->nr, .arch = AUDIT_ARCH_X86_64 };
	bool bad;

	for (size_t i = 0; i < POLICY_TESTS_MAX && r->tests[i].mask != 0; i++)
		call.args[r->tests[i].arg] = r->tests[i].value;
	bad = differs(s, &call);
	for (unsigned arg = 0; arg < POLICY_ARGS_MAX && !bad; arg++)
		bad = differs_near(s, &call, arg);
	return bad;
}

int assemble_verify(const struct policy_rule *rules, size_t n, uint32_t fallback,
		    const struct sock_filter *prog, size_t len)
{
	const struct subject s = { { .rules = rules, .n = n, .fallback = fallback }, prog, len };

	for (int nr = 0; nr < CALLS_MAX; nr++) {
		const struct seccomp_data call = { .nr = nr, .arch = AUDIT_ARCH_X86_64 };

		if (differs(&s, &call))
			return nr;
	}
	for (size_t i = 0; i < n; i++)
		if (differs_on(&s, &rules[i]))
			return rules[i].nr;
	return -1;
}
