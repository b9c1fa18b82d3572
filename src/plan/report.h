/* report.h - a plan as a document: for programs, for people, and as a shell script. Pure. */
#ifndef QH_PLAN_REPORT_H
#define QH_PLAN_REPORT_H

#include "base/diag.h"
#include "desc/options.h"
#include "plan/plan.h"

/*
 * The whole document, ending with a newline; it lives in mem. The JSON form is also the report of a
 * launch.
 */
const char *report_make(const struct plan *plan, const struct diags *ds, enum report_form form,
			struct arena *mem);

#endif
