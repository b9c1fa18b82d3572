/*
 * readfile.c - read files as text, and nothing that is not a file
 *
 * O_PATH finds a file without opening it: no driver is asked, nothing is attached or armed. What
 * fstat(2) says of it holds for what /proc/self/fd then opens, whatever happens to the name.
 */
#include "config.h"

#include "sys/readfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "sys/fd.h"

enum { READ_FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };

/* once: a read that gives less than there is room for is the whole file. */
static int read_text(int fd, char *buf, size_t size, bool once)
{
	size_t len = 0;
	ssize_t n;

	do {
		n = read(fd, buf + len, size - 1 - len);
		len += n > 0 ? (size_t)n : 0;
	} while ((n > 0 && len < size - 1 && !once) || (n < 0 && errno == EINTR));
	buf[len] = '\0';
	return n < 0 ? errno : 0;
}

/* Without /proc the name is opened again, and must still lead to what was looked at. */
static int open_again(const char *path, const struct stat *seen)
{
	AUTO_FD fd = open(path, READ_FLAGS);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -1;
	if (st.st_dev == seen->st_dev && st.st_ino == seen->st_ino)
		return fd_take(&fd);
	errno = ESTALE;
	return -1;
}

static int open_found(int found, const char *path, const struct stat *seen)
{
	char self[32];
	int fd;

	(void)snprintf(self, sizeof(self), "/proc/self/fd/%d", found);
	fd = open(self, READ_FLAGS);
	return fd >= 0 || errno != ENOENT ? fd : open_again(path, seen);
}

int readfile_open(const char *path, bool pipe)
{
	const int found = open(path, O_PATH | O_CLOEXEC);
	int fd = -1, err = EINVAL;
	struct stat st;

	if (found < 0)
		return -1;
	if (fstat(found, &st) < 0) {
		err = errno;
	} else if (S_ISREG(st.st_mode) || (pipe && S_ISFIFO(st.st_mode))) {
		fd = open_found(found, path, &st);
		err = errno;
	}
	(void)close(found);
	errno = err;
	return fd;
}

int readfile(const char *path, char *buf, size_t size)
{
	AUTO_FD fd = readfile_open(path, false);

	return fd < 0 ? errno : read_text(fd, buf, size, false);
}

int readfile_kernel(const char *path, char *buf, size_t size)
{
	AUTO_FD fd = open(path, READ_FLAGS);

	return fd < 0 ? errno : read_text(fd, buf, size, false);
}

int readfile_kernel_once(const char *path, char *buf, size_t size)
{
	AUTO_FD fd = open(path, READ_FLAGS);

	return fd < 0 ? errno : read_text(fd, buf, size, true);
}

int readfile_kernel_dir(const char *path)
{
	return open(path, READ_FLAGS | O_DIRECTORY);
}

int readfile_at(int dir, const char *name, char *buf, size_t size)
{
	AUTO_FD fd = openat(dir, name, READ_FLAGS | O_NOFOLLOW);

	return fd < 0 ? errno : read_text(fd, buf, size, true);
}
