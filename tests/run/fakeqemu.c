/*
 * fakeqemu.c - a stand-in for QEMU: says what it was given
 *
 * One line a fact, on standard output:
 *
 *	fakeqemu 1234				its process id; this line is the mark that it ran
 *	arg 1 -nodefaults			argv, word by word
 *	env NAME=VALUE
 *	fd 3 rw inherit 246:3 /dev/tap7 mvt0 0x5002
 *						access, close-on-exec or not, device number, where
 *						/proc says it leads, and of a TAP queue its link and flags
 *	signals blocked 15 ignored 17
 *	nofile 1024 4096
 *	stdin ...				with the argument --rest: what is left there, line by line;
 *						with --line: the first line of it
 *
 * With the argument --stay it stays until it is killed, or for five minutes. It makes only system calls that QEMU makes too.
 */
#include "config.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/if_tun.h>

enum { FDS = 4096 };

static const char *access_name(int flags)
{
	return (flags & O_ACCMODE) == O_RDWR ? "rw" : (flags & O_ACCMODE) == O_WRONLY ? "w" : "r";
}

static void show_fd(int fd)
{
	const int on_exec = fcntl(fd, F_GETFD);
	struct ifreq ifr = { 0 };
	char name[32], to[512];
	struct stat st;
	ssize_t n;

	if (on_exec < 0 || fstat(fd, &st) < 0)
		return;
	(void)snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, to, sizeof(to) - 1);
	to[n > 0 ? n : 0] = '\0';
	(void)printf("fd %d %s %s %u:%u %s", fd, access_name(fcntl(fd, F_GETFL)), on_exec ? "cloexec" : "inherit",
		     major(st.st_rdev), minor(st.st_rdev), to);
	if (S_ISCHR(st.st_mode) && ioctl(fd, TUNGETIFF, &ifr) == 0)
		(void)printf(" %s 0x%x", ifr.ifr_name, (unsigned)(unsigned short)ifr.ifr_flags);
	(void)printf("\n");
}

static void show_signals(void)
{
	sigset_t blocked;

	(void)sigprocmask(SIG_BLOCK, NULL, &blocked);
	(void)printf("signals blocked");
	for (int sig = 1; sig < _NSIG; sig++)
		if (sigismember(&blocked, sig) == 1)
			(void)printf(" %d", sig);
	(void)printf(" ignored");
	for (int sig = 1; sig < _NSIG; sig++) {
		struct sigaction now;

		if (sigaction(sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
			(void)printf(" %d", sig);
	}
	(void)printf("\n");
}

/* Up to so many lines; a test that went wrong must not wait here for ever. */
static void show_rest(int lines)
{
	const struct timespec wait = { .tv_sec = 10 };
	struct pollfd in = { .fd = 0, .events = POLLIN };
	char bytes[4096];
	bool begin = true;
	ssize_t n;

	while (lines > 0 && ppoll(&in, 1, &wait, NULL) == 1 && (n = read(0, bytes, sizeof(bytes))) > 0) {
		for (ssize_t i = 0; i < n && lines > 0; i++) {
			(void)printf("%s%c", begin ? "stdin " : "", bytes[i]);
			begin = bytes[i] == '\n';
			lines -= begin;
		}
	}
	if (!begin)
		(void)printf("\n");
}

int main(int argc, char **argv, char **envp)
{
	struct rlimit nofile;

	(void)printf("fakeqemu %ld\n", (long)getpid());
	for (int i = 0; i < argc; i++)
		(void)printf("arg %d %s\n", i, argv[i]);
	for (char **env = envp; *env; env++)
		(void)printf("env %s\n", *env);
	for (int fd = 0; fd < FDS; fd++)
		show_fd(fd);
	show_signals();
	if (getrlimit(RLIMIT_NOFILE, &nofile) == 0)
		(void)printf("nofile %lu %lu\n", (unsigned long)nofile.rlim_cur, (unsigned long)nofile.rlim_max);
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--rest") == 0)
			show_rest(INT_MAX);
		else if (strcmp(argv[i], "--line") == 0)
			show_rest(1);
	}
	(void)fflush(stdout);
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--stay") == 0)
			(void)ppoll(NULL, 0, &(struct timespec){ .tv_sec = 300 }, NULL);
	return 0;
}
