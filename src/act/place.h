/* place.h - give the opened descriptors the numbers that QEMU is to see */
#ifndef QH_ACT_PLACE_H
#define QH_ACT_PLACE_H

#include "act/open.h"

/*
 * Every slot of the plan must be open. After this the planned numbers are inheritable, and
 * opened->fds are those numbers. No other program may be started from here on but QEMU. 0, or -1
 * after a diag.
 */
int place_slots(const struct plan *plan, struct opened *opened, struct diags *ds);

#endif
