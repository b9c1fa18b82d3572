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
 * qemu: the path decided on. *ret lives in mem. Must run while nothing is open but what the caller
 * handed us, because it looks which numbers are taken. 0, or -1 when the looking itself failed.
 */
int probe_facts(const struct desc *desc, const char *qemu, struct arena *mem, struct facts *ret,
		struct diags *ds);

/* Only what it takes to execute QEMU: its file, and in *ret_self which file this program is. */
void probe_qemu(const char *qemu, struct program *ret, struct facts *ret_self);

/* Forget that /dev/vhost-net looked usable: opening it ended with err. */
void probe_vhost_failed(struct facts *facts, int err);

#endif
