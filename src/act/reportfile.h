/* reportfile.h - write the report of a launch where the descriptor wants it */
#ifndef QH_ACT_REPORTFILE_H
#define QH_ACT_REPORTFILE_H

#include "base/diag.h"
#include "desc/descriptor.h"
#include "facts/facts.h"
#include "sys/newfile.h"

/* What was written. */
struct reportfile {
	int fd;			/* the file of a path; -1: there is none */
	struct newfile at;	/* where it is */
};

/* Does the descriptor ask for one? */
static inline bool reportfile_wanted(const struct desc *desc)
{
	return desc->report_path || desc->report_fd >= 0;
}

/*
 * A path is written atomically, mode 0600, in the directory that was checked and over nothing but
 * a file: a reader sees the whole report or none. The file is locked (flock) until this process
 * executes QEMU or ends. A descriptor gets it in one piece, within WRITE_SECONDS. 0 with *ret,
 * close-on-exec; or -1 after a diag, then no file is left.
 */
int reportfile_write(const struct desc *desc, const struct facts *facts, const char *text,
		     struct reportfile *ret, struct diags *ds);
/*
 * Take back a report of a launch that did not come about: remove the file, or where our ids may not
 * do that any more, empty it. A descriptor gets a second object, which says so.
 */
void reportfile_remove(const struct desc *desc, const struct reportfile *file);

#endif
