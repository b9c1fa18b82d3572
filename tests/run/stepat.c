/*
 * stepat.c - a launch, made again and again, with one thing going wrong at one system call
 *
 *	stepat [OPTION]... MODE -- COMMAND...
 *
 * The command (qemu-handoff) is run once to learn its calls up to the exec of QEMU; a child that it starts
 * is followed up to its own exec. Then it is run once for each trial:
 *
 *	list		only say which calls there are
 *	fail		each call with each errno that its manual page has for it
 *	signal NUMBER	the signal comes at each call
 *	run COMMAND	the shell command is run at each call, while the launch stands still (-x undoes it)
 *	limit WHAT	with RLIMIT_WHAT (nofile, as, fsize) at -f FIRST, then -b BY more, up to -t TO
 *
 * What must hold afterwards: no process is left, the directory and the links are as before; and either
 * QEMU did not run, the exit status is a documented one, and a message names what it is about, or QEMU ran
 * and has what it has when nothing goes wrong, or what the report says that it has.
 *
 *	-i FILE		standard input
 *	-d DIRECTORY	must hold the same names afterwards; the launch may write its report REPORT there
 *	-n		the links of this network namespace must be as before
 *	-x COMMAND	shell command after each trial
 *	-q WHAT		only calls after the first one that names this path, or has this name
 *	-e N		only the first N errnos of each call
 *	-u PATH		QEMU may not run when the swap came before the last call that names this path
 *	-N		other names of the right devices are right
 *	-R		the report may stay although QEMU does not run, but empty
 *	-v		one line for each trial
 *
 * Nothing of this needs a hook in the program: it is ptrace(2).
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/netlink.h>
#include <linux/ptrace.h>
#include <linux/rtnetlink.h>

#include <cjson/cJSON.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

enum {
	PROCS_MAX	= 8,		/* processes of one launch */
	NUMBERS_MAX	= 512,		/* system call numbers */
	TRIES		= 5,		/* for a call that is not always made */
	CALLS_MAX	= 4096,		/* calls of one launch */
	OUT_MAX		= 256 * 1024,	/* of each stream */
	LEFT_SECONDS	= 5,		/* a helper that lost its parent ends by itself in milliseconds */
};

/* --- system calls --------------------------------------------------------------------------------------- */

