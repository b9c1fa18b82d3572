/*
 * ids.c - take the ids that QEMU is to run with
 *
 * They are taken when the devices are open: QEMU needs no right to open any of them. A change of ids clears the
 * parent-death signal (kernel/cred.c, commit_creds), which a manager relies on: it is set again, and
 * a parent that died meanwhile is noticed.
 */
#include "config.h"

#include "act/ids.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "sys/caps.h"

static int failed(const char *call, int err, struct diags *ds)
{
	return diag_add(ds, DIAG_ID_FAILED, err, KEY(NULL, "user"), call, "the ids could not be taken");
}

/* Nothing may come back through a set-uid program either: before the uid goes, while it is allowed. */
static int drop_bounding(struct diags *ds)
{
	for (int cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0 && errno != EPERM)
			return failed("prctl(PR_CAPBSET_DROP)", errno, ds);
	return 0;
}

static int set_ids(const struct ids_facts *ids, struct diags *ds)
{
	if (prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0) < 0)
		return failed("prctl(PR_SET_KEEPCAPS)", errno, ds);
	if (setgroups(ids->n_groups, ids->groups) < 0)
		return failed("setgroups", errno, ds);
	if (setresgid(ids->gid, ids->gid, ids->gid) < 0)
		return failed("setresgid", errno, ds);
	if (setresuid(ids->uid, ids->uid, ids->uid) < 0)
		return failed("setresuid", errno, ds);
	return 0;
}

/* Inheritable and ambient sets too, which a change of uid leaves. */
static int drop_caps(struct diags *ds)
{
	int err;

	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL)
		return failed("prctl(PR_CAP_AMBIENT)", errno, ds);
	err = caps_drop();
	return err ? failed("capset", err, ds) : 0;
}

static int verify(const struct ids_facts *ids, struct diags *ds)
{
	struct caps caps;
	uid_t ruid, euid, suid;
	gid_t rgid, egid, sgid;
	bool good;

	good = getresuid(&ruid, &euid, &suid) == 0 && ruid == ids->uid && euid == ids->uid && suid == ids->uid &&
	       getresgid(&rgid, &egid, &sgid) == 0 && rgid == ids->gid && egid == ids->gid && sgid == ids->gid &&
	       caps_get(&caps) == 0 && (caps.effective | caps.permitted | caps.inheritable) == 0 &&
	       getgroups(0, NULL) == (int)ids->n_groups;
	return good ? 0 : failed("getresuid, getresgid, getgroups, capget", 0, ds);
}

int ids_take(const struct plan *plan, struct diags *ds)
{
	const struct ids_facts *ids = &plan->facts->ids;
	const pid_t parent = getppid();
	int sig = 0;

	if (!plan->confine.take_ids)
		return 0;
	(void)prctl(PR_GET_PDEATHSIG, &sig, 0, 0, 0);
	if (!ids->same && (drop_bounding(ds) < 0 || set_ids(ids, ds) < 0))
		return -1;
	if (drop_caps(ds) < 0 || verify(ids, ds) < 0)
		return -1;
	if (sig != 0 && prctl(PR_SET_PDEATHSIG, sig, 0, 0, 0) < 0)
		return failed("prctl(PR_SET_PDEATHSIG)", errno, ds);
	if (sig != 0 && getppid() != parent)
		(void)raise(sig);
	return 0;
}
