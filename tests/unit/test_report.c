/*
 * test_report.c - a plan as JSON, as text for eyes and as a script: all say what the plan says
 */
#include "config.h"

#include <stdio.h>

#include <linux/filter.h>

#include <cjson/cJSON.h>

#include "host.h"
#include "plan/report.h"

#define S15 "abcdefghijklmno"
#define S63 S15 S15 S15 S15 "xyz"

static const struct cmdline none = { .argv0 = "qemu" };

/* --- JSON ------------------------------------------------------------------------------------------------------ */

static const cJSON *get(const cJSON *object, const char *key)
{
	const cJSON *ret = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!ret)
		fail_msg("no '%s' in the document", key);
	return ret;
}

static void same_text(const cJSON *object, const char *key, const char *want)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	assert_string_equal(item ? item->valuestring : "(none)", want ? want : "(none)");
}

static void same_numbers(const cJSON *object, const char *key, const int *want, unsigned n)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	assert_int_equal(item != NULL, want != NULL);
	if (!want)
		return;
	assert_int_equal(cJSON_GetArraySize(item), n);
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(cJSON_GetArrayItem(item, (int)i)->valueint, want[i]);
}

static void same_nic(const cJSON *item, const struct nic_plan *np)
{
	same_text(item, "id", np->nic->id);
	same_text(item, "mode", mode_name(np->nic->mode));
	same_text(item, "ifname", np->nic->ifname);
	same_text(item, "bridge", np->nic->bridge);
	assert_int_equal(get(item, "queues")->valueint, np->queues);
	same_text(item, "queues_why", np->queues_why);
	assert_int_equal(cJSON_IsTrue(get(item, "vhost")), np->vhost);
	same_text(item, "vhost_why", np->vhost_why);
	same_text(item, "mac_from", np->mac_from);
	same_numbers(item, "fds", np->fds, np->queues);
	same_numbers(item, "vhostfds", np->vhostfds, np->queues);
	same_text(item, "netdev", np->netdev);
	same_text(item, "device", np->device);
	if (np->nic->mode == MODE_MACVTAP)
		same_text(get(item, "link"), "node", "236:1");
	if (np->facts->link.master != 0)
		assert_int_equal(get(get(item, "link"), "master")->valueint, np->facts->link.master);
}

static void same_plan(const cJSON *root, const struct plan *plan)
{
	const cJSON *nics = get(root, "nics"), *fds = get(root, "fds"), *argv = get(root, "argv");

	assert_int_equal(get(root, "version")->valueint, 1);
	same_text(root, "name", plan->desc->name);
	same_text(root, "qemu", plan->qemu);
	assert_int_equal(cJSON_GetArraySize(nics), plan->desc->n_nics);
	for (unsigned i = 0; i < plan->desc->n_nics; i++)
		same_nic(cJSON_GetArrayItem(nics, (int)i), &plan->nics[i]);
	assert_int_equal(cJSON_GetArraySize(fds), plan->n_slots);
	for (unsigned i = 0; i < plan->n_slots; i++) {
		const cJSON *item = cJSON_GetArrayItem(fds, (int)i);

		assert_int_equal(get(item, "fd")->valueint, plan->slots[i].fd);
		same_text(item, "what", slot_kind_name(plan->slots[i].kind));
		same_text(item, "path", plan->slots[i].path);
		if (plan->slots[i].kind != SLOT_VHOST_VSOCK) {
			same_text(item, "nic", plan->desc->nics[plan->slots[i].nic].id);
			assert_int_equal(get(item, "queue")->valueint, plan->slots[i].queue);
		}
	}
	assert_int_equal(cJSON_GetObjectItemCaseSensitive(root, "ids") != NULL, plan->confine.take_ids);
	if (plan->confine.take_ids)
		assert_int_equal(get(get(root, "ids"), "uid")->valueint, plan->facts->ids.uid);
	/* what the profile is asked for is said of the profile alone */
	assert_int_equal(cJSON_GetObjectItemCaseSensitive(get(root, "seccomp"), "action") != NULL,
			 plan->confine.filter && !plan->desc->seccomp.bpf);
	assert_int_equal(cJSON_GetArraySize(argv), plan->argc);
	for (unsigned i = 0; i < plan->argc; i++)
		assert_string_equal(cJSON_GetArrayItem(argv, (int)i)->valuestring, plan->argv[i]);
}

