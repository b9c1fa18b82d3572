/*
 * files.c - the files that a launch executes or writes: QEMU, and the report
 */
#include "config.h"

#include "plan/files.h"

#include <errno.h>
#include <linux/capability.h>

#include "base/capnames.h"
#include "facts/node.h"

int rule_qemu(const struct desc *desc, const struct program *qemu, const struct facts *facts,
	      struct diags *ds)
{
	const struct where *at = desc->qemu ? KEY(NULL, "qemu") : NULL;

	if (qemu->err == ENOENT || qemu->err == ENOTDIR) {
		(void)diag_add(ds, DIAG_QEMU_NOT_FOUND, qemu->err, at, qemu->path,
			       "the QEMU to execute");
		diag_hint(ds, "install it (Debian: qemu-system-x86), or name another with \"qemu\" "
			      "or QEMU_HANDOFF_QEMU");
		return -1;
	}
	if (qemu->err != 0)
		return diag_add(ds, DIAG_QEMU_NOT_EXECUTABLE, qemu->err, at, qemu->path,
				"the QEMU to execute");
	if (!qemu->regular || qemu->access_err != 0)
		return diag_add(ds, DIAG_QEMU_NOT_EXECUTABLE, qemu->access_err, at, qemu->path,
				"%s",
				qemu->regular ? "these ids may not execute it"
					      : "not a regular file");
	if (facts->self_ino != 0 && qemu->ino == facts->self_ino && qemu->dev == facts->self_dev) {
		(void)diag_add(ds, DIAG_QEMU_IS_SHIM, 0, at, qemu->path, "is qemu-handoff itself");
		diag_hint(ds, "name the real QEMU with \"qemu\" or QEMU_HANDOFF_QEMU");
		return -1;
	}
	return 0;
}

/* want: 4, 2 and 1 as in each digit of a mode. */
static bool ids_may(const struct ids_facts *ids, unsigned mode, unsigned uid, unsigned gid,
		    unsigned want)
{
	unsigned shift = ids->uid == uid ? 6 : ids->gid == gid ? 3 : 0;

	for (unsigned i = 0; shift == 0 && i < ids->n_groups; i++)
		if (ids->groups[i] == gid)
			shift = 3;
	return (mode >> shift & want) == want;
}

static int rule_executable(const struct plan *plan, struct diags *ds)
{
	const struct program *qemu = &plan->facts->qemu;
	const struct ids_facts *ids = &plan->facts->ids;

	if (!qemu->regular || qemu->acl || ids_may(ids, qemu->mode, qemu->uid, qemu->gid, 1))
		return 0;
	(void)diag_add(ds, DIAG_QEMU_NOT_EXECUTABLE, EACCES,
		       plan->desc->qemu ? KEY(NULL, "qemu") : NULL, qemu->path,
		       "its mode is %04o and its owner %u:%u, but QEMU will have uid %u gid %u",
		       qemu->mode, qemu->uid, qemu->gid, ids->uid, ids->gid);
	diag_hint(ds, "chmod a+x %s", diag_word(ds, qemu->path));
	return -1;
}

static int kvm_denied(const struct plan *plan, struct diags *ds)
{
	const struct node *kvm = &plan->facts->kvm;
	const struct ids_facts *ids = &plan->facts->ids;

	(void)diag_add(ds, DIAG_NODE_ACCESS, EACCES, NULL, kvm->path,
		       "its mode is %04o and its owner %u:%u, but QEMU will have uid %u gid %u",
		       kvm->mode, kvm->uid, kvm->gid, ids->uid, ids->gid);
	if (kvm->gid != 0 && (kvm->mode & 0060) == 0060)
		diag_hint(ds, "\"groups\": [%u], the node's group", kvm->gid);
	else
		diag_hint(ds, "setfacl -m u:%u:rw %s", ids->uid, kvm->path);
	return -1;
}

static int rule_kvm(const struct plan *plan, struct diags *ds)
{
	const struct device_number dev = { MISC_MAJOR, KVM_MINOR };
	struct node kvm = plan->facts->kvm;
	const bool later = plan->facts->ids.wanted;

	if (!kvm.path)
		return 0;
	/* the ids of now say nothing of those that QEMU will have; a devices cgroup is of both */
	if (later && kvm.access_err != EPERM)
		kvm.access_err = 0;
	if (node_check(plan->facts, NULL, &kvm, dev, "modprobe kvm", ds) < 0)
		return -1;
	if (later && !plan->facts->kvm_acl &&
	    !ids_may(&plan->facts->ids, kvm.mode, kvm.uid, kvm.gid, 6))
		return kvm_denied(plan, ds);
	return 0;
}

/* With other ids QEMU has capabilities only where the descriptor says so. */
static bool keeps_dac_override(const struct desc *desc)
{
	return desc->caps == CAPS_KEEP ||
	       (desc->caps == CAPS_LIST && (desc->caps_list & CAP_BIT(CAP_DAC_OVERRIDE)));
}

int rule_own(const struct plan *plan, struct diags *ds)
{
	const struct ids_facts *ids = &plan->facts->ids;
	int ret;

	if (ids->wanted && (ids->unknown || ids->uid == 0 || keeps_dac_override(plan->desc)))
		return 0;	/* the first two are errors of their own */
	ret = rule_kvm(plan, ds);
	return ids->wanted ? ret | rule_executable(plan, ds) : ret;
}

/* What a report would replace: a device or a pipe must not be removed. */
int rule_report(const struct plan *plan, struct diags *ds)
{
	const struct spot *dir = &plan->facts->report_dir, *there = &plan->facts->report;
	const struct where *at = KEY(NULL, "report");
	const char *path = plan->desc->report_path;

	if (plan->desc->report_fd >= 0 && !plan->facts->report_open)
		return diag_add(ds, DIAG_REPORT_FD, 0, KEY(at, "fd"), NULL,
				"descriptor %d is not open", plan->desc->report_fd);
	if (!path)
		return 0;
	if (dir->err != 0 || dir->access_err != 0) {
		(void)diag_add(ds, DIAG_REPORT_PATH, dir->err ? dir->err : dir->access_err, at,
			       path, "no file can be created in its directory");
		diag_hint(ds, "name a path in a directory that uid %u may write to",
			  plan->facts->uid);
		return -1;
	}
	if (there->link) {
		(void)diag_add(ds, DIAG_REPORT_PATH, 0, at, path,
			       "a symbolic link, and a report takes the place of what is there");
		diag_hint(ds, "name the file that it leads to, or open it and give its number: "
			      "{\"fd\":N}");
		return -1;
	}
	if (there->err == 0 && !there->right_kind) {
		(void)diag_add(ds, DIAG_REPORT_PATH, 0, at, path,
			       "not a regular file, and the report would replace it");
		diag_hint(ds, "name a file, or open this one and pass its descriptor: {\"fd\":N}");
		return -1;
	}
	return 0;
}
