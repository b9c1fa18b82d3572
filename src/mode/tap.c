/*
 * tap.c - queues of a persistent TAP, each an open of /dev/net/tun and a TUNSETIFF
 *
 * A name that does not exist must be refused here: TUNSETIFF by root would create the link.
 */
#include "config.h"

#include "mode/rules.h"

#include <string.h>

enum {
	TAP_QUEUES_MAX = 256,		/* drivers/net/tun.c, MAX_TAP_QUEUES */
	MTU_DEFAULT = 1500,
};

/* --- making it again -------------------------------------------------------------------------- */

/* The command is for those who own the network; they may see our uid as another. */
static const char *again_ids(const struct nic_case *c)
{
	const struct link *link = &c->nf->link;
	const struct facts *facts = c->facts;
	const bool same_ids = !facts->net_elsewhere;
	const bool keep_group =
		same_ids && link->tun.has_group &&
		(facts->net_admin || facts_in_group(facts, link->tun.group));
	const unsigned uid = same_ids ? facts->uid : facts->outer_uid;

	return arena_printf(c->mem, " user %u%s",
			    link->tun.has_owner && facts->net_admin ? link->tun.owner : uid,
			    keep_group ? arena_printf(c->mem, " group %u", link->tun.group) : "");
}

/* One line that makes the TAP again with all that it has, and with what is asked of it besides. */
static void hint_again(const struct nic_case *c)
{
	const struct link *link = &c->nf->link, *master = &c->nf->master;
	const bool several = link->tun.multi_queue || c->nic->queues > 1 || c->nic->fds.n > 1;
	const char *name = diag_word(c->ds, link->name);

	diag_hint(c->ds,
		  "ip link del dev %s && ip tuntap add dev %s mode tap%s%s && ip link set dev "
		  "%s%s%s%s up",
		  name, name, several ? " multi_queue" : "", again_ids(c), name,
		  link->mtu != MTU_DEFAULT ? arena_printf(c->mem, " mtu %u", link->mtu) : "",
		  master->ifindex != 0 ? " master " : "",
		  master->ifindex != 0 ? diag_word(c->ds, master->name) : "");
}

/* --- rules ------------------------------------------------------------------------------------ */

static const char *lacks(const struct facts *facts)
{
	return facts->net_elsewhere ? ", whose capabilities do not count in this network: another "
				      "user namespace owns it"
				    : " without CAP_NET_ADMIN";
}

/*
 * drivers/net/tun.c, tun_not_capable(): owner and group must both match, unless there is
 * CAP_NET_ADMIN.
 */
static int tap_check_owner(const struct nic_case *c, const struct where *at)
{
	const struct link *link = &c->nf->link;
	const struct facts *facts = c->facts;

	if (!facts->net_admin && link->tun.has_owner && link->tun.owner != facts->uid) {
		(void)diag_add(c->ds, DIAG_TAP_OWNER, 0, at, link->name,
			       "the TAP belongs to uid %u, but this process runs as uid %u%s",
			       link->tun.owner, facts->uid, lacks(facts));
		hint_again(c);
		return -1;
	}
	if (!facts->net_admin && link->tun.has_group && !facts_in_group(facts, link->tun.group)) {
		(void)diag_add(c->ds, DIAG_TAP_OWNER, 0, at, link->name,
			       "the TAP belongs to gid %u, but this process runs with gid %u%s",
			       link->tun.group, facts->gid, lacks(facts));
		hint_again(c);
		return -1;
	}
	if (!link->tun.has_owner && !link->tun.has_group && c->facts->tun.err == 0 &&
	    (c->facts->tun.mode & 02)) {
		(void)diag_add(c->ds, DIAG_TAP_UNOWNED, 0, at, link->name,
			       "the TAP has no owner, and anyone may open /dev/net/tun, so any "
			       "user can attach to it");
		hint_again(c);
	}
	return 0;
}

static int tap_check_kind(const struct nic_case *c, const struct where *at)
{
	const struct link *link = &c->nf->link;

	if (!link->tun.tap)
		return diag_add(c->ds, DIAG_TAP_NOT_TAP, 0, at, link->name,
				"a tun link carries packets, not frames");
	if (!link->tun.persist) {
		(void)diag_add(
			c->ds, DIAG_TAP_NOT_PERSISTENT, 0, at, link->name,
			"the TAP is not persistent: it disappears with the process that holds it");
		hint_again(c);
		return -1;
	}
	return 0;
}

/* Frames are spread over all queues that are attached, whoever reads them. */
static int in_use(const struct nic_case *c, const struct where *at)
{
	const struct link *link = &c->nf->link;

	if (!link->tun.multi_queue) {
		(void)diag_add(c->ds, DIAG_TAP_BUSY, 0, at, link->name,
			       "the TAP's only queue is attached to %s", rule_holder(c));
		diag_hint(c->ds, "end the process that uses it");
		return -1;
	}
	if (c->nic->shared)
		return 0;
	(void)diag_add(c->ds, DIAG_TAP_BUSY, 0, at, link->name,
		       "%u of its queues %s attached to %s, which gets a part of the frames",
		       link->tun.queues, link->tun.queues == 1 ? "is" : "are", rule_holder(c));
	diag_hint(c->ds, "give each guest a TAP of its own, or write \"shared\": true");
	return -1;
}

