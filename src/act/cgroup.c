/*
 * cgroup.c - look at the cgroups of a descriptor, and join them
 *
 * A directory that merely looks like a cgroup would be joined by writing into a file of its own, so the
 * file system's type is asked, and below the mount no symbolic link and no other mount is followed
 * (openat2(2), Linux 5.6). Joining is writing "0", never a pid: the pid may be one of another namespace.
 *
 * Never:  makes a cgroup, writes a limit, or joins where this process is already (that costs as much
 *         as a move: 5.8 ms on a cold kernel).
 */
#include "config.h"

#include "act/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/magic.h>
#include <linux/openat2.h>

#include "sys/fd.h"
#include "sys/readfile.h"

enum { PROC_MAX = 1024 * 1024 };	/* of /proc/self/cgroup, /proc/self/mountinfo: hosts with many mounts */

/* A cgroup directory, taken apart. */
struct place {
	int fd;				/* the directory; -1: not open */
	const char *mount;		/* where its file system is mounted */
	const char *rel;		/* from there to it; "." for the mount itself */
	bool v2;
	struct stat st;
};

/* --- finding it ---------------------------------------------------------------------------------- */

/* Is the path (a prefix of the whole) on a cgroup file system? 1, 0, or -1 with errno. */
static int cgroup_fs(const char *path, bool *ret_v2)
{
	struct statfs fs;

	if (statfs(path, &fs) < 0)
		return -1;
	*ret_v2 = fs.f_type == CGROUP2_SUPER_MAGIC;
	return *ret_v2 || fs.f_type == CGROUP_SUPER_MAGIC;
}

