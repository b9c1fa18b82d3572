/*
 * notify.c - tell the service manager that QEMU is about to run
 *
 * The manager takes "ready" for a guest that runs, so it is said when nothing but the exec itself
 * is left. Later it cannot be said: QEMU knows nothing of it.
 */
#include "config.h"

#include "act/notify.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/str.h"
#include "sys/fd.h"

/* 0 with the address and its length, or an errno. */
static int to_sockaddr(const char *address, struct sockaddr_un *ret, socklen_t *ret_len)
{
	const size_t len = strlen(address);

	*ret = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (address[0] != '/' && address[0] != '@')
		return EAFNOSUPPORT;
	if (len < 2 || len >= sizeof(ret->sun_path))
		return ENAMETOOLONG;
	memcpy(ret->sun_path, address, len);
	if (address[0] == '@')
		ret->sun_path[0] = '\0';
	*ret_len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len +
			       (address[0] == '/'));
	return 0;
}

int notify_open(const char *address, struct diags *ds)
{
	AUTO_FD fd = -1;
	struct sockaddr_un to;
	socklen_t len;
	int err = to_sockaddr(address, &to, &len);

	if (err == 0) {
		fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		if (fd < 0 || connect(fd, (const struct sockaddr *)&to, len) < 0)
			err = errno;
	}
	if (err == 0)
		return fd_take(&fd);
	(void)diag_add(ds, DIAG_NOTIFY_FAILED, err, NULL, "NOTIFY_SOCKET",
		       "the service manager cannot be told that QEMU runs");
	return -1;
}

void notify_ready(const struct plan *plan, int fd)
{
	char text[256] = "";
	struct str s = STR_ON(text);

	if (fd < 0)
		return;
	str_put(&s, "READY=1\nMAINPID=%d\nSTATUS=QEMU runs, descriptors handed over: %u\n",
		(int)getpid(), plan->n_slots);
	/*
	 * nobody is left to tell: the manager's own time limit ends a start that it does not hear
	 * of
	 */
	(void)!write(fd, text, s.len < sizeof(text) ? s.len : sizeof(text) - 1);
}
