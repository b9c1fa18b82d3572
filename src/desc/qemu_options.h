/* qemu_options.h - a table of QEMU's command-line options. Pure. */
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

/* The releases covered. A build omits the options of libraries that it lacks. */
enum {
	QEMU_IN_OTHERS = 0, /* older, of another architecture, or not listed by -help */
	QEMU_IN_7_2 = 1 << 0,
	QEMU_IN_10_0 = 1 << 1, /* and 11.1 */
	QEMU_IN_ALL = QEMU_IN_7_2 | QEMU_IN_10_0,
};

enum {
	/* the syntax of the value; none of these: a special one */
	QEMU_LIST = 1 << 0,    /* key=value,... */
	QEMU_FILE = 1 << 1,    /* a path, or for disks a block device URI or json: */
	QEMU_CHARDEV = 1 << 2, /* a character device in its short form: tcp:..., file:... */
	QEMU_URI = 1 << 3,     /* the source of a migration */
	QEMU_JSON = 1 << 4,    /* a JSON object is also accepted */
	QEMU_MERGES = 1 << 5,  /* the keys of all uses merge; else each use is separate */
	/* what the option can make QEMU do */
	QEMU_EXECUTES = 1 << 6, /* execute a program */
	QEMU_READS = 1 << 7,    /* open a path to read */
	QEMU_WRITES = 1 << 8,   /* open or create a path to write */
	QEMU_DEVICE = 1 << 9,   /* open a device of the host */
	QEMU_GROUPS = 1 << 10,  /* calls that need an optional group of the filter */
};

struct qemu_option {
	enum qemu_option_id same; /* the option it counts as: for -M it is -machine */
	const char *name;         /* without a dash */
	enum qemu_arity arity;
	const char *first; /* the key of a first word without '=', or NULL */
	unsigned releases, traits;
};

/*
 * The option of that name (without dashes); NULL: QEMU has none, or the option is newer than this
 * table.
 */
const struct qemu_option *qemu_option_find(const char *name);
const struct qemu_option *qemu_option_row(enum qemu_option_id id);

#endif
