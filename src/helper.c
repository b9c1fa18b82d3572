/*
 * helper.c - run qemu-bridge-helper
 *
 * The helper gets one end of a socket pair as a descriptor number, an empty environment, /dev/null on
 * 0 and 1 and a pipe on 2, and nothing else of ours or of the caller's. It makes a TAP, puts it into
 * the bridge and sends one byte with one descriptor (qemu-bridge-helper.c, the same from QEMU 7.2 to
 * 11.0). A helper that is not done in time is killed, and always waited for.
 */
#include "config.h"

#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/if_tun.h>

#include "fd.h"
#include "nodes.h"

enum {
	HELPER_SECONDS	= 10,	/* it makes four system calls; a udev rule may hold up one of them */
	HELPER_FD	= 3,	/* where the helper finds its end of the socket */
	STDERR_MAX	= 512,	/* of its messages, the first lines */
};

struct run {
	const struct nic_plan *np;
	struct diags *ds;
	int socket, errors;		/* our ends */
	pid_t pid;
	struct timespec deadline;
	char text[STDERR_MAX];		/* what it wrote to standard error */
	size_t len;
	int received[2];		/* descriptors it sent */
	unsigned n_received, n_messages;
	bool rubbish;			/* a message that is not one zero byte */
	bool timed_out;
	int status;			/* of waitpid */
};

static int failed(const struct run *r, enum diag_id id, int err, const char *what)
{
	return diag_add(r->ds, id, err, KEY(r->np->nic->at, "bridge"), r->np->facts->helper.path, "%s", what);
}

/* --- start -------------------------------------------------------------------------------------------- */

static int actions_init(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attr, int socket, int errors)
{
	sigset_t none, all;
	int err = posix_spawn_file_actions_init(actions);

	if (err != 0)
		return err;
	err = posix_spawnattr_init(attr);
	(void)sigemptyset(&none);
	(void)sigfillset(&all);
	err = err ? err : posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	err = err ? err : posix_spawnattr_setsigmask(attr, &none);
	err = err ? err : posix_spawnattr_setsigdefault(attr, &all);
	err = err ? err : posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDWR, 0);
	err = err ? err : posix_spawn_file_actions_adddup2(actions, 0, 1);
	err = err ? err : posix_spawn_file_actions_adddup2(actions, errors, 2);
	err = err ? err : posix_spawn_file_actions_adddup2(actions, socket, HELPER_FD);
	return err ? err : posix_spawn_file_actions_addclosefrom_np(actions, HELPER_FD + 1);
}

static int spawn(struct run *r, int socket, int errors)
{
	char br[32], fd[16];
	char name[] = "qemu-bridge-helper", vnet[] = "--use-vnet";
	char *argv[] = { name, vnet, fd, br, NULL }, *envp[] = { NULL };
	posix_spawn_file_actions_t actions = { 0 };
	posix_spawnattr_t attr = { 0 };
	int err;

	(void)snprintf(br, sizeof(br), "--br=%s", r->np->nic->bridge);
	(void)snprintf(fd, sizeof(fd), "--fd=%d", HELPER_FD);
	err = actions_init(&actions, &attr, socket, errors);
	err = err ? err : posix_spawn(&r->pid, r->np->facts->helper.path, &actions, &attr, argv, envp);
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)posix_spawnattr_destroy(&attr);
	return err;
}

/* A copy of fd that no adddup2() above can overwrite before its turn. */
static int out_of_the_way(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, HELPER_FD + 1);
}

static int start(struct run *r)
{
	int pair[2], pipe[2], err = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return failed(r, DIAG_CALL_FAILED, errno, "no socket pair for the helper");
	r->socket = pair[0];
	/* ours does not block, theirs does: a program may give up a message that its stderr has no room for */
	if (pipe2(pipe, O_CLOEXEC) < 0 || fcntl(pipe[0], F_SETFL, O_NONBLOCK) < 0) {
		err = errno;
		(void)close(pair[1]);
		return failed(r, DIAG_CALL_FAILED, err, "no pipe for the helper's messages");
	}
	r->errors = pipe[0];
	{
		AUTO_FD theirs = out_of_the_way(pair[1]);
		AUTO_FD errors = out_of_the_way(pipe[1]);

		err = theirs < 0 || errors < 0 ? errno : spawn(r, theirs, errors);
	}
	(void)close(pair[1]);
	(void)close(pipe[1]);
	return err ? failed(r, DIAG_HELPER_FAILED, err, "it could not be started") : 0;
}

