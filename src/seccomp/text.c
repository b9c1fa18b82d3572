/*
 * text.c - a policy written as text, to rules
 *
 * A line is cut into words, then read by the row of a table for its first word. The order of
 * lines has no meaning: a call named by a line of its own takes the place of what the built-in
 * profile says about it, and two lines about one call must exclude each other. So there is no
 * "first match" to get wrong.
 */
#include "config.h"

#include "seccomp/text.h"

#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "seccomp/filter.h"
#include "seccomp/verdict.h"

#define ERRNO_MAX	4095		/* the kernel's MAX_ERRNO */
#define WORD_MAX	32		/* longer than any call, number or keyword */

struct word {
	char s[WORD_MAX];
	unsigned column;
};

struct line {
	struct word word[TEXT_WORDS_MAX];
	size_t n, at;			/* words, and the next to read */
	unsigned number, end;		/* line; column after its last word */
};

struct parse {
	struct line line;
	const struct calls *calls;
	struct text_policy *out;
	struct text_fault *faults;
	size_t n_faults;
	bool has_default;
	struct word group;		/* the first group named, "" when none is */
	unsigned group_line;
};

__attribute__((format(printf, 3, 4)))
static bool fault(struct parse *p, unsigned column, const char *fmt, ...)
{
	struct text_fault *f = &p->faults[p->n_faults];
	va_list ap;

	if (p->n_faults < TEXT_FAULTS_MAX) {
		*f = (struct text_fault){ .line = p->line.number, .column = column };
		va_start(ap, fmt);
		(void)vsnprintf(f->text, sizeof(f->text), fmt, ap);
		va_end(ap);
		p->n_faults++;
	}
	return false;
}

/* --- words -------------------------------------------------------------------------------- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* How long the word at `s` is; 0 when none begins here. */
static size_t word_length(const char *s)
{
	size_t n = 0;

	if (s[0] == '=' && s[1] == '=')
		return 2;
	if (s[0] == '&')
		return 1;
	while (is_word(s[n]))
		n++;
	return n;
}

static bool add_word(struct parse *p, const char *s, unsigned column)
{
	const size_t n = word_length(s);
	struct word *w = &p->line.word[p->line.n];

	if (n == 0 && s[0] > ' ' && s[0] < 0x7f)
		return fault(p, column, "unexpected '%c'", s[0]);
	if (n == 0)
		return fault(p, column, "unexpected byte 0x%02x", (unsigned char)s[0]);
	if (n >= WORD_MAX)
		return fault(p, column, "a word of %zu characters, at most %d", n, WORD_MAX - 1);
	if (p->line.n == TEXT_WORDS_MAX)
		return fault(p, column, "more than %d words on a line", TEXT_WORDS_MAX);
	memcpy(w->s, s, n);
	w->s[n] = '\0';
	w->column = column;
	p->line.n++;
	return true;
}

/* False: a fault was stored and the line is not to be read. */
static bool split(struct parse *p, const char *s)
{
	size_t i = 0;

	p->line.n = p->line.at = 0;
	for (;;) {
		i += strspn(s + i, " \t");
		p->line.end = 1 + (unsigned)i;
		if (s[i] == '\0' || s[i] == '#')
			return true;
		if (!add_word(p, s + i, 1 + (unsigned)i))
			return false;
		i += word_length(s + i);
	}
}

static const struct word *peek(const struct parse *p)
{
	return p->line.at < p->line.n ? &p->line.word[p->line.at] : NULL;
}

static bool next_is(struct parse *p, const char *s)
{
	const struct word *w = peek(p);

	if (w == NULL || strcmp(w->s, s) != 0)
		return false;
	p->line.at++;
	return true;
}

/* The next word, or NULL and a fault that says what is missing. */
static const struct word *want(struct parse *p, const char *what)
{
	const struct word *w = peek(p);

	if (w == NULL)
		(void)fault(p, p->line.end, "%s expected", what);
	else
		p->line.at++;
	return w;
}

