/* rules.h - rules that several modes share. Pure; each returns 0, or -1 after a diag. */
#ifndef QH_MODE_RULES_H
#define QH_MODE_RULES_H

#include "mode/mode.h"

/* Keys of the modes whose backend is QEMU's tap. */
#define NIC_KEYS_TAP \
	(NIC_KEY_BIT(VHOST) | NIC_KEY_BIT(FDS) | NIC_KEY_BIT(VHOSTFDS) | NIC_KEY_BIT(NETDEV) | \
	 NIC_KEY_BIT(EXPECT))

/*
 * The link exists, is the one of that name, and is of one of the kinds (NULL-terminated). Warns if
 * no frame will pass because of a link it depends on.
 */
int rule_link(const struct nic_case *c, const char *key, const char *name,
	      const char *const *kinds);
/* What "expect" states is true. */
int rule_expect(const struct nic_case *c);
/* Who holds the link: "pid 12 (qemu-system-x86)", or what is known of it. */
const char *rule_holder(const struct nic_case *c);
/* Warns if frames to the guest's address, which is known by now, do not reach the guest. */
void rule_addresses(const struct nic_case *c);
/*
 * Does a macvtap accept only frames to its own address? In mode passthru it accepts all, in mode
 * source it filters by sender.
 */
bool link_filters(const struct link *link);
/* vhost-user works with virtio-net only. */
int rule_virtio_net(const struct nic_case *c);
/* QEMU is not older than that; an unknown version passes. what: the feature that it would lack. */
int rule_version(const struct nic_case *c, unsigned major, unsigned minor, const char *what);

/*
 * What is known about the NIC's device; one that is plugged in later is assumed to be virtio-net.
 * Never NULL.
 */
const struct net_device *nic_device(const struct nic *nic);
/*
 * Is the NIC's device virtio-net, the only kind that works with vhost-user and several queue pairs?
 */
bool virtio_net(const struct nic *nic);
/* The id of the chardev for vhost-user. */
const char *vhost_user_chardev(const struct nic_case *c);

/*
 * Words of argv whose TAP, or whose bridge, is opened for QEMU: neither what has descriptors
 * already, nor what makes QEMU run a script.
 */
bool adopt_tap(const struct qopts *words, struct nic *nic);
bool adopt_bridge(const struct qopts *words, struct nic *nic);
/* fd or fds, vhost, vhostfd or vhostfds of a TAP's netdev. */
void netdev_numbers(struct keyvals *kv, const struct nic_plan *np);
/* "fd=3,vhost=on,..." or "fds=3:4,...", the same for every mode whose TAP descriptors we open. */
void netdev_tap_fds(struct keyvals *kv, const struct nic_plan *np);
/*
 * The options of the NIC as properties of the netdev or chardev, unchanged; options: those of the
 * mode.
 */
void netdev_options(struct keyvals *kv, const struct nic *nic, const struct netopt *options);

#endif