/* Calls, where their path is, and what their manual pages say they fail with. */
static const struct call_kind {
	long nr;
	const char *name;
	int path;			/* argument that is a path; -1: none */
	int errors[14];
} kinds[] = {
#define KIND(name, path, ...) { SYS_##name, #name, path, { __VA_ARGS__ } }
	KIND(openat, 1, EACCES, EPERM, ENOENT, ENOTDIR, ELOOP, EMFILE, ENFILE, ENOMEM, ENXIO, ENODEV, EBUSY, EINTR, EIO, EROFS),
	KIND(openat2, 1, EACCES, ENOENT, ELOOP, EXDEV, EAGAIN, ENOSYS, EMFILE, ENFILE, ENOMEM),
	KIND(read, -1, EIO, EINTR, EAGAIN, EBADF, EISDIR),
	KIND(pread64, -1, EIO, EINTR, ESPIPE, EBADF),
	KIND(write, -1, EIO, EINTR, ENOSPC, EPIPE, EDQUOT, EBUSY, ENODEV, EACCES, EPERM),
	KIND(close, -1, EIO, EINTR),
	KIND(newfstatat, 1, EACCES, ENOENT, ENOTDIR, ELOOP, ENOMEM, EOVERFLOW, EBADF),
	KIND(fstat, -1, EBADF, ENOMEM, EOVERFLOW),
	KIND(statx, 1, EACCES, ENOENT, ENOTDIR, ELOOP, ENOMEM),
	KIND(statfs, 0, EACCES, ENOENT, EIO, EINTR, ENOSYS, ENOMEM),
	KIND(faccessat2, 1, EACCES, ENOENT, EROFS, EIO, ENOMEM, EPERM, ENOSYS),
	KIND(faccessat, 1, EACCES, ENOENT, EROFS, EIO, ENOMEM),
	KIND(access, 0, EACCES, ENOENT, EIO),
	KIND(readlink, 0, EACCES, ENOENT, EINVAL, EIO, ENOMEM),
	KIND(readlinkat, 1, EACCES, ENOENT, EINVAL, EIO, ENOMEM),
	KIND(fcntl, -1, EBADF, EMFILE, EINVAL),
	KIND(dup2, -1, EBADF, EBUSY, EINTR, EMFILE),
	KIND(dup3, -1, EBADF, EBUSY, EINTR, EMFILE),
	KIND(flock, -1, EAGAIN, EINTR, ENOLCK, EBADF),
	KIND(getxattr, 0, ENODATA, EACCES, EIO, EOPNOTSUPP, ERANGE, ENOENT),
	KIND(renameat, 1, EACCES, ENOENT, ENOSPC, EXDEV, EROFS, EDQUOT, EBUSY),
	KIND(fchdir, -1, EACCES, EBADF),
	KIND(fchmod, -1, EPERM, EROFS, EIO),
	KIND(fchmodat, 1, EACCES, ENOENT, EPERM, EROFS),
	KIND(fsync, -1, EIO, EINTR, ENOSPC),
	KIND(ftruncate, -1, EIO, EINTR, EPERM),
	KIND(chdir, 0, EACCES, ENOENT, ENOTDIR),
	KIND(listen, -1, EADDRINUSE, EOPNOTSUPP),
	KIND(sendmsg, -1, EINTR, ENOBUFS, ENOMEM, EPIPE, ECONNRESET),
	KIND(setrlimit, -1, EPERM, EINVAL),
	KIND(ioctl, -1, EBADF, EBADFD, EINVAL, ENOTTY, EBUSY, EPERM, ENODEV, E2BIG, ENOMEM),
	KIND(lseek, -1, EBADF, EINVAL, ESPIPE),
	KIND(poll, -1, EINTR, EINVAL, ENOMEM),
	KIND(socket, -1, EACCES, EMFILE, ENFILE, ENOBUFS, ENOMEM, EAFNOSUPPORT, EPROTONOSUPPORT),
	KIND(socketpair, -1, EMFILE, ENFILE, EOPNOTSUPP, EAFNOSUPPORT),
	KIND(bind, -1, EACCES, EADDRINUSE, ENOMEM, EPERM),
	KIND(connect, -1, EACCES, ECONNREFUSED, ENOENT, EINTR),
	KIND(getsockname, -1, ENOBUFS, EBADF),
	KIND(getsockopt, -1, EBADF, ENOPROTOOPT),
	KIND(setsockopt, -1, EBADF, ENOPROTOOPT, ENOMEM),
	KIND(sendto, -1, EINTR, ENOBUFS, ENOMEM, EPERM, ECONNREFUSED),
	KIND(recvmsg, -1, EINTR, ENOMEM, ENOBUFS, EAGAIN, EBADF),
	KIND(recvfrom, -1, EINTR, ENOMEM, EAGAIN),
	KIND(pipe2, -1, EMFILE, ENFILE),
	KIND(tee, -1, EAGAIN, EINVAL, ENOMEM),
	KIND(uname, -1, EFAULT),
	KIND(getgroups, -1, EINVAL),
	KIND(setgroups, -1, EPERM, ENOMEM, EINVAL),
	KIND(setresuid, -1, EPERM, EAGAIN, EINVAL),
	KIND(setresgid, -1, EPERM, EAGAIN, EINVAL),
	KIND(capget, -1, EINVAL, EPERM),
	KIND(capset, -1, EPERM, EINVAL),
	KIND(prctl, -1, EINVAL, EPERM),
	KIND(seccomp, -1, EACCES, EINVAL, ENOMEM, ESRCH, ENOSYS, EOPNOTSUPP),
	KIND(landlock_create_ruleset, -1, EOPNOTSUPP, ENOSYS, ENOMEM, EINVAL, EMFILE),
	KIND(landlock_restrict_self, -1, EOPNOTSUPP, EPERM, E2BIG, ENOMEM),
	KIND(prlimit64, -1, EPERM, EINVAL, ESRCH),
	KIND(mmap, -1, ENOMEM, EAGAIN, EPERM),
	KIND(mprotect, -1, ENOMEM, EACCES),
	KIND(munmap, -1, ENOMEM),
	KIND(brk, -1, ENOMEM),
	KIND(rename, 0, EACCES, ENOENT, ENOSPC, EXDEV, EROFS, EDQUOT, EBUSY),
	KIND(link, 0, EACCES, EEXIST, ENOENT, EPERM, EXDEV),
	KIND(linkat, 1, EACCES, EEXIST, ENOENT, EPERM, EXDEV, ENOSPC),
	KIND(unlink, 0, EACCES, ENOENT, EROFS),
	KIND(unlinkat, 1, EACCES, ENOENT, EROFS),
	KIND(mkdir, 0, EACCES, EEXIST, ENOSPC, EROFS),
	KIND(mkdirat, 1, EACCES, EEXIST, ENOSPC, EROFS),
	KIND(rmdir, 0, EACCES, EBUSY, ENOTEMPTY),
	KIND(clone, -1, EAGAIN, ENOMEM, EPERM),
	KIND(clone3, -1, EAGAIN, ENOMEM, EPERM, ENOSYS),
	KIND(vfork, -1, EAGAIN, ENOMEM),
	KIND(wait4, -1, EINTR, ECHILD),
	KIND(waitid, -1, EINTR, ECHILD),
	KIND(kill, -1, EPERM, ESRCH),
	KIND(setsid, -1, EPERM),
	KIND(pidfd_open, -1, EINVAL, EMFILE, ENFILE, ENODEV, ENOMEM, ESRCH, ENOSYS),
	KIND(pidfd_send_signal, -1, EPERM, ESRCH, EBADF),
	KIND(close_range, -1, EMFILE, ENOMEM, ENOSYS),
	KIND(rt_sigaction, -1, EINVAL),
	KIND(clock_nanosleep, -1, EINTR),
	KIND(getrandom, -1, EAGAIN, EINTR),
	KIND(execve, 0, EACCES, EPERM, ENOENT, ENOEXEC, ENOMEM, E2BIG, EMFILE, ENFILE, ELOOP, ETXTBSY, EIO, EAGAIN),
	KIND(execveat, -1, EACCES, EPERM, ENOENT, ENOEXEC, ENOMEM, E2BIG, EMFILE, ENFILE, ELOOP, ETXTBSY, EIO, EAGAIN),
	/* cannot fail */
	KIND(getpid, -1, 0), KIND(getppid, -1, 0), KIND(gettid, -1, 0), KIND(geteuid, -1, 0), KIND(getegid, -1, 0),
	KIND(getuid, -1, 0), KIND(getgid, -1, 0), KIND(getresuid, -1, 0), KIND(getresgid, -1, 0), KIND(exit_group, -1, 0),
	KIND(set_tid_address, -1, 0), KIND(set_robust_list, -1, 0), KIND(rseq, -1, 0), KIND(arch_prctl, -1, 0),
	KIND(futex, -1, 0), KIND(rt_sigprocmask, -1, 0), KIND(restart_syscall, -1, 0), KIND(umask, -1, 0), KIND(clock_gettime, -1, 0), KIND(rt_sigreturn, -1, 0), KIND(exit, -1, 0),
#undef KIND
};