typedef void change_fn(struct host *h);

static void no_vhost_net(struct host *h)
{
	h->facts.vhost_net.err = ENOENT;
}

static void in_a_cgroup(struct host *h)
{
	h->facts.n_cgroups = 1;
	h->cgroups[0] = (struct cgroup_facts){ .path = "/sys/fs/cgroup/vm", .is_cgroup = true, .v2 = true };
}

static const unsigned two_groups[] = { 7, 108 };

static void with_ids(struct host *h)
{
	h->facts.ids = (struct ids_facts){ .wanted = true, .uid = 64055, .gid = 993, .groups = two_groups, .n_groups = 2,
					   .can_take = true };
}

static struct sock_filter allow_all[] = { { .code = BPF_RET | BPF_K, .k = 0x7fff0000 } };

static void with_bpf(struct host *h)
{
	h->facts.bpf = (struct bpf_facts){ .prog = allow_all, .len = 1, .size = sizeof(allow_all) };
}

static void in_a_bridge(struct host *h)
{
	h->nics[0].link.master = 4;
}

static void long_cgroup(struct host *h)
{
	h->facts.n_cgroups = 1;
	h->cgroups[0] = (struct cgroup_facts){
		.path = "/sys/fs/cgroup/machine.slice/machine-qemu\\x2d17\\x2da-guest-with-a-long-name.scope/libvirt/emulator",
		.is_cgroup = true, .v2 = true, .here = true };
}

static const struct row {
	const char *name, *members;
	change_fn *change;
} rows[] = {
	{ "nothing", "'nics':[]", NULL },
	{ "user", "'nics':[{'mode':'user','options':{'hostfwd':'tcp::2222-:22'}}]", NULL },
	{ "bridge", "'nics':[{'mode':'bridge','bridge':'br0'}]", NULL },
	{ "bridge by QEMU", "'seccomp':'none','nics':[{'mode':'bridge','bridge':'br0','handoff':false}]",
	  NULL },
	{ "macvtap with 64 queue pairs",
	  "'max_queues':64,'nics':[{'mode':'macvtap','ifname':'m0','queues':64}]", NULL },
	{ "vhost that cannot be had",
	  "'nics':[{'mode':'tap','ifname':'t0','queues':2},{'mode':'macvtap','ifname':'m0'}]", no_vhost_net },
	{ "high numbers",
	  "'fd_base':520000,'nics':[{'mode':'tap','ifname':'t0','queues':16},{'mode':'macvtap','ifname':'m0'}]",
	  NULL },
	{ "numbers out of order",
	  "'nics':[{'mode':'tap','ifname':'t0','fds':[9,7,8]}],'vsock':{'cid':4294967294}", NULL },
	{ "long names",
	  "'name':'" S63 S63 "','qemu':'/" S63 "/" S63 "','nics':[{'mode':'tap','ifname':'t0','id':'" S63 "','queues':8}]",
	  NULL },
	{ "names that are not ASCII",
	  "'name':'\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9'", NULL },
	{ "long and strange arguments",
	  "'args':['-append','" S63 S63 S63 "','','-x','a b\\u0027c\\u0022d','" S63 "," S63 "," S63 "']",
	  NULL },
	{ "every group of the filter",
	  "'seccomp':{'action':'kill','allow':['io_uring','daemonize','runas','chroot','affinity']}", NULL },
	{ "no filter", "'seccomp':'none'", NULL },
	{ "a cgroup", "'cgroup':'/sys/fs/cgroup/vm'", in_a_cgroup },
	{ "a long cgroup", "'cgroup':'/x'", long_cgroup },
	{ "ids", "'user':'libvirt-qemu'", with_ids },
	{ "a program of the caller's", "'seccomp':{'bpf':'/" S63 "/" S63 "'}", with_bpf },
	{ "a TAP in a bridge", "'nics':[{'mode':'tap','ifname':'t0'}]", in_a_bridge },
};

static void make(struct host *h, const struct row *row)
{
	assert_int_equal(host_read(h, row->members, &none), 0);
	host_fit(h);
	if (row->change)
		row->change(h);
	(void)host_plan(h, &none);
	assert_int_equal(h->u.ds.status, 0);
}

