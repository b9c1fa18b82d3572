/*
 * explain.c - what a program answers to a call, with the conditions on its arguments
 *
 * A value is a constant, a word of the call under a mask, or opaque. A program made from a policy
 * has no others. One that computes with arguments is reported as beyond explanation, never guessed.
 */
#include "config.h"

#include "seccomp/explain.h"

#include <linux/seccomp.h>

#include "base/bounds.h"
#include "base/str.h"
#include "seccomp/filter.h"
#include "seccomp/policy.h"

enum kind { CONSTANT, WORD, OPAQUE };

struct value {
	enum kind kind;
	uint32_t k;			/* CONSTANT: the value; WORD: the mask */
	unsigned offset;
};

struct state {
	size_t pc;
	struct value a, x, cell[BPF_MEMWORDS];
	struct explain_way way;
};

struct walk {
	const struct sock_filter *prog;
	size_t len;
	uint32_t arch;
	int nr;
	struct explain *out;
};

static struct value constant(uint32_t k)
{
	return (struct value){ .kind = CONSTANT, .k = k };
}

static struct value load(const struct walk *w, const struct state *s, const struct sock_filter *in)
{
	switch (in->code & ~(BPF_LD | BPF_LDX)) {
	case BPF_IMM:			return constant(in->k);
	case BPF_MEM:			return s->cell[in->k];
	case BPF_LEN:			return constant(sizeof(struct seccomp_data));
	default:			break;
	}
	if (in->k == offsetof(struct seccomp_data, nr))
		return constant((uint32_t)w->nr);
	if (in->k == offsetof(struct seccomp_data, arch))
		return constant(w->arch);
	return (struct value){ .kind = WORD, .k = UINT32_MAX, .offset = in->k };
}

/* Constants are computed by the interpreter, so there is one arithmetic. */
static struct value compute_constant(const struct sock_filter *in, uint32_t a, uint32_t x)
{
	const struct sock_filter prog[] = {
		BPF_STMT(BPF_LDX | BPF_IMM, x), BPF_STMT(BPF_LD | BPF_IMM, a), *in,
		BPF_STMT(BPF_RET | BPF_A, 0),
	};
	const struct seccomp_data none = { 0 };
	uint32_t ret;

	if (!interp_run(prog, ARRAY_LEN(prog), &none, &ret))
		return (struct value){ .kind = OPAQUE };
	return constant(ret);
}

static struct value operand(const struct state *s, const struct sock_filter *in)
{
	return BPF_SRC(in->code) == BPF_X ? s->x : constant(in->k);
}

static struct value compute(const struct state *s, const struct sock_filter *in)
{
	const struct value v = operand(s, in);

	if (s->a.kind == CONSTANT && v.kind == CONSTANT)
		return compute_constant(in, s->a.k, s->x.kind == CONSTANT ? s->x.k : 0);
	if (s->a.kind == WORD && v.kind == CONSTANT && BPF_OP(in->code) == BPF_AND) {
		const uint32_t mask = s->a.k & v.k;

		return mask == 0 ? constant(0)
			: (struct value){ .kind = WORD, .k = mask, .offset = s->a.offset };
	}
	return (struct value){ .kind = OPAQUE };
}

static bool compares(unsigned op, uint32_t a, uint32_t k)
{
	switch (op) {
	case BPF_JEQ:	return a == k;
	case BPF_JGT:	return a > k;
	case BPF_JGE:	return a >= k;
	default:	return (a & k) != 0;
	}
}

/* Do the conditions met so far decide this one? 1 or 0 if they do, -1 if not. */
static int decided(const struct explain_way *way, const struct explain_cond *c)
{
	for (unsigned i = 0; i < way->n; i++) {
		const struct explain_cond *o = &way->cond[i];

		if (o->offset != c->offset)
			continue;
		if (o->op == BPF_JEQ && o->holds && (c->mask & ~o->mask) == 0)
			return compares(c->op, o->k & c->mask, c->k);
		if (o->op == c->op && o->mask == c->mask && o->k == c->k)
			return o->holds;
	}
	return -1;
}

