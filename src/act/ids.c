/*
 * ids.c - the ids that QEMU is to run with
 *
 * Taken when the devices are open: QEMU needs no right to open any of them. A change of ids clears the
 * parent-death signal (kernel/cred.c, commit_creds), which a manager relies on: it is set again, and
 * a parent that died meanwhile is noticed.
 */
#include "config.h"

#include "act/ids.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/capability.h>

/* --- looking up -------------------------------------------------------------------------------------- */

static bool unknown(struct ids_facts *ids, struct arena *mem, const struct id_wish *wish, const char *key, int err)
{
	ids->unknown = wish->name ? wish->name : arena_printf(mem, "%u", wish->id);
	ids->unknown_key = key;
	ids->err = err;
	return false;
}

static bool find_user(const struct desc *desc, struct arena *mem, struct ids_facts *ids)
{
	const struct id_wish *wish = &desc->user;
	const struct passwd *pw = NULL;

	if (!wish->given)
		return true;
	ids->uid = wish->id;
	if (wish->name || !desc->group.given) {
		errno = 0;
		pw = wish->name ? getpwnam(wish->name) : getpwuid(wish->id);
		if (!pw && wish->name)
			return unknown(ids, mem, wish, "user", errno);
	}
	if (pw) {
		ids->uid = pw->pw_uid;
		ids->gid = pw->pw_gid;
	} else if (!desc->group.given) {
		return unknown(ids, mem, wish, "group", errno);
	}
	return true;
}

static bool find_group(const struct id_wish *wish, const char *key, struct arena *mem, struct ids_facts *ids, unsigned *ret)
{
	const struct group *gr;

	if (!wish->given)
		return true;
	*ret = wish->id;
	if (!wish->name)
		return true;
	errno = 0;
	gr = getgrnam(wish->name);
	if (!gr)
		return unknown(ids, mem, wish, key, errno);
	*ret = gr->gr_gid;
	return true;
}

static bool same_groups(const struct facts *facts, const struct ids_facts *ids)
{
	if (facts->n_groups != ids->n_groups)
		return false;
	for (unsigned i = 0; i < ids->n_groups; i++) {
		unsigned j = 0;

		while (j < facts->n_groups && facts->groups[j] != ids->groups[i])
			j++;
		if (j == facts->n_groups)
			return false;
	}
	return true;
}

/* Effective capabilities below 32, which ours all are. */
static unsigned effective_caps(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2] = { 0 };

	return syscall(SYS_capget, &head, caps) == 0 ? caps[0].effective : 0;
}

void ids_probe(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	const unsigned take = 1U << CAP_SETUID | 1U << CAP_SETGID;
	struct ids_facts ids = { .wanted = desc->user.given || desc->group.given || desc->has_groups,
				 .uid = ret->uid, .gid = ret->gid };
	unsigned *groups;
	bool known;

	if (!ids.wanted)
		return;
	groups = arena_array(mem, desc->n_groups, sizeof(*groups));
	known = find_user(desc, mem, &ids) && find_group(&desc->group, "group", mem, &ids, &ids.gid);
	for (unsigned i = 0; known && i < desc->n_groups; i++)
		known = find_group(&desc->groups[i], "groups", mem, &ids, &groups[i]);
	ids.groups = groups;
	ids.n_groups = desc->n_groups;
	/* who has the privilege to do nothing may: supplementary groups stay when nobody named any */
	if (!desc->has_groups && ids.uid == ret->uid && ids.gid == ret->gid) {
		ids.groups = ret->groups;
		ids.n_groups = ret->n_groups;
	}
	ids.same = known && ids.uid == ret->uid && ids.gid == ret->gid && same_groups(ret, &ids);
	ids.can_take = (effective_caps() & take) == take;
	ret->ids = ids;
}

/* --- taking -------------------------------------------------------------------------------------------- */

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
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct none[2] = { 0 };

	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL)
		return failed("prctl(PR_CAP_AMBIENT)", errno, ds);
	return syscall(SYS_capset, &head, none) < 0 ? failed("capset", errno, ds) : 0;
}

static int verify(const struct ids_facts *ids, struct diags *ds)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2] = { 0 };
	uid_t ruid, euid, suid;
	gid_t rgid, egid, sgid;
	bool good;

	good = getresuid(&ruid, &euid, &suid) == 0 && ruid == ids->uid && euid == ids->uid && suid == ids->uid &&
	       getresgid(&rgid, &egid, &sgid) == 0 && rgid == ids->gid && egid == ids->gid && sgid == ids->gid &&
	       syscall(SYS_capget, &head, caps) == 0 && getgroups(0, NULL) == (int)ids->n_groups;
	for (unsigned i = 0; i < 2; i++)
		good = good && (caps[i].effective | caps[i].permitted | caps[i].inheritable) == 0;
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
