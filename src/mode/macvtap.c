/*
 * macvtap.c - queues of a macvtap (or ipvtap) link, each an open of its /dev/tapN
 *
 * All network namespaces share /dev, but each counts N, the ifindex, separately. So the node of
 * that name may belong to another tenant's link, and open() would silently attach to it (seen on
 * Linux 6.1, 6.12 and 6.18). The node must therefore have the device number that sysfs shows for
 * this very link, and sysfs must show the namespace that netlink answers for.
 */
#include "config.h"

#include "mode/rules.h"

#include <errno.h>
#include <string.h>

#include <linux/if_link.h>

/* How messages refer to the link: by name, or as "ifindex 7" if it has none. */
static const char *macvtap_link_name(const struct nic_case *c)
{
	if (c->nic->ifname)
		return c->nic->ifname;
	return c->nf->link.err == 0 ? c->nf->link.name
				    : arena_printf(c->mem, "ifindex %u", c->nic->ifindex);
}

static int macvtap_check_ifindex(const struct nic_case *c)
{
	if (!c->nic->ifname || c->nic->ifindex == 0 || c->nic->ifindex == c->nf->link.ifindex)
		return 0;
	(void)diag_add(c->ds, DIAG_LINK_IFINDEX, 0, KEY(c->nic->at, "ifindex"), c->nic->ifname,
		       "the link has ifindex %u, not %u", c->nf->link.ifindex, c->nic->ifindex);
	diag_hint(c->ds, "look up the ifindex again: the link was recreated");
	return -1;
}

/*
 * Words to put before the launch. 'ip netns exec' does the same, but hides the cgroups that are
 * mounted below /sys. It must be in a mount namespace of its own: others need the sysfs that is
 * there.
 */
static void hint_sysfs(const struct nic_case *c)
{
	const bool cgroups = c->desc->n_cgroups > 0;

	diag_hint(c->ds, "put this before the command: unshare -m sh -c '%smount -t sysfs sysfs "
			 "/sys && %sexec \"$@\"' sh",
		  cgroups ? "mount --rbind /sys/fs/cgroup /mnt && " : "",
		  cgroups ? "mount --rbind /mnt /sys/fs/cgroup && " : "");
}

static int sysfs_unreadable(const struct nic_case *c, const struct where *at)
{
	const struct sysfs *sysfs = &c->nf->sysfs;

	if (sysfs->err == ENOENT) {
		(void)diag_add(c->ds, DIAG_SYSFS_OTHER_NAMESPACE, ENOENT, at, sysfs->file,
			       "sysfs does not show the link '%s' with ifindex %u",
			       c->nf->link.name, c->nf->link.ifindex);
		hint_sysfs(c);
		return -1;
	}
	(void)diag_add(c->ds, DIAG_SYSFS_UNREADABLE, sysfs->err, at, sysfs->file,
		       "the device number of '%s' cannot be read", c->nf->link.name);
	diag_hint(c->ds,
		  "allow this process to read it; in an AppArmor profile, "
		  "/sys/devices/virtual/net/** r,");
	return -1;
}

static int macvtap_check_sysfs(const struct nic_case *c)
{
	const struct where *at = KEY(c->nic->at, c->nic->ifname ? "ifname" : "ifindex");
	const struct sysfs *sysfs = &c->nf->sysfs;
	const struct link *link = &c->nf->link;

	if (sysfs->err != 0)
		return sysfs_unreadable(c, at);
	if (sysfs->ifindex == link->ifindex && mac_equal(sysfs->mac, link->mac))
		return 0;
	(void)diag_add(c->ds, DIAG_SYSFS_OTHER_NAMESPACE, 0, at, sysfs->file,
		       "sysfs shows ifindex %u address " MAC_FMT
		       ", but this network namespace has ifindex %u address " MAC_FMT,
		       sysfs->ifindex, MAC_ARG(sysfs->mac), link->ifindex, MAC_ARG(link->mac));
	hint_sysfs(c);
	return -1;
}

/*
 * In a /dev of one's own the node is stale, and can be made again. In the host's it may be another
 * tenant's: there the kernel makes one node for each index, for the first link that has it.
 */
static int macvtap_wrong_node(const struct nic_case *c, const struct where *at)
{
	const struct node *node = &c->nf->node;
	const bool own = c->facts->around.own_dev && c->facts->around.by != AROUND_LIBVIRT;

	(void)diag_add(c->ds, DIAG_NODE_WRONG_DEVICE, 0, at, node->path,
		       "is %u:%u, but the link '%s' is %u:%u: the node belongs to %s",
		       node->major, node->minor, c->nf->link.name, c->nf->sysfs.dev.major,
		       c->nf->sysfs.dev.minor,
		       own ? "another link" : "a link of another network namespace");
	if (own)
		node_hint(c->facts, node, c->nf->sysfs.dev, NULL, c->ds);
	else
		diag_hint(c->ds, "recreate the link with an ifindex that is unique on this host: "
				 "ip link add ... index N");
	return -1;
}

static int macvtap_check_node(const struct nic_case *c)
{
	const struct where *at = KEY(c->nic->at, c->nic->ifname ? "ifname" : "ifindex");
	const struct node *node = &c->nf->node;
	const struct sysfs *sysfs = &c->nf->sysfs;

	if (node->err == 0 && node->is_chr &&
	    (node->major != sysfs->dev.major || node->minor != sysfs->dev.minor))
		return macvtap_wrong_node(c, at);
	return node_check(c->facts, at, node, sysfs->dev, NULL, c->ds);
}

