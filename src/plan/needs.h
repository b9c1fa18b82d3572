/* needs.h - what QEMU's words need from the filter. Pure. */
#ifndef QH_PLAN_NEEDS_H
#define QH_PLAN_NEEDS_H

#include "plan/plan.h"

/*
 * Find the optional groups that the words and the NICs of the plan need. If the descriptor has no
 * list, they are allowed and recorded in plan->confine.groups and group_why; if it has one, a
 * missing group is an error. Whatever makes QEMU execute a program is always refused. 0, or -1
 * after a diag.
 */
int needs_of_filter(struct plan *plan, struct diags *ds);
/* Is the key of a value this one, or an element of a list of that name ("name.0")? */
bool needs_is_key(const char *key, const char *name);
/* What QEMU would execute for a netdev, as text; NULL: nothing. */
const char *needs_program(const struct qopts *netdev);

#endif
