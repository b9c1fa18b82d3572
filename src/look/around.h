/* around.h - look at what stands around this process, where a device is missing or denied */
#ifndef QH_LOOK_AROUND_H
#define QH_LOOK_AROUND_H

#include "desc/descriptor.h"
#include "facts/facts.h"

/* After the nodes have been looked at: fills ret->around, if one of them is in trouble. */
void around_probe(const struct desc *desc, struct arena *mem, struct facts *ret);
/* Does CAP_NET_ADMIN reach this network namespace? Corrects ret->net_admin. */
void around_network(struct arena *mem, struct facts *ret);

#endif