static const struct call_kind *kind_of(long nr)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (kinds[i].nr == nr)
			return &kinds[i];
	return NULL;
}

/* One call of a launch. */
struct call {
	unsigned proc, index;		/* the how manieth of the how manieth process */
	unsigned ordinal;		/* the how manieth of its number: what poll() sees first may differ */
	long nr;
	uint64_t arg0, arg1;
	bool loader;			/* made by the dynamic loader, before main() */
	char path[128];
};

/* --- options --------------------------------------------------------------------------------------------- */

static struct {
	const char *input, *dir, *undo, *after, *until;
	bool links, other_names, report_stays, verbose;
	unsigned long first, by, to, errors;
	char **argv;
} opt = { .input = "/dev/null", .errors = ULONG_MAX };

__attribute__((format(printf, 1, 2)))
static _Noreturn void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vfprintf(stderr, fmt, ap);
	va_end(ap);
	(void)fprintf(stderr, " (%s)\n", strerror(errno));
	exit(2);
}

/* --- one launch ------------------------------------------------------------------------------------------- */

/* What to do, and where. call NULL: nothing. */
struct trial {
	const struct call *call;
	int err;			/* make it fail with this */
	int sig;			/* send this */
	const char *command;		/* run this */
	bool must_refuse;		/* QEMU may not run */
	int resource;			/* RLIMIT_..., -1: none */
	rlim_t limit;
	struct call *record;		/* room for CALLS_MAX, to list them; NULL: no list */
	unsigned n_recorded;
};

struct proc {
	pid_t pid;
	unsigned n, of[NUMBERS_MAX];	/* calls so far, and of each number */
	bool hit;			/* its current call is the one */
	long nr;			/* of that call */
	long brk;			/* what its last brk() returned: that is how one fails */
};

struct result {
	bool ran, reached, left;
	int status;			/* of waitpid */
	char *out, *err;
	const char *bad;		/* what is wrong, NULL: nothing */
	char detail[512];
};

struct tracer {
	struct trial *trial;
	struct result *res;
	struct proc procs[PROCS_MAX];
	unsigned n_procs;
	uint64_t loader_from, loader_to;
	bool started;
};

static int memory_file(const char *name)
{
	const int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0)
		die("memfd_create");
	return fd;
}

static char *contents(int fd)
{
	char *text = calloc(1, OUT_MAX);
	const ssize_t n = text ? pread(fd, text, OUT_MAX - 1, 0) : -1;

	if (n < 0)
		die("out of memory");
	(void)close(fd);
	return text;
}

static _Noreturn void child(const struct trial *trial, int out, int err)
{
	const int in = open(opt.input, O_RDONLY);
	struct rlimit limit;

	if (in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0 || close_range(3, ~0U, 0) < 0)
		_exit(99);
	(void)signal(SIGINT, SIG_DFL);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0 || raise(SIGSTOP) != 0)
		_exit(99);
	if (trial->resource >= 0 && getrlimit(trial->resource, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max = trial->limit;
		(void)setrlimit(trial->resource, &limit);
	}
	(void)execv(opt.argv[0], opt.argv);
	_exit(99);
}

/* Where the dynamic loader is mapped; nowhere for a static program. */
static void find_loader(struct tracer *t, pid_t pid)
{
	char name[64], line[512];
	FILE *maps;

	(void)snprintf(name, sizeof(name), "/proc/%d/maps", (int)pid);
	maps = fopen(name, "re");
	if (!maps)
		die("%s", name);
	while (fgets(line, sizeof(line), maps)) {
		unsigned long from, to;

		if (!strstr(line, "/ld-") || sscanf(line, "%lx-%lx", &from, &to) != 2)
			continue;
		t->loader_from = t->loader_from ? t->loader_from : from;
		t->loader_to = to;
	}
	(void)fclose(maps);
}

static struct proc *proc_of(struct tracer *t, pid_t pid)
{
	for (unsigned i = 0; i < t->n_procs; i++)
		if (t->procs[i].pid == pid)
			return &t->procs[i];
	if (t->n_procs == PROCS_MAX)
		die("more than %d processes", PROCS_MAX);
	t->procs[t->n_procs] = (struct proc){ .pid = pid };
	return &t->procs[t->n_procs++];
}

