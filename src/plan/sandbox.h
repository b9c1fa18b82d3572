/* sandbox.h - QEMU's own filter (-sandbox) must allow what its other words need. Pure. */
#ifndef QH_PLAN_SANDBOX_H
#define QH_PLAN_SANDBOX_H

#include "plan/plan.h"

/* Does a -sandbox among the words set no_new_privs? Each one that is on does. */
bool sandbox_on(const struct plan *plan);
/*
 * Refuse words that QEMU's own filter would make fatal: it is loaded before they take effect. 0, or
 * -1 after a diag.
 */
int sandbox_rules(const struct plan *plan, struct diags *ds);

#endif
