/*
 * confine.c - the rules for confinement
 *
 * Fail closed: a protection that was asked for and is unavailable is an error, unless the
 * descriptor says otherwise ("landlock": "prefer"). Whatever QEMU's command line needs and the
 * filter denies is found here, because QEMU's own message about a denied call names the wrong
 * thing, or nothing.
 */
#include "config.h"

#include "plan/confine.h"

#include <errno.h>
#include <string.h>

#include "mode/mode.h"
#include "plan/box.h"
#include "plan/needs.h"
#include "plan/sandbox.h"
#include "desc/cmdline.h"
#include "mode/table.h"

/* --- cgroup ----------------------------------------------------------------------------------- */

static int cgroup_bad(struct diags *ds, enum diag_id id, int err, const struct where *at,
		      const struct cgroup_facts *c, const char *message, const char *hint)
{
	(void)diag_add(ds, id, err, at, c->path, "%s", message);
	if (hint)
		diag_hint(ds, "%s", hint);
	return -1;
}

/* A file of the cgroup, as a word of a shell. */
static const char *cgroup_word(struct diags *ds, const struct cgroup_facts *c, const char *file)
{
	return diag_word(ds, arena_printf(ds->mem, "%s/%s", c->path, file));
}

static int cgroup_frozen(const struct cgroup_facts *c, const struct where *at, struct diags *ds)
{
	(void)diag_add(ds, DIAG_CGROUP_FROZEN, 0, at, c->path,
		       "is frozen: this process would silently stop in it");
	diag_hint(ds, c->v2 ? "echo 0 >%s" : "echo THAWED >%s",
		  cgroup_word(ds, c, c->v2 ? "cgroup.freeze" : "freezer.state"));
	return -1;
}

static int cgroup_missing(const struct cgroup_facts *c, const struct where *at, struct diags *ds)
{
	(void)diag_add(ds, DIAG_CGROUP_MISSING, c->err, at, c->path,
		       c->err == ELOOP ? "the path contains a symbolic link"
				       : "it cannot be joined");
	if (c->hidden)
		diag_hint(ds, "enter the network namespace with nsenter --net=/run/netns/NAME "
			      "instead of 'ip netns exec', which hides the cgroups");
	else if (c->err == ENOENT)
		diag_hint(ds, "mkdir -p %s", diag_word(ds, c->path));
	else if (c->err == EACCES)
		diag_hint(ds, "allow this process to search it; in an AppArmor profile, "
			      "/sys/fs/cgroup/** rw,");
	return -1;
}

static int rule_cgroup_state(const struct cgroup_facts *c, const struct where *at, struct diags *ds)
{
	if (c->frozen)
		return cgroup_frozen(c, at, ds);
	if (c->threaded)
		return cgroup_bad(ds, DIAG_CGROUP_THREADED, 0, at, c,
				  "is threaded or invalid: it accepts threads, not processes",
				  "join a cgroup of type domain");
	if (c->inner)
		return cgroup_bad(ds, DIAG_CGROUP_INNER, 0, at, c,
				  "has controllers enabled for its children, so it accepts no "
				  "process",
				  "create a leaf cgroup below it, and join that");
	if (c->empty_cpuset)
		return cgroup_bad(ds, DIAG_CGROUP_CPUSET, 0, at, c,
				  "cpuset.cpus or cpuset.mems is empty, so it accepts no process",
				  "write both files");
	return 0;
}

static int rule_cgroup(const struct cgroup_facts *c, const struct where *at,
		       const struct facts *facts, struct diags *ds)
{
	if (c->err != 0)
		return cgroup_missing(c, at, ds);
	if (!c->is_cgroup)
		return cgroup_bad(ds, DIAG_CGROUP_NOT_CGROUP, 0, at, c,
				  "not a directory of a mounted cgroup file system", NULL);
	if (c->self_err != 0) {
		(void)diag_add(
			ds, DIAG_CGROUP_ACCESS, c->self_err, at, "/proc/self/cgroup",
			"this process's cgroup cannot be read, so joining it could not be "
			"verified");
		diag_hint(ds, "allow this process to read it; in an AppArmor profile, "
			      "@{PROC}/@{pid}/{cgroup,mountinfo} r,");
		return -1;
	}
	if (c->here)
		return 0;
	if (rule_cgroup_state(c, at, ds) < 0)
		return -1;
	if (c->access_err == 0)
		return 0;
	(void)diag_add(ds, DIAG_CGROUP_ACCESS, c->access_err, at, c->denied,
		       "uid %u needs write access to join %s", facts->uid, c->path);
	if (c->v2)
		diag_hint(ds, "delegate both cgroups, for example with systemd-run --user --scope "
			      "-p Delegate=yes, or pass an open cgroup.procs as {\"fd\": N}");
	return -1;
}

/*
 * Threads and vhost workers are tasks of the cgroup, including the workers of Linux 6.1, which are
 * kernel threads. QEMU aborts if it cannot start one (7.2, qemu_thread_create()). The count here is
 * the minimum, measured with 7.2: its main, RCU and one vCPU thread.
 */