static void read_path(pid_t pid, uint64_t address, char *ret, size_t size)
{
	struct iovec to = { .iov_base = ret, .iov_len = size - 1 }, from = { .iov_base = (void *)(uintptr_t)address, .iov_len = size - 1 };
	ssize_t n = process_vm_readv(pid, &to, 1, &from, 1, 0);

	/* a string near the end of its page */
	for (; n < 0 && from.iov_len > 1; to.iov_len = from.iov_len) {
		from.iov_len /= 2;
		n = process_vm_readv(pid, &to, 1, &from, 1, 0);
	}
	ret[n > 0 ? n : 0] = '\0';
}

static void record(struct tracer *t, const struct proc *p, const struct ptrace_syscall_info *info)
{
	const struct call_kind *kind = kind_of((long)info->entry.nr);
	struct call *call = &t->trial->record[t->trial->n_recorded];

	if (t->trial->n_recorded == CALLS_MAX)
		die("more than %d calls", CALLS_MAX);
	*call = (struct call){ .proc = (unsigned)(p - t->procs), .index = p->n, .nr = p->nr, .ordinal = p->of[p->nr],
			       .arg0 = info->entry.args[0], .arg1 = info->entry.args[1],
			       .loader = info->instruction_pointer >= t->loader_from && info->instruction_pointer < t->loader_to };
	if (kind && kind->path >= 0)
		read_path(p->pid, info->entry.args[kind->path], call->path, sizeof(call->path));
	t->trial->n_recorded++;
}

static void set_register(pid_t pid, size_t offset, long value)
{
	if (ptrace(PTRACE_POKEUSER, pid, offset, value) < 0)
		die("PTRACE_POKEUSER");
}

static void hit(struct tracer *t, struct proc *p)
{
	const struct trial *trial = t->trial;

	t->res->reached = true;
	p->hit = true;
	if (trial->err)
		set_register(p->pid, offsetof(struct user_regs_struct, orig_rax), -1);
	if (trial->sig)
		(void)kill(t->procs[0].pid, trial->sig);
	if (trial->command && system(trial->command) != 0)
		die("failed: %s", trial->command);
}

static bool is_the_one(const struct call *call, unsigned proc, const struct proc *p)
{
	return call && call->proc == proc && call->nr == p->nr && call->ordinal == p->of[p->nr];
}

static void on_syscall(struct tracer *t, struct proc *p)
{
	struct ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, p->pid, sizeof(info), &info) < 0)
		die("PTRACE_GET_SYSCALL_INFO");
	if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
		if (p->hit && t->trial->err)
			set_register(p->pid, offsetof(struct user_regs_struct, rax), p->nr == SYS_brk ? p->brk : -t->trial->err);
		else if (p->nr == SYS_brk)
			p->brk = (long)info.exit.rval;
		p->hit = false;
		return;
	}
	if (info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return;
	p->nr = (long)info.entry.nr;
	if (p->nr < 0 || p->nr >= NUMBERS_MAX)
		die("system call %ld", p->nr);
	if (t->trial->record)
		record(t, p, &info);
	if (is_the_one(t->trial->call, (unsigned)(p - t->procs), p))
		hit(t, p);
	p->of[p->nr]++;
	p->n++;
}

/* The launcher's own exec is the first; the next one is QEMU. A child's is the helper's. */
static bool on_exec(struct tracer *t, struct proc *p)
{
	if (p == t->procs && !t->started) {
		t->started = true;
		find_loader(t, p->pid);
		return true;
	}
	t->res->ran |= p == t->procs;
	return false;
}

static void handle_stop(struct tracer *t, pid_t pid, int status)
{
	struct proc *p = proc_of(t, pid);
	const int sig = WSTOPSIG(status), event = status >> 16;
	bool follow = true;
	int deliver = 0;

	if (sig == (SIGTRAP | 0x80)) {
		/* the exit of an exec that succeeded comes after its event */
		if (t->started)
			on_syscall(t, p);
	} else if (event == PTRACE_EVENT_EXEC) {
		follow = on_exec(t, p);
	} else if (event == 0 && sig != SIGSTOP && sig != SIGTRAP) {
		deliver = sig;
	} else if (event == 0 && sig == SIGSTOP && p->n > 0) {
		deliver = sig;
	}
	if (!follow) {
		(void)ptrace(PTRACE_DETACH, pid, NULL, NULL);
		return;
	}
	(void)ptrace(PTRACE_SYSCALL, pid, NULL, deliver);
}

/* Everything that the launch started has ended; true when something had to be killed. */
static bool reap_all(pid_t main_pid, int *ret_status, struct tracer *t)
{
	struct timespec start, now;
	bool killed = false, main_ended = false;

	(void)clock_gettime(CLOCK_MONOTONIC, &start);
	for (;;) {
		int status;
		const pid_t pid = waitpid(-1, &status, __WALL | (main_ended ? WNOHANG : 0));

		if (pid < 0 && errno == ECHILD)
			return killed;
		if (pid > 0 && WIFSTOPPED(status)) {
			handle_stop(t, pid, status);
			continue;
		}
		if (pid == main_pid) {
			*ret_status = status;
			main_ended = true;
			(void)clock_gettime(CLOCK_MONOTONIC, &start);
		}
		if (pid > 0)
			continue;
		(void)clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec - start.tv_sec >= LEFT_SECONDS && !killed) {
			killed = true;
			for (unsigned i = 1; i < t->n_procs; i++)
				(void)kill(t->procs[i].pid, SIGKILL);
		}
		(void)usleep(500);
	}
}