/* --- listen ------------------------------------------------------------------------------------------- */

static int milliseconds_left(const struct run *r)
{
	struct timespec now;
	long long left;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	left = (long long)(r->deadline.tv_sec - now.tv_sec) * 1000 + (r->deadline.tv_nsec - now.tv_nsec) / 1000000;
	return left > 0 ? (int)left : 0;
}

/* Keep up to two descriptors, to be able to say that there were too many; the kernel closes the rest. */
static void keep_descriptors(struct run *r, struct msghdr *msg)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		const size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < n; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof(fd), sizeof(fd));
			if (r->n_received < ARRAY_LEN(r->received))
				r->received[r->n_received++] = fd;
			else
				(void)close(fd);
		}
	}
}

/* False at the end of the connection. */
static bool receive(struct run *r)
{
	union { char buf[CMSG_SPACE(2 * sizeof(int))]; struct cmsghdr align; } control;
	char byte[16] = { 1 };
	struct iovec iov = { .iov_base = byte, .iov_len = sizeof(byte) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf,
			      .msg_controllen = sizeof(control.buf) };
	const ssize_t n = recvmsg(r->socket, &msg, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (n == 0)
		return false;
	keep_descriptors(r, &msg);
	r->n_messages++;
	r->rubbish |= n != 1 || byte[0] != 0 || (msg.msg_flags & (MSG_CTRUNC | MSG_TRUNC)) != 0;
	return true;
}

/* False when nobody holds the other end any more. */
static bool listen_errors(struct run *r)
{
	char more[256];
	const bool room = r->len < sizeof(r->text) - 1;
	const ssize_t n = read(r->errors, room ? r->text + r->len : more, room ? sizeof(r->text) - 1 - r->len : sizeof(more));

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	r->len += room ? (size_t)n : 0;
	return n > 0;
}

/*
 * Until the helper has ended or closed both its ends, or time is up. That it has ended must be known by
 * itself: its ends may live on in a child of its, or come back to us as the descriptors that it sends.
 */
static void listen_to(struct run *r)
{
	AUTO_FD process = (int)syscall(SYS_pidfd_open, r->pid, 0);
	struct pollfd pfd[] = { { .fd = r->socket, .events = POLLIN }, { .fd = r->errors, .events = POLLIN },
				{ .fd = process, .events = POLLIN } };
	bool ended = false;		/* what is there already is still read */

	while (pfd[0].fd >= 0 || pfd[1].fd >= 0) {
		const int n = poll(pfd, ARRAY_LEN(pfd), ended ? 0 : milliseconds_left(r));

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0 && ended)
			return;
		if (n <= 0 || milliseconds_left(r) == 0) {
			r->timed_out = true;
			return;
		}
		if (pfd[0].revents && !receive(r))
			pfd[0].fd = -1;
		if (pfd[1].revents && !listen_errors(r))
			pfd[1].fd = -1;
		if (pfd[2].revents) {
			ended = true;
			pfd[2].fd = -1;
		}
	}
}

/* The helper has closed its ends; give it the rest of its time to end, then end it. */
static void reap(struct run *r)
{
	const struct timespec tick = { .tv_nsec = 1000000 };

	while (!r->timed_out) {
		const pid_t pid = waitpid(r->pid, &r->status, WNOHANG);

		if (pid == r->pid)
			return;
		r->timed_out = (pid < 0 && errno != EINTR) || milliseconds_left(r) == 0;
		(void)nanosleep(&tick, NULL);
	}
	(void)kill(r->pid, SIGKILL);
	while (waitpid(r->pid, &r->status, 0) < 0 && errno == EINTR)
		;
}

/* --- judge -------------------------------------------------------------------------------------------- */

static const char *first_line(struct run *r)
{
	r->text[strcspn(r->text, "\n")] = '\0';
	return r->text[0] ? r->text : "it said nothing";
}

static int said(const struct run *r, enum diag_id id, const char *line, const char *how)
{
	return diag_add(r->ds, id, 0, KEY(r->np->nic->at, "bridge"), r->np->facts->helper.path, "%s: %s", how, line);
}

