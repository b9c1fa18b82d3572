/*
 * bridge.c - a TAP that qemu-bridge-helper creates and puts into a bridge: one queue pair
 *
 * We run the helper, before no_new_privs is set, and QEMU gets a descriptor, and vhost. With
 * "handoff": false QEMU runs the helper itself, with the historical options.
 */
#include "config.h"

#include "mode/rules.h"

#include <errno.h>
#include <string.h>

#include <linux/capability.h>

#include "base/capnames.h"

/* --- the helper ------------------------------------------------------------------------------- */

/* Where the helper is spoken of. */
static const char *helper_key(const struct nic_case *c)
{
	return c->nic->helper ? "helper" : "bridge";
}

static int helper_bad(const struct nic_case *c, enum diag_id id, int err, const char *why)
{
	return diag_add(c->ds, id, err, KEY(c->nic->at, helper_key(c)), c->nf->helper.path, "%s",
			why);
}

static int not_privileged(const struct nic_case *c, const char *why)
{
	return helper_bad(c, DIAG_HELPER_NOT_PRIVILEGED, 0, why);
}

/* What an exec leaves of this process's own privilege: root's, and the ambient set. */
static bool passes_net_admin(const struct facts *facts)
{
	return facts->net_admin &&
	       (facts->uid == 0 || (facts->caps.ambient & CAP_BIT(CAP_NET_ADMIN)) != 0);
}

/*
 * The helper has CAP_NET_ADMIN by its set-uid bit, by the capabilities of its file, or from us. A
 * set-uid program whose file has capabilities gets these alone (Linux, security/commoncap.c): the
 * helper then cannot give up the user id root, and ends.
 */
static int check_privilege(const struct nic_case *c)
{
	const struct program *helper = &c->nf->helper;

	if (c->facts->net_elsewhere) {
		(void)not_privileged(c, "its privilege does not count in this network, which "
					"another user namespace owns");
		diag_hint(c->ds, "use mode \"tap\", with a TAP that the owner of the network has "
				 "put into the bridge");
		return -1;
	}
	if (passes_net_admin(c->facts))
		return 0;
	if (!helper->setuid_root && !helper->net_admin) {
		(void)not_privileged(c, arena_printf(c->mem, "neither set-uid root nor with "
						     "cap_net_admin=ep on its file, and uid %u has "
						     "no CAP_NET_ADMIN to pass on", c->facts->uid));
		diag_hint(c->ds, "chmod u+s %s", diag_word(c->ds, helper->path));
		return -1;
	}
	if (c->facts->no_new_privs)
		return not_privileged(c, "no_new_privs is set on this process: the helper's "
				      "set-uid bit and file capabilities have no effect");
	if (helper->nosuid) {
		(void)not_privileged(c, "on a mount with nosuid: its set-uid bit and file "
				     "capabilities have no effect");
		diag_hint(c->ds, "mount -o remount,suid \"$(findmnt -nro TARGET -T %s)\"",
			  diag_word(c->ds, helper->path));
		return -1;
	}
	if (!helper->setuid_root || !helper->has_caps)
		return 0;
	(void)not_privileged(c, "set-uid root, but its file also has capabilities: Linux gives it "
			     "these alone, and it cannot give up root");
	diag_hint(c->ds, "setcap -r %s", diag_word(c->ds, helper->path));
	return -1;
}

static int bridge_check_helper(const struct nic_case *c)
{
	const struct program *helper = &c->nf->helper;

	if (helper->err != 0) {
		(void)helper_bad(c, DIAG_HELPER_MISSING, helper->err,
				 "qemu-bridge-helper is needed to reach the bridge");
		diag_hint(c->ds, "install QEMU's bridge helper (Debian: qemu-system-common), or "
				 "set \"helper\"");
		return -1;
	}
	/* net/tap.c, net_bridge_run_helper(): QEMU passes such a path to a shell, as words */
	if (c->plan->by_qemu && strchr(helper->path, ' '))
		return helper_bad(c, DIAG_DESC_VALUE, 0,
				  "QEMU cannot run a helper whose path has a space");
	if (!helper->regular || helper->access_err != 0)
		return helper_bad(c, DIAG_HELPER_NOT_EXECUTABLE, helper->access_err,
				  "these ids may not execute it");
	return check_privilege(c);
}

/* --- its access list -------------------------------------------------------------------------- */

/* May the name stand in a script of sed as it is? */
static bool plain_name(const char *name)
{
	return name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				 "._-")] == '\0';
}

static int acl_add(const struct nic_case *c, enum diag_id id, const char *file, const char *what)
{
	return diag_add(c->ds, id, c->nf->acl.err, KEY(c->nic->at, "bridge"), file, "%s", what);
}

