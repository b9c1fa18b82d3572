/*
 * sendfds.c - sendfds DESCRIPTOR QEMU: open what a descriptor hands over, place nothing, and send it to another process
 *
 * The stages are those of the launcher, up to launch_open(). The other process is this program, executed anew with a
 * socket and nothing else; it prints for each descriptor what the plan calls it and which link or device it finds.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/if_tun.h>

#include "launch.h"

enum { NAME_SIZE = 32, SOCKET_FD = 3 };

struct run {
	struct arena mem;
	jmp_buf oom;
	struct diags ds;
	struct launch launch;
};

union control {
	char buf[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

/* --- the other process ------------------------------------------------------------------------------------- */

static void print_found(const char *name, int fd)
{
	struct ifreq ifr = { 0 };
	struct stat st;

	if (ioctl(fd, TUNGETIFF, &ifr) == 0)
		printf("%s link %.*s\n", name, IFNAMSIZ, ifr.ifr_name);
	else if (fstat(fd, &st) == 0 && S_ISCHR(st.st_mode))
		printf("%s device %u:%u\n", name, major(st.st_rdev), minor(st.st_rdev));
	else
		printf("%s nothing\n", name);
}

static int receive_one(void)
{
	union control control;
	char name[NAME_SIZE] = "";
	struct iovec iov = { .iov_base = name, .iov_len = sizeof(name) - 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf, .msg_controllen = sizeof(control.buf) };
	const ssize_t n = recvmsg(SOCKET_FD, &msg, MSG_CMSG_CLOEXEC);
	const struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&msg) : NULL;
	int fd;

	if (!c || c->cmsg_type != SCM_RIGHTS)
		return -1;
	memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	print_found(name, fd);
	(void)close(fd);
	return 0;
}

static int receive_all(void)
{
	while (receive_one() == 0)
		;
	return fflush(stdout) == 0 ? 0 : 1;
}

/* --- this one ---------------------------------------------------------------------------------------------- */

static int send_one(int socket, const char *name, int fd)
{
	union control control = { 0 };
	struct iovec iov = { .iov_base = (void *)(uintptr_t)name, .iov_len = strlen(name) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf, .msg_controllen = sizeof(control.buf) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	return sendmsg(socket, &msg, MSG_NOSIGNAL) == (ssize_t)iov.iov_len ? 0 : -1;
}

/* Start the other process with the socket as its only descriptor besides 0, 1 and 2. */
static pid_t start_receiver(const char *self, int socket)
{
	const pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (dup2(socket, SOCKET_FD) == SOCKET_FD && fcntl(SOCKET_FD, F_SETFD, 0) == 0)
		(void)execl(self, self, "receive", (char *)NULL);
	_exit(127);
}

/* What is open must close on exec: it is not placed. */
static int send_all(const struct launch *l, int socket)
{
	for (unsigned i = 0; i < l->plan.n_slots; i++) {
		const int fd = l->opened.fds[i];

		if ((fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0) {
			fprintf(stderr, "descriptor %d is inheritable\n", fd);
			return -1;
		}
		if (send_one(socket, slot_kind_name(l->plan.slots[i].kind), fd) < 0)
			return -1;
	}
	return 0;
}

static int hand_over(const struct launch *l, const char *self)
{
	int pair[2], status, sent;
	pid_t pid;

	/* a message is one descriptor and its name */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return 1;
	pid = start_receiver(self, pair[1]);
	(void)close(pair[1]);
	sent = pid > 0 ? send_all(l, pair[0]) : -1;
	(void)close(pair[0]);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	return sent < 0 || status != 0;
}

static int run(struct run *r, char **argv)
{
	const struct input input = { .kind = INPUT_FILE, .text = argv[1], .name = argv[1], .timeout = 5 };

	if (setenv("QEMU_HANDOFF_QEMU", argv[2], 1) < 0)
		return 2;
	if (launch_look(&r->launch, &input) == 0 && launch_decide(&r->launch) == 0 && launch_open(&r->launch) == 0)
		return hand_over(&r->launch, argv[0]);
	for (unsigned i = 0; i < r->ds.n; i++)
		fprintf(stderr, "%s: %s\n", diag_name(r->ds.list[i].id), r->ds.list[i].message);
	return 1;
}

int main(int argc, char **argv)
{
	struct run r = { 0 };

	if (argc == 2 && strcmp(argv[1], "receive") == 0)
		exit(receive_all());
	if (argc != 3)
		exit(2);
	r.mem.oom = &r.oom;
	r.ds.mem = &r.mem;
	r.launch = (struct launch){ .mem = &r.mem, .ds = &r.ds, .cmdline = { .argv0 = argv[0] }, .report.fd = -1 };
	if (setjmp(r.oom) != 0)
		exit(2);
	exit(run(&r, argv));
}
