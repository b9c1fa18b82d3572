/* capabilities.h - which capabilities QEMU keeps, and why. Pure. */
#ifndef QH_PLAN_CAPABILITIES_H
#define QH_PLAN_CAPABILITIES_H

#include "plan/plan.h"

/*
 * Decide plan->confine.drop_caps, caps and kept. Netdevs and ids of the plan must be decided. 0, or
 * -1 after a diag.
 */
int capabilities_decide(struct plan *plan, struct arena *mem, struct diags *ds);
/* Warn if QEMU runs as root, in a launch that has no errors. */
void capabilities_warn(const struct plan *plan, struct diags *ds);

#endif
