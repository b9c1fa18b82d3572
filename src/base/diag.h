/* diag.h - errors and warnings, collected; only main prints them. Pure. */
#ifndef QH_BASE_DIAG_H
#define QH_BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bounds.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/where.h"

/* Exit statuses before QEMU runs; after that the status is QEMU's own. */
enum {
	EXIT_NONE	= 0,
	EXIT_DESC	= 100,	/* usage or descriptor */
	EXIT_HOST	= 101,	/* device, link, helper, permission: an operator must act */
	EXIT_CALL	= 111,	/* a call failed while acting: a retry may help */
	EXIT_NOEXEC	= 126,	/* QEMU cannot be executed */
	EXIT_NOQEMU	= 127,	/* QEMU not found */
};

enum diag_id {
#define DIAG(id, status, name) DIAG_##id,
#include "base/diag.def"
#undef DIAG
	DIAG__COUNT
};

/* The text that a descriptor was read from, so that messages can give line and column. */
struct source {
	const char *name;		/* "stdin", a file's path, ... */
	const char *text;		/* NUL-terminated */
};

struct diag {
	enum diag_id id;
	int err;			/* errno; 0 if no call failed */
	unsigned line, column;		/* from 1; 0 if the place is not in the text */
	/* any but message may be NULL */
	const char *path;		/* "nics[1].queues" */
	const char *label;		/* how people refer to that place: the NIC's id */
	const char *object, *message, *hint;
};

struct diags {
	struct arena *mem;
	struct source source;
	struct diag list[DIAGS_MAX];
	unsigned n, dropped;
	bool last_dropped;		/* the last one added is not in the list */
	struct {
		const char *text;	/* NULL: none */
		size_t offset;
		unsigned line, column;
	} placed;			/* by diag_place(), the last one */
	/*
	 * Exit status of all together, EXIT_NONE while there are only warnings: the lowest there
	 * is, because the descriptor comes first.
	 */
	int status;
};

/*
 * Add a problem. at: its place in the descriptor, or NULL. object: the path, link or source
 * concerned, or NULL. err: the errno of the call that failed, or 0. Always returns -1, even for a
 * warning. If the list is full, an error replaces the last warning: whatever ends a launch is
 * always reported.
 */
int diag_add(struct diags *ds, enum diag_id id, int err, const struct where *at, const char *object,
	     const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/*
 * What to run or to change because of the last problem added. Does nothing if the list had no room
 * for that problem.
 */
void diag_hint(struct diags *ds, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/*
 * A name or path as one word of a shell, for a hint that is a command: it may hold any character.
 */
const char *diag_word(struct diags *ds, const char *text);

/* Does the list have a problem of this kind? */
bool diag_has(const struct diags *ds, enum diag_id id);
/*
 * The offset in text of the last problem added, for places that are not in the tree. The text
 * stays the caller's and must live as long as the list.
 */
void diag_place(struct diags *ds, const char *text, size_t offset);

/* The stable name; the exit status, 0 for a warning. */
const char *diag_name(enum diag_id id);
int diag_status(enum diag_id id);
/* One line without its newline: as text for people, and as a JSON object. */
void diag_text(const struct diag *d, struct str *s);
/* The same of a program, for a terminal with the sequences of ECMA-48 that colour it. */
void diag_text_by(const char *program, bool colour, const struct diag *d, struct str *s);
void diag_json(const struct diag *d, struct str *s);
/*
 * The line of the text that has a mistake of syntax and, below it, a caret at the place: two lines
 * with their newlines, of at most 80 columns. Nothing for other problems. d: one of the list.
 */
void diag_excerpt(const struct diags *ds, const struct diag *d, struct str *s);

#endif
