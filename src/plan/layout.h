/* layout.h - which descriptor gets which number. Pure. */
#ifndef QH_PLAN_LAYOUT_H
#define QH_PLAN_LAYOUT_H

#include "plan/plan.h"

/*
 * The most file descriptors that a launch by this descriptor can need, and so how many free numbers
 * the facts must have.
 */
unsigned layout_slots_max(const struct desc *desc);
/* Fill in slots, and the numbers of each NIC. The NICs must be decided. 0, or -1 after a diag. */
int layout_make(struct plan *plan, struct arena *mem, struct diags *ds);
/* RLIMIT_NOFILE is too low for the plan's numbers. Returns -1. */
int layout_nofile_short(const struct plan *plan, struct diags *ds);

#endif
