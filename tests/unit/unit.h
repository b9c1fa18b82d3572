/*
 * unit.h - what the unit tests share
 *
 * Each row of a table is a test of its own, named by the row: rows begin with their name. Descriptors
 * are written with ' for ", which keeps columns as they are.
 *
 * A program runs all its tests, those that its arguments name (or match, as patterns of the shell),
 * or lists their names: tests/unit/test_plan --list, tests/unit/test_plan 'vhost*'.
 */
#ifndef QH_UNIT_H
#define QH_UNIT_H

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bounds.h"
#include "base/diag.h"
#include "base/mem.h"
#include "base/str.h"

/* Set in each main(): a test that runs out of memory ends its program. */
static jmp_buf unit_oom;

struct unit {
	struct arena mem;
	struct diags ds;
};

static inline void unit_open(struct unit *u)
{
	*u = (struct unit){ .mem = { .oom = &unit_oom } };
	u->ds.mem = &u->mem;
}

static inline void unit_close(struct unit *u)
{
	arena_free(&u->mem);
}

/* The text with ' as ", and the source of what is found in it. */
static inline const char *unit_json(struct unit *u, const char *text)
{
	char *ret = arena_str(&u->mem, text);

	for (char *p = ret; (p = strchr(p, '\''));)
		*p = '"';
	u->ds.source = (struct source){ .name = "stdin", .text = ret };
	return ret;
}

static inline void unit_put_problems(struct str *s, const void *arg)
{
	const struct diags *ds = arg;

	for (unsigned i = 0; i < ds->n; i++) {
		const struct diag *d = &ds->list[i];

		str_put(s, "%s%s %s", i > 0 ? "; " : "", diag_name(d->id), d->path ? d->path : "-");
		if (d->line > 0)
			str_put(s, " %u:%u", d->line, d->column);
	}
}

/* All problems as one text: "code path line:column; code path; ...". */
static inline const char *unit_problems(struct unit *u)
{
	return str_make(&u->mem, unit_put_problems, &u->ds);
}

static inline void unit_put_text(struct str *s, const void *arg)
{
	diag_text(arg, s);
}

/* One problem as people see it. */
static inline const char *unit_text(struct unit *u, unsigned i)
{
	assert_true(i < u->ds.n);
	return str_make(&u->mem, unit_put_text, &u->ds.list[i]);
}

static inline struct CMUnitTest *unit_rows(struct CMUnitTest *next, const void *table, size_t size, size_t n,
					   CMUnitTestFunction fn)
{
	for (size_t i = 0; i < n; i++) {
		const char *row = (const char *)table + i * size;

		*next++ = (struct CMUnitTest){ .name = *(const char *const *)(const void *)row, .test_func = fn,
					       .initial_state = (void *)(uintptr_t)row };
	}
	return next;
}

/* Append one test for each row of a table; gives the place after them. */
#define UNIT_ROWS(next, table, fn) unit_rows(next, table, sizeof((table)[0]), ARRAY_LEN(table), fn)

/* True when no word was given, or one of them is the name or a pattern that matches it. */
static inline bool unit_chosen(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], name) == 0 || fnmatch(argv[i], name, 0) == 0)
			return true;
	return argc < 2;
}

static inline int unit_list(const struct CMUnitTest *tests, size_t n)
{
	for (size_t i = 0; i < n; i++)
		(void)puts(tests[i].name);
	return 0;
}

/* Run the chosen tests; the exit status of the program. Nothing chosen is an error: a name was mistyped. */
static inline int unit_run(const struct CMUnitTest *tests, size_t n, int argc, char **argv)
{
	struct CMUnitTest *chosen;
	size_t count = 0;
	int ret;

	if (argc == 2 && strcmp(argv[1], "--list") == 0)
		return unit_list(tests, n);
	chosen = calloc(n, sizeof(*chosen));
	if (!chosen)
		return 1;
	for (size_t i = 0; i < n; i++)
		if (unit_chosen(tests[i].name, argc, argv))
			chosen[count++] = tests[i];
	if (count == 0)
		(void)fprintf(stderr, "%s: no test has this name (try: %s --list)\n", argv[0], argv[0]);
	ret = count == 0 ? 2 : _cmocka_run_group_tests("tests", chosen, count, NULL, NULL);
	free(chosen);
	return ret;
}

/* The same of an array of tests. */
#define UNIT_RUN(tests, argc, argv) unit_run(tests, ARRAY_LEN(tests), argc, argv)

#endif