/* "line 3, 'deny br0', " and what follows from it. */
static int acl_line(const struct nic_case *c, enum diag_id id, const char *what)
{
	const struct acl_facts *acl = &c->nf->acl;

	return diag_add(c->ds, id, 0, KEY(c->nic->at, "bridge"), acl->file, "line %u, '%s': %s",
			acl->line, acl->text, what);
}

/* The script that makes of these lines one that allows the bridge, or none. */
static void hint_denied(const struct nic_case *c)
{
	const struct acl_facts *acl = &c->nf->acl;
	const char *script = acl->allows ? arena_printf(c->mem, "-e %ud", acl->line) :
		arena_printf(c->mem, "-e '%uc allow %s'", acl->line, c->nic->bridge);

	if (acl->deny_unlisted || (!acl->allows && !plain_name(c->nic->bridge))) {
		diag_hint(c->ds, "take out each line that denies it, and write 'allow %s'",
			  c->nic->bridge);
		return;
	}
	for (unsigned i = 0; i < acl->n_deny; i++)
		script = arena_printf(c->mem, "%s -e %ud", script, acl->deny[i]);
	diag_hint(c->ds, "sed -i %s %s", script, diag_word(c->ds, acl->file));
}

static void hint_line(const struct nic_case *c, char command)
{
	if (plain_name(c->nic->bridge))
		diag_hint(c->ds, "sed -i '%u%c allow %s' %s", c->nf->acl.line, command,
			  c->nic->bridge, diag_word(c->ds, c->nf->acl.file));
	else
		diag_hint(c->ds, "write 'allow %s' on a line of its own", c->nic->bridge);
}

static int acl_denied(const struct nic_case *c)
{
	const struct acl_facts *acl = &c->nf->acl;
	const char *line = arena_printf(c->mem, "allow %s", c->nic->bridge);

	if (acl->line == 0) {
		(void)acl_add(c, DIAG_ACL_DENIED, acl->list,
			      arena_printf(c->mem, "no line allows the bridge '%s'",
					   c->nic->bridge));
		diag_hint(c->ds, "printf '\\n%%s\\n' %s >>%s", diag_word(c->ds, line),
			  diag_word(c->ds, acl->list));
	} else if (acl->nearly) {
		(void)acl_line(c, DIAG_ACL_DENIED, "all that follows the word is a bridge's name "
			       "to the helper, so no line allows the bridge");
		hint_line(c, 'a');
	} else {
		(void)acl_line(c, DIAG_ACL_DENIED,
			       arena_printf(c->mem, "denies the bridge '%s', whatever another line "
					    "allows", c->nic->bridge));
		hint_denied(c);
	}
	return -1;
}

static int bridge_check_acl(const struct nic_case *c)
{
	const struct acl_facts *acl = &c->nf->acl;

	switch (acl->verdict) {
	case ACL_UNKNOWN:
	case ACL_ALLOWED:
		return 0;
	case ACL_MISSING:
		(void)acl_add(c, DIAG_ACL_MISSING, acl->list,
			      "qemu-bridge-helper allows no bridge without this file");
		diag_hint(c->ds, "mkdir -p %s && echo %s >%s",
			  diag_word(c->ds, arena_strn(c->mem, acl->list,
						   (size_t)(strrchr(acl->list, '/') - acl->list))),
			  diag_word(c->ds, arena_printf(c->mem, "allow %s", c->nic->bridge)),
			  diag_word(c->ds, acl->list));
		return -1;
	case ACL_UNREADABLE:
		(void)acl_add(c, DIAG_ACL_UNREADABLE, acl->list,
			      "qemu-bridge-helper reads it with the caller's ids");
		diag_hint(c->ds, "%s", acl->err == EINVAL ? "make it a regular file" :
			  arena_printf(c->mem, "let uid %u read it", c->facts->uid));
		return -1;
	case ACL_BAD_LINE:
		(void)acl_line(c, DIAG_ACL_UNREADABLE, "qemu-bridge-helper knows 'allow NAME', "
			       "'deny NAME' and 'include FILE', and ends at any other line");
		hint_line(c, 'c');
		return -1;
	case ACL_DENIED:
		return acl_denied(c);
	}
	return 0;
}

/* --- who runs it ------------------------------------------------------------------------------ */

/* Nobody says where it is, and nobody asks for what only a helper of ours can give. */
static bool helper_optional(const struct nic_case *c)
{
	return c->nf->helper.err != 0 && !c->nic->helper && c->nic->vhost != CHOICE_ON &&
	       !c->nic->in_argv && c->nic->fds.n + c->nic->vhostfds.n == 0;
}

