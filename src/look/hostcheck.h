/*
 * hostcheck.h - what this host has for a launch by these ids; looks only, runs and opens nothing of
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
 * All rows, in a fixed order; they live in mem. qemu: the path a launch would use. Device nodes are
 * only asked for with stat(2) and access(2); files that are read are regular ones.
 */
const struct host_row *hostcheck_rows(const char *qemu, struct arena *mem, unsigned *ret_n);
/* As a table for eyes, or one JSON object a line. */
const char *hostcheck_text(const struct host_row *rows, unsigned n, bool json, struct arena *mem);

#endif