static int judge_exit(struct run *r)
{
	/* a line of the list that it cannot read is named on a line of its own, in front */
	const bool denied = strstr(r->text, "access denied by acl file"), acl = strstr(r->text, "acl file");
	const char *line = first_line(r);
	char how[64];

	if (WIFSIGNALED(r->status)) {
		(void)snprintf(how, sizeof(how), "it was killed by signal %d", WTERMSIG(r->status));
		return said(r, DIAG_HELPER_FAILED, line, how);
	}
	(void)snprintf(how, sizeof(how), "it ended with status %d", WEXITSTATUS(r->status));
	if (denied) {
		(void)said(r, DIAG_ACL_DENIED, line, how);
		diag_hint(r->ds, "allow the bridge '%s' in the helper's access list", r->np->nic->bridge);
		return -1;
	}
	if (acl) {
		(void)said(r, DIAG_ACL_UNREADABLE, line, how);
		diag_hint(r->ds, "make the helper's access list, correct and readable for uid %u", (unsigned)geteuid());
		return -1;
	}
	if (strstr(line, "Operation not permitted")) {
		(void)said(r, DIAG_HELPER_NOT_PRIVILEGED, line, how);
		diag_hint(r->ds, "chmod u+s %s", r->np->facts->helper.path);
		return -1;
	}
	return said(r, DIAG_HELPER_FAILED, line, how);
}

static int judge(struct run *r)
{
	if (r->timed_out)
		return diag_add(r->ds, DIAG_HELPER_TIMEOUT, 0, KEY(r->np->nic->at, "bridge"), r->np->facts->helper.path,
				"not done after %d s, it was killed: %s", HELPER_SECONDS, first_line(r));
	if (!WIFEXITED(r->status) || WEXITSTATUS(r->status) != 0)
		return judge_exit(r);
	if (r->rubbish)
		return failed(r, DIAG_HELPER_PROTOCOL, 0, "it sent something else than one zero byte");
	if (r->n_received != 1 || r->n_messages != 1)
		return diag_add(r->ds, DIAG_HELPER_PROTOCOL, 0, KEY(r->np->nic->at, "bridge"),
				r->np->facts->helper.path, "it sent %u descriptors in %u messages, one in one is right",
				r->n_received, r->n_messages);
	return 0;
}

/* What came must be a TAP as QEMU wants it: the flags are the helper's doing, not ours. */
static int check_tap(const struct run *r, int fd)
{
	const int want = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
	struct ifreq ifr = { 0 };

	if (ioctl(fd, TUNGETIFF, &ifr) < 0)
		return failed(r, DIAG_HELPER_PROTOCOL, errno, "the descriptor it sent is not a TAP");
	if ((ifr.ifr_flags & want) != want)
		return failed(r, DIAG_HELPER_PROTOCOL, 0, "the TAP it sent has no vnet_hdr, or has packet information");
	return 0;
}

/* The descriptor that came, checked and taken out of r; -1 after a diag. */
static int talk(struct run *r)
{
	if (start(r) < 0)
		return -1;
	listen_to(r);
	reap(r);
	return judge(r) < 0 || check_tap(r, r->received[0]) < 0 ? -1 : fd_take(&r->received[0]);
}

static int run_one(const struct plan *plan, const struct slot *slot, struct diags *ds)
{
	struct run r = { .np = &plan->nics[slot->nic], .ds = ds, .socket = -1, .errors = -1, .received = { -1, -1 } };
	int fd;

	(void)clock_gettime(CLOCK_MONOTONIC, &r.deadline);
	r.deadline.tv_sec += HELPER_SECONDS;
	fd = talk(&r);
	/* before the descriptor is placed: one of these may have its number */
	fd_close(&r.received[0]);
	fd_close(&r.received[1]);
	fd_close(&r.socket);
	fd_close(&r.errors);
	return fd < 0 ? -1 : nodes_adopt(plan, slot, fd, ds);
}

int helper_run(const struct plan *plan, struct diags *ds)
{
	for (unsigned i = 0; i < plan->n_slots; i++)
		if (plan->slots[i].what == WHAT_BRIDGE && run_one(plan, &plan->slots[i], ds) < 0)
			return -1;
	return 0;
}