static void json(void **state)
{
	static struct host h;
	cJSON *root;

	make(&h, *state);
	root = cJSON_Parse(report_make(&h.plan, &h.u.ds, REPORT_JSON, &h.u.mem));
	assert_non_null(root);
	same_plan(root, &h.plan);
	assert_int_equal(cJSON_GetArraySize(get(root, "warnings")), h.u.ds.n);
	for (unsigned i = 0; i < h.u.ds.n; i++)
		same_text(cJSON_GetArrayItem(get(root, "warnings"), (int)i), "code", diag_name(h.u.ds.list[i].id));
	cJSON_Delete(root);
	host_close(&h);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* No line is longer than a terminal is wide, and no byte is a control character. */
static void text(void **state)
{
	static struct host h;
	const char *document;
	unsigned column = 0;

	make(&h, *state);
	document = report_make(&h.plan, &h.u.ds, REPORT_TEXT, &h.u.mem);
	assert_int_equal(strstr(document, "\nNIC ") != NULL, h.desc.n_nics > 0);
	for (const char *p = document; *p; p++) {
		const unsigned char c = (unsigned char)*p;

		column = c == '\n' ? 0 : column + ((c & 0xc0) != 0x80);
		if (column > 80)
			fail_msg("a line is longer than 80 columns: ...%.30s", p - 30);
		assert_true(c == '\n' || (c >= 0x20 && c != 0x7f));
	}
	host_close(&h);
}

static const char example[] =
	"'name':'vm7','args':['-S','-m','4G','disk','image'],'vcpus':4,'vsock':{'cid':7},"
	"'nics':[{'mode':'macvtap','ifname':'m0','queues':2},{'mode':'user','id':'mgmt'}]";

static const char example_text[] =
	"guest  vm7\n"
	"qemu   /usr/bin/qemu-system-x86_64\n"
	"\n"
	"NIC              MODE       LINK            QUEUES  VHOST  MAC\n"
	"net0             macvtap    m0                   2  on     02:00:00:00:00:07\n"
	"mgmt             user       -                    1  off    c6:09:87:03:fe:7f\n"
	"    mac: derived from the guest's name and the NIC's id\n"
	"    queues: mode 'user' supports one\n"
	"\n"
	"DESCRIPTOR  WHAT        NIC              QUEUE  NODE\n"
	"       3-4  macvtap     net0               0-1  /dev/tap7\n"
	"       5-6  vhost-net   net0               0-1  /dev/vhost-net\n"
	"         7  vhost-vsock -                    0  /dev/vhost-vsock\n"
	"\n"
	"CONFINEMENT\n"
	"  capabilities  none\n"
	"  seccomp       qemu, other calls: errno\n"
	"  landlock      off\n"
	"  no_new_privs  on\n"
	"  descriptors   at most 4096\n"
	"\n"
	"COMMAND\n"
	"  qemu\n"
	"  -S\n"
	"  -m 4G\n"
	"  disk\n"
	"  image\n"
	"  -netdev tap,id=net0,fds=3:4,vhost=on,vhostforce=on,vhostfds=5:6\n"
	"  -device virtio-net-pci,netdev=net0,mac=02:00:00:00:00:07,mq=on,vectors=6\n"
	"  -netdev user,id=mgmt\n"
	"  -device virtio-net-pci,netdev=mgmt,mac=c6:09:87:03:fe:7f\n"
	"  -device vhost-vsock-pci,guest-cid=7,vhostfd=7\n";

static void whole_text(void **state)
{
	static struct host h;

	(void)state;
	assert_int_equal(host_read(&h, example, &none), 0);
	host_fit(&h);
	assert_int_equal(host_plan(&h, &none), 0);
	assert_string_equal(report_make(&h.plan, &h.u.ds, REPORT_TEXT, &h.u.mem), example_text);
	host_close(&h);
}

/* --- a script --------------------------------------------------------------------------------------------------------- */

static const char example_shell[] =
	"#!/bin/bash\n"
	"# What qemu-handoff would do, by hand and without its checks.\n"
	"set -eu\n"
	"# not done here: the ids, no_new_privs, Landlock and the seccomp filter\n"
	"[ -c /dev/tap7 ] || { echo 'a device node is missing' >&2; exit 101; }\n"
	"exec 3<>/dev/tap7\t# macvtap\n"
	"exec 4<>/dev/tap7\t# macvtap\n"
	"[ -c /dev/vhost-net ] || { echo 'a device node is missing' >&2; exit 101; }\n"
	"exec 5<>/dev/vhost-net\t# vhost-net\n"
	"exec 6<>/dev/vhost-net\t# vhost-net\n"
	"[ -c /dev/vhost-vsock ] || { echo 'a device node is missing' >&2; exit 101; }\n"
	"exec 7<>/dev/vhost-vsock\t# vhost-vsock\n"
	"exec -a qemu /usr/bin/qemu-system-x86_64 \\\n"
	"\t-S \\\n"
	"\t-m \\\n"
	"\t4G \\\n"
	"\tdisk \\\n"
	"\timage \\\n"
	"\t-netdev \\\n"
	"\ttap,id=net0,fds=3:4,vhost=on,vhostforce=on,vhostfds=5:6 \\\n"
	"\t-device \\\n"
	"\tvirtio-net-pci,netdev=net0,mac=02:00:00:00:00:07,mq=on,vectors=6 \\\n"
	"\t-netdev \\\n"
	"\tuser,id=mgmt \\\n"
	"\t-device \\\n"
	"\tvirtio-net-pci,netdev=mgmt,mac=c6:09:87:03:fe:7f \\\n"
	"\t-device \\\n"
	"\tvhost-vsock-pci,guest-cid=7,vhostfd=7\n";

static void strange_qemu(struct host *h)
{
	h->facts.qemu.path = "/opt/my qemu/bin; id";
}

static void strange_cgroup(struct host *h)
{
	in_a_cgroup(h);
	h->cgroups[0].path = "/sys/fs/cgroup/my vm";
}

static const struct shell {
	const char *name, *members;
	change_fn *change;
	const char *part;		/* stands in the script; NULL: the whole is the example's */
} shells[] = {
	{ "shell: the whole", example, NULL, NULL },
	{ "shell: words are quoted", "'default_nic':true,'seccomp':'none','args':['a b','$(id)','it\\u0027s','','\\u0022']", NULL,
	  " \\\n\t'a b' \\\n\t'$(id)' \\\n\t'it'\\''s' \\\n\t'' \\\n\t'\"'\n" },
	{ "shell: QEMU's path is quoted", "'default_nic':true", strange_qemu, "exec -a qemu '/opt/my qemu/bin; id'\n" },
	{ "shell: standard input from nothing", "'stdin':'null'", NULL, "exec 0<>/dev/null\n" },
	{ "shell: standard input from the terminal", "'stdin':'tty'", NULL, "exec 0<>/dev/tty\n" },
	{ "shell: the limit", "'seccomp':'none','fd_base':2000,'vsock':{'cid':3}", NULL,
	  "ulimit -Sn 2257\n[ -c /dev/vhost-vsock ]" },
	{ "shell: a cgroup", "'cgroup':'/c'", strange_cgroup,
	  "set -eu\necho 0 >'/sys/fs/cgroup/my vm/cgroup.procs'\n# not done here" },
	{ "shell: a TAP takes an ioctl", "'nics':[{'mode':'tap','ifname':'t0'}]", NULL,
	  "echo 'bash cannot open the queues of net0: that takes an ioctl' >&2\nexit 101\n" },
	{ "shell: so does a bridge", "'nics':[{'mode':'bridge','bridge':'br0'}]", NULL,
	  "echo 'bash cannot open the queues of net0: that takes an ioctl' >&2\nexit 101\n" },
};

static void shell(void **state)
{
	const struct shell *row = *state;
	static struct host h;
	const char *script;

	assert_int_equal(host_read(&h, row->members, &none), 0);
	host_fit(&h);
	if (row->change)
		row->change(&h);
	assert_int_equal(host_plan(&h, &none), 0);
	script = report_make(&h.plan, &h.u.ds, REPORT_SHELL, &h.u.mem);
	if (!row->part)
		assert_string_equal(script, example_shell);
	else if (!strstr(script, row->part))
		fail_msg("'%s' is not in '%s'", row->part, script);
	host_close(&h);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[2 * ARRAY_LEN(rows) + ARRAY_LEN(shells) + 1] = { cmocka_unit_test(whole_text) };
	struct CMUnitTest *next = tests + 1;

	next = UNIT_ROWS(next, rows, json);
	next = UNIT_ROWS(next, rows, text);
	UNIT_ROWS(next, shells, shell);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
