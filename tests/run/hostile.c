/*
 * hostile.c - run in QEMU's place, tries one way to execute something else
 *
 *   hostile --list          names of the ways, one a line
 *   hostile WAY N           try it; N is the number the launcher's descriptor had
 *
 * Every way ends in executing this file again as `hostile --proof`, which prints "executed" and
 * exits 42. Where nothing was executed, "refused at STEP: errno" is printed and the status is 0. Where
 * the machine lacks what the way needs (seen without a filter too): "missing" and 77.
 * Knows nothing of who started it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROVEN		42
#define MISSING		77

#ifndef __NR_pidfd_open
#define __NR_pidfd_open		434
#define __NR_pidfd_getfd	438
#endif

static char self[4096];
static char hostile_word[] = "hostile", proof_word[] = "--proof";
static char *const proof[] = { hostile_word, proof_word, NULL };
static char *const none[] = { NULL };

/* A step failed; say which, then stop: nothing was executed. */
static void refused(const char *step)
{
	printf("refused at %s: %s\n", step, strerror(errno));
	exit(0);
}

static int must(int r, const char *step)
{
	if (r < 0)
		refused(step);
	return r;
}

static int open_self(void)
{
	return must(open(self, O_PATH | O_CLOEXEC), "open");
}

static int exec_fd(int fd)
{
	return (int)syscall(__NR_execveat, fd, "", proof, none, AT_EMPTY_PATH);
}

static void raise_limit(unsigned n)
{
	const struct rlimit more = { n + 64, n + 64 };

	/* Without a filter it may be high already; with one it must not help. */
	(void)syscall(__NR_setrlimit, RLIMIT_NOFILE, &more);
	(void)syscall(__NR_prlimit64, 0, RLIMIT_NOFILE, &more, NULL);
	(void)syscall(__NR_prlimit64, getpid(), RLIMIT_NOFILE, &more, NULL);
}

static void way_execve(int n)
{
	(void)n;
	(void)execve(self, proof, none);
	refused("execve");
}

static void way_execveat_path(int n)
{
	(void)n;
	(void)syscall(__NR_execveat, AT_FDCWD, self, proof, none, 0);
	refused("execveat");
}

/* A path relative to the launcher's own number, with its flag. */
static void way_execveat_path_n(int n)
{
	(void)syscall(__NR_execveat, n, self, proof, none, AT_EMPTY_PATH);
	refused("execveat");
}

/*
 * The path where the filter wants it, at the last byte of user memory: fill the page before with
 * a path, and try to get a page behind it.
 */
static void way_last_byte(int n)
{
	for (int bits = 56; bits >= 47; bits -= 9) {
		const uintptr_t last = ((uintptr_t)1 << bits) - 4096 - 1;
		char *page = (char *)(last - 4095);

		if (mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
			 -1, 0) == MAP_FAILED)
			continue;
		page[4095] = self[0];
		if (mmap(page + 4096, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
			(void)snprintf(page + 4096, 4096, "%s", self + 1);
		(void)syscall(__NR_execveat, n, page + 4095, proof, none, AT_EMPTY_PATH);
	}
	way_execveat_path_n(n);
}

static void way_execveat_fd(int n)
{
	(void)n;
	(void)exec_fd(open_self());
	refused("execveat");
}

static void way_execveat_dir(int n)
{
	char *slash = strrchr(self, '/');
	int dir;

	(void)n;
	*slash = '\0';
	dir = must(open(self, O_PATH | O_DIRECTORY), "open");
	(void)syscall(__NR_execveat, dir, slash + 1, proof, none, AT_SYMLINK_NOFOLLOW);
	refused("execveat");
}

static void way_fexecve(int n)
{
	(void)n;
	(void)fexecve(open_self(), proof, none);
	refused("fexecve");
}

static void way_dup2(int n)
{
	must(dup2(open_self(), n), "dup2");
	(void)exec_fd(n);
	refused("execveat");
}

static void way_dup3(int n)
{
	must(dup3(open_self(), n, O_CLOEXEC), "dup3");
	(void)exec_fd(n);
	refused("execveat");
}

static void way_dupfd(int n)
{
	must(fcntl(open_self(), F_DUPFD, n), "F_DUPFD");
	(void)exec_fd(n);
	refused("execveat");
}

static void way_dupfd_cloexec(int n)
{
	must(fcntl(open_self(), F_DUPFD_CLOEXEC, n), "F_DUPFD_CLOEXEC");
	(void)exec_fd(n);
	refused("execveat");
}

/* No call names the number: the table is filled until open returns it. */
static void way_fill(int n)
{
	while (must(open(self, O_PATH | O_CLOEXEC), "open") < n)
		;
	(void)exec_fd(n);
	refused("execveat");
}

static void way_limit(int n)
{
	raise_limit((unsigned)n);
	way_dup2(n);
}

static void way_limit_fork(int n)
{
	const pid_t pid = must((int)syscall(__NR_fork), "fork");
	int status = 0;

	if (pid == 0)
		way_limit(n);
	(void)waitpid(pid, &status, 0);
	exit(WEXITSTATUS(status));
}

static void fill_all(int n)
{
	while (open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0 && fcntl(n - 1, F_GETFD) < 0)
		;
}

static int send_fd(int sock, int fd)
{
	char byte = 0;
	union { struct cmsghdr h; char room[CMSG_SPACE(sizeof(int))]; } control = { 0 };
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
			      .msg_controllen = sizeof(control) };

	control.h = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET,
				      .cmsg_type = SCM_RIGHTS };
	memcpy(CMSG_DATA(&control.h), &fd, sizeof(fd));
	return (int)sendmsg(sock, &msg, 0);
}

