/*
 * passt.c - passt, user-mode networking in a process of its own: one queue pair, no privilege
 *
 * Three forms. Stream: we start passt with one end of a socket pair, and QEMU gets the other.
 * vhost-user: passt listens, and QEMU connects. "native": QEMU starts passt itself, and we only add
 * the words.
 */
#include "config.h"

#include "mode/rules.h"
#include "desc/netopts.h"
#include "mode/passt_listens.h"
#include "mode/passt_words.h"

#include <errno.h>
#include <string.h>

static int passt_check_program(const struct nic_case *c)
{
	const struct where *at = netopts_get(c->nic, "path")
					 ? KEY(KEY(c->nic->at, "options"), "path")
					 : c->nic->at;
	const struct program *passt = &c->nf->passt;

	if (passt->err != 0) {
		(void)diag_add(c->ds, DIAG_PASST_MISSING, passt->err, at, passt->path,
			       "this NIC needs passt");
		if (passt->err == ENOENT)
			diag_hint(c->ds, "install passt, or set \"path\" in \"options\"");
		return -1;
	}
	if (!passt->regular || passt->access_err != 0)
		return diag_add(c->ds, DIAG_PASST_NOT_EXECUTABLE, passt->access_err, at,
				passt->path, "these ids may not execute it");
	return 0;
}

/* The place of an option of passt: the key it comes from. */
static int unknown_option(const struct nic_case *c, const char *name)
{
	const char *word = arena_printf(c->mem, "--%s", name), *key = NULL;
	const char *what = arena_printf(c->mem, "this passt does not know the option '%s'", word);

	for (const struct netopt *opt = passt_options; opt->key && !key; opt++)
		if ((opt->word && strcmp(opt->word, word) == 0) ||
		    (opt->on && strcmp(opt->on, word) == 0) ||
		    (opt->off && strcmp(opt->off, word) == 0))
			key = opt->key;
	if (key)
		(void)diag_add(c->ds, DIAG_PASST_OPTION, 0, KEY(KEY(c->nic->at, "options"), key),
			       c->nf->passt.path, "%s", what);
	else
		(void)diag_add(c->ds, DIAG_PASST_OPTION, 0,
			       c->nic->vhost_user ? KEY(c->nic->at, "vhost_user") : c->nic->at,
			       c->nf->passt.path, "%s", what);
	diag_hint(c->ds, "leave it out, or install a passt that knows it");
	return -1;
}

static int check_options(const struct nic_case *c)
{
	int ret = 0;

	for (const char **name = c->nf->passt_lacks; name && *name; name++)
		ret |= unknown_option(c, *name);
	return ret;
}

/* passt ends without the link whose addresses it takes; a missing outbound one it ignores. */
static int passt_check_link(const struct nic_case *c)
{
	if (c->nf->passt_link_err == 0)
		return 0;
	return diag_add(c->ds, DIAG_PASST_INTERFACE, c->nf->passt_link_err,
			KEY(KEY(c->nic->at, "options"), "interface"),
			netopts_get(c->nic, "interface"),
			"passt takes its addresses from this link");
}

static int passt_check_runtime_dir(const struct nic_case *c)
{
	const struct where *at = KEY(NULL, "runtime_dir");
	const struct spot *dir = &c->facts->runtime_dir;

	if (dir->err == 0 && dir->right_kind && dir->access_err == 0)
		return 0;
	(void)diag_add(c->ds, DIAG_RUNTIME_DIR, dir->err ? dir->err : dir->access_err, at,
		       dir->path, "%s",
		       dir->err == 0 && !dir->right_kind
			       ? "not a directory"
			       : "passt's socket is created in a directory here");
	diag_hint(c->ds, "set \"runtime_dir\" to a directory that uid %u may write to",
		  c->facts->uid);
	return -1;
}

static int passt_check(const struct nic_case *c)
{
	int ret;

	c->plan->shares_memory = c->nic->vhost_user;
	if (c->nic->native) {
		c->plan->by_qemu = true;
		return rule_version(c, 10, 1, "-netdev passt") |
		       (c->nic->vhost_user ? rule_virtio_net(c) : 0);
	}
	ret = passt_check_program(c) | check_options(c) | passt_check_link(c);
	if (c->nic->vhost_user) {
		c->plan->chardev_id = vhost_user_chardev(c);
		return ret | rule_virtio_net(c) | passt_check_runtime_dir(c);
	}
	return ret | rule_version(c, 7, 2, "-netdev stream");
}

static int passt_check_counted(const struct nic_case *c)
{
	c->plan->listens = passt_listens(c->nic, c->mem, &c->plan->n_listens);
	if (c->nic->native)
		return 0;
	c->plan->passt = passt_words(c->nic, c->nf->passt.path, c->mem);
	if (c->nic->vhost_user) {
		c->plan->passt_socket = PASST_SOCKET;
		c->plan->passt_pid = PASST_PID;
	}
	return 0;
}

static void passt_netdev(struct keyvals *kv, const struct nic_plan *np)
{
	const bool connects = !np->nic->native && np->chardev_id;

	keyval_text(kv, "type", np->nic->native ? "passt" : connects ? "vhost-user" : "stream");
	keyval_text(kv, "id", np->nic->id);
	if (np->nic->native) {
		if (np->nic->vhost_user)
			keyval_switch(kv, "vhost-user", true);
		netdev_options(kv, np->nic, passt_options);
	} else if (connects) {
		keyval_text(kv, "chardev", np->chardev_id);
	} else {
		/* never reconnect=: QEMU would close and reopen whatever has the number by then */
		keyval_switch(kv, "server", false);
		keyval_text(kv, "addr.type", "fd");
		keyval_text(kv, "addr.str", arena_printf(kv->mem, "%d", np->fds[0]));
	}
}

/*
 * A chardev with a descriptor cannot pass memory ("does not support FD passing", QEMU 7.2 to 11.1),
 * so it needs a path. This path leads to the socket itself: the file that passt bound has been
 * removed.
 */
static void passt_chardev(struct keyvals *kv, const struct nic_plan *np)
{
	keyval_text(kv, "backend", "socket");
	keyval_text(kv, "id", np->chardev_id);
	keyval_text(kv, "path", arena_printf(kv->mem, "/proc/self/fd/%d", np->fds[0]));
}

static void passt_slot(const struct nic_plan *np, struct slot *ret)
{
	ret->kind = np->chardev_id ? SLOT_PASST_SOCKET : SLOT_PASST;
	ret->way = WAY_PASST;
	ret->path = np->facts->passt.path;
}

const struct mode_row mode_passt = {
	.syntax = {
		.keys = NIC_KEY_BIT(OPTIONS) | NIC_KEY_BIT(VHOST_USER) | NIC_KEY_BIT(NATIVE),
		.options = passt_options,
	},
	.needs = NEEDS_PASST | NEEDS_VERSION,
	.one_queue = true,
	.check = passt_check,
	.check_counted = passt_check_counted,
	.slot = passt_slot,
	.netdev = passt_netdev,
	.chardev = passt_chardev,
};
