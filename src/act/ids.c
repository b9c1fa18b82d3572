/*
 * ids.c - take the ids that QEMU will run with, and drop capabilities
 *
 * They are taken after the devices are open, so QEMU needs no right to open any of them. A change
 * of ids clears the parent-death signal (kernel/cred.c, commit_creds), on which a manager relies:
 * it is set again, and a parent that died meanwhile is detected.
 *
 * An exec gives uid 0 all that its bounding set has, and another uid what its ambient set has: so
 * the first is what bounds root, and the second is how others keep a capability
 * (security/commoncap.c, cap_bprm_creds_from_file).
 */
#include "config.h"

#include "act/ids.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <linux/capability.h>

#include "base/capnames.h"
#include "sys/caps.h"

static int id_failed(const char *call, int err, struct diags *ds)
{
	return diag_add(ds, DIAG_ID_FAILED, err, KEY(NULL, "user"), call,
			"the ids could not be taken");
}

static int cap_failed(const char *call, int err, struct diags *ds)
{
	return diag_add(ds, DIAG_CAPABILITY_FAILED, err, KEY(NULL, "capabilities"), call,
			"capabilities could not be dropped");
}

/*
 * Nothing may come back through a set-uid program either. This is done before the uid changes,
 * while it is allowed.
 */
static int drop_bounding(const struct plan *plan, struct diags *ds)
{
	const struct cap_facts *caps = &plan->facts->caps;
	int err;

	/* without it the set stays; the plan has made sure that this does not matter */
	if (!(caps->effective & CAP_BIT(CAP_SETPCAP)))
		return 0;
	err = caps_drop_bounding(caps->bounding & ~plan->confine.caps);
	return err ? cap_failed("prctl(PR_CAPBSET_DROP)", err, ds) : 0;
}

static int set_ids(const struct plan *plan, struct diags *ds)
{
	const struct ids_facts *ids = &plan->facts->ids;

	/* otherwise a change from uid 0 clears the permitted set */
	if (prctl(PR_SET_KEEPCAPS, plan->confine.caps != 0, 0, 0, 0) < 0)
		return id_failed("prctl(PR_SET_KEEPCAPS)", errno, ds);
	if (setgroups(ids->n_groups, ids->groups) < 0)
		return id_failed("setgroups", errno, ds);
	if (setresgid(ids->gid, ids->gid, ids->gid) < 0)
		return id_failed("setresgid", errno, ds);
	if (setresuid(ids->uid, ids->uid, ids->uid) < 0)
		return id_failed("setresuid", errno, ds);
	return 0;
}

static int set_caps(const struct plan *plan, struct diags *ds)
{
	const uint64_t keep = plan->confine.caps, ambient = geteuid() == 0 ? 0 : keep;
	const struct caps caps = { .effective = keep, .permitted = keep, .inheritable = ambient };
	int err;

	err = caps_clear_ambient();
	if (err)
		return cap_failed("prctl(PR_CAP_AMBIENT_CLEAR_ALL)", err, ds);
	err = caps_set(&caps);
	if (err)
		return cap_failed("capset", err, ds);
	for (unsigned cap = 0; cap < CAPS_MAX; cap++)
		if ((ambient & CAP_BIT(cap)) &&
		    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0) < 0)
			return cap_failed("prctl(PR_CAP_AMBIENT_RAISE)", errno, ds);
	return 0;
}

int ids_take(const struct plan *plan, struct diags *ds)
{
	const pid_t parent = getppid();
	int sig = 0;

	if (!plan->confine.take_ids && !plan->confine.drop_caps)
		return 0;
	(void)prctl(PR_GET_PDEATHSIG, &sig, 0, 0, 0);
	if (plan->confine.drop_caps && drop_bounding(plan, ds) < 0)
		return -1;
	if (plan->confine.take_ids && !plan->facts->ids.same && set_ids(plan, ds) < 0)
		return -1;
	if (plan->confine.drop_caps && set_caps(plan, ds) < 0)
		return -1;
	if (sig != 0 && prctl(PR_SET_PDEATHSIG, sig, 0, 0, 0) < 0)
		return id_failed("prctl(PR_SET_PDEATHSIG)", errno, ds);
	if (sig != 0 && getppid() != parent)
		(void)raise(sig);
	return 0;
}
