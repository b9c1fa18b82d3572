/*
 * probe.c - gather facts
 *
 * Never:  opens a device (an open of /dev/tapN attaches a queue, one of /dev/vhost-net loads a
 *         module), lists /proc/self/fd (an AppArmor profile may forbid it), or asks for all links.
 *
 * access(2) is asked besides stat(2): like stat it has no effect on the device, and unlike a
 * comparison of mode bits with our ids it knows access lists and capabilities, so a refusal is certain.
 */
#include "config.h"

#include "look/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <linux/capability.h>

#include "mode/mode.h"
#include "plan/layout.h"
#include "act/cgroup.h"
#include "sys/fd.h"
#include "act/ids.h"
#include "look/link.h"
#include "act/lock.h"
#include "desc/netopts.h"
#include "look/qemuver.h"
#include "sys/readfile.h"

/* --- nodes and programs ------------------------------------------------------------------------- */

struct node probe_node(const char *path)
{
	struct node ret = { .path = path };
	struct stat st;

	if (stat(path, &st) < 0) {
		ret.err = errno;
		return ret;
	}
	ret.is_chr = S_ISCHR(st.st_mode);
	ret.mode = st.st_mode & 07777;
	ret.uid = st.st_uid;
	ret.gid = st.st_gid;
	ret.major = major(st.st_rdev);
	ret.minor = minor(st.st_rdev);
	if (ret.is_chr && faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) < 0)
		ret.access_err = errno;
	return ret;
}

static bool is_script(const char *path)
{
	char start[3];

	return readfile_once(path, start, sizeof(start)) == 0 && start[0] == '#' && start[1] == '!';
}

static struct program program_stat(const char *path)
{
	struct program ret = { .path = path };
	struct stat st;

	if (stat(path, &st) < 0) {
		ret.err = errno;
		return ret;
	}
	ret.regular = S_ISREG(st.st_mode);
	ret.setuid_root = (st.st_mode & S_ISUID) && st.st_uid == 0;
	ret.dev = st.st_dev;
	ret.ino = st.st_ino;
	if (faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0)
		ret.access_err = errno;
	return ret;
}

static struct program program_probe(const char *path)
{
	struct program ret = program_stat(path);

	ret.script = ret.regular && is_script(path);
	return ret;
}

/* A socket to connect to (want: S_IFSOCK), a directory to make files in, or a file. */
static struct spot spot_probe(const char *path, mode_t want)
{
	struct spot ret = { .path = path };
	struct stat st;

	if (stat(path, &st) < 0) {
		ret.err = errno;
		return ret;
	}
	ret.right_kind = (st.st_mode & S_IFMT) == want;
	if (faccessat(AT_FDCWD, path, want == S_IFDIR ? W_OK | X_OK : W_OK, AT_EACCESS) < 0)
		ret.access_err = errno;
	return ret;
}

static struct program passt_probe(const struct nic *nic)
{
	static const char *const places[] = { "/usr/bin/passt", "/usr/local/bin/passt" };
	const char *path = netopts_get(nic, "path");

	for (unsigned i = 0; i < ARRAY_LEN(places) && !path; i++)
		path = access(places[i], F_OK) == 0 ? places[i] : NULL;
	return program_stat(path ? path : places[0]);
}

/* --- sysfs ---------------------------------------------------------------------------------------- */

static int sysfs_number(struct sysfs *ret, const char *file, unsigned *number)
{
	char text[32];

	ret->file = file;
	ret->err = readfile_once(file, text, sizeof(text));
	if (ret->err == 0)
		*number = (unsigned)strtoul(text, NULL, 10);
	return ret->err;
}

static int sysfs_mac(struct sysfs *ret, const char *file)
{
	char text[32];

	ret->file = file;
	ret->err = readfile_once(file, text, sizeof(text));
	text[ret->err == 0 ? strcspn(text, "\n") : 0] = '\0';
	if (ret->err == 0 && !mac_parse(text, &ret->mac))
		ret->err = EINVAL;
	return ret->err;
}

static int sysfs_dev(struct sysfs *ret, const char *file)
{
	char text[32], *colon;

	ret->file = file;
	ret->err = readfile_once(file, text, sizeof(text));
	if (ret->err != 0)
		return ret->err;
	ret->dev.major = (unsigned)strtoul(text, &colon, 10);
	if (*colon != ':')
		return ret->err = EINVAL;
	ret->dev.minor = (unsigned)strtoul(colon + 1, NULL, 10);
	return 0;
}

/*
 * The link's name has passed the kernel's rule for names, and it came from the kernel. A macvtap's device
 * is named after its ifindex (drivers/net/macvtap.c): where tapN is below a link, N is the link's. Only
 * where it is not is the ifindex read, to say which one there is.
 */
static struct sysfs sysfs_probe(struct arena *mem, const struct link *link)
{
	const char *address = arena_printf(mem, "/sys/class/net/%s/address", link->name);
	const char *dev = arena_printf(mem, "/sys/class/net/%s/tap%u/dev", link->name, link->ifindex);
	struct sysfs ret = { .ifindex = link->ifindex };

