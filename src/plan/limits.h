/* limits.h - the RLIMIT_NOFILE that a launch gives QEMU. Pure. */
#ifndef QH_PLAN_LIMITS_H
#define QH_PLAN_LIMITS_H

#include "plan/plan.h"

/* One more than the highest number of the plan. */
unsigned long limits_nofile_needed(const struct plan *plan);
/* Decide plan->nofile. Numbers and confinement must be decided. */
unsigned long limits_nofile(const struct plan *plan);

#endif
