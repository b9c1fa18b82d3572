/*
 * device.h - the device of a NIC: does it fit the machine, and do its properties fit backend and
 * plan? Pure.
 */
#ifndef QH_PLAN_DEVICE_H
#define QH_PLAN_DEVICE_H

#include "mode/mode.h"

/*
 * *c->plan has queue pairs, vhost and the kind of backend. Errors: what QEMU refuses, and what it
 * accepts although part of the NIC then stays idle. Warnings: what QEMU accepts and ignores. 0, or
 * -1 after a diag.
 */
int device_check(const struct nic_case *c);
/* The name of the vsock device on this machine, by its bus. NULL after a diag. */
const char *device_vsock(const struct desc *desc, const struct facts *facts, struct diags *ds);

#endif
