/*
 * startwith.c - arrange what a program starts with, then become it
 *
 *	startwith [WORD ARGUMENT]... -- COMMAND [ARGUMENT]...
 *
 *	file N=PATH	PATH, open for reading and writing, as descriptor N
 *	lock N=PATH	the same, with a POSIX write lock on all of it
 *	tun N=NAME	a queue of the TAP NAME, attached in the way its flags ask for
 *	nocarrier N=NAME	the same, and its carrier is turned off
 *	plaintun N=NAME	the same without vnet_hdr and with packet information
 *	aside N=NAME	a queue without vnet_hdr that is put aside, as systemd-networkd keeps one; asidevnet: with it
 *	socket FILE	standard input is a stream socket, FILE's bytes come from its other end, which stays open
 *	slowly FILE	standard input is a pipe, FILE's bytes come one by one, 1 ms apart
 *	halves FILE	standard input is a pipe, FILE's bytes come in two pieces with 300 ms between them
 *	silent -	standard input is a pipe on which nothing comes and which stays open
 *	block SIGNAL, ignore SIGNAL
 *	close N		the descriptor N; "closefrom N": and all above it
 *
 *	startwith locked PATH	who else holds a lock on PATH; status 1 when nobody does
 */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/if_tun.h>

static void die(const char *what)
{
	perror(what);
	exit(99);
}

static void put_at(int fd, int number)
{
	if (fd == number)
		return;
	if (dup2(fd, number) < 0)
		die("dup2");
	(void)close(fd);
}

static int open_file(const char *path)
{
	const int fd = open(path, O_RDWR);

	if (fd < 0)
		die(path);
	return fd;
}

static void lock(int fd)
{
	const struct flock all = { .l_type = F_WRLCK };

	if (fcntl(fd, F_SETLK, &all) < 0)
		die("F_SETLK");
}

static void attach(int fd, const char *name, short flags)
{
	struct ifreq ifr = { .ifr_flags = flags };

	(void)snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	if (ioctl(fd, TUNSETIFF, &ifr) == 0)
		return;
	ifr.ifr_flags |= IFF_MULTI_QUEUE;
	if (ioctl(fd, TUNSETIFF, &ifr) < 0)
		die(name);
}

static void put_aside(int fd)
{
	if (ioctl(fd, TUNSETQUEUE, &(struct ifreq){ .ifr_flags = IFF_DETACH_QUEUE }) < 0)
		die("TUNSETQUEUE");
}

static void put_whole(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		const ssize_t n = write(fd, bytes, len);

		if (n <= 0)
			exit(0);	/* nobody reads any more */
		bytes += n;
		len -= (size_t)n;
	}
}

/* A child that writes path's bytes to a new standard input of ours, piece by piece, and leaves it open. */
static void feed(const char *path, bool socket, size_t piece, long pause_ms)
{
	static char text[1 << 20];
	const struct timespec pause = { pause_ms / 1000, pause_ms % 1000 * 1000000 };
	FILE *f = path ? fopen(path, "r") : NULL;
	const size_t len = f ? fread(text, 1, sizeof(text), f) : 0;
	const pid_t reader = getpid();
	int ends[2];

	if (socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends))
		die("feed");
	if (fork() == 0) {
		put_at(ends[1], 0);
		(void)close_range(1, ~0U, 0);
		(void)signal(SIGPIPE, SIG_IGN);
		if (piece == 0)
			piece = len / 2 + 1;
		for (size_t i = 0; i < len; i += piece) {
			put_whole(0, text + i, len - i < piece ? len - i : piece);
			(void)nanosleep(&pause, NULL);
		}
		while (getppid() == reader)
			(void)nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
		_exit(0);
	}
	(void)close(ends[1]);
	put_at(ends[0], 0);
}

static int locked(const char *path)
{
	struct flock all = { .l_type = F_WRLCK };

	if (fcntl(open_file(path), F_GETLK, &all) < 0)
		die(path);
	if (all.l_type == F_UNLCK)
		return 1;
	(void)printf("%ld\n", (long)all.l_pid);
	return 0;
}

static void arrange(const char *word, char *arg)
{
	char *equal = strchr(arg, '=');
	const char *path = equal ? equal + 1 : arg;
	const int number = atoi(arg);
	int fd;

	if (strcmp(word, "file") == 0) {
		put_at(open_file(path), number);
	} else if (strcmp(word, "lock") == 0) {
		put_at(open_file(path), number);
		lock(number);
	} else if (strcmp(word, "tun") == 0) {
		fd = open_file("/dev/net/tun");
		attach(fd, path, IFF_TAP | IFF_NO_PI | IFF_VNET_HDR);
		put_at(fd, number);
	} else if (strcmp(word, "nocarrier") == 0) {
		fd = open_file("/dev/net/tun");
		attach(fd, path, IFF_TAP | IFF_NO_PI | IFF_VNET_HDR);
		if (ioctl(fd, TUNSETCARRIER, &(int){ 0 }) < 0)
			die("TUNSETCARRIER");
		put_at(fd, number);
	} else if (strcmp(word, "plaintun") == 0) {
		fd = open_file("/dev/net/tun");
		attach(fd, path, IFF_TAP);
		put_at(fd, number);
	} else if (strcmp(word, "aside") == 0 || strcmp(word, "asidevnet") == 0) {
		fd = open_file("/dev/net/tun");
		attach(fd, path, IFF_TAP | IFF_NO_PI | (word[5] ? IFF_VNET_HDR : 0));
		put_aside(fd);
		put_at(fd, number);
	} else if (strcmp(word, "socket") == 0) {
		feed(arg, true, 1 << 16, 0);
	} else if (strcmp(word, "slowly") == 0) {
		feed(arg, false, 1, 1);
	} else if (strcmp(word, "halves") == 0) {
		feed(arg, false, 0, 300);
	} else if (strcmp(word, "silent") == 0) {
		feed(NULL, false, 1, 0);
	} else if (strcmp(word, "ignore") == 0) {
		(void)signal(number, SIG_IGN);
	} else if (strcmp(word, "block") == 0) {
		sigset_t set;

		(void)sigemptyset(&set);
		(void)sigaddset(&set, number);
		(void)sigprocmask(SIG_BLOCK, &set, NULL);
	} else if (strcmp(word, "close") == 0) {
		(void)close(number);
	} else if (strcmp(word, "closefrom") == 0) {
		(void)close_range((unsigned)number, ~0U, 0);
	} else {
		(void)fprintf(stderr, "startwith: %s\n", word);
		exit(99);
	}
}

int main(int argc, char **argv)
{
	int i = 1;

	if (argc == 3 && strcmp(argv[1], "locked") == 0)
		return locked(argv[2]);
	for (; i + 1 < argc && strcmp(argv[i], "--") != 0; i += 2)
		arrange(argv[i], argv[i + 1]);
	(void)execvp(argv[i + 1], argv + i + 1);
	die(argv[i + 1]);
}
