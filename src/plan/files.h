/* files.h - the files that a launch executes or writes: QEMU, and the report. Pure. */
#ifndef QH_PLAN_FILES_H
#define QH_PLAN_FILES_H

#include "plan/plan.h"

/*
 * Is the file a program that these ids may execute, and not this program? Of facts, only self_dev
 * and self_ino are used.
 */
int rule_qemu(const struct desc *desc, const struct program *qemu, const struct facts *facts,
	      struct diags *ds);
/*
 * May QEMU, with the ids that it will have, be executed, and open /dev/kvm where its words need it?
 * The mode decides; where there is an access list that is not known, and nothing is said.
 */
int rule_own(const struct plan *plan, struct diags *ds);
/* Can the report be written to its path without replacing something that is not a regular file? */
int rule_report(const struct plan *plan, struct diags *ds);

#endif
