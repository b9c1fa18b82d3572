/*
 * vhost_user.c - a switch in another process (OVS, DPDK, ...) that shares the guest's memory
 *
 * QEMU gets the path of the switch's socket, not a connected descriptor: no QEMU from 7.2 to 11.1
 * takes one for vhost-user ("does not support FD passing"), and with a path it can connect again
 * when the switch comes back.
 */
#include "config.h"

#include "mode/rules.h"
#include "desc/netopts.h"

#include <errno.h>

/*
 * path names the socket; the others are properties of the chardev, for backends that come and go.
 */
static const struct netopt options[] = {
	{ .key = "path",		.kind = NETOPT_SOCKET, .needed = true },
	{ .key = "reconnect",		.kind = NETOPT_NUMBER },
	{ .key = "reconnect-ms",	.kind = NETOPT_NUMBER },
	{ .key = NULL },
};

static int check(const struct nic_case *c)
{
	const struct where *at = KEY(KEY(c->nic->at, "options"), "path");
	const struct spot *sock = &c->nf->socket;
	int ret = rule_virtio_net(c);

	c->plan->shares_memory = true;
	c->plan->chardev_id = vhost_user_chardev(c);
	if (sock->err != 0)
		return diag_add(c->ds,
				sock->err == EACCES ? DIAG_SOCKET_ACCESS : DIAG_SOCKET_MISSING,
				sock->err, at, sock->path,
				"the switch is to listen on this socket");
	if (!sock->right_kind)
		return diag_add(c->ds, DIAG_SOCKET_NOT_SOCKET, 0, at, sock->path, "not a socket");
	/* QEMU may get other ids than ours: what those may do is not to be told from here */
	if (sock->access_err == 0 || c->facts->ids.wanted)
		return ret;
	return diag_add(c->ds, DIAG_SOCKET_ACCESS, sock->access_err, at, sock->path,
			"uid %u must be able to write to it to connect", c->facts->uid);
}

static void netdev(struct keyvals *kv, const struct nic_plan *np)
{
	keyval_text(kv, "type", "vhost-user");
	keyval_text(kv, "id", np->nic->id);
	keyval_text(kv, "chardev", np->chardev_id);
	if (np->queues > 1)
		keyval_number(kv, "queues", np->queues);
}

static void chardev(struct keyvals *kv, const struct nic_plan *np)
{
	keyval_text(kv, "backend", "socket");
	keyval_text(kv, "id", np->chardev_id);
	netdev_options(kv, np->nic, options);
}

static const char *socket_path(const struct nic *nic)
{
	return netopts_get(nic, "path");
}

const struct mode_row mode_vhost_user = {
	.syntax = { .keys = NIC_KEY_BIT(OPTIONS), .options = options },
	.needs = NEEDS_VERSION,
	.socket = socket_path,
	.by_qemu = true,
	.default_one = true,
	.shared_segment = true,
	.check = check,
	.netdev = netdev,
	.chardev = chardev,
};
