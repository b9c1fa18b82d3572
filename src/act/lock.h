/* lock.h - what cannot be undone: no_new_privs, Landlock, the filter, and the one exec it allows */
#ifndef QH_ACT_LOCK_H
#define QH_ACT_LOCK_H

#include <stdint.h>

#include "plan/plan.h"

/* The one exec: QEMU, open by the descriptor number that is about to be out of reach for good. */
struct exec_target {
	unsigned fd;
	const char *path;	/* "", at an address where nothing else can be */
};

/*
 * Under a filter: open QEMU, put it at plan->nofile (or the next number that is free, which then
 * becomes plan->nofile), and set RLIMIT_NOFILE to it. 0, or -1 after a diag.
 */
int lock_place_qemu(struct plan *plan, struct exec_target *ret, struct diags *ds);
/*
 * no_new_privs, and the filter that protects the terminal by itself. Before the ids and
 * capabilities are
 * taken: with neither no_new_privs nor CAP_SYS_ADMIN the kernel loads no filter. 0, or -1 after a
 * diag.
 */
int lock_begin(const struct plan *plan, struct diags *ds);
/* Landlock, filter: in this order, as far as the plan has them. 0, or -1 after a diag. */
int lock_down(const struct plan *plan, const struct exec_target *exec, struct arena *mem,
	      struct diags *ds);

#endif
