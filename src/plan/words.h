/*
 * words.h - the words of a plan: -netdev and -device of each NIC, and QEMU's whole command line.
 * Pure.
 */
#ifndef QH_PLAN_WORDS_H
#define QH_PLAN_WORDS_H

#include "plan/plan.h"

/*
 * Fill in netdev and device of each NIC, and argv of the plan: argv[0], the descriptor's "args",
 * the caller's words, then what the plan adds. 0, or -1 if a "device" property contradicts the
 * plan.
 */
int words_make(struct plan *plan, const struct cmdline *cmdline, struct arena *mem,
	       struct diags *ds);

#endif
