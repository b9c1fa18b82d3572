/* box.h - find what the box holds: what QEMU needs by itself, and what the descriptor lists */
#ifndef QH_LOOK_BOX_H
#define QH_LOOK_BOX_H

#include "base/mem.h"
#include "desc/descriptor.h"
#include "facts/facts.h"

/* Fills in ret->box. ret->qemu: examined before. Nothing is looked at without a box. */
void box_probe(const struct desc *desc, struct arena *mem, struct facts *ret);

#endif
