/* exec.h - replace this process by QEMU */
#ifndef QH_ACT_EXEC_H
#define QH_ACT_EXEC_H

#include "act/lock.h"
#include "plan/plan.h"

/*
 * Only comes back to say why QEMU does not run: -1 after a diag. envp: without our own variables.
 */
int exec_qemu(const struct plan *plan, const struct exec_target *exec, char *const *envp,
	      struct diags *ds);

/* The same by path and with nothing in force. */
int exec_plain(const char *qemu, char *const *argv, char *const *envp, const struct where *at,
	       struct diags *ds);

#endif
