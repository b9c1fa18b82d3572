/* ids.h - look up the ids that QEMU will run with */
#ifndef QH_LOOK_IDS_H
#define QH_LOOK_IDS_H

#include "desc/descriptor.h"
#include "facts/facts.h"

/*
 * Turn names into numbers with the host's account database. ret->uid, gid and groups must already
 * be set.
 */
void ids_probe(const struct desc *desc, struct arena *mem, struct facts *ret);

#endif
