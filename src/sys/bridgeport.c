/*
 * bridgeport.c - is a link a port of a bridge of this network namespace?
 *
 * The bridge is asked for its ports: netlink is for looking only, and sysfs may show another
 * namespace. The call needs no privilege (Linux, net/bridge/br_ioctl.c).
 */
#include "config.h"

#include "sys/bridgeport.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <linux/if.h>
#include <linux/if_bridge.h>
#include <linux/sockios.h>

#include "sys/fd.h"

enum { PORTS_MAX = 1024 };	/* BR_MAX_PORTS of the kernel; a port's number is below it */

static int call(int fd, unsigned long request, const char *name, struct ifreq *ifr)
{
	(void)snprintf(ifr->ifr_name, sizeof(ifr->ifr_name), "%s", name);
	return ioctl(fd, request, ifr) < 0 ? errno : 0;
}

int bridgeport_is(const char *bridge, const char *port, bool *ret)
{
	int ports[PORTS_MAX] = { 0 };
	unsigned long args[4] = { BRCTL_GET_PORT_LIST, (uintptr_t)ports, PORTS_MAX };
	struct ifreq index = { 0 }, list = { .ifr_data = (void *)args };
	AUTO_FD fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool found = false;
	int err;

	if (fd < 0)
		return errno;
	err = call(fd, SIOCGIFINDEX, port, &index);
	err = err ? err : call(fd, SIOCDEVPRIVATE, bridge, &list);
	if (err != 0)
		return err;
	for (unsigned i = 0; i < PORTS_MAX; i++)
		found |= ports[i] != 0 && ports[i] == index.ifr_ifindex;
	*ret = found;
	return 0;
}
