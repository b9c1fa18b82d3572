/*
 * vhostuser.c - QEMU's words against vhost-user
 *
 * The process that serves the NIC maps the guest's memory. Without sharing QEMU starts, and the NIC
 * is dead (7.2 to 10.0) or QEMU crashes when the guest's driver starts (11.1): so it is looked for
 * here.
 *
 * Guest memory is what "-machine memory-backend=ID" or every "-numa node,memdev=ID" names. The
 * object must be a file (memfd, file or shm) mapped with share=on; memfd and shm are shared unless
 * told otherwise, a file is private unless told otherwise (backends/hostmem-*.c, QEMU 7.2 to 10.0).
 */
#include "config.h"

#include "plan/vhostuser.h"

#include <string.h>

#include "base/switch.h"
#include "desc/cmdline.h"

/* --- memory ----------------------------------------------------------------------------------- */

struct check {
	struct qemu_args *words;
	struct arena *mem;
};

enum sharing { SHARED, NOT_SHARED, NO_OBJECT };

static bool is(const char *value, const char *a, const char *b)
{
	return value && (strcmp(value, a) == 0 || strcmp(value, b) == 0);
}

static enum sharing object_sharing(const struct qopts *object)
{
	const char *type = qopts_get(object, "qom-type"), *share = qopts_get(object, "share");

	if (is(type, "memory-backend-memfd", "memory-backend-shm"))
		return switch_off(share) ? NOT_SHARED : SHARED;
	return is(type, "memory-backend-file", "memory-backend-file") && switch_on(share)
		       ? SHARED
		       : NOT_SHARED;
}

static enum sharing sharing_of(const struct check *c, const char *id)
{
	const struct qopts *object = qemu_args_find(c->words, QEMU_OPTION_object, "id", id);

	return object ? object_sharing(object) : NO_OBJECT;
}

/*
 * The objects that are the guest's memory: which of them is not shared, or NULL. *ret_any: there
 * are some.
 */
static const char *not_shared(const struct check *c, bool *ret_any)
{
	const char *id = qemu_args_last(c->words, QEMU_OPTION_machine, "memory-backend");

	*ret_any = id != NULL;
	if (id && sharing_of(c, id) != SHARED)
		return id;
	for (struct qemu_arg *arg = qemu_args_first(c->words, QEMU_OPTION_numa); arg;
	     arg = qemu_args_after(c->words, arg)) {
		const struct qopts *node = qemu_arg_opts(c->words, arg);

		id = node ? qopts_get(node, "memdev") : NULL;
		*ret_any |= id != NULL;
		if (id && sharing_of(c, id) != SHARED)
			return id;
	}
	return NULL;
}

/* "-m 512", "-m size=1G,slots=2": as an object's size; QEMU's own default when there is none. */
static const char *memory_size(const struct check *c)
{
	const char *size = qemu_args_last(c->words, QEMU_OPTION_m, "size");

	if (!size)
		return "128M";
	return size[0] && size[strspn(size, "0123456789")] == '\0'
		       ? arena_printf(c->mem, "%sM", size)
		       : size;
}

static int refuse(const struct check *c, const struct nic *nic, const char *id, struct diags *ds)
{
	const struct where *at = nic->vhost_user ? KEY(nic->at, "vhost_user")
						 : KEY(nic->at, "mode");

	if (id && sharing_of(c, id) == NO_OBJECT)
		return diag_add(ds, DIAG_MEMORY_NOT_SHARED, 0, at, "argv",
				"guest memory is to be '%s', and there is no -object of that id",
				id);
	if (id) {
		(void)diag_add(ds, DIAG_MEMORY_NOT_SHARED, 0, at, "argv",
			       "guest memory '%s' is not shared: the backend could not see it, and "
			       "the NIC would be dead",
			       id);
		diag_hint(ds, "-object memory-backend-memfd,id=%s,size=...,share=on", id);
		return -1;
	}
	(void)diag_add(ds, DIAG_MEMORY_NOT_SHARED, 0, at, "argv",
		       "guest memory is not shared: the backend could not see it, and the NIC "
		       "would be dead");
	diag_hint(ds,
		  "add -object memory-backend-memfd,id=mem0,size=%s,share=on -machine "
		  "memory-backend=mem0",
		  memory_size(c));
	return -1;
}

/* One problem for all NICs: they share the guest's memory. */
static int rule_memory(const struct check *c, const struct nic *nic, struct diags *ds)
{
	const char *id;
	bool any;

	/* a configuration file may hold any of it, and is not read here */
	if (qemu_args_has(c->words, QEMU_OPTION_readconfig))
		return 0;
	id = not_shared(c, &any);
	return any && !id ? 0 : refuse(c, nic, id, ds);
}

/* --- the other two ---------------------------------------------------------------------------- */

static int rule_chardev(const struct check *c, const struct nic_plan *np, struct diags *ds)
{
	if (!np->chardev_id || !qemu_args_find(c->words, QEMU_OPTION_chardev, "id", np->chardev_id))
		return 0;
	return diag_add(ds, DIAG_DUPLICATE_ID, 0, np->nic->at, "argv",
			"-chardev %s is there already, and this NIC needs that id", np->chardev_id);
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
 * QEMU 7.2 without KVM reads the irqfds of MSI-X, which it has not made (kvm_virtio_pci_irqfd_use()
 * in hw/virtio/virtio-pci.c); 10.0 does not. Seen with a Linux guest; without MSI-X it runs.
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
		       "NIC that has MSI-X");
	diag_hint(ds, "%suse KVM, or a later QEMU",
		  np->queues == 1 ? "set \"device\": {\"vectors\": 0}, or " : "");
}

int vhostuser_rules(const struct plan *plan, struct diags *ds)
{
	const struct check c = { .words = plan->desc->words, .mem = ds->mem };
	const struct nic *first = NULL;
	int ret = 0;

	for (unsigned i = 0; i < plan->desc->n_nics; i++) {
		const struct nic *nic = &plan->desc->nics[i];

		if (!plan->nics[i].shares_memory)
			continue;
		first = first ? first : nic;
		ret |= rule_chardev(&c, &plan->nics[i], ds);
		warn_crash(&c, plan, &plan->nics[i], ds);
	}
	return first ? ret | rule_memory(&c, first, ds) : 0;
}
