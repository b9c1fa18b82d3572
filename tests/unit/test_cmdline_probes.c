/* test_cmdline_probes.c - which command lines of QEMU start no machine: the rows of tests/run/probes */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "unit.h"
#include "desc/cmdline.h"
#include "desc/probe.h"

enum { ROWS_MAX = 256, WORDS_MAX = 16 };

static char rows[ROWS_MAX][256];

static enum probe_kind expected(const char *kind)
{
	static const struct { const char *kind; enum probe_kind probe; } kinds[] = {
		{ "print", PROBE_PRINTS }, { "usage", PROBE_PRINTS }, { "later", PROBE_PRINTS },
		{ "none", PROBE_NO_MACHINE },
		{ "run", PROBE_NONE }, { "wrong", PROBE_NONE }, { "doubt", PROBE_NONE },
	};

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (strcmp(kind, kinds[i].kind) == 0)
			return kinds[i].probe;
	fail_msg("tests/run/probes: '%s' is no kind", kind);
	return PROBE_NONE;
}

static void row(void **state)
{
	char text[sizeof(rows[0])], *words[WORDS_MAX], *save;
	struct cmdline cmdline = { .argv0 = "qemu-system-x86_64", .words = words };
	const char *kind;

	(void)snprintf(text, sizeof(text), "%s", (const char *)*state);
	kind = strtok_r(text, "\t", &save);
	assert_non_null(kind);
	while (cmdline.n < WORDS_MAX && (words[cmdline.n] = strtok_r(NULL, " \n", &save)))
		cmdline.n++;
	assert_in_range(cmdline.n, 1, WORDS_MAX - 1);
	assert_int_equal(probe_of(&cmdline), expected(kind));
}

/* A word without its value, at the end of the line, and no words at all. */
static void ends(void **state)
{
	char device[] = "-device", name[] = "-name", help[] = "-help";
	char *words[] = { name, help, device };

	(void)state;
	assert_false(probe_of(&(struct cmdline){ .words = words, .n = 3 }));
	assert_false(probe_of(&(struct cmdline){ .words = words, .n = 0 }));
	assert_true(probe_of(&(struct cmdline){ .words = words + 1, .n = 1 }));
}

int main(int argc, char **argv)
{
	static struct CMUnitTest tests[ROWS_MAX + 1];
	const char *dir = getenv("SRCDIR");
	char path[4096];
	size_t n = 0;
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/tests/run/probes", dir ? dir : ".");
	f = fopen(path, "r");
	if (!f)
		return 99;
	while (n < ROWS_MAX && fgets(rows[n], sizeof(rows[n]), f)) {
		rows[n][strcspn(rows[n], "\n")] = '\0';
		if (rows[n][0] == '#' || rows[n][0] == '\0')
			continue;
		tests[n] = (struct CMUnitTest){ .name = rows[n], .test_func = row, .initial_state = rows[n] };
		n++;
	}
	(void)fclose(f);
	tests[n] = (struct CMUnitTest)cmocka_unit_test(ends);
	return unit_run(tests, n + 1, argc, argv);
}
