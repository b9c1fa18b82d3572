/*
 * tap.c - queues of a persistent TAP, each an open of /dev/net/tun and a TUNSETIFF
 *
 * A name that does not exist must be refused here: TUNSETIFF by root would make the link.
 */
#include "config.h"

#include "mode/rules.h"

#include <string.h>

enum { TAP_QUEUES_MAX = 256 };		/* drivers/net/tun.c, MAX_TAP_QUEUES */

/* drivers/net/tun.c, tun_not_capable(): owner and group must both agree, or CAP_NET_ADMIN helps. */
static int check_owner(const struct nic_case *c, const struct where *at)
{
	const struct link *link = &c->nf->link;
	const struct facts *facts = c->facts;

	if (!facts->net_admin && link->tun.has_owner && link->tun.owner != facts->uid) {
		(void)diag_add(c->ds, DIAG_TAP_OWNER, 0, at, link->name,
			       "the TAP belongs to uid %u, running as uid %u without CAP_NET_ADMIN",
			       link->tun.owner, facts->uid);
		diag_hint(c->ds, "recreate it: ip tuntap add dev %s mode tap user %u", link->name,
			  facts->uid);
		return -1;
	}
	if (!facts->net_admin && link->tun.has_group && !facts_in_group(facts, link->tun.group))
		return diag_add(
			c->ds, DIAG_TAP_OWNER, 0, at, link->name,
			"the TAP belongs to gid %u, running with gid %u and without CAP_NET_ADMIN",
			link->tun.group, facts->gid);
	if (!link->tun.has_owner && !link->tun.has_group && c->facts->tun.err == 0 &&
	    (c->facts->tun.mode & 02)) {
		(void)diag_add(c->ds, DIAG_TAP_UNOWNED, 0, at, link->name,
			       "the TAP has no owner, and everybody may open /dev/net/tun: any "
			       "user can attach to it");
		diag_hint(c->ds, "create it with 'user %u'", facts->uid);
	}
	return 0;
}

static int check_kind(const struct nic_case *c, const struct where *at)
{
	const struct link *link = &c->nf->link;

	if (!link->tun.tap)
		return diag_add(c->ds, DIAG_TAP_NOT_TAP, 0, at, link->name,
				"a tun link carries packets, not frames");
	if (!link->tun.persist) {
		(void)diag_add(
			c->ds, DIAG_TAP_NOT_PERSISTENT, 0, at, link->name,
			"the TAP is not persistent: it goes away with the process that holds it");
		diag_hint(c->ds, "recreate it: ip tuntap add dev %s mode tap", link->name);
		return -1;
	}
	return 0;
}

/*
 * Is there room for us, and do queues that are attached already use frames as QEMU will? The first
 * queue decides for the device; of later ones the flags are ignored (tun_set_iff(), Linux 6.1 to
 * 6.18). A TAP of one queue does not tell how many are attached, but its carrier is on exactly
 * then.
 */
static int check_attached(const struct nic_case *c, const struct where *at)
{
	const struct link *link = &c->nf->link;
	const unsigned attached = link->tun.queues + link->tun.disabled;
	const bool busy = link->tun.multi_queue ? attached > 0 : link->carrier;

	if (busy && !link->tun.multi_queue) {
		(void)diag_add(c->ds, DIAG_TAP_BUSY, 0, at, link->name,
			       "the TAP's only queue is attached to another process");
		diag_hint(c->ds, "end the process that uses it");
		return -1;
	}
	if (busy && (link->tun.packet_info || !link->tun.vnet_hdr))
		return diag_add(c->ds, DIAG_TAP_FLAGS, 0, at, link->name,
				"%u queues are attached %s, QEMU needs frames with vnet_hdr and "
				"without packet information",
				attached,
				link->tun.packet_info ? "with packet information"
						      : "without vnet_hdr");
	return 0;
}

