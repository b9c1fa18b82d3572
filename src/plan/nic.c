/*
 * nic.c - what one NIC gets: queue pairs and vhost, by the rules of its mode
 */
#include "config.h"

#include "plan/nic.h"

#include <string.h>

#include "desc/backend.h"
#include "mode/rules.h"
#include "plan/address.h"
#include "plan/device.h"
#include "mode/table.h"

static const struct device_number vhost_net = { MISC_MAJOR, VHOST_NET_MINOR };

unsigned nic_queues_default(const struct desc *desc)
{
	const unsigned said = desc->vcpus ? desc->vcpus : desc->guest.cpus;
	unsigned n = said ? said : 1;

	n = n < QUEUES_DEFAULT_MAX ? n : QUEUES_DEFAULT_MAX;
	return n < desc->max_queues ? n : desc->max_queues;
}

unsigned nic_queues_asked(const struct nic *nic)
{
	return nic->queues ? nic->queues : nic->fds.n;
}

static void vhost_give_way(const struct nic_case *c, int err, const char *object, const char *why)
{
	const unsigned n = nic_queues_default(c->desc);
	const bool fewer = !c->row->one_queue && nic_queues_asked(c->nic) == 0 && n > 1;

	c->plan->vhost = false;
	c->plan->vhost_why = why;
	(void)diag_add(c->ds, DIAG_VHOST_OFF, err, c->nic->at, object,
		       "vhost is not available, so QEMU's main loop will carry every frame of this "
		       "NIC%s",
		       fewer ? arena_printf(c->mem, ", by one queue pair instead of %u", n) : "");
}

static void vhost_missing(const struct nic_case *c, const struct node *node, const char *why)
{
	vhost_give_way(c, node->err ? node->err : node->access_err, node->path, why);
	node_hint(c->facts, node, vhost_net, "modprobe vhost_net", c->ds);
}

/* vhost was not asked for, but it is the default: use it if the host has it. */
static void vhost_preferred(const struct nic_case *c)
{
	const struct node *node = &c->facts->vhost_net;
	const char *why = node_trouble(c->mem, node, vhost_net);

	c->plan->vhost = !why;
	if (why && !diag_has(c->ds, DIAG_VHOST_OFF))
		vhost_missing(c, node, why);
	else if (why)
		c->plan->vhost_why = why;
}

static int vhost_required(const struct nic_case *c)
{
	const struct where *at = KEY(c->nic->at, c->nic->backend ? "netdev" : "vhost");

	if (!virtio_net(c->nic))
		return diag_add(c->ds, DIAG_DEVICE_CONFLICT, 0, at, NULL,
				"device '%s' cannot use vhost", c->nic->driver);
	c->plan->vhost = true;
	/* a text may name descriptors for it, which the caller has opened */
	if (c->nic->backend && !c->nic->backend->opens_vhost)
		return 0;
	return node_check(c->facts, at, &c->facts->vhost_net, vhost_net, "modprobe vhost_net",
			  c->ds);
}

static bool vhost_by_default(const struct nic_case *c)
{
	return c->desc->vhost || c->nic->vhost_wanted;
}

/* Is vhost off because of the descriptor, and not for lack of /dev/vhost-net? */
static bool vhost_off(const struct nic_case *c)
{
	return c->nic->vhost == CHOICE_OFF ||
	       (c->nic->vhost == CHOICE_ABSENT && (!vhost_by_default(c) || !virtio_net(c->nic)));
}

static int decide_vhost(const struct nic_case *c, const struct mode_row *row)
{
	if (!row->has_vhost || c->nic->vhost == CHOICE_OFF)
		return 0;
	if (c->nic->vhost == CHOICE_ON)
		return vhost_required(c);
	/* whether a verbatim netdev uses vhost is in its text */
	if (!c->desc->vhost || c->nic->netdev)
		return 0;
	if (virtio_net(c->nic))
		vhost_preferred(c);
	else
		c->plan->vhost_why = "the device is not virtio-net";
	return 0;
}

static int queues_asked(const struct nic_case *c, const struct mode_row *row, unsigned link_queues)
{
	const char *key = c->nic->queues_key ? c->nic->queues_key
			  : c->nic->queues   ? "queues"
					     : "fds";
	const struct where *at = KEY(c->nic->at, key);
	const unsigned n = c->plan->queues, most = nic_device(c->nic)->queues;

	/* the words' own count is the manager's choice */
	if (n > c->desc->max_queues && !c->desc->adopt) {
		(void)diag_add(c->ds, DIAG_QUEUES_OVER_MAX, 0, at, NULL,
			       "%u queue pairs asked for, but max_queues is %u", n,
			       c->desc->max_queues);
		if (c->desc->max_queues < QUEUES_MAX)
			diag_hint(c->ds, "set \"max_queues\" to %u or more", n);
		return -1;
	}
	if (row->one_queue && n > 1) {
		(void)diag_add(c->ds, DIAG_QUEUES_BACKEND, 0, at, NULL,
			       "%u queue pairs asked for, but mode '%s' supports one", n,
			       mode_name(c->nic->mode));
		if (row->many_queues)
			diag_hint(c->ds, "%s", row->many_queues(c));
		return -1;
	}
	if (n > most && !c->nic->adopted)
		return diag_add(c->ds, DIAG_QUEUES_BACKEND, 0, at, NULL,
				"%u queue pairs asked for, but device '%s' has "
				"%s", n, c->nic->driver,
				most == 1 ? "one" : arena_printf(c->mem, "%u", most));
	return link_queues > 0 && n > link_queues ? row->more_than_link(c, at, link_queues) : 0;
}

