/*
 * macvtap.c - queues of a macvtap (or ipvtap) link, each an open of its /dev/tapN
 *
 * /dev is shared by all network namespaces while N, the ifindex, is counted in each of them: the node
 * of that name may be another tenant's link, and open() would attach to it without a word (seen on
 * Linux 6.1, 6.12 and 6.18). So the node must carry the number that sysfs gives for this very link,
 * and sysfs must show the namespace that netlink answered from.
 */
#include "config.h"

#include "mode/mode.h"

#include <errno.h>
#include <string.h>

/* Whom messages are about: the name, or "ifindex 7" while there is none. */
static const char *link_name(const struct ruling *ru)
{
	if (ru->nic->ifname)
		return ru->nic->ifname;
	return ru->nf->link.err == 0 ? ru->nf->link.name : arena_printf(ru->mem, "ifindex %u", ru->nic->ifindex);
}

static int check_ifindex(const struct ruling *ru)
{
	if (!ru->nic->ifname || ru->nic->ifindex == 0 || ru->nic->ifindex == ru->nf->link.ifindex)
		return 0;
	(void)diag_add(ru->ds, DIAG_LINK_IFINDEX, 0, KEY(ru->nic->at, "ifindex"), ru->nic->ifname,
		       "the link has ifindex %u, not %u", ru->nf->link.ifindex, ru->nic->ifindex);
	diag_hint(ru->ds, "the link was made again: look its ifindex up again");
	return -1;
}

static int sysfs_unreadable(const struct ruling *ru, const struct where *at)
{
	const struct sysfs *sysfs = &ru->nf->sysfs;

	if (sysfs->err == ENOENT) {
		(void)diag_add(ru->ds, DIAG_SYSFS_OTHER_NAMESPACE, ENOENT, at, sysfs->file,
			       "sysfs does not show the link '%s' with ifindex %u", ru->nf->link.name,
			       ru->nf->link.ifindex);
		diag_hint(ru->ds, "mount the sysfs of this network namespace on /sys, as 'ip netns exec' does");
		return -1;
	}
	(void)diag_add(ru->ds, DIAG_SYSFS_UNREADABLE, sysfs->err, at, sysfs->file,
		       "the device number of '%s' cannot be known", ru->nf->link.name);
	diag_hint(ru->ds, "allow reading it; in an AppArmor profile: /sys/devices/virtual/net/** r,");
	return -1;
}

static int check_sysfs(const struct ruling *ru)
{
	const struct where *at = KEY(ru->nic->at, ru->nic->ifname ? "ifname" : "ifindex");
	const struct sysfs *sysfs = &ru->nf->sysfs;
	const struct link *link = &ru->nf->link;

	if (sysfs->err != 0)
		return sysfs_unreadable(ru, at);
	if (sysfs->ifindex == link->ifindex && mac_equal(sysfs->mac, link->mac))
		return 0;
	(void)diag_add(ru->ds, DIAG_SYSFS_OTHER_NAMESPACE, 0, at, sysfs->file,
		       "sysfs shows ifindex %u address " MAC_FMT ", this namespace has ifindex %u address " MAC_FMT,
		       sysfs->ifindex, MAC_ARG(sysfs->mac), link->ifindex, MAC_ARG(link->mac));
	diag_hint(ru->ds, "mount the sysfs of this network namespace on /sys, as 'ip netns exec' does");
	return -1;
}

static int wrong_node(const struct ruling *ru, const struct where *at)
{
	const struct node *node = &ru->nf->node;

	(void)diag_add(ru->ds, DIAG_NODE_WRONG_DEVICE, 0, at, node->path,
		       "is %u:%u, the link '%s' is %u:%u: the node belongs to a link of another network namespace",
		       node->major, node->minor, ru->nf->link.name, ru->nf->sysfs.major, ru->nf->sysfs.minor);
	diag_hint(ru->ds, "make the link again with an ifindex that is unique on this host (ip link add ... index N)");
	return -1;
}

static int check_node(const struct ruling *ru)
{
	const struct where *at = KEY(ru->nic->at, ru->nic->ifname ? "ifname" : "ifindex");
	const struct node *node = &ru->nf->node;
	const struct sysfs *sysfs = &ru->nf->sysfs;

	if (node->err == 0 && node->is_chr && (node->major != sysfs->major || node->minor != sysfs->minor))
		return wrong_node(ru, at);
	return rule_node(ru, at, node, sysfs->major, sysfs->minor, node->err == 0 ? "" :
			 arena_printf(ru->mem, "mknod -m 600 %s c %u %u", node->path, sysfs->major, sysfs->minor));
}

static int check(const struct ruling *ru)
{
	static const char *const kinds[] = { "macvtap", "ipvtap", NULL };

	if (rule_link(ru, ru->nic->ifname ? "ifname" : "ifindex", link_name(ru), kinds) < 0 ||
	    check_ifindex(ru) < 0)
		return -1;
	return rule_expect(ru) | (check_sysfs(ru) < 0 ? -1 : check_node(ru));
}

static unsigned offers(const struct nic_facts *nf)
{
	return nf->link.tx_queues < nf->link.rx_queues ? nf->link.tx_queues : nf->link.rx_queues;
}

static int over(const struct ruling *ru, const struct where *at, unsigned offered)
{
	(void)diag_add(ru->ds, DIAG_QUEUES_OVER_LINK, 0, at, ru->nf->link.name,
		       "%u queue pairs on a link made with %u: frames will share its queues", ru->plan->queues, offered);
	diag_hint(ru->ds, "ip link add ... numtxqueues %u numrxqueues %u type macvtap", ru->plan->queues,
		  ru->plan->queues);
	return 0;
}

/* The guest's address is the link's, unless the descriptor gives one: frames are filtered by it. */
static int settle(const struct ruling *ru)
{
	const struct link *link = &ru->nf->link;

	if (ru->nic->in_argv && ru->nic->has_device && !ru->nic->has_mac && link->has_mac) {
		(void)diag_add(ru->ds, DIAG_MAC_DIFFERS, 0, KEY(ru->nic->at, "netdev"), link->name,
			       "argv gives the device no address, and QEMU's own is not the link's " MAC_FMT
			       ": the link drops frames to it", MAC_ARG(link->mac));
		diag_hint(ru->ds, "add mac=" MAC_FMT " to the device", MAC_ARG(link->mac));
	} else if (!ru->nic->has_mac && !ru->nic->in_argv && link->has_mac) {
		ru->plan->has_mac = true;
		ru->plan->mac = link->mac;
	} else if (ru->nic->has_mac && link->has_mac && !mac_equal(ru->nic->mac, link->mac)) {
		(void)diag_add(ru->ds, DIAG_MAC_DIFFERS, 0, KEY(ru->nic->at, "mac"), link->name,
			       "the guest's address " MAC_FMT " is not the link's " MAC_FMT
			       ": the link drops frames to it", MAC_ARG(ru->nic->mac), MAC_ARG(link->mac));
		diag_hint(ru->ds, "ip link set dev %s address " MAC_FMT, link->name, MAC_ARG(ru->nic->mac));
	}
	return 0;
}

static const char *path(const struct nic_facts *nf)
{
	return nf->node.path;
}

const struct backend backend_macvtap = {
	.needs = NEEDS_LINK | NEEDS_TAP_NODE | NEEDS_VHOST_NET,
	.has_vhost = true,
	.what = WHAT_MACVTAP,
	.check = check,
	.offers = offers,
	.over = over,
	.settle = settle,
	.netdev = netdev_fds,
	.path = path,
};
