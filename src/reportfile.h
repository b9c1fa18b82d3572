/* reportfile.h - write the report of a launch where the descriptor wants it */
#ifndef QH_REPORTFILE_H
#define QH_REPORTFILE_H

#include "diag.h"
#include "plan.h"

/*
 * A path is written atomically, mode 0600: a reader sees the whole report or none. A descriptor gets it
 * in one piece. 0, or -1 after a diag; then no file is left.
 */
int reportfile_write(const struct plan *plan, struct arena *mem, struct diags *ds);
/* Take back a report of a launch that did not come about, as far as a path can be taken back. */
void reportfile_remove(const struct plan *plan);

#endif
