/* make.h - decide a launch. Pure. */
#ifndef QH_PLAN_MAKE_H
#define QH_PLAN_MAKE_H

#include "plan/plan.h"

/*
 * Decide. cmdline: what desc->words was read from. *ret is written only on success; it lives in
 * mem. Every rule is tried, so that all problems are listed. 0, or -1 with at least one error in
 * ds.
 */
int plan_make(const struct desc *desc, const struct facts *facts, const struct cmdline *cmdline,
	      struct arena *mem, struct plan *ret, struct diags *ds);

#endif
