/* ids.h - take the ids that QEMU is to run with */
#ifndef QH_ACT_IDS_H
#define QH_ACT_IDS_H

#include "plan/plan.h"

/*
 * Take them, for good: supplementary groups, gid, uid, and every capability set empty; all of it is
 * looked at again afterwards. The parent-death signal is kept. 0, or -1 after a diag.
 */
int ids_take(const struct plan *plan, struct diags *ds);

#endif
