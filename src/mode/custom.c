/*
 * custom.c - the descriptor's own -netdev value, word for word; only its id is looked at
 *
 * How many queue pairs that netdev serves is the descriptor's business ("queues"), and so is whether
 * it uses vhost; "vhost": true asks for a /dev/vhost-net that QEMU will be able to open.
 */
#include "config.h"

#include "mode/mode.h"
#include "desc/cmdline.h"

#include <string.h>

static int check(const struct ruling *ru)
{
	const struct where *at = KEY(ru->nic->at, "netdev");
	const char *id = qargv_value(ru->mem, ru->nic->netdev, "id");

	if (id && strcmp(id, ru->nic->id) == 0)
		return 0;
	if (id)
		(void)diag_add(ru->ds, DIAG_CUSTOM_ID, 0, at, NULL, "its id is '%s', the NIC's is '%s'", id, ru->nic->id);
	else
		(void)diag_add(ru->ds, DIAG_CUSTOM_ID, 0, at, NULL, "it has no id, and the device needs '%s'", ru->nic->id);
	diag_hint(ru->ds, "the value and \"id\" must agree");
	return -1;
}

static void netdev(struct str *s, const struct nic_plan *plan)
{
	str_put(s, "%s", plan->nic->netdev);
}

const struct backend backend_custom = {
	.needs = NEEDS_VHOST_NET,
	.has_vhost = true,
	.default_one = true,
	.check = check,
	.netdev = netdev,
};
