/*
 * link_rules.c - a link and the links it depends on, judged in one place
 *
 * Whether frames pass depends on the link, on its lower link (of a macvtap) and on the bridge that
 * it is a port of (of a TAP). The guest's address is judged once it is known, by rule_addresses().
 */
#include "config.h"

#include "mode/rules.h"

#include <errno.h>
#include <string.h>

#include <linux/if_link.h>

/* --- do frames pass? -------------------------------------------------------------------------- */

static const char *link_key(const struct nic_case *c)
{
	return c->nic->bridge ? "bridge" : c->nic->ifname ? "ifname" : "ifindex";
}

/* The lower link of a macvtap carries every frame. */
static void judge_lower(const struct nic_case *c)
{
	const struct link *link = &c->nf->link, *lower = &c->nf->lower;

	if (lower->ifindex != 0 && !lower->up) {
		(void)diag_add(c->ds, DIAG_LOWER_DOWN, 0, KEY(c->nic->at, link_key(c)), link->name,
			       "its lower link '%s' is down: no frame will pass", lower->name);
		diag_hint(c->ds, "ip link set dev %s up", diag_word(c->ds, lower->name));
	} else if (lower->ifindex != 0 && !lower->carrier) {
		(void)diag_add(c->ds, DIAG_NO_CARRIER, 0, KEY(c->nic->at, link_key(c)), link->name,
			       "its lower link '%s' has no carrier, so frames reach no other host",
			       lower->name);
	} else if (link->lower_elsewhere && link->up && link->operstate == OPERSTATE_LOWER_DOWN) {
		(void)diag_add(
			c->ds, DIAG_NO_CARRIER, 0, KEY(c->nic->at, link_key(c)), link->name,
			"its lower link, in another network namespace, is down or has no carrier");
	}
}

/*
 * Its own carrier goes with the lower link's, or is turned off (drivers/net/macvlan.c, protodown):
 * frames to the guest pass then, and the guest's own do not.
 */
static void judge_own_carrier(const struct nic_case *c)
{
	const struct link *link = &c->nf->link;

	if (!link->up || link->carrier || !link->proto_down)
		return;
	(void)diag_add(c->ds, DIAG_NO_CARRIER, 0, KEY(c->nic->at, link_key(c)), link->name,
		       "its carrier is turned off (protodown): no frame of the guest will pass");
	diag_hint(c->ds, "ip link set dev %s protodown off", diag_word(c->ds, link->name));
}

/* A bridge that is down forwards nothing between its ports. */
static void judge_master(const struct nic_case *c)
{
	const struct link *master = &c->nf->master;

	if (master->ifindex == 0 || master->up)
		return;
	(void)diag_add(c->ds, DIAG_MASTER_DOWN, 0, KEY(c->nic->at, link_key(c)), c->nf->link.name,
		       "it is a port of '%s', which is down: no frame will pass", master->name);
	diag_hint(c->ds, "ip link set dev %s up", diag_word(c->ds, master->name));
}

/*
 * A macvtap accepts broadcast, its own address, and the groups that the host joins on it. It does
 * not know which groups the guest joins (drivers/net/macvlan.c, macvlan_set_mac_lists()). In mode
 * source only the sender counts.
 */
static void judge_groups(const struct nic_case *c)
{
	const struct link *link = &c->nf->link;

	if (link->macvtap_mode == MACVLAN_MODE_SOURCE && link->sources == 0) {
		(void)diag_add(c->ds, DIAG_SOURCE_EMPTY, 0, KEY(c->nic->at, link_key(c)),
			       link->name,
			       "it is in mode source with an empty address list: no frame will "
			       "reach the guest");
		diag_hint(c->ds, "ip link set dev %s type macvtap mode bridge",
			  diag_word(c->ds, link->name));
	}
	if (link->macvtap_mode == MACVLAN_MODE_SOURCE || link->all_multicast)
		return;
	(void)diag_add(c->ds, DIAG_MULTICAST_OFF, 0, KEY(c->nic->at, link_key(c)), link->name,
		       "it drops multicast to groups that the guest joins, so IPv6 neighbour "
		       "discovery fails");
	diag_hint(c->ds, "ip link set dev %s allmulticast on", diag_word(c->ds, link->name));
}

static void judge_passing(const struct nic_case *c)
{
	const struct link *link = &c->nf->link;

	if (!link->up) {
		(void)diag_add(c->ds, DIAG_LINK_DOWN, 0, KEY(c->nic->at, link_key(c)), link->name,
			       "the link is down: no frame will pass");
		diag_hint(c->ds, "ip link set dev %s up", diag_word(c->ds, link->name));
	}
	judge_master(c);
	if (!(c->row->needs & NEEDS_SYSFS))
		return;
	judge_lower(c);
	judge_own_carrier(c);
	judge_groups(c);
}

