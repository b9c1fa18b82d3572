/*
 * crossed.c - a stand-in for QEMU that holds its descriptors against its words
 *
 *	... -name LINK:DEVICE ... -netdev tap,id=...,fds=N:M,...
 *
 * Every number in fds= is an open file of its own: a queue of the link LINK (TUNGETIFF), of the device number
 * DEVICE ("MAJOR:MINOR"), and nothing else of a device is open. What is left on stdin is this launch's own line,
 * "LINK". Prints "fine LINK", or what is wrong; then stays until it reads an end of file there.
 */
#include "config.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/if_tun.h>

enum { FDS = 256 };

static const char *link_name;
static char device[32];

static int wrong(const char *what, int fd)
{
	(void)printf("wrong %s: %s (descriptor %d)\n", link_name, what, fd);
	return 1;
}

static int check_queue(int fd)
{
	struct ifreq ifr = { 0 };
	char number[32];
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISCHR(st.st_mode))
		return wrong("no device", fd);
	(void)snprintf(number, sizeof(number), "%u:%u", major(st.st_rdev), minor(st.st_rdev));
	if (strcmp(number, device) != 0)
		return wrong(number, fd);
	if (ioctl(fd, TUNGETIFF, &ifr) < 0 || strcmp(ifr.ifr_name, link_name) != 0)
		return wrong(ifr.ifr_name, fd);
	return fcntl(fd, F_GETFD) == 0 ? 0 : wrong("it is close-on-exec", fd);
}

/* One open file with two numbers is one queue: what is set through one number shows through the other. */
static int check_separate(int fd, const bool *named)
{
	const int flags = fcntl(fd, F_GETFL);
	int ret = 0;

	(void)fcntl(fd, F_SETFL, flags ^ O_NONBLOCK);
	for (int other = 0; other < FDS; other++)
		if (named[other] && other != fd && (fcntl(other, F_GETFL) & O_NONBLOCK) != (flags & O_NONBLOCK))
			ret = wrong("one open file with another", fd);
	(void)fcntl(fd, F_SETFL, flags);
	return ret;
}

static int check_netdev(const char *value, bool *named)
{
	const char *list = strstr(value, ",fds=");
	int ret = 0, n = 0;

	for (list = list ? list + 5 : ""; *list >= '0' && *list <= '9'; n++) {
		char *end;
		const long fd = strtol(list, &end, 10);

		if (fd >= FDS || named[fd])
			return wrong("a number twice", (int)fd);
		named[fd] = true;
		ret |= check_queue((int)fd) | check_separate((int)fd, named);
		list = end + (*end == ':');
	}
	return n == 2 ? ret : wrong("not two queues", -1);
}

static int check_rest(const bool *named)
{
	struct stat st;

	for (int fd = 3; fd < FDS; fd++)
		if (!named[fd] && fstat(fd, &st) == 0)
			return wrong("not planned, and open", fd);
	return 0;
}

int main(int argc, char **argv)
{
	bool named[FDS] = { false };
	char line[256] = "";
	int ret = 0, nics = 0;

	for (int i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], "-name") == 0) {
			link_name = strtok(argv[i + 1], ":");
			(void)snprintf(device, sizeof(device), "%s", strtok(NULL, ""));
		}
	}
	for (int i = 1; i + 1 < argc; i++)
		if (strcmp(argv[i], "-netdev") == 0 && ++nics)
			ret |= check_netdev(argv[i + 1], named);
	if (nics != 1)
		ret |= wrong("not one netdev", nics);
	ret |= check_rest(named);
	if (!fgets(line, sizeof(line), stdin) || strncmp(line, link_name, strlen(link_name)) != 0 || line[strlen(link_name)] != '\n')
		ret |= wrong(line, 0);
	if (ret == 0)
		(void)printf("fine %s\n", link_name);
	(void)fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
	}
	return ret;
}
