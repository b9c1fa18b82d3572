/*
 * lock.c - what cannot be undone
 *
 * One exec: QEMU is opened O_PATH at number N, RLIMIT_NOFILE becomes N, and the filter lets
 * execveat through for N and the empty path only. The descriptor closes when QEMU starts, and no
 * descriptor can ever have that number again (dup, F_DUPFD, SCM_RIGHTS and pidfd_getfd all respect
 * the limit, which the filter keeps from being raised).
 */
#include "config.h"

#include "act/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/coverage.h"
#include "sys/fd.h"
#include "seccomp/emptypath.h"
#include "sys/landlock.h"

/* --- the one exec ----------------------------------------------------------------------------- */

static int failed(const char *call, int err, const char *key, const char *what, struct diags *ds)
{
	return diag_add(ds, DIAG_CONFINE_FAILED, err, KEY(NULL, key), call, "%s", what);
}

static int set_limit(rlim_t soft, rlim_t hard, struct diags *ds)
{
	const struct rlimit limit = { .rlim_cur = soft, .rlim_max = hard };

	return setrlimit(RLIMIT_NOFILE, &limit) == 0
		       ? 0
		       : failed("setrlimit", errno, "seccomp",
				"RLIMIT_NOFILE could not be set for the one exec", ds);
}

/* What is executed is what was checked. */
static int verify_qemu(const struct plan *plan, int fd, struct diags *ds)
{
	const struct program *qemu = &plan->facts->qemu;
	struct stat st;

	if (fstat(fd, &st) == 0 && st.st_dev == qemu->dev && st.st_ino == qemu->ino)
		return 0;
	return diag_add(ds, DIAG_QEMU_NOT_EXECUTABLE, 0,
			plan->desc->qemu ? KEY(NULL, "qemu") : NULL, plan->qemu,
			"the file was replaced since it was checked");
}

int lock_place_qemu(struct plan *plan, struct exec_target *ret, struct diags *ds)
{
	const unsigned long hard = plan->facts->nofile_hard;
	AUTO_FD low = -1;
	int fd;

	if (!plan->confine.filter)
		return 0;
	low = open(plan->qemu, O_PATH | O_CLOEXEC);
	if (low < 0)
		return diag_add(ds, DIAG_QEMU_NOT_EXECUTABLE, errno,
				plan->desc->qemu ? KEY(NULL, "qemu") : NULL, plan->qemu,
				"it could not be opened");
	if (verify_qemu(plan, low, ds) < 0 || set_limit(hard, hard, ds) < 0)
		return -1;
	fd = fcntl(low, F_DUPFD_CLOEXEC, (int)plan->nofile);
	if (fd < 0)
		return failed("F_DUPFD_CLOEXEC", errno, "seccomp",
			      "no descriptor number is free for the one exec", ds);
	plan->nofile = (unsigned long)fd;
	ret->fd = (unsigned)fd;
	ret->path = emptypath_map();
	if (!ret->path)
		return failed("mmap", errno, "seccomp",
			      "there is no address for the path of the one exec", ds);
	return set_limit(plan->nofile, plan->nofile, ds);
}

/* --- locking ---------------------------------------------------------------------------------- */

static int enter_landlock(const struct plan *plan, struct diags *ds)
{
	const char *call;
	const int err = landlock_enter(plan->facts->landlock_abi, &call);

	return err ? failed(call, err, "landlock", "the Landlock domain could not be entered", ds)
		   : 0;
}

/*
 * A path that QEMU needs by itself and that these ids cannot reach is left out: QEMU could not open
 * it either. All others must be the files that were examined.
 */
static int allow_spot(const struct box_rule *rule, int ruleset, struct diags *ds)
{
	const struct box_spot *spot = rule->spot;
	AUTO_FD fd = open(spot->path, O_PATH | O_CLOEXEC);
	struct stat st;
	int err;

	if (fd < 0 && spot->why && !spot->named)
		return 0;
	if (fd < 0)
		return failed(spot->path, errno, "landlock", "it could not be opened for a rule",
			      ds);
	if (fstat(fd, &st) < 0 || st.st_dev != spot->dev || st.st_ino != spot->ino)
		return failed(spot->path, 0, "landlock", "it was replaced since it was checked",
			      ds);
	err = landlock_allow(ruleset, fd, rule->rights);
	return err ? failed(spot->path, err, "landlock", "the rule could not be added", ds) : 0;
}

/* With the ids that QEMU has, as the paths are those that QEMU will open. */
static int enter_box(const struct plan *plan, struct diags *ds)
{
	const struct box_plan *box = &plan->confine.box;
	const int abi = plan->facts->landlock_abi;
	AUTO_FD ruleset = landlock_ruleset(abi, box->handled);
	int err;

	if (ruleset < 0)
		return failed("landlock_create_ruleset", errno, "landlock",
			      "the box could not be made", ds);
	for (unsigned i = 0; i < box->n; i++)
		if (allow_spot(&box->rules[i], ruleset, ds) < 0)
			return -1;
	coverage_save();
	err = landlock_restrict(abi, ruleset);
	return err ? failed("landlock_restrict_self", err, "landlock",
			    "the box could not be entered", ds)
		   : 0;
}

static int load_filter(const struct plan *plan, const struct exec_target *one, struct arena *mem,
		       struct diags *ds)
{
	const struct seccomp_wish *wish = &plan->desc->seccomp;
	const struct filter_exec exec = { .fd = one->fd, .path = (uintptr_t)one->path,
					  .pid = (uint32_t)getpid() };
	struct sock_filter profile[FILTER_PROFILE_MAX], *prog = profile;
	size_t len;

	if (wish->bpf) {
		len = plan->facts->bpf.len;
		prog = arena_array(mem, len, sizeof(*prog));
		memcpy(prog, plan->facts->bpf.prog, len * sizeof(*prog));
		filter_set_exec(prog, len, &exec);
	} else {
		len = (size_t)(plan->confine.terminal ? filter_get_on_terminal : filter_get)(
			wish->action, plan->confine.groups, &exec, profile, ARRAY_LEN(profile));
	}
	coverage_save();
	if (filter_load(prog, len, wish->action == FILTER_LOG) < 0)
		return failed("seccomp", errno, "seccomp", "the filter could not be loaded", ds);
	return 0;
}

int lock_begin(const struct plan *plan, struct diags *ds)
{
	const struct sock_filter *prog;
	size_t len;

	if (plan->confine.no_new_privs && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return failed("prctl(PR_SET_NO_NEW_PRIVS)", errno, "seccomp",
			      "no_new_privs could not be set", ds);
	if (plan->confine.no_new_privs && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		return failed("prctl(PR_GET_NO_NEW_PRIVS)", 0, "seccomp",
			      "no_new_privs is not in force", ds);
	if (!plan->confine.terminal_alone)
		return 0;
	prog = filter_get_terminal(&len);
	return filter_load(prog, len, false) == 0
		       ? 0
		       : failed("seccomp", errno, "protect_terminal",
				"the filter that protects the terminal could not be loaded", ds);
}

int lock_down(const struct plan *plan, const struct exec_target *exec, struct arena *mem,
	      struct diags *ds)
{
	if (plan->confine.landlock &&
	    (plan->desc->box.on ? enter_box(plan, ds) : enter_landlock(plan, ds)) < 0)
		return -1;
	return plan->confine.filter ? load_filter(plan, exec, mem, ds) : 0;
}
