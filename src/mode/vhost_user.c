/*
 * vhost_user.c - a switch in another process (OVS, DPDK, ...) that shares the guest's memory
 *
 * QEMU gets the path of the switch's socket, not a connected descriptor: no QEMU from 7.2 to 11.1
 * accepts one for vhost-user ("does not support FD passing"), and with a path it can reconnect when
 * the switch comes back. With "server" it is QEMU that listens there (ports of type
 * dpdkvhostuserclient of OVS): it does not go on before the switch has connected.
 */
#include "config.h"

#include "mode/rules.h"
#include "base/switch.h"
#include "desc/netopts.h"
#include "mode/sockets.h"

/*
 * path names the socket; the others are properties of the chardev, for backends that come and go.
 */
static const struct netopt options[] = {
	{ .key = "path",		.kind = NETOPT_SOCKET, .needed = true },
	{ .key = "server",		.kind = NETOPT_BOOL },
	{ .key = "reconnect",		.kind = NETOPT_NUMBER },
	{ .key = "reconnect-ms",	.kind = NETOPT_NUMBER },
	{ .key = NULL },
};

static bool is_server(const struct nic *nic)
{
	return switch_on(netopts_get(nic, "server"));
}

static const char *reconnect_key(const struct nic *nic)
{
	return netopts_get(nic, "reconnect-ms") ? "reconnect-ms"
	       : netopts_get(nic, "reconnect")  ? "reconnect"
						: NULL;
}

/* chardev/char-socket.c, qmp_chardev_validate_socket() */
static int check_server(const struct nic_case *c, const struct where *options_at)
{
	const char *key = reconnect_key(c->nic);

	if (!key)
		return 0;
	return diag_add(c->ds, DIAG_DEVICE_CONFLICT, 0, KEY(options_at, key), NULL,
			"with \"server\" QEMU listens, and the switch connects again");
}

static int vhost_user_check(const struct nic_case *c)
{
	const struct where *options_at = KEY(c->nic->at, "options"), *at = KEY(options_at, "path");
	const struct nic_facts *nf = c->nf;
	const int ret = rule_virtio_net(c);

	c->plan->shares_memory = true;
	c->plan->chardev_id = vhost_user_chardev(c);
	if (is_server(c->nic))
		return ret | check_server(c, options_at) |
		       socket_listens(c->facts, at, &nf->socket, &nf->socket_dir, c->ds);
	return ret |
	       socket_connects(c->facts, at, &nf->socket, reconnect_key(c->nic) != NULL, c->ds);
}

static void vhost_user_netdev(struct keyvals *kv, const struct nic_plan *np)
{
	keyval_text(kv, "type", "vhost-user");
	keyval_text(kv, "id", np->nic->id);
	keyval_text(kv, "chardev", np->chardev_id);
	if (np->queues > 1)
		keyval_number(kv, "queues", np->queues);
}

static void vhost_user_chardev_words(struct keyvals *kv, const struct nic_plan *np)
{
	keyval_text(kv, "backend", "socket");
	keyval_text(kv, "id", np->chardev_id);
	netdev_options(kv, np->nic, options);
	/* all NICs listen before QEMU waits for the first to be connected to */
	if (is_server(np->nic))
		keyval_switch(kv, "wait", false);
}

static const char *vhost_user_socket(const struct nic *nic)
{
	return netopts_get(nic, "path");
}

const struct mode_row mode_vhost_user = {
	.syntax = { .keys = NIC_KEY_BIT(OPTIONS), .options = options },
	.needs = NEEDS_VERSION,
	.socket = vhost_user_socket,
	.by_qemu = true,
	.default_one = true,
	.shared_segment = true,
	.check = vhost_user_check,
	.netdev = vhost_user_netdev,
	.chardev = vhost_user_chardev_words,
};
