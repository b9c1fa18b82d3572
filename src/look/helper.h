/* helper.h - examine qemu-bridge-helper and its access list */
#ifndef QH_LOOK_HELPER_H
#define QH_LOOK_HELPER_H

#include "desc/descriptor.h"
#include "facts/facts.h"

/* The helper of a NIC, and what its access list says about the NIC's bridge. */
void helper_probe(const struct nic *nic, struct arena *mem, struct nic_facts *ret);

#endif
