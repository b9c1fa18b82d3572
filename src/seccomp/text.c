/*
 * text.c - from the text of a policy to rules
 *
 * A line is cut into words, then read by the row of a table for its first word. The order of
 * lines has no meaning: a call named by a line replaces what the built-in profile says about it,
 * and two lines about one call must exclude each other. So there is no "first match" to get wrong.
 *
 * Never:  guesses how many bits of an argument a call uses. A test for fewer or more bits than the
 *         kernel looks at lets through what it seems to stop (CVE-2019-10063).
 */
#include "config.h"

#include "seccomp/text.h"

#include <linux/seccomp.h>
#include <string.h>

#include "base/bounds.h"
#include "base/names.h"
#include "base/str.h"
#include "seccomp/filter.h"
#include "seccomp/verdict.h"

#define ERRNO_MAX	4095		/* the kernel's MAX_ERRNO */

/* A test as written; how many bits it looks at depends on the call. */
struct written_test {
	unsigned column;
	unsigned arg;
	unsigned width;			/* as written after the argument; 0 if it was not */
	bool masked;
	uint64_t mask, value;
};

struct parse {
	struct lex lex;
	const struct calls *calls;
	struct text_policy *out;
	struct faults *warnings;
	bool has_default;
	struct text_place group;	/* of the first group named; line 0 if none was */
	struct written_test tests[POLICY_TESTS_MAX];
	size_t n_tests;
};

/* --- answers, calls, values ------------------------------------------------------------------- */

static bool read_errno(struct parse *p, uint32_t *ret)
{
	const struct lex_word *w = lex_want(&p->lex, "an errno, as a name or a number");
	uint64_t v;

	if (w == NULL)
		return false;
	v = verdict_errno(w->text);
	if (v == 0 && (!lex_number(w->text, ERRNO_MAX, &v) || v == 0))
		return lex_fault(&p->lex, w->column, "unknown errno '%s' (try: EPERM, ENOSYS, "
				 "or a number from 1 to %d)", w->text, ERRNO_MAX);
	*ret = SECCOMP_RET_ERRNO | (uint32_t)v;
	return true;
}

static const struct { const char *name; uint32_t ret; } answers[] = {
	{ "allow",	SECCOMP_RET_ALLOW },
	{ "errno",	SECCOMP_RET_ERRNO },
	{ "log",	SECCOMP_RET_LOG },
	{ "kill",	SECCOMP_RET_KILL_PROCESS },
	{ "trap",	SECCOMP_RET_TRAP },
};

/* An answer, of which the word was taken already. */
static bool read_answer(struct parse *p, const struct lex_word *w, uint32_t *ret)
{
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		if (strcmp(answers[i].name, w->text) == 0) {
			*ret = answers[i].ret;
			return *ret != SECCOMP_RET_ERRNO || read_errno(p, ret);
		}
	}
	return lex_fault(&p->lex, w->column,
			 "unknown answer '%s' (try: allow, errno, log, kill or trap)", w->text);
}

static bool read_call(struct parse *p, struct policy_rule *ret)
{
	const struct lex_word *w = lex_want(&p->lex, "a system call");
	const char *near;
	uint64_t nr;

	if (w == NULL)
		return false;
	ret->nr = calls_find(p->calls, w->text);
	if (ret->nr < 0 && lex_number(w->text, CALLS_MAX - 1, &nr))
		ret->nr = (int)nr;
	if (ret->nr >= 0) {
		ret->name = p->calls->name[ret->nr];
		return true;
	}
	near = calls_nearest(p->calls, w->text);
	if (near != NULL)
		return lex_fault(&p->lex, w->column, "unknown system call '%s' (try: %s)",
				 w->text, near);
	return lex_fault(&p->lex, w->column, "unknown system call '%s'", w->text);
}

/* Values that only the launcher knows. */
static const struct { const char *name; uint64_t mark; } marks[] = {
	{ "EXEC_FD",	FILTER_MARK_EXEC_FD },
	{ "EXEC_PATH",	FILTER_MARK_EXEC_PATH },
	{ "OWN_PID",	FILTER_MARK_PID },
};

