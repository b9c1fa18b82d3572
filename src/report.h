/* report.h - a plan as a document: for programs, for eyes, and as a shell script. Pure. */
#ifndef QH_REPORT_H
#define QH_REPORT_H

#include "diag.h"
#include "plan.h"

enum report_form { REPORT_TEXT, REPORT_JSON, REPORT_SHELL };

/* The whole document, ending in a newline; it lives in mem. The JSON form is also the report of a launch. */
const char *report_make(const struct plan *plan, const struct diags *ds, enum report_form form, struct arena *mem);

#endif
