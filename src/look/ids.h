/* ids.h - look up the ids that QEMU is to run with */
#ifndef QH_LOOK_IDS_H
#define QH_LOOK_IDS_H

#include "desc/descriptor.h"
#include "facts/facts.h"

/*
 * Names to numbers, by the host's account database. ret->uid, gid and groups must be there already.
 */
void ids_probe(const struct desc *desc, struct arena *mem, struct facts *ret);

#endif
