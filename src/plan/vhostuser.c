/*
 * vhostuser.c - check QEMU's words for vhost-user, of a NIC of the descriptor or in the words
 *
 * The process that serves the device maps the guest's memory. Without sharing QEMU starts, and the
 * device is dead (7.2 to 10.0) or QEMU crashes when the guest's driver starts (11.1): so it is
 * looked for here.
 *
 * Guest memory is what "-machine memory-backend=ID" or every "-numa node,memdev=ID" names, and what
 * a memory device adds. The object must have a descriptor to hand over and be mapped with share=on:
 * memfd and shm are shared unless told otherwise, a file and ram are private unless told otherwise
 * (backends/hostmem-*.c, QEMU 7.2 to 11.1). Only from 10.0 on ram has a descriptor
 * (system/physmem.c, qemu_ram_alloc_internal()).
 */
#include "config.h"

#include "plan/vhostuser.h"

#include <errno.h>
#include <string.h>

#include "base/switch.h"
#include "desc/cmdline.h"
#include "desc/vhost_users.h"
#include "mode/sockets.h"

/* --- memory ----------------------------------------------------------------------------------- */

struct check {
	struct qemu_args *words;
	struct arena *mem;
	struct qemu_version version;
};

enum sharing { SHARED, NOT_SHARED, NO_OBJECT };

static const struct backend_kind {
	const char *type;
	bool shared;			/* unless told otherwise */
	unsigned since;			/* major version from which it has a descriptor */
} backend_kinds[] = {
	{ "memory-backend-memfd",	true,	0 },
	{ "memory-backend-shm",		true,	0 },
	{ "memory-backend-file",	false,	0 },
	{ "memory-backend-ram",		false,	10 },
};

static enum sharing object_sharing(const struct check *c, const struct qopts *object)
{
	const char *type = qopts_get(object, "qom-type"), *share = qopts_get(object, "share");

	for (unsigned i = 0; type && i < ARRAY_LEN(backend_kinds); i++) {
		const struct backend_kind *kind = &backend_kinds[i];

		if (strcmp(type, kind->type) == 0 && c->version.major >= kind->since &&
		    (share ? switch_on(share) : kind->shared))
			return SHARED;
	}
	return NOT_SHARED;
}

static enum sharing sharing_of(const struct check *c, const char *id)
{
	const struct qopts *object = qemu_args_find(c->words, QEMU_OPTION_object, "id", id);

	return object ? object_sharing(c, object) : NO_OBJECT;
}

/* A memory device: what it adds is the guest's, too. */
static bool adds_memory(const struct qopts *opts)
{
	static const char *const drivers[] = { "pc-dimm", "nvdimm", "virtio-mem" };
	const char *driver = qopts_get(opts, "driver");

	for (unsigned i = 0; driver && i < ARRAY_LEN(drivers); i++)
		if (strncmp(driver, drivers[i], strlen(drivers[i])) == 0)
			return true;
	return false;
}

/* The first of an option's objects that is not shared, or NULL; *ret_any: there is an object. */
static const char *not_shared_of(const struct check *c, enum qemu_option_id option, bool *ret_any)
{
	for (struct qemu_arg *arg = qemu_args_first(c->words, option); arg;
	     arg = qemu_args_after(c->words, arg)) {
		const struct qopts *opts = qemu_arg_opts(c->words, arg);
		const char *id = opts ? qopts_get(opts, "memdev") : NULL;

		if (!id || (option == QEMU_OPTION_device && !adds_memory(opts)))
			continue;
		*ret_any = true;
		if (sharing_of(c, id) != SHARED)
			return id;
	}
	return NULL;
}

/*
 * The objects that are the guest's memory: which of them is not shared, or NULL. *ret_any: there
 * are some besides those of memory devices.
 */
static const char *not_shared(const struct check *c, bool *ret_any)
{
	const char *id = qemu_args_last(c->words, QEMU_OPTION_machine, "memory-backend");
	bool added;

	*ret_any = id != NULL;
	if (id && sharing_of(c, id) != SHARED)
		return id;
	id = not_shared_of(c, QEMU_OPTION_numa, ret_any);
	return id ? id : not_shared_of(c, QEMU_OPTION_device, &added);
}

/* "-m 512", "-m size=1G,slots=2": as the size of an object; QEMU's own default if there is none. */
static const char *memory_size(const struct check *c)
{
	const char *size = qemu_args_last(c->words, QEMU_OPTION_m, "size");

	if (!size)
		return "128M";
	return size[0] && size[strspn(size, "0123456789")] == '\0'
		       ? arena_printf(c->mem, "%sM", size)
		       : size;
}

static int refuse(const struct check *c, const struct where *at, const char *id, const char *what,
		  struct diags *ds)
{
	const bool ram = id && sharing_of(c, id) == NOT_SHARED && c->version.major < 10 &&
			 switch_on(qopts_get(qemu_args_find(c->words, QEMU_OPTION_object, "id", id),
					     "share"));

	if (id && sharing_of(c, id) == NO_OBJECT)
		return diag_add(ds, DIAG_MEMORY_NOT_SHARED, 0, at, "argv",
				"guest memory is '%s', but no -object has that id",
				id);
	if (id) {
		(void)diag_add(ds, DIAG_MEMORY_NOT_SHARED, 0, at, "argv",
			       "guest memory '%s' is not shared%s: the backend could not see it, "
			       "and %s would be dead",
			       id, ram ? " before QEMU 10.0" : "", what);
		diag_hint(ds, "-object memory-backend-memfd,id=%s,size=...,share=on", id);
		return -1;
	}
	(void)diag_add(ds, DIAG_MEMORY_NOT_SHARED, 0, at, "argv",
		       "guest memory is not shared: the backend could not see it, and %s would be "
		       "dead",
		       what);
	diag_hint(ds,
		  "add -object memory-backend-memfd,id=mem0,size=%s,share=on -machine "
		  "memory-backend=mem0",
		  memory_size(c));
	return -1;
}

