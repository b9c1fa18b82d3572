/*
 * test_confine.c - the rules of cgroup, ids, seccomp, Landlock and no_new_privs
 */
#include "config.h"

#include <stdio.h>

#include <linux/capability.h>
#include <linux/filter.h>

#include "base/capnames.h"
#include "host.h"

enum { WORDS_MAX = 6 };

typedef void change_fn(struct host *h);

#define CGROUP h->cgroups[0]
#define IDS h->facts.ids
#define CHANGE(name, ...) static void name(struct host *h) { __VA_ARGS__; }
CHANGE(cgroup,			h->facts.n_cgroups = 1; CGROUP = (struct cgroup_facts){ .path = "/c", .is_cgroup = true, .v2 = true })
CHANGE(two_cgroups,		cgroup(h); h->facts.n_cgroups = 2; h->cgroups[1] = (struct cgroup_facts){ .path = "/d", .err = ENOENT })
CHANGE(first_of_two,		two_cgroups(h); h->cgroups[0] = h->cgroups[1]; h->cgroups[1] = (struct cgroup_facts){ .path = "/c", .is_cgroup = true })
CHANGE(cgroup_missing,		cgroup(h); CGROUP.err = ENOENT)
CHANGE(cgroup_hidden,		cgroup_missing(h); CGROUP.hidden = true)
CHANGE(cgroup_denied,		cgroup(h); CGROUP.err = EACCES)
CHANGE(cgroup_self_hidden,	cgroup(h); CGROUP.self_err = EACCES)
CHANGE(cgroup_a_link,		cgroup(h); CGROUP.err = ELOOP)
CHANGE(cgroup_a_directory,	cgroup(h); CGROUP.is_cgroup = false)
CHANGE(cgroup_frozen,		cgroup(h); CGROUP.frozen = true)
CHANGE(cgroup_frozen_v1,	cgroup_frozen(h); CGROUP.v2 = false)
CHANGE(cgroup_threaded,		cgroup(h); CGROUP.threaded = true)
CHANGE(cgroup_inner,		cgroup(h); CGROUP.inner = true)
CHANGE(cgroup_cpuset,		cgroup(h); CGROUP.v2 = false; CGROUP.empty_cpuset = true)
CHANGE(cgroup_room_for_3,	cgroup(h); CGROUP.pids = (struct pids_limit){ .path = "/c/pids.max", .max = 10, .used = 7 })
CHANGE(cgroup_room_for_2,	cgroup_room_for_3(h); CGROUP.pids.used = 8)
CHANGE(cgroup_here,		cgroup(h); CGROUP.here = true; CGROUP.inner = true; CGROUP.access_err = EACCES)
CHANGE(cgroup_not_ours,		cgroup(h); CGROUP.access_err = EACCES; CGROUP.denied = "/c/cgroup.procs")
CHANGE(cgroup_v1_not_ours,	cgroup_not_ours(h); CGROUP.v2 = false)
CHANGE(ids,			IDS = (struct ids_facts){ .wanted = true, .uid = 64055, .gid = 993, .can_take = true })
CHANGE(ids_same,		ids(h); IDS.can_take = false; IDS.same = true)
CHANGE(ids_no_privilege,	ids(h); IDS.can_take = false)
CHANGE(ids_root,		ids(h); IDS.uid = 0)
CHANGE(ids_unknown,		ids(h); IDS.unknown = "nosuch"; IDS.unknown_key = "user")
CHANGE(ids_no_group,		ids(h); IDS.unknown = "4711"; IDS.unknown_key = "group")
CHANGE(ids_not_read,		ids(h); IDS.unknown = "u"; IDS.unknown_key = "user"; IDS.err = EIO)
CHANGE(no_seccomp,		h->facts.seccomp_err = EINVAL)
CHANGE(script,			h->facts.qemu.script = true)
CHANGE(no_landlock,		h->facts.landlock_abi = 0)
static const struct box_spot spots[] = {
	{ .path = "/usr/bin/qemu", .access = BOX_EXECUTE, .why = "QEMU" },
	{ .path = "/d", .access = BOX_READ, .index = 0, .dir = true },
	{ .path = "/w", .access = BOX_WRITE, .index = 0 },
	{ .path = "/w/d", .access = BOX_WRITE, .index = 1, .dir = true },
};
static const struct box_spot spots_missing[] = {
	{ .path = "/d", .access = BOX_READ, .index = 1, .err = ENOENT },
	{ .path = "/w", .access = BOX_WRITE, .index = 2, .err = EACCES },
};
static const struct box_spot spots_named[] = {
	{ .path = "/d", .access = BOX_WRITE, .why = "-hda", .named = true, .err = ENOENT },
};
static const struct box_spot spots_proc[] = { { .path = "/p", .access = BOX_READ, .in_proc = true } };
CHANGE(box,			h->facts.box = spots; h->facts.n_box = 4)
CHANGE(box_missing,		h->facts.box = spots_missing; h->facts.n_box = 2)
CHANGE(box_named,		h->facts.box = spots_named; h->facts.n_box = 1)
CHANGE(box_proc,		h->facts.box = spots_proc; h->facts.n_box = 1)
CHANGE(box_abi_1,		box(h); h->facts.landlock_abi = 1)
CHANGE(box_abi_2,		box(h); h->facts.landlock_abi = 2)
CHANGE(box_abi_3,		box(h); h->facts.landlock_abi = 3)
CHANGE(box_abi_5,		box(h); h->facts.landlock_abi = 5)
CHANGE(box_abi_9,		box(h); h->facts.landlock_abi = 9)
CHANGE(helper_by_root,		h->nics[0].helper.setuid_root = false; h->facts.net_admin = true; h->facts.caps.ambient = ~UINT64_C(0))
CHANGE(helper_by_file,		h->nics[0].helper.setuid_root = false; h->nics[0].helper.has_caps = h->nics[0].helper.net_admin = true)
CHANGE(bpf_missing,		h->facts.bpf.err = ENOENT)
CHANGE(bpf_empty,		h->facts.bpf.size = 0)
CHANGE(bpf_cut,			h->facts.bpf.size = 12; h->facts.bpf.len = 1)
CHANGE(bpf_long,		h->facts.bpf.len = 4097; h->facts.bpf.size = 4097 * sizeof(struct sock_filter))