static void launch(struct trial *trial, struct result *res)
{
	struct tracer t = { .trial = trial, .res = res };
	const int out = memory_file("out"), err = memory_file("err");
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
			     PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
	const pid_t pid = fork();
	int status;

	*res = (struct result){ 0 };
	if (pid == 0)
		child(trial, out, err);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		die("no launch");
	if (ptrace(PTRACE_SETOPTIONS, pid, NULL, options) < 0)
		die("PTRACE_SETOPTIONS");
	(void)proc_of(&t, pid);
	(void)ptrace(PTRACE_SYSCALL, pid, NULL, NULL);
	res->left = reap_all(pid, &res->status, &t);
	res->out = contents(out);
	res->err = contents(err);
}

static void free_result(struct result *res)
{
	free(res->out);
	free(res->err);
}

/* --- the host's state --------------------------------------------------------------------------------------- */

/* Names, flags and masters of all links, out of one dump; what follows from traffic and carrier is left out. */
static char *links_state(void)
{
	struct { struct nlmsghdr h; struct ifinfomsg i; struct rtattr a; uint32_t mask; } ask = {
		.h = { .nlmsg_len = sizeof(ask), .nlmsg_type = RTM_GETLINK, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.a = { .rta_len = RTA_LENGTH(4), .rta_type = IFLA_EXT_MASK }, .mask = RTEXT_FILTER_SKIP_STATS,
	};
	static char buf[256 * 1024];
	char *text = calloc(1, OUT_MAX);
	size_t len = 0;
	const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	bool more = text && send(fd, &ask, sizeof(ask), 0) == (ssize_t)sizeof(ask);

	while (more) {
		ssize_t n = recv(fd, buf, sizeof(buf), 0);

		if (n <= 0)
			die("link dump");
		for (struct nlmsghdr *h = (struct nlmsghdr *)buf; NLMSG_OK(h, (size_t)n); h = NLMSG_NEXT(h, n)) {
			struct ifinfomsg *info = NLMSG_DATA(h);
			ssize_t left = (ssize_t)h->nlmsg_len - (ssize_t)NLMSG_LENGTH(sizeof(*info));

			if (h->nlmsg_type == NLMSG_DONE || h->nlmsg_type == NLMSG_ERROR) {
				more = false;
				break;
			}
			len += (size_t)snprintf(text + len, OUT_MAX - len, "link %x",
						info->ifi_flags & ~(IFF_RUNNING | IFF_LOWER_UP | IFF_DORMANT));
			for (struct rtattr *a = IFLA_RTA(info); RTA_OK(a, left); a = RTA_NEXT(a, left))
				if (a->rta_type == IFLA_IFNAME)
					len += (size_t)snprintf(text + len, OUT_MAX - len, " %s", (char *)RTA_DATA(a));
				else if (a->rta_type == IFLA_MASTER)
					len += (size_t)snprintf(text + len, OUT_MAX - len, " master %u", *(uint32_t *)RTA_DATA(a));
			len += (size_t)snprintf(text + len, OUT_MAX - len, "\n");
		}
	}
	(void)close(fd);
	return text;
}

static int any(const struct dirent *entry)
{
	return entry->d_name[0] != '.' || (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0);
}

/* Names in the watched directory, but for the report. */
static char *dir_state(void)
{
	struct dirent **list;
	char *text = calloc(1, OUT_MAX);
	size_t len = 0;
	const int n = opt.dir ? scandir(opt.dir, &list, any, alphasort) : 0;

	for (int i = 0; i < n; i++) {
		if (strcmp(list[i]->d_name, "REPORT") != 0)
			len += (size_t)snprintf(text + len, OUT_MAX - len, "%s\n", list[i]->d_name);
		free(list[i]);
	}
	if (n > 0)
		free(list);
	return text;
}

static struct {
	char *links, *dir, *out;
} before;

/* Lines that are in one of the two only. */
static void difference(const char *was, const char *now, char *ret, size_t size)
{
	const char *texts[] = { was, now };
	size_t len = 0;

	ret[0] = '\0';
	for (unsigned i = 0; i < 2; i++) {
		for (const char *line = texts[i]; *line; line += strcspn(line, "\n") + 1) {
			char one[256];

			(void)snprintf(one, sizeof(one), "%.*s\n", (int)strcspn(line, "\n"), line);
			if (!strstr(texts[1 - i], one) && len < size)
				len += (size_t)snprintf(ret + len, size - len, "  %c %s", "-+"[i], one);
		}
	}
}

/* A link that a helper made goes away a moment after its last descriptor. */
static bool links_changed(char *ret, size_t size)
{
	for (unsigned i = 0; opt.links; i++) {
		char *now = links_state();

		/* the order of a dump is that of their numbers, which a link made again has not kept */
		difference(before.links, now, ret, size);
		free(now);
		if (!ret[0])
			return false;
		if (i == 200)
			return true;
		(void)usleep(10000);
	}
	return false;
}

static bool dir_changed(char *ret, size_t size)
{
	char *now = dir_state();
	const bool same = strcmp(now, before.dir) == 0;

	if (!same)
		difference(before.dir, now, ret, size);
	free(now);
	return !same;
}

/* --- judging --------------------------------------------------------------------------------------------------- */

static bool starts(const char *line, const char *with)
{
	return strncmp(line, with, strlen(with)) == 0;
}

/* What QEMU was given, without what differs from run to run. */
static char *normal(const char *out)
{
	char *text = calloc(1, OUT_MAX);
	size_t len = 0;

	for (const char *line = out; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const size_t n = strcspn(line, "\n");

		/* standard output and error are files of this run */
		if (starts(line, "fakeqemu ") || starts(line, "env ") || starts(line, "fd 1 ") || starts(line, "fd 2 "))
			continue;
		/* "socket:[4711]" */
		for (size_t i = 0; i < n; i++)
			if (line[i] < '0' || line[i] > '9' || !memchr(line, '[', i))
				text[len++] = line[i];
		text[len++] = '\n';
	}
	return text;
}

static cJSON *read_report(void)
{
	char name[512], *text;
	cJSON *ret;
	int fd;

	(void)snprintf(name, sizeof(name), "%s/REPORT", opt.dir ? opt.dir : "/nonexistent");
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	text = contents(fd);
	ret = cJSON_Parse(text);
	free(text);
	return ret;
}

static bool has_line(const char *text, const char *line)
{
	const size_t n = strlen(line);

	for (const char *p = text; (p = strstr(p, line)); p++)
		if ((p == text || p[-1] == '\n') && (p[n] == '\n' || p[n] == ' ' || p[n] == '\0'))
			return true;
	return false;
}

/* QEMU runs with something else than usual: is it what the report says? */
static bool as_reported(const char *out)
{
	cJSON *root = read_report();
	const cJSON *argv = cJSON_GetObjectItemCaseSensitive(root, "argv"), *fds = cJSON_GetObjectItemCaseSensitive(root, "fds");
	char line[4096];
	bool good = root && argv && fds;
	unsigned i = 0;

	for (const cJSON *word = good ? argv->child : NULL; word; word = word->next) {
		(void)snprintf(line, sizeof(line), "arg %u %s", i++, word->valuestring);
		good = good && has_line(out, line);
	}
	for (const cJSON *fd = good ? fds->child : NULL; fd; fd = fd->next) {
		(void)snprintf(line, sizeof(line), "fd %d", (int)cJSON_GetObjectItemCaseSensitive(fd, "fd")->valuedouble);
		good = good && has_line(out, line);
	}
	cJSON_Delete(root);
	return good;
}

/* The descriptors of queues: numbers and devices as usual, and no other link's name. */
static bool same_devices(const char *out)
{
	for (const char *line = before.out; *line; line += strcspn(line, "\n") + 1) {
		char words[4][64] = { "", "", "", "" }, name[64] = "", want[512], *at;

		if (sscanf(line, "fd %63s %63s %63s %63s %*s %63s", words[0], words[1], words[2], words[3], name) < 4 || !name[0])
			continue;
		(void)snprintf(want, sizeof(want), "fd %s %s %s %s ", words[0], words[1], words[2], words[3]);
		at = strstr(out, want);
		if (!at)
			return false;
		at[strcspn(at, "\n")] = '\0';
		if (!opt.other_names && strstr(at, " 0x") && !strstr(at, name))
			return false;
		at[strlen(at)] = '\n';
	}
	return true;
}

/* An error line that says what it is about. */
static const char *check_message(const char *err, int status)
{
	bool error = false;

	for (const char *line = err; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *end;
		cJSON *root = cJSON_ParseWithOpts(line, &end, 0);
		const cJSON *code = cJSON_GetObjectItemCaseSensitive(root, "code"), *level = cJSON_GetObjectItemCaseSensitive(root, "level");
		const cJSON *st = cJSON_GetObjectItemCaseSensitive(root, "status");
		const bool names = cJSON_IsString(cJSON_GetObjectItemCaseSensitive(root, "object")) ||
				   cJSON_IsString(cJSON_GetObjectItemCaseSensitive(root, "path")) ||
				   (code && strcmp(code->valuestring, "no-memory") == 0);
		const bool is_error = level && strcmp(level->valuestring, "error") == 0;
		const bool good = code && level && (!is_error || (names && st && (int)st->valuedouble >= status));

		error |= is_error;
		cJSON_Delete(root);
		if (!good)
			return "a line of standard error is no message, or names nothing";
	}
	return error ? NULL : "no message";
}

static bool documented(int status)
{
	static const int list[] = { 100, 101, 111, 126, 127 };

	for (size_t i = 0; i < ARRAY_LEN(list); i++)
		if (WIFEXITED(status) && WEXITSTATUS(status) == list[i])
			return true;
	return false;
}

static bool report_stays(void)
{
	char name[512];
	struct stat st;

	(void)snprintf(name, sizeof(name), "%s/REPORT", opt.dir ? opt.dir : "/nonexistent");
	return stat(name, &st) == 0 && (!opt.report_stays || st.st_size > 0);
}

static const char *judge_ran(const struct trial *trial, const struct result *res)
{
	char *now = normal(res->out);
	const char *bad = NULL;

	if (strcmp(now, before.out) != 0) {
		if (trial->command && opt.until)
			bad = trial->must_refuse ? "QEMU runs after the swap" : NULL;
		else if (trial->command)
			bad = same_devices(now) ? NULL : "QEMU has another device";
		else if (!as_reported(res->out))
			bad = "QEMU runs with something else, and the report does not say so";
	}
	free(now);
	return bad;
}

static const char *judge(const struct trial *trial, const struct result *res)
{
	const struct call *call = trial->call;
	const bool loader = call && call->loader;

	if (res->left)
		return "a process is left";
	if (trial->sig)
		return res->out[0] ? "QEMU runs" : WIFSIGNALED(res->status) && WTERMSIG(res->status) == trial->sig ? NULL : "it outlived the signal";
	if (res->ran)
		return WIFEXITED(res->status) && WEXITSTATUS(res->status) == 0 ? judge_ran(trial, res) : "QEMU did not end well";
	/* before main() the loader speaks for us: it ends with 127, or dies */
	if (loader || (trial->resource == RLIMIT_AS && !strchr(res->err, '{')))
		return WIFEXITED(res->status) && WEXITSTATUS(res->status) == 0 ? "status 0, and QEMU does not run" : NULL;
	if (!documented(res->status))
		return "the exit status is no documented one";
	if (res->out[0])
		return "something on standard output";
	if (report_stays())
		return "the report stays although QEMU does not run";
	if (call && call->nr == SYS_write && call->arg0 == 2)
		return NULL;
	return check_message(res->err, WEXITSTATUS(res->status));
}

static void describe(const struct trial *trial, char *ret, size_t size)
{
	const struct call *call = trial->call;
	const struct call_kind *kind = call ? kind_of(call->nr) : NULL;

	if (!call)
		(void)snprintf(ret, size, "limit %lu", (unsigned long)trial->limit);
	else
		(void)snprintf(ret, size, "%s%u.%u %s(%s%s0x%lx) %s", call->loader ? "loader " : "", call->proc, call->index,
			       kind ? kind->name : "?", call->path, call->path[0] ? "," : "", (unsigned long)call->arg1,
			       trial->err ? strerrorname_np(trial->err) : "");
}

static struct {
	unsigned trials, ran, bad, missed, by_status[256], signalled;
} sum;

static void count(const struct trial *trial, const struct result *res, const char *bad, const char *detail)
{
	char what[512];

	sum.trials++;
	sum.ran += res->ran;
	sum.signalled += !res->ran && WIFSIGNALED(res->status);
	if (!res->ran && WIFEXITED(res->status))
		sum.by_status[WEXITSTATUS(res->status)]++;
	sum.bad += bad != NULL;
	if (!bad && !opt.verbose)
		return;
	describe(trial, what, sizeof(what));
	(void)printf("%s %s: %s, status %d%s%s\n", bad ? "BAD" : "fine", what, bad ? bad : res->ran ? "QEMU runs" : "refused",
		     WIFEXITED(res->status) ? WEXITSTATUS(res->status) : -WTERMSIG(res->status), detail[0] ? "\n" : "", detail);
	if (bad || !res->ran)
		(void)printf("  | %.*s\n", (int)strcspn(res->err, "\n"), res->err);
	(void)fflush(stdout);
}

static void remove_report(void)
{
	char name[512];

	(void)snprintf(name, sizeof(name), "%s/REPORT", opt.dir ? opt.dir : "/nonexistent");
	(void)unlink(name);
}

static void try_it(struct trial *trial)
{
	struct result res;
	char detail[512] = "";
	const char *bad;

	for (unsigned i = 0; i < TRIES; i++) {
		if (i > 0)
			free_result(&res);
		remove_report();
		launch(trial, &res);
		if (!trial->call || res.reached)
			break;
	}
	if (trial->call && !res.reached) {
		sum.missed++;
		free_result(&res);
		return;
	}
	bad = judge(trial, &res);
	if (opt.undo && system(opt.undo) != 0)
		die("failed: %s", opt.undo);
	if (!bad && links_changed(detail, sizeof(detail)))
		bad = "links changed";
	if (!bad && dir_changed(detail, sizeof(detail)))
		bad = "the directory changed";
	count(trial, &res, bad, detail);
	free_result(&res);
}

/* --- modes --------------------------------------------------------------------------------------------------- */

static bool is_called(const struct call *call, const char *what)
{
	const struct call_kind *kind = kind_of(call->nr);

	return strcmp(call->path, what) == 0 || (kind && strcmp(kind->name, what) == 0);
}

/* The first call to try. */
static unsigned first_call(const struct call *calls, unsigned n)
{
	for (unsigned i = 0; opt.after && i < n; i++)
		if (is_called(&calls[i], opt.after))
			return i + 1;
	if (opt.after)
		die("no call of %s", opt.after);
	return 0;
}

static void fail_all(const struct call *calls, unsigned n)
{
	for (unsigned i = first_call(calls, n); i < n; i++) {
		const struct call_kind *kind = kind_of(calls[i].nr);

		if (!kind)
			die("no row for system call %ld", calls[i].nr);
		/* the loader's own calls are not ours to handle: one errno each */
		for (unsigned e = 0; e < (calls[i].loader ? 1 : ARRAY_LEN(kind->errors)) && e < opt.errors && kind->errors[e]; e++) {
			struct trial trial = { .call = &calls[i], .err = kind->errors[e], .resource = -1 };

			try_it(&trial);
		}
	}
}

static void signal_all(const struct call *calls, unsigned n, int sig)
{
	for (unsigned i = first_call(calls, n); i < n; i++) {
		struct trial trial = { .call = &calls[i], .sig = sig, .resource = -1 };

		try_it(&trial);
	}
}

static void run_all(const struct call *calls, unsigned n, const char *command)
{
	unsigned last = 0;

	for (unsigned i = 0; opt.until && i < n; i++)
		last = strcmp(calls[i].path, opt.until) == 0 ? i : last;
	for (unsigned i = first_call(calls, n); i < n; i++) {
		struct trial trial = { .call = &calls[i], .command = command, .resource = -1, .must_refuse = i <= last && opt.until };

		/* to the loader nothing of this matters */
		if (!calls[i].loader)
			try_it(&trial);
	}
}

static void limit_all(const char *what)
{
	const int resource = strcmp(what, "nofile") == 0 ? RLIMIT_NOFILE : strcmp(what, "as") == 0 ? RLIMIT_AS : RLIMIT_FSIZE;

	for (unsigned long limit = opt.first; limit <= opt.to; limit += opt.by) {
		struct trial trial = { .resource = resource, .limit = limit };

		try_it(&trial);
	}
}

static void list(const struct call *calls, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct trial trial = { .call = &calls[i] };
		char what[512];

		describe(&trial, what, sizeof(what));
		(void)printf("%s\n", what);
	}
}

