/* limits.h - the limit on descriptors */
#ifndef QH_ACT_LIMITS_H
#define QH_ACT_LIMITS_H

#include "plan/plan.h"

/*
 * Raise the soft limit on descriptors to what the plan needs, before anything is opened. 0, or -1
 * after a diag.
 */
int limits_raise(const struct plan *plan, struct diags *ds);

#endif