static bool read_value(struct parse *p, uint64_t *ret)
{
	const struct lex_word *w = lex_want(&p->lex, "a number, EXEC_FD, EXEC_PATH or OWN_PID");

	if (w == NULL)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		if (strcmp(marks[i].name, w->text) == 0) {
			*ret = marks[i].mark;
			return true;
		}
	}
	return lex_number(w->text, UINT64_MAX, ret) ||
	       lex_fault(&p->lex, w->column, "'%s' is not a number of up to 64 bits", w->text);
}

/* --- tests ------------------------------------------------------------------------------------ */

/* argN or argN:WIDTH */
static bool read_arg(struct parse *p, struct written_test *ret)
{
	static const struct { const char *suffix; unsigned width; } widths[] = {
		{ "", 0 }, { ":16", 16 }, { ":32", 32 }, { ":64", 64 },
	};
	const struct lex_word *w = lex_want(&p->lex, "an argument");

	if (w == NULL)
		return false;
	ret->column = w->column;
	if (strncmp(w->text, "arg", 3) != 0 || w->text[3] < '0' || w->text[3] > '5')
		return lex_fault(&p->lex, w->column, "unknown argument '%s' (try: arg0 to arg5)",
				 w->text);
	ret->arg = (unsigned)(w->text[3] - '0');
	for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
		if (strcmp(w->text + 4, widths[i].suffix) == 0) {
			ret->width = widths[i].width;
			return true;
		}
	}
	return lex_fault(&p->lex, w->column, "unknown width '%s' (try: arg%u:32 or arg%u:64)",
			 w->text + 4, ret->arg, ret->arg);
}

/* argN[:WIDTH] [& MASK] == VALUE */
static bool read_test(struct parse *p, struct written_test *ret)
{
	*ret = (struct written_test){ 0 };
	if (!read_arg(p, ret))
		return false;
	ret->masked = lex_accept(&p->lex, "&");
	if (ret->masked && !read_value(p, &ret->mask))
		return false;
	if (!lex_accept(&p->lex, "=="))
		return lex_fault(&p->lex, lex_column(&p->lex), "expected '=='");
	if (!read_value(p, &ret->value))
		return false;
	if (ret->masked && ret->mask == 0)
		return lex_fault(&p->lex, ret->column, "a mask of 0 tests nothing");
	return !ret->masked || (ret->value & ~ret->mask) == 0 ||
	       lex_fault(&p->lex, ret->column, "this is never true: the value has bits that the "
			 "mask does not have");
}

static bool read_tests(struct parse *p)
{
	do {
		struct written_test t;

		if (!read_test(p, &t))
			return false;
		for (size_t i = 0; i < p->n_tests; i++)
			if (p->tests[i].arg == t.arg)
				return lex_fault(&p->lex, t.column, "arg%u is tested twice "
						 "(try: one test with a mask)", t.arg);
		p->tests[p->n_tests++] = t;
	} while (lex_accept(&p->lex, "and"));
	return lex_finish(&p->lex);
}

/* What the line calls it. */
static const char *call_name(const struct policy_rule *r, char number[16])
{
	struct str s = { .text = number, .cap = 16 };

	if (r->name[0] != '\0')
		return r->name;
	str_put(&s, "call %d", r->nr);
	return number;
}

/* Has the call this argument, and is the width of the test known? */
static bool check_arg(struct parse *p, const struct policy_rule *r, const struct written_test *t)
{
	const int n = calls_arguments(p->calls, r->nr);
	char number[16];
	const char *name = call_name(r, number);

	if (n == 0)
		return lex_fault(&p->lex, t->column, "%s has no arguments", name);
	if (n > 0 && (int)t->arg >= n)
		return lex_fault(&p->lex, t->column, "the last argument of %s is arg%d", name,
				 n - 1);
	return n > 0 || t->width != 0 || t->masked ||
	       lex_fault(&p->lex, t->column, "the width of the arguments of %s is not known "
			 "(try: arg%u:32 or arg%u:64)", name, t->arg, t->arg);
}