static int open_below(const char *mount, const char *rel)
{
	struct open_how how = {
		.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
	};
	AUTO_FD top = open(mount, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return top < 0 ? -1 : (int)syscall(SYS_openat2, top, rel, &how, sizeof(how));
}

/* The first prefix of path that is a cgroup file system is its mount. 1, 0 when there is none, -1 with errno. */
static int find_mount(struct arena *mem, const char *path, struct place *ret)
{
	const size_t len = strlen(path);

	for (size_t i = 1; i <= len; i++) {
		int found;

		if (path[i] != '/' && path[i] != '\0')
			continue;
		ret->mount = arena_strn(mem, path, i);
		found = cgroup_fs(ret->mount, &ret->v2);
		if (found < 0)
			return -1;
		if (found == 0)
			continue;
		ret->rel = path + i + strspn(path + i, "/");
		ret->rel = ret->rel[0] ? ret->rel : ".";
		return 1;
	}
	return 0;
}

/*
 * The mount by the name that /proc/self/mountinfo has for it: systemd makes /sys/fs/cgroup/cpu a link to
 * cpu,cpuacct. A link of somebody else's may also lead to below the mount. 1, 0 or -1 as above.
 */
static int place_find(struct arena *mem, const char *path, struct place *ret)
{
	int found = find_mount(mem, path, ret);
	char real[PATH_MAX];

	if (found <= 0)
		return found;
	if (!realpath(ret->mount, real))
		return -1;
	if (strcmp(real, ret->mount) != 0)
		found = find_mount(mem, arena_printf(mem, "%s/%s", real, ret->rel), ret);
	if (found <= 0)
		return found;
	ret->fd = open_below(ret->mount, ret->rel);
	return ret->fd < 0 || fstat(ret->fd, &ret->st) < 0 ? -1 : 1;
}

/* --- where we are ---------------------------------------------------------------------------------- */

/* The mount's root within its hierarchy, and its options, out of /proc/self/mountinfo. */
static bool mount_details(char *mountinfo, const char *mount, const char **ret_root, const char **ret_options)
{
	char *save = NULL;
	bool found = false;

	for (char *line = strtok_r(mountinfo, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *words = NULL, *dash = strstr(line, " - "), *options = NULL, *root, *at;

		if (!dash)
			continue;
		*dash = '\0';
		(void)strtok_r(line, " ", &words);			/* mount id */
		(void)strtok_r(NULL, " ", &words);			/* parent */
		(void)strtok_r(NULL, " ", &words);			/* device */
		root = strtok_r(NULL, " ", &words);
		at = strtok_r(NULL, " ", &words);
		if (!root || !at || strcmp(at, mount) != 0)
			continue;
		options = strrchr(dash + 3, ' ');
		*ret_root = root;
		*ret_options = options ? options + 1 : "";
		found = true;						/* of mounts over one another the last counts */
	}
	return found;
}

/* Is one of the controllers of a line of /proc/self/cgroup among a mount's options? */
static bool same_hierarchy(char *controllers, const char *options)
{
	char *save = NULL;
	const char *first = strtok_r(controllers, ",", &save);
	const size_t len = first ? strlen(first) : 0;

	for (const char *p = options; first && *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ','))
		if (strncmp(p, first, len) == 0 && (p[len] == ',' || p[len] == '\0'))
			return true;
	return false;
}

/* This process's path in the hierarchy of place, from the mount on; NULL when it cannot be known. */
static const char *own_path(struct arena *mem, const struct place *place)
{
	char *mountinfo = arena_get(mem, PROC_MAX), *cgroup = arena_get(mem, PROC_MAX), *save = NULL;
	const char *root = "/", *options = "";

	if (readfile("/proc/self/cgroup", cgroup, PROC_MAX) != 0 ||
	    readfile("/proc/self/mountinfo", mountinfo, PROC_MAX) != 0 ||
	    !mount_details(mountinfo, place->mount, &root, &options))
		return NULL;
	for (char *line = strtok_r(cgroup, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
		const size_t cut = strcmp(root, "/") == 0 ? 0 : strlen(root);

		if (!path)
			continue;
		*path++ = '\0';
		controllers++;
		if (place->v2 ? controllers[0] != '\0' : !same_hierarchy(controllers, options))
			continue;
		if (strncmp(path, root, cut) != 0)
			return NULL;
		return path + cut;
	}
	return NULL;
}

static bool is_here(struct arena *mem, const struct place *place, const char *own)
{
	struct stat st;

	return own && stat(arena_printf(mem, "%s%s", place->mount, own), &st) == 0 && st.st_dev == place->st.st_dev &&
	       st.st_ino == place->st.st_ino;
}

/* --- its state ---------------------------------------------------------------------------------------- */

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

static void probe_state(const struct place *place, struct cgroup_facts *ret)
{
	char type[64];

	if (!place->v2) {
		ret->frozen = file_says(place->fd, "freezer.state", "FR");	/* FREEZING, FROZEN */
		ret->empty_cpuset = file_empty(place->fd, "cpuset.cpus") || file_empty(place->fd, "cpuset.mems");
		return;
	}
	ret->frozen = file_says(place->fd, "cgroup.events", "frozen 1") || file_says(place->fd, "cgroup.freeze", "1");
	/* the root has no type, and takes processes whatever its children have */
	if (readfile_at(place->fd, "cgroup.type", type, sizeof(type)) != 0)
		return;
	ret->threaded = strcmp(type, "threaded\n") == 0 || strcmp(type, "domain invalid\n") == 0;
	ret->inner = !file_empty(place->fd, "cgroup.subtree_control");
}

/* The deepest directory that is above both, of two paths from the mount. */
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

/* cgroup v2 wants write access to the common ancestor's cgroup.procs besides the target's. */
static void probe_access(struct arena *mem, const struct place *place, const char *own, struct cgroup_facts *ret)
{
	if (!may_write(arena_printf(mem, "%s/%s/cgroup.procs", place->mount, place->rel), ret) || !place->v2 || !own)
		return;
	(void)may_write(arena_printf(mem, "%s%s/cgroup.procs", place->mount,
				     common_ancestor(mem, own, arena_printf(mem, "/%s", place->rel))), ret);
}

/* --- its room for tasks ------------------------------------------------------------------------------- */

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
	return path[0] == '/' && strncmp(path + 1, rel, len) == 0 && (path[1 + len] == '/' || path[1 + len] == '\0');
}

static long room(const struct pids_limit *limit)
{
	return (long)(limit->max - limit->used);
}

/* Each cgroup from the target up to the mount; what is above the mount cannot be seen. */
static void probe_pids(struct arena *mem, const struct place *place, const char *own, struct cgroup_facts *ret)
{
	char *rel = arena_str(mem, place->rel), *slash;
	const char *up = "";

	do {
		struct pids_limit limit = { 0 };

		slash = strrchr(rel, '/');
		if (read_number(place->fd, arena_printf(mem, "%spids.max", up), &limit.max) &&
		    read_number(place->fd, arena_printf(mem, "%spids.current", up), &limit.used)) {
			limit.path = arena_printf(mem, "%s/%s/pids.max", place->mount, rel);
			limit.used -= own && is_in(own, rel) && limit.used > 0;
			if (!ret->pids.path || room(&limit) < room(&ret->pids))
				ret->pids = limit;
		}
		if (slash)
			*slash = '\0';
		up = arena_printf(mem, "../%s", up);
	} while (slash);
}

/* Where this process is must be known, or a join could not be verified: AppArmor profiles of libvirt hide it. */
static int self_unreadable(void)
{
	char text[2];
	const int err = readfile("/proc/self/cgroup", text, sizeof(text));

	return err != 0 ? err : readfile("/proc/self/mountinfo", text, sizeof(text));
}

/* --- the two forms -------------------------------------------------------------------------------------- */

static void probe_path(struct arena *mem, const char *path, bool by_fd, struct cgroup_facts *ret)
{
	struct place place = { .fd = -1 };
	const int found = place_find(mem, path, &place);

	*ret = (struct cgroup_facts){ .path = path, .err = found < 0 ? errno : 0, .is_cgroup = found > 0, .v2 = place.v2 };
	if (found > 0) {
		const char *own = own_path(mem, &place);

		ret->self_err = own ? 0 : self_unreadable();
		ret->here = is_here(mem, &place, own);
		probe_state(&place, ret);
		probe_pids(mem, &place, own, ret);
		/* permissions of a descriptor are its opener's */
		if (!by_fd)
			probe_access(mem, &place, own, ret);
	}
	fd_close(&place.fd);
}

/* What a descriptor stands for: the directory of an open cgroup.procs. NULL with *ret_err. */
static const char *fd_directory(struct arena *mem, int fd, int *ret_err)
{
	char link[4096], *slash;
	const ssize_t n = readlink(arena_printf(mem, "/proc/self/fd/%d", fd), link, sizeof(link) - 1);
	struct stat st, named;

	if (n < 0) {
		*ret_err = errno == ENOENT ? EBADF : errno;
		return NULL;
	}
	link[n] = '\0';
	*ret_err = EINVAL;
	slash = strrchr(link, '/');
	if (!slash || strcmp(slash, "/cgroup.procs") != 0 || fstat(fd, &st) < 0 || stat(link, &named) < 0 ||
	    st.st_dev != named.st_dev || st.st_ino != named.st_ino)
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
		*ret = (struct cgroup_facts){ .path = arena_printf(mem, "descriptor %d", fd), .err = err };
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

/* --- joining ---------------------------------------------------------------------------------------------- */

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
	case EBUSY:	return join_failed(c, EBUSY, "controllers are enabled for its children: move into a leaf", ds);
	case EOPNOTSUPP: return join_failed(c, EOPNOTSUPP, "threaded, or invalid: it takes no process", ds);
	case ENOSPC:	return join_failed(c, ENOSPC, "its cpuset has no cpus or no mems", ds);
	case ENODEV:	return join_failed(c, ENODEV, "it was removed", ds);
	case EAGAIN:	return join_failed(c, EAGAIN, "pids.max of it, or of one above it, is reached", ds);
	default:	return join_failed(c, errno, "cgroup.procs could not be written", ds);
	}
}