static int receive_fd(int sock)
{
	char byte;
	union { struct cmsghdr h; char room[CMSG_SPACE(sizeof(int))]; } control = { 0 };
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
			      .msg_controllen = sizeof(control) };
	int fd;

	must((int)recvmsg(sock, &msg, MSG_CMSG_CLOEXEC), "recvmsg");
	if (msg.msg_controllen < CMSG_LEN(sizeof(int))) {
		errno = EMFILE;
		return -1;
	}
	memcpy(&fd, CMSG_DATA(&control.h), sizeof(fd));
	return fd;
}

/* The kernel picks the number of a received descriptor: with all below taken, it would be N. */
static void way_receive(int n)
{
	int pair[2];

	must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), "socketpair");
	must(send_fd(pair[0], open_self()), "sendmsg");
	raise_limit((unsigned)n);
	fill_all(n);
	must(receive_fd(pair[1]), "receive");
	(void)exec_fd(n);
	refused("execveat");
}

static void way_pidfd_getfd(int n)
{
	const int fd = open_self();
	const int pidfd = must((int)syscall(__NR_pidfd_open, getpid(), 0), "pidfd_open");

	fill_all(n);
	must((int)syscall(__NR_pidfd_getfd, pidfd, fd, 0), "pidfd_getfd");
	(void)exec_fd(n);
	refused("execveat");
}

static int memfd_of_self(void)
{
	const int from = must(open(self, O_RDONLY | O_CLOEXEC), "open");
	const int to = must(memfd_create("x", MFD_CLOEXEC), "memfd_create");
	char block[4096];
	ssize_t got;

	while ((got = read(from, block, sizeof(block))) > 0)
		must((int)write(to, block, (size_t)got), "write");
	return to;
}

static void way_memfd(int n)
{
	(void)n;
	(void)exec_fd(memfd_of_self());
	refused("execveat");
}

static void way_memfd_path(int n)
{
	char path[64];

	(void)n;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", memfd_of_self());
	(void)execve(path, proof, none);
	refused("execve");
}

static void way_proc_self_exe(int n)
{
	(void)n;
	(void)execve("/proc/self/exe", proof, none);
	refused("execve");
}

/* The loader executes for those who may not: it is itself a file to execute. */
static void way_ld_so(int n)
{
	char *const argv[] = { hostile_word, self, proof_word, NULL };

	(void)n;
	(void)execve("/lib64/ld-linux-x86-64.so.2", argv, none);
	refused("execve");
}

static void way_shell(int n)
{
	(void)n;
	/* system() runs /bin/sh by a child */
	const int status = system("\"$HOSTILE\" --proof");

	if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == PROVEN)
		exit(PROVEN);
	refused("system");
}

static void way_vfork(int n)
{
	pid_t pid;
	int status = 0;

	(void)n;
	pid = must(vfork(), "vfork");
	if (pid == 0) {
		(void)execve(self, proof, none);
		_exit(1);
	}
	(void)waitpid(pid, &status, 0);
	if (WEXITSTATUS(status) == PROVEN)
		exit(PROVEN);
	refused("execve in child");
}

static void way_posix_spawn(int n)
{
	pid_t pid;
	int status = 0;

	(void)n;
	errno = posix_spawn(&pid, self, NULL, NULL, proof, none);
	if (errno != 0)
		refused("posix_spawn");
	(void)waitpid(pid, &status, 0);
	exit(WEXITSTATUS(status));
}

static void way_clone3(int n)
{
	uint64_t args[8] = { [4] = SIGCHLD };
	const pid_t pid = must((int)syscall(__NR_clone3, args, sizeof(args)), "clone3");
	int status = 0;

	(void)n;
	if (pid == 0) {
		(void)execve(self, proof, none);
		_exit(1);
	}
	(void)waitpid(pid, &status, 0);
	exit(WEXITSTATUS(status));
}

static void *exec_in_thread(void *unused)
{
	(void)execve(self, proof, none);
	return unused;
}

