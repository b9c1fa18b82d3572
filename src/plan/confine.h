/* confine.h - the rules for "cgroup", "user", "seccomp" and "landlock". Pure. */
#ifndef QH_PLAN_CONFINE_H
#define QH_PLAN_CONFINE_H

#include "plan/plan.h"

/*
 * Decide plan->confine. Refuse what the host cannot do, and what QEMU's command line needs and the
 * filter does not allow. argv and nics of the plan must be decided. 0, or -1 after a diag.
 */
int confine_rules(struct plan *plan, struct diags *ds);

#endif
