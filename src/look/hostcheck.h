/*
 * hostcheck.h - what this host has for a launch by these ids; only looks, and runs or opens none of
 * it
 */
#ifndef QH_LOOK_HOSTCHECK_H
#define QH_LOOK_HOSTCHECK_H

#include <stdbool.h>

#include "base/mem.h"

/* One thing and its state. */
struct host_row {
	const char *what;	/* "/dev/vhost-net", "seccomp" */
	bool ok;		/* usable as it is, by these ids */
	const char *detail;	/* what it is, or what is wrong */
};

/*
 * All rows, in a fixed order; they live in mem. qemu: the path that a launch would use. Device
 * nodes are only examined with stat(2) and access(2); only regular files are read.
 */
const struct host_row *hostcheck_rows(const char *qemu, struct arena *mem, unsigned *ret_n);
/* As a table for people, or as one JSON object per line. */
const char *hostcheck_text(const struct host_row *rows, unsigned n, bool json, struct arena *mem);

#endif
