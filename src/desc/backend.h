/*
 * backend.h - what the value of -netdev says: queue pairs, vhost, descriptors, links. Pure.
 */
#ifndef QH_DESC_BACKEND_H
#define QH_DESC_BACKEND_H

#include <stdbool.h>

#include "base/mem.h"

struct qopts;

/* A backend that serves a count that its text does not say: it asks its device. */
enum { BACKEND_QUEUES_UNKNOWN = 0 };

struct backend {
	const char *type;
	unsigned queues;		/* queue pairs, or BACKEND_QUEUES_UNKNOWN */
	bool has_vhost;			/* the type can have vhost of the kernel */
	bool vhost;			/* and it is on */
	bool opens_vhost;		/* QEMU opens /dev/vhost-net for it */
	bool opens_tap;			/* QEMU opens /dev/net/tun for it */
	bool shares_memory;		/* vhost-user */
	bool long_tx_queue;		/* tx_queue_size may be more than 256 */
	const int *fds, *vhostfds;	/* numbers that it is given */
	unsigned n_fds, n_vhostfds;
	const char *ifname;		/* a TAP, which QEMU makes if it is not there */
	const char *bridge, *helper;	/* reached by a program; helper NULL: QEMU's own */
	const char *node;		/* of a vDPA device that QEMU opens */
	const char *chardev;		/* id of the one it talks through */
	const char *refused;		/* why no QEMU takes the text; NULL: nothing is wrong */
};

/* NULL: the type is missing or is not known here, so nothing can be said of it. */
const struct backend *backend_read(struct arena *mem, const struct qopts *opts);

#endif