static void follow(struct walk *w, struct state s);

/* Both ways on from a comparison of a word. */
static void fork_ways(struct walk *w, const struct state *s, const struct sock_filter *in,
		      uint32_t k)
{
	const struct explain_cond c = { .offset = s->a.offset, .mask = s->a.k, .k = k,
					.op = BPF_OP(in->code) };

	if (s->way.n == EXPLAIN_CONDS_MAX) {
		w->out->beyond = true;
		return;
	}
	for (int holds = 1; holds >= 0; holds--) {
		struct state next = *s;

		next.way.cond[next.way.n] = c;
		next.way.cond[next.way.n++].holds = holds;
		next.pc += holds ? in->jt : in->jf;
		follow(w, next);
	}
}

/* True if the walk goes on in `s` itself. */
static bool jump(struct walk *w, struct state *s, const struct sock_filter *in)
{
	const struct value v = operand(s, in);
	struct explain_cond c;
	int d;

	if (BPF_OP(in->code) == BPF_JA) {
		s->pc += in->k;
		return true;
	}
	if (v.kind != CONSTANT || s->a.kind == OPAQUE) {
		w->out->beyond = true;
		return false;
	}
	c = (struct explain_cond){ .offset = s->a.offset, .mask = s->a.k, .k = v.k,
				   .op = BPF_OP(in->code) };
	d = s->a.kind == CONSTANT ? compares(c.op, s->a.k, v.k) : decided(&s->way, &c);
	if (d < 0) {
		fork_ways(w, s, in, v.k);
		return false;
	}
	s->pc += d ? in->jt : in->jf;
	return true;
}

static void finish(struct walk *w, struct state *s, const struct sock_filter *in)
{
	const struct value v = BPF_RVAL(in->code) == BPF_A ? s->a : constant(in->k);

	if (v.kind != CONSTANT || w->out->n == EXPLAIN_WAYS_MAX) {
		w->out->beyond = true;
		return;
	}
	s->way.ret = v.k;
	w->out->way[w->out->n++] = s->way;
}

/* Recursion is as deep as a way has conditions, and stops growing at EXPLAIN_WAYS_MAX ways. */
static void follow(struct walk *w, struct state s)
{
	while (s.pc < w->len && !w->out->beyond) {
		const struct sock_filter *in = &w->prog[s.pc++];

		switch (BPF_CLASS(in->code)) {
		case BPF_LD:	s.a = load(w, &s, in); break;
		case BPF_LDX:	s.x = load(w, &s, in); break;
		case BPF_ST:	s.cell[in->k] = s.a; break;
		case BPF_STX:	s.cell[in->k] = s.x; break;
		case BPF_ALU:	s.a = compute(&s, in); break;
		case BPF_MISC:
			if (BPF_MISCOP(in->code) == BPF_TXA)
				s.a = s.x;
			else
				s.x = s.a;
			break;
		case BPF_JMP:
			if (!jump(w, &s, in))
				return;
			break;
		default:
			finish(w, &s, in);
			return;
		}
	}
}

void explain(const struct sock_filter *prog, size_t len, uint32_t arch, int nr,
	     struct explain *ret)
{
	struct walk w = { .prog = prog, .len = len, .arch = arch, .nr = nr, .out = ret };
	const struct state start = { .a = constant(0), .x = constant(0) };

	ret->n = 0;
	ret->beyond = false;
	follow(&w, start);
}

/* --- in words -------------------------------------------------------------------------------- */

#define ARG0	((unsigned)offsetof(struct seccomp_data, args))
#define ARGS	POLICY_ARGS_MAX

/* A condition that another one of the way implies says nothing new. */
static bool implied(const struct explain_way *way, const struct explain_cond *c)
{
	for (unsigned i = 0; i < way->n && !c->holds; i++) {
		const struct explain_cond *o = &way->cond[i];

		if (o->offset == c->offset && o->holds && o->op == BPF_JEQ && c->op == BPF_JEQ &&
		    ((o->k ^ c->k) & o->mask & c->mask) != 0)
			return true;
	}
	return false;
}

