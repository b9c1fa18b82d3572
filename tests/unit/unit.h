/*
 * unit.h - what the unit tests share
 *
 * Each row of a table is a test of its own, named by the row: rows begin with their name. Descriptors
 * are written with ' for ", which keeps columns as they are.
 */
#ifndef QH_UNIT_H
#define QH_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

/* Append one test for each row of a table; gives the place behind them. */
#define UNIT_ROWS(next, table, fn) unit_rows(next, table, sizeof((table)[0]), ARRAY_LEN(table), fn)

#endif
