/*
 * custom.c - the descriptor's own -netdev value, verbatim
 *
 * The value is parsed (desc/backend.c), and what it names is judged by the rules of the matching
 * mode: a TAP by those of tap, a bridge by those of bridge. What cannot be parsed is not judged,
 * and plan and report say so.
 */
#include "config.h"

#include "mode/rules.h"
#include "desc/backend.h"
#include "desc/cmdline.h"

#include <errno.h>
#include <string.h>

static int check_id(const struct nic_case *c)
{
	const struct where *at = KEY(c->nic->at, "netdev");
	const char *id = qopts_value(c->mem, c->nic->netdev, "id");

	if (id && strcmp(id, c->nic->id) == 0)
		return 0;
	if (id)
		(void)diag_add(c->ds, DIAG_CUSTOM_ID, 0, at, NULL,
			       "its id is '%s', but the NIC's id is '%s'", id, c->nic->id);
	else
		(void)diag_add(c->ds, DIAG_CUSTOM_ID, 0, at, NULL,
			       "it has no id, but the device needs '%s'", c->nic->id);
	diag_hint(c->ds, "make \"id\" and the id in the value the same");
	return -1;
}

/* The rules of another mode, of which the text is the place: "nics[0].netdev.ifname". */
static int check_as(const struct nic_case *c, const struct mode_row *row,
		    int (*rule)(const struct nic_case *c))
{
	struct nic nic = *c->nic;
	struct nic_case inner = *c;

	nic.at = KEY(c->nic->at, "netdev");
	inner.nic = &nic;
	inner.row = row;
	return rule(&inner);
}

/* A TAP that is not there is made by QEMU, if it may. */
static bool makes_tap(const struct nic_case *c)
{
	return c->nf->link.err == ENODEV && (c->facts->net_admin || c->facts->ids.wanted);
}

static int custom_check_node(const struct nic_case *c)
{
	const struct node *node = &c->nf->node;
	const struct device_number found = { node->major, node->minor };

	if (!node->path || strncmp(node->path, "/dev/fdset/", strlen("/dev/fdset/")) == 0)
		return 0;
	return node_check(c->facts, KEY(KEY(c->nic->at, "netdev"), "vhostdev"), node, found,
			  "load the module vhost_vdpa, and make the device with vdpa-dev(8)",
			  c->ds);
}

static int check_backend(const struct nic_case *c, const struct backend *backend)
{
	c->plan->shares_memory = backend->shares_memory;
	c->plan->long_tx_queue = backend->long_tx_queue;
	c->plan->queues_unknown = backend->queues == BACKEND_QUEUES_UNKNOWN && c->nic->queues == 0;
	if ((backend->shares_memory || backend->queues == BACKEND_QUEUES_UNKNOWN) &&
	    rule_virtio_net(c) < 0)
		return -1;
	if (c->nic->bridge && !(backend->helper && strchr(backend->helper, ' ')))
		return check_as(c, &mode_bridge, mode_bridge.check);
	if (c->nic->ifname && !makes_tap(c))
		return check_as(c, &mode_tap, mode_tap.check);
	return custom_check_node(c);
}

static int custom_check(const struct nic_case *c)
{
	const int ret = check_id(c);

	if (c->nic->backend)
		return ret | check_backend(c, c->nic->backend);
	c->plan->unread = c->plan->long_tx_queue = true;
	c->plan->queues_unknown = c->nic->queues == 0;
	return ret;
}

static unsigned custom_link_queues(const struct nic_facts *nf)
{
	return strcmp(nf->link.kind, "tun") == 0 ? mode_tap.link_queues(nf) : 0;
}

static int custom_more_than_link(const struct nic_case *c, const struct where *at,
				  unsigned offered)
{
	return mode_tap.more_than_link(c, at, offered);
}

static int custom_check_counted(const struct nic_case *c)
{
	return strcmp(c->nf->link.kind, "tun") == 0
		       ? check_as(c, &mode_tap, mode_tap.check_counted)
		       : 0;
}

static unsigned needs_also(const struct nic *nic)
{
	const struct backend *backend = nic->backend;
	unsigned ret = 0;

	if (!backend)
		return nic->vhost == CHOICE_ON ? NEEDS_VHOST_NET : 0;
	ret |= backend->opens_vhost ? NEEDS_VHOST_NET : 0;
	ret |= backend->opens_tap ? NEEDS_TUN : 0;
	ret |= nic->ifname || nic->bridge ? NEEDS_LINK : 0;
	ret |= nic->bridge ? NEEDS_HELPER : 0;
	return ret;
}

static const char *custom_node(const struct nic *nic, const struct link *link, struct arena *mem)
{
	(void)link;
	(void)mem;
	return nic->backend ? nic->backend->node : NULL;
}

static void custom_netdev(struct keyvals *kv, const struct nic_plan *np)
{
	kv->verbatim = np->nic->netdev;
}

const struct mode_row mode_custom = {
	.syntax = {
		.keys = NIC_KEY_BIT(VHOST) | NIC_KEY_BIT(NETDEV) | NIC_KEY_BIT(SHARED),
		.needs = NIC_KEY_BIT(NETDEV),
		.verbatim = true,
	},
	.needs_also = needs_also,
	.node = custom_node,
	.has_vhost = true,
	.by_qemu = true,
	.default_one = true,
	.check = custom_check,
	.link_queues = custom_link_queues,
	.more_than_link = custom_more_than_link,
	.check_counted = custom_check_counted,
	.netdev = custom_netdev,
};
