/* tryport.h - may these ids listen on a port? Nothing stays open. */
#ifndef QH_SYS_TRYPORT_H
#define QH_SYS_TRYPORT_H

#include <stdbool.h>

/* address: numeric; NULL: all. 0, or the errno of bind(2); EINVAL when it is no address. */
int tryport(bool udp, const char *address, unsigned port);

#endif
