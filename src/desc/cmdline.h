/* cmdline.h - reading QEMU's own command line, as far as a plan must agree with it. Pure. */
#ifndef QH_DESC_CMDLINE_H
#define QH_DESC_CMDLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bounds.h"
#include "base/mem.h"

/* The words that came from the caller: argv[0] for QEMU, and QEMU's arguments. */
struct cmdline {
	const char *argv0;
	char *const *words;
	unsigned n;
};

/* execve() takes char *const argv[] and promises to leave the words alone. */
static inline char *unconst_word(const char *word) { return (char *)(uintptr_t)word; }

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
 * Walk a command line as QEMU does, one option at each call: *ret_name without its dashes, *ret_value the
 * word that belongs to it, NULL when it takes none. *pos starts at 0. Words that are no options (disk
 * images) are passed over. False at the end.
 */
bool qargv_walk(const struct cmdline *cmdline, unsigned *pos, const char **ret_name, const char **ret_value);
/* The value of one option, at each call the next; NULL at the end. */
const char *qargv_next(const struct cmdline *cmdline, const char *name, unsigned *pos);
/* Is the option there? */
bool qargv_has(const struct cmdline *cmdline, const char *name);
/*
 * Will QEMU print something and exit, or run without a machine (-machine none)? Such calls are probes of
 * a manager, and never a launch.
 */
bool qargv_probe(const struct cmdline *cmdline);

#endif
