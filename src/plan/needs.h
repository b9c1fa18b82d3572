/* needs.h - what QEMU's words need of the filter. Pure. */
#ifndef QH_PLAN_NEEDS_H
#define QH_PLAN_NEEDS_H

#include "plan/plan.h"

/*
 * Find the optional groups that the words and the NICs of the plan need. Without a list in the
 * descriptor they are allowed, and plan->confine.groups and group_why say so; with one, what it
 * lacks is refused. What would make QEMU execute a program is always refused. 0, or -1 after a diag.
 */
int needs_of_filter(struct plan *plan, struct diags *ds);

#endif
