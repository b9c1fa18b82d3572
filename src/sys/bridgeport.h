/* bridgeport.h - is a link a port of a bridge of this network namespace? */
#ifndef QH_SYS_BRIDGEPORT_H
#define QH_SYS_BRIDGEPORT_H

#include <stdbool.h>

/* Both by name. 0 or an errno; *ret is written only on success. */
int bridgeport_is(const char *bridge, const char *port, bool *ret);

#endif
