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

enum { GOOD = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR };

/* --- what it says of a failure, with status 1 ------------------------------------------------------------- */

static const struct { const char *name, *text; } texts[] = {
	{ "acl",	"access denied by acl file" },
	{ "parse",	"failed to parse default acl file `/etc/qemu/bridge.conf'" },
	{ "perm",	"failed to create tun device: Operation not permitted" },
	{ "open",	"failed to open /dev/net/tun: Permission denied" },
	{ "mtu",	"failed to get mtu of bridge `mtu': No such device" },
	{ "add",	"failed to add interface `tap0' to bridge `add': Device or resource busy" },
	{ "binary",	"\001\033[31m\377\n{\"level\":\"error\"}" },
};

/* --- what it does; the status that it ends with ----------------------------------------------------------- */

static _Noreturn void wait_forever(void)
{
	for (;;)
		(void)pause();
}

static int right(int socket) { check_start(socket); put_one(socket, port("right", GOOD)); return 0; }
static int apart(int socket) { put_one(socket, tap(GOOD)); return 0; }
static int astray(int socket) { put_one(socket, port("right", GOOD)); return 0; }
static int hang(int socket) { (void)socket; (void)signal(SIGTERM, SIG_IGN); wait_forever(); }
static int late(int socket) { put_one(socket, tap(GOOD)); wait_forever(); }
static int endless(int socket)
{
	(void)socket;
	while (write(2, "rubbish without an end, rubbish without an end\n", 47) > 0)
		;
	return 0;
}
static int silent(int socket) { (void)socket; return 0; }
static int nofd(int socket) { put(socket, "", 1, NULL, 0); return 0; }
static int text(int socket) { put(socket, "hello", 5, (const int[]){ tap(GOOD) }, 1); return 0; }
static int one(int socket) { put(socket, "\001", 1, (const int[]){ tap(GOOD) }, 1); return 0; }
static int two(int socket) { put(socket, "", 1, (const int[]){ tap(GOOD), tap(GOOD) }, 2); return 0; }
static int twice(int socket) { put_one(socket, tap(GOOD)); put_one(socket, tap(GOOD)); return 0; }
static int many(int socket) { send_many(socket); return 0; }
static int null(int socket) { put_one(socket, open("/dev/null", O_RDWR)); return 0; }
static int itself(int socket) { put_one(socket, socket); return 0; }
static int unattached(int socket) { put_one(socket, tap(0)); return 0; }
static int nohdr(int socket) { put_one(socket, tap(IFF_TAP | IFF_NO_PI)); return 0; }
static int tun(int socket) { put_one(socket, tap(IFF_TUN | IFF_NO_PI | IFF_VNET_HDR)); return 0; }
static int by_signal(int socket) { (void)socket; (void)raise(SIGKILL); return 0; }
static int by_status(int socket) { put_one(socket, tap(GOOD)); return 3; }

static const struct { const char *name; int (*act)(int socket); } acts[] = {
	{ "right", right }, { "apart", apart }, { "astray", astray }, { "hang", hang }, { "late", late },
	{ "endless", endless }, { "silent", silent }, { "nofd", nofd }, { "text", text }, { "one", one },
	{ "two", two }, { "twice", twice }, { "many", many }, { "null", null }, { "itself", itself },
	{ "unattached", unattached }, { "nohdr", nohdr }, { "tun", tun }, { "signal", by_signal }, { "status", by_status },
};

int main(int argc, char **argv)
{
	const int socket = argc == 4 ? atoi(argv[2] + strlen("--fd=")) : -1;
	const char *name = argc == 4 ? argv[3] + strlen("--br=") : "";

	if (argc != 4 || strcmp(argv[1], "--use-vnet") != 0)
		say("fakehelper: started with other words");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strcmp(name, texts[i].name) == 0)
			say(texts[i].text);
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
		if (strcmp(name, acts[i].name) == 0)
			return acts[i].act(socket);
	say("fakehelper: no such mode");
}
