/*
 * beside.c - the confinement of a process of ours that stays beside QEMU
 *
 * Such a process was forked from the launcher: it has the caller's ids and capabilities, and a QEMU
 * of the same ids could write into its memory, and so do what QEMU itself may not. So it gives up
 * what it does not need before QEMU is started, and asks the kernel whether that is so.
 *
 * To end another process one needs its user id or CAP_KILL. passt that root starts becomes another
 * user (nobody): its keeper becomes the same one.
 */
#include "config.h"

#include "act/beside.h"

#include <errno.h>
#include <grp.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <linux/capability.h>

#include "base/bounds.h"
#include "base/capnames.h"
#include "seccomp/filter.h"
#include "sys/caps.h"
#include "sys/coverage.h"
#include "sys/fd.h"
#include "sys/status.h"

/* Who this process is to be. */
struct owner {
	uid_t uid;
	gid_t gid;
	bool take;		/* it is not so yet, or groups are left */
};

static int fault(struct beside_fault *ret, const char *call, int err)
{
	ret->err = err;
	(void)snprintf(ret->call, sizeof(ret->call), "%s", call);
	return -1;
}

/* Without CAP_SETUID neither this process nor its child can have become another user. */
static int find_owner(pid_t child, const struct caps *caps, struct owner *ret,
		      struct beside_fault *bad)
{
	struct proc_status status;
	AUTO_FD fd = -1;
	int err;

	*ret = (struct owner){ .uid = getuid(), .gid = getgid() };
	if (!(caps->effective & CAP_BIT(CAP_SETUID)))
		return 0;
	fd = status_open_of(child);
	err = fd < 0 ? errno : status_read(fd, &status);
	if (err != 0)
		return fault(bad, "/proc/PID/status", err);
	*ret = (struct owner){ .uid = status.uid[0], .gid = status.gid[0], .take = true };
	return 0;
}

static int take_ids(const struct owner *owner, struct beside_fault *bad)
{
	if (!owner->take)
		return 0;
	/* EPERM: a user namespace where groups may not be given up; no file will be opened */
	if (getgroups(0, NULL) > 0 && setgroups(0, NULL) < 0 && errno != EPERM)
		return fault(bad, "setgroups", errno);
	if (setresgid(owner->gid, owner->gid, owner->gid) < 0)
		return fault(bad, "setresgid", errno);
	if (setresuid(owner->uid, owner->uid, owner->uid) < 0)
		return fault(bad, "setresuid", errno);
	return 0;
}

static int drop(const struct caps *caps, const struct owner *owner, struct beside_fault *bad)
{
	static const struct caps none = { 0 };
	int err = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return fault(bad, "prctl(PR_SET_NO_NEW_PRIVS)", errno);
	if (caps->effective & CAP_BIT(CAP_SETPCAP))
		err = caps_drop_bounding(UINT64_MAX);
	if (err != 0)
		return fault(bad, "prctl(PR_CAPBSET_DROP)", err);
	if (take_ids(owner, bad) < 0)
		return -1;
	err = caps_clear_ambient();
	if (err != 0)
		return fault(bad, "prctl(PR_CAP_AMBIENT)", err);
	err = caps_set(&none);
	if (err != 0)
		return fault(bad, "capset", err);
	/* last: a change of ids makes a process what fs.suid_dumpable says (kernel/cred.c) */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return fault(bad, "prctl(PR_SET_DUMPABLE)", errno);
	return 0;
}

/* What the kernel has, not what was asked of it. */
static bool in_force(const struct owner *owner)
{
	struct proc_status st;
	AUTO_FD fd = status_open();

	if ((fd >= 0 ? status_read(fd, &st) : status_by_calls(&st)) != 0)
		return false;
	for (unsigned i = 0; i < ARRAY_LEN(st.uid); i++)
		if (st.uid[i] != owner->uid || st.gid[i] != owner->gid)
			return false;
	return (st.permitted | st.effective | st.inheritable | st.ambient) == 0 &&
	       st.no_new_privs && prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0;
}

int beside_confine(pid_t child, struct beside_fault *ret)
{
	struct sock_filter prog[FILTER_KEEPER_MAX];
	const int len = filter_get_keeper((uint32_t)child, prog, ARRAY_LEN(prog));
	struct owner owner;
	struct caps caps;
	const int err = caps_get(&caps);

	*ret = (struct beside_fault){ 0 };
	if (err != 0)
		return fault(ret, "capget", err);
	if (find_owner(child, &caps, &owner, ret) < 0 || drop(&caps, &owner, ret) < 0)
		return -1;
	if (!in_force(&owner))
		return fault(ret, "/proc/self/status", 0);
	coverage_save();
	return filter_load(prog, (size_t)len, false) == 0 ? 0 : fault(ret, "seccomp", errno);
}