static int rule_pids(const struct plan *plan, const struct pids_limit *pids, const struct where *at,
		     struct diags *ds)
{
	unsigned workers = plan->desc->cid != 0;

	if (!pids->path)
		return 0;
	for (unsigned i = 0; i < plan->desc->n_nics; i++)
		workers += plan->nics[i].vhost ? plan->nics[i].queues : 0;
	if (pids->used + QEMU_OWN_TASKS + workers <= pids->max)
		return 0;
	(void)diag_add(ds, DIAG_CGROUP_PIDS, 0, at, pids->path,
		       "allows %lu tasks and has %lu: QEMU needs at least %u more, and %u for "
		       "vhost workers",
		       pids->max, pids->used, QEMU_OWN_TASKS, workers);
	diag_hint(ds, "write %lu or more, or set TasksMax= of systemd",
		  pids->used + QEMU_OWN_TASKS + workers);
	return -1;
}

static int rule_cgroups(const struct plan *plan, struct diags *ds)
{
	const struct where *at = KEY(NULL, "cgroup");
	int ret = 0;

	for (unsigned i = 0; i < plan->facts->n_cgroups; i++) {
		const struct cgroup_facts *c = &plan->facts->cgroups[i];
		const struct where *item = plan->desc->n_cgroups > 1 ? ITEM(at, i) : at;

		ret |= rule_cgroup(c, item, plan->facts, ds);
		ret |= rule_pids(plan, &c->pids, item, ds);
	}
	return ret;
}

/* --- ids -------------------------------------------------------------------------------------- */

/* What getpwnam(3) may leave in errno for a name that does not exist. */
static bool is_absent(int err)
{
	return err == 0 || err == ENOENT || err == ESRCH || err == EBADF || err == EPERM;
}

static int rule_ids(struct plan *plan, struct diags *ds)
{
	const struct ids_facts *ids = &plan->facts->ids;
	const struct where *at = KEY(NULL, plan->desc->user.given    ? "user"
					   : plan->desc->group.given ? "group"
								     : "groups");

	if (!ids->wanted)
		return 0;
	if (ids->unknown) {
		(void)diag_add(ds, DIAG_ID_UNKNOWN, ids->err, KEY(NULL, ids->unknown_key),
			       ids->unknown,
			       is_absent(ids->err) ? "no such account"
						   : "the account could not be looked up");
		if (strcmp(ids->unknown_key, "group") == 0)
			diag_hint(ds, "set \"group\": a uid that has no account has no group");
		return -1;
	}
	if (ids->uid == 0) {
		(void)diag_add(ds, DIAG_USER_ROOT, 0, at, NULL, "root would keep every capability");
		diag_hint(ds, "name another user, or leave out the ids");
		return -1;
	}
	if (!ids->same && !ids->can_take) {
		(void)diag_add(
			ds, DIAG_ID_PRIVILEGE, 0, at, NULL,
			"uid %u may not become uid %u gid %u without CAP_SETUID and CAP_SETGID",
			plan->facts->uid, ids->uid, ids->gid);
		diag_hint(ds, "start with these capabilities, or leave out the ids");
		return -1;
	}
	plan->confine.take_ids = true;
	return 0;
}

/* --- seccomp ---------------------------------------------------------------------------------- */

static int rule_bpf(const struct plan *plan, struct diags *ds)
{
	const struct where *at = KEY(KEY(NULL, "seccomp"), "bpf");
	const struct filter_exec exec = { .fd = NOFILE_WANTED, .path = 0x1000 };
	const struct bpf_facts *bpf = &plan->facts->bpf;
	const char *file = plan->desc->seccomp.bpf;
	struct sock_filter *copy;
	enum interp_fault fault;
	size_t where = 0;

	if (bpf->not_file)
		return diag_add(ds, DIAG_SECCOMP_BPF, 0, at, file, "not a regular file");
	if (bpf->err != 0)
		return diag_add(ds, DIAG_SECCOMP_BPF, bpf->err, at, file,
				"the filter cannot be read");
	if (bpf->size == 0 || bpf->size % sizeof(*copy) != 0 || bpf->len > BPF_MAXINSNS)
		return diag_add(ds, DIAG_SECCOMP_BPF, 0, at, file,
				"has %zu bytes, but a program has 1 to %d instructions of %zu "
				"bytes",
				bpf->size, BPF_MAXINSNS, sizeof(*copy));
	/* any numbers will do: does the program allow the exec that replaces its marks? */
	copy = arena_array(ds->mem, bpf->len, sizeof(*copy));
	memcpy(copy, bpf->prog, bpf->len * sizeof(*copy));
	filter_set_exec(copy, bpf->len, &exec);
	fault = filter_check(copy, bpf->len, &exec, &where);
	if (fault == INTERP_OK)
		return 0;
	(void)diag_add(ds, DIAG_SECCOMP_BPF, 0, at, file, "instruction %zu: %s", where,
		       interp_fault_text(fault));
	diag_hint(ds, "make the program with qemu-handoff-seccomp");
	return -1;
}

