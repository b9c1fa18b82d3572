/*
 * readfile.c - small files as text
 */
#include "config.h"

#include "sys/readfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>

#include "sys/fd.h"

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

int readfile(const char *path, char *buf, size_t size)
{
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? errno : read_text(fd, buf, size, false);
}

int readfile_once(const char *path, char *buf, size_t size)
{
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? errno : read_text(fd, buf, size, true);
}

int readfile_at(int dir, const char *name, char *buf, size_t size)
{
	AUTO_FD fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	return fd < 0 ? errno : read_text(fd, buf, size, true);
}
