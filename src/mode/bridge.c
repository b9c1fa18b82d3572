/*
 * bridge.c - a TAP that qemu-bridge-helper makes and puts into a bridge: one queue pair
 *
 * We run the helper, before no_new_privs, and QEMU gets a descriptor, with vhost. With "handoff": false
 * QEMU runs it, in the historical forms.
 */
#include "config.h"

#include "mode/mode.h"

#include <errno.h>
#include <string.h>

static int check_helper(const struct ruling *ru)
{
	const struct where *at = KEY(ru->nic->at, ru->nic->helper ? "helper" : "bridge");
	const struct program *helper = &ru->nf->helper;

	if (helper->err != 0) {
		(void)diag_add(ru->ds, DIAG_HELPER_MISSING, helper->err, at, helper->path,
			       "qemu-bridge-helper is needed to reach the bridge");
		diag_hint(ru->ds, "install QEMU's bridge helper (Debian: qemu-system-common), or name it with \"helper\"");
		return -1;
	}
	/* net/tap.c, net_bridge_run_helper(): QEMU gives such a path to a shell, as words */
	if (ru->plan->by_qemu && strchr(helper->path, ' '))
		return diag_add(ru->ds, DIAG_DESC_VALUE, 0, at, helper->path, "QEMU cannot run a helper with a blank in its path");
	if (!helper->regular || helper->access_err != 0)
		return diag_add(ru->ds, DIAG_HELPER_NOT_EXECUTABLE, helper->access_err, at, helper->path,
				"not a program these ids may execute");
	if (helper->setuid_root && ru->facts->no_new_privs)
		return diag_add(ru->ds, DIAG_HELPER_NOT_PRIVILEGED, 0, at, helper->path,
				"no_new_privs is set on this process: the helper's set-uid bit has no effect");
	if (!helper->setuid_root && !ru->facts->net_admin) {
		(void)diag_add(ru->ds, DIAG_HELPER_NOT_PRIVILEGED, 0, at, helper->path,
			       "not set-uid root, and uid %u has no CAP_NET_ADMIN", ru->facts->uid);
		diag_hint(ru->ds, "chmod u+s %s", helper->path);
		return -1;
	}
	return 0;
}

static int check_acl(const struct ruling *ru)
{
	const struct where *at = KEY(ru->nic->at, "bridge");
	const char *file = ru->nf->acl_file;

	switch (ru->nf->acl) {
	case ACL_UNKNOWN:
	case ACL_ALLOWED:
		return 0;
	case ACL_MISSING:
		(void)diag_add(ru->ds, DIAG_ACL_MISSING, ru->nf->acl_err, at, file,
			       "qemu-bridge-helper allows no bridge without this file");
		break;
	case ACL_UNREADABLE:
		(void)diag_add(ru->ds, DIAG_ACL_UNREADABLE, ru->nf->acl_err, at, file,
			       "qemu-bridge-helper reads it with the caller's ids");
		diag_hint(ru->ds, "let uid %u read it", ru->facts->uid);
		return -1;
	case ACL_DENIED:
		(void)diag_add(ru->ds, DIAG_ACL_DENIED, 0, at, file, "it does not allow the bridge '%s'", ru->nic->bridge);
		break;
	}
	diag_hint(ru->ds, "add the line 'allow %s' to it", ru->nic->bridge);
	return -1;
}

static int check(const struct ruling *ru)
{
	static const char *const kinds[] = { "bridge", NULL };
	int ret = rule_link(ru, "bridge", ru->nic->bridge, kinds);

	if (ret == 0)
		ret |= rule_expect(ru);
	/* "bridge,id=,br=" names no helper, and without vhost QEMU takes the one it was built with */
	if (ru->plan->by_qemu && ru->nf->helper.err != 0 && !ru->nic->helper && ru->nic->vhost != CHOICE_ON)
		return ret;
	if (check_helper(ru) < 0)
		return -1;
	return ret | check_acl(ru);
}

/* The form with vhost names the helper, so it must be there; a wish that was only the default gives way. */
static int settle(const struct ruling *ru)
{
	if (!ru->plan->by_qemu || !ru->plan->vhost || ru->nf->helper.err == 0)
		return 0;
	ru->plan->vhost = false;
	ru->plan->vhost_why = arena_printf(ru->mem, "%s: %s", ru->nf->helper.path, strerrordesc_np(ru->nf->helper.err));
	(void)diag_add(ru->ds, DIAG_VHOST_OFF, ru->nf->helper.err, ru->nic->at, ru->nf->helper.path,
		       "without the helper the bridge is used without vhost");
	return 0;
}

static void netdev(struct str *s, const struct nic_plan *plan)
{
	if (!plan->by_qemu) {
		netdev_fds(s, plan);
		return;
	}
	if (!plan->vhost) {
		str_put(s, "bridge,id=%s,br=", plan->nic->id);
		str_put_opt(s, plan->nic->bridge);
		return;
	}
	str_put(s, "tap,id=%s,br=", plan->nic->id);
	str_put_opt(s, plan->nic->bridge);
	str_put(s, ",helper=");
	str_put_opt(s, plan->facts->helper.path);
	str_put(s, ",vhost=on");
}

static const char *path(const struct nic_facts *nf)
{
	return nf->helper.path;
}

const struct backend backend_bridge = {
	.needs = NEEDS_LINK | NEEDS_HELPER | NEEDS_VHOST_NET,
	.has_vhost = true,
	.one_queue = true,
	.what = WHAT_BRIDGE,
	.check = check,
	.settle = settle,
	.netdev = netdev,
	.path = path,
};
