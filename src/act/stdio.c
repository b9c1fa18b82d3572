/*
 * stdio.c - standard streams, and descriptors that were handed to us and not to QEMU
 */
#include "config.h"

#include "act/stdio.h"

#include <errno.h>
#include <fcntl.h>
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
