/* passt_listens.h - where passt is to listen on the host, by its own words. Pure. */
#ifndef QH_MODE_PASST_LISTENS_H
#define QH_MODE_PASST_LISTENS_H

#include "mode/mode.h"

/* Of "tcp-ports", "udp-ports" and the same words in "param"; *ret_n of them, which live in mem. */
const struct listen *passt_listens(const struct nic *nic, struct arena *mem, unsigned *ret_n);

#endif
