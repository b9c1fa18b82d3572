/*
 * user.c - QEMU's own user-mode network: one queue pair, no vhost, nothing to open
 */
#include "config.h"

#include "mode/rules.h"

static void user_netdev(struct keyvals *kv, const struct nic_plan *np)
{
	keyval_text(kv, "type", "user");
	keyval_text(kv, "id", np->nic->id);
	netdev_options(kv, np->nic, NULL);
}

const struct mode_row mode_user = {
	.syntax = { .keys = NIC_KEY_BIT(OPTIONS) },
	.one_queue = true,
	.netdev = user_netdev,
};
