/* statements.h - what was found of a guest, against what was planned, each with its source */
#ifndef QH_CTL_STATEMENTS_H
#define QH_CTL_STATEMENTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/mem.h"

/* UNKNOWN is never good: it could not be read, or nothing says what was planned. */
enum verdict { VERDICT_OK, VERDICT_DIFFERS, VERDICT_UNKNOWN, VERDICT__COUNT };

struct statement {
	struct statement *next;
	enum verdict verdict;
	const char *what, *found, *planned, *source;	/* planned may be NULL */
};

struct statements {
	struct arena *mem;
	struct statement *first, *last;
	unsigned n[VERDICT__COUNT];
	pid_t pid;
	const char *report;	/* the file; NULL: none */
};

/* planned: NULL, if nothing says it. All texts but the format's are kept, not copied. */
void say(struct statements *list, enum verdict verdict, const char *what, const char *source,
	 const char *planned, const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* A table of at most 100 columns, and the document of qemu-handoff-verify.schema.json. */
const char *statements_text(const struct statements *list);
const char *statements_json(const struct statements *list);

#endif