static int check(const struct nic_case *c)
{
	static const char *const kinds[] = { "tun", NULL };
	static const struct device_number tun = { MISC_MAJOR, TUN_MINOR };
	const struct where *at = KEY(c->nic->at, "ifname");
	int ret;

	if (rule_link(c, "ifname", c->nic->ifname, kinds) < 0)
		return -1;
	ret = node_check(c->facts, at, &c->facts->tun, tun, "modprobe tun", c->ds);
	if (check_kind(c, at) < 0)
		return -1;
	return ret | check_owner(c, at) | check_attached(c, at);
}

static unsigned link_queues(const struct nic_facts *nf)
{
	return nf->link.tun.multi_queue ? QUEUES_MAX : 1;
}

static int more_than_link(const struct nic_case *c, const struct where *at, unsigned offered)
{
	(void)offered;
	(void)diag_add(c->ds, DIAG_TAP_NOT_MULTIQUEUE, 0, at, c->nf->link.name,
		       "%u queue pairs asked for, but the TAP was made without multi_queue",
		       c->plan->queues);
	diag_hint(c->ds, "recreate it: ip tuntap add dev %s mode tap multi_queue",
		  c->nf->link.name);
	return -1;
}

static int check_counted(const struct nic_case *c)
{
	const struct link *link = &c->nf->link;

	const unsigned attached = link->tun.queues + link->tun.disabled;

	if (link->tun.multi_queue && attached + c->plan->queues > TAP_QUEUES_MAX)
		return diag_add(c->ds, DIAG_TAP_BUSY, 0,
				c->nic->queues ? KEY(c->nic->at, "queues") : c->nic->at, link->name,
				"%u queue pairs asked for, %u of the TAP's %d are taken",
				c->plan->queues, attached, TAP_QUEUES_MAX);
	/*
	 * QEMU attaches a single queue without IFF_MULTI_QUEUE, and the kernel refuses that here:
	 * EINVAL
	 */
	if (c->plan->by_qemu && link->tun.multi_queue && c->plan->queues == 1) {
		(void)diag_add(c->ds, DIAG_HANDOFF_ONE_QUEUE, 0,
			       KEY(c->nic->at, c->nic->handoff ? "ifname" : "handoff"),
			       link->name, "QEMU cannot attach one queue to a multi_queue TAP");
		diag_hint(c->ds, "leave out \"handoff\", or ask for 2 or more queue pairs");
		return -1;
	}
	return 0;
}

static void netdev(struct keyvals *kv, const struct nic_plan *np)
{
	if (!np->by_qemu) {
		netdev_tap_fds(kv, np);
		return;
	}
	keyval_text(kv, "type", "tap");
	keyval_text(kv, "id", np->nic->id);
	keyval_text(kv, "ifname", np->nic->ifname);
	keyval_text(kv, "script", "no");
	keyval_text(kv, "downscript", "no");
	keyval_switch(kv, "vhost", np->vhost);
	if (np->queues > 1)
		keyval_number(kv, "queues", np->queues);
}

static void slot(const struct nic_plan *np, struct slot *ret)
{
	ret->kind = SLOT_TAP;
	ret->way = WAY_ATTACH;
	ret->path = "/dev/net/tun";
	ret->dev = (struct device_number){ MISC_MAJOR, TUN_MINOR };
	ret->link = &np->facts->link;
}

const struct mode_row mode_tap = {
	.syntax = {
		.keys = NIC_KEY_BIT(IFNAME) | NIC_KEY_BIT(HANDOFF) | NIC_KEYS_TAP,
		.needs = NIC_KEY_BIT(IFNAME),
	},
	.needs = NEEDS_LINK | NEEDS_TUN | NEEDS_VHOST_NET,
	.has_vhost = true,
	.shared_segment = true,
	.check = check,
	.link_queues = link_queues,
	.more_than_link = more_than_link,
	.check_counted = check_counted,
	.slot = slot,
	.netdev = netdev,
};
