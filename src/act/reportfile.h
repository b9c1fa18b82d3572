/* reportfile.h - write the report of a launch where the descriptor wants it */
#ifndef QH_ACT_REPORTFILE_H
#define QH_ACT_REPORTFILE_H

#include "base/diag.h"
#include "plan/plan.h"

/*
 * A path is written atomically, mode 0600: a reader sees the whole report or none. A descriptor
 * gets it in one piece. 0 with *ret_fd, the file, close-on-exec, or -1 when it is none; or -1 after
 * a diag, then no file is left.
 */
int reportfile_write(const struct plan *plan, struct arena *mem, int *ret_fd, struct diags *ds);
/*
 * Take back a report of a launch that did not come about: remove it, or where our ids may not do
 * that any more, empty it.
 */
void reportfile_remove(const struct plan *plan, int fd);

#endif
