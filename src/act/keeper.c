/*
 * keeper.c - end passt when QEMU exits
 *
 * In vhost-user mode passt listens on a socket with a path and ends after its first client
 * (--one-off). If there is never a client, it listens for ever: because this process was killed, a
 * later step failed, or QEMU did not like another of its words and exited before it connected. In
 * none of these cases is any process of ours left to end it. So one stays: the keeper. It is the
 * parent of passt (as a subreaper, because passt goes to the background), and it waits for the end
 * of a pipe whose other end QEMU inherits: any end of QEMU, also by SIGKILL, and also when it
 * daemonised itself, closes it.
 *
 * The directory does not have to live that long. A socket can be connected to by the magic link of
 * a descriptor, /proc/self/fd/N, as long as somebody holds its inode, whether it has a name or not.
 * So the keeper opens the socket O_PATH, removes it and the directory, and hands the descriptor
 * over: before QEMU is started nothing is left on disk, and no other process can connect.
 *
 * QEMU may run with the same ids. beside.c takes from the keeper what it does not need once passt
 * runs, and nobody may look into it from its beginning: it holds a copy of the launcher's memory.
 *
 * Does:   make a directory of mode 0700 and remove it; start passt and end it.
 * Never:  keep a descriptor of the caller's: who waits for the end of our standard error is not
 * held up. Hand over a socket before it is confined.
 */
#include "config.h"

#include "act/keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seccomp/filter.h"
#include "sys/coverage.h"
#include "sys/deadline.h"
#include "sys/fd.h"
#include "sys/readfile.h"
#include "sys/rights.h"
#include "sys/title.h"

enum {
	LIFELINE_FD	= 3,
	TALK_FD		= FILTER_KEEPER_TALK_FD,
	FREE_FD		= 5,
	MORE_SECONDS	= 5,    /* for all that the keeper does but wait for passt */
	GRACE_MS	= 2000, /* for passt to end by SIGTERM; it needs 1 */
	TICK_MS		= 10,   /* between two looks whether it has, before Linux 5.3 */
};

/* --- the keeper's side ------------------------------------------------------------------------ */

/* The private directory: its parent is held, so that nothing is done by a path. */
struct home {
	int base, fd;
	char name[32];
};

/*
 * Is it a directory that was just created: owned by this user, closed to others, empty? 0 or an
 * errno.
 */
