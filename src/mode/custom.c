/*
 * custom.c - the descriptor's own -netdev value, word for word; only its id is looked at
 *
 * How many queue pairs that netdev serves is the descriptor's business ("queues"), and so is
 * whether it uses vhost; "vhost": true asks for a /dev/vhost-net that QEMU will be able to open.
 */
#include "config.h"

#include "mode/rules.h"
#include "desc/cmdline.h"

#include <string.h>

static int check(const struct nic_case *c)
{
	const struct where *at = KEY(c->nic->at, "netdev");
	const char *id = qargv_value(c->mem, c->nic->netdev, "id");

	if (id && strcmp(id, c->nic->id) == 0)
		return 0;
	if (id)
		(void)diag_add(c->ds, DIAG_CUSTOM_ID, 0, at, NULL,
			       "its id is '%s', the NIC's is '%s'", id, c->nic->id);
	else
		(void)diag_add(c->ds, DIAG_CUSTOM_ID, 0, at, NULL,
			       "it has no id, and the device needs '%s'", c->nic->id);
	diag_hint(c->ds, "make \"id\" and the id in the value the same");
	return -1;
}

static void netdev(struct keyvals *kv, const struct nic_plan *np)
{
	kv->verbatim = np->nic->netdev;
}

const struct mode_row mode_custom = {
	.syntax = {
		.keys = NIC_KEY_BIT(VHOST) | NIC_KEY_BIT(NETDEV),
		.needs = NIC_KEY_BIT(NETDEV),
		.verbatim = true,
	},
	.needs = NEEDS_VHOST_NET,
	.vhost_if_asked = true,
	.has_vhost = true,
	.by_qemu = true,
	.default_one = true,
	.check = check,
	.netdev = netdev,
};