/* A test for one call; see calls.def for widths. */
static bool resolve_test(struct parse *p, const struct policy_rule *r, const struct written_test *t,
			 struct policy_test *ret)
{
	const unsigned used = calls_width(p->calls, r->nr, t->arg);
	const unsigned width = t->width != 0 ? t->width : used != 0 ? used : 64;
	const uint64_t beyond = ~policy_low_bits(width);
	char number[16];

	if (!check_arg(p, r, t))
		return false;
	if (((t->value | t->mask) & beyond) != 0)
		return lex_fault(&p->lex, t->column, "%s has more bits than the %u of arg%u of %s",
				 (t->value & beyond) != 0 ? "the value" : "the mask", width, t->arg,
				 call_name(r, number));
	*ret = (struct policy_test){ .arg = t->arg, .value = t->value,
				     .mask = t->masked ? t->mask : policy_low_bits(width) };
	return true;
}

/* Arguments, as bits, that a written width makes narrower than the call uses them. */
static unsigned narrowed(const struct parse *p, int nr)
{
	unsigned ret = 0;

	for (size_t i = 0; i < p->n_tests; i++) {
		const struct written_test *t = &p->tests[i];

		if (t->width != 0 && t->width < calls_width(p->calls, nr, t->arg))
			ret |= 1U << t->arg;
	}
	return ret;
}

/* --- lines ------------------------------------------------------------------------------------ */

static bool add_rule(struct parse *p, const struct policy_rule *r, unsigned column)
{
	struct text_policy *out = p->out;

	if (out->n == TEXT_RULES_MAX)
		return lex_fault(&p->lex, column, "more than %d rules", TEXT_RULES_MAX);
	for (size_t i = 0; i < out->n; i++)
		if (!policy_disjoint(&out->rules[i], r))
			return lex_fault(&p->lex, column, "line %u already answers this call",
					 out->places[i].line);
	out->places[out->n] = (struct text_place){ .line = p->lex.line, .column = column,
						   .narrowed = narrowed(p, r->nr) };
	out->rules[out->n++] = *r;
	return true;
}

/* One call of a line, with the line's answer and tests. */
static bool add_call(struct parse *p, uint32_t answer, bool otherwise)
{
	struct policy_rule r = { .ret = answer, .otherwise = otherwise };
	const unsigned column = lex_column(&p->lex);

	if (!read_call(p, &r))
		return false;
	for (size_t i = 0; i < p->n_tests; i++)
		if (!resolve_test(p, &r, &p->tests[i], &r.tests[i]))
			return false;
	return add_rule(p, &r, column);
}

/* CALL... [if TEST [and TEST]...], of which an else has no tests */
static bool read_calls(struct parse *p, uint32_t answer, bool otherwise)
{
	const size_t first = p->lex.next;
	size_t end = first;
	bool good = true;

	while (end < p->lex.n && strcmp(p->lex.words[end].text, "if") != 0)
		end++;
	if (end == first)
		return lex_fault(&p->lex, lex_column(&p->lex), "expected a system call");
	p->lex.next = end;
	if (otherwise && !lex_finish(&p->lex))
		return false;
	if (lex_accept(&p->lex, "if") && !read_tests(p))
		return false;
	for (p->lex.next = first; p->lex.next < end;)
		good = add_call(p, answer, otherwise) && good;
	return good;
}

/* ANSWER CALL... [if TEST [and TEST]...] */
static bool line_answer(struct parse *p)
{
	uint32_t answer;

	return read_answer(p, &p->lex.words[0], &answer) && read_calls(p, answer, false);
}

/* else ANSWER CALL... */
static bool line_else(struct parse *p)
{
	const struct lex_word *w = lex_want(&p->lex, "an answer");
	uint32_t answer;

	return w != NULL && read_answer(p, w, &answer) && read_calls(p, answer, true);
}

static bool line_default(struct parse *p)
{
	const struct lex_word *w = lex_want(&p->lex, "an answer");

	if (w == NULL)
		return false;
	if (p->has_default)
		return lex_fault(&p->lex, p->lex.words[0].column, "'default' is given twice");
	p->has_default = true;
	return read_answer(p, w, &p->out->fallback) && lex_finish(&p->lex);
}

