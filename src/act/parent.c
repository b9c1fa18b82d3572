/*
 * parent.c - QEMU ends when the process that started it does
 *
 * The signal survives an exec that changes no ids (fs/exec.c, begin_new_exec). A change of ids
 * clears it: ids.c sets it again.
 */
#include "config.h"

#include "act/parent.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

static int still_there(pid_t parent, struct diags *ds)
{
	if (getppid() == parent)
		return 0;
	return diag_add(ds, DIAG_PARENT_GONE, 0, KEY(NULL, "die_with_parent"), NULL,
			"the process that started this one has ended");
}

int parent_watch(const struct plan *plan, pid_t parent, struct diags *ds)
{
	if (!plan->desc->die_with_parent)
		return 0;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		return diag_add(ds, DIAG_CALL_FAILED, errno, KEY(NULL, "die_with_parent"),
				"prctl(PR_SET_PDEATHSIG)", "it cannot be set");
	/* after the call: one that ended before it sends nothing */
	return still_there(parent, ds);
}

int parent_verify(const struct plan *plan, pid_t parent, struct diags *ds)
{
	int sig = 0;

	if (!plan->desc->die_with_parent)
		return 0;
	if (prctl(PR_GET_PDEATHSIG, &sig, 0, 0, 0) < 0 || sig != SIGKILL)
		return diag_add(ds, DIAG_READBACK, 0, KEY(NULL, "die_with_parent"), NULL,
				"the parent's end sends signal %d, not SIGKILL", sig);
	return still_there(parent, ds);
}
