/* passt.h - look at passt: where it is, and whether it knows the options it is started with */
#ifndef QH_LOOK_PASST_H
#define QH_LOOK_PASST_H

#include "base/mem.h"
#include "desc/descriptor.h"
#include "facts/facts.h"

/* Fills in ret->passt, ret->passt_lacks and ret->passt_link_err. Nothing is executed. */
void passt_probe(const struct nic *nic, struct arena *mem, struct nic_facts *ret);

#endif
