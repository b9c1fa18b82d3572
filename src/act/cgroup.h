/* cgroup.h - join the cgroups of a plan */
#ifndef QH_ACT_CGROUP_H
#define QH_ACT_CGROUP_H

#include "plan/plan.h"

/*
 * Join those that this process is not yet in, and verify in /proc/self/cgroup that it is in them.
 * Call it before any device is opened, so that memory and vhost workers are charged to the guest.
 * 0, or -1 after a diag.
 */
int cgroup_join(const struct plan *plan, struct arena *mem, struct diags *ds);

#endif
