/*
 * record.c - a stand-in for QEMU that writes down everything a program is given at its start
 *
 * Into the file that $RECORD names, one line a fact; nothing is consumed, so that two runs on the same
 * descriptors can be compared. Process ids are written as "self", "parent" or "other".
 */
#include "config.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <linux/securebits.h>

enum { FDS = 1024 };

static FILE *out;

static void put_bytes(const char *what, int number, const char *bytes, size_t len)
{
	(void)fprintf(out, "%s %d %zu ", what, number, len);
	for (size_t i = 0; i < len; i++)
		(void)fprintf(out, isprint((unsigned char)bytes[i]) ? "%c" : "\\x%02x", (unsigned char)bytes[i]);
	(void)fprintf(out, "\n");
}

static void put_link(const char *path)
{
	char to[4096];
	const ssize_t n = readlink(path, to, sizeof(to));

	(void)fprintf(out, "%s ", path);
	put_bytes("->", 0, to, n > 0 ? (size_t)n : 0);
}

/* --- descriptors ---------------------------------------------------------------------------------- */

struct known {
	int on_exec, flags;
	struct stat st;
	off_t offset;
};

static struct known fds[FDS];

/* Before anything is opened here. */
static void fds_look(void)
{
	for (int fd = 0; fd < FDS; fd++) {
		fds[fd].on_exec = fcntl(fd, F_GETFD);
		if (fds[fd].on_exec < 0)
			continue;
		fds[fd].flags = fcntl(fd, F_GETFL);
		(void)fstat(fd, &fds[fd].st);
		fds[fd].offset = lseek(fd, 0, SEEK_CUR);
	}
}

/* Does this process hold a POSIX lock through it? /proc says so to its owner. */
static bool has_lock(int fd)
{
	char name[64], line[256];
	bool ret = false;
	FILE *f;

	(void)snprintf(name, sizeof(name), "/proc/self/fdinfo/%d", fd);
	f = fopen(name, "r");
	while (f && fgets(line, sizeof(line), f))
		ret |= strncmp(line, "lock:", 5) == 0;
	if (f)
		(void)fclose(f);
	return ret;
}

static void fds_put(void)
{
	for (int fd = 0; fd < FDS; fd++) {
		const struct stat *st = &fds[fd].st;
		char name[64];

		if (fds[fd].on_exec < 0)
			continue;
		(void)fprintf(out, "fd %d on-exec %d flags %#o mode %#o dev %u:%u ino %lu rdev %u:%u offset %ld lock %d\n", fd,
			      fds[fd].on_exec, fds[fd].flags, st->st_mode, major(st->st_dev), minor(st->st_dev),
			      (unsigned long)st->st_ino, major(st->st_rdev), minor(st->st_rdev), (long)fds[fd].offset,
			      has_lock(fd));
		(void)snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		put_link(name);
	}
}

/* What could be read from a descriptor now, without taking it. */
static void content_put(int fd)
{
	static char bytes[1 << 17];
	int ends[2], waiting = -1;
	ssize_t n = -1;

	if (fds[fd].on_exec < 0)
		return;
	(void)ioctl(fd, FIONREAD, &waiting);
	if (S_ISFIFO(fds[fd].st.st_mode) && pipe(ends) == 0) {
		(void)fcntl(ends[1], F_SETPIPE_SZ, (int)sizeof(bytes));
		n = tee(fd, ends[1], sizeof(bytes), SPLICE_F_NONBLOCK);
		if (n > 0)
			n = read(ends[0], bytes, sizeof(bytes));
	} else if (S_ISSOCK(fds[fd].st.st_mode)) {
		n = recv(fd, bytes, sizeof(bytes), MSG_PEEK | MSG_DONTWAIT);
	} else if (S_ISREG(fds[fd].st.st_mode)) {
		n = pread(fd, bytes, sizeof(bytes), fds[fd].offset);
	}
	(void)fprintf(out, "waiting %d bytes, seen %zd\n", waiting, n);
	put_bytes("content", fd, bytes, n > 0 ? (size_t)n : 0);
}

/* --- the process ------------------------------------------------------------------------------------- */

static const char *who(pid_t pid)
{
	return pid == getpid() ? "self" : pid == getppid() ? "parent" : pid == 0 ? "none" : "other";
}

