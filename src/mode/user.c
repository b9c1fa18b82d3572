/*
 * user.c - QEMU's own user-mode network: one queue pair, no vhost, nothing to open
 */
#include "config.h"

#include "mode/mode.h"

static void netdev(struct str *s, const struct nic_plan *plan)
{
	str_put(s, "user,id=%s", plan->nic->id);
	for (unsigned i = 0; i < plan->nic->options.n; i++) {
		str_put(s, ",%s=", plan->nic->options.list[i].key);
		str_put_opt(s, plan->nic->options.list[i].value);
	}
}

const struct backend backend_user = {
	.one_queue = true,
	.netdev = netdev,
};