/* One problem for all that is served: it shares the guest's memory. */
static int rule_memory(const struct check *c, const struct where *at, const char *what,
		       struct diags *ds)
{
	const char *id;
	bool any;

	id = not_shared(c, &any);
	return any && !id ? 0 : refuse(c, at, id, what, ds);
}

/* --- the other two ---------------------------------------------------------------------------- */

static int rule_chardev(const struct check *c, const struct nic_plan *np, struct diags *ds)
{
	if (!np->chardev_id || !qemu_args_find(c->words, QEMU_OPTION_chardev, "id", np->chardev_id))
		return 0;
	return diag_add(ds, DIAG_DUPLICATE_ID, 0, np->nic->at, "argv",
			"argv already has -chardev %s, and this NIC needs that id", np->chardev_id);
}

static bool with_kvm(const struct check *c)
{
	const char *accel = qemu_args_last(c->words, QEMU_OPTION_accel, "accel");

	if (!accel)
		accel = qemu_args_last(c->words, QEMU_OPTION_machine, "accel");
	return qemu_args_has(c->words, QEMU_OPTION_enable_kvm) ||
	       (accel && strncmp(accel, "kvm", 3) == 0);
}

/*
 * QEMU 7.2 without KVM reads the irqfds of MSI-X, which it has not created
 * (kvm_virtio_pci_irqfd_use() in hw/virtio/virtio-pci.c); 10.0 does not. Seen with a Linux guest;
 * without MSI-X it works.
 */
static void warn_crash(const struct check *c, const struct plan *plan, const struct nic_plan *np,
		       struct diags *ds)
{
	const struct nic *nic = np->nic;
	const struct qemu_version version = plan->facts->qemu_version;

	if (version.major != 7 || version.minor != 2 || with_kvm(c))
		return;
	for (unsigned i = 0; i < nic->device.n; i++)
		if (strcmp(nic->device.list[i].key, "vectors") == 0 &&
		    strcmp(nic->device.list[i].value, "0") == 0)
			return;
	(void)diag_add(ds, DIAG_VHOST_USER_CRASH, 0, nic->at, plan->qemu,
		       "QEMU 7.2 without KVM crashes when the guest's driver starts a vhost-user "
		       "NIC with MSI-X");
	diag_hint(ds, "%suse KVM, or a later QEMU",
		  np->queues == 1 ? "set \"device\": {\"vectors\": 0}, or " : "");
}

/* A custom netdev's chardev is in argv, or nowhere. */
static int rule_has_chardev(const struct check *c, const struct vhost_user *user, struct diags *ds)
{
	if (!user->nic || !user->chardev || user->has_chardev ||
	    qemu_args_has(c->words, QEMU_OPTION_readconfig))
		return 0;
	(void)diag_add(ds, DIAG_CUSTOM_NETDEV, 0, KEY(user->nic->at, "netdev"), "argv",
		       "there is no -chardev of the id '%s', which it names", user->chardev);
	diag_hint(ds, "add -chardev socket,id=%s,path=...", user->chardev);
	return -1;
}

/* Their sockets; a socket that is not there yet is good enough for one who tries again. */
static int rule_socket(const struct plan *plan, unsigned i, struct diags *ds)
{
	const struct vhost_user *user = &plan->desc->vhost_users[i];
	const struct where *at = user->nic ? KEY(user->nic->at, "netdev") : NULL;
	const struct spot *sock;

	if (!user->path || !plan->facts->sockets)
		return 0;
	sock = &plan->facts->sockets[i];
	if (user->server)
		return socket_listens(plan->facts, at, sock, &plan->facts->socket_dirs[i], ds);
	return user->reconnects && sock->err == ENOENT
		       ? 0
		       : socket_connects(plan->facts, at, sock, user->reconnects, ds);
}

int vhostuser_rules(const struct plan *plan, struct diags *ds)
{
	const struct desc *desc = plan->desc;
	const struct check c = { .words = desc->words,
				 .mem = ds->mem,
				 .version = plan->facts->qemu_version };
	int ret = 0;

	for (unsigned i = 0; i < desc->n_vhost_users; i++)
		ret |= rule_has_chardev(&c, &desc->vhost_users[i], ds) | rule_socket(plan, i, ds);
	for (unsigned i = 0; i < desc->n_nics; i++) {
		if (!plan->nics[i].shares_memory)
			continue;
		ret |= rule_chardev(&c, &plan->nics[i], ds);
		warn_crash(&c, plan, &plan->nics[i], ds);
	}
	/* a configuration file that could not be read may hold any of it */
	if (desc->guest.readconfig)
		return ret;
	for (unsigned i = 0; i < desc->n_nics; i++) {
		const struct nic *nic = &desc->nics[i];
		const char *key = nic->vhost_user ? "vhost_user" : nic->netdev ? "netdev" : "mode";

		if (plan->nics[i].shares_memory)
			return ret | rule_memory(&c, KEY(nic->at, key), "the NIC", ds);
	}
	return desc->n_vhost_users > 0
		       ? ret | rule_memory(&c, NULL, desc->vhost_users[0].what, ds)
		       : ret;
}