static struct sock_filter allow_all[] = { { .code = BPF_RET | BPF_K, .k = 0x7fff0000 } };
static struct sock_filter deny_all[] = { { .code = BPF_RET | BPF_K, .k = 0x00050001 } };
static struct sock_filter no_return[] = { { .code = BPF_LD | BPF_W | BPF_ABS, .k = 0 } };
CHANGE(bpf_allows_all,		h->facts.bpf.prog = allow_all; h->facts.bpf.len = 1; h->facts.bpf.size = sizeof(allow_all))
CHANGE(bpf_denies_all,		h->facts.bpf.prog = deny_all; h->facts.bpf.len = 1; h->facts.bpf.size = sizeof(deny_all))
CHANGE(bpf_ends_nowhere,	h->facts.bpf.prog = no_return; h->facts.bpf.len = 1; h->facts.bpf.size = sizeof(no_return))
CHANGE(terminal,		h->facts.terminal = true)
CHANGE(terminal_ids,		ids(h); terminal(h))
CHANGE(terminal_root,		terminal(h); h->facts.uid = 0; h->facts.caps.effective = h->facts.caps.permitted = \
				CAP_BIT(CAP_SYS_ADMIN) | CAP_BIT(CAP_SETPCAP))
CHANGE(terminal_few,		terminal(h); h->facts.uid = 0; h->facts.caps.effective = h->facts.caps.permitted = \
				CAP_BIT(CAP_CHOWN) | CAP_BIT(CAP_SETPCAP))
CHANGE(terminal_ids_no_filter,	terminal_ids(h); h->facts.seccomp_err = ENOSYS)

#define P "qemu-handoff: error: "
#define BRIDGE_BY_QEMU "'nics':[{'mode':'bridge','bridge':'br0','handoff':false}]"

