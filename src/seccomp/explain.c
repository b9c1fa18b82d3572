/*
 * explain.c - what a program answers to a call, with the conditions on its arguments
 *
 * A value is a constant, a word of the call under a mask, or opaque. A program made from a policy
 * knows no others; one that computes with arguments is reported as beyond us, never guessed at.
 */
#include "config.h"

#include "seccomp/explain.h"

#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdio.h>

#include "seccomp/filter.h"

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

/* Constants are computed by the interpreter itself: there is one arithmetic. */
static struct value compute_constant(const struct sock_filter *in, uint32_t a, uint32_t x)
{
	const struct sock_filter prog[] = {
		BPF_STMT(BPF_LDX | BPF_IMM, x), BPF_STMT(BPF_LD | BPF_IMM, a), *in,
		BPF_STMT(BPF_RET | BPF_A, 0),
	};
	const struct seccomp_data none = { 0 };
	uint32_t ret;

	if (!interp_run(prog, sizeof(prog) / sizeof(prog[0]), &none, &ret))
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

/* Do the conditions met so far decide this one? 1 or 0 if so, -1 if not. */
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
static void fork_ways(struct walk *w, const struct state *s, const struct sock_filter *in, uint32_t k)
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

/* True when the walk goes on in `s` itself. */
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

void explain(const struct sock_filter *prog, size_t len, uint32_t arch, int nr, struct explain *ret)
{
	struct walk w = { .prog = prog, .len = len, .arch = arch, .nr = nr, .out = ret };
	const struct state start = { .a = constant(0), .x = constant(0) };

	ret->n = 0;
	ret->beyond = false;
	follow(&w, start);
}

/* --- in words --------------------------------------------------------------------------------- */

#define ARG0		((unsigned)offsetof(struct seccomp_data, args))
#define ARGS		6

/* A condition that another one of the way implies says nothing. */
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

/* Equalities on the two halves of each argument, as one test on the whole. False: not so simple. */
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

struct out { char *s; size_t size, n; };

__attribute__((format(printf, 2, 3)))
static void put(struct out *o, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(o->s + o->n, o->size - o->n, fmt, ap);
	va_end(ap);
	o->n = n < 0 || (size_t)n >= o->size - o->n ? o->size - 1 : o->n + (size_t)n;
}

static void put_test(struct out *o, unsigned arg, const struct arg *t)
{
	put(o, "%sarg%u", o->n > 0 ? " and " : "", arg);
	if (t->mask != UINT64_MAX)
		put(o, " & 0x%llx", (unsigned long long)t->mask);
	if (t->value == FILTER_MARK_EXEC_FD)
		put(o, " == EXEC_FD");
	else if (t->value == FILTER_MARK_EXEC_PATH)
		put(o, " == EXEC_PATH");
	else
		put(o, " == 0x%llx", (unsigned long long)t->value);
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

static void put_words(struct out *o, const struct explain_cond *c)
{
	const char *half = c->offset % 8 != 0 ? "high" : "low";

	put(o, "%s%s half of ", o->n > 0 ? " and " : "", half);
	if (c->offset < ARG0)
		put(o, "the address of the call");
	else
		put(o, "arg%u", (c->offset - ARG0) / 8);
	if (c->mask != UINT32_MAX)
		put(o, " & 0x%x", c->mask);
	put(o, " %s 0x%x", comparison(c), c->k);
}

bool explain_tests(const struct explain_way *way, char *ret, size_t size)
{
	struct out o = { .s = ret, .size = size };
	struct arg args[ARGS] = { { 0, 0 } };
	const bool simple = as_tests(way, args);

	ret[0] = '\0';
	for (unsigned i = 0; simple && i < ARGS; i++)
		if (args[i].mask != 0)
			put_test(&o, i, &args[i]);
	for (unsigned i = 0; !simple && i < way->n; i++)
		if (!implied(way, &way->cond[i]))
			put_words(&o, &way->cond[i]);
	return simple;
}
