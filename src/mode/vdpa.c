/*
 * vdpa.c - a vDPA device: /dev/vhost-vdpa-N, whose one descriptor carries the data of all queue
 * pairs
 *
 * The kernel assigns the device number when it creates the device (drivers/vhost/vdpa.c,
 * alloc_chrdev_region()), so no number is known in advance: what is opened must be what was
 * checked.
 */
#include "config.h"

#include "mode/rules.h"

#include "desc/netopts.h"

static const struct netopt options[] = {
	{ .key = "path", .kind = NETOPT_PATH, .needed = true },
	{ .key = NULL },
};

static const char *vdpa_node(const struct nic *nic, const struct link *link, struct arena *mem)
{
	(void)link;
	(void)mem;
	return netopts_get(nic, "path");
}

static struct device_number number_of(const struct node *node)
{
	return (struct device_number){ node->major, node->minor };
}

static int vdpa_check(const struct nic_case *c)
{
	const struct where *at = KEY(KEY(c->nic->at, "options"), "path");
	const struct node *found = &c->nf->node;

	if (!virtio_net(c->nic))
		return diag_add(c->ds, DIAG_DEVICE_CONFLICT, 0,
				KEY(KEY(c->nic->at, "device"), "driver"), NULL,
				"device '%s' cannot use vhost-vdpa; only virtio-net can",
				c->nic->driver);
	return node_check(c->facts, at, found, number_of(found),
			  "load the module vhost_vdpa, and make the device with vdpa-dev(8)",
			  c->ds);
}

static void vdpa_slot(const struct nic_plan *np, struct slot *ret)
{
	ret->kind = SLOT_VHOST_VDPA;
	ret->way = WAY_OPEN;
	ret->path = np->facts->node.path;
	ret->dev = number_of(&np->facts->node);
}

static void vdpa_netdev(struct keyvals *kv, const struct nic_plan *np)
{
	keyval_text(kv, "type", "vhost-vdpa");
	keyval_text(kv, "id", np->nic->id);
	keyval_text(kv, "vhostfd", arena_printf(kv->mem, "%d", np->fds[0]));
	if (np->queues > 1)
		keyval_number(kv, "queues", np->queues);
}

const struct mode_row mode_vdpa = {
	.syntax = { .keys = NIC_KEY_BIT(OPTIONS), .options = options },
	.node = vdpa_node,
	.default_one = true,
	.one_fd = true,
	.long_tx_queue = true,
	.own_mac = true,
	.check = vdpa_check,
	.slot = vdpa_slot,
	.netdev = vdpa_netdev,
};
