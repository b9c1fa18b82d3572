/*
 * fakehelper.c - a stand-in for qemu-bridge-helper that does one thing wrong, or everything right
 *
 * Started by qemu-handoff as qemu-bridge-helper --use-vnet --fd=N --br=NAME, with an empty environment:
 * what to do is the name of the bridge.
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
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/sockios.h>

extern char **environ;

static _Noreturn void say(const char *text)
{
	(void)fprintf(stderr, "%s\n", text);
	exit(1);
}

static int tap(int flags)
{
	struct ifreq ifr = { .ifr_flags = (short)flags };
	const int fd = open("/dev/net/tun", O_RDWR);

	if (fd < 0 || (flags && ioctl(fd, TUNSETIFF, &ifr) < 0))
		say("fakehelper: no TAP");
	return fd;
}

/* A TAP that is a port of the bridge and up. */
static int port(const char *bridge, int flags)
{
	const int fd = tap(flags), ctl = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq ifr = { 0 }, add = { 0 };

	if (ctl < 0 || ioctl(fd, TUNGETIFF, &ifr) < 0 || ioctl(ctl, SIOCGIFINDEX, &ifr) < 0)
		say("fakehelper: no index");
	(void)snprintf(add.ifr_name, sizeof(add.ifr_name), "%s", bridge);
	add.ifr_ifindex = ifr.ifr_ifindex;
	if (ioctl(ctl, SIOCBRADDIF, &add) < 0)
		say("fakehelper: not added to the bridge");
	(void)close(ctl);
	return fd;
}

static void put(int socket, const char *bytes, size_t len, const int *fds, size_t n)
{
	static union { char buf[CMSG_SPACE(253 * sizeof(int))]; struct cmsghdr align; } control;
	char text[64];
	struct iovec iov = { .iov_base = text, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	memcpy(text, bytes, len);
	if (n > 0) {
		struct cmsghdr *c;

		msg.msg_control = control.buf;
		msg.msg_controllen = CMSG_SPACE(n * sizeof(int));
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(n * sizeof(int));
		memcpy(CMSG_DATA(c), fds, n * sizeof(int));
	}
	if (sendmsg(socket, &msg, 0) < 0)
		say("fakehelper: sendmsg");
}

static void put_one(int socket, int fd)
{
	put(socket, "", 1, &fd, 1);
}

/* Is this process started as helper.c promises? */
static void check_start(int socket)
{
	struct stat st, null;
	sigset_t blocked;

	if (environ[0])
		say("fakehelper: the environment is not empty");
	(void)stat("/dev/null", &null);
	for (int fd = 0; fd < 1024; fd++) {
		const bool open = fstat(fd, &st) == 0;

		if (fd < 2 && !(open && st.st_rdev == null.st_rdev))
			say("fakehelper: 0 or 1 is not /dev/null");
		if (fd == 2 && !(open && S_ISFIFO(st.st_mode)))
			say("fakehelper: 2 is not a pipe");
		if (fd > 2 && open != (fd == socket))
			say("fakehelper: a descriptor more or less than the socket is open");
	}
	(void)sigprocmask(SIG_BLOCK, NULL, &blocked);
	for (int sig = 1; sig < 32; sig++) {
		struct sigaction now;

		if (sigismember(&blocked, sig) || (sigaction(sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN))
			say("fakehelper: a signal is blocked or ignored");
	}
}

static void send_many(int socket)
{
	int fds[200];

	for (size_t i = 0; i < 200; i++)
		fds[i] = 2;
	put(socket, "", 1, fds, 200);
}

int main(int argc, char **argv)
{
	enum { GOOD = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR };
	const int socket = argc == 4 ? atoi(argv[2] + strlen("--fd=")) : -1;
	const char *what = argc == 4 ? argv[3] + strlen("--br=") : "";
	const struct { const char *what, *text; } texts[] = {
		{ "acl",	"access denied by acl file" },
		{ "parse",	"failed to parse default acl file `/etc/qemu/bridge.conf'" },
		{ "perm",	"failed to create tun device: Operation not permitted" },
		{ "open",	"failed to open /dev/net/tun: Permission denied" },
		{ "mtu",	"failed to get mtu of bridge `mtu': No such device" },
		{ "add",	"failed to add interface `tap0' to bridge `add': Device or resource busy" },
		{ "binary",	"\001\033[31m\377\n{\"level\":\"error\"}" },
	};

	if (argc != 4 || strcmp(argv[1], "--use-vnet") != 0)
		say("fakehelper: started with other words");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strcmp(what, texts[i].what) == 0)
			say(texts[i].text);
	if (strcmp(what, "right") == 0) {
		check_start(socket);
		put_one(socket, port(what, GOOD));
	} else if (strcmp(what, "apart") == 0) {
		put_one(socket, tap(GOOD));
	} else if (strcmp(what, "astray") == 0) {
		put_one(socket, port("right", GOOD));
	} else if (strcmp(what, "hang") == 0) {
		(void)signal(SIGTERM, SIG_IGN);
		for (;;)
			(void)pause();
	} else if (strcmp(what, "late") == 0) {
		put_one(socket, tap(GOOD));
		for (;;)
			(void)pause();
	} else if (strcmp(what, "endless") == 0) {
		while (write(2, "rubbish without an end, rubbish without an end\n", 47) > 0)
			;
	} else if (strcmp(what, "silent") == 0) {
		return 0;
	} else if (strcmp(what, "nofd") == 0) {
		put(socket, "", 1, NULL, 0);
	} else if (strcmp(what, "text") == 0) {
		const int fd = tap(GOOD);

		put(socket, "hello", 5, &fd, 1);
	} else if (strcmp(what, "one") == 0) {
		const int fd = tap(GOOD);

		put(socket, "\001", 1, &fd, 1);
	} else if (strcmp(what, "two") == 0) {
		put(socket, "", 1, (const int[]){ tap(GOOD), tap(GOOD) }, 2);
	} else if (strcmp(what, "twice") == 0) {
		put_one(socket, tap(GOOD));
		put_one(socket, tap(GOOD));
	} else if (strcmp(what, "many") == 0) {
		send_many(socket);
	} else if (strcmp(what, "null") == 0) {
		put_one(socket, open("/dev/null", O_RDWR));
	} else if (strcmp(what, "itself") == 0) {
		put_one(socket, socket);
	} else if (strcmp(what, "unattached") == 0) {
		put_one(socket, tap(0));
	} else if (strcmp(what, "nohdr") == 0) {
		put_one(socket, tap(IFF_TAP | IFF_NO_PI));
	} else if (strcmp(what, "tun") == 0) {
		put_one(socket, tap(IFF_TUN | IFF_NO_PI | IFF_VNET_HDR));
	} else if (strcmp(what, "signal") == 0) {
		(void)raise(SIGKILL);
	} else if (strcmp(what, "status") == 0) {
		put_one(socket, tap(GOOD));
		return 3;
	} else {
		say("fakehelper: no such mode");
	}
	return 0;
}