/* Why a NIC that did not ask gets one queue pair, although the guest has more processors. */
static const char *why_one(const struct nic_case *c, const struct mode_row *row)
{
	if (row->one_queue)
		return arena_printf(c->mem, "mode '%s' supports one", mode_name(c->nic->mode));
	if (row->default_one)
		return arena_printf(c->mem, "mode '%s' gives one where \"queues\" asks for no more",
				    mode_name(c->nic->mode));
	if (!virtio_net(c->nic))
		return arena_printf(c->mem, "the device '%s' is not virtio-net", c->nic->driver);
	if (c->plan->vhost)
		return NULL;
	return c->plan->vhost_why ? arena_printf(c->mem, "without vhost: %s", c->plan->vhost_why)
				  : "vhost is off";
}

/* A mode that could have served more by other means: the warning names them. */
static void warn_one(const struct nic_case *c, const struct mode_row *row, unsigned n)
{
	if (!row->many_queues)
		return;
	(void)diag_add(c->ds, DIAG_QUEUES_REDUCED, 0, c->nic->at, NULL,
		       "one queue pair instead of %u: %s", n, c->plan->queues_why);
	diag_hint(c->ds, "%s", row->many_queues(c));
}

static void queues_default(const struct nic_case *c, const struct mode_row *row,
			   unsigned link_queues)
{
	unsigned n = nic_queues_default(c->desc);
	const char *one = why_one(c, row);

	if (one && n > 1) {
		/* what a verbatim netdev does is in its text */
		c->plan->queues_why = c->nic->netdev ? NULL : one;
		warn_one(c, row, n);
	}
	if (one)
		n = 1;
	else if (c->desc->vcpus == 0 && c->desc->guest.cpus == 0 && c->desc->guest.readconfig)
		c->plan->queues_why = "how many processors the guest has may be in a file "
				      "of -readconfig that could not be read";
	if (link_queues > 0 && n > link_queues) {
		(void)diag_add(c->ds, DIAG_QUEUES_REDUCED, 0, c->nic->at, c->nf->link.name,
			       "%u queue pairs instead of %u: the link was created with no more",
			       link_queues, n);
		c->plan->queues_why = arena_printf(c->mem, "the link was created with %u",
						   link_queues);
		n = link_queues;
	}
	c->plan->queues = n;
}

/* fds and vhostfds: one number per descriptor. */
static int check_count(const struct nic_case *c, const char *key, const struct pins *pins,
		       unsigned n)
{
	if (pins->n == 0 || pins->n == n)
		return 0;
	return diag_add(c->ds, DIAG_PINS_COUNT, 0, KEY(c->nic->at, key), NULL,
			"%u numbers for %u queue pairs", pins->n, c->plan->queues);
}

static int check_pins(const struct nic_case *c)
{
	int ret = check_count(c, "fds", &c->nic->fds, c->plan->n_fds);

	if (c->nic->vhostfds.n > 0 && vhost_off(c))
		ret |= diag_add(c->ds, DIAG_PINS_CONFLICT, 0, KEY(c->nic->at, "vhostfds"), NULL,
				"must not be given when vhost is off");
	else
		ret |= check_count(c, "vhostfds", &c->nic->vhostfds, c->plan->queues);
	if (c->plan->by_qemu && c->nic->fds.n + c->nic->vhostfds.n > 0)
		ret |= diag_add(c->ds, DIAG_PINS_CONFLICT, 0, KEY(c->nic->at, "handoff"), NULL,
				"is false, so QEMU opens the backend and uses no numbers");
	return ret;
}

int nic_decide(const struct nic_case *c)
{
	const struct mode_row *row = c->row;
	const unsigned asked = nic_queues_asked(c->nic);
	unsigned link_queues;
	int ret, host = 0, counted = 0;

	*c->plan = (struct nic_plan){
		.nic = c->nic,
		.facts = c->nf,
		.by_qemu = !c->nic->handoff || row->by_qemu,
		.queues = asked,
		.lifeline = -1,
		.long_tx_queue = row->long_tx_queue,
		.has_mac = c->nic->has_mac,
		.mac = c->nic->mac,
	};
	if (row->check)
		host = row->check(c);
	/* expectations are checked independently, and hide no other problem */
	ret = host | (row->needs & NEEDS_LINK ? rule_expect(c) : 0) | decide_vhost(c, row);
	link_queues = host == 0 && row->link_queues ? row->link_queues(c->nf) : 0;
	if (asked > 0)
		counted = queues_asked(c, row, link_queues);
	else
		queues_default(c, row, link_queues);
	c->plan->n_fds = row->one_fd ? 1 : c->plan->queues;
	counted |= check_pins(c);
	if (host == 0 && counted == 0 && row->check_counted)
		ret |= row->check_counted(c);
	address_decide(c);
	if (host == 0 && c->nf->link.ifindex != 0)
		rule_addresses(c);
	return ret | counted | device_check(c);
}
