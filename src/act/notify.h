/* notify.h - tell the service manager that QEMU is about to run (sd_notify(3)) */
#ifndef QH_ACT_NOTIFY_H
#define QH_ACT_NOTIFY_H

#include "plan/plan.h"

/*
 * A socket that is connected to address: an absolute path, or "@name" in the abstract namespace.
 * Close-on-exec. Before a domain and a filter, which may keep it from being reached. -1: after a
 * warning, so that a guest started by hand with a variable that is left over runs all the same.
 */
int notify_open(const char *address, struct diags *ds);
/* READY=1, STATUS= and MAINPID=, as late as can be. One write, which every profile allows. */
void notify_ready(const struct plan *plan, int fd);

#endif
