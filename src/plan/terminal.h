/* terminal.h - whether the terminal that QEMU inherits is protected from it. Pure. */
#ifndef QH_PLAN_TERMINAL_H
#define QH_PLAN_TERMINAL_H

#include "plan/plan.h"

/*
 * Decide plan->confine.terminal and filters, and no_new_privs where loading a filter takes it. The
 * other parts of the confinement, capabilities included, are decided. 0, or -1 after a diag.
 */
int terminal_decide(struct plan *plan, struct diags *ds);

/* "none", "protected" or "open". */
const char *terminal_word(const struct plan *plan);

#endif
