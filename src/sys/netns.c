/*
 * netns.c - whose the network namespace is
 *
 * NS_GET_USERNS (ioctl_ns(2), Linux 4.9) gives the user namespace that owns another one, and EPERM
 * where that is neither ours nor below ours (kernel/nsproxy.c, ns_get_owner()).
 */
#include "config.h"

#include "sys/netns.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>

#include <linux/nsfs.h>

#include "sys/fd.h"

bool netns_is_ours(void)
{
	AUTO_FD net = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	AUTO_FD user = net < 0 ? -1 : ioctl(net, NS_GET_USERNS);

	return net < 0 || user >= 0 || errno != EPERM;
}
