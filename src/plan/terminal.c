/*
 * terminal.c - the terminal that QEMU inherits
 *
 * Whoever has a terminal can type into it, and its other readers, the caller's shell above all, run
 * what was typed with their own rights. Ids, capabilities, filter and Landlock take nothing of that
 * away. So a filter (seccomp/terminal.def) refuses it wherever QEMU is to have less than its
 * caller. A QEMU that keeps everything has the shell's rights already.
 */
#include "config.h"

#include "plan/terminal.h"

#include <linux/capability.h>

#include "base/capnames.h"

static bool takes_caps(const struct plan *plan)
{
	return plan->confine.drop_caps &&
	       (plan->facts->caps.permitted & ~plan->confine.caps) != 0;
}

static int decide(struct plan *plan, struct diags *ds)
{
	struct confine_plan *c = &plan->confine;

	if (!plan->facts->terminal || !plan->desc->protect_terminal ||
	    !(c->filter || c->take_ids || c->landlock || takes_caps(plan)))
		return 0;
	c->terminal = true;
	c->terminal_alone = !c->filter || plan->desc->seccomp.bpf;
	/* the kernel takes a program from whoever has the one or the other */
	if ((plan->facts->caps.effective & CAP_BIT(CAP_SYS_ADMIN)) == 0)
		c->no_new_privs = true;
	/* with a filter, that is said of it already */
	if (plan->facts->seccomp_err == 0 || c->filter)
		return 0;
	(void)diag_add(ds, DIAG_SECCOMP_MISSING, plan->facts->seccomp_err,
		       KEY(NULL, "protect_terminal"), NULL,
		       "no filter can be loaded, so QEMU could type into the terminal");
	diag_hint(ds, "start it without a terminal, or set \"protect_terminal\": false");
	return -1;
}

int terminal_decide(struct plan *plan, struct diags *ds)
{
	const int ret = decide(plan, ds);

	plan->confine.filters = 0U + plan->confine.filter + plan->confine.terminal_alone;
	return ret;
}

const char *terminal_word(const struct plan *plan)
{
	if (!plan->facts->terminal)
		return "none";
	return plan->confine.terminal ? "protected" : "open";
}
