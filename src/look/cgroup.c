/*
 * cgroup.c - examine the cgroups that a descriptor names
 *
 * Never:  makes a cgroup, or writes a file.
 */
#include "config.h"

#include "look/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "sys/cgroupfs.h"
#include "sys/fd.h"
#include "sys/readfile.h"

/* --- its state -------------------------------------------------------------------------------- */

static bool file_says(int dir, const char *name, const char *text)
{
	char buf[4096];

	return readfile_at(dir, name, buf, sizeof(buf)) == 0 && strstr(buf, text);
}

static bool file_empty(int dir, const char *name)
{
	char buf[4096];

	return readfile_at(dir, name, buf, sizeof(buf)) == 0 && (buf[0] == '\0' || buf[0] == '\n');
}

static void probe_state(const struct cgroupfs *dir, struct cgroup_facts *ret)
{
	char type[64];

	if (!dir->v2) {
		ret->frozen = file_says(dir->fd, "freezer.state", "FR"); /* FREEZING, FROZEN */
		ret->empty_cpuset = file_empty(dir->fd, "cpuset.cpus") ||
				    file_empty(dir->fd, "cpuset.mems");
		return;
	}
	ret->frozen = file_says(dir->fd, "cgroup.events", "frozen 1") ||
		      file_says(dir->fd, "cgroup.freeze", "1");
	/* the root has no type, and accepts processes whatever its children have */
	if (readfile_at(dir->fd, "cgroup.type", type, sizeof(type)) != 0)
		return;
	ret->threaded = strcmp(type, "threaded\n") == 0 || strcmp(type, "domain invalid\n") == 0;
	ret->inner = !file_empty(dir->fd, "cgroup.subtree_control");
}