static bool line_include(struct parse *p)
{
	const struct lex_word *w = lex_want(&p->lex, "a profile");

	if (w == NULL)
		return false;
	if (p->out->included)
		return lex_fault(&p->lex, p->lex.words[0].column, "'include' is given twice");
	p->out->included = true;
	if (strcmp(w->text, "qemu") != 0)
		return lex_fault(&p->lex, w->column, "unknown profile '%s' (try: qemu)", w->text);
	return lex_finish(&p->lex);
}

static bool unknown_group(struct parse *p, const struct lex_word *w)
{
	char text[128];
	struct str names = STR_ON(text);

	verdict_groups(&names);
	return lex_fault(&p->lex, w->column, "unknown group '%s' (try: %s)", w->text, text);
}

static bool line_group(struct parse *p)
{
	const struct lex_word *w = lex_want(&p->lex, "a group");

	for (; w != NULL; w = lex_peek(&p->lex) != NULL ? lex_want(&p->lex, "a group") : NULL) {
		const int group = filter_group_find(w->text);

		if (group < 0)
			return unknown_group(p, w);
		if (p->group.line == 0)
			p->group = (struct text_place){ .line = p->lex.line, .column = w->column };
		p->out->groups |= FILTER_GROUP_BIT((unsigned)group);
	}
	return p->lex.n > 1;
}

static const struct { const char *name; bool (*read)(struct parse *p); } lines[] = {
	{ "allow",	line_answer },
	{ "errno",	line_answer },
	{ "log",	line_answer },
	{ "kill",	line_answer },
	{ "trap",	line_answer },
	{ "else",	line_else },
	{ "default",	line_default },
	{ "include",	line_include },
	{ "group",	line_group },
};

static bool unknown_line(struct parse *p)
{
	const struct lex_word *w = &p->lex.words[0];
	struct nearest nearest = { .name = w->text };

	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		nearest_try(&nearest, lines[i].name);
	return lex_fault(&p->lex, w->column, "unknown keyword '%s' (try: %s)", w->text,
			 nearest.best != NULL ? nearest.best :
			 "allow, errno, log, kill, trap, else, default, include or group");
}

