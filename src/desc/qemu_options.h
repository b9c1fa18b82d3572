/* qemu_options.h - what each option of QEMU's command line is. Pure. */
#ifndef QH_DESC_QEMU_OPTIONS_H
#define QH_DESC_QEMU_OPTIONS_H

#include <stdbool.h>

enum qemu_option_id {
#define QEMU_OPTION(id, same, name, arity, first, releases, traits) QEMU_OPTION_##id,
#include "desc/qemu_options.def"
#undef QEMU_OPTION
	QEMU_OPTION__COUNT
};

enum qemu_arity { QEMU_FLAG, QEMU_VALUE };

/* The releases that were looked at. A build leaves out options of libraries that it lacks. */
enum {
	QEMU_IN_OTHERS = 0, /* an older one, another processor's, or one that -help does not list */
	QEMU_IN_7_2 = 1 << 0,
	QEMU_IN_10_0 = 1 << 1, /* and 11.1 */
	QEMU_IN_ALL = QEMU_IN_7_2 | QEMU_IN_10_0,
};

enum {
	/* how the value is written; none of them: a word of its own kind */
	QEMU_LIST = 1 << 0,    /* key=value,... */
	QEMU_FILE = 1 << 1,    /* a path, or for disks a block device URI or json: */
	QEMU_CHARDEV = 1 << 2, /* a character device in its short form: tcp:..., file:... */
	QEMU_URI = 1 << 3,     /* the source of a migration */
	QEMU_JSON = 1 << 4,    /* an object is taken as well */
	QEMU_MERGES = 1 << 5,  /* keys of all uses are one list; else each use stands for itself */
	/* what it can ask of QEMU */
	QEMU_EXECUTES = 1 << 6, /* execute a program */
	QEMU_READS = 1 << 7,    /* open a path to read */
	QEMU_WRITES = 1 << 8,   /* open, or make, a path to write */
	QEMU_DEVICE = 1 << 9,   /* open a device of the host */
	QEMU_GROUPS = 1 << 10,  /* calls that only an optional group of the filter allows */
};

struct qemu_option {
	enum qemu_option_id same; /* the option it is kept under: that of -M is -machine */
	const char *name;         /* without a dash */
	enum qemu_arity arity;
	const char *first; /* the key of a first word without '=', or NULL */
	unsigned releases, traits;
};

/*
 * The option of that name, without its dashes; NULL: QEMU has none, or it is newer than this table.
 */
const struct qemu_option *qemu_option_find(const char *name);
const struct qemu_option *qemu_option_row(enum qemu_option_id id);

#endif
