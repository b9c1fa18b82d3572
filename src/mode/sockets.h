/* sockets.h - the socket of a vhost-user backend against the host. Pure. */
#ifndef QH_MODE_SOCKETS_H
#define QH_MODE_SOCKETS_H

#include "base/diag.h"
#include "facts/facts.h"

/*
 * Can QEMU connect to the socket, and does somebody listen? reconnects: it tries until somebody
 * does. 0, or -1 after a diag.
 */
int socket_connects(const struct facts *facts, const struct where *at, const struct spot *sock,
		    bool reconnects, struct diags *ds);
/* Can QEMU make the socket in the directory, and listen on it? 0, or -1 after a diag. */
int socket_listens(const struct facts *facts, const struct where *at, const struct spot *sock,
		   const struct spot *dir, struct diags *ds);

#endif
