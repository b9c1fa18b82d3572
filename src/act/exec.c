/*
 * exec.c - the last steps before QEMU
 *
 * Umask, nice, other limits, working directory, process group, controlling terminal and
 * parent-death signal stay as the manager set them.
 */
#include "config.h"

#include "act/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "desc/cmdline.h"
#include "sys/readfile.h"

int launch_std_fds(void)
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

int launch_limits(const struct plan *plan, struct diags *ds)
{
	const struct rlimit limit = { .rlim_cur = plan->nofile,
				      .rlim_max = plan->facts->nofile_hard };

	/* under a filter it is lowered to this at the end; here it may only grow */
	if (plan->nofile <= plan->facts->nofile_soft || setrlimit(RLIMIT_NOFILE, &limit) == 0)
		return 0;
	return diag_add(ds, DIAG_CALL_FAILED, errno, NULL, "setrlimit",
			"RLIMIT_NOFILE could not be raised to %lu", plan->nofile);
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

/* Bit i - 1: signal i is ignored. All of them when it cannot be known. */
static unsigned long long ignored_signals(void)
{
	char status[4096], *line;

	if (readfile_kernel_once("/proc/self/status", status, sizeof(status)) != 0)
		return ~0ULL;
	line = strstr(status, "\nSigIgn:");
	return line ? strtoull(line + strlen("\nSigIgn:"), NULL, 16) : ~0ULL;
}

/*
 * A blocked SIGTERM outlives exec and makes QEMU unkillable by it; an ignored SIGCHLD makes
 * waitpid() fail. Handlers there are none: exec resets them. SIGKILL, SIGSTOP and the two signals
 * of the C library cannot be set: those errors mean nothing.
 */
void launch_signals(void)
{
	const unsigned long long ignored = ignored_signals();
	sigset_t none;

	for (int sig = 1; sig < _NSIG; sig++)
		if (ignored & 1ULL << (sig - 1))
			(void)signal(sig, SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

int launch_stdin(const struct plan *plan, struct diags *ds)
{
	switch (plan->desc->stdin_from) {
	case STDIN_KEEP:	return 0;
	case STDIN_NULL:	return replace_stdin("/dev/null", ds);
	case STDIN_TTY:		return replace_stdin("/dev/tty", ds);
	}
	return 0;
}

const char *launch_runtime_dir(void)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");

	/* a relative one must be ignored (XDG Base Directory Specification) */
	return dir && dir[0] == '/' ? dir : "/run";
}

static int close_on_exec(int fd, const char *key, struct diags *ds)
{
	if (fd <= STDERR_FILENO || fcntl(fd, F_SETFD, FD_CLOEXEC) == 0)
		return 0;
	return diag_add(ds, DIAG_CALL_FAILED, errno, KEY(KEY(NULL, key), "fd"), "fcntl",
			"descriptor %d is gone", fd);
}

int launch_close_ours(const struct plan *plan, struct diags *ds)
{
	if (close_on_exec(plan->desc->cgroup_fd, "cgroup", ds) < 0)
		return -1;
	return close_on_exec(plan->desc->report_fd, "report", ds);
}

char **launch_environment(char *const *envp, struct arena *mem)
{
	static const char ours[] = "QEMU_HANDOFF_";
	size_t n = 0, kept = 0;
	char **ret;

	while (envp[n])
		n++;
	ret = arena_array(mem, n + 1, sizeof(*ret));
	for (size_t i = 0; i < n; i++)
		if (strncmp(envp[i], ours, sizeof(ours) - 1) != 0)
			ret[kept++] = envp[i];
	return ret;
}

static int exec_failed(const char *qemu, int err, const struct where *at, struct diags *ds)
{
	switch (err) {
	case ENOEXEC:
		return diag_add(ds, DIAG_QEMU_NOT_EXECUTABLE, err, at, qemu,
				"neither a program nor a script with '#!'");
	case ENOENT:
		return diag_add(ds, DIAG_QEMU_NOT_EXECUTABLE, err, at, qemu,
				"it is there, but its interpreter or loader is not");
	case ENOMEM:
	case EAGAIN:
		return diag_add(ds, DIAG_CALL_FAILED, err, at, qemu, "it could not be executed");
	default:
		return diag_add(ds, DIAG_QEMU_NOT_EXECUTABLE, err, at, qemu,
				"it could not be executed");
	}
}

int launch_plain(const char *qemu, char *const *argv, char *const *envp, const struct where *at,
		 struct diags *ds)
{
	(void)execve(qemu, argv, envp);
	return exec_failed(qemu, errno, at, ds);
}

int launch_exec(const struct plan *plan, const struct one_exec *exec, char *const *envp,
		struct diags *ds)
{
	const struct where *at = plan->desc->qemu ? KEY(NULL, "qemu") : NULL;

	if (!plan->confine.filter)
		return launch_plain(plan->qemu, plan->argv, envp, at, ds);
	(void)syscall(SYS_execveat, exec->fd, exec->path, plan->argv, envp, AT_EMPTY_PATH);
	return exec_failed(plan->qemu, errno, at, ds);
}

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

		if (number && qargv_numbers(number, &fd, 1) == 1 &&
		    getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) == 0 && listens)
			return fd;
	}
	return -1;
}

void launch_wait_manager(const struct cmdline *cmdline, struct arena *mem)
{
	struct pollfd monitor = { .fd = monitor_fd(cmdline, mem), .events = POLLIN };

	if (monitor.fd >= 0)
		(void)poll(&monitor, 1, MANAGER_WAIT_MS);
}
