/*
 * files.c - examine device nodes, programs, sockets and directories
 *
 * access(2) is used as well as stat(2): like stat it has no effect on the device, and unlike a
 * comparison of mode bits with our ids it takes account of ACLs and capabilities, so a refusal is
 * certain.
 *
 * Never: opens a device: opening /dev/tapN attaches a queue, and opening /dev/vhost-net loads a
 * module.
 */
#include "config.h"

#include "look/files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "sys/readfile.h"

struct node files_node(const char *path)
{
	struct node ret = { .path = path };
	struct stat st;

	if (stat(path, &st) < 0) {
		ret.err = errno;
		return ret;
	}
	ret.is_chr = S_ISCHR(st.st_mode);
	ret.mode = st.st_mode & 07777;
	ret.uid = st.st_uid;
	ret.gid = st.st_gid;
	ret.major = major(st.st_rdev);
	ret.minor = minor(st.st_rdev);
	ret.fs_major = major(st.st_dev);
	ret.fs_minor = minor(st.st_dev);
	ret.ino = st.st_ino;
	if (ret.is_chr && faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) < 0)
		ret.access_err = errno;
	return ret;
}

bool files_acl(const char *path)
{
	const ssize_t n = getxattr(path, "system.posix_acl_access", NULL, 0);

	return n > 0 || (n < 0 && errno != ENODATA && errno != EOPNOTSUPP);
}

static bool is_script(const char *path)
{
	char start[3];

	return readfile(path, start, sizeof(start)) == 0 && start[0] == '#' && start[1] == '!';
}

struct program files_program(const char *path)
{
	struct program ret = { .path = path };
	struct stat st;

	if (stat(path, &st) < 0) {
		ret.err = errno;
		return ret;
	}
	ret.regular = S_ISREG(st.st_mode);
	ret.setuid_root = (st.st_mode & S_ISUID) && st.st_uid == 0;
	ret.mode = st.st_mode & 07777;
	ret.uid = st.st_uid;
	ret.gid = st.st_gid;
	ret.dev = st.st_dev;
	ret.ino = st.st_ino;
	if (faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0)
		ret.access_err = errno;
	return ret;
}

struct program files_program_text(const char *path)
{
	struct program ret = files_program(path);

	ret.script = ret.regular && is_script(path);
	return ret;
}

struct spot files_target(const char *path)
{
	struct spot ret = { .path = path };
	struct stat st;

	if (lstat(path, &st) < 0)
		ret.err = errno;
	else
		ret.right_kind = S_ISREG(st.st_mode);
	ret.link = ret.err == 0 && S_ISLNK(st.st_mode);
	return ret;
}

struct spot files_spot(const char *path, mode_t want)
{
	struct spot ret = { .path = path };
	struct stat st;

	if (stat(path, &st) < 0) {
		ret.err = errno;
		return ret;
	}
	ret.right_kind = (st.st_mode & S_IFMT) == want;
	ret.dev = st.st_dev;
	ret.ino = st.st_ino;
	if (faccessat(AT_FDCWD, path, want == S_IFDIR ? W_OK | X_OK : W_OK, AT_EACCESS) < 0)
		ret.access_err = errno;
	return ret;
}
