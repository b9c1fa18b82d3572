/*
 * rights.c - descriptors that are passed over a Unix socket (SCM_RIGHTS)
 */
#include "config.h"

#include "sys/rights.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int rights_send(int socket, const void *data, size_t len, int fd)
{
	union { char buf[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control = { 0 };
	struct iovec iov = { .iov_base = (void *)(uintptr_t)data, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (fd >= 0) {
		msg.msg_control = control.buf;
		msg.msg_controllen = sizeof(control.buf);
		control.align = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
						  .cmsg_len = CMSG_LEN(sizeof(fd)) };
		memcpy(CMSG_DATA(&control.align), &fd, sizeof(fd));
	}
	return sendmsg(socket, &msg, MSG_NOSIGNAL) < 0 ? errno : 0;
}

static void add(struct rights *rights, int fd)
{
	if (rights->n < RIGHTS_MAX) {
		rights->fd[rights->n++] = fd;
		return;
	}
	rights->cut = true;
	(void)close(fd);
}

static void add_all(struct rights *rights, struct msghdr *msg)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		const size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < n; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof(fd), sizeof(fd));
			add(rights, fd);
		}
	}
}

ssize_t rights_receive(int socket, void *data, size_t size, int flags, struct rights *rights)
{
	union { char buf[CMSG_SPACE(RIGHTS_MAX * sizeof(int))]; struct cmsghdr align; } control;
	struct iovec iov = { .iov_base = data, .iov_len = size };
	struct msghdr msg;
	ssize_t n;

	do {
		msg = (struct msghdr){ .msg_iov = &iov, .msg_iovlen = 1,
				       .msg_control = control.buf,
				       .msg_controllen = sizeof(control.buf) };
		n = recvmsg(socket, &msg, flags | MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return n;
	add_all(rights, &msg);
	rights->cut |= (msg.msg_flags & (MSG_CTRUNC | MSG_TRUNC)) != 0;
	return n;
}

void rights_close(struct rights *rights)
{
	for (unsigned i = 0; i < rights->n; i++)
		if (rights->fd[i] >= 0)
			(void)close(rights->fd[i]);
	rights->n = 0;
}
