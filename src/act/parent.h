/* parent.h - QEMU ends when the process that started it does */
#ifndef QH_ACT_PARENT_H
#define QH_ACT_PARENT_H

#include <sys/types.h>

#include "plan/plan.h"

/*
 * Have the kernel send SIGKILL when the parent ends, if the descriptor asks for it. parent: it, as
 * it was at the start. 0, or -1 after a diag: that has ended by now.
 */
int parent_watch(const struct plan *plan, pid_t parent, struct diags *ds);
/* The kernel is asked whether it still does, when the ids are taken. 0, or -1 after a diag. */
int parent_verify(const struct plan *plan, pid_t parent, struct diags *ds);

#endif
