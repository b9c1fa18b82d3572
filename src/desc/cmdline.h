/* cmdline.h - reading QEMU's own command line, as far as a plan must agree with it. Pure. */
#ifndef QH_DESC_CMDLINE_H
#define QH_DESC_CMDLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bounds.h"
#include "base/mem.h"
#include "desc/qemu_options.h"

/* The words that came from the caller: argv[0] for QEMU, and QEMU's arguments. */
struct cmdline {
	const char *argv0;
	char *const *words;
	unsigned n;
};

/* execve() takes char *const argv[] and promises to leave the words alone. */
static inline char *unconst_word(const char *word)
{
	return (char *)(uintptr_t)word;
}

/* One option value, "tap,id=net0,fds=3:4" or its JSON form, as keys and values in their order. */
struct qopts {
	struct qopt {
		const char *key, *value;
	} * list;
	unsigned n;
};

/*
 * Read one option value. first: what a first word without '=' stands for ("type", "driver"), or
 * NULL. Commas are undoubled; a word without '=' is "on", "nofoo" is foo "off"
 * (util/qemu-option.c). A member of an object in JSON has the key that QEMU's other form has for
 * it: "file.aio", "list.0". False when it is JSON that does not parse. What it takes is bounded by
 * the length of text.
 */
bool qopts_parse(struct arena *mem, const char *text, const char *first, struct qopts *ret);
/*
 * The value of key; NULL when there is none. Of several QEMU takes the last, of "id" the first
 * (opts_parse_id).
 */
const char *qopts_get(const struct qopts *opts, const char *key);
/* Both in one: the value of key in text. */
const char *qargv_value(struct arena *mem, const char *text, const char *key);
/* "3:4:5" as numbers, at most max; returns how many, 0 when it is not such a list. */
unsigned qargv_numbers(const char *list, int *ret, unsigned max);

/* One option of a command line. */
struct qemu_arg {
	const struct qemu_option *row; /* NULL: an option that the table does not have */
	const char *name, *value;      /* without its dashes; NULL when it has no value */
	unsigned next; /* the next of the same option, plus one; 0: it is the last */
	bool parsed, readable;
	struct qopts opts; /* by qemu_arg_opts() */
};

/*
 * A command line, read once: every rule looks options up here, and no value is parsed twice. Words
 * that are no options (disk images) are passed over. The words stay where they are.
 */
struct qemu_args {
	struct arena *mem;
	struct qemu_arg *list;
	unsigned n;
	unsigned first[QEMU_OPTION__COUNT], last[QEMU_OPTION__COUNT]; /* plus one; 0: none */
	struct qemu_ids *ids[QEMU_OPTION__COUNT];                     /* by qemu_args_find() */
};

/*
 * The words as options, one at each call: *ret_name without its dashes, *ret_value the word that
 * belongs to it or NULL. *pos starts at 0. False at the end.
 */
bool qargv_walk(const struct cmdline *cmdline, unsigned *pos, const char **ret_name,
		const char **ret_value);
/*
 * The same as a row of the table. An option that the table does not have is taken to have a value.
 */
bool qemu_arg_next(const struct cmdline *cmdline, unsigned *pos, struct qemu_arg *ret);
struct qemu_args *qemu_args_read(const struct cmdline *cmdline, struct arena *mem);
/* Is the option there? */
bool qemu_args_has(const struct qemu_args *args, enum qemu_option_id id);
/*
 * The first use of an option, and the use after another; NULL at the end. -machine has those of -M.
 */
struct qemu_arg *qemu_args_first(const struct qemu_args *args, enum qemu_option_id id);
struct qemu_arg *qemu_args_after(const struct qemu_args *args, const struct qemu_arg *arg);
/* The keys and values of a use; NULL: it has no value, or JSON that does not parse. */
const struct qopts *qemu_arg_opts(const struct qemu_args *args, struct qemu_arg *arg);
/*
 * The first use of an option whose value of key is this; NULL: none. All calls for one option have
 * the same key: they share an index.
 */
const struct qopts *qemu_args_find(struct qemu_args *args, enum qemu_option_id id, const char *key,
				   const char *value);
/* The value of key where an option's uses merge: the last one counts, as in QEMU. NULL: none. */
const char *qemu_args_last(const struct qemu_args *args, enum qemu_option_id id, const char *key);

#endif
