/* want.h - what a launch planned, out of its report */
#ifndef QH_CTL_WANT_H
#define QH_CTL_WANT_H

#include <stdbool.h>
#include <stdint.h>

#include "ctl/ctl.h"

struct want_nic {
	const char *id, *mode;
	unsigned queues;		/* 0: unknown */
	unsigned n_vhostfds;
	int passt_pid;			/* 0: none */
	/* link: NULL if the report has none. node: "major:minor", NULL if it has none. */
	const char *link, *kind, *node;
	unsigned ifindex, master;
};

struct want_fd {
	int fd;
	const char *what, *path;
	unsigned queue;
	const struct want_nic *nic;	/* NULL: not a NIC's */
};

/* Everything lives in the arena. */
struct want {
	const char *qemu, *profile;
	const char **argv;
	unsigned argc;
	struct want_nic *nics;
	unsigned n_nics;
	struct want_fd *fds;
	unsigned n_fds;
	const char **cgroups;
	unsigned n_cgroups;
	bool has_ids, has_caps, no_new_privs, landlock, vsock;
	unsigned uid, gid, n_groups, filters;
	uint64_t caps;
};

/* Read a report of version 1. 0, or -1 after a diag. */
int want_read(struct ctl *ctl, const char *file, struct want *ret);

#endif