static int home_check(int fd)
{
	struct stat st;
	int copy, err = 0;
	DIR *dir;

	if (fstat(fd, &st) < 0)
		return errno;
	if (st.st_uid != geteuid() || (st.st_mode & 077) != 0)
		return EPERM;
	copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (copy < 0)
		return errno;
	dir = fdopendir(copy);
	if (!dir) {
		err = errno;
		(void)close(copy);
		return err;
	}
	for (const struct dirent *entry; err == 0 && (entry = readdir(dir));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			err = ENOTEMPTY;
	(void)closedir(dir);
	return err;
}

/* The runtime directory is the one that was looked at when the launch was judged. */
static int base_open(const struct keeper_wish *wish, struct home *home)
{
	struct stat st;

	home->base = open(wish->base, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (home->base < 0 || fstat(home->base, &st) < 0)
		return errno;
	return st.st_dev == wish->base_dev && st.st_ino == wish->base_ino ? 0 : ESTALE;
}

static int name_make(struct home *home)
{
	uint64_t random;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		return EIO;
	(void)snprintf(home->name, sizeof(home->name), "qemu-handoff-%016llx",
		       (unsigned long long)random);
	return mkdirat(home->base, home->name, 0700) < 0 ? errno : 0;
}

/*
 * The name could come to mean another directory between mkdirat() and openat(), so what is opened
 * is checked, and what is not ours is left alone.
 */
static int home_make(const struct keeper_wish *wish, struct home *home)
{
	int err;

	*home = (struct home){ .base = -1, .fd = -1 };
	err = base_open(wish, home);
	if (err == 0)
		err = name_make(home);
	if (err != 0)
		return err;
	home->fd = openat(home->base, home->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	err = home->fd < 0 ? errno : home_check(home->fd);
	if (err == 0)
		return 0;
	fd_close(&home->fd);
	home->fd = -1;
	(void)unlinkat(home->base, home->name, AT_REMOVEDIR);
	return err;
}

/* passt of 2025 creates one more socket than it was told to (.repair): everything is removed. */
static void home_remove(struct home *home)
{
	DIR *dir = fdopendir(home->fd);

	for (const struct dirent *entry; dir && (entry = readdir(dir));)
		(void)unlinkat(home->fd, entry->d_name, 0);
	(void)unlinkat(home->base, home->name, AT_REMOVEDIR);
	if (dir)
		(void)closedir(dir);
	home->fd = -1;
}

/*
 * passt's process, from the file that it wrote before it said it was ready; it is our child by
 * then.
 */
static pid_t find_passt(const struct keeper_wish *wish, const struct home *home)
{
	AUTO_FD fd = openat(home->fd, wish->pid, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	char text[32], *end;
	const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	siginfo_t info = { 0 };
	long pid;

	if (n <= 0)
		return -1;
	text[n] = '\0';
	pid = strtol(text, &end, 10);
	if (pid <= 1 || pid > INT32_MAX || (*end != '\0' && *end != '\n') ||
	    waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid != 0) {
		errno = ESRCH;
		return -1;
	}
	return (pid_t)pid;
}

/* QEMU may get different ids before it connects; no other process can reach the socket. */
static int find_socket(const struct keeper_wish *wish, const struct home *home)
{
	int fd = openat(home->fd, wish->socket, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode) &&
	    fchmodat(home->fd, wish->socket, 0666, 0) == 0)
		return fd;
	(void)close(fd);
	errno = ENOTSOCK;
	return -1;
}

static void tell(const struct keeper_result *result, int socket)
{
	/* it is gone; the lifeline shows that too */
	(void)rights_send(TALK_FD, result, sizeof(*result), socket);
}

/* Start passt in the directory; its pid, and *ret_socket, or -1 with *result filled in. */
static pid_t start_passt(const struct keeper_wish *wish, const struct home *home, int *ret_socket,
			 struct keeper_result *result)
{
	const struct child_start how = { .path = wish->program,
					 .argv = wish->argv,
					 .give = -1,
					 .cwd = home->fd,
					 .session = true,
					 .seconds = wish->seconds };
	pid_t pid;

	result->stage = KEEPER_START;
	result->err = child_start(&result->child, &how);
	if (result->err != 0)
		return -1;
	result->stage = KEEPER_PASST;
	child_wait(&result->child);
	if (result->child.timed_out || result->child.status != 0)
		return -1;
	result->stage = KEEPER_FILES;
	pid = find_passt(wish, home);
	*ret_socket = pid > 0 ? find_socket(wish, home) : -1;
	result->err = errno;
	result->pid = pid;
	if (*ret_socket >= 0)
		result->stage = KEEPER_READY;
	return pid;
}

/* --- under the filter of keeper.def: another call than those below kills this process --------- */

/* True when passt has ended. */
static bool ended(pid_t pid)
{
	return waitpid(pid, NULL, WNOHANG) != 0;
}

/*
 * Wait until passt ends, or until no process holds the lifeline. process: passt's pidfd, -1 before
 * Linux 5.3.
 */
static void watch(pid_t pid, int process)
{
	struct pollfd pfd[2] = {
		{ .fd = LIFELINE_FD },		/* a pipe's end is always reported */
		{ .fd = process, .events = POLLIN },
	};

	while (!ended(pid) && (pfd[0].revents & (POLLHUP | POLLERR)) == 0)
		(void)poll(pfd, 2, process < 0 ? 1000 : -1);
}

static void end_passt(pid_t pid, int process)
{
	const struct deadline deadline = deadline_in(GRACE_MS);
	struct pollfd pfd = { .fd = process, .events = POLLIN };

	(void)kill(pid, SIGTERM);
	while (!ended(pid)) {
		const int left = deadline_left(&deadline);

		if (left == 0) {
			(void)kill(pid, SIGKILL);
			return;
		}
		(void)poll(&pfd, 1, process < 0 ? TICK_MS : left);
	}
}

static _Noreturn void hold(pid_t pid, int process, const struct keeper_result *result, int *socket)
{
	tell(result, *socket);
	fd_close(socket);
	(void)close(TALK_FD);
	watch(pid, process);
	if (!ended(pid))
		end_passt(pid, process);
	_exit(0);
}

/* --- before it -------------------------------------------------------------------------------- */

/*
 * Kill all that is left of a passt that failed: what it started is our child by now. Without
 * CONFIG_PROC_CHILDREN there is no list, and what has not been killed yet stays.
 */
static void end_children(void)
{
	char list[256], *at = list;

	if (readfile_kernel("/proc/thread-self/children", list, sizeof(list)) != 0)
		return;
	for (long pid; (pid = strtol(at, &at, 10)) > 1;)
		(void)kill((pid_t)pid, SIGKILL);
}

static void confine(pid_t pid, struct keeper_result *result)
{
	if (beside_confine(pid, &result->fault) == 0)
		return;
	(void)kill(pid, SIGKILL);
	result->stage = KEEPER_CONFINE;
	result->err = result->fault.err;
}

static _Noreturn void keep(const struct keeper_wish *wish)
{
	struct keeper_result result = { .stage = KEEPER_DIR };
	struct home home;
	pid_t pid = -1;
	int socket = -1, process = -1;

	result.err = home_make(wish, &home);
	if (result.err == 0) {
		pid = start_passt(wish, &home, &socket, &result);
		if (result.stage != KEEPER_READY)
			end_children();
		home_remove(&home);
	}
	fd_close(&home.base);
	if (result.stage == KEEPER_READY) {
		process = (int)syscall(SYS_pidfd_open, pid, 0);
		confine(pid, &result);
	}
	if (result.stage == KEEPER_READY)
		hold(pid, process, &result, &socket);
	end_children();
	tell(&result, -1);
	coverage_save();
	_exit(1);
}

/* Nothing of the caller's: signals, session, working directory, descriptors. */
static void detach(int lifeline, int talk)
{
	const int a = fcntl(lifeline, F_DUPFD_CLOEXEC, FREE_FD),
		  b = fcntl(talk, F_DUPFD_CLOEXEC, FREE_FD);
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	/* every signal: the C library keeps two real-time signals for its threads out of any set */
	static const uint64_t all = UINT64_MAX;

	if (a < 0 || b < 0 || null < 0)
		_exit(1);
	for (int fd = 0; fd <= 2; fd++)
		(void)dup2(null, fd);
	if (dup3(a, LIFELINE_FD, O_CLOEXEC) < 0 || dup3(b, TALK_FD, O_CLOEXEC) < 0)
		_exit(1);
	closefrom(FREE_FD);
	for (int sig = 1; sig < _NSIG; sig++)
		(void)signal(sig, SIG_DFL);
	/* SIGTERM for all processes of a unit ends QEMU: then this one has something to do */
	(void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof(all));
	(void)umask(077);
	title_set("passt-keeper");
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || chdir("/") < 0 ||
	    prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		_exit(1);
}

/* --- the launch's side ------------------------------------------------------------------------ */

/*
 * Fork twice, so that the keeper is not our child: QEMU must not find a child that it did not
 * start.
 */
static int fork_keeper(const struct keeper_wish *wish, int lifeline, int talk)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		(void)setsid();
		pid = fork();
		if (pid != 0)
			_exit(pid < 0 ? errno : 0);
		detach(lifeline, talk);
		keep(wish);
	}
	if (pid < 0)
		return errno;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}

/* Its one message, or its end. It kills passt in time itself, unless it is stopped, too. */
static void hear(int talk, unsigned seconds, int *ret_socket, struct keeper_result *ret)
{
	const struct deadline deadline = deadline_in((seconds + MORE_SECONDS) * 1000);
	struct pollfd pfd = { .fd = talk, .events = POLLIN };
	struct keeper_result result = { 0 };
	struct rights rights = { 0 };
	ssize_t n;
	int ready;

	do
		ready = poll(&pfd, 1, deadline_left(&deadline));
	while (ready < 0 && errno == EINTR);
	n = ready > 0 ? rights_receive(talk, &result, sizeof(result), MSG_DONTWAIT, &rights) : -1;
	if (n != (ssize_t)sizeof(result))
		ret->err = ready == 0 ? ETIMEDOUT : n < 0 ? errno : ECHILD;
	else
		*ret = result;
	if (ret->stage == KEEPER_READY && rights.n == 1)
		*ret_socket = fd_take(&rights.fd[0]);
	else if (ret->stage == KEEPER_READY)
		*ret = (struct keeper_result){ .stage = KEEPER_NONE, .err = EMFILE };
	rights_close(&rights);
}

int keeper_run(const struct keeper_wish *wish, int *ret_socket, int *ret_lifeline,
	       struct keeper_result *ret)
{
	int life[2], talk[2], socket = -1;

	*ret = (struct keeper_result){ .stage = KEEPER_NONE };
	if (pipe2(life, O_CLOEXEC) < 0) {
		ret->err = errno;
		return -1;
	}
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, talk) < 0) {
		ret->err = errno;
		(void)close(life[0]);
		(void)close(life[1]);
		return -1;
	}
	ret->err = fork_keeper(wish, life[0], talk[1]);
	(void)close(life[0]);
	(void)close(talk[1]);
	if (ret->err == 0)
		hear(talk[0], wish->seconds, &socket, ret);
	(void)close(talk[0]);
	if (ret->stage != KEEPER_READY) {
		(void)close(life[1]);
		return -1;
	}
	*ret_socket = socket;
	*ret_lifeline = life[1];
	return 0;
}
