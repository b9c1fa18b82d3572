/*
 * typist.c - run in QEMU's place on a terminal, tries to type into it, and what else one allows
 *
 *   TYPIST_OUT=FILE TYPIST_DIR=DIR [TYPIST_WAY=x32|i386] typist [ANYTHING]...
 *
 * Writes a line to FILE for each request: its name and "done", or the error. What is typed is a
 * command for the shell that owns the terminal: touch DIR/WAY. With TYPIST_WAY only that way is
 * tried, because a filter may end the process for it. Words are ignored: they are QEMU's.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

static FILE *out;
static const char *dir;

static void say(const char *name, int r)
{
	(void)fprintf(out, "%s: %s\n", name, r >= 0 ? "done" : strerrorname_np(errno));
	(void)fflush(out);
}

static long ask(int fd, unsigned long request, const void *arg)
{
	return syscall(SYS_ioctl, fd, request, arg);
}

/* A command for the shell, and so many upper bits that the kernel does not look at. */
static int type(int fd, const char *name, unsigned long upper)
{
	char text[4200];

	(void)snprintf(text, sizeof(text), "touch %s/%s\n", dir, name);
	for (const char *at = text; *at; at++)
		if (ask(fd, TIOCSTI | upper, at) < 0)
			return -1;
	return 0;
}

static void *type_in_thread(void *unused)
{
	say("thread", type(0, "thread", 0));
	return unused;
}

static void type_all(void)
{
	const int tty = open("/dev/tty", O_RDWR | O_CLOEXEC), copy = dup(0);
	pthread_t thread;

	say("stdin", type(0, "stdin", 0));
	say("copy", type(copy, "copy", 0));
	say("dev-tty", type(tty, "dev-tty", 0));
	say("upper-half", type(0, "upper-half", 1UL << 32));
	say("upper-bits", type(0, "upper-bits", 0xffffffffUL << 32));
	if (pthread_create(&thread, NULL, type_in_thread, NULL) == 0)
		(void)pthread_join(thread, NULL);
}

static const struct { const char *name; unsigned long request; } others[] = {
	{ "TIOCLINUX", TIOCLINUX },	{ "TIOCSETD", TIOCSETD },
	{ "KDSKBENT", KDSKBENT },	{ "KDSKBSENT", KDSKBSENT },
	{ "KDSETKEYCODE", KDSETKEYCODE }, { "KDSKBDIACR", KDSKBDIACR },
	{ "KDSKBDIACRUC", KDSKBDIACRUC },
};

static void ask_others(void)
{
	int argument[256] = { 0 };	/* line discipline 0 is the one that is there */

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		say(others[i].name, (int)ask(0, others[i].request, argument));
		(void)fprintf(out, "upper ");
		say(others[i].name, (int)ask(0, others[i].request | 1UL << 32, argument));
	}
}

static void own_signals(void)
{
	const int self = getpid();
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
		return;
	say("FIOSETOWN", (int)ask(pair[0], FIOSETOWN, &self));
	say("SIOCSPGRP", (int)ask(pair[0], SIOCSPGRP, &self));
}

/* What an interactive program needs of its terminal. */
static void use_terminal(void)
{
	struct winsize size;
	struct termios settings;
	int n, group = -1;

	say("TCGETS", tcgetattr(0, &settings));
	say("TCSETS", tcsetattr(0, TCSADRAIN, &settings));
	say("TIOCGWINSZ", (int)ask(0, TIOCGWINSZ, &size));
	say("FIONREAD", (int)ask(0, FIONREAD, &n));
	say("TIOCGPGRP", (int)ask(0, TIOCGPGRP, &group));
	say("TIOCSPGRP", (int)ask(0, TIOCSPGRP, &group));
}

static void count_filters(void)
{
	char line[256];
	FILE *status = fopen("/proc/self/status", "re");

	while (status && fgets(line, sizeof(line), status))
		if (strncmp(line, "Seccomp_filters:", 16) == 0)
			(void)fprintf(out, "filters: %ld\n", strtol(line + 16, NULL, 10));
	if (status)
		(void)fclose(status);
}

/* The other tables of calls; an empty line is typed. */
static int type_x32(void)
{
	return (int)syscall(0x40000000 + 514, 0, TIOCSTI, "\n");
}

static int type_i386(void)
{
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	int ret;

	if (low == MAP_FAILED)
		return -1;
	*low = '\n';
	__asm__ volatile("push %%rbx\n\tmov $0, %%ebx\n\tint $0x80\n\tpop %%rbx"
			 : "=a"(ret) : "a"(54), "c"(TIOCSTI), "d"((uint32_t)(uintptr_t)low)
			 : "memory", "cc", "r8", "r9", "r10", "r11");
	errno = -ret;
	return ret < 0 ? -1 : 0;
}

int main(void)
{
	const char *way = getenv("TYPIST_WAY"), *path = getenv("TYPIST_OUT");

	dir = getenv("TYPIST_DIR");
	out = path ? fopen(path, "ae") : NULL;
	if (!out || !dir)
		return 2;
	if (way) {
		say(way, strcmp(way, "x32") == 0 ? type_x32() : type_i386());
		return 0;
	}
	count_filters();
	use_terminal();
	ask_others();
	own_signals();
	type_all();
	return 0;
}
