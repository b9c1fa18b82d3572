/*
 * dump.c - a program as text: what it answers to each call
 *
 * What is printed is itself a policy: compiled again it gives a program that answers the same.
 * What the language cannot say (other architectures, other comparisons) is printed as comments.
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
#define TESTS_SIZE	512

static uint32_t plain_answer(const struct sock_filter *prog, size_t len, uint32_t arch, int nr)
{
	const struct seccomp_data call = { .nr = nr, .arch = arch };
	uint32_t ret;

	(void)interp_run(prog, len, &call, &ret);
	return ret;
}

static void dump_foreign(const struct sock_filter *prog, size_t len, const char *what, uint32_t arch,
			 int bit, FILE *out)
{
	const uint32_t first = plain_answer(prog, len, arch, bit);
	char answer[ANSWER_SIZE];

	for (int nr = 1; nr < CALLS_MAX; nr++) {
		if (plain_answer(prog, len, arch, nr | bit) != first) {
			(void)fprintf(out, "# %s: the answer depends on the call\n", what);
			return;
		}
	}
	verdict_text(first, answer, sizeof(answer));
	(void)fprintf(out, "# %s: %s\n", what, answer);
}

static void dump_name(const struct calls *calls, int nr, FILE *out)
{
	if (calls->name[nr][0] != '\0')
		(void)fputs(calls->name[nr], out);
	else
		(void)fprintf(out, "%d", nr);
}

/* One way of several through the program. */
static void dump_way(const struct explain_way *way, const struct calls *calls, int nr,
		     uint32_t fallback, FILE *out)
{
	char answer[ANSWER_SIZE], tests[TESTS_SIZE];
	const bool simple = explain_tests(way, tests, sizeof(tests));

	if (way->ret == fallback)
		return;			/* what is left over gets the default */
	verdict_text(way->ret, answer, sizeof(answer));
	(void)fprintf(out, "%s%s ", simple && answer[0] != '0' ? "" : "# ", answer);
	dump_name(calls, nr, out);
	(void)fprintf(out, " if %s\n", tests);
}

static void dump_call(const struct explain *e, const struct calls *calls, int nr, uint32_t fallback,
		      FILE *out)
{
	char answer[ANSWER_SIZE];
	size_t same = 1;

	if (e->beyond || e->n == 0) {
		(void)fprintf(out, "# the answer to ");
		dump_name(calls, nr, out);
		(void)fprintf(out, " depends on more than comparisons of its arguments\n");
		return;
	}
	while (same < e->n && e->way[same].ret == e->way[0].ret)
		same++;
	for (size_t i = 0; i < e->n && same < e->n; i++)
		dump_way(&e->way[i], calls, nr, fallback, out);
	if (same < e->n || (e->way[0].ret == fallback && calls->name[nr][0] == '\0'))
		return;
	verdict_text(e->way[0].ret, answer, sizeof(answer));
	(void)fprintf(out, "%s%s ", answer[0] != '0' ? "" : "# ", answer);
	dump_name(calls, nr, out);
	(void)fputc('\n', out);
}

void dump(const struct sock_filter *prog, size_t len, const struct calls *calls, FILE *out)
{
	const uint32_t fallback = plain_answer(prog, len, AUDIT_ARCH_X86_64, CALLS_MAX - 1);
	char answer[ANSWER_SIZE];
	struct explain e;

	(void)fprintf(out, "# %zu instructions\n", len);
	dump_foreign(prog, len, "i386", AUDIT_ARCH_I386, 0, out);
	dump_foreign(prog, len, "x32", AUDIT_ARCH_X86_64, X32_BIT, out);
	verdict_text(fallback, answer, sizeof(answer));
	(void)fprintf(out, "%sdefault %s\n", answer[0] != '0' ? "" : "# ", answer);
	for (int nr = 0; nr < CALLS_MAX; nr++) {
		explain(prog, len, AUDIT_ARCH_X86_64, nr, &e);
		dump_call(&e, calls, nr, fallback, out);
	}
}
