/*
 * status.h - /proc/self/status: what the kernel itself says of this process's ids, capabilities and
 * filters
 */
#ifndef QH_SYS_STATUS_H
#define QH_SYS_STATUS_H

#include <stdint.h>
#include <sys/types.h>

struct proc_status {
	unsigned uid[4], gid[4];	/* real, effective, saved, of file systems */
	unsigned n_groups;
	uint64_t inheritable, permitted, effective, bounding, ambient;
	uint64_t ignored;		/* signals: bit n - 1 is signal n */
	unsigned filters; /* seccomp programs; 0 before Linux 5.9, which does not count them */
	unsigned no_new_privs;		/* 0 or 1 */
	/* 2: a program is in force (linux/seccomp.h, SECCOMP_MODE_FILTER) */
	unsigned seccomp;
};

/*
 * /proc/self/status, close-on-exec, or -1. Apart from the reading, because a filter may be in force
 * by then.
 */
int status_open(void);
/* The same of another process. */
int status_open_of(pid_t pid);
/* Read it from its beginning. 0 or an errno; EPROTO: a line is missing. */
int status_read(int fd, struct proc_status *ret);
/*
 * The same without /proc, which may be closed to this process: what system calls tell. Filters and
 * ignored signals stay
 * 0. About a hundred calls; not under a filter. 0 or an errno.
 */
int status_by_calls(struct proc_status *ret);

#endif
