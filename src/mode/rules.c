/*
 * rules.c - what the modes' rules share
 */
#include "config.h"

#include "mode/mode.h"

#include <errno.h>
#include <string.h>

const struct backend *backend_of(enum mode mode)
{
	static const struct backend *const all[] = {
		[MODE_USER]	= &backend_user,
		[MODE_BRIDGE]	= &backend_bridge,
		[MODE_TAP]	= &backend_tap,
		[MODE_MACVTAP]	= &backend_macvtap,
		[MODE_PASST]	= &backend_passt,
		[MODE_VHOST_USER] = &backend_vhost_user,
		[MODE_CUSTOM]	= &backend_custom,
	};

	return all[mode];
}

/* --- links ------------------------------------------------------------------------------------- */

static int link_absent(const struct ruling *ru, const struct where *at, const char *name)
{
	const int err = ru->nf->link.err;

	if (err != ENODEV)
		return diag_add(ru->ds, DIAG_NETLINK_FAILED, err, at, name, "the link could not be looked up");
	return diag_add(ru->ds, DIAG_LINK_MISSING, 0, at, name, "no such link in this network namespace");
}

int rule_link(const struct ruling *ru, const char *key, const char *name, const char *const *kinds)
{
	const struct link *link = &ru->nf->link;
	const struct where *at = KEY(ru->nic->at, key);

	if (link->err != 0)
		return link_absent(ru, at, name);
	if (strcmp(key, "ifindex") != 0 && strcmp(link->name, name) != 0) {
		(void)diag_add(ru->ds, DIAG_LINK_NAME, 0, at, name, "is another name of the link '%s'", link->name);
		diag_hint(ru->ds, "write \"%s\": \"%s\"", key, link->name);
		return -1;
	}
	for (unsigned i = 0; kinds[i]; i++) {
		if (strcmp(link->kind, kinds[i]) != 0)
			continue;
		/* "expect" has its own words about it */
		if (!link->up && ru->nic->expect.up == CHOICE_ABSENT) {
			(void)diag_add(ru->ds, DIAG_LINK_DOWN, 0, at, name, "the link is down: no frame will pass");
			diag_hint(ru->ds, "ip link set dev %s up", link->name);
		}
		return 0;
	}
	return diag_add(ru->ds, DIAG_LINK_KIND, 0, at, name, "the link is of kind '%s', mode '%s' needs '%s'",
			link->kind[0] ? link->kind : "none", mode_name(ru->nic->mode), kinds[0]);
}

/* --- nodes ------------------------------------------------------------------------------------- */

const char *node_trouble(struct arena *mem, const struct node *node, unsigned major, unsigned minor)
{
	if (node->err != 0)
		return arena_printf(mem, "%s: %s", node->path, strerrordesc_np(node->err));
	if (!node->is_chr)
		return arena_printf(mem, "%s: not a character device", node->path);
	if (node->major != major || node->minor != minor)
		return arena_printf(mem, "%s: is character device %u:%u, not %u:%u", node->path, node->major,
				    node->minor, major, minor);
	if (node->access_err != 0)
		return arena_printf(mem, "%s: %s", node->path, strerrordesc_np(node->access_err));
	return NULL;
}

bool facts_in_group(const struct facts *facts, unsigned gid)
{
	if (facts->gid == gid)
		return true;
	for (unsigned i = 0; i < facts->n_groups; i++)
		if (facts->groups[i] == gid)
			return true;
	return false;
}

/* By its mode alone. */
static bool mode_allows(const struct facts *facts, const struct node *node)
{
	const unsigned shift = node->uid == facts->uid ? 6 : facts_in_group(facts, node->gid) ? 3 : 0;

	return (node->mode >> shift & 6) == 6;
}

int node_cgroup_denied(const char *path, const struct where *at, struct diags *ds)
{
	(void)diag_add(ds, DIAG_NODE_ACCESS, EPERM, at, path, "the devices cgroup of this process denies it");
	diag_hint(ds, "allow the device there (systemd: DeviceAllow=, libvirt: cgroup_device_acl of qemu.conf)");
	return -1;
}

static int node_denied(const struct ruling *ru, const struct where *at, const struct node *node)
{
	/* access(2) asks the device controller too, and a node has no other EPERM (Linux, devcgroup_inode_permission()) */
	if (node->access_err == EPERM)
		return node_cgroup_denied(node->path, at, ru->ds);
	(void)diag_add(ru->ds, DIAG_NODE_ACCESS, node->access_err, at, node->path,
		       "mode %04o owner %u:%u, running as uid %u", node->mode, node->uid, node->gid, ru->facts->uid);
	diag_hint(ru->ds, "%s", mode_allows(ru->facts, node) ?
		  "an access list (getfacl) or a security module (SELinux, AppArmor) denies it: allow the device there" :
		  "give these ids read and write access to the node");
	return -1;
}

int rule_node(const struct ruling *ru, const struct where *at, const struct node *node, unsigned major,
	      unsigned minor, const char *to_make)
{
	if (node->err != 0) {
		(void)diag_add(ru->ds, DIAG_NODE_MISSING, node->err, at, node->path,
			       "character device %u:%u is needed here", major, minor);
		/* the second is the private /dev that libvirt gives QEMU: mknod on the host does not reach it */
		diag_hint(ru->ds, "%s, or where libvirt starts this: list %s in cgroup_device_acl of qemu.conf", to_make,
			  node->path);
		return -1;
	}
	if (!node->is_chr)
		return diag_add(ru->ds, DIAG_NODE_NOT_DEVICE, 0, at, node->path,
				"not a character device, %u:%u is needed here", major, minor);
	if (node->major != major || node->minor != minor)
		return diag_add(ru->ds, DIAG_NODE_WRONG_DEVICE, 0, at, node->path,
				"is character device %u:%u, %u:%u is needed here", node->major, node->minor, major,
				minor);
	return node->access_err != 0 ? node_denied(ru, at, node) : 0;
}

