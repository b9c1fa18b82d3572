/* files.h - the files that a launch executes or writes: QEMU, and the report. Pure. */
#ifndef QH_PLAN_FILES_H
#define QH_PLAN_FILES_H

#include "plan/plan.h"

/*
 * Is the file a program these ids may execute, and not this one? Of facts only self_dev and
 * self_ino are used.
 */
int rule_qemu(const struct desc *desc, const struct program *qemu, const struct facts *facts,
	      struct diags *ds);
/*
 * Can the report be written where it is to go, without taking the place of something that is no
 * file?
 */
int rule_report(const struct plan *plan, struct diags *ds);

#endif