static int check_lock(const struct nic_case *c)
{
	const struct where *at = KEY(c->nic->at, c->nic->ifname ? "ifname" : "ifindex");

	if (!c->nf->locked || c->nic->shared)
		return 0;
	(void)diag_add(c->ds, DIAG_LINK_BUSY, 0, at, c->nf->link.name,
		       "the link is in use by %s: each guest would get a part of the frames",
		       rule_holder(c));
	diag_hint(c->ds, "give each guest a link of its own, or write \"shared\": true");
	return -1;
}

static int macvtap_check(const struct nic_case *c)
{
	static const char *const kinds[] = { "macvtap", "ipvtap", NULL };

	if (rule_link(c, c->nic->ifname ? "ifname" : "ifindex", macvtap_link_name(c), kinds) < 0 ||
	    macvtap_check_ifindex(c) < 0)
		return -1;
	return macvtap_check_sysfs(c) < 0 || macvtap_check_node(c) < 0 ? -1 : check_lock(c);
}

static unsigned macvtap_link_queues(const struct nic_facts *nf)
{
	return nf->link.tx_queues < nf->link.rx_queues ? nf->link.tx_queues : nf->link.rx_queues;
}

/* One line that makes the macvtap again, with its index, so that its node has the same name. */
static void hint_again(const struct nic_case *c)
{
	static const struct { unsigned mode; const char *name; } modes[] = {
		{ MACVLAN_MODE_PRIVATE,	"private" },
		{ MACVLAN_MODE_VEPA,	"vepa" },
		{ MACVLAN_MODE_BRIDGE,	"bridge" },
	};
	const struct link *link = &c->nf->link;
	const char *name = diag_word(c->ds, link->name);
	const unsigned n = c->plan->queues;

	for (unsigned i = 0; i < ARRAY_LEN(modes) && c->nf->lower.ifindex != 0; i++) {
		if (modes[i].mode != link->macvtap_mode)
			continue;
		diag_hint(c->ds,
			  "ip link del dev %s && ip link add link %s name %s index %u "
			  "address " MAC_FMT " numtxqueues %u numrxqueues %u type macvtap mode %s "
					     "&& ip link set dev %s%s up",
			  name, diag_word(c->ds, c->nf->lower.name), name, link->ifindex,
			  MAC_ARG(link->mac), n, n, modes[i].name, name,
			  link->all_multicast ? " allmulticast on" : "");
		return;
	}
	diag_hint(c->ds, "make it again with numtxqueues %u numrxqueues %u", n, n);
}

static int macvtap_more_than_link(const struct nic_case *c, const struct where *at,
				  unsigned offered)
{
	(void)diag_add(c->ds, DIAG_QUEUES_OVER_LINK, 0, at, c->nf->link.name,
		       "%u queue pairs on a link created with %u: frames will share its queues",
		       c->plan->queues, offered);
	hint_again(c);
	return 0;
}

/*
 * The guest gets the link's address, because the link filters frames by it, unless the descriptor
 * gives one.
 */
static int macvtap_check_counted(const struct nic_case *c)
{
	const struct link *link = &c->nf->link;

	if (c->nic->in_argv && c->nic->has_device && !c->nic->has_mac && link->has_mac &&
	    link_filters(link)) {
		(void)diag_add(c->ds, DIAG_MAC_DIFFERS, 0, KEY(c->nic->at, "netdev"), link->name,
			       "argv gives the device no address, and QEMU's default is not the "
			       "link's address " MAC_FMT ", so the link drops frames to it",
			       MAC_ARG(link->mac));
		diag_hint(c->ds, "add mac=" MAC_FMT " to the device", MAC_ARG(link->mac));
	} else if (!c->nic->has_mac && !c->nic->in_argv && link->has_mac) {
		c->plan->has_mac = true;
		c->plan->mac = link->mac;
	}
	return 0;
}

static const char *macvtap_node(const struct nic *nic, const struct link *link, struct arena *mem)
{
	(void)nic;
	return arena_printf(mem, "/dev/tap%u", link->ifindex);
}

static void macvtap_slot(const struct nic_plan *np, struct slot *ret)
{
	ret->kind = SLOT_MACVTAP;
	ret->way = WAY_OPEN;
	ret->path = np->facts->node.path;
	ret->dev = np->facts->sysfs.dev;
	ret->link = &np->facts->link;
	/* each queue is an open file of its own: a lock on two would be refused by ourselves */
	if (ret->queue == 0)
		ret->lock = np->nic->shared ? SLOT_LOCK_SHARED : SLOT_LOCKED;
}

const struct mode_row mode_macvtap = {
	.syntax = {
		/*
		 * by name a link is a TAP first: a NIC of the descriptor says that it is a macvtap
		 */
		.adopt = adopt_tap,
		.keys = NIC_KEY_BIT(IFNAME) | NIC_KEY_BIT(IFINDEX) | NIC_KEY_BIT(SHARED) |
			NIC_KEYS_TAP,
		.needs = NIC_KEY_BIT(IFNAME) | NIC_KEY_BIT(IFINDEX),
	},
	.needs = NEEDS_LINK | NEEDS_SYSFS | NEEDS_VHOST_NET,
	.node = macvtap_node,
	.has_vhost = true,
	.own_mac = true,
	.shared_segment = true,
	.check = macvtap_check,
	.link_queues = macvtap_link_queues,
	.more_than_link = macvtap_more_than_link,
	.check_counted = macvtap_check_counted,
	.slot = macvtap_slot,
	.netdev = netdev_tap_fds,
};
