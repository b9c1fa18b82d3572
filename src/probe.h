/* probe.h - gather the facts that a descriptor needs, with stat, rtnetlink and sysfs; opens no device */
#ifndef QH_PROBE_H
#define QH_PROBE_H

#include "desc.h"
#include "diag.h"
#include "facts.h"

/*
 * qemu: the path decided on. *ret lives in mem. Must run while nothing is open but what the caller
 * handed us, because it looks which numbers are taken. 0, or -1 when the looking itself failed.
 */
int probe_facts(const struct desc *desc, const char *qemu, struct arena *mem, struct facts *ret, struct diags *ds);

/* Forget that /dev/vhost-net looked usable: opening it ended with err. */
void probe_vhost_failed(struct facts *facts, int err);

#endif
