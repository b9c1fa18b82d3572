/* argv_numbers.h - the caller's words must leave the plan's descriptors alone. Pure. */
#ifndef QH_PLAN_ARGV_NUMBERS_H
#define QH_PLAN_ARGV_NUMBERS_H

#include "plan/plan.h"

/* Refuse words that would close a descriptor of the plan. 0, or -1 after a diag. */
int argv_numbers_check(const struct plan *plan, struct diags *ds);

#endif
