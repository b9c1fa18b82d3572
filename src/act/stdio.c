/*
 * stdio.c - standard streams, and descriptors that were handed to us and not to QEMU
 */
#include "config.h"

#include "act/stdio.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int stdio_open(void)
{
	int closed = 0;

	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		closed |= 1 << fd;
		/* the lowest free number is this one: those below are open */
		if (open("/dev/null", O_RDWR) != fd)
			return -1;
	}
	return closed;
}

static int replace_stdin(const char *path, struct diags *ds)
{
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return diag_add(ds, DIAG_OPEN_FAILED, errno, KEY(NULL, "stdin"), path,
				"it was to be QEMU's standard input");
	if (dup2(fd, 0) < 0)
		err = errno;
	(void)close(fd);
	return err ? diag_add(ds, DIAG_CALL_FAILED, err, KEY(NULL, "stdin"), path, "dup2") : 0;
}

int stdio_input(const struct plan *plan, struct diags *ds)
{
	switch (plan->desc->stdin_from) {
	case STDIN_KEEP:
		return 0;
	case STDIN_NULL:
		return replace_stdin("/dev/null", ds);
	case STDIN_TTY:
		return replace_stdin("/dev/tty", ds);
	}
	return 0;
}

/* A socket is for both directions, and QEMU answers on it; a device has no file to be changed. */
static bool writable_file(int fd)
{
	const int flags = fcntl(fd, F_GETFL);
	struct stat st;

	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(fd, &st) == 0 &&
	       (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode));
}

static int open_for_reading(int fd)
{
	const off_t at = lseek(fd, 0, SEEK_CUR);	/* a pipe has none */
	char self[32];
	int ret;

	(void)snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	ret = open(self, O_RDONLY | O_CLOEXEC | (fcntl(fd, F_GETFL) & O_NONBLOCK));
	if (ret >= 0 && at > 0)
		(void)lseek(ret, at, SEEK_SET);
	return ret;
}

int stdio_read_only(int fd, struct diags *ds)
{
	int again, err;

	if (fd < 0 || !writable_file(fd))
		return 0;
	again = open_for_reading(fd);
	err = again < 0 || dup2(again, fd) < 0 ? errno : 0;
	if (again >= 0)
		(void)close(again);
	if (err == 0)
		return 0;
	(void)diag_add(ds, DIAG_CALL_FAILED, err, NULL, "open",
		       "the launch descriptor's file is open for writing at number %d, and cannot "
		       "be opened again for reading", fd);
	diag_hint(ds, "open it for reading only");
	return -1;
}

static int close_on_exec(int fd, const char *key, struct diags *ds)
{
	if (fd <= STDERR_FILENO || fcntl(fd, F_SETFD, FD_CLOEXEC) == 0)
		return 0;
	return diag_add(ds, DIAG_CALL_FAILED, errno, KEY(KEY(NULL, key), "fd"), "fcntl",
			"descriptor %d is gone", fd);
}

int stdio_close_ours(const struct plan *plan, struct diags *ds)
{
	if (close_on_exec(plan->desc->cgroup_fd, "cgroup", ds) < 0)
		return -1;
	return close_on_exec(plan->desc->report_fd, "report", ds);
}
