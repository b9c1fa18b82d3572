/* cgroupfs.h - find a cgroup by its path, and this process's own */
#ifndef QH_SYS_CGROUPFS_H
#define QH_SYS_CGROUPFS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/mem.h"

/* A directory of a cgroup file system, taken apart. */
struct cgroupfs {
	int fd; /* the directory, close-on-exec; -1: not open. The caller closes it. */
	const char *mount;		/* where its file system is mounted */
	const char *rel;		/* from there to it; "." for the mount itself */
	bool v2;
	struct stat st;
};

/* Open the cgroup at path. 1, 0 when path is on no cgroup file system, or -1 with errno. */
int cgroupfs_open(struct arena *mem, const char *path, struct cgroupfs *ret);
/*
 * This process's cgroup in the hierarchy of dir, as a path from the mount on; NULL when it cannot
 * be known.
 */
const char *cgroupfs_own_path(struct arena *mem, const struct cgroupfs *dir);
/* Is own, a path from the mount on (or NULL), this very directory? */
bool cgroupfs_is_here(struct arena *mem, const struct cgroupfs *dir, const char *own);

#endif