	if (sysfs_dev(&ret, dev) == 0) {
		(void)sysfs_mac(&ret, address);
		return ret;
	}
	ret = (struct sysfs){ 0 };
	if (sysfs_number(&ret, arena_printf(mem, "/sys/class/net/%s/ifindex", link->name), &ret.ifindex) == 0 &&
	    sysfs_mac(&ret, address) == 0)
		(void)sysfs_dev(&ret, dev);
	return ret;
}

/* --- the access list of qemu-bridge-helper -------------------------------------------------------- */

enum { ACL_DEPTH = 8, ACL_SIZE = 64 * 1024 };

/* What all rules together say: any deny that matches wins (qemu-bridge-helper.c, main). */
struct acl_state {
	const char *bridge;
	bool allowed, denied;
};

static int acl_read(struct arena *mem, const char *file, struct acl_state *acl, unsigned depth);

static void acl_line(struct arena *mem, char *line, struct acl_state *acl, unsigned depth)
{
	char *save, *verb = strtok_r(line, " \t\r\n", &save), *arg = verb ? strtok_r(NULL, " \t\r\n", &save) : NULL;

	if (!verb || verb[0] == '#' || !arg)
		return;
	if (strcmp(verb, "include") == 0) {
		/* the helper, too, goes on when an included file cannot be read */
		(void)acl_read(mem, arg, acl, depth + 1);
		return;
	}
	if (strcmp(arg, "all") != 0 && strcmp(arg, acl->bridge) != 0)
		return;
	acl->allowed |= strcmp(verb, "allow") == 0;
	acl->denied |= strcmp(verb, "deny") == 0;
}

static int acl_read(struct arena *mem, const char *file, struct acl_state *acl, unsigned depth)
{
	char *text = arena_get(mem, ACL_SIZE);
	int err = depth < ACL_DEPTH ? readfile(file, text, ACL_SIZE) : ELOOP;

	for (char *save = NULL, *line = err == 0 ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		acl_line(mem, line, acl, depth);
	return err;
}

static void acl_probe(struct arena *mem, const struct nic *nic, struct nic_facts *ret)
{
	struct acl_state acl = { .bridge = nic->bridge };

	/* a helper of the caller's choice may have been built with another file */
	if (nic->helper) {
		ret->acl = ACL_UNKNOWN;
		return;
	}
	ret->acl_file = BRIDGE_CONF;
	ret->acl_err = acl_read(mem, BRIDGE_CONF, &acl, 0);
	if (ret->acl_err != 0)
		ret->acl = ret->acl_err == ENOENT ? ACL_MISSING : ACL_UNREADABLE;
	else
		ret->acl = acl.allowed && !acl.denied ? ACL_ALLOWED : ACL_DENIED;
}

static struct program helper_probe(const struct nic *nic)
{
	static const char *const places[] = {
		"/usr/lib/qemu/qemu-bridge-helper",		/* Debian, Ubuntu */
		"/usr/libexec/qemu-bridge-helper",		/* Fedora, openSUSE */
		"/usr/local/libexec/qemu-bridge-helper",	/* QEMU's own default */
	};
	struct program ret;

	if (nic->helper)
		return program_probe(nic->helper);
	for (unsigned i = 0; i < ARRAY_LEN(places); i++) {
		ret = program_probe(places[i]);
		if (ret.err == 0)
			return ret;
	}
	return program_probe(places[0]);
}

void probe_helper(const struct nic *nic, struct arena *mem, struct nic_facts *ret)
{
	ret->helper = helper_probe(nic);
	acl_probe(mem, nic, ret);
}

/* --- descriptor numbers --------------------------------------------------------------------------- */

static bool fd_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static void free_fds(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	const unsigned want = layout_slots_max(desc);
	int *list = arena_array(mem, want, sizeof(*list));

	for (int fd = (int)desc->fd_base; fd < FD_MAX && ret->n_free < want; fd++)
		if (!fd_open(fd))
			list[ret->n_free++] = fd;
	ret->free_fds = list;
}

static const bool *pins_open(struct arena *mem, const struct pins *pins)
{
	bool *ret = arena_array(mem, pins->n, sizeof(*ret));

	for (unsigned i = 0; i < pins->n; i++)
		ret[i] = fd_open(pins->list[i]);
	return ret;
}

/* --- this process ----------------------------------------------------------------------------------- */

static void probe_ids(struct arena *mem, struct facts *ret)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2] = { 0 };
	const int n = getgroups(0, NULL);
	gid_t *groups = arena_array(mem, n > 0 ? (size_t)n : 0, sizeof(*groups));

	ret->uid = geteuid();
	ret->gid = getegid();
	if (n > 0 && getgroups(n, groups) == n) {
		ret->groups = groups;
		ret->n_groups = (unsigned)n;
	}
	if (syscall(SYS_capget, &head, caps) == 0)
		ret->net_admin = (caps[0].effective & 1U << CAP_NET_ADMIN) != 0;
	ret->no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
}

