/*
 * dump.c - a program as the text of a policy
 *
 * Compiled again, the text makes a program that answers the same. What the language cannot say
 * (other architectures, other comparisons) is printed as comments.
 */
#include "config.h"

#include "seccomp/dump.h"

#include <linux/audit.h>
#include <stdint.h>

#include "seccomp/explain.h"
#include "seccomp/interp.h"
#include "seccomp/verdict.h"

#define X32_BIT		0x40000000
#define ANSWER_SIZE	32
#define TESTS_SIZE	2048

struct dump {
	const struct sock_filter *prog;
	size_t len;
	const struct calls *calls;
	FILE *out;
	uint32_t fallback;
};

static uint32_t plain_answer(const struct dump *d, uint32_t arch, int nr)
{
	const struct seccomp_data call = { .nr = nr, .arch = arch };
	uint32_t ret;

	(void)interp_run(d->prog, d->len, &call, &ret);
	return ret;
}

static void put_foreign(const struct dump *d, const char *what, uint32_t arch, int bit)
{
	const uint32_t first = plain_answer(d, arch, bit);
	char answer[ANSWER_SIZE];

	for (int nr = 1; nr < CALLS_MAX; nr++) {
		if (plain_answer(d, arch, nr | bit) != first) {
			(void)fprintf(d->out, "# %s: the answer depends on the call\n", what);
			return;
		}
	}
	verdict_text(first, answer, sizeof(answer));
	(void)fprintf(d->out, "# %s: %s\n", what, answer);
}

static void put_name(const struct dump *d, int nr)
{
	if (d->calls->name[nr][0] != '\0')
		(void)fputs(d->calls->name[nr], d->out);
	else
		(void)fprintf(d->out, "%d", nr);
}

/* "allow read", with a word before it; a comment if it is not a line of the language. */
static void put_answer(const struct dump *d, bool sayable, const char *before, uint32_t ret, int nr)
{
	char answer[ANSWER_SIZE];

	verdict_text(ret, answer, sizeof(answer));
	(void)fprintf(d->out, "%s%s%s ", sayable && answer[0] != '0' ? "" : "# ", before, answer);
	put_name(d, nr);
}

static void put_beyond(const struct dump *d, int nr)
{
	(void)fputs("# the answer to ", d->out);
	put_name(d, nr);
	(void)fputs(" depends on more than comparisons of its arguments\n", d->out);
}

/* What all ways get that the language has no tests for. False: they get different answers. */
static bool find_otherwise(const struct dump *d, const struct explain *e, int nr, uint32_t *ret)
{
	char tests[TESTS_SIZE];
	bool found = false;

	for (size_t i = 0; i < e->n; i++) {
		if (explain_tests(&e->way[i], d->calls, nr, tests, sizeof(tests)))
			continue;
		if (found && *ret != e->way[i].ret)
			return false;
		found = true;
		*ret = e->way[i].ret;
	}
	return found;
}

/* One way of several; `otherwise` is the answer that needs no line for each way. */
static void put_way(const struct dump *d, const struct explain_way *way, int nr, uint32_t otherwise)
{
	char tests[TESTS_SIZE];
	const bool simple = explain_tests(way, d->calls, nr, tests, sizeof(tests));

	if (way->ret == otherwise)
		return;
	put_answer(d, simple, "", way->ret, nr);
	(void)fprintf(d->out, " if %s\n", tests);
}

static void put_ways(const struct dump *d, const struct explain *e, int nr)
{
	uint32_t otherwise;

	if (!find_otherwise(d, e, nr, &otherwise))
		otherwise = d->fallback;
	for (size_t i = 0; i < e->n; i++)
		put_way(d, &e->way[i], nr, otherwise);
	if (otherwise == d->fallback)
		return;
	put_answer(d, true, "else ", otherwise, nr);
	(void)fputc('\n', d->out);
}

static void put_call(const struct dump *d, const struct explain *e, int nr)
{
	size_t same = 1;

	if (e->beyond || e->n == 0) {
		put_beyond(d, nr);
		return;
	}
	while (same < e->n && e->way[same].ret == e->way[0].ret)
		same++;
	if (same < e->n) {
		put_ways(d, e, nr);
	} else if (e->way[0].ret != d->fallback || d->calls->name[nr][0] != '\0') {
		put_answer(d, true, "", e->way[0].ret, nr);
		(void)fputc('\n', d->out);
	}
}

void dump(const struct sock_filter *prog, size_t len, const struct calls *calls, FILE *out)
{
	struct dump d = { .prog = prog, .len = len, .calls = calls, .out = out };
	char answer[ANSWER_SIZE];
	struct explain e;

	d.fallback = plain_answer(&d, AUDIT_ARCH_X86_64, CALLS_MAX - 1);
	(void)fprintf(out, "# %zu instructions\n", len);
	put_foreign(&d, "i386", AUDIT_ARCH_I386, 0);
	put_foreign(&d, "x32", AUDIT_ARCH_X86_64, X32_BIT);
	verdict_text(d.fallback, answer, sizeof(answer));
	(void)fprintf(out, "%sdefault %s\n", answer[0] != '0' ? "" : "# ", answer);
	for (int nr = 0; nr < CALLS_MAX; nr++) {
		explain(prog, len, AUDIT_ARCH_X86_64, nr, &e);
		put_call(&d, &e, nr);
	}
}