static int join_place(const struct place *place, int fd, const struct cgroup_facts *c, struct arena *mem, struct diags *ds)
{
	AUTO_FD procs = fd >= 0 ? -1 : openat(place->fd, "cgroup.procs", O_WRONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0 && procs < 0)
		return join_failed(c, errno, "cgroup.procs could not be opened", ds);
	if (write_procs(fd >= 0 ? fd : procs, c, ds) < 0)
		return -1;
	return is_here(mem, place, own_path(mem, place)) ? 0 :
	       join_failed(c, 0, "joined, and /proc/self/cgroup does not show it: it is not known where QEMU would run", ds);
}

static int join(const struct plan *plan, const struct cgroup_facts *c, struct arena *mem, struct diags *ds)
{
	struct place place = { .fd = -1 };
	const int found = place_find(mem, c->path, &place);
	int ret;

	if (found > 0)
		ret = join_place(&place, plan->desc->cgroup_fd, c, mem, ds);
	else
		ret = join_failed(c, found < 0 ? errno : 0, "it was there when it was checked", ds);
	fd_close(&place.fd);
	return ret;
}

int cgroup_join(const struct plan *plan, struct arena *mem, struct diags *ds)
{
	for (unsigned i = 0; i < plan->facts->n_cgroups; i++)
		if (!plan->facts->cgroups[i].here && join(plan, &plan->facts->cgroups[i], mem, ds) < 0)
			return -1;
	return 0;
}
