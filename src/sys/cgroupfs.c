/*
 * cgroupfs.c - find a cgroup by its path, and this process's own
 *
 * A directory that merely looks like a cgroup would be joined by writing into a file of its own, so
 * the type of the file system is asked, and below the mount no symbolic link and no other mount is
 * followed (openat2(2), Linux 5.6).
 */
#include "config.h"

#include "sys/cgroupfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/magic.h>
#include <linux/openat2.h>

#include "sys/fd.h"
#include "sys/readfile.h"

enum {
	PROC_MAX = 1024 * 1024
}; /* of /proc/self/cgroup, /proc/self/mountinfo: hosts with many mounts */

/* --- finding it ------------------------------------------------------------------------------- */

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
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS |
			   RESOLVE_NO_XDEV,
	};
	AUTO_FD top = open(mount, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return top < 0 ? -1 : (int)syscall(SYS_openat2, top, rel, &how, sizeof(how));
}

/*
 * The first prefix of path that is a cgroup file system is its mount. 1, 0 when there is none, -1
 * with errno.
 */
static int find_mount(struct arena *mem, const char *path, struct cgroupfs *ret)
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
 * The mount is named as /proc/self/mountinfo names it: systemd makes /sys/fs/cgroup/cpu a link to
 * cpu,cpuacct, and somebody else's link may lead to a directory below the mount.
 */
int cgroupfs_open(struct arena *mem, const char *path, struct cgroupfs *ret)
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

/* --- where this process is -------------------------------------------------------------------- */

/* The mount's root within its hierarchy, and its options, out of /proc/self/mountinfo. */
static bool mount_details(char *mountinfo, const char *mount, const char **ret_root,
			  const char **ret_options)
{
	char *save = NULL;
	bool found = false;

	for (char *line = strtok_r(mountinfo, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
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
		found = true; /* of mounts over one another the last counts */
	}
	return found;
}

/* Is one of the controllers of a line of /proc/self/cgroup among a mount's options? */
static bool same_hierarchy(char *controllers, const char *options)
{
	char *save = NULL;
	const char *first = strtok_r(controllers, ",", &save);
	const size_t len = first ? strlen(first) : 0;

	for (const char *p = options; first && *p;
	     p += strcspn(p, ",") + (p[strcspn(p, ",")] == ','))
		if (strncmp(p, first, len) == 0 && (p[len] == ',' || p[len] == '\0'))
			return true;
	return false;
}

const char *cgroupfs_own_path(struct arena *mem, const struct cgroupfs *dir)
{
	char *mountinfo = arena_get(mem, PROC_MAX), *cgroup = arena_get(mem, PROC_MAX),
	     *save = NULL;
	const char *root = "/", *options = "";

	if (readfile_kernel("/proc/self/cgroup", cgroup, PROC_MAX) != 0 ||
	    readfile_kernel("/proc/self/mountinfo", mountinfo, PROC_MAX) != 0 ||
	    !mount_details(mountinfo, dir->mount, &root, &options))
		return NULL;
	for (char *line = strtok_r(cgroup, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *controllers = strchr(line, ':'),
		     *path = controllers ? strchr(controllers + 1, ':') : NULL;
		const size_t cut = strcmp(root, "/") == 0 ? 0 : strlen(root);

		if (!path)
			continue;
		*path++ = '\0';
		controllers++;
		if (dir->v2 ? controllers[0] != '\0' : !same_hierarchy(controllers, options))
			continue;
		if (strncmp(path, root, cut) != 0)
			return NULL;
		return path + cut;
	}
	return NULL;
}

bool cgroupfs_is_here(struct arena *mem, const struct cgroupfs *dir, const char *own)
{
	struct stat st;

	return own && stat(arena_printf(mem, "%s%s", dir->mount, own), &st) == 0 &&
	       st.st_dev == dir->st.st_dev && st.st_ino == dir->st.st_ino;
}