/* The launch as it is when nothing goes wrong. */
static unsigned learn(struct call *calls)
{
	struct trial trial = { .record = calls, .resource = -1 };
	struct result res;

	remove_report();
	launch(&trial, &res);
	if (!res.ran || res.status != 0) {
		(void)fprintf(stderr, "the launch does not work by itself: status 0x%x\n%s%s", (unsigned)res.status, res.out, res.err);
		exit(2);
	}
	before.out = normal(res.out);
	free_result(&res);
	return trial.n_recorded;
}

static unsigned options(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "+i:d:nx:q:e:u:NRvf:b:t:")) != -1) {
		switch (c) {
		case 'i': opt.input = optarg; break;
		case 'd': opt.dir = optarg; break;
		case 'n': opt.links = true; break;
		case 'x': opt.undo = optarg; break;
		case 'q': opt.after = optarg; break;
		case 'e': opt.errors = strtoul(optarg, NULL, 0); break;
		case 'u': opt.until = optarg; break;
		case 'N': opt.other_names = true; break;
		case 'R': opt.report_stays = true; break;
		case 'v': opt.verbose = true; break;
		case 'f': opt.first = strtoul(optarg, NULL, 0); break;
		case 'b': opt.by = strtoul(optarg, NULL, 0); break;
		case 't': opt.to = strtoul(optarg, NULL, 0); break;
		default: exit(2);
		}
	}
	for (int i = optind; i < argc; i++)
		if (strcmp(argv[i], "--") == 0)
			opt.argv = argv + i + 1;
	if (optind >= argc || !opt.argv || !opt.argv[0])
		die("usage: stepat [OPTION]... MODE [ARGUMENT] -- COMMAND...");
	return (unsigned)optind;
}

