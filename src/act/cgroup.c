/*
 * cgroup.c - join the cgroups of a plan
 *
 * A process joins by writing "0", never its pid: the pid may belong to another namespace.
 *
 * Never: creates a cgroup, writes a limit, or joins a cgroup that this process is already in (that
 * costs as much as a move: 5.8 ms on a cold kernel).
 */
#include "config.h"

#include "act/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "sys/cgroupfs.h"
#include "sys/fd.h"

static int join_failed(const struct cgroup_facts *c, int err, const char *what, struct diags *ds)
{
	return diag_add(ds, DIAG_CGROUP_FAILED, err, KEY(NULL, "cgroup"), c->path, "%s", what);
}

static int write_procs(int procs, const struct cgroup_facts *c, struct diags *ds)
{
	ssize_t n;

	do
		n = write(procs, "0", 1);
	while (n < 0 && errno == EINTR);
	if (n == 1)
		return 0;
	switch (errno) {
	case EBUSY:
		return join_failed(c, EBUSY,
				   "controllers are enabled for its children, so it accepts no "
				   "process",
				   ds);
	case EOPNOTSUPP:
		return join_failed(c, EOPNOTSUPP, "it is threaded or invalid, so it accepts no "
						  "process", ds);
	case ENOSPC:	return join_failed(c, ENOSPC, "its cpuset has no cpus or no mems", ds);
	case ENODEV:	return join_failed(c, ENODEV, "it was removed", ds);
	case EAGAIN:
		return join_failed(c, EAGAIN, "its pids.max, or that of a cgroup above it, has "
					      "been reached", ds);
	default:	return join_failed(c, errno, "cgroup.procs could not be written", ds);
	}
}

static int join_dir(const struct cgroupfs *dir, int fd, const struct cgroup_facts *c,
		    struct arena *mem, struct diags *ds)
{
	AUTO_FD procs =
		fd >= 0 ? -1 : openat(dir->fd, "cgroup.procs", O_WRONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0 && procs < 0)
		return join_failed(c, errno, "cgroup.procs could not be opened", ds);
	if (write_procs(fd >= 0 ? fd : procs, c, ds) < 0)
		return -1;
	return cgroupfs_is_here(mem, dir, cgroupfs_own_path(mem, dir))
		       ? 0
		       : join_failed(c, 0,
				     "joined, but /proc/self/cgroup does not show it, so it is "
				     "unknown where QEMU would run",
				     ds);
}

static int join(const struct plan *plan, const struct cgroup_facts *c, struct arena *mem,
		struct diags *ds)
{
	struct cgroupfs dir = { .fd = -1 };
	const int found = cgroupfs_open(mem, c->path, &dir);
	int ret;

	if (found > 0)
		ret = join_dir(&dir, plan->desc->cgroup_fd, c, mem, ds);
	else
		ret = join_failed(c, found < 0 ? errno : 0, "it existed when it was checked", ds);
	fd_close(&dir.fd);
	return ret;
}

int cgroup_join(const struct plan *plan, struct arena *mem, struct diags *ds)
{
	for (unsigned i = 0; i < plan->facts->n_cgroups; i++)
		if (!plan->facts->cgroups[i].here &&
		    join(plan, &plan->facts->cgroups[i], mem, ds) < 0)
			return -1;
	return 0;
}