/* --- expect ------------------------------------------------------------------------------------ */

/* A neighbour (master or lower link) that must be the one of that name. */
static int expect_neighbour(const struct ruling *ru, const char *key, const char *want, const struct link *other,
			    unsigned ifindex)
{
	const struct where *at = KEY(KEY(ru->nic->at, "expect"), key);
	const char *name = ru->nf->link.name;

	if (!want)
		return 0;
	if (other->err == ENODEV)
		return diag_add(ru->ds, DIAG_EXPECT, 0, at, name, "its %s must be '%s', and there is no such link",
				key, want);
	if (other->err != 0)
		return diag_add(ru->ds, DIAG_NETLINK_FAILED, other->err, at, want, "the link could not be looked up");
	if (ifindex == 0)
		return diag_add(ru->ds, DIAG_EXPECT, 0, at, name, "its %s must be '%s', it has none", key, want);
	if (ifindex != other->ifindex)
		return diag_add(ru->ds, DIAG_EXPECT, 0, at, name,
				"its %s must be '%s' (ifindex %u), it is the link with ifindex %u", key, want,
				other->ifindex, ifindex);
	return 0;
}

static int expect_owner(const struct ruling *ru, const struct where *at)
{
	const struct link *link = &ru->nf->link;

	if (!ru->nic->expect.has_owner || (link->tun.has_owner && link->tun.owner == ru->nic->expect.owner))
		return 0;
	if (!link->tun.has_owner)
		return diag_add(ru->ds, DIAG_EXPECT, 0, KEY(at, "owner"), link->name, "its owner must be uid %u, it has none",
				ru->nic->expect.owner);
	return diag_add(ru->ds, DIAG_EXPECT, 0, KEY(at, "owner"), link->name, "its owner must be uid %u, it is uid %u",
			ru->nic->expect.owner, link->tun.owner);
}

int rule_expect(const struct ruling *ru)
{
	const struct expect *expect = &ru->nic->expect;
	const struct link *link = &ru->nf->link;
	const struct where *at = KEY(ru->nic->at, "expect");
	int ret = 0;

	if (expect->up != CHOICE_ABSENT && link->up != (expect->up == CHOICE_ON))
		ret |= diag_add(ru->ds, DIAG_EXPECT, 0, KEY(at, "up"), link->name, "must be %s, it is %s",
				link->up ? "down" : "up", link->up ? "up" : "down");
	if (expect->mtu != 0 && link->mtu != expect->mtu)
		ret |= diag_add(ru->ds, DIAG_EXPECT, 0, KEY(at, "mtu"), link->name, "its MTU must be %u, it is %u",
				expect->mtu, link->mtu);
	if (expect->has_mac && !(link->has_mac && mac_equal(link->mac, expect->mac)))
		ret |= diag_add(ru->ds, DIAG_EXPECT, 0, KEY(at, "mac"), link->name,
				"its address must be " MAC_FMT ", it is " MAC_FMT, MAC_ARG(expect->mac),
				MAC_ARG(link->mac));
	ret |= expect_owner(ru, at);
	ret |= expect_neighbour(ru, "master", expect->master, &ru->nf->master, link->master);
	return ret | expect_neighbour(ru, "lower", expect->lower, &ru->nf->lower,
				      link->lower_elsewhere ? 0 : link->lower);
}

/* --- vhost-user and QEMU's version --------------------------------------------------------------- */

int rule_version(const struct ruling *ru, unsigned major, unsigned minor, const char *what)
{
	const struct qemu_version have = ru->facts->qemu_version;

	if (have.major == 0 || have.major > major || (have.major == major && have.minor >= minor))
		return 0;
	return diag_add(ru->ds, DIAG_QEMU_VERSION, 0, ru->nic->at, ru->facts->qemu.path,
			"this QEMU is version %u.%u, and %s is there from %u.%u on", have.major, have.minor, what, major, minor);
}

const char *vhost_user_chardev(const struct ruling *ru)
{
	return arena_printf(ru->mem, "vu-%s", ru->nic->id);
}

int rule_virtio_net(const struct ruling *ru)
{
	if (virtio_net(ru->nic))
		return 0;
	return diag_add(ru->ds, DIAG_DEVICE_CONFLICT, 0, KEY(KEY(ru->nic->at, "device"), "driver"), NULL,
			"device '%s' cannot use vhost-user, only virtio-net can", ru->nic->driver);
}

/* --- words ------------------------------------------------------------------------------------- */

static void put_numbers(struct str *s, const char *key, const int *fds, unsigned n)
{
	str_put(s, ",%s%s=", key, n > 1 ? "s" : "");
	for (unsigned i = 0; i < n; i++)
		str_put(s, "%s%d", i > 0 ? ":" : "", fds[i]);
}

void netdev_fds(struct str *s, const struct nic_plan *plan)
{
	str_put(s, "tap,id=%s", plan->nic->id);
	put_numbers(s, "fd", plan->fds, plan->queues);
	if (!plan->vhost) {
		str_put(s, ",vhost=off");
		return;
	}
	/* Without vhostforce a vhost that fails to start is silence in QEMU 6.2, SIGABRT in 7.2 and 8.2,
	   exit 1 from 9.2 on; with it every version from 6.2 to 11.1 exits 1 (net/tap.c, net_init_tap_one). */
	str_put(s, ",vhost=on,vhostforce=on");
	put_numbers(s, "vhostfd", plan->vhostfds, plan->queues);
}
