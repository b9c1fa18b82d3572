/*
 * device.h - the device of a NIC: can the machine hold it, and do its properties fit backend and
 * plan. Pure.
 */
#ifndef QH_PLAN_DEVICE_H
#define QH_PLAN_DEVICE_H

#include "mode/mode.h"

/*
 * *c->plan has queue pairs, vhost and what the backend is. An error is what QEMU refuses, and what
 * it takes and then leaves part of the NIC idle; what it takes and does not do is a warning. 0, or
 * -1 after a diag.
 */
int device_check(const struct nic_case *c);
/* The -device of vsock needs a bus, too: its name on this machine. NULL after a diag. */
const char *device_vsock(const struct desc *desc, const struct facts *facts, struct diags *ds);

#endif
