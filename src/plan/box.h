/* box.h - the rules of "landlock" as an object, the box. Pure. */
#ifndef QH_PLAN_BOX_H
#define QH_PLAN_BOX_H

#include "base/diag.h"
#include "plan/plan.h"

enum { BOX_UNBOUNDED_MAX = 6 };

/* Where the descriptor asks for it and the kernel has Landlock: plan->confine.box. 0, or -1. */
int box_decide(struct plan *plan, struct diags *ds);
/* What the box does not bound on this kernel, ended by NULL. */
void box_unbounded(const struct plan *plan, const char *ret[BOX_UNBOUNDED_MAX]);
/* "read" */
const char *box_access_name(enum box_access access);

#endif
