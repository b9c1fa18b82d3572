/*
 * rules.c - what the modes' rules share
 */
#include "config.h"

#include "mode/rules.h"

#include <errno.h>
#include <string.h>

/* --- links ------------------------------------------------------------------------------------ */

static int link_absent(const struct nic_case *c, const struct where *at, const char *name)
{
	const int err = c->nf->link.err;

	if (err != ENODEV)
		return diag_add(c->ds, DIAG_NETLINK_FAILED, err, at, name,
				"the link could not be looked up");
	return diag_add(c->ds, DIAG_LINK_MISSING, 0, at, name,
			"no such link in this network namespace");
}

int rule_link(const struct nic_case *c, const char *key, const char *name, const char *const *kinds)
{
	const struct link *link = &c->nf->link;
	const struct where *at = KEY(c->nic->at, key);

	if (link->err != 0)
		return link_absent(c, at, name);
	if (strcmp(key, "ifindex") != 0 && strcmp(link->name, name) != 0) {
		(void)diag_add(c->ds, DIAG_LINK_NAME, 0, at, name,
			       "is another name of the link '%s'", link->name);
		diag_hint(c->ds, "write \"%s\": \"%s\"", key, link->name);
		return -1;
	}
	for (unsigned i = 0; kinds[i]; i++) {
		if (strcmp(link->kind, kinds[i]) != 0)
			continue;
		/* "expect" has its own words about it */
		if (!link->up && c->nic->expect.up == CHOICE_ABSENT) {
			(void)diag_add(c->ds, DIAG_LINK_DOWN, 0, at, name,
				       "the link is down: no frame will pass");
			diag_hint(c->ds, "ip link set dev %s up", link->name);
		}
		return 0;
	}
	return diag_add(c->ds, DIAG_LINK_KIND, 0, at, name,
			"the link is of kind '%s', mode '%s' needs '%s'",
			link->kind[0] ? link->kind : "none", mode_name(c->nic->mode), kinds[0]);
}

/* --- expect ----------------------------------------------------------------------------------- */

/* A neighbour (master or lower link) that must be the one of that name. */
static int expect_neighbour(const struct nic_case *c, const char *key, const char *want,
			    const struct link *other, unsigned ifindex)
{
	const struct where *at = KEY(KEY(c->nic->at, "expect"), key);
	const char *name = c->nf->link.name;

	if (!want)
		return 0;
	if (other->err == ENODEV)
		return diag_add(c->ds, DIAG_EXPECT, 0, at, name,
				"its %s must be '%s', and there is no such link", key, want);
	if (other->err != 0)
		return diag_add(c->ds, DIAG_NETLINK_FAILED, other->err, at, want,
				"the link could not be looked up");
	if (ifindex == 0)
		return diag_add(c->ds, DIAG_EXPECT, 0, at, name, "its %s must be '%s', it has none",
				key, want);
	if (ifindex != other->ifindex)
		return diag_add(c->ds, DIAG_EXPECT, 0, at, name,
				"its %s must be '%s' (ifindex %u), it is the link with ifindex %u",
				key, want, other->ifindex, ifindex);
	return 0;
}

static int expect_owner(const struct nic_case *c, const struct where *at)
{
	const struct link *link = &c->nf->link;

	if (!c->nic->expect.has_owner ||
	    (link->tun.has_owner && link->tun.owner == c->nic->expect.owner))
		return 0;
	if (!link->tun.has_owner)
		return diag_add(c->ds, DIAG_EXPECT, 0, KEY(at, "owner"), link->name,
				"its owner must be uid %u, it has none", c->nic->expect.owner);
	return diag_add(c->ds, DIAG_EXPECT, 0, KEY(at, "owner"), link->name,
			"its owner must be uid %u, it is uid %u", c->nic->expect.owner,
			link->tun.owner);
}

int rule_expect(const struct nic_case *c)
{
	const struct expect *expect = &c->nic->expect;
	const struct link *link = &c->nf->link;
	const struct where *at = KEY(c->nic->at, "expect");
	int ret = 0;

	if (expect->up != CHOICE_ABSENT && link->up != (expect->up == CHOICE_ON))
		ret |= diag_add(c->ds, DIAG_EXPECT, 0, KEY(at, "up"), link->name,
				"must be %s, it is %s", link->up ? "down" : "up",
				link->up ? "up" : "down");
	if (expect->mtu != 0 && link->mtu != expect->mtu)
		ret |= diag_add(c->ds, DIAG_EXPECT, 0, KEY(at, "mtu"), link->name,
				"its MTU must be %u, it is %u", expect->mtu, link->mtu);
	if (expect->has_mac && !(link->has_mac && mac_equal(link->mac, expect->mac)))
		ret |= diag_add(c->ds, DIAG_EXPECT, 0, KEY(at, "mac"), link->name,
				"its address must be " MAC_FMT ", it is " MAC_FMT,
				MAC_ARG(expect->mac), MAC_ARG(link->mac));
	ret |= expect_owner(c, at);
	ret |= expect_neighbour(c, "master", expect->master, &c->nf->master, link->master);
	return ret | expect_neighbour(c, "lower", expect->lower, &c->nf->lower,
				      link->lower_elsewhere ? 0 : link->lower);
}

/* --- vhost-user and QEMU's version ------------------------------------------------------------ */

int rule_version(const struct nic_case *c, unsigned major, unsigned minor, const char *what)
{
	const struct qemu_version have = c->facts->qemu_version;

	if (have.major == 0 || have.major > major || (have.major == major && have.minor >= minor))
		return 0;
	return diag_add(c->ds, DIAG_QEMU_VERSION, 0, c->nic->at, c->facts->qemu.path,
			"this QEMU is version %u.%u, and %s is there from %u.%u on", have.major,
			have.minor, what, major, minor);
}

const char *vhost_user_chardev(const struct nic_case *c)
{
	return arena_printf(c->mem, "vu-%s", c->nic->id);
}

int rule_virtio_net(const struct nic_case *c)
{
	if (virtio_net(c->nic))
		return 0;
	return diag_add(c->ds, DIAG_DEVICE_CONFLICT, 0, KEY(KEY(c->nic->at, "device"), "driver"),
			NULL, "device '%s' cannot use vhost-user, only virtio-net can",
			c->nic->driver);
}