/* The caller's own program may deny nothing, and a filter that only logs denies nothing. */
static bool profile_denies(const struct plan *plan)
{
	return plan->confine.filter && !plan->desc->seccomp.bpf &&
	       plan->desc->seccomp.action != FILTER_LOG;
}

static int rule_script(const struct plan *plan, struct diags *ds)
{
	if (!plan->facts->qemu.script)
		return 0;
	(void)diag_add(ds, DIAG_QEMU_SCRIPT, 0, plan->desc->qemu ? KEY(NULL, "qemu") : NULL,
		       plan->qemu,
		       "is a script: the kernel would also have to execute its interpreter, and "
		       "the filter allows one exec");
	diag_hint(ds, "name the program that the script starts, or set \"seccomp\": \"none\"");
	return -1;
}

static int rule_seccomp(struct plan *plan, struct diags *ds)
{
	int ret;

	if (plan->desc->seccomp.none)
		return 0;
	plan->confine.filter = true;
	plan->confine.groups = plan->desc->seccomp.groups;
	if (plan->facts->seccomp_err != 0) {
		(void)diag_add(ds, DIAG_SECCOMP_MISSING, plan->facts->seccomp_err,
			       KEY(NULL, "seccomp"), NULL,
			       "this kernel, or a filter already in force, does not allow loading "
			       "a filter");
		diag_hint(ds, "set \"seccomp\": \"none\" to run without a filter");
		return -1;
	}
	ret = rule_script(plan, ds);
	if (plan->desc->seccomp.bpf)
		return ret | rule_bpf(plan, ds);
	if (!profile_denies(plan))
		return ret;
	return ret | needs_of_filter(plan, ds);
}

/* --- landlock and no_new_privs ---------------------------------------------------------------- */

static int rule_landlock(struct plan *plan, struct diags *ds)
{
	static const char why[] =
		"this kernel has no Landlock, or Landlock is not an active security module";

	if (plan->desc->landlock == LANDLOCK_OFF)
		return 0;
	plan->confine.landlock = plan->facts->landlock_abi > 0;
	if (plan->confine.landlock)
		return 0;
	if (plan->desc->landlock == LANDLOCK_PREFERRED) {
		plan->confine.landlock_why = why;
		(void)diag_add(ds, DIAG_LANDLOCK_OFF, 0, KEY(NULL, "landlock"), NULL, "%s", why);
		return 0;
	}
	(void)diag_add(ds, DIAG_LANDLOCK_MISSING, 0, KEY(NULL, "landlock"), NULL, "%s", why);
	diag_hint(ds, "add landlock to lsm= on the kernel's command line, or %s",
		  plan->desc->box.on ? "add \"optional\": true" : "set \"landlock\": \"prefer\"");
	return -1;
}

/*
 * A set-uid helper that QEMU runs has no privilege once no_new_privs is set, by us or by -sandbox.
 */
static int rule_setuid_helper(const struct plan *plan, struct diags *ds)
{
	const bool no_new_privs = plan->confine.no_new_privs || sandbox_on(plan);
	int ret = 0;

	for (unsigned i = 0; i < plan->desc->n_nics && no_new_privs; i++) {
		const struct nic_plan *np = &plan->nics[i];

		/* if the profile denies it, needs_of_filter() has already refused it */
		if (!mode_row(np->nic->mode)->setuid_helper || !np->by_qemu || profile_denies(plan))
			continue;
		if (!np->facts->helper.setuid_root && !np->facts->helper.net_admin)
			continue;
		(void)diag_add(ds, DIAG_SECCOMP_NEEDS, 0, KEY(np->nic->at, "handoff"),
			       np->facts->helper.path,
			       "its set-uid bit and file capabilities have no effect under "
			       "no_new_privs");
		diag_hint(ds, "leave out \"handoff\": the launch then runs the helper first");
		ret = -1;
	}
	return ret;
}

/* A QEMU that daemonizes leaves its parent, and the kernel sends its child nothing. */
static int rule_parent(const struct plan *plan, struct diags *ds)
{
	if (!plan->desc->die_with_parent || !plan->desc->words ||
	    !qemu_args_has(plan->desc->words, QEMU_OPTION_daemonize))
		return 0;
	(void)diag_add(ds, DIAG_PARENT_DAEMONIZE, 0, KEY(NULL, "die_with_parent"), "-daemonize",
		       "a QEMU that daemonizes leaves its parent");
	diag_hint(ds, "leave out -daemonize, or \"die_with_parent\"");
	return -1;
}

int confine_rules(struct plan *plan, struct diags *ds)
{
	int ret;

	ret = rule_cgroups(plan, ds);
	ret |= rule_ids(plan, ds);
	ret |= rule_seccomp(plan, ds);
	ret |= rule_landlock(plan, ds) | box_decide(plan, ds);
	plan->confine.no_new_privs = plan->confine.filter || plan->confine.take_ids ||
				     plan->confine.landlock;
	ret |= rule_parent(plan, ds);
	return ret | rule_setuid_helper(plan, ds) | sandbox_rules(plan, ds);
}