static bool read_line(struct parse *p, const char *s)
{
	if (!lex_split(&p->lex, s) || p->lex.n == 0)
		return p->lex.n == 0;
	p->lex.next = 1;
	p->n_tests = 0;
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		if (strcmp(lines[i].name, p->lex.words[0].text) == 0)
			return lines[i].read(p);
	return unknown_line(p);
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool answered(const struct text_policy *out, size_t own, int nr)
{
	for (size_t i = 0; i < own; i++)
		if (out->rules[i].nr == nr)
			return true;
	return false;
}

/* The profile's rules for the calls that no line names. A group that is off gets the default. */
static void include_profile(struct parse *p)
{
	struct text_policy *out = p->out;
	const size_t own = out->n;

	for (size_t i = 0; i < policy_qemu_len; i++) {
		struct policy_rule r = policy_qemu[i];

		if (answered(out, own, r.nr))
			continue;
		if (out->n == TEXT_RULES_MAX) {
			(void)faults_add(p->lex.faults, 1, 1, "more than %d rules", TEXT_RULES_MAX);
			return;
		}
		r.ret = filter_verdict(r.ret, out->fallback, out->groups);
		out->places[out->n] = (struct text_place){ 0 };
		out->rules[out->n++] = r;
	}
}

/* Without a test there is nothing else. */
static void check_else(struct parse *p, size_t at)
{
	const struct text_policy *out = p->out;
	const struct policy_rule *r = &out->rules[at];
	char number[16];

	for (size_t i = 0; i < out->n; i++)
		if (i != at && out->rules[i].nr == r->nr)
			return;
	(void)faults_add(p->lex.faults, out->places[at].line, out->places[at].column,
			 "'else' for %s, but no line tests its arguments", call_name(r, number));
}

static void check_groups(struct parse *p)
{
	if (p->group.line != 0 && !p->out->included)
		(void)faults_add(p->lex.faults, p->group.line, p->group.column,
				 "'group' without a profile (try: include qemu)");
}

/* --- warnings --------------------------------------------------------------------------------- */

static bool permits(uint32_t ret)
{
	return ret == SECCOMP_RET_ALLOW || ret == SECCOMP_RET_LOG;
}

/* The lowest bit that a test looks at and the call does not use; 0 if there is none. */
static uint64_t unused_bit(const struct parse *p, int nr, const struct policy_test *t)
{
	const unsigned used = calls_width(p->calls, nr, t->arg);
	const uint64_t beyond = used != 0 ? t->mask & ~policy_low_bits(used) : 0;

	return beyond & (~beyond + 1);
}

/* Can a call get around this test by a bit that the kernel ignores? */
static void warn_wide(struct parse *p, size_t at, const struct policy_test *t)
{
	const struct text_policy *out = p->out;
	const struct policy_rule *r = &out->rules[at];
	const uint64_t bit = unused_bit(p, r->nr, t);
	uint64_t args[POLICY_ARGS_MAX] = { 0 };
	uint32_t got;

	for (size_t i = 0; i < POLICY_TESTS_MAX && r->tests[i].mask != 0; i++)
		args[r->tests[i].arg] = r->tests[i].value;
	args[t->arg] ^= bit;
	got = policy_verdict(out->rules, out->n, out->fallback, r->nr, args);
	if (bit != 0 && permits(got) && got != r->ret && r->ret != SECCOMP_RET_ALLOW)
		(void)faults_add(p->warnings, out->places[at].line, out->places[at].column,
				 "%s uses only %u bits of arg%u: 0x%llx means 0x%llx to it and is "
				 "allowed (try: arg%u without a width)", r->name,
				 calls_width(p->calls, r->nr, t->arg), t->arg,
				 (unsigned long long)args[t->arg], (unsigned long long)t->value,
				 t->arg);
}

/* Does this test let through values that differ in bits which the call uses? */
static void warn_narrow(struct parse *p, size_t at, const struct policy_test *t)
{
	const struct text_policy *out = p->out;
	const struct policy_rule *r = &out->rules[at];

	if (permits(r->ret) && (out->places[at].narrowed & (1U << t->arg)) != 0)
		(void)faults_add(p->warnings, out->places[at].line, out->places[at].column,
				 "%s uses %u bits of arg%u; the test ignores the upper ones "
				 "(try: arg%u without a width)", r->name,
				 calls_width(p->calls, r->nr, t->arg), t->arg, t->arg);
}

static void check_rules(struct parse *p)
{
	const struct text_policy *out = p->out;

	for (size_t i = 0; i < out->n && out->places[i].line != 0; i++) {
		const struct policy_rule *r = &out->rules[i];

		if (r->otherwise)
			check_else(p, i);
		for (size_t t = 0; t < POLICY_TESTS_MAX && r->tests[t].mask != 0; t++) {
			warn_wide(p, i, &r->tests[t]);
			warn_narrow(p, i, &r->tests[t]);
		}
	}
}

void text_parse(char *text, size_t len, const struct calls *calls, struct text_policy *ret,
		struct faults *errors, struct faults *warnings)
{
	struct parse p = { .lex.faults = errors, .calls = calls, .out = ret, .warnings = warnings };
	char *s = text, *end;

	*ret = (struct text_policy){ .fallback = filter_action_ret(FILTER_ERRNO) };
	for (; s < text + len; s = end + 1) {
		p.lex.line++;
		end = memchr(s, '\n', (size_t)(text + len - s));
		if (end == NULL)
			end = text + len;
		*end = '\0';
		if (strlen(s) != (size_t)(end - s))
			(void)lex_fault(&p.lex, 1 + (unsigned)strlen(s), "unexpected byte 0x00");
		else
			(void)read_line(&p, s);
	}
	check_groups(&p);
	if (errors->n == 0)
		check_rules(&p);
	if (errors->n == 0 && ret->included)
		include_profile(&p);
}
