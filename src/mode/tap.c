/*
 * tap.c - queues of a persistent TAP, each an open of /dev/net/tun and a TUNSETIFF
 *
 * A name that does not exist must be refused here: TUNSETIFF by root would make the link.
 */
#include "config.h"

#include "mode/mode.h"

#include <string.h>

enum { TAP_QUEUES_MAX = 256 };		/* drivers/net/tun.c, MAX_TAP_QUEUES */

/* drivers/net/tun.c, tun_not_capable(): owner and group must both agree, or CAP_NET_ADMIN helps. */
static int check_owner(const struct ruling *ru, const struct where *at)
{
	const struct link *link = &ru->nf->link;
	const struct facts *facts = ru->facts;

	if (!facts->net_admin && link->tun.has_owner && link->tun.owner != facts->uid) {
		(void)diag_add(ru->ds, DIAG_TAP_OWNER, 0, at, link->name,
			       "the TAP belongs to uid %u, running as uid %u without CAP_NET_ADMIN", link->tun.owner,
			       facts->uid);
		diag_hint(ru->ds, "make it again: ip tuntap add dev %s mode tap user %u", link->name, facts->uid);
		return -1;
	}
	if (!facts->net_admin && link->tun.has_group && !facts_in_group(facts, link->tun.group))
		return diag_add(ru->ds, DIAG_TAP_OWNER, 0, at, link->name,
				"the TAP belongs to gid %u, running with gid %u and without CAP_NET_ADMIN",
				link->tun.group, facts->gid);
	if (!link->tun.has_owner && !link->tun.has_group && ru->facts->tun.err == 0 && (ru->facts->tun.mode & 02)) {
		(void)diag_add(ru->ds, DIAG_TAP_UNOWNED, 0, at, link->name,
			       "the TAP has no owner, and everybody may open /dev/net/tun: any user can attach to it");
		diag_hint(ru->ds, "make it with 'user %u'", facts->uid);
	}
	return 0;
}

static int check_kind(const struct ruling *ru, const struct where *at)
{
	const struct link *link = &ru->nf->link;

	if (!link->tun.tap)
		return diag_add(ru->ds, DIAG_TAP_NOT_TAP, 0, at, link->name, "a tun link carries packets, not frames");
	if (!link->tun.persist) {
		(void)diag_add(ru->ds, DIAG_TAP_NOT_PERSISTENT, 0, at, link->name,
			       "the TAP is not persistent: it goes away with the process that holds it");
		diag_hint(ru->ds, "make it again: ip tuntap add dev %s mode tap", link->name);
		return -1;
	}
	return 0;
}

/*
 * Is there room for us, and do queues that are attached already use frames as QEMU will? The first
 * queue decides for the device; of later ones the flags are ignored (tun_set_iff(), Linux 6.1 to 6.18).
 * A TAP of one queue does not tell how many are attached, but its carrier is on exactly then.
 */
static int check_attached(const struct ruling *ru, const struct where *at)
{
	const struct link *link = &ru->nf->link;
	const bool busy = link->tun.multi_queue ? link->tun.attached > 0 : link->carrier;

	if (busy && !link->tun.multi_queue) {
		(void)diag_add(ru->ds, DIAG_TAP_BUSY, 0, at, link->name,
			       "the TAP's only queue is attached to another process");
		diag_hint(ru->ds, "end the process that uses it");
		return -1;
	}
	if (busy && (link->tun.packet_info || !link->tun.vnet_hdr))
		return diag_add(ru->ds, DIAG_TAP_FLAGS, 0, at, link->name,
				"%u queues are attached %s, QEMU needs frames with vnet_hdr and without packet information",
				link->tun.attached, link->tun.packet_info ? "with packet information" : "without vnet_hdr");
	return 0;
}

static int check(const struct ruling *ru)
{
	static const char *const kinds[] = { "tun", NULL };
	const struct where *at = KEY(ru->nic->at, "ifname");
	int ret;

	if (rule_link(ru, "ifname", ru->nic->ifname, kinds) < 0)
		return -1;
	ret = rule_node(ru, at, &ru->facts->tun, MISC_MAJOR, TUN_MINOR, "modprobe tun");
	ret |= rule_expect(ru);
	if (check_kind(ru, at) < 0)
		return -1;
	return ret | check_owner(ru, at) | check_attached(ru, at);
}

static unsigned offers(const struct nic_facts *nf)
{
	return nf->link.tun.multi_queue ? QUEUES_MAX : 1;
}

static int over(const struct ruling *ru, const struct where *at, unsigned offered)
{
	(void)offered;
	(void)diag_add(ru->ds, DIAG_TAP_NOT_MULTIQUEUE, 0, at, ru->nf->link.name,
		       "%u queue pairs asked for, but the TAP was made without multi_queue", ru->plan->queues);
	diag_hint(ru->ds, "make it again: ip tuntap add dev %s mode tap multi_queue", ru->nf->link.name);
	return -1;
}

static int settle(const struct ruling *ru)
{
	const struct link *link = &ru->nf->link;

	if (link->tun.multi_queue && link->tun.attached + ru->plan->queues > TAP_QUEUES_MAX)
		return diag_add(ru->ds, DIAG_TAP_BUSY, 0, ru->nic->queues ? KEY(ru->nic->at, "queues") : ru->nic->at, link->name,
				"%u queue pairs asked for, %u of the TAP's %d are taken", ru->plan->queues,
				link->tun.attached, TAP_QUEUES_MAX);
	/* QEMU attaches a single queue without IFF_MULTI_QUEUE, and the kernel refuses that here: EINVAL */
	if (ru->plan->by_qemu && link->tun.multi_queue && ru->plan->queues == 1) {
		(void)diag_add(ru->ds, DIAG_HANDOFF_ONE_QUEUE, 0, KEY(ru->nic->at, "handoff"), link->name,
			       "QEMU cannot attach one queue to a multi_queue TAP");
		diag_hint(ru->ds, "leave \"handoff\" out, or ask for 2 queue pairs or more");
		return -1;
	}
	return 0;
}

static void netdev(struct str *s, const struct nic_plan *plan)
{
	if (!plan->by_qemu) {
		netdev_fds(s, plan);
		return;
	}
	str_put(s, "tap,id=%s,ifname=", plan->nic->id);
	str_put_opt(s, plan->nic->ifname);
	str_put(s, ",script=no,downscript=no,vhost=%s", plan->vhost ? "on" : "off");
	if (plan->queues > 1)
		str_put(s, ",queues=%u", plan->queues);
}

static const char *path(const struct nic_facts *nf)
{
	(void)nf;
	return "/dev/net/tun";
}

const struct backend backend_tap = {
	.needs = NEEDS_LINK | NEEDS_TUN | NEEDS_VHOST_NET,
	.has_vhost = true,
	.what = WHAT_TAP,
	.check = check,
	.offers = offers,
	.over = over,
	.settle = settle,
	.netdev = netdev,
	.path = path,
};
