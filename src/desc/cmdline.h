/* cmdline.h - read QEMU's own command line, as far as a plan must agree with it. Pure. */
#ifndef QH_DESC_CMDLINE_H
#define QH_DESC_CMDLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bounds.h"
#include "base/mem.h"
#include "desc/qemu_options.h"

/* The words from the caller: argv[0] for QEMU, and QEMU's arguments. */
struct cmdline {
	const char *argv0;
	char *const *words;
	unsigned n;
	/* where each word is on QEMU's line, -1: in a file; NULL: where it is here */
	const int *places;
};

/* execve() takes char *const argv[] but does not modify the words. */
static inline char *unconst_word(const char *word)
{
	return (char *)(uintptr_t)word;
}

/* One option value, "tap,id=net0,fds=3:4" or its JSON form, as keys and values in order. */
struct qopts {
	struct qopt {
		const char *key, *value;
	} * list;
	unsigned n, room;
};

/*
 * Read one option value. first: the key of a first word without '=' ("type", "driver"), or NULL.
 * Commas are undoubled; a word without '=' is "on", and "nofoo" is foo "off" (util/qemu-option.c).
 * A member of a JSON object gets the key that the other syntax has for it: "file.aio", "list.0".
 * False if it is JSON that does not parse. Time and memory are bounded by the length of text.
 */
bool qopts_parse(struct arena *mem, const char *text, const char *first, struct qopts *ret);
/*
 * The value of key; NULL if there is none. Of several values QEMU uses the last one, but of "id"
 * the first (opts_parse_id).
 */
const char *qopts_get(const struct qopts *opts, const char *key);
/* Both in one step: the value of key in text. */
const char *qopts_value(struct arena *mem, const char *text, const char *key);
/* "3:4:5" as numbers, at most max. Returns how many; 0 if it is not such a list. */
unsigned qopts_numbers(const char *list, int *ret, unsigned max);

/* One option of a command line. */
struct qemu_arg {
	const struct qemu_option *row; /* NULL: the option is not in the table */
	const char *name, *value;      /* name without its dashes; value NULL: there is none */
	unsigned word; /* index of the value on QEMU's line, if there is one */
	bool in_file;  /* it is in a file of -readconfig, and on no line */
	unsigned next; /* index of the next use of the option, plus one; 0: last */
	bool parsed, readable;
	struct qopts opts; /* by qemu_arg_opts() */
};

/*
 * A command line, read once: all rules look up options here, and no value is parsed twice. Words
 * that are not options (disk images) are skipped. The words are not copied.
 */
struct qemu_args {
	struct arena *mem;
	struct qemu_arg *list;
	unsigned n;
	unsigned first[QEMU_OPTION__COUNT], last[QEMU_OPTION__COUNT]; /* plus one; 0: none */
	struct qemu_ids *ids[QEMU_OPTION__COUNT];                     /* by qemu_args_find() */
};

/* args, which come first in QEMU, and the caller's words as one command line. */
struct cmdline cmdline_join(const char *const *args, unsigned n_args, const struct cmdline *cmdline,
			    struct arena *mem);
/*
 * The words as options, one per call: *ret_name without its dashes, and *ret_value, the word that
 * is its value, or NULL. *pos starts at 0. False at the end.
 */
bool cmdline_walk(const struct cmdline *cmdline, unsigned *pos, const char **ret_name,
		const char **ret_value);
/*
 * The same as a row of the table. An option that the table does not have is taken to have a value.
 */
bool qemu_arg_next(const struct cmdline *cmdline, unsigned *pos, struct qemu_arg *ret);
struct qemu_args *qemu_args_read(const struct cmdline *cmdline, struct arena *mem);
/* Is the option there? */
bool qemu_args_has(const struct qemu_args *args, enum qemu_option_id id);
/*
 * The first use of an option, and the next use of the same option; NULL at the end. Uses of -M
 * count as -machine.
 */
struct qemu_arg *qemu_args_first(const struct qemu_args *args, enum qemu_option_id id);
struct qemu_arg *qemu_args_after(const struct qemu_args *args, const struct qemu_arg *arg);
/* The keys and values of one use; NULL: it has no value, or its JSON does not parse. */
const struct qopts *qemu_arg_opts(const struct qemu_args *args, struct qemu_arg *arg);
/*
 * The first use of an option in which key has this value; NULL: none. All calls for one option must
 * use the same key, because they share an index.
 */
const struct qopts *qemu_args_find(struct qemu_args *args, enum qemu_option_id id, const char *key,
				   const char *value);
/* The value of key in an option whose uses merge: the last one counts, as in QEMU. NULL: none. */
const char *qemu_args_last(const struct qemu_args *args, enum qemu_option_id id, const char *key);

#endif