/* --- its name and kind ------------------------------------------------------------------------ */

static int link_absent(const struct nic_case *c, const char *key, const char *name)
{
	const struct where *at = KEY(c->nic->at, key);
	const char *lower = strchr(name, '@');

	if (c->nf->link.err != ENODEV)
		return diag_add(c->ds, DIAG_NETLINK_FAILED, c->nf->link.err, at, name,
				"the link lookup failed");
	(void)diag_add(c->ds, DIAG_LINK_MISSING, 0, at, name,
		       "no such link in this network namespace");
	if (lower && lower > name)
		diag_hint(c->ds, "\"%s\": \"%.*s\"; what 'ip' shows after '@' is the lower link",
			  key, (int)(lower - name), name);
	return -1;
}

/* The link exists, but a different mode fits it. */
static void hint_mode(const struct nic_case *c)
{
	static const struct { const char *kind, *mode, *key; } modes[] = {
		{ "macvtap",	"macvtap",	"ifname" },
		{ "ipvtap",	"macvtap",	"ifname" },
		{ "tun",	"tap",		"ifname" },
		{ "bridge",	"bridge",	"bridge" },
	};
	const struct link *link = &c->nf->link;
	const char *name = diag_word(c->ds, link->name);

	for (unsigned i = 0; i < ARRAY_LEN(modes); i++)
		if (strcmp(modes[i].kind, link->kind) == 0)
			diag_hint(c->ds, "\"mode\": \"%s\", \"%s\": \"%s\"", modes[i].mode,
				  modes[i].key, link->name);
	if (strcmp(link->kind, "macvlan") == 0 && c->nf->lower.ifindex != 0)
		diag_hint(c->ds,
			  "ip link del dev %s && ip link add link %s name %s type macvtap mode "
			  "bridge && "
			  "ip link set dev %s up",
			  name, diag_word(c->ds, c->nf->lower.name), name, name);
}

int rule_link(const struct nic_case *c, const char *key, const char *name, const char *const *kinds)
{
	const struct link *link = &c->nf->link;
	const struct where *at = KEY(c->nic->at, key);

	if (link->err != 0)
		return link_absent(c, key, name);
	if (strcmp(key, "ifindex") != 0 && strcmp(link->name, name) != 0) {
		(void)diag_add(c->ds, DIAG_LINK_NAME, 0, at, name,
			       "is an alternative name of the link '%s'", link->name);
		diag_hint(c->ds, "\"%s\": \"%s\"", key, link->name);
		return -1;
	}
	for (unsigned i = 0; kinds[i]; i++)
		if (strcmp(link->kind, kinds[i]) == 0) {
			judge_passing(c);
			return 0;
		}
	(void)diag_add(c->ds, DIAG_LINK_KIND, 0, at, name,
		       "the link is of kind '%s', but mode '%s' needs '%s'",
		       link->kind[0] ? link->kind : "none", mode_name(c->nic->mode), kinds[0]);
	hint_mode(c);
	return -1;
}

/* --- whose is the link? ----------------------------------------------------------------------- */

const char *rule_holder(const struct nic_case *c)
{
	const struct holder *holder = &c->nf->holder;

	if (holder->pid == 0)
		return "another process";
	if (!holder->name[0])
		return arena_printf(c->mem, "something left by pid %u, which has ended",
				    holder->pid);
	return arena_printf(c->mem, "pid %u (%s)", holder->pid, holder->name);
}

/* --- whose is the guest's address? ------------------------------------------------------------ */

bool link_filters(const struct link *link)
{
	return link->macvtap_mode != MACVLAN_MODE_PASSTHRU &&
	       link->macvtap_mode != MACVLAN_MODE_SOURCE;
}

static int taken(const struct nic_case *c, const struct mac *mac, const char *by)
{
	(void)diag_add(c->ds, DIAG_MAC_TAKEN, 0, KEY(c->nic->at, "mac"), c->nf->link.name,
		       "the guest's address " MAC_FMT
		       " belongs to '%s', for which the host answers: no unicast frame will reach "
		       "the guest",
		       MAC_ARG(*mac), by);
	return -1;
}

/*
 * A TAP may have any other address: use the guest's with a different first byte, as libvirt does.
 */
static void hint_tap_address(const struct nic_case *c, struct mac mac)
{
	mac.byte[0] = mac.byte[0] == 0xfe ? 0xfa : 0xfe;
	diag_hint(c->ds, "ip link set dev %s address " MAC_FMT,
		  diag_word(c->ds, c->nf->link.name), MAC_ARG(mac));
}

