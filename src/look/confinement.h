/* confinement.h - find out what can confine QEMU on this host */
#ifndef QH_LOOK_CONFINEMENT_H
#define QH_LOOK_CONFINEMENT_H

#include "desc/descriptor.h"
#include "facts/facts.h"

/*
 * Whether this process can load filters, the version of Landlock, the bytes of a filter file.
 * Changes nothing.
 */
void confinement_probe(const struct desc *desc, struct arena *mem, struct facts *ret);

#endif
