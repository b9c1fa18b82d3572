/* passt.h - start passt for the NICs whose plan says so */
#ifndef QH_ACT_PASST_H
#define QH_ACT_PASST_H

#include "act/open.h"

/*
 * Start a passt for each such NIC and wait until it is ready, which it says by going to the
 * background; add what QEMU gets to opened. After the cgroup, which passt inherits, and before a
 * device is opened. Every passt ends when this process does, or QEMU after it. 0, or -1
 * after a diag.
 */
int passt_run(const struct plan *plan, struct opened *opened, struct diags *ds);

#endif
