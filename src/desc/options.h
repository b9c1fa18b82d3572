/*
 * options.h - the program's own command-line options, and the variable that replaces them in a
 * drop-in. Pure.
 */
#ifndef QH_DESC_OPTIONS_H
#define QH_DESC_OPTIONS_H

#include <stdbool.h>

#include "base/diag.h"
#include "desc/cmdline.h"

enum input_kind {
	INPUT_STREAM, /* a descriptor: one object is read, what follows is left there */
	INPUT_FILE,   /* a path: the file contains the object only */
	INPUT_INLINE, /* the text itself */
	INPUT_DIR,    /* a directory, from which QEMU's words choose a file: desc/choose.h */
	INPUT_OPENED, /* that file, open for reading: the object is all there is */
};

struct input {
	enum input_kind kind;
	int fd;			/* of INPUT_STREAM and INPUT_OPENED */
	bool was_closed;	/* fd 0 was closed on entry, and is now /dev/null */
	const char *text;	/* the path, or the text itself */
	const char *name;	/* for messages */
	unsigned timeout;	/* seconds that a writer may take in total */
};

/* A plan as a document: for people, for programs, as a shell script. */
enum report_form { REPORT_TEXT, REPORT_JSON, REPORT_SHELL };

enum stop { STOP_NEVER, STOP_CHECK, STOP_HOST, STOP_PLAN };

struct options {
	struct input input;
	enum stop stop;			/* --check, --check=host, --plan */
	enum report_form form;
	bool errors_json;
	bool help, version;
	bool version_json;	/* what this program can read, too */
};

/*
 * Read our options up to the first word that is not one of them, or "--"; the rest is QEMU's and
 * goes to *ret_cmdline. Options cannot be abbreviated, because QEMU has long options too. 0, or -1
 * after a diag.
 */
int options_read(int argc, char **argv, struct options *ret, struct cmdline *ret_cmdline,
		 struct diags *ds);
/*
 * Where a drop-in's descriptor is: "-", "fd:N", an absolute path, that of a directory if it ends in
 * a slash, or the JSON itself. from: what says so, for messages. 0, or -1 after a diag.
 */
int options_source(const char *value, const char *from, struct input *ret, struct diags *ds);

extern const char options_help[];

#endif