/* The deepest common directory of two paths from the mount. */
static const char *common_ancestor(struct arena *mem, const char *a, const char *b)
{
	size_t i = 0, cut = 0;

	for (; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			cut = i;
	if ((a[i] == '\0' || a[i] == '/') && (b[i] == '\0' || b[i] == '/'))
		cut = i;
	return arena_strn(mem, a, cut);
}

static bool may_write(const char *procs, struct cgroup_facts *ret)
{
	ret->access_err = faccessat(AT_FDCWD, procs, W_OK, AT_EACCESS) < 0 ? errno : 0;
	ret->denied = ret->access_err ? procs : NULL;
	return ret->access_err == 0;
}

/* cgroup v2 requires write access to the cgroup.procs of the common ancestor and of the target. */
static void probe_access(struct arena *mem, const struct cgroupfs *dir, const char *own,
			 struct cgroup_facts *ret)
{
	if (!may_write(arena_printf(mem, "%s/%s/cgroup.procs", dir->mount, dir->rel), ret) ||
	    !dir->v2 || !own)
		return;
	(void)may_write(arena_printf(mem, "%s%s/cgroup.procs", dir->mount,
				     common_ancestor(mem, own, arena_printf(mem, "/%s", dir->rel))),
			ret);
}

/* --- its room for tasks ----------------------------------------------------------------------- */

static bool read_number(int dir, const char *name, unsigned long *ret)
{
	char text[32], *end;

	if (readfile_at(dir, name, text, sizeof(text)) != 0)
		return false;
	*ret = strtoul(text, &end, 10);
	return end > text;				/* not "max" */
}

/* Is path (from the mount on) the cgroup rel, or below it? */
static bool is_in(const char *path, const char *rel)
{
	const size_t len = strlen(rel);

	if (strcmp(rel, ".") == 0)
		return true;
	return path[0] == '/' && strncmp(path + 1, rel, len) == 0 &&
	       (path[1 + len] == '/' || path[1 + len] == '\0');
}

static long room(const struct pids_limit *limit)
{
	return (long)(limit->max - limit->used);
}

/* Each cgroup from the target up to the mount; those above the mount cannot be seen. */
static void probe_pids(struct arena *mem, const struct cgroupfs *dir, const char *own,
		       struct cgroup_facts *ret)
{
	char *rel = arena_str(mem, dir->rel), *slash;
	const char *up = "";

	do {
		struct pids_limit limit = { 0 };

		slash = strrchr(rel, '/');
		if (read_number(dir->fd, arena_printf(mem, "%spids.max", up), &limit.max) &&
		    read_number(dir->fd, arena_printf(mem, "%spids.current", up), &limit.used)) {
			limit.path = arena_printf(mem, "%s/%s/pids.max", dir->mount, rel);
			limit.used -= own && is_in(own, rel) && limit.used > 0;
			if (!ret->pids.path || room(&limit) < room(&ret->pids))
				ret->pids = limit;
		}
		if (slash)
			*slash = '\0';
		up = arena_printf(mem, "../%s", up);
	} while (slash);
}

/* Why this process's own cgroup cannot be read: libvirt's AppArmor profiles hide it. */
static int self_unreadable(void)
{
	char text[2];
	const int err = readfile_kernel("/proc/self/cgroup", text, sizeof(text));

	return err != 0 ? err : readfile_kernel("/proc/self/mountinfo", text, sizeof(text));
}

/* --- the two forms ---------------------------------------------------------------------------- */

/* A new sysfs, as 'ip netns exec' mounts one, covers the cgroups that were mounted on the old. */
static bool hides_cgroups(const char *path)
{
	static const char usual[] = "/sys/fs/cgroup";
	struct statfs fs;

	return strncmp(path, usual, strlen(usual)) == 0 && statfs(usual, &fs) == 0 &&
	       fs.f_type == SYSFS_MAGIC;
}

static void probe_path(struct arena *mem, const char *path, bool by_fd, struct cgroup_facts *ret)
{
	struct cgroupfs dir = { .fd = -1 };
	const int found = cgroupfs_open(mem, path, &dir);

	*ret = (struct cgroup_facts){
		.path = path, .err = found < 0 ? errno : 0, .is_cgroup = found > 0, .v2 = dir.v2
	};
	ret->hidden = ret->err == ENOENT && hides_cgroups(path);
	if (found > 0) {
		const char *own = cgroupfs_own_path(mem, &dir);

		ret->self_err = own ? 0 : self_unreadable();
		ret->here = cgroupfs_is_here(mem, &dir, own);
		probe_state(&dir, ret);
		probe_pids(mem, &dir, own, ret);
		/* the permissions of a descriptor are those of its opener */
		if (!by_fd)
			probe_access(mem, &dir, own, ret);
	}
	fd_close(&dir.fd);
}

/* The directory of an open cgroup.procs, given by its descriptor. NULL with *ret_err. */
static const char *fd_directory(struct arena *mem, int fd, int *ret_err)
{
	char link[4096], *slash;
	const ssize_t n = readlink(arena_printf(mem, "/proc/self/fd/%d", fd), link,
				   sizeof(link) - 1);
	struct stat st, named;

	if (n < 0) {
		*ret_err = errno == ENOENT ? EBADF : errno;
		return NULL;
	}
	link[n] = '\0';
	*ret_err = EINVAL;
	slash = strrchr(link, '/');
	if (!slash || strcmp(slash, "/cgroup.procs") != 0 || fstat(fd, &st) < 0 ||
	    stat(link, &named) < 0 || st.st_dev != named.st_dev || st.st_ino != named.st_ino)
		return NULL;
	*slash = '\0';
	return arena_str(mem, link);
}

static void probe_fd(struct arena *mem, int fd, struct cgroup_facts *ret)
{
	int err = 0;
	const char *path = fd_directory(mem, fd, &err);

	if (path)
		probe_path(mem, path, true, ret);
	else
		*ret = (struct cgroup_facts){ .path = arena_printf(mem, "descriptor %d", fd),
					      .err = err };
}

void cgroup_probe(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	const unsigned n = desc->cgroup_fd >= 0 ? 1 : desc->n_cgroups;
	struct cgroup_facts *list = arena_array(mem, n, sizeof(*list));

	if (desc->cgroup_fd >= 0)
		probe_fd(mem, desc->cgroup_fd, &list[0]);
	for (unsigned i = 0; i < desc->n_cgroups; i++)
		probe_path(mem, desc->cgroups[i], false, &list[i]);
	ret->cgroups = list;
	ret->n_cgroups = n;
}
