/*
 * child.c - run another program
 *
 * The end of the program counts, not the end of its pipe, which a program that goes to the
 * background may keep open. The pipe is always drained, so that a talkative program can end too.
 */
#include "config.h"

#include "sys/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bounds.h"
#include "sys/fd.h"

enum {
	TICK_MS		= 2,	/* between two looks whether it has ended, before Linux 5.3 */
	LAST_READS	= 16,
};

static int prepare_attr(posix_spawnattr_t *attr, bool session)
{
	short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
	sigset_t none, all;
	int err = posix_spawnattr_init(attr);

	(void)sigemptyset(&none);
	(void)sigfillset(&all);
	if (session)
		flags |= POSIX_SPAWN_SETSID;
	err = err ? err : posix_spawnattr_setflags(attr, flags);
	err = err ? err : posix_spawnattr_setsigmask(attr, &none);
	return err ? err : posix_spawnattr_setsigdefault(attr, &all);
}

static int prepare_fds(posix_spawn_file_actions_t *actions, int give, int errors, int cwd)
{
	int err = posix_spawn_file_actions_init(actions);

	if (err == 0 && cwd >= 0)
		err = posix_spawn_file_actions_addfchdir_np(actions, cwd);
	err = err ? err : posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDWR, 0);
	err = err ? err : posix_spawn_file_actions_adddup2(actions, 0, 1);
	err = err ? err : posix_spawn_file_actions_adddup2(actions, errors, 2);
	if (err == 0 && give >= 0)
		err = posix_spawn_file_actions_adddup2(actions, give, CHILD_FD);
	return err ? err
		   : posix_spawn_file_actions_addclosefrom_np(actions,
							      give >= 0 ? CHILD_FD + 1 : CHILD_FD);
}

static int spawn(struct child *c, const struct child_start *how, int errors)
{
	/* copies that no dup2() of the actions can overwrite before their turn */
	AUTO_FD low = fcntl(errors, F_DUPFD_CLOEXEC, CHILD_FD + 1);
	AUTO_FD given = how->give < 0 ? -1 : fcntl(how->give, F_DUPFD_CLOEXEC, CHILD_FD + 1);
	char *const envp[] = { NULL };
	posix_spawn_file_actions_t actions = { 0 };
	posix_spawnattr_t attr = { 0 };
	int err;

	if (low < 0 || (how->give >= 0 && given < 0))
		return errno;
	err = prepare_attr(&attr, how->session);
	err = err ? err : prepare_fds(&actions, given, low, how->cwd);
	err = err ? err : posix_spawn(&c->pid, how->path, &actions, &attr, how->argv, envp);
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)posix_spawnattr_destroy(&attr);
	return err;
}

int child_start(struct child *c, const struct child_start *how)
{
	int pipe[2], err;

	*c = (struct child){ .errors = -1, .deadline = deadline_in(how->seconds * 1000) };
	/*
	 * ours does not block, its does: a program may give up a message that its stderr has no
	 * room for
	 */
	if (pipe2(pipe, O_CLOEXEC) < 0)
		return errno;
	(void)fcntl(pipe[0], F_SETFL, O_NONBLOCK);
	err = spawn(c, how, pipe[1]);
	(void)close(pipe[1]);
	if (err != 0)
		(void)close(pipe[0]);
	else
		c->errors = pipe[0];
	return err;
}

static void listen_to(struct child *c)
{
	char more[512];
	const size_t room = sizeof(c->said) - 1 - c->len;
	const ssize_t n = read(c->errors, room > 0 ? c->said + c->len : more,
			       room > 0 ? room : sizeof(more));

	if (n > 0 && room > 0)
		c->len += (size_t)n;
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		(void)close(c->errors);
		c->errors = -1;
	}
}

void child_wait(struct child *c)
{
	AUTO_FD process = (int)syscall(SYS_pidfd_open, c->pid, 0);
	pid_t pid = 0;

	while (pid == 0 && !c->timed_out) {
		struct pollfd pfd[] = { { .fd = c->errors, .events = POLLIN },
					{ .fd = process, .events = POLLIN } };
		const int left = deadline_left(&c->deadline);

		(void)poll(pfd, ARRAY_LEN(pfd), process < 0 && left > TICK_MS ? TICK_MS : left);
		if (pfd[0].revents)
			listen_to(c);
		do
			pid = waitpid(c->pid, &c->status, WNOHANG);
		while (pid < 0 && errno == EINTR);
		c->timed_out = pid == 0 && left == 0;
	}
	if (pid < 0)
		c->status = -1;		/* it is unknown how it ended: not a success */
	if (c->timed_out) {
		(void)kill(c->pid, SIGKILL);
		while (waitpid(c->pid, &c->status, 0) < 0 && errno == EINTR)
			;
	}
	/*
	 * what it said last is in the pipe still; not without end, because another may hold the
	 * pipe
	 */
	for (unsigned i = 0; c->errors >= 0 && i < LAST_READS; i++)
		listen_to(c);
	fd_close(&c->errors);
	c->errors = -1;
	c->said[c->len] = '\0';
}
