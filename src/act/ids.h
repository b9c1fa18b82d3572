/* ids.h - take the ids that QEMU will run with */
#ifndef QH_ACT_IDS_H
#define QH_ACT_IDS_H

#include "plan/plan.h"

/*
 * Take supplementary groups, gid and uid for good, and empty every capability set; all of it is
 * verified afterwards. The parent-death signal is kept. 0, or -1 after a diag.
 */
int ids_take(const struct plan *plan, struct diags *ds);

#endif