static bool address_taken(const struct nic_case *c, const struct mac *mac)
{
	const struct link *link = &c->nf->link, *lower = &c->nf->lower;

	if (strcmp(link->kind, "tun") == 0 && link->has_mac && mac_equal(*mac, link->mac)) {
		(void)taken(c, mac, link->name);
		hint_tap_address(c, *mac);
		return true;
	}
	if (c->nf->mac_of != 0) {
		(void)taken(c, mac, c->nf->mac_of_name);
		diag_hint(c->ds, "give the NIC another \"mac\"");
		return true;
	}
	if (link->macvtap_mode == 0 || !link_filters(link) || !lower->has_mac ||
	    !mac_equal(*mac, lower->mac))
		return false;
	(void)taken(c, mac, lower->name);
	diag_hint(c->ds, "leave out \"mac\", and the guest gets the link's address");
	return true;
}

void rule_addresses(const struct nic_case *c)
{
	const struct nic_plan *plan = c->plan;
	const struct link *link = &c->nf->link;

	if (!plan->has_mac || address_taken(c, &plan->mac))
		return;
	if (!(c->row->needs & NEEDS_SYSFS) || !link_filters(link) ||
	    !link->has_mac || mac_equal(plan->mac, link->mac))
		return;
	(void)diag_add(c->ds, DIAG_MAC_DIFFERS, 0, KEY(c->nic->at, "mac"), link->name,
		       "the guest's address " MAC_FMT " is not the link's address " MAC_FMT
		       ", and the link drops frames to it",
		       MAC_ARG(plan->mac), MAC_ARG(link->mac));
	diag_hint(c->ds, "ip link set dev %s address " MAC_FMT,
		  diag_word(c->ds, link->name), MAC_ARG(plan->mac));
}

/* --- expect ----------------------------------------------------------------------------------- */

/* A neighbour (master or lower link) that must be the link of that name. */
static int expect_neighbour(const struct nic_case *c, const char *key, const char *want,
			    const struct link *other, unsigned ifindex)
{
	const struct where *at = KEY(KEY(c->nic->at, "expect"), key);
	const char *name = c->nf->link.name;

	if (!want)
		return 0;
	if (other->err == ENODEV)
		return diag_add(c->ds, DIAG_EXPECT, 0, at, name,
				"its %s must be '%s', but there is no such link", key, want);
	if (other->err != 0)
		return diag_add(c->ds, DIAG_NETLINK_FAILED, other->err, at, want,
				"the link lookup failed");
	if (ifindex == 0)
		return diag_add(c->ds, DIAG_EXPECT, 0, at, name, "its %s must be '%s', but it has "
								 "none",
				key, want);
	if (ifindex != other->ifindex)
		return diag_add(c->ds, DIAG_EXPECT, 0, at, name,
				"its %s must be '%s' (ifindex %u), but is the link with ifindex %u",
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
				"its owner must be uid %u, but it has none", c->nic->expect.owner);
	return diag_add(c->ds, DIAG_EXPECT, 0, KEY(at, "owner"), link->name,
			"its owner must be uid %u, but is uid %u", c->nic->expect.owner,
			link->tun.owner);
}

int rule_expect(const struct nic_case *c)
{
	const struct expect *expect = &c->nic->expect;
	const struct link *link = &c->nf->link;
	const struct where *at = KEY(c->nic->at, "expect");
	int ret = 0;

	if (link->err != 0)
		return 0;
	if (expect->up != CHOICE_ABSENT && link->up != (expect->up == CHOICE_ON))
		ret |= diag_add(c->ds, DIAG_EXPECT, 0, KEY(at, "up"), link->name,
				"must be %s, but is %s", link->up ? "down" : "up",
				link->up ? "up" : "down");
	if (expect->mtu != 0 && link->mtu != expect->mtu)
		ret |= diag_add(c->ds, DIAG_EXPECT, 0, KEY(at, "mtu"), link->name,
				"its MTU must be %u, but is %u", expect->mtu, link->mtu);
	if (expect->has_mac && !(link->has_mac && mac_equal(link->mac, expect->mac)))
		ret |= diag_add(c->ds, DIAG_EXPECT, 0, KEY(at, "mac"), link->name,
				"its address must be " MAC_FMT ", but is " MAC_FMT,
				MAC_ARG(expect->mac), MAC_ARG(link->mac));
	ret |= expect_owner(c, at);
	ret |= expect_neighbour(c, "master", expect->master, &c->nf->want_master, link->master);
	return ret | expect_neighbour(c, "lower", expect->lower, &c->nf->want_lower,
				      link->lower_elsewhere ? 0 : link->lower);
}
