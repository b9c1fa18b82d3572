/* vhostuser.h - what QEMU's own words must hold when another process serves a NIC. Pure. */
#ifndef QH_PLAN_VHOSTUSER_H
#define QH_PLAN_VHOSTUSER_H

#include "plan/plan.h"

/*
 * For the NICs that are served over vhost-user: the words (of "args" and the caller) must
 * give the guest shared memory and leave our chardev ids alone. Warns where QEMU is known to crash.
 * 0, or -1 after a diag.
 */
int vhostuser_rules(const struct plan *plan, struct diags *ds);

#endif
