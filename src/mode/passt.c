/*
 * passt.c - passt, user-mode networking in a process of its own: one queue pair, no privilege
 *
 * Three forms. A stream: we start passt with one end of a socket pair, QEMU gets the other. vhost-user:
 * passt listens, QEMU connects. "native": QEMU starts passt itself, and nothing is ours but the words.
 */
#include "config.h"

#include "mode/mode.h"
#include "desc/netopts.h"

#include <errno.h>
#include <string.h>

static int check_program(const struct ruling *ru)
{
	const struct where *at = netopts_get(ru->nic, "path") ? KEY(KEY(ru->nic->at, "options"), "path") : ru->nic->at;
	const struct program *passt = &ru->nf->passt;

	if (passt->err != 0) {
		(void)diag_add(ru->ds, DIAG_PASST_MISSING, passt->err, at, passt->path, "passt is needed for this NIC");
		if (passt->err == ENOENT)
			diag_hint(ru->ds, "install it (Debian, Fedora: passt), or name it with \"path\" in \"options\"");
		return -1;
	}
	if (!passt->regular || passt->access_err != 0)
		return diag_add(ru->ds, DIAG_PASST_NOT_EXECUTABLE, passt->access_err, at, passt->path,
				"not a program these ids may execute");
	return 0;
}

static int check_runtime_dir(const struct ruling *ru)
{
	const struct where *at = KEY(NULL, "runtime_dir");
	const struct spot *dir = &ru->facts->runtime_dir;

	if (dir->err == 0 && dir->right_kind && dir->access_err == 0)
		return 0;
	(void)diag_add(ru->ds, DIAG_RUNTIME_DIR, dir->err ? dir->err : dir->access_err, at, dir->path, "%s",
		       dir->err == 0 && !dir->right_kind ? "not a directory" : "passt's socket is to be made in a directory here");
	diag_hint(ru->ds, "name a directory that uid %u may write to with \"runtime_dir\"", ru->facts->uid);
	return -1;
}

static int check(const struct ruling *ru)
{
	int ret;

	if (ru->nic->native) {
		ru->plan->by_qemu = true;
		return rule_version(ru, 10, 1, "-netdev passt") | (ru->nic->vhost_user ? rule_virtio_net(ru) : 0);
	}
	ret = check_program(ru);
	if (ru->nic->vhost_user) {
		ru->plan->chardev_id = vhost_user_chardev(ru);
		return ret | rule_virtio_net(ru) | check_runtime_dir(ru);
	}
	return ret | rule_version(ru, 7, 2, "-netdev stream");
}

static int settle(const struct ruling *ru)
{
	if (!ru->nic->native)
		ru->plan->passt = netopts_passt(ru->nic, ru->nf->passt.path, ru->mem);
	return 0;
}

static void netdev(struct str *s, const struct nic_plan *plan)
{
	const char *id = plan->nic->id;

	if (plan->nic->native) {
		str_put(s, "passt,id=%s%s", id, plan->nic->vhost_user ? ",vhost-user=on" : "");
		netopts_native(s, plan->nic);
	} else if (plan->chardev_id) {
		str_put(s, "vhost-user,id=%s,chardev=%s", id, plan->chardev_id);
	} else {
		/* never reconnect=: QEMU would close and read again whatever has the number by then */
		str_put(s, "stream,id=%s,server=off,addr.type=fd,addr.str=%d", id, plan->fds[0]);
	}
}

/*
 * A chardev of a descriptor cannot pass memory ("does not support FD passing", QEMU 7.2 to 11.1), so it
 * must have a path. This one leads to the socket itself: the file that passt bound has no name any more.
 */
static void chardev(struct str *s, const struct nic_plan *plan)
{
	str_put(s, "socket,id=%s,path=/proc/self/fd/%d", plan->chardev_id, plan->fds[0]);
}

static const char *path(const struct nic_facts *nf)
{
	return nf->passt.path;
}

const struct backend backend_passt = {
	.needs = NEEDS_PASST | NEEDS_VERSION,
	.one_queue = true,
	.what = WHAT_PASST,
	.check = check,
	.settle = settle,
	.netdev = netdev,
	.chardev = chardev,
	.path = path,
};
