/* capnames.h - capabilities by name (linux/capability.h). Pure. */
#ifndef QH_BASE_CAPNAMES_H
#define QH_BASE_CAPNAMES_H

#include <stdint.h>

#define CAP_BIT(cap) (UINT64_C(1) << (cap))

/* "CAP_NET_ADMIN"; NULL if Linux 6.12 has no capability of that number. */
const char *capname(unsigned cap);
/* The number of a capability; "CAP_" and letter case are optional. -1: no such name. */
int capname_find(const char *name);

#endif
