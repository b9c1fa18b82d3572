/*
 * exec.c - replace this process by QEMU
 *
 * Umask, nice, other limits, working directory, process group, controlling terminal and
 * parent-death signal stay as the manager set them.
 */
#include "config.h"

#include "act/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int exec_failed(const char *qemu, int err, const struct where *at, struct diags *ds)
{
	switch (err) {
	case ENOEXEC:
		return diag_add(ds, DIAG_QEMU_NOT_EXECUTABLE, err, at, qemu,
				"neither a program nor a script with '#!'");
	case ENOENT:
		return diag_add(ds, DIAG_QEMU_NOT_EXECUTABLE, err, at, qemu,
				"it is there, but its interpreter or loader is not");
	case ENOMEM:
	case EAGAIN:
		return diag_add(ds, DIAG_CALL_FAILED, err, at, qemu, "it could not be executed");
	default:
		return diag_add(ds, DIAG_QEMU_NOT_EXECUTABLE, err, at, qemu,
				"it could not be executed");
	}
}

int exec_plain(const char *qemu, char *const *argv, char *const *envp, const struct where *at,
	       struct diags *ds)
{
	(void)execve(qemu, argv, envp);
	return exec_failed(qemu, errno, at, ds);
}

int exec_qemu(const struct plan *plan, const struct exec_target *exec, char *const *envp,
	      struct diags *ds)
{
	const struct where *at = plan->desc->qemu ? KEY(NULL, "qemu") : NULL;

	if (!plan->confine.filter)
		return exec_plain(plan->qemu, plan->argv, envp, at, ds);
	(void)syscall(SYS_execveat, exec->fd, exec->path, plan->argv, envp, AT_EMPTY_PATH);
	return exec_failed(plan->qemu, errno, at, ds);
}