static void file_put(const char *path, const char *const *lines)
{
	char line[4096];
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof(line), f)) {
		bool wanted = !lines;

		for (size_t i = 0; lines && lines[i]; i++)
			wanted |= strncmp(line, lines[i], strlen(lines[i])) == 0;
		if (wanted)
			(void)fprintf(out, "%s %s", path, line);
	}
	if (f)
		(void)fclose(f);
}

static void signals_put(void)
{
	for (int sig = 1; sig <= 64; sig++) {
		struct sigaction now;

		if (sigaction(sig, NULL, &now) == 0)
			(void)fprintf(out, "signal %d %s flags %#x\n", sig,
				      now.sa_handler == SIG_IGN ? "ignored" : now.sa_handler == SIG_DFL ? "default" : "handled",
				      (unsigned)now.sa_flags);
	}
}

static void limits_put(void)
{
	for (int i = 0; i < RLIM_NLIMITS; i++) {
		struct rlimit limit;

		if (getrlimit((__rlimit_resource_t)i, &limit) == 0)
			(void)fprintf(out, "limit %d %llu %llu\n", i, (unsigned long long)limit.rlim_cur,
				      (unsigned long long)limit.rlim_max);
	}
}

static void process_put(void)
{
	static const char *const status[] = {
		"Umask:", "Uid:", "Gid:", "Groups:", "Threads:", "SigPnd:", "ShdPnd:", "SigBlk:", "SigIgn:", "SigCgt:", "Cap",
		"NoNewPrivs:", "Seccomp", "Speculation", "Cpus_allowed:", "Mems_allowed:", "THP_enabled:", NULL,
	};
	static const char *const spaces[] = { "mnt", "net", "pid", "user", "uts", "ipc", "cgroup", "time" };
	struct itimerval timer = { 0 };
	int death = -1, reaper = -1;
	char path[64], cwd[4096];

	(void)prctl(PR_GET_PDEATHSIG, &death);
	(void)prctl(PR_GET_CHILD_SUBREAPER, &reaper);
	(void)getitimer(ITIMER_REAL, &timer);
	(void)fprintf(out, "pgid %s sid %s foreground %s\n", who(getpgid(0)), who(getsid(0)), who(tcgetpgrp(0)));
	(void)fprintf(out, "death %d reaper %d dumpable %d keepcaps %d securebits %#x slack %d name-space %d\n", death, reaper,
		      prctl(PR_GET_DUMPABLE), prctl(PR_GET_KEEPCAPS), (unsigned)prctl(PR_GET_SECUREBITS),
		      prctl(PR_GET_TIMERSLACK), prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	(void)fprintf(out, "nice %d scheduler %ld ioprio %ld personality %#x timer %d secure %lu\n", getpriority(PRIO_PROCESS, 0),
		      syscall(SYS_sched_getscheduler, 0), syscall(SYS_ioprio_get, 1, 0), (unsigned)personality(0xffffffff),
		      timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0, getauxval(AT_SECURE));
	(void)fprintf(out, "cwd %s\n", getcwd(cwd, sizeof(cwd)) ? cwd : strerror(errno));
	file_put("/proc/self/status", status);
	file_put("/proc/self/cgroup", NULL);
	file_put("/proc/self/comm", NULL);
	file_put("/proc/self/oom_score_adj", NULL);
	file_put("/proc/self/coredump_filter", NULL);
	file_put("/proc/self/attr/current", NULL);
	file_put("/proc/thread-self/children", NULL);
	put_link("/proc/self/exe");
	put_link("/proc/self/root");
	for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
		(void)snprintf(path, sizeof(path), "/proc/self/ns/%s", spaces[i]);
		put_link(path);
	}
}

int main(int argc, char **argv, char **envp)
{
	const char *to = getenv("RECORD");

	fds_look();
	out = to ? fopen(to, "w") : NULL;
	if (!out)
		return 98;
	for (int i = 0; i < argc; i++)
		put_bytes("arg", i, argv[i], strlen(argv[i]));
	for (int i = 0; envp[i]; i++)
		put_bytes("env", i, envp[i], strlen(envp[i]));
	(void)fprintf(out, "execfn %s\n", (const char *)getauxval(AT_EXECFN));
	fds_put();
	content_put(0);
	signals_put();
	limits_put();
	process_put();
	if (fclose(out) != 0)
		return 98;
	return 42;
}
