/*
 * argv_numbers.h - descriptor numbers that the caller's words use, against those of the plan. Pure.
 */
#ifndef QH_PLAN_ARGV_NUMBERS_H
#define QH_PLAN_ARGV_NUMBERS_H

#include "plan/plan.h"

/* Refuse words that would take a descriptor of the plan away from us. 0, or -1 after a diag. */
int argv_numbers_check(const struct plan *plan, struct diags *ds);

#endif