/*
 * Under the profile QEMU starts no program, and under no_new_privs, which a filter, a domain and
 * other ids bring, none that has more privilege than QEMU.
 */
static bool qemu_may_run_helper(const struct nic_case *c)
{
	const struct desc *desc = c->desc;
	const bool denies = !desc->seccomp.none && !desc->seccomp.bpf &&
			    desc->seccomp.action != FILTER_LOG;
	const bool no_new_privs = c->facts->no_new_privs || !desc->seccomp.none ||
				  desc->landlock != LANDLOCK_OFF || desc->user.given;

	return !denies && (!no_new_privs || passes_net_admin(c->facts));
}

static int bridge_check(const struct nic_case *c)
{
	static const char *const kinds[] = { "bridge", NULL };
	const struct device_number tun = { MISC_MAJOR, TUN_MINOR };
	int ret = rule_link(c, "bridge", c->nic->bridge, kinds);

	/*
	 * "bridge,id=,br=" names no helper: QEMU takes the one that it was built with
	 */
	if (helper_optional(c) && (c->plan->by_qemu || qemu_may_run_helper(c))) {
		c->plan->by_qemu = true;
		return ret;
	}
	if (bridge_check_helper(c) < 0)
		return -1;
	/* it opens the node with the caller's ids */
	if (!c->plan->by_qemu)
		ret |= node_check(c->facts, KEY(c->nic->at, "bridge"), &c->facts->tun, tun,
				  "modprobe tun", c->ds);
	return ret | bridge_check_acl(c);
}

/*
 * The form with vhost names the helper, so it must exist. If vhost is only the default, the NIC
 * goes without.
 */
static int bridge_check_counted(const struct nic_case *c)
{
	const char *path = c->nf->helper.path;

	if (!c->plan->by_qemu || c->nf->helper.err == 0)
		return 0;
	if (c->nic->handoff)
		(void)diag_add(c->ds, DIAG_HELPER_OF_QEMU, c->nf->helper.err,
			       KEY(c->nic->at, "bridge"), path,
			       "QEMU makes the TAP by the helper that it was built with");
	if (!c->plan->vhost)
		return 0;
	c->plan->vhost = false;
	c->plan->vhost_why = arena_printf(c->mem, "%s: %s", path,
					  strerrordesc_np(c->nf->helper.err));
	(void)diag_add(c->ds, DIAG_VHOST_OFF, c->nf->helper.err, c->nic->at, path,
		       "without the helper, the bridge is used without vhost");
	return 0;
}

/* A TAP of one's own in the bridge has as many queue pairs as are asked for. */
static const char *many_queues(const struct nic_case *c)
{
	return arena_printf(c->mem, "\"mode\": \"tap\", \"ifname\": \"tap0\", after: ip tuntap "
			    "add dev tap0 mode tap multi_queue vnet_hdr user %u && ip link set dev "
			    "tap0 master %s up", c->facts->uid, diag_word(c->ds, c->nic->bridge));
}

/* --- words ------------------------------------------------------------------------------------ */

static void bridge_netdev(struct keyvals *kv, const struct nic_plan *np)
{
	if (!np->by_qemu) {
		netdev_tap_fds(kv, np);
		return;
	}
	keyval_text(kv, "type", np->vhost ? "tap" : "bridge");
	keyval_text(kv, "id", np->nic->id);
	keyval_text(kv, "br", np->nic->bridge);
	if (np->vhost) {
		keyval_text(kv, "helper", np->facts->helper.path);
		keyval_switch(kv, "vhost", true);
	}
}

static void bridge_slot(const struct nic_plan *np, struct slot *ret)
{
	ret->kind = SLOT_BRIDGE;
	ret->way = WAY_HELPER;
	ret->path = np->facts->helper.path;
	ret->dev = (struct device_number){ MISC_MAJOR, TUN_MINOR };
}

const struct mode_row mode_bridge = {
	.syntax = {
		.adopt = adopt_bridge,
		.keys = NIC_KEY_BIT(BRIDGE) | NIC_KEY_BIT(HELPER) | NIC_KEY_BIT(HANDOFF) |
			NIC_KEYS_TAP,
		.needs = NIC_KEY_BIT(BRIDGE),
	},
	.needs = NEEDS_LINK | NEEDS_HELPER | NEEDS_TUN | NEEDS_VHOST_NET,
	.has_vhost = true,
	.shared_segment = true,
	.one_queue = true,
	.setuid_helper = true,
	.check = bridge_check,
	.check_counted = bridge_check_counted,
	.many_queues = many_queues,
	.slot = bridge_slot,
	.netdev = bridge_netdev,
};
