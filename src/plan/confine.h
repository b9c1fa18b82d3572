/* confine.h - the rules of "cgroup", "user", "seccomp" and "landlock". Pure. */
#ifndef QH_PLAN_CONFINE_H
#define QH_PLAN_CONFINE_H

#include "plan/plan.h"

/*
 * Decide plan->confine, and refuse what the host cannot do or what QEMU's command line needs and
 * the filter does not allow. argv and nics of the plan are settled. 0, or -1 after a diag.
 */
int confine_rules(struct plan *plan, struct diags *ds);

#endif
