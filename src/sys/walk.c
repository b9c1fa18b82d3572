/*
 * walk.c - reach a file step by step, and know of each step what it is before it is used
 */
#include "config.h"

#include "sys/walk.h"

#include <errno.h>
#include <fcntl.h>

#include "sys/fd.h"

_Static_assert(WALK_HERE == AT_FDCWD, "the kernel's number (linux/fcntl.h)");

int walk_step(int dir, const char *name, struct stat *ret)
{
	AUTO_FD fd = openat(dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 || fstat(fd, ret) < 0 ? -1 : fd_take(&fd);
}

int walk_link(int found, char *buf, size_t size)
{
	/* an empty name: the link that the descriptor itself is (Linux 2.6.39) */
	const ssize_t n = readlinkat(found, "", buf, size - 1);

	if (n < 0)
		return errno;
	buf[n] = '\0';
	return 0;
}

int walk_read(int dir, const char *name, const struct stat *seen, struct stat *ret)
{
	AUTO_FD fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 || fstat(fd, ret) < 0)
		return -1;
	if (ret->st_dev == seen->st_dev && ret->st_ino == seen->st_ino)
		return fd_take(&fd);
	errno = ESTALE;
	return -1;
}
