/* capnames.h - capabilities by name (linux/capability.h). Pure. */
#ifndef QH_BASE_CAPNAMES_H
#define QH_BASE_CAPNAMES_H

#include <stdint.h>

#define CAP_BIT(cap) (UINT64_C(1) << (cap))

/* "CAP_NET_ADMIN"; NULL for a number that Linux 6.12 does not know. */
const char *capname(unsigned cap);
/* The number of a name, with or without "CAP_", in any case; -1: there is none. */
int capname_find(const char *name);

#endif