struct arg { uint64_t mask, value; };

/* Equalities on the halves of each argument as one test each; false if there is more to it. */
static bool as_tests(const struct explain_way *way, struct arg args[ARGS])
{
	for (unsigned i = 0; i < way->n; i++) {
		const struct explain_cond *c = &way->cond[i];
		const unsigned half = c->offset - ARG0, shift = half % 8 * 8;

		if (implied(way, c))
			continue;
		if (c->offset < ARG0 || !c->holds || c->op != BPF_JEQ ||
		    (args[half / 8].mask & ((uint64_t)c->mask << shift)) != 0)
			return false;
		args[half / 8].mask |= (uint64_t)c->mask << shift;
		args[half / 8].value |= (uint64_t)c->k << shift;
	}
	return true;
}

/* Does the call have the arguments that are tested? The language has no test of others. */
static bool has_args(const struct arg args[ARGS], const struct calls *calls, int nr)
{
	const int n = calls_arguments(calls, nr);

	for (int i = n; n >= 0 && i < ARGS; i++)
		if (args[i].mask != 0)
			return false;
	return true;
}

/* "arg1", or with a width if the test is for other bits than those that the call uses. */
static void put_arg(struct str *s, unsigned arg, uint64_t mask, unsigned used)
{
	const uint64_t bits = used != 0 ? policy_low_bits(used) : 0;

	str_put(s, "arg%u", arg);
	if (mask == bits)
		return;
	if (mask == UINT64_MAX)
		str_put(s, ":64");
	else if (mask == UINT32_MAX)
		str_put(s, ":32");
	else
		str_put(s, "%s & 0x%llx", bits != 0 && (mask & ~bits) != 0 ? ":64" : "",
			(unsigned long long)mask);
}

static void put_value(struct str *s, uint64_t value)
{
	if (value == FILTER_MARK_EXEC_FD)
		str_put(s, " == EXEC_FD");
	else if (value == FILTER_MARK_EXEC_PATH)
		str_put(s, " == EXEC_PATH");
	else if (value == FILTER_MARK_PID)
		str_put(s, " == OWN_PID");
	else
		str_put(s, " == 0x%llx", (unsigned long long)value);
}

static const char *comparison(const struct explain_cond *c)
{
	switch (c->op) {
	case BPF_JEQ:	return c->holds ? "==" : "!=";
	case BPF_JGT:	return c->holds ? ">" : "<=";
	case BPF_JGE:	return c->holds ? ">=" : "<";
	default:	return c->holds ? "has a bit of" : "has no bit of";
	}
}

static void put_words(struct str *s, const struct explain_cond *c)
{
	const char *half = c->offset % 8 != 0 ? "high" : "low";

	str_put(s, "%s%s half of ", s->len > 0 ? " and " : "", half);
	if (c->offset < ARG0)
		str_put(s, "the address of the call");
	else
		str_put(s, "arg%u", (c->offset - ARG0) / 8);
	if (c->mask != UINT32_MAX)
		str_put(s, " & 0x%x", c->mask);
	str_put(s, " %s 0x%x", comparison(c), c->k);
}

bool explain_tests(const struct explain_way *way, const struct calls *calls, int nr, char *ret,
		   size_t size)
{
	struct str s = { .text = ret, .cap = size };
	struct arg args[ARGS] = { { 0, 0 } };
	const bool simple = as_tests(way, args) && has_args(args, calls, nr);

	ret[0] = '\0';
	for (unsigned i = 0; simple && i < ARGS; i++) {
		if (args[i].mask == 0)
			continue;
		str_put(&s, "%s", s.len > 0 ? " and " : "");
		put_arg(&s, i, args[i].mask, calls_width(calls, nr, i));
		put_value(&s, args[i].value);
	}
	for (unsigned i = 0; !simple && i < way->n; i++)
		if (!implied(way, &way->cond[i]))
			put_words(&s, &way->cond[i]);
	return simple;
}
