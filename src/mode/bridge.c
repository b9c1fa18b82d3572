/*
 * bridge.c - a TAP that qemu-bridge-helper makes and puts into a bridge: one queue pair
 *
 * We run the helper, before no_new_privs, and QEMU gets a descriptor, with vhost. With "handoff":
 * false QEMU runs it, in the historical forms.
 */
#include "config.h"

#include "mode/rules.h"

#include <errno.h>
#include <string.h>

static int check_helper(const struct nic_case *c)
{
	const struct where *at = KEY(c->nic->at, c->nic->helper ? "helper" : "bridge");
	const struct program *helper = &c->nf->helper;

	if (helper->err != 0) {
		(void)diag_add(c->ds, DIAG_HELPER_MISSING, helper->err, at, helper->path,
			       "qemu-bridge-helper is needed to reach the bridge");
		diag_hint(c->ds, "install QEMU's bridge helper (Debian: qemu-system-common), or "
				 "set \"helper\"");
		return -1;
	}
	/* net/tap.c, net_bridge_run_helper(): QEMU gives such a path to a shell, as words */
	if (c->plan->by_qemu && strchr(helper->path, ' '))
		return diag_add(c->ds, DIAG_DESC_VALUE, 0, at, helper->path,
				"QEMU cannot run a helper with a blank in its path");
	if (!helper->regular || helper->access_err != 0)
		return diag_add(c->ds, DIAG_HELPER_NOT_EXECUTABLE, helper->access_err, at,
				helper->path, "not a program these ids may execute");
	if (helper->setuid_root && c->facts->no_new_privs)
		return diag_add(c->ds, DIAG_HELPER_NOT_PRIVILEGED, 0, at, helper->path,
				"no_new_privs is set on this process: the helper's set-uid bit has "
				"no effect");
	if (!helper->setuid_root && !c->facts->net_admin) {
		(void)diag_add(c->ds, DIAG_HELPER_NOT_PRIVILEGED, 0, at, helper->path,
			       "not set-uid root, and uid %u has no CAP_NET_ADMIN", c->facts->uid);
		diag_hint(c->ds, "chmod u+s %s", helper->path);
		return -1;
	}
	return 0;
}

static int check_acl(const struct nic_case *c)
{
	const struct where *at = KEY(c->nic->at, "bridge");
	const char *file = c->nf->acl_file;

	switch (c->nf->acl) {
	case ACL_UNKNOWN:
	case ACL_ALLOWED:
		return 0;
	case ACL_MISSING:
		(void)diag_add(c->ds, DIAG_ACL_MISSING, c->nf->acl_err, at, file,
			       "qemu-bridge-helper allows no bridge without this file");
		break;
	case ACL_UNREADABLE:
		(void)diag_add(c->ds, DIAG_ACL_UNREADABLE, c->nf->acl_err, at, file,
			       "qemu-bridge-helper reads it with the caller's ids");
		diag_hint(c->ds, "%s", c->nf->acl_err == EINVAL ? "make it a regular file" :
			  arena_printf(c->mem, "let uid %u read it", c->facts->uid));
		return -1;
	case ACL_DENIED:
		(void)diag_add(c->ds, DIAG_ACL_DENIED, 0, at, file,
			       "it does not allow the bridge '%s'", c->nic->bridge);
		break;
	}
	diag_hint(c->ds, "add the line 'allow %s' to the file", c->nic->bridge);
	return -1;
}

static int check(const struct nic_case *c)
{
	static const char *const kinds[] = { "bridge", NULL };
	const int ret = rule_link(c, "bridge", c->nic->bridge, kinds);

	/*
	 * "bridge,id=,br=" names no helper, and without vhost QEMU takes the one it was built with
	 */
	if (c->plan->by_qemu && c->nf->helper.err != 0 && !c->nic->helper &&
	    c->nic->vhost != CHOICE_ON)
		return ret;
	if (check_helper(c) < 0)
		return -1;
	return ret | check_acl(c);
}

/*
 * The form with vhost names the helper, so it must be there; a wish that was only the default gives
 * way.
 */
static int check_counted(const struct nic_case *c)
{
	if (!c->plan->by_qemu || !c->plan->vhost || c->nf->helper.err == 0)
		return 0;
	c->plan->vhost = false;
	c->plan->vhost_why = arena_printf(c->mem, "%s: %s", c->nf->helper.path,
					  strerrordesc_np(c->nf->helper.err));
	(void)diag_add(c->ds, DIAG_VHOST_OFF, c->nf->helper.err, c->nic->at, c->nf->helper.path,
		       "without the helper the bridge is used without vhost");
	return 0;
}

static void netdev(struct keyvals *kv, const struct nic_plan *np)
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

static void slot(const struct nic_plan *np, struct slot *ret)
{
	ret->kind = SLOT_BRIDGE;
	ret->way = WAY_HELPER;
	ret->path = np->facts->helper.path;
	ret->dev = (struct device_number){ MISC_MAJOR, TUN_MINOR };
}

const struct mode_row mode_bridge = {
	.syntax = {
		.keys = NIC_KEY_BIT(BRIDGE) | NIC_KEY_BIT(HELPER) | NIC_KEY_BIT(HANDOFF) | NIC_KEYS_TAP,
		.needs = NIC_KEY_BIT(BRIDGE),
	},
	.needs = NEEDS_LINK | NEEDS_HELPER | NEEDS_VHOST_NET,
	.has_vhost = true,
	.shared_segment = true,
	.one_queue = true,
	.setuid_helper = true,
	.check = check,
	.check_counted = check_counted,
	.slot = slot,
	.netdev = netdev,
};
