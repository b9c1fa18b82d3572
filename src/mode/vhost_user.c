/*
 * vhost_user.c - a switch in another process (OVS, DPDK, ...) that shares the guest's memory
 *
 * QEMU gets the path of the switch's socket, not a connected descriptor: no QEMU from 7.2 to 11.1 takes
 * one for vhost-user ("does not support FD passing"), and with a path it can connect again when the
 * switch comes back.
 */
#include "config.h"

#include "mode/mode.h"
#include "desc/netopts.h"

#include <errno.h>

static int check(const struct ruling *ru)
{
	const struct where *at = KEY(KEY(ru->nic->at, "options"), "path");
	const struct spot *sock = &ru->nf->socket;
	int ret = rule_virtio_net(ru);

	ru->plan->by_qemu = true;
	ru->plan->chardev_id = vhost_user_chardev(ru);
	if (sock->err != 0)
		return diag_add(ru->ds, sock->err == EACCES ? DIAG_SOCKET_ACCESS : DIAG_SOCKET_MISSING, sock->err, at,
				sock->path, "the switch is to listen on this socket");
	if (!sock->right_kind)
		return diag_add(ru->ds, DIAG_SOCKET_NOT_SOCKET, 0, at, sock->path, "not a socket");
	/* QEMU may get other ids than ours: what those may do is not to be told from here */
	if (sock->access_err == 0 || ru->facts->ids.wanted)
		return ret;
	return diag_add(ru->ds, DIAG_SOCKET_ACCESS, sock->access_err, at, sock->path,
			"uid %u must be able to write to it to connect", ru->facts->uid);
}

static void netdev(struct str *s, const struct nic_plan *plan)
{
	str_put(s, "vhost-user,id=%s,chardev=%s", plan->nic->id, plan->chardev_id);
	if (plan->queues > 1)
		str_put(s, ",queues=%u", plan->queues);
}

static void chardev(struct str *s, const struct nic_plan *plan)
{
	str_put(s, "socket,id=%s", plan->chardev_id);
	netopts_native(s, plan->nic);
}

const struct backend backend_vhost_user = {
	.needs = NEEDS_SOCKET | NEEDS_VERSION,
	.default_one = true,
	.check = check,
	.netdev = netdev,
	.chardev = chardev,
};