static struct row {
	const char *name, *members;
	change_fn *change;
	const char *words[WORDS_MAX];	/* NULL ends them */
	int ret;
	const char *problems, *text;	/* text: the first problem whole; NULL: any */
} rows[] = {
	/* cgroup */
	{ "cgroup: in order", "'cgroup':'/c'", cgroup, { NULL }, 0, "", NULL },
	{ "cgroup: missing", "'cgroup':'/c'", cgroup_missing, { NULL }, -1, "cgroup-missing cgroup",
	  P "cgroup: /c: No such file or directory: it cannot be joined (try: mkdir -p /c)" },
	{ "cgroup: hidden by another sysfs", "'cgroup':'/c'", cgroup_hidden, { NULL }, -1, "cgroup-missing cgroup",
	  P "cgroup: /c: No such file or directory: it cannot be joined (try: enter the network namespace with nsenter "
	    "--net=/run/netns/NAME instead of 'ip netns exec', which hides the cgroups)" },
	{ "cgroup: denied on the way", "'cgroup':'/c'", cgroup_denied, { NULL }, -1, "cgroup-missing cgroup",
	  P "cgroup: /c: Permission denied: it cannot be joined (try: allow this process to search "
	    "it; in an AppArmor profile, /sys/fs/cgroup/** rw,)" },
	{ "cgroup: where we are is hidden", "'cgroup':'/c'", cgroup_self_hidden, { NULL }, -1, "cgroup-access cgroup",
	  P "cgroup: /proc/self/cgroup: Permission denied: this process's cgroup cannot be read, "
	    "so joining it could not be verified (try: allow this process to read it; in an "
	    "AppArmor profile, @{PROC}/@{pid}/{cgroup,mountinfo} r,)" },
	{ "cgroup: through a symbolic link", "'cgroup':'/c'", cgroup_a_link, { NULL }, -1, "cgroup-missing cgroup",
	  P "cgroup: /c: Too many levels of symbolic links: the path contains a symbolic link" },
	{ "cgroup: a plain directory", "'cgroup':'/c'", cgroup_a_directory, { NULL }, -1,
	  "cgroup-not-cgroup cgroup", NULL },
	{ "cgroup: frozen", "'cgroup':'/c'", cgroup_frozen, { NULL }, -1, "cgroup-frozen cgroup",
	  P "cgroup: /c: is frozen: this process would silently stop in it (try: echo 0 >/c/cgroup.freeze)" },
	{ "cgroup: frozen, v1", "'cgroup':'/c'", cgroup_frozen_v1, { NULL }, -1, "cgroup-frozen cgroup",
	  P "cgroup: /c: is frozen: this process would silently stop in it (try: echo THAWED >/c/freezer.state)" },
	{ "cgroup: threaded", "'cgroup':'/c'", cgroup_threaded, { NULL }, -1, "cgroup-threaded cgroup",
	  NULL },
	{ "cgroup: an inner one", "'cgroup':'/c'", cgroup_inner, { NULL }, -1, "cgroup-inner cgroup", NULL },
	{ "cgroup: an empty cpuset", "'cgroup':'/c'", cgroup_cpuset, { NULL }, -1, "cgroup-cpuset cgroup",
	  NULL },
	{ "cgroup: we are there, and nothing else counts", "'cgroup':'/c'", cgroup_here, { NULL }, 0, "",
	  NULL },
	{ "cgroup: not ours to write", "'cgroup':'/c'", cgroup_not_ours, { NULL }, -1, "cgroup-access cgroup",
	  P "cgroup: /c/cgroup.procs: Permission denied: uid 1000 needs write access to join /c "
	    "(try: delegate both cgroups, for example with systemd-run --user --scope -p "
	    "Delegate=yes, or pass an open cgroup.procs as {\"fd\": N})" },
	{ "cgroup: not ours to write, v1", "'cgroup':'/c'", cgroup_v1_not_ours, { NULL }, -1, "cgroup-access cgroup",
	  P "cgroup: /c/cgroup.procs: Permission denied: uid 1000 needs write access to join /c" },
	{ "cgroup: the second of two", "'cgroup':['/c','/d']", two_cgroups, { NULL }, -1,
	  "cgroup-missing cgroup[1]", NULL },
	{ "cgroup: room for 3 tasks of QEMU", "'cgroup':'/c'", cgroup_room_for_3, { NULL }, 0, "", NULL },
	{ "cgroup: room for 2 tasks of QEMU", "'cgroup':'/c'", cgroup_room_for_2, { NULL }, -1, "cgroup-pids cgroup",
	  P "cgroup: /c/pids.max: allows 10 tasks and has 8: QEMU needs at least 3 more, and 0 for "
	    "vhost workers (try: write 11 or more, or set TasksMax= of systemd)" },
	{ "cgroup: no room for vhost workers", "'cgroup':'/c','nics':[{'mode':'tap','ifname':'t0','queues':4}]", cgroup_room_for_3,
	  { NULL }, -1, "cgroup-pids cgroup", NULL },
	{ "cgroup: no room for vsock's worker", "'cgroup':'/c','vsock':{'cid':3}", cgroup_room_for_3, { NULL }, -1,
	  "cgroup-pids cgroup", NULL },
	{ "cgroup: the first of two", "'cgroup':['/d','/c']", first_of_two, { NULL }, -1,
	  "cgroup-missing cgroup[0]", NULL },
	/* ids */
	{ "ids: may be taken", "'user':'u'", ids, { NULL }, 0, "", NULL },
	{ "ids: are ours already", "'user':'u'", ids_same, { NULL }, 0, "", NULL },
	{ "ids: no privilege", "'user':'u'", ids_no_privilege, { NULL }, -1, "id-privilege user",
	  P "user: uid 1000 may not become uid 64055 gid 993 without CAP_SETUID and CAP_SETGID "
	    "(try: start with these capabilities, or leave out the ids)" },
	{ "ids: no privilege for a group", "'group':'g'", ids_no_privilege, { NULL }, -1,
	  "id-privilege group", NULL },
	{ "ids: no privilege for groups", "'groups':[7]", ids_no_privilege, { NULL }, -1,
	  "id-privilege groups", NULL },
	{ "ids: root", "'user':'root'", ids_root, { NULL }, -1, "user-root user 1:14", NULL },
	{ "ids: no such user", "'user':'nosuch'", ids_unknown, { NULL }, -1, "id-unknown user",
	  P "user: nosuch: no such account" },
	{ "ids: a number without a group", "'user':4711", ids_no_group, { NULL }, -1, "id-unknown group",
	  P "group: 4711: no such account (try: set \"group\": a uid that has no account has no "
	    "group)" },
	{ "ids: not to be looked up", "'user':'u'", ids_not_read, { NULL }, -1, "id-unknown user",
	  P "user: u: Input/output error: the account could not be looked up" },
	/* seccomp */
	{ "seccomp: in order", "'vcpus':1", NULL, { NULL }, 0, "", NULL },
	{ "seccomp: not to be loaded", "'vcpus':1", no_seccomp, { NULL }, -1, "seccomp-missing seccomp",
	  NULL },
	{ "seccomp: not to be loaded, not wanted", "'seccomp':'none'", no_seccomp, { NULL }, 0, "", NULL },
	{ "seccomp: QEMU is a script", "'vcpus':1", script, { NULL }, -1, "qemu-script -", NULL },
	{ "seccomp: QEMU is a script, named", "'qemu':'/q'", script, { NULL }, -1, "qemu-script qemu", NULL },
	{ "terminal: no filter can be loaded", "'seccomp':'none','user':'u'", terminal_ids_no_filter, { NULL },
	  -1, "seccomp-missing protect_terminal", NULL },
	{ "terminal: the same, with a filter: said once", "'user':'u'", terminal_ids_no_filter, { NULL },
	  -1, "seccomp-missing seccomp", NULL },
	{ "terminal: no filter can be loaded, not wanted",
	  "'seccomp':'none','user':'u','protect_terminal':false", terminal_ids_no_filter, { NULL }, 0, "", NULL },
	{ "seccomp: QEMU is a script, no filter", "'seccomp':'none'", script, { NULL }, 0, "", NULL },
	{ "seccomp: -daemonize", "'seccomp':{'allow':[]}", NULL, { "-daemonize" }, -1, "seccomp-needs seccomp",
	  P "seccomp: argv: -daemonize needs system calls that the filter denies (try: "
	    "\"seccomp\": {\"allow\": [\"daemonize\"]}, or leave out \"allow\")" },
	{ "seccomp: -daemonize, allowed", "'seccomp':{'allow':['daemonize']}", NULL, { "-daemonize" }, 0, "",
	  NULL },
	{ "seccomp: -daemonize, only logged", "'seccomp':{'action':'log'}", NULL, { "-daemonize" }, 0, "",
	  NULL },
	{ "seccomp: -daemonize in args", "'args':['-daemonize'],'seccomp':{'allow':[]}", NULL, { NULL }, -1, "seccomp-needs seccomp",
	  NULL },
	{ "seccomp: -runas", "'seccomp':{'allow':[]}", NULL, { "-runas", "u" }, -1, "seccomp-needs seccomp", NULL },
	{ "seccomp: -run-with user", "'seccomp':{'allow':[]}", NULL, { "-run-with", "user=u" }, -1, "seccomp-needs seccomp",
	  P "seccomp: argv: -run-with user needs system calls that the filter denies (try: "
	    "\"seccomp\": {\"allow\": [\"runas\"]}, or leave out \"allow\")" },
	{ "seccomp: -run-with user, allowed", "'seccomp':{'allow':['runas']}", NULL,
	  { "-run-with", "user=u" }, 0, "", NULL },
	{ "seccomp: -run-with of something else", "'vcpus':1", NULL, { "-run-with", "exit-with-parent=on" },
	  0, "", NULL },
	{ "seccomp: -chroot", "'seccomp':{'allow':[]}", NULL, { "-chroot", "/d" }, -1, "seccomp-needs seccomp", NULL },
	{ "seccomp: -run-with chroot", "'seccomp':{'allow':[]}", NULL, { "-run-with", "chroot=/d" }, -1,
	  "seccomp-needs seccomp", NULL },
	{ "seccomp: a drive with io_uring", "'seccomp':{'allow':[]}", NULL, { "-drive", "file=/d,aio=io_uring" }, -1,
	  "seccomp-needs seccomp", NULL },
	{ "seccomp: a drive with threads", "'vcpus':1", NULL, { "-drive", "file=/d,aio=threads" }, 0, "",
	  NULL },
	{ "seccomp: a blockdev with io_uring, in JSON", "'seccomp':{'allow':[]}", NULL,
	  { "-blockdev", "{\"driver\":\"file\",\"filename\":\"/d\",\"aio\":\"io_uring\"}" }, -1, "seccomp-needs seccomp", NULL },
	{ "seccomp: a blockdev with io_uring, one level down", "'seccomp':{'allow':[]}", NULL,
	  { "-blockdev", "{\"driver\":\"qcow2\",\"file\":{\"driver\":\"file\",\"filename\":\"/d\",\"aio\":\"io_uring\"}}" },
	  -1, "seccomp-needs seccomp", NULL },
	{ "seccomp: a drive whose file has io_uring", "'seccomp':{'allow':[]}", NULL, { "-drive", "driver=qcow2,file.filename=/d,file.aio=io_uring" },
	  -1, "seccomp-needs seccomp", NULL },
	{ "seccomp: io_uring as another key's value", "'vcpus':1", NULL, { "-drive", "file=io_uring,id=aio" }, 0, "", NULL },
	{ "seccomp: incoming from a command", "'seccomp':{'allow':[]}", NULL, { "-incoming", "exec:cat /s" }, -1, "seccomp-needs seccomp", NULL },
	{ "seccomp: incoming from a file", "'vcpus':1", NULL, { "-incoming", "file:/s" }, 0, "", NULL },
	{ "seccomp: io_uring, allowed", "'seccomp':{'allow':['io_uring']}", NULL,
	  { "-drive", "file=/d,aio=io_uring" }, 0, "", NULL },
	{ "seccomp: a share by -virtfs", "'seccomp':{'allow':[]}", NULL, { "-virtfs", "local,path=/d,mount_tag=t,security_model=none" },
	  -1, "seccomp-needs seccomp",
	  P "seccomp: argv: -virtfs needs system calls that the filter denies (try: \"seccomp\": "
	    "{\"allow\": [\"9p\"]}, or leave out \"allow\")" },
	{ "seccomp: a share by -fsdev", "'seccomp':{'allow':[]}", NULL, { "-fsdev", "local,id=f,path=/d,security_model=none" },
	  -1, "seccomp-needs seccomp", NULL },
	{ "seccomp: a share, allowed", "'seccomp':{'allow':['9p']}", NULL,
	  { "-fsdev", "local,id=f,path=/d,security_model=none" }, 0, "", NULL },
	{ "seccomp: locked memory", "'seccomp':{'allow':[]}", NULL, { "-overcommit", "mem-lock=on" }, -1, "seccomp-needs seccomp",
	  P "seccomp: argv: -overcommit mem-lock needs system calls that the filter denies (try: "
	    "\"seccomp\": {\"allow\": [\"mem_lock\"]}, or leave out \"allow\")" },
	{ "seccomp: locked memory, allowed", "'seccomp':{'allow':['mem_lock']}", NULL, { "-overcommit", "mem-lock=on" },
	  0, "", NULL },
	{ "seccomp: memory not locked", "'vcpus':1", NULL, { "-overcommit", "mem-lock=off,cpu-pm=on" }, 0, "", NULL },
	/* what QEMU would execute */
	{ "exec: passt", "'vcpus':1", NULL, { "-netdev", "passt,id=n" }, -1, "seccomp-needs seccomp",
	  P "seccomp: argv: QEMU starts passt for it, and the filter lets QEMU execute nothing "
	    "(try: make it a NIC of the descriptor with \"mode\": \"passt\", or set \"seccomp\": "
	    "\"none\")" },
	{ "exec: bridge", "'vcpus':1", NULL, { "-netdev", "bridge,id=n" }, -1, "seccomp-needs seccomp",
	  NULL },
	{ "exec: bridge by -nic", "'vcpus':1", NULL, { "-nic", "bridge" }, -1, "seccomp-needs seccomp",
	  NULL },
	{ "exec: bridge by -net", "'vcpus':1", NULL, { "-net", "bridge" }, -1, "seccomp-needs seccomp",
	  NULL },
	{ "exec: bridge in JSON", "'vcpus':1", NULL, { "-netdev", "{\"type\":\"bridge\",\"id\":\"n\"}" }, -1,
	  "seccomp-needs seccomp", NULL },
	{ "exec: a helper of tap", "'vcpus':1", NULL, { "-netdev", "tap,id=n,helper=/h" }, -1,
	  "seccomp-needs seccomp", NULL },
	{ "exec: the script of tap", "'vcpus':1", NULL, { "-netdev", "tap,id=n,ifname=t" }, -1,
	  "seccomp-needs seccomp", NULL },
	{ "exec: the second script of tap", "'vcpus':1", NULL, { "-netdev", "tap,id=n,ifname=t,script=no" },
	  -1, "seccomp-needs seccomp", NULL },
	{ "exec: tap without scripts", "'vcpus':1", NULL,
	  { "-netdev", "tap,id=n,ifname=t,script=no,downscript=no" }, 0, "", NULL },
	{ "exec: tap by descriptor", "'vcpus':1", NULL, { "-netdev", "tap,id=n,fd=9" }, 0, "", NULL },
	{ "exec: smbd", "'vcpus':1", NULL, { "-netdev", "user,id=n,smb=/d" }, -1, "seccomp-needs seccomp",
	  NULL },
	{ "exec: the command of guestfwd", "'vcpus':1", NULL, { "-netdev", "user,id=n,guestfwd=tcp:10.0.2.4:1-cmd:id" }, -1,
	  "seccomp-needs seccomp", NULL },
	{ "exec: guestfwd to a chardev", "'vcpus':1", NULL,
	  { "-netdev", "user,id=n,guestfwd=tcp:10.0.2.4:1-chardev:c" }, 0, "", NULL },
	{ "exec: guestfwd of a NIC", "'nics':[{'mode':'user','options':{'guestfwd':'tcp:10.0.2.4:1-cmd:id'}}]", NULL, { NULL }, -1,
	  "seccomp-needs nics[0] 1:22", NULL },
	{ "exec: passt of a custom NIC", "'nics':[{'mode':'custom','netdev':'passt,id=net0'}]", NULL, { NULL }, -1,
	  "seccomp-needs nics[0] 1:22", NULL },
	{ "exec: a bridge by QEMU", BRIDGE_BY_QEMU, NULL, { NULL }, -1, "seccomp-needs nics[0] 1:22", NULL },
	{ "exec: a bridge by QEMU, no filter", "'seccomp':'none'," BRIDGE_BY_QEMU, NULL, { NULL }, 0, "",
	  NULL },
	{ "exec: a bridge by the launch", "'nics':[{'mode':'bridge','bridge':'br0'}]", NULL, { NULL }, 0, "",
	  NULL },
	/* a set-uid helper has no privilege under no_new_privs, whatever sets it */
	{ "set-uid: only logged", "'seccomp':{'action':'log'}," BRIDGE_BY_QEMU, NULL, { NULL }, -1, "seccomp-needs nics[0].handoff",
	  P "nics[0].handoff (net0): /usr/lib/qemu/qemu-bridge-helper: its set-uid bit and file capabilities "
	    "have no effect under no_new_privs (try: leave out \"handoff\": the launch then runs the helper first)" },
	{ "set-uid: a program of the caller's", "'seccomp':{'bpf':'/f'}," BRIDGE_BY_QEMU, bpf_allows_all, { NULL }, -1,
	  "seccomp-needs nics[0].handoff", NULL },
	{ "set-uid: Landlock", "'seccomp':'none','landlock':true," BRIDGE_BY_QEMU, NULL, { NULL }, -1,
	  "seccomp-needs nics[0].handoff", NULL },
	{ "set-uid: capabilities of the file have no effect either", "'seccomp':{'action':'log'}," BRIDGE_BY_QEMU, helper_by_file,
	  { NULL }, -1, "seccomp-needs nics[0].handoff", NULL },
	{ "set-uid: not needed, the launch has the privilege", "'seccomp':{'action':'log'}," BRIDGE_BY_QEMU,
	  helper_by_root, { NULL }, 0, "", NULL },
	/* a program made beforehand */
	{ "bpf: missing", "'seccomp':{'bpf':'/f'}", bpf_missing, { NULL }, -1, "seccomp-bpf seccomp.bpf",
	  P "seccomp.bpf: /f: No such file or directory: the filter cannot be read" },
	{ "bpf: empty", "'seccomp':{'bpf':'/f'}", bpf_empty, { NULL }, -1, "seccomp-bpf seccomp.bpf", NULL },
	{ "bpf: cut", "'seccomp':{'bpf':'/f'}", bpf_cut, { NULL }, -1, "seccomp-bpf seccomp.bpf",
	  P "seccomp.bpf: /f: has 12 bytes, but a program has 1 to 4096 instructions of 8 bytes" },
	{ "bpf: too long", "'seccomp':{'bpf':'/f'}", bpf_long, { NULL }, -1, "seccomp-bpf seccomp.bpf",
	  NULL },
	{ "bpf: allows everything", "'seccomp':{'bpf':'/f'}", bpf_allows_all, { NULL }, 0, "", NULL },
	{ "bpf: denies the exec of QEMU", "'seccomp':{'bpf':'/f'}", bpf_denies_all, { NULL }, -1,
	  "seccomp-bpf seccomp.bpf", NULL },
	{ "bpf: a program of the caller's allows -daemonize or not", "'seccomp':{'bpf':'/f'}", bpf_allows_all,
	  { "-daemonize" }, 0, "", NULL },
	{ "bpf: no return", "'seccomp':{'bpf':'/f'}", bpf_ends_nowhere, { NULL }, -1,
	  "seccomp-bpf seccomp.bpf", NULL },
	/* landlock */
	{ "landlock: there", "'landlock':true", NULL, { NULL }, 0, "", NULL },
	{ "landlock: missing", "'landlock':true", no_landlock, { NULL }, -1, "landlock-missing landlock",
	  NULL },
	{ "landlock: preferred, missing", "'landlock':'prefer'", no_landlock, { NULL }, 0,
	  "landlock-off landlock", NULL },
	{ "landlock: off, missing", "'landlock':false", no_landlock, { NULL }, 0, "", NULL },
	{ "box: there", "'landlock':{'read':['/d'],'write':['/w']}", box, { NULL }, 0, "", NULL },
	{ "box: no Landlock", "'landlock':{}", no_landlock, { NULL }, -1, "landlock-missing landlock", NULL },
	{ "box: optional, no Landlock", "'landlock':{'optional':true}", no_landlock, { NULL }, 0, "landlock-off landlock", NULL },
	{ "box: a kernel that does not bound truncate", "'landlock':{}", box_abi_2, { NULL }, -1, "landlock-rights landlock", NULL },
	{ "box: a kernel that does not bound signals", "'landlock':{}", box_abi_5, { NULL }, -1, "landlock-rights landlock", NULL },
	{ "box: optional, a kernel that does not bound signals", "'landlock':{'optional':true}", box_abi_5, { NULL }, 0,
	  "landlock-partly landlock", NULL },
	{ "box: a newer kernel", "'landlock':{}", box_abi_9, { NULL }, 0, "", NULL },
	{ "box: paths that are not there", "'landlock':{'read':['/a','/d'],'write':['/a','/a','/w']}", box_missing, { NULL }, -1,
	  "landlock-path landlock.read[1]; landlock-path landlock.write[2]", NULL },
	{ "box: a word's path that is not there", "'landlock':{'files':'argv'}", box_named, { NULL }, -1,
	  "landlock-path landlock.files", NULL },
	{ "box: in /proc", "'landlock':{'read':['/p']}", box_proc, { NULL }, -1, "landlock-path landlock.read[0]", NULL },
	/* all at once */
	{ "every problem is said", "'cgroup':'/c','user':'root','landlock':true,'seccomp':{'allow':[]}", NULL, { "-daemonize", "-netdev", "passt,id=n" }, -1,
	  "seccomp-needs seccomp; seccomp-needs seccomp", NULL },
};

