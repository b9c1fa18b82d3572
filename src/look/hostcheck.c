/*
 * hostcheck.c - what this host has for a launch by these ids
 */
#include "config.h"

#include "look/hostcheck.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <linux/magic.h>

#include "facts/node.h"
#include "look/choose.h"
#include "look/confinement.h"
#include "look/files.h"
#include "look/helper.h"
#include "look/qemuver.h"
#include "sys/readfile.h"
#include "base/str.h"

enum { ROWS_MAX = 24 };

struct rows {
	struct arena *mem;
	struct host_row list[ROWS_MAX];
	unsigned n;
};

static void add(struct rows *rows, const char *what, bool ok, const char *detail)
{
	rows->list[rows->n++] = (struct host_row){ what, ok, detail };
}

/* --- QEMU ------------------------------------------------------------------------------------- */

static void row_program(struct rows *rows, const char *what, const char *path, const char *extra)
{
	const struct program file = files_program(path);

	if (file.err != 0)
		add(rows, what, false,
		    arena_printf(rows->mem, "%s: %s", path, strerrordesc_np(file.err)));
	else if (!file.regular || file.access_err != 0)
		add(rows, what, false,
		    arena_printf(rows->mem, "%s: these ids may not execute it", path));
	else
		add(rows, what, true,
		    extra ? arena_printf(rows->mem, "%s, %s", path, extra) : path);
}

/* --- nodes ------------------------------------------------------------------------------------ */

static void row_node(struct rows *rows, const char *path, unsigned minor)
{
	const struct node node = files_node(path);
	const char *trouble = node_trouble(rows->mem, &node,
					   (struct device_number){ MISC_MAJOR, minor });

	if (node.err != 0)
		add(rows, path, false, strerrordesc_np(node.err));
	else if (trouble)
		add(rows, path, false,
		    arena_printf(rows->mem, "%u:%u mode %04o owner %u:%u: %s", node.major,
				 node.minor, node.mode, node.uid, node.gid,
				 trouble + strlen(path) + 2));
	else
		add(rows, path, true,
		    arena_printf(rows->mem, "%u:%u mode %04o owner %u:%u, these ids may open it",
				 node.major, node.minor, node.mode, node.uid, node.gid));
}

/* --- the kernel ------------------------------------------------------------------------------- */

static void row_kernel(struct rows *rows)
{
	struct utsname uts;

	if (uname(&uts) < 0)
		add(rows, "kernel", false, strerrordesc_np(errno));
	else
		add(rows, "kernel", true, arena_str(rows->mem, uts.release));
}

static bool mounted(const char *path, long magic)
{
	struct statfs fs;

	return statfs(path, &fs) == 0 && fs.f_type == magic;
}

static void row_cgroup(struct rows *rows)
{
	const bool v2 = mounted("/sys/fs/cgroup", CGROUP2_SUPER_MAGIC);
	const bool unified = mounted("/sys/fs/cgroup/unified", CGROUP2_SUPER_MAGIC);
	const bool v1 = mounted("/sys/fs/cgroup/cpu", CGROUP_SUPER_MAGIC) ||
			mounted("/sys/fs/cgroup/memory", CGROUP_SUPER_MAGIC) ||
			mounted("/sys/fs/cgroup/systemd", CGROUP_SUPER_MAGIC);

	add(rows, "cgroup", v2 || v1 || unified,
	    v2              ? "v2 on /sys/fs/cgroup"
	    : v1 && unified ? "v1 below /sys/fs/cgroup, v2 on /sys/fs/cgroup/unified"
	    : v1            ? "v1 below /sys/fs/cgroup"
	    : unified       ? "v2 on /sys/fs/cgroup/unified"
			    : "none mounted below /sys/fs/cgroup");
}

static void rows_confine(struct rows *rows)
{
	const struct desc desc = { .landlock = LANDLOCK_PREFERRED };
	struct facts facts = { 0 };
	char lsm[256];
	const int err = readfile_kernel("/sys/kernel/security/lsm", lsm, sizeof(lsm));

	confinement_probe(&desc, rows->mem, &facts);
	add(rows, "seccomp", facts.seccomp_err == 0,
	    facts.seccomp_err == 0 ? "filters can be loaded" : strerrordesc_np(facts.seccomp_err));
	add(rows, "landlock", facts.landlock_abi > 0,
	    facts.landlock_abi > 0 ? arena_printf(rows->mem, "ABI %d%s", facts.landlock_abi,
						  facts.landlock_abi >= 6 ? ", with scopes" : "")
				   : "not in this kernel, or not active");
	add(rows, "lsm", err == 0, err == 0 ? arena_strn(rows->mem, lsm, strcspn(lsm, "\n")) :
	    arena_printf(rows->mem, "/sys/kernel/security/lsm: %s", strerrordesc_np(err)));
}