static void probe_self(struct facts *ret)
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
		return diag_add(ds, DIAG_CALL_FAILED, errno, NULL, "getrlimit", "RLIMIT_NOFILE cannot be known");
	ret->nofile_soft = limit.rlim_cur;
	ret->nofile_hard = limit.rlim_max;
	return 0;
}

/* --- NICs --------------------------------------------------------------------------------------------- */

static unsigned needs_of(const struct nic *nic)
{
	const struct mode_row *row = mode_row(nic->mode);

	return row->vhost_if_asked && nic->vhost != CHOICE_ON ? row->needs & ~(unsigned)NEEDS_VHOST_NET : row->needs;
}

static void nic_links(struct mnl_socket *nl, const struct nic *nic, struct nic_facts *ret)
{
	link_get(nl, nic->bridge ? nic->bridge : nic->ifname, nic->ifindex, &ret->link);
	if (nic->expect.master)
		link_get(nl, nic->expect.master, 0, &ret->master);
	if (nic->expect.lower)
		link_get(nl, nic->expect.lower, 0, &ret->lower);
}

static int probe_links(const struct desc *desc, struct facts *ret, struct diags *ds)
{
	struct mnl_socket *nl = NULL;

	for (unsigned i = 0; i < desc->n_nics; i++) {
		if (!(needs_of(&desc->nics[i]) & NEEDS_LINK))
			continue;
		nl = nl ? nl : link_open();
		if (!nl)
			return diag_add(ds, DIAG_NETLINK_FAILED, errno, desc->nics[i].at, "rtnetlink",
					"no socket to ask for links on");
		nic_links(nl, &desc->nics[i], &ret->nics[i]);
	}
	if (nl)
		link_close(nl);
	return 0;
}

static void probe_nic(const struct nic *nic, struct arena *mem, struct nic_facts *ret)
{
	const struct mode_row *row = mode_row(nic->mode);
	const unsigned needs = needs_of(nic);

	if ((needs & NEEDS_SYSFS) && ret->link.err == 0)
		ret->sysfs = sysfs_probe(mem, &ret->link);
	if (row->node && ret->link.err == 0)
		ret->node = probe_node(row->node(nic, &ret->link, mem));
	if (row->socket)
		ret->socket = spot_probe(row->socket(nic), S_IFSOCK);
	if (needs & NEEDS_HELPER)
		probe_helper(nic, mem, ret);
	if ((needs & NEEDS_PASST) && !nic->native)
		ret->passt = passt_probe(nic);
}

static void probe_nodes(const struct desc *desc, struct facts *ret)
{
	unsigned needs = 0;

	for (unsigned i = 0; i < desc->n_nics; i++)
		needs |= needs_of(&desc->nics[i]);
	ret->vhost_net = needs & NEEDS_VHOST_NET ? probe_node("/dev/vhost-net") : (struct node){ 0 };
	ret->tun = needs & NEEDS_TUN ? probe_node("/dev/net/tun") : (struct node){ 0 };
	if (needs & NEEDS_VERSION)
		ret->qemu_version = qemuver_probe(ret->qemu.path);
	if (needs & NEEDS_PASST)
		ret->runtime_dir = spot_probe(desc->runtime_dir, S_IFDIR);
	if (desc->cid != 0)
		ret->vhost_vsock = probe_node("/dev/vhost-vsock");
}

static void probe_report(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	const char *path = desc->report_path;

	ret->report_open = desc->report_fd >= 0 && fd_open(desc->report_fd);
	if (!path)
		return;
	ret->report_dir = spot_probe(arena_strn(mem, path, (size_t)(strrchr(path, '/') - path) + 1), S_IFDIR);
	ret->report = spot_probe(path, S_IFREG);
}

void probe_qemu(const char *qemu, struct program *ret, struct facts *ret_self)
{
	*ret = program_stat(qemu);
	probe_self(ret_self);
}

int probe_facts(const struct desc *desc, const char *qemu, struct arena *mem, struct facts *ret, struct diags *ds)
{
	struct facts facts = { 0 };

	facts.nics = arena_array(mem, desc->n_nics, sizeof(*facts.nics));
	/* first of all, while nothing of ours is open */
	free_fds(desc, mem, &facts);
	for (unsigned i = 0; i < desc->n_nics; i++) {
		facts.nics[i].pin_open = pins_open(mem, &desc->nics[i].fds);
		facts.nics[i].vhost_pin_open = pins_open(mem, &desc->nics[i].vhostfds);
	}
	probe_report(desc, mem, &facts);
	probe_ids(mem, &facts);
	probe_self(&facts);
	probe_kernel(&facts);
	facts.qemu = program_probe(qemu);
	if (probe_limits(&facts, ds) < 0 || probe_links(desc, &facts, ds) < 0)
		return -1;
	for (unsigned i = 0; i < desc->n_nics; i++)
		probe_nic(&desc->nics[i], mem, &facts.nics[i]);
	probe_nodes(desc, &facts);
	cgroup_probe(desc, mem, &facts);
	ids_probe(desc, mem, &facts);
	lock_probe(desc, mem, &facts);
	*ret = facts;
	return 0;
}

void probe_vhost_failed(struct facts *facts, int err)
{
	facts->vhost_net.access_err = err;
}
