/* helper.h - run qemu-bridge-helper and take the descriptor it sends */
#ifndef QH_ACT_HELPER_H
#define QH_ACT_HELPER_H

#include "act/open.h"

/*
 * Run the helper of every bridge whose TAP we hand over, and add what it sends to opened. Must run
 * before no_new_privs is set, after which a set-uid helper has no privilege. Leaves no process
 * behind. 0, or -1 after a diag.
 */
int helper_run(const struct plan *plan, struct opened *opened, struct diags *ds);

#endif
