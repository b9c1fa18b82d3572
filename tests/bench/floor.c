/*
 * floor.c - the same launch by hand: what a program costs that knows everything beforehand
 *
 *	floor QEMU QUEUES IFNAME...
 *
 * Static, without JSON, allocation or any message. It asks netlink for each link, reads its number in
 * sysfs, opens and verifies the queues, sets no_new_privs, loads the filter and executes QEMU, with the
 * words that qemu-handoff would emit. It skips what makes a tool of it: every error is exit(1).
 */
#include "config.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>

#include "seccomp/filter.h"
#include "seccomp/emptypath.h"

enum { QEMU_FD = 4096 };

static void need(int good)
{
	if (!good)
		_exit(1);
}

static unsigned ask(int nl, const char *name)
{
	struct { struct nlmsghdr h; struct ifinfomsg i; struct rtattr a; char name[IFNAMSIZ]; } q = {
		.h = { .nlmsg_len = sizeof(q), .nlmsg_type = RTM_GETLINK, .nlmsg_flags = NLM_F_REQUEST },
		.a = { .rta_len = RTA_LENGTH(IFNAMSIZ), .rta_type = IFLA_IFNAME },
	};
	static char answer[32768];

	memcpy(q.name, name, strlen(name));
	need(send(nl, &q, sizeof(q), 0) == (ssize_t)sizeof(q) && recv(nl, answer, sizeof(answer), 0) > 0);
	return (unsigned)((struct ifinfomsg *)NLMSG_DATA(answer))->ifi_index;
}

/* "246:3" */
static dev_t number(const char *path)
{
	char text[32] = "", *colon;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned major_number;

	need(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	major_number = (unsigned)strtoul(text, &colon, 10);
	return makedev(major_number, strtoul(colon + 1, NULL, 10));
}

static void open_queues(int nl, const char *name, unsigned queues)
{
	char path[64], sys[96];
	const unsigned index = ask(nl, name);
	struct ifreq ifr;
	struct stat st;
	dev_t dev;

	(void)sprintf(sys, "/sys/class/net/%s/tap%u/dev", name, index);
	(void)sprintf(path, "/dev/tap%u", index);
	dev = number(sys);
	need(stat(path, &st) == 0 && S_ISCHR(st.st_mode) && st.st_rdev == dev);
	for (unsigned q = 0; q < queues; q++) {
		const int fd = open(path, O_RDWR);

		need(fd >= 0 && fstat(fd, &st) == 0 && st.st_rdev == dev && ioctl(fd, TUNGETIFF, &ifr) == 0 &&
		     strcmp(ifr.ifr_name, name) == 0);
	}
}

static void load(const struct filter_exec *exec)
{
	struct sock_filter prog[FILTER_PROFILE_MAX];
	const int len = filter_get(FILTER_ERRNO, 0, exec, prog, FILTER_PROFILE_MAX);

	need(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && filter_load(prog, (size_t)len, false) == 0);
}

int main(int argc, char **argv)
{
	const unsigned queues = argc > 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	struct rlimit limit = { QEMU_FD, QEMU_FD };
	char text[4096], *words[] = { argv[1], NULL }, *none[] = { NULL };
	const char *last;
	int nl, fd;

	need(queues > 0 && read(0, text, sizeof(text)) >= 0);
	nl = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	/* out of the way of the numbers that QEMU is told */
	need(nl >= 0 && dup3(nl, 1000, O_CLOEXEC) == 1000);
	close(nl);
	for (int i = 3; i < argc; i++)
		open_queues(1000, argv[i], queues);
	fd = open(argv[1], O_PATH | O_CLOEXEC);
	last = emptypath_map();
	need(fd >= 0 && dup3(fd, QEMU_FD - 1, O_CLOEXEC) == QEMU_FD - 1 && last);
	limit.rlim_cur = limit.rlim_max = QEMU_FD - 1;
	need(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	load(&(struct filter_exec){ .fd = QEMU_FD - 1, .path = (uintptr_t)last });
	(void)syscall(SYS_execveat, QEMU_FD - 1, last, words, none, AT_EMPTY_PATH);
	return 1;
}