static int plan(struct host *h, const struct row *row)
{
	char *words[WORDS_MAX];
	struct cmdline cmdline = { .argv0 = "qemu", .words = words };

	for (unsigned i = 0; i < WORDS_MAX && row->words[i]; i++)
		words[cmdline.n++] = unconst_word(row->words[i]);
	assert_int_equal(host_read(h, row->members, &cmdline), 0);
	host_fit(h);
	if (row->change)
		row->change(h);
	return host_plan(h, &cmdline);
}

static void rule(void **state)
{
	const struct row *row = *state;
	static struct host h;
	const int ret = plan(&h, row);

	assert_string_equal(unit_problems(&h.u), row->problems);
	assert_int_equal(ret, row->ret);
	if (row->text)
		assert_string_equal(unit_text(&h.u, 0), row->text);
	host_close(&h);
}

/* What is set when nothing is refused. */
static struct effect {
	const char *name, *members;
	change_fn *change;
	bool filter, take_ids, landlock, no_new_privs;
} effects[] = {
	{ "effect: the default",	"'vcpus':1",			NULL,		true,	false,	false,
	  true },
	{ "effect: nothing",		"'seccomp':'none'",		NULL,		false,	false,	false,
	  false },
	{ "effect: ids alone",		"'seccomp':'none','user':'u'",	ids,		false,	true,	false,
	  true },
	{ "effect: Landlock alone",	"'seccomp':'none','landlock':true", NULL,	false,	false,	true,
	  true },
	{ "effect: Landlock not to be had", "'seccomp':'none','landlock':'prefer'", no_landlock, false, false,
	  false, false },
	{ "effect: all",		"'user':'u','landlock':'prefer'", ids,		true,	true,	true,
	  true },
	{ "effect: only logged",	"'seccomp':{'action':'log'}",	NULL,		true,	false,	false,
	  true },
};

