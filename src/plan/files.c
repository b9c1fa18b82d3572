/*
 * files.c - the files that a launch executes or writes: QEMU, and the report
 */
#include "config.h"

#include "plan/files.h"

#include <errno.h>

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
