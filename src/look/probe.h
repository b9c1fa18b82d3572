/*
 * probe.h - gather the facts that a descriptor needs, with stat, rtnetlink and sysfs; opens no
 * device
 */
#ifndef QH_LOOK_PROBE_H
#define QH_LOOK_PROBE_H

#include "desc/descriptor.h"
#include "base/diag.h"
#include "facts/facts.h"

/*
 * qemu: the path of QEMU. *ret lives in mem. Must run while only the caller's descriptors are open,
 * because it finds out which numbers are in use. 0, or -1 if a query itself failed.
 */
int probe_facts(const struct desc *desc, const char *qemu, struct arena *mem, struct facts *ret,
		struct diags *ds);

/* Only what is needed to execute QEMU: its file, and in *ret_self the file of this program. */
void probe_qemu(const char *qemu, struct program *ret, struct facts *ret_self);

/* Forget that /dev/vhost-net looked usable: opening it failed with err. */
void probe_vhost_failed(struct facts *facts, int err);

#endif
