/* options.h - our own words on the command line, and the variable that stands for them in a drop-in. Pure. */
#ifndef QH_DESC_OPTIONS_H
#define QH_DESC_OPTIONS_H

#include "base/diag.h"
#include "look/input.h"
#include "plan/plan.h"
#include "plan/report.h"

enum stop { STOP_NEVER, STOP_CHECK, STOP_HOST, STOP_PLAN };

struct options {
	struct input input;
	enum stop stop;			/* --check, --check=host, --plan */
	enum report_form form;
	bool errors_json;
	bool help, version;
};

/*
 * Read our options up to the first word that is none of them, or "--"; the rest is QEMU's and goes to
 * *ret_cmdline. Words are taken whole, never by a beginning: QEMU has long options too. 0, or -1 after a diag.
 */
int options_read(int argc, char **argv, struct options *ret, struct cmdline *ret_cmdline, struct diags *ds);
/* Where a drop-in's descriptor is: "-", "fd:N", an absolute path, or the JSON itself. 0, or -1 after a diag. */
int options_source(const char *value, struct input *ret, struct diags *ds);

extern const char options_help[];

#endif