static void way_thread(int n)
{
	pthread_t thread;

	(void)n;
	if (pthread_create(&thread, NULL, exec_in_thread, NULL) == 0)
		(void)pthread_join(thread, NULL);
	errno = 0;
	refused("execve in thread");
}

static void on_fault(int sig)
{
	(void)sig;
	_exit(MISSING);
}

/*
 * The i386 table has other numbers: 11 is execve there, munmap here. A kernel without that table (or started with
 * ia32_emulation=off, Linux 6.7) has no gate 0x80, and the instruction is a general protection fault.
 */
static void way_i386(int n)
{
	struct { char path[4000]; char arg[16]; uint32_t argv[3]; } *low;
	int ret = -ENOSYS;

	(void)n;
	low = mmap(NULL, sizeof(*low), PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (low == MAP_FAILED)
		refused("mmap");
	(void)snprintf(low->path, sizeof(low->path), "%.3999s", self);
	(void)snprintf(low->arg, sizeof(low->arg), "--proof");
	low->argv[0] = (uint32_t)(uintptr_t)low->path;
	low->argv[1] = (uint32_t)(uintptr_t)low->arg;
	(void)signal(SIGSEGV, on_fault);
	__asm__ volatile("push %%rbx\n\tmov %[path], %%ebx\n\tint $0x80\n\tpop %%rbx"
			 : "=a"(ret) : "a"(11), [path] "r"((uint32_t)(uintptr_t)low->path),
			   "c"(low->argv), "d"(0) : "memory", "cc", "r8", "r9", "r10", "r11");
	errno = -ret;
	if (errno == ENOSYS)
		exit(MISSING);
	refused("int 0x80");
}

/* x32 shares our table of entry but for bit 30; 520 is its execve, 59 still is ours. */
static void way_x32(int n)
{
	(void)n;
	(void)syscall(0x40000000 + 520, self, proof, none);
	if (errno == ENOSYS)
		exit(MISSING);
	refused("x32 execve");
}

/* Not an exec, but a way around a filter: a ring opens files and sockets itself. */
static void way_io_uring(int n)
{
	char params[120] = { 0 };

	(void)n;
	if (syscall(__NR_io_uring_setup, 1, params) < 0)
		refused("io_uring_setup");
	exit(PROVEN);
}

/* A second filter cannot take back what the first one says. */
static void way_own_filter(int n)
{
	struct { unsigned short code; unsigned char jt, jf; unsigned k; } allow = { 6, 0, 0, 0x7fff0000 };
	struct { unsigned short len; void *filter; } prog = { 1, &allow };

	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
	must((int)syscall(__NR_seccomp, 1, 0, &prog), "seccomp");
	way_execve(n);
}

static const struct { const char *name; void (*try)(int n); } ways[] = {
	{ "execve", way_execve },
	{ "execveat-path", way_execveat_path },
	{ "execveat-path-from-number", way_execveat_path_n },
	{ "execveat-last-byte", way_last_byte },
	{ "execveat-descriptor", way_execveat_fd },
	{ "execveat-directory", way_execveat_dir },
	{ "fexecve", way_fexecve },
	{ "dup2", way_dup2 },
	{ "dup3", way_dup3 },
	{ "f-dupfd", way_dupfd },
	{ "f-dupfd-cloexec", way_dupfd_cloexec },
	{ "fill-table", way_fill },
	{ "raise-limit", way_limit },
	{ "raise-limit-in-child", way_limit_fork },
	{ "receive-descriptor", way_receive },
	{ "pidfd-getfd", way_pidfd_getfd },
	{ "memfd", way_memfd },
	{ "memfd-path", way_memfd_path },
	{ "proc-self-exe", way_proc_self_exe },
	{ "ld-so", way_ld_so },
	{ "shell", way_shell },
	{ "vfork", way_vfork },
	{ "posix-spawn", way_posix_spawn },
	{ "clone3", way_clone3 },
	{ "thread", way_thread },
	{ "i386", way_i386 },
	{ "x32", way_x32 },
	{ "io-uring", way_io_uring },
	{ "own-filter", way_own_filter },
};
#define WAYS	(sizeof(ways) / sizeof(ways[0]))

static int list(void)
{
	for (size_t i = 0; i < WAYS; i++)
		puts(ways[i].name);
	return 0;
}

int main(int argc, char **argv)
{
	const char *path = getenv("HOSTILE");

	(void)setvbuf(stdout, NULL, _IONBF, 0);
	if (argc == 2 && strcmp(argv[1], "--list") == 0)
		return list();
	if (argc >= 2 && strcmp(argv[argc - 1], "--proof") == 0) {
		puts("executed");
		return PROVEN;
	}
	if (argc != 3 || path == NULL)
		return 2;
	(void)snprintf(self, sizeof(self), "%s", path);
	for (size_t i = 0; i < WAYS; i++)
		if (strcmp(argv[1], ways[i].name) == 0)
			ways[i].try(atoi(argv[2]));
	return 2;
}
