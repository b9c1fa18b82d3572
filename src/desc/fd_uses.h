/*
 * fd_uses.h - descriptor numbers that QEMU's words and a custom netdev name. Pure.
 *
 * The caller has opened them, and QEMU gets them beside those that are opened here.
 */
#ifndef QH_DESC_FD_USES_H
#define QH_DESC_FD_USES_H

#include "desc/descriptor.h"

struct fd_use {
	int fd;
	const char *what;	/* "fds= of -netdev net1" */
	bool duplicates;	/* -add-fd takes a copy, and closes the number */
	const struct nic *nic;	/* whose numbers they are, by "netdev": "argv"; NULL: none */
	const struct where *at;	/* in the descriptor; NULL: it is in argv */
};

/* Fill desc->fd_uses, in the order of the words. */
void fd_uses_read(struct desc *desc, struct arena *mem);

#endif