static bool nothing_more(struct parse *p)
{
	const struct word *w = peek(p);

	return w == NULL || fault(p, w->column, "unexpected '%s'", w->s);
}

/* Decimal or 0x; the whole word. */
static bool number(const char *s, uint64_t max, uint64_t *ret)
{
	const unsigned base = s[0] == '0' && s[1] == 'x' ? 16 : 10;
	uint64_t v = 0;

	if (base == 16)
		s += 2;
	if (*s == '\0')
		return false;
	for (; *s != '\0'; s++) {
		const char *digits = "0123456789abcdef";
		const char lower = *s >= 'A' && *s <= 'F' ? (char)(*s + 'a' - 'A') : *s;
		const char *d = strchr(digits, lower);

		if (d == NULL || d - digits >= (int)base)
			return false;
		if (v > (max - (uint64_t)(d - digits)) / base)
			return false;
		v = v * base + (uint64_t)(d - digits);
	}
	*ret = v;
	return true;
}

/* --- parts of a line ------------------------------------------------------------------------ */

static bool read_errno(struct parse *p, uint32_t *ret)
{
	const struct word *w = want(p, "an errno, by name or number,");
	uint64_t v;

	if (w == NULL)
		return false;
	v = verdict_errno(w->s);
	if (v == 0 && (!number(w->s, ERRNO_MAX, &v) || v == 0))
		return fault(p, w->column, "'%s' is no errno: 1 to %d, or a name such as ENOSYS or EPERM",
			     w->s, ERRNO_MAX);
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
#define ANSWERS		(sizeof(answers) / sizeof(answers[0]))

/* -1: not an answer. */
static int find_answer(const char *s)
{
	for (size_t i = 0; i < ANSWERS; i++)
		if (strcmp(answers[i].name, s) == 0)
			return (int)i;
	return -1;
}

static bool read_answer(struct parse *p, const char *name, uint32_t *ret)
{
	const int i = find_answer(name);

	*ret = answers[i].ret;
	return *ret != SECCOMP_RET_ERRNO || read_errno(p, ret);
}

static bool read_call(struct parse *p, struct policy_rule *ret)
{
	const struct word *w = want(p, "the name of a call");
	const char *near;
	uint64_t nr;

	if (w == NULL)
		return false;
	ret->nr = calls_find(p->calls, w->s);
	if (ret->nr < 0 && number(w->s, CALLS_MAX - 1, &nr))
		ret->nr = (int)nr;
	if (ret->nr >= 0) {
		ret->name = p->calls->name[ret->nr];
		return true;
	}
	near = calls_nearest(p->calls, w->s);
	if (near != NULL)
		return fault(p, w->column, "'%s' is no call of x86-64; the nearest is '%s'", w->s, near);
	return fault(p, w->column, "'%s' is no call of x86-64", w->s);
}

static bool read_value(struct parse *p, uint64_t *ret)
{
	const struct word *w = want(p, "a number, EXEC_FD or EXEC_PATH");

	if (w == NULL)
		return false;
	if (strcmp(w->s, "EXEC_FD") == 0) {
		*ret = FILTER_MARK_EXEC_FD;
		return true;
	}
	if (strcmp(w->s, "EXEC_PATH") == 0) {
		*ret = FILTER_MARK_EXEC_PATH;
		return true;
	}
	return number(w->s, UINT64_MAX, ret) ||
	       fault(p, w->column, "'%s' is no number of 64 bits, decimal or 0x", w->s);
}

static bool read_arg(struct parse *p, unsigned *ret)
{
	const struct word *w = want(p, "arg0 to arg5");

	if (w == NULL)
		return false;
	if (strlen(w->s) != 4 || strncmp(w->s, "arg", 3) != 0 || w->s[3] < '0' || w->s[3] > '5')
		return fault(p, w->column, "'%s' is no argument: arg0 to arg5", w->s);
	*ret = (unsigned)(w->s[3] - '0');
	return true;
}

/* argN [& MASK] == VALUE */
static bool read_test(struct parse *p, struct policy_test *ret)
{
	const unsigned column = peek(p) != NULL ? peek(p)->column : p->line.end;

	*ret = (struct policy_test){ .mask = UINT64_MAX };
	if (!read_arg(p, &ret->arg))
		return false;
	if (next_is(p, "&") && !read_value(p, &ret->mask))
		return false;
	if (!next_is(p, "=="))
		return fault(p, peek(p) != NULL ? peek(p)->column : p->line.end,
			     "'==' expected; it is the only comparison");
	if (!read_value(p, &ret->value))
		return false;
	if (ret->mask == 0)
		return fault(p, column, "a mask of 0 tests nothing");
	return (ret->value & ~ret->mask) == 0 ||
	       fault(p, column, "the test can never hold: the value has bits outside the mask");
}

static bool read_tests(struct parse *p, struct policy_test tests[POLICY_TESTS_MAX])
{
	unsigned seen = 0;
	size_t n = 0;

	do {
		const unsigned column = peek(p) != NULL ? peek(p)->column : p->line.end;
		struct policy_test t;

		if (!read_test(p, &t))
			return false;
		if ((seen & (1U << t.arg)) != 0)
			return fault(p, column, "arg%u is tested twice; use one mask", t.arg);
		seen |= 1U << t.arg;
		tests[n++] = t;
	} while (next_is(p, "and"));
	return nothing_more(p);
}

/* --- lines ---------------------------------------------------------------------------------- */

static bool add_rule(struct parse *p, const struct policy_rule *r, unsigned column)
{
	struct text_policy *out = p->out;

	if (out->n == TEXT_RULES_MAX)
		return fault(p, column, "more than %d rules", TEXT_RULES_MAX);
	for (size_t i = 0; i < out->n; i++)
		if (!policy_disjoint(&out->rules[i], r))
			return fault(p, column, "line %u already answers this call", out->line[i]);
	out->line[out->n] = p->line.number;
	out->rules[out->n++] = *r;
	return true;
}

/* The calls between two words of the line, each with the answer and tests of `r`. */
static bool add_calls(struct parse *p, size_t first, size_t end, struct policy_rule *r)
{
	bool good = true;

	for (p->line.at = first; p->line.at < end;) {
		const unsigned column = p->line.word[p->line.at].column;

		good = read_call(p, r) && add_rule(p, r, column) && good;
	}
	return good;
}

/* ANSWER CALL... [if TEST [and TEST]...] */
static bool line_answer(struct parse *p)
{
	struct policy_rule r = { 0 };
	size_t first;
	size_t end;

	if (!read_answer(p, p->line.word[0].s, &r.ret))
		return false;
	first = end = p->line.at;
	while (end < p->line.n && strcmp(p->line.word[end].s, "if") != 0)
		end++;
	if (end == first)
		return fault(p, peek(p) != NULL ? peek(p)->column : p->line.end,
			     "the name of a call expected");
	p->line.at = end;
	if (next_is(p, "if") && !read_tests(p, r.tests))
		return false;
	return add_calls(p, first, end, &r);
}

static bool line_default(struct parse *p)
{
	const struct word *w = want(p, "an answer");

	if (w == NULL)
		return false;
	if (p->has_default)
		return fault(p, p->line.word[0].column, "a second default");
	p->has_default = true;
	if (find_answer(w->s) < 0)
		return fault(p, w->column, "'%s' is no answer: allow, errno, log, kill, trap", w->s);
	return read_answer(p, w->s, &p->out->fallback) && nothing_more(p);
}

static bool line_include(struct parse *p)
{
	const struct word *w = want(p, "the name of a profile");

	if (w == NULL)
		return false;
	if (p->out->included)
		return fault(p, p->line.word[0].column, "a second include");
	p->out->included = true;
	if (strcmp(w->s, "qemu") != 0)
		return fault(p, w->column, "'%s' is no profile; there is one: 'qemu'", w->s);
	return nothing_more(p);
}

static bool line_group(struct parse *p)
{
	const struct word *w = want(p, "the name of a group");

	for (; w != NULL; w = peek(p) != NULL ? &p->line.word[p->line.at++] : NULL) {
		const int group = filter_group_find(w->s);

		if (group < 0)
			return fault(p, w->column, "'%s' is no group: io_uring, daemonize, runas, "
				     "chroot, affinity", w->s);
		if (p->group.s[0] == '\0') {
			p->group = *w;
			p->group_line = p->line.number;
		}
		p->out->groups |= FILTER_GROUP_BIT((unsigned)group);
	}
	return p->line.n > 1;
}

static const struct { const char *name; bool (*read)(struct parse *p); } lines[] = {
	{ "allow",	line_answer },
	{ "errno",	line_answer },
	{ "log",	line_answer },
	{ "kill",	line_answer },
	{ "trap",	line_answer },
	{ "default",	line_default },
	{ "include",	line_include },
	{ "group",	line_group },
};
#define LINES		(sizeof(lines) / sizeof(lines[0]))

static bool unknown_line(struct parse *p)
{
	const struct word *w = &p->line.word[0];
	size_t near = 0;

	for (size_t i = 1; i < LINES; i++)
		if (calls_distance(w->s, lines[i].name) < calls_distance(w->s, lines[near].name))
			near = i;
	if (calls_distance(w->s, lines[near].name) <= 2)
		return fault(p, w->column, "'%s' begins no line; the nearest is '%s'", w->s,
			     lines[near].name);
	return fault(p, w->column, "'%s' begins no line: allow, errno, log, kill, trap, default, "
		     "include, group", w->s);
}

static bool read_line(struct parse *p, const char *s)
{
	if (!split(p, s) || p->line.n == 0)
		return p->line.n == 0;
	p->line.at = 1;
	for (size_t i = 0; i < LINES; i++)
		if (strcmp(lines[i].name, p->line.word[0].s) == 0)
			return lines[i].read(p);
	return unknown_line(p);
}

/* --- the whole ------------------------------------------------------------------------------ */

static bool answered(const struct text_policy *out, size_t own, int nr)
{
	for (size_t i = 0; i < own; i++)
		if (out->rules[i].nr == nr)
			return true;
	return false;
}

/* A row of the profile as this policy has it; groups that are off say what the default says. */
static void include_row(struct text_policy *out, const struct policy_rule *row)
{
	struct policy_rule *r = &out->rules[out->n];

	*r = *row;
	r->ret = filter_verdict(row->ret, out->fallback, out->groups);
	out->line[out->n++] = 0;
}

static void include_profile(struct parse *p)
{
	const size_t own = p->out->n;

	for (size_t i = 0; i < policy_qemu_len; i++) {
		if (answered(p->out, own, policy_qemu[i].nr))
			continue;
		if (p->out->n == TEXT_RULES_MAX) {
			(void)fault(p, 1, "more than %d rules", TEXT_RULES_MAX);
			return;
		}
		include_row(p->out, &policy_qemu[i]);
	}
}

size_t text_parse(char *text, size_t len, const struct calls *calls, struct text_policy *ret,
		  struct text_fault faults[TEXT_FAULTS_MAX])
{
	struct parse p = { .calls = calls, .out = ret, .faults = faults };
	char *s = text, *end;

	*ret = (struct text_policy){ .fallback = filter_action_ret(FILTER_ERRNO) };
	for (; s < text + len; s = end + 1) {
		p.line.number++;
		end = memchr(s, '\n', (size_t)(text + len - s));
		if (end == NULL)
			end = text + len;
		*end = '\0';
		if (strlen(s) != (size_t)(end - s))
			(void)fault(&p, 1 + (unsigned)strlen(s), "unexpected byte 0x00");
		else
			(void)read_line(&p, s);
	}
	if (p.group.s[0] != '\0' && !ret->included) {
		p.line.number = p.group_line;
		(void)fault(&p, p.group.column, "a group is part of a profile: 'include qemu' is missing");
	}
	if (p.n_faults == 0 && ret->included)
		include_profile(&p);
	return p.n_faults;
}
