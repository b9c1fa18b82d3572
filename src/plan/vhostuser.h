/* vhostuser.h - what QEMU's words must contain if another process serves a NIC. Pure. */
#ifndef QH_PLAN_VHOSTUSER_H
#define QH_PLAN_VHOSTUSER_H

#include "plan/plan.h"

/*
 * For NICs over vhost-user: the words (of "args" and the caller) must give the guest shared memory,
 * and must not use our chardev ids. Warns if QEMU is known to crash. 0, or -1 after a diag.
 */
int vhostuser_rules(const struct plan *plan, struct diags *ds);

#endif