static void print_sum(unsigned n_calls, unsigned n_loader)
{
	(void)printf("%u calls and %u of the loader, %u trials: %u ran", n_calls - n_loader, n_loader, sum.trials, sum.ran);
	for (unsigned i = 0; i < ARRAY_LEN(sum.by_status); i++)
		if (sum.by_status[i] > 0)
			(void)printf(", %u status %u", sum.by_status[i], i);
	if (sum.signalled > 0)
		(void)printf(", %u by signal", sum.signalled);
	if (sum.missed > 0)
		(void)printf(", %u for a call that was not made again", sum.missed);
	(void)printf(", %u bad\n", sum.bad);
}

int main(int argc, char **argv)
{
	static struct call calls[CALLS_MAX];
	const unsigned at = options(argc, argv);
	const char *mode = argv[at], *arg = argv[at + 1];
	unsigned n, n_loader = 0;

	(void)setenv("QEMU_HANDOFF_ERRORS", "json", 1);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		die("PR_SET_CHILD_SUBREAPER");
	n = learn(calls);
	for (unsigned i = 0; i < n; i++)
		n_loader += calls[i].loader;
	before.links = links_state();
	before.dir = dir_state();
	if (strcmp(mode, "list") == 0)
		list(calls, n);
	else if (strcmp(mode, "fail") == 0)
		fail_all(calls, n);
	else if (strcmp(mode, "signal") == 0)
		signal_all(calls, n, (int)strtol(arg, NULL, 10));
	else if (strcmp(mode, "run") == 0)
		run_all(calls, n, arg);
	else if (strcmp(mode, "limit") == 0)
		limit_all(arg);
	else
		die("no such mode: %s", mode);
	print_sum(n, n_loader);
	return sum.bad > 0;
}
