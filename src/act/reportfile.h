/* reportfile.h - write the report of a launch where the descriptor wants it */
#ifndef QH_ACT_REPORTFILE_H
#define QH_ACT_REPORTFILE_H

#include "base/diag.h"
#include "desc/descriptor.h"

/* The file that was written; -1: there is none. */
struct reportfile {
	int fd;
};

/* Does the descriptor ask for one? */
static inline bool reportfile_wanted(const struct desc *desc)
{
	return desc->report_path || desc->report_fd >= 0;
}

/*
 * A path is written atomically, mode 0600: a reader sees the whole report or none. A descriptor
 * gets it in one piece. 0 with *ret, close-on-exec; or -1 after a diag, then no file is left.
 */
int reportfile_write(const struct desc *desc, const char *text, struct arena *mem,
		     struct reportfile *ret, struct diags *ds);
/*
 * Take back a report of a launch that did not come about: remove it, or where our ids may not do
 * that any more, empty it.
 */
void reportfile_remove(const struct desc *desc, const struct reportfile *file);

#endif