/*
 * Is it in use, and do queues that are attached already use frames as QEMU will? The first queue
 * decides for the device, also one that is put aside, as systemd-networkd's (KeepCarrier=): of
 * later ones the flags are ignored (tun_set_iff(), Linux 6.1 to 6.18). A TAP of one queue does not
 * tell how many are attached, but its carrier is on then, unless its holder has turned it off.
 */
static int tap_check_attached(const struct nic_case *c, const struct where *at)
{
	const struct link *link = &c->nf->link;
	const unsigned attached = link->tun.queues + link->tun.disabled;
	int ret = 0;

	if (link->tun.multi_queue ? link->tun.queues > 0
				  : link->carrier || c->nf->holder.pid != 0)
		ret = in_use(c, at);
	if (attached > 0 && link->tun.packet_info)
		return diag_add(c->ds, DIAG_TAP_FLAGS, 0, at, link->name,
				"%u queue%s attached with packet information, QEMU needs frames "
				"without it",
				attached, attached == 1 ? " is" : "s are");
	if (attached > 0 && !link->tun.vnet_hdr) {
		(void)diag_add(c->ds, DIAG_TAP_NO_VNET_HDR, 0, at, link->name,
			       "%u queue%s attached without vnet_hdr: the guest has no offloads",
			       attached, attached == 1 ? " is" : "s are");
		diag_hint(c->ds, "set VNetHeader=yes in [Tap] of the .netdev file, where "
			  "systemd-networkd made the TAP");
	}
	return ret;
}

static int tap_check(const struct nic_case *c)
{
	static const char *const kinds[] = { "tun", NULL };
	static const struct device_number tun = { MISC_MAJOR, TUN_MINOR };
	const struct where *at = KEY(c->nic->at, "ifname");
	int ret;

	if (rule_link(c, "ifname", c->nic->ifname, kinds) < 0)
		return -1;
	ret = node_check(c->facts, at, &c->facts->tun, tun, "modprobe tun", c->ds);
	if (tap_check_kind(c, at) < 0)
		return -1;
	return ret | tap_check_owner(c, at) | tap_check_attached(c, at);
}

static unsigned tap_link_queues(const struct nic_facts *nf)
{
	return nf->link.tun.multi_queue ? QUEUES_MAX : 1;
}

static int tap_more_than_link(const struct nic_case *c, const struct where *at, unsigned offered)
{
	(void)offered;
	(void)diag_add(c->ds, DIAG_TAP_NOT_MULTIQUEUE, 0, at, c->nf->link.name,
		       "%u queue pairs asked for, but the TAP was created without multi_queue",
		       c->plan->queues);
	hint_again(c);
	return -1;
}

static int tap_check_counted(const struct nic_case *c)
{
	const struct link *link = &c->nf->link;
	const unsigned attached = link->tun.queues + link->tun.disabled;

	if (link->tun.multi_queue && attached + c->plan->queues > TAP_QUEUES_MAX)
		return diag_add(c->ds, DIAG_TAP_BUSY, 0,
				c->nic->queues ? KEY(c->nic->at, "queues") : c->nic->at, link->name,
				"%u queue pairs asked for, but %u of the TAP's %d are in use",
				c->plan->queues, attached, TAP_QUEUES_MAX);
	/*
	 * QEMU attaches a single queue without IFF_MULTI_QUEUE, which the kernel refuses here
	 * (EINVAL)
	 */
	if (c->plan->by_qemu && link->tun.multi_queue && c->plan->queues == 1) {
		(void)diag_add(c->ds, DIAG_HANDOFF_ONE_QUEUE, 0,
			       KEY(c->nic->at, c->nic->handoff ? "ifname" : "handoff"),
			       link->name, "QEMU cannot attach one queue to a multi_queue TAP");
		diag_hint(c->ds, "%s, or ask for 2 or more queue pairs",
			  c->nic->backend ? "use mode \"tap\"" : "leave out \"handoff\"");
		return -1;
	}
	return 0;
}

static void tap_netdev(struct keyvals *kv, const struct nic_plan *np)
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

static void tap_slot(const struct nic_plan *np, struct slot *ret)
{
	ret->kind = SLOT_TAP;
	ret->way = WAY_ATTACH;
	ret->path = "/dev/net/tun";
	ret->dev = (struct device_number){ MISC_MAJOR, TUN_MINOR };
	ret->link = &np->facts->link;
}

const struct mode_row mode_tap = {
	.syntax = {
		.adopt = adopt_tap,
		.keys = NIC_KEY_BIT(IFNAME) | NIC_KEY_BIT(HANDOFF) | NIC_KEY_BIT(SHARED) |
			NIC_KEYS_TAP,
		.needs = NIC_KEY_BIT(IFNAME),
	},
	.needs = NEEDS_LINK | NEEDS_TUN | NEEDS_VHOST_NET,
	.has_vhost = true,
	.shared_segment = true,
	.check = tap_check,
	.link_queues = tap_link_queues,
	.more_than_link = tap_more_than_link,
	.check_counted = tap_check_counted,
	.slot = tap_slot,
	.netdev = tap_netdev,
};