/* The terminal: protected or not, by a program of its own or not, and what that takes. */
static struct on_terminal {
	const char *name, *members;
	change_fn *change;
	bool terminal, alone;
	unsigned filters;
	bool no_new_privs;
} on_terminals[] = {
	{ "terminal: there is none",	"'vcpus':1",			NULL,		false,	false,	1, true },
	{ "terminal: the default",	"'vcpus':1",			terminal,	true,	false,	1, true },
	{ "terminal: only logged",	"'seccomp':{'action':'log'}",	terminal,	true,	false,	1, true },
	{ "terminal: not wanted",	"'protect_terminal':false",	terminal,	false,	false,	1, true },
	{ "terminal: wanted",		"'protect_terminal':true",	terminal,	true,	false,	1, true },
	{ "terminal: nothing taken",	"'seccomp':'none'",		terminal,	false,	false,	0, false },
	{ "terminal: ids alone",	"'seccomp':'none','user':'u'",	terminal_ids,	true,	true,	1, true },
	{ "terminal: Landlock alone",	"'seccomp':'none','landlock':true", terminal,	true,	true,	1, true },
	{ "terminal: capabilities alone", "'seccomp':'none'",		terminal_root,	true,	true,	1, false },
	{ "terminal: and not even CAP_SYS_ADMIN", "'seccomp':'none'",	terminal_few,	true,	true,	1, true },
	{ "terminal: capabilities kept", "'seccomp':'none','capabilities':'keep'",
	  terminal_root, false, false, 0, false },
	{ "terminal: ids, not wanted",	"'seccomp':'none','user':'u','protect_terminal':false",
	  terminal_ids, false, false, 0, true },
};

