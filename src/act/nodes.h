/* nodes.h - open what the plan says, each at its number, and verify that it is the right thing */
#ifndef QH_ACT_NODES_H
#define QH_ACT_NODES_H

#include "plan/plan.h"

/*
 * Where the plan only prefers vhost, open its first descriptor before anything else is open:
 * whether it is to be had decides the plan. NODES_NO_VHOST: *ret_err says why not; nothing is open,
 * make another plan.
 */
enum nodes_result { NODES_OPEN, NODES_FAILED, NODES_NO_VHOST };
enum nodes_result nodes_open_vhost(const struct plan *plan, struct diags *ds, int *ret_err);

/*
 * Open every slot but those that helper.c and passt.c fill, and what nodes_open_vhost() opened. 0,
 * or -1 after a diag; what is open then closes when the process ends.
 */
int nodes_open(const struct plan *plan, struct diags *ds);

/* Put a descriptor that is no device at its planned number. Closes fd on failure. */
int nodes_place(const struct plan *plan, const struct slot *slot, int fd, struct diags *ds);
/*
 * Take a descriptor that came from elsewhere for a slot: verify it, put it at its number. Closes fd
 * on failure.
 */
int nodes_adopt(const struct plan *plan, const struct slot *slot, int fd, struct diags *ds);

#endif
