/*
 * process.c - examine this process: its ids, limits and descriptors, its file, and the running
 * kernel
 *
 * Never: lists /proc/self/fd, which an AppArmor profile may forbid.
 */
#include "config.h"

#include "look/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <linux/capability.h>

#include "base/capnames.h"
#include "desc/fd_uses.h"
#include "plan/layout.h"
#include "sys/fd.h"
#include "sys/readfile.h"
#include "sys/status.h"

/* --- descriptor numbers ----------------------------------------------------------------------- */

bool process_fd_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static void free_fds(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	const unsigned want = layout_slots_max(desc);
	int *list = arena_array(mem, want, sizeof(*list));

	for (int fd = (int)desc->fd_base; fd < FD_MAX && ret->n_free < want; fd++)
		if (!process_fd_open(fd))
			list[ret->n_free++] = fd;
	ret->free_fds = list;
}

static const bool *pins_open(struct arena *mem, const struct pins *pins)
{
	bool *ret = arena_array(mem, pins->n, sizeof(*ret));

	for (unsigned i = 0; i < pins->n; i++)
		ret[i] = process_fd_open(pins->list[i]);
	return ret;
}

static const bool *uses_open(struct arena *mem, const struct desc *desc)
{
	bool *ret = arena_array(mem, desc->n_fd_uses, sizeof(*ret));

	for (unsigned i = 0; i < desc->n_fd_uses; i++)
		ret[i] = process_fd_open(desc->fd_uses[i].fd);
	return ret;
}

void process_numbers(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	ret->use_open = uses_open(mem, desc);
	free_fds(desc, mem, ret);
	for (unsigned i = 0; i < desc->n_nics; i++) {
		ret->nics[i].pin_open = pins_open(mem, &desc->nics[i].fds);
		ret->nics[i].vhost_pin_open = pins_open(mem, &desc->nics[i].vhostfds);
	}
}

/* --- ids, limits, its file -------------------------------------------------------------------- */

static void probe_ids(struct arena *mem, struct facts *ret)
{
	AUTO_FD fd = status_open();
	struct proc_status status;
	const int n = getgroups(0, NULL);
	gid_t *groups = arena_array(mem, n > 0 ? (size_t)n : 0, sizeof(*groups));

	ret->uid = geteuid();
	ret->gid = getegid();
	if (n > 0 && getgroups(n, groups) == n) {
		ret->groups = groups;
		ret->n_groups = (unsigned)n;
	}
	(void)(fd >= 0 && status_read(fd, &status) == 0 ? 0 : status_by_calls(&status));
	ret->caps = (struct cap_facts){
		.effective = status.effective,
		.permitted = status.permitted,
		.inheritable = status.inheritable,
		.ambient = status.ambient,
		.bounding = status.bounding,
	};
	ret->net_admin = (ret->caps.effective & CAP_BIT(CAP_NET_ADMIN)) != 0;
	ret->no_new_privs = status.no_new_privs != 0;
	ret->filters = status.filters;
}

/*
 * The controlling terminal's device number in /proc/self/stat (fs/proc/array.c), which is 0 where
 * there is none; false if that cannot be read. The name before it may have blanks and brackets.
 */
static bool no_controlling_terminal(void)
{
	enum { BEFORE = 5 };		/* state, parent, group, session; and the blank after ')' */
	char stat[512], *at;

	if (readfile_kernel_once("/proc/self/stat", stat, sizeof(stat)) != 0)
		return false;
	at = strrchr(stat, ')');
	for (unsigned i = 0; at && i < BEFORE; i++) {
		at = strchr(at, ' ');
		at += at != NULL;
	}
	return at && at[0] == '0' && at[1] == ' ';
}

static bool probe_terminal(void)
{
	struct stat st;

	for (int fd = 0; fd <= 2; fd++)
		if (fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && isatty(fd))
			return true;
	return !no_controlling_terminal();
}

void process_self(struct facts *ret)
{
	struct stat st;

	if (stat("/proc/self/exe", &st) < 0 && stat((const char *)getauxval(AT_EXECFN), &st) < 0)
		return;
	ret->self_dev = st.st_dev;
	ret->self_ino = st.st_ino;
}

static void probe_kernel(struct facts *ret)
{
	struct utsname uts;
	char *dot;

	if (uname(&uts) < 0)
		return;
	ret->kernel_major = (unsigned)strtoul(uts.release, &dot, 10);
	if (*dot == '.')
		ret->kernel_minor = (unsigned)strtoul(dot + 1, NULL, 10);
}

static int probe_limits(struct facts *ret, struct diags *ds)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return diag_add(ds, DIAG_CALL_FAILED, errno, NULL, "getrlimit",
				"RLIMIT_NOFILE cannot be read");
	ret->nofile_soft = limit.rlim_cur;
	ret->nofile_hard = limit.rlim_max;
	return 0;
}

int process_probe(struct arena *mem, struct facts *ret, struct diags *ds)
{
	probe_ids(mem, ret);
	process_self(ret);
	probe_kernel(ret);
	ret->terminal = probe_terminal();
	return probe_limits(ret, ds);
}

int process_refuse_set_id(struct diags *ds)
{
	uid_t ruid, euid, suid;
	gid_t rgid, egid, sgid;

	(void)getresuid(&ruid, &euid, &suid);
	(void)getresgid(&rgid, &egid, &sgid);
	if (getauxval(AT_SECURE) == 0 && ruid == euid && euid == suid && rgid == egid &&
	    egid == sgid)
		return 0;
	(void)diag_add(ds, DIAG_SET_ID, 0, NULL, NULL,
		       "started with more privilege than its caller has (uid %u, effective %u): "
		       "set-id bits or file capabilities",
		       (unsigned)ruid, (unsigned)euid);
	diag_hint(ds, "remove them, so that this program runs with its caller's own ids");
	return -1;
}
