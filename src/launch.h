/*
 * launch.h - the stages of a launch, each callable: look, decide, act, become QEMU
 *
 * Each returns 0, or -1 after at least one diag. Nothing here prints or exits, so that another
 * program than the launcher can be built on the same stages: one that stops after launch_open()
 * has every descriptor of the plan open, verified and close-on-exec.
 */
#ifndef QH_LAUNCH_H
#define QH_LAUNCH_H

#include <sys/types.h>

#include "act/lock.h"
#include "act/open.h"
#include "act/reportfile.h"
#include "base/diag.h"
#include "base/mem.h"
#include "desc/cmdline.h"
#include "desc/descriptor.h"
#include "desc/options.h"
#include "facts/facts.h"
#include "plan/plan.h"

/*
 * The state of one launch. The caller sets the first five members, notify, and -1 for report.fd and
 * notify_fd.
 */
struct launch {
	struct arena *mem;
	struct diags *ds;
	pid_t parent;           /* at the start */
	struct cmdline cmdline; /* QEMU's words */
	const char *dropin;     /* the name of a drop-in; NULL: it is our own */
	enum probe_kind probe;	/* of a drop-in's call that only asks; PROBE_NONE: a launch */
	struct desc desc;
	struct facts facts;
	unsigned n_looked; /* problems in ds before the plan was made */
	struct plan plan;
	struct opened opened;
	struct exec_target exec;
	struct reportfile report;
	int input_fd; /* the open descriptor that the descriptor was read from; -1: none */
	const char *notify;	/* address of the service manager's socket; NULL: it is not told */
	int notify_fd;		/* -1: none */
};

/* Read the descriptor and look at what it names. Opens no device and changes nothing. */
int launch_look(struct launch *l, const struct input *input);
/* Look at what a launch has no time for. Between launch_look() and launch_decide(). */
void launch_look_closely(struct launch *l);
/* Make the plan. No system call. --check and --plan end here. */
int launch_decide(struct launch *l);
/*
 * Open everything that the plan hands over, and start the helper and passt: l->opened. Where vhost
 * is only preferred and cannot be opened, l->plan is another one afterwards. launch_act() does
 * this.
 */
int launch_open(struct launch *l);
/* All that can fail and be taken back by ending the process: l->exec, and the report if wanted. */
int launch_act(struct launch *l);
/*
 * Confine this process and replace it by QEMU. Only comes back if QEMU does not run: -1, and the
 * report is taken back. envp: this process's own.
 */
int launch_become(struct launch *l, char *const *envp);

/*
 * The path of QEMU: the descriptor's, else QEMU_HANDOFF_QEMU, else by the name of the drop-in.
 * Lives
 * in mem, the descriptor or the environment.
 */
const char *launch_qemu(const struct desc *desc, const char *dropin, struct arena *mem);
/*
 * envp without the variables that are for us alone; notified: NOTIFY_SOCKET is one of them. The
 * array lives in mem.
 */
char **launch_environment(char *const *envp, bool notified, struct arena *mem);

#endif
