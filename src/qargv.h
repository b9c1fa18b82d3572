/* qargv.h - reading QEMU's own command line, as far as a plan must agree with it. Pure. */
#ifndef QH_QARGV_H
#define QH_QARGV_H

#include <stdbool.h>

#include "mem.h"
#include "plan.h"

/* One option value, "tap,id=net0,fds=3:4" or its JSON form, as keys and values in their order. */
struct qopts {
	struct qopt { const char *key, *value; } *list;
	unsigned n;
};

/*
 * Read one option value. first: what a first word without '=' stands for ("type", "driver"), or NULL.
 * Commas are undoubled; a word without '=' is "on", "nofoo" is foo "off" (util/qemu-option.c). False
 * when it is JSON that does not parse.
 */
bool qopts_parse(struct arena *mem, const char *text, const char *first, struct qopts *ret);
/* The value of key; NULL when there is none. Of several QEMU takes the last, of "id" the first (opts_parse_id). */
const char *qopts_get(const struct qopts *opts, const char *key);
/* Both in one: the value of key in text. */
const char *qargv_value(struct arena *mem, const char *text, const char *key);
/* "3:4:5" as numbers, at most max; returns how many, 0 when it is not such a list. */
unsigned qargv_numbers(const char *list, int *ret, unsigned max);

/*
 * Walk the words of a command line: the value of the option (-name or --name), one at each call.
 * *pos starts at 0. NULL at the end.
 */
const char *qargv_next(const struct cmdline *cmdline, const char *name, unsigned *pos);
/* Is the option (-name or --name) among the words? */
bool qargv_has(const struct cmdline *cmdline, const char *name);

#endif