static void on_terminal(void **state)
{
	const struct on_terminal *t = *state;
	const struct row row = { .members = t->members, .change = t->change };
	static struct host h;

	assert_int_equal(plan(&h, &row), 0);
	assert_int_equal(h.plan.confine.terminal, t->terminal);
	assert_int_equal(h.plan.confine.terminal_alone, t->alone);
	assert_int_equal(h.plan.confine.filters, t->filters);
	assert_int_equal(h.plan.confine.no_new_privs, t->no_new_privs);
	host_close(&h);
}

static void effect(void **state)
{
	const struct effect *e = *state;
	const struct row row = { .members = e->members, .change = e->change };
	static struct host h;

	assert_int_equal(plan(&h, &row), 0);
	assert_int_equal(h.plan.confine.filter, e->filter);
	assert_int_equal(h.plan.confine.take_ids, e->take_ids);
	assert_int_equal(h.plan.confine.landlock, e->landlock);
	assert_int_equal(h.plan.confine.no_new_privs, e->no_new_privs);
	host_close(&h);
}

/* What the domain takes away, and what rules give back, by the kernel's version of Landlock. */
static const struct on_abi {
	const char *name;
	change_fn *change;
	uint64_t handled, file, dir; /* dir, file: of "write" */
	const char *lacks;
} on_abis[] = {
	{ "rights: ABI 1", box_abi_1, 0x1fff, 0x6, 0x17be,
	  "truncating files; ioctl of devices; signals and abstract sockets" },
	{ "rights: ABI 3", box_abi_3, 0x7fff, 0x4006, 0x77be, "ioctl of devices; signals and abstract sockets" },
	{ "rights: ABI 6", box, 0xffff, 0xc006, 0xf7be, NULL },
	{ "rights: ABI 9", box_abi_9, 0x1ffff, 0x1c006, 0x1f7be, NULL },
};

