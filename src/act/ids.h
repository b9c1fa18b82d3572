/* ids.h - the ids that QEMU is to run with: look them up, take them */
#ifndef QH_ACT_IDS_H
#define QH_ACT_IDS_H

#include "plan/plan.h"

/* Names to numbers, by the host's account database; nothing is changed. */
void ids_probe(const struct desc *desc, struct arena *mem, struct facts *ret);
/*
 * Take them, for good: supplementary groups, gid, uid, and every capability set empty; all of it is
 * looked at again afterwards. The parent-death signal is kept. 0, or -1 after a diag.
 */
int ids_take(const struct plan *plan, struct diags *ds);

#endif
