/*
 * vhost_users.h - what QEMU's words and a custom netdev serve over vhost-user. Pure.
 */
#ifndef QH_DESC_VHOST_USERS_H
#define QH_DESC_VHOST_USERS_H

#include "desc/descriptor.h"

struct vhost_user {
	const char *what;	/* "-netdev n", "the netdev's text" */
	const struct nic *nic;	/* of a custom netdev; NULL: it is in argv */
	const char *chardev;	/* id; NULL: it needs none */
	bool has_chardev;	/* and argv has it */
	const char *path;	/* of its socket; NULL: it is none with a path */
	bool server;		/* QEMU listens on it */
	bool reconnects;	/* QEMU tries again until somebody listens */
};

/* Fill desc->vhost_users, argv's before those of the descriptor. */
void vhost_users_read(struct desc *desc, struct arena *mem);

#endif