/* --- the rest --------------------------------------------------------------------------------- */

static void rows_bridge(struct rows *rows)
{
	static const char *const states[] = {
		[ACL_DENIED] = "does not allow the bridge 'br0'",
		[ACL_ALLOWED] = "allows the bridge 'br0'",
		[ACL_MISSING] = "missing",
		[ACL_UNREADABLE] = "cannot be read",
		[ACL_BAD_LINE] = "has a line that the helper cannot read",
		[ACL_UNKNOWN] = "unknown",
	};
	const struct nic nic = { .bridge = "br0" };
	struct nic_facts nf = { 0 };
	bool privileged;

	helper_probe(&nic, rows->mem, &nf);
	privileged = nf.helper.setuid_root || nf.helper.net_admin || geteuid() == 0;
	if (nf.helper.err != 0)
		add(rows, "bridge helper", false, arena_printf(rows->mem, "%s: %s", nf.helper.path,
							       strerrordesc_np(nf.helper.err)));
	else
		add(rows, "bridge helper", privileged,
		    arena_printf(rows->mem, "%s, %s", nf.helper.path,
				 nf.helper.setuid_root ? "set-uid root"
				 : nf.helper.net_admin ? "with cap_net_admin on its file"
						       : "not set-uid: usable by root only"));
	add(rows, "bridge access", nf.acl.verdict == ACL_ALLOWED,
	    arena_printf(rows->mem, "%s: %s", nf.acl.list, states[nf.acl.verdict]));
}

/* The administrator's directory of descriptors. */
static void row_guests(struct rows *rows)
{
	struct diags *ds = arena_get(rows->mem, sizeof(*ds));
	bool ok;

	ds->mem = rows->mem;
	if (!choose_holds()) {
		add(rows, "guests", false, GUESTS_DIR "/: does not exist, so no drop-in needs it");
		return;
	}
	ok = choose_check(GUESTS_DIR "/", rows->mem, ds) == 0;
	add(rows, "guests", ok,
	    ok ? GUESTS_DIR "/: every drop-in's descriptor is from there"
	       : arena_printf(rows->mem, "%s: %s%s%s", ds->list[0].object, ds->list[0].message,
			      ds->list[0].err ? ": " : "",
			      ds->list[0].err ? strerrordesc_np(ds->list[0].err) : ""));
}

const struct host_row *hostcheck_rows(const char *qemu, struct arena *mem, unsigned *ret_n)
{
	struct rows *rows = arena_get(mem, sizeof(*rows));
	char version[QEMUVER_TEXT];
	const bool known = qemuver_text(qemu, version);

	rows->mem = mem;
	row_program(rows, "qemu", qemu, known ? version : "version not found in the file");
	row_kernel(rows);
	add(rows, "ids", true,
	    arena_printf(mem, "uid %u gid %u", (unsigned)geteuid(), (unsigned)getegid()));
	row_node(rows, "/dev/kvm", KVM_MINOR);
	row_node(rows, "/dev/vhost-net", VHOST_NET_MINOR);
	row_node(rows, "/dev/net/tun", TUN_MINOR);
	row_node(rows, "/dev/vhost-vsock", VHOST_VSOCK_MINOR);
	row_cgroup(rows);
	rows_confine(rows);
	rows_bridge(rows);
	row_program(rows, "passt", "/usr/bin/passt", NULL);
	row_guests(rows);
	*ret_n = rows->n;
	return rows->list;
}

struct view {
	const struct host_row *rows;
	unsigned n;
	bool json;
};

static void json_string(struct str *s, const char *key, const char *value)
{
	str_put(s, "\"%s\":\"", key);
	str_put_json(s, value);
	str_put(s, "\"");
}

static void render(struct str *s, const void *arg)
{
	const struct view *v = arg;

	for (unsigned i = 0; i < v->n; i++) {
		const struct host_row *row = &v->rows[i];

		if (v->json) {
			str_put(s, "{");
			json_string(s, "what", row->what);
			str_put(s, ",\"ok\":%s,", row->ok ? "true" : "false");
			json_string(s, "detail", row->detail);
			str_put(s, "}\n");
		} else {
			str_put(s, "%-16s %-3s  ", row->what, row->ok ? "yes" : "no");
			str_put_line(s, row->detail);
			str_put(s, "\n");
		}
	}
}

const char *hostcheck_text(const struct host_row *rows, unsigned n, bool json, struct arena *mem)
{
	const struct view view = { .rows = rows, .n = n, .json = json };

	return str_make(mem, render, &view);
}
