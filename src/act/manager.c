/*
 * manager.c - a manager that listens for QEMU's monitor, when QEMU does not run
 */
#include "config.h"

#include "act/manager.h"

#include <poll.h>
#include <sys/socket.h>

/* The number of a listening socket that the words hand to QEMU for its monitor, or -1. */
static int monitor_fd(const struct cmdline *cmdline, struct arena *mem)
{
	const struct qemu_args *args = qemu_args_read(cmdline, mem);

	for (struct qemu_arg *arg = qemu_args_first(args, QEMU_OPTION_chardev); arg;
	     arg = qemu_args_after(args, arg)) {
		const struct qopts *opts = qemu_arg_opts(args, arg);
		const char *number = opts ? qopts_get(opts, "fd") : NULL;
		int fd, listens = 0;
		socklen_t len = sizeof(listens);

		if (number && qopts_numbers(number, &fd, 1) == 1 &&
		    getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) == 0 && listens)
			return fd;
	}
	return -1;
}

void manager_wait(const struct cmdline *cmdline, struct arena *mem)
{
	struct pollfd monitor = { .fd = monitor_fd(cmdline, mem), .events = POLLIN };

	if (monitor.fd >= 0)
		(void)poll(&monitor, 1, MANAGER_WAIT_MS);
}