static void on_abi(void **state)
{
	const struct on_abi *a = *state;
	const struct row row = { .members = "'landlock':{'optional':true}", .change = a->change };
	static struct host h;
	const struct box_plan *plan_box = &h.plan.confine.box;

	assert_int_equal(plan(&h, &row), 0);
	assert_int_equal(plan_box->n, 4);
	assert_int_equal(plan_box->handled, a->handled);
	assert_int_equal(plan_box->rules[0].rights, a->handled & 0x5); /* a file: read, execute */
	assert_int_equal(plan_box->rules[1].rights, 0xc);	       /* a directory: read, list */
	assert_int_equal(plan_box->rules[2].rights, a->file);
	assert_int_equal(plan_box->rules[3].rights, a->dir);
	assert_string_equal(plan_box->rules[3].why, "landlock.write[1]");
	assert_string_equal(plan_box->lacks ? plan_box->lacks : "", a->lacks ? a->lacks : "");
	host_close(&h);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(rows) + ARRAY_LEN(effects) + ARRAY_LEN(on_terminals) +
				ARRAY_LEN(on_abis)];

	UNIT_ROWS(UNIT_ROWS(UNIT_ROWS(UNIT_ROWS(tests, rows, rule), effects, effect), on_terminals,
			    on_terminal), on_abis, on_abi);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
