/*
 * test_desc.c - the launch descriptor: for each key what is taken and what is refused, and where
 */
#include "config.h"

#include <stdio.h>

#include "desc/desc.h"
#include "mode/mode.h"
#include "mode/table.h"
#include "unit.h"

/* A descriptor around members, around NICs, and around a whole NIC's members. */
#define ROOT(members) "{'version':1," members "}"
#define NICS(nics) ROOT("'nics':[" nics "]")
#define USER(members) NICS("{'mode':'user'," members "}")
#define TAP(members) NICS("{'mode':'tap','ifname':'t0'," members "}")
#define MACVTAP(members) NICS("{'mode':'macvtap'," members "}")

/* --- what was read, as a text of all that is not the default -------------------------------------------- */

static void put(struct str *s, const char *key, const char *value)
{
	if (value)
		str_put(s, " %s=%s", key, value);
}

static void put_unsigned(struct str *s, const char *key, unsigned value, unsigned unless)
{
	if (value != unless)
		str_put(s, " %s=%u", key, value);
}

static void put_choice(struct str *s, const char *key, enum choice choice)
{
	put(s, key, choice == CHOICE_ABSENT ? NULL : choice == CHOICE_ON ? "on" : "off");
}

static void put_pins(struct str *s, const char *key, const struct pins *pins)
{
	for (unsigned i = 0; i < pins->n; i++)
		str_put(s, "%s%s%d", i > 0 ? ":" : " ", i > 0 ? "" : key, pins->list[i]);
}

static void put_props(struct str *s, const char *what, const struct props *props)
{
	for (unsigned i = 0; i < props->n; i++)
		str_put(s, " %s.%s=%s", what, props->list[i].key, props->list[i].value);
}

static void put_expect(struct str *s, const struct expect *expect)
{
	if (!expect->any)
		return;
	str_put(s, " expect(");
	put(s, "master", expect->master);
	put(s, "lower", expect->lower);
	put_choice(s, "up", expect->up);
	put_unsigned(s, "mtu", expect->mtu, 0);
	if (expect->has_mac)
		str_put(s, " mac=" MAC_FMT, MAC_ARG(expect->mac));
	if (expect->has_owner)
		str_put(s, " owner=%u", expect->owner);
	str_put(s, ")");
}

static void put_nic(struct str *s, const struct nic *nic)
{
	str_put(s, " [%s %s", mode_name(nic->mode), nic->id);
	put(s, "ifname", nic->ifname);
	put_unsigned(s, "ifindex", nic->ifindex, 0);
	put(s, "bridge", nic->bridge);
	put(s, "helper", nic->helper);
	put_unsigned(s, "queues", nic->queues, 0);
	put_choice(s, "vhost", nic->vhost);
	put(s, "handoff", nic->handoff ? NULL : "off");
	put_pins(s, "fds=", &nic->fds);
	put_pins(s, "vhostfds=", &nic->vhostfds);
	put(s, "in", nic->in_argv ? "argv" : NULL);
	put(s, "netdev", nic->netdev);
	if (nic->has_mac)
		str_put(s, " mac=" MAC_FMT, MAC_ARG(nic->mac));
	put(s, "device", nic->has_device ? NULL : "none");
	put(s, "driver", strcmp(nic->driver, "virtio-net-pci") != 0 ? nic->driver : NULL);
	put_props(s, "device", &nic->device);
	put_props(s, "options", &nic->options);
	put_expect(s, &nic->expect);
	str_put(s, "]");
}

static void put_id(struct str *s, const char *key, const struct id_wish *id)
{
	if (id->given && id->name)
		str_put(s, " %s='%s'", key, id->name);
	else if (id->given)
		str_put(s, " %s=%u", key, id->id);
}

static void put_confine(struct str *s, const struct desc *desc)
{
	static const char *const landlock[] = { NULL, "preferred", "required" };

	for (unsigned i = 0; i < desc->n_cgroups; i++)
		put(s, "cgroup", desc->cgroups[i]);
	if (desc->cgroup_fd >= 0)
		str_put(s, " cgroup_fd=%d", desc->cgroup_fd);
	put(s, "seccomp", desc->seccomp.none ? "none" : NULL);
	put(s, "bpf", desc->seccomp.bpf);
	if (desc->seccomp.action != FILTER_ERRNO)
		put(s, "action", filter_action_name(desc->seccomp.action));
	for (unsigned g = 0; g < FILTER_GROUP__COUNT; g++)
		put(s, "allow", desc->seccomp.groups & FILTER_GROUP_BIT(g) ? filter_group_name(g) : NULL);
	put_id(s, "user", &desc->user);
	put_id(s, "group", &desc->group);
	put(s, "groups", desc->has_groups ? "given" : NULL);
	for (unsigned i = 0; i < desc->n_groups; i++)
		put_id(s, "groups[]", &desc->groups[i]);
	put(s, "landlock", landlock[desc->landlock]);
	for (unsigned i = 0; i < desc->box.n_read; i++)
		put(s, "read", desc->box.read[i]);
	for (unsigned i = 0; i < desc->box.n_write; i++)
		put(s, "write", desc->box.write[i]);
	put(s, "box", desc->box.on ? "on" : NULL);
	put(s, "files", desc->box.argv ? "argv" : NULL);
}

static void put_desc(struct str *s, const void *arg)
{
	static const char *const stdins[] = { NULL, "null", "tty" };
	const struct desc *desc = arg;

	put(s, "name", desc->name);
	put(s, "qemu", desc->qemu);
	for (unsigned i = 0; i < desc->n_args; i++)
		put(s, "arg", desc->args[i]);
	put_unsigned(s, "vcpus", desc->vcpus, 0);
	put_unsigned(s, "max_queues", desc->max_queues, 16);
	put(s, "vhost", desc->vhost ? NULL : "off");
	put_unsigned(s, "cid", desc->cid, 0);
	put_unsigned(s, "fd_base", desc->fd_base, 3);
	put(s, "stdin", stdins[desc->stdin_from]);
	put(s, "report", desc->report_path);
	if (desc->report_fd >= 0)
		str_put(s, " report_fd=%d", desc->report_fd);
	put_confine(s, desc);
	for (unsigned i = 0; i < desc->n_nics; i++)
		put_nic(s, &desc->nics[i]);
}

/* --- what is taken ----------------------------------------------------------------------------------------- */

#define S31 "abcdefghijklmnopqrstuvwxyz01234"
#define S63 S31 S31 "Z"
#define S255 S63 S63 S63 S63 "123"

static const struct good {
	const char *name, *json, *want;
} good[] = {
	{ "the smallest",		"{'version':1}",			"" },
	{ "white space",		" \n{ 'version' :\t1 }\r\n",		"" },
	{ "name",			ROOT("'name':'vm \xc3\xa9'"),		" name=vm \xc3\xa9" },
	{ "name of 255 bytes",		ROOT("'name':'" S255 "'"),		" name=" S255 },
	{ "qemu",			ROOT("'qemu':'/q'"),			" qemu=/q" },
	{ "args",			ROOT("'args':['-m','4G','']"),		" arg=-m arg=4G arg=" },
	{ "no args",			ROOT("'args':[]"),			"" },
	{ "vcpus: least",		ROOT("'vcpus':1"),			" vcpus=1" },
	{ "vcpus: most",		ROOT("'vcpus':4096"),			" vcpus=4096" },
	{ "a whole number with a point",	ROOT("'vcpus':4.0"),		" vcpus=4" },
	{ "a whole number with an exponent",	ROOT("'vcpus':1e2"),		" vcpus=100" },
	{ "max_queues: least",		ROOT("'max_queues':1"),			" max_queues=1" },
	{ "max_queues: most",		ROOT("'max_queues':64"),		" max_queues=64" },
	{ "vhost: false",		ROOT("'vhost':false"),			" vhost=off" },
	{ "vhost: true",		ROOT("'vhost':true"),			"" },
	{ "vsock: least",		ROOT("'vsock':{'cid':3}"),		" cid=3" },
	{ "vsock: most",		ROOT("'vsock':{'cid':4294967294}"),	" cid=4294967294" },
	{ "fd_base: least",		ROOT("'fd_base':3"),			"" },
	{ "fd_base: most",		ROOT("'fd_base':1048575"),		" fd_base=1048575" },
	{ "stdin: null",		ROOT("'stdin':'null'"),			" stdin=null" },
	{ "stdin: tty",			ROOT("'stdin':'tty'"),			" stdin=tty" },
	{ "report: a path",		ROOT("'report':'/run/r'"),		" report=/run/r" },
	{ "report: a descriptor",	ROOT("'report':{'fd':0}"),		" report_fd=0" },
	{ "report: the last descriptor", ROOT("'report':{'fd':1048575}"),	" report_fd=1048575" },
	{ "cgroup: a path",		ROOT("'cgroup':'/c'"),			" cgroup=/c" },
	{ "cgroup: paths",		ROOT("'cgroup':['/c','/d']"),		" cgroup=/c cgroup=/d" },
	{ "cgroup: a descriptor",	ROOT("'cgroup':{'fd':9}"),		" cgroup_fd=9" },
	{ "seccomp: qemu",		ROOT("'seccomp':'qemu'"),		"" },
	{ "seccomp: none",		ROOT("'seccomp':'none'"),		" seccomp=none" },
	{ "seccomp: profile none",	ROOT("'seccomp':{'profile':'none'}"),	" seccomp=none" },
	{ "seccomp: groups by need", ROOT("'seccomp':{'allow':'auto'}"), "" },
	{ "seccomp: all of the profile", ROOT("'seccomp':{'profile':'qemu','action':'log','allow':['io_uring','runas']}"),
	  " action=log allow=io_uring allow=runas" },
	{ "seccomp: bpf",		ROOT("'seccomp':{'bpf':'/f'}"),		" bpf=/f" },
	{ "user, group: names",		ROOT("'user':'u','group':'g'"),		" user='u' group='g'" },
	{ "user, group: numbers",	ROOT("'user':0,'group':4294967294"),	" user=0 group=4294967294" },
	{ "groups",			ROOT("'groups':[5,'kvm']"),
	  " groups=given groups[]=5 groups[]='kvm'" },
	{ "groups: none",		ROOT("'groups':[]"),			" groups=given" },
	{ "landlock: true",		ROOT("'landlock':true"),		" landlock=required" },
	{ "landlock: prefer",		ROOT("'landlock':'prefer'"),		" landlock=preferred" },
	{ "landlock: false",		ROOT("'landlock':false"),		"" },
	{ "landlock: the box",		ROOT("'landlock':{}"),			" landlock=required box=on" },
	{ "landlock: files of argv",	ROOT("'landlock':{'files':'argv'}"),
	  " landlock=required box=on files=argv" },
	{ "landlock: lists",		ROOT("'landlock':{'read':['/a','/b'],'write':['/c']}"),
	  " landlock=required read=/a read=/b write=/c box=on" },
	{ "landlock: optional box",	ROOT("'landlock':{'read':[],'optional':true}"), " landlock=preferred box=on" },
	{ "landlock: strict box",	ROOT("'landlock':{'optional':false}"),	" landlock=required box=on" },
	{ "no NICs",			ROOT("'nics':[]"),			"" },
	{ "mode user",			NICS("{'mode':'user'}"),		" [user net0]" },
	{ "mode bridge",		NICS("{'mode':'bridge','bridge':'br0'}"),
	  " [bridge net0 bridge=br0]" },
	{ "mode tap",			NICS("{'mode':'tap','ifname':'t0'}"),	" [tap net0 ifname=t0]" },
	{ "mode macvtap",		NICS("{'mode':'macvtap','ifname':'m0'}"),
	  " [macvtap net0 ifname=m0]" },
	{ "mode custom",		NICS("{'mode':'custom','netdev':'x,y'}"),
	  " [custom net0 netdev=x,y]" },
	{ "ids by index",		NICS("{'mode':'user'},{'mode':'user','id':'a'},{'mode':'user'}"),
	  " [user net0] [user a] [user net2]" },
	{ "id of 63 bytes",		USER("'id':'" S63 "'"),			" [user " S63 "]" },
	{ "id of every character",	USER("'id':'Z-._9'"),			" [user Z-._9]" },
	{ "ifname of 15 bytes",		NICS("{'mode':'tap','ifname':'123456789012345'}"),
	  " [tap net0 ifname=123456789012345]" },
	{ "ifname with signs",		NICS("{'mode':'tap','ifname':'a@b!._-+'}"),
	  " [tap net0 ifname=a@b!._-+]" },
	{ "ifname of three points",	NICS("{'mode':'tap','ifname':'...'}"),	" [tap net0 ifname=...]" },
	{ "ifindex",			MACVTAP("'ifindex':2147483647"),
	  " [macvtap net0 ifindex=2147483647]" },
	{ "ifname and ifindex",		MACVTAP("'ifindex':7,'ifname':'m0'"),
	  " [macvtap net0 ifname=m0 ifindex=7]" },
	{ "bridge, helper",		NICS("{'mode':'bridge','bridge':'br0','helper':'/h'}"),
	  " [bridge net0 bridge=br0 helper=/h]" },
	{ "queues: least",		TAP("'queues':1"),
	  " [tap net0 ifname=t0 queues=1]" },
	{ "queues: most",		TAP("'queues':64"),
	  " [tap net0 ifname=t0 queues=64]" },
	{ "vhost of a NIC: on",		TAP("'vhost':true"),
	  " [tap net0 ifname=t0 vhost=on]" },
	{ "vhost of a NIC: off",	TAP("'vhost':false"),
	  " [tap net0 ifname=t0 vhost=off]" },
	{ "handoff: false",		TAP("'handoff':false"),
	  " [tap net0 ifname=t0 handoff=off]" },
	{ "handoff: true",		TAP("'handoff':true"),			" [tap net0 ifname=t0]" },
	{ "fds, vhostfds",		TAP("'fds':[3,4],'vhostfds':[1048575,5]"),
	  " [tap net0 ifname=t0 fds=3:4 vhostfds=1048575:5]" },
	{ "netdev: argv",		TAP("'netdev':'argv'"),
	  " [tap net0 ifname=t0 in=argv]" },
	{ "mac: upper case",		USER("'mac':'52:54:00:AB:cd:EF'"),
	  " [user net0 mac=52:54:00:ab:cd:ef]" },
	{ "device: false",		USER("'device':false"),			" [user net0 device=none]" },
	{ "device: nothing",		USER("'device':{}"),			" [user net0]" },
	{ "device: driver",		USER("'device':{'driver':'e1000'}"),	" [user net0 driver=e1000]" },
	{ "device: every type",		USER("'device':{'a':'x,y','b':true,'c':false,'d':-5,'e':9007199254740991}"),
	  " [user net0 device.a=x,y device.b=on device.c=off device.d=-5 device.e=9007199254740991]" },
	{ "device: an empty value",	USER("'device':{'romfile':''}"),
	  " [user net0 device.romfile=]" },
	{ "options: an array repeats",	USER("'options':{'hostfwd':['tcp::1-:1','udp::2-:2'],'net':'10.0.0.0/8'}"),
	  " [user net0 options.hostfwd=tcp::1-:1 options.hostfwd=udp::2-:2 options.net=10.0.0.0/8]" },
	{ "options: an empty array",	USER("'options':{'hostfwd':[]}"),	" [user net0]" },
	{ "expect: all",		TAP("'expect':{'master':'br0','lower':'e0','up':true,'mtu':1500,"
					    "'mac':'02:00:00:00:00:01','owner':0}"),
	  " [tap net0 ifname=t0 expect( master=br0 lower=e0 up=on mtu=1500 mac=02:00:00:00:00:01 owner=0)]" },
	{ "expect: down",		TAP("'expect':{'up':false}"),
	  " [tap net0 ifname=t0 expect( up=off)]" },
	{ "a key with an escape in it",	USER("'qu\\u0065ues':1"),		" [user net0 queues=1]" },
};

static void taken(void **state)
{
	const struct good *row = *state;
	struct desc desc = { 0 };
	const char *json;
	struct unit u;
	int ret;

	unit_open(&u);
	json = unit_json(&u, row->json);
	ret = desc_parse(json, strlen(json), mode_syntax, &u.mem, &desc, &u.ds);
	assert_string_equal(unit_problems(&u), "");
	assert_int_equal(ret, 0);
	assert_string_equal(str_make(&u.mem, put_desc, &desc), row->want);
	unit_close(&u);
}

/* --- what is refused ---------------------------------------------------------------------------------------- */

static const struct bad {
	const char *name, *json, *problems;
	const char *message, *hint;	/* of the first problem; NULL: any; a hint of "": there is none */
} bad[] = {
	/* the whole */
	{ "not an object",		"[1]",			"descriptor-type -",
	  "must be an object, not an array", NULL },
	{ "an empty array",		"[]",			"descriptor-type -", NULL, NULL },
	{ "a string",			"'x'",			"descriptor-type -",
	  "must be an object, not a string", NULL },
	{ "nothing",			"",			"descriptor-syntax - 1:1", "expected an object",
	  NULL },
	{ "not JSON",			"{'version':1,\n 'vcpus':}",	"descriptor-syntax - 2:10",
	  "expected a value", NULL },
	{ "no closing brace",		"{'version':1",		"descriptor-syntax - 1:12",
	  "the text ends inside an object or an array", NULL },
	{ "a comma too many",		"{'version':1,}",	"descriptor-syntax - 1:14",
	  "trailing comma", NULL },
	{ "a comma too many in a NIC",	"{'version':1,'nics':[{'mode':'user',}]}",
	  "descriptor-syntax - 1:37", "trailing comma", NULL },
	{ "a comma too many in an array", "{'version':1,'args':['a',]}",
	  "descriptor-syntax - 1:26", "trailing comma", NULL },
	{ "no comma",			"{'version':1 'vcpus':2}", "descriptor-syntax - 1:14",
	  "expected ',' or '}'", NULL },
	{ "no comma in an array",	"{'version':1,'args':['a' 'b']}", "descriptor-syntax - 1:26",
	  "expected ',' or ']'", NULL },
	{ "no colon",			"{'version' 1}",	"descriptor-syntax - 1:12",
	  "expected ':'", NULL },
	{ "a key without quotes",	"{version:1}",		"descriptor-syntax - 1:2",
	  "expected a key in double quotes", NULL },
	{ "a comment",			"{'version':1, // one\n'vcpus':2}",
	  "descriptor-syntax - 1:15", "JSON has no comments", NULL },
	{ "a comment of a shell",	"{'version':1 # one\n}", "descriptor-syntax - 1:14",
	  "JSON has no comments", NULL },
	{ "yes",			"{'version':1,'vhost':yes}", "descriptor-syntax - 1:22",
	  "expected true, not 'yes'", NULL },
	{ "True",			"{'version':1,'vhost':True}", "descriptor-syntax - 1:22",
	  "expected true, not 'True'", NULL },
	{ "None in an array",		"{'version':1,'args':[None]}", "descriptor-syntax - 1:22",
	  "expected null, not 'None'", NULL },
	{ "a string without quotes",	"{'version':1,'name':vm7}", "descriptor-syntax - 1:21",
	  "expected a value; a string needs double quotes", NULL },
	{ "a lone surrogate",		ROOT("'name':'\\ud800'"), "descriptor-syntax - 1:22", NULL, NULL },
	{ "a screened byte",		ROOT("'name':'\t'"),	"descriptor-syntax - 1:22",
	  "a control character in a string", NULL },
	{ "17 levels",			ROOT("'args':[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]"),
	  "descriptor-depth - 1:36", NULL, NULL },
	/* version */
	{ "no version",			"{}",			"descriptor-missing-key -",
	  "'version' is missing", NULL },
	{ "version 2, with its keys",	"{'version':2,'future':true}", "descriptor-version version 1:2",
	  "format version 2 is not supported", "\"version\": 1" },
	{ "version 1.5",		"{'version':1.5}",	"descriptor-version version 1:2", NULL,
	  NULL },
	{ "version is text",		"{'version':'1'}",	"descriptor-type version 1:2",
	  "must be a whole number, not a string", NULL },
	{ "version twice",		"{'version':1,'version':1}", "descriptor-duplicate-key version 1:14",
	  "given twice", NULL },
	{ "version 1, then 2",		"{'version':1,'version':2}", "descriptor-version version 1:2", NULL,
	  NULL },
	/* keys */
	{ "unknown key",		ROOT("'frobnicate':1"),	"descriptor-unknown-key frobnicate 1:14",
	  "unknown key", NULL },
	{ "key in upper case",		ROOT("'VCPUS':4"),	"descriptor-unknown-key VCPUS 1:14", NULL,
	  "use 'vcpus'" },
	{ "key with a letter less",	ROOT("'vcpu':4"),	"descriptor-unknown-key vcpu 1:14", NULL,
	  "use 'vcpus'" },
	{ "key with other letters",	ROOT("'max-queue':4"),	"descriptor-unknown-key max-queue 1:14", NULL,
	  "use 'max_queues'" },
	{ "nearest of two",		ROOT("'groupz':4"),	"descriptor-unknown-key groupz 1:14", NULL,
	  "use 'group'" },
	{ "unknown key of a NIC",	TAP("'queue':2"),	"descriptor-unknown-key nics[0].queue 1:50",
	  NULL, "use 'queues'" },
	{ "unknown key of expect",	TAP("'expect':{'mtuu':1}"),
	  "descriptor-unknown-key nics[0].expect.mtuu 1:60", NULL, "use 'mtu'" },
	{ "letters in another order",	ROOT("'nisc':[]"),	"descriptor-unknown-key nisc 1:14", NULL, "use 'nics'" },
	{ "a short key with a letter more", "{'version':1,'nics':[{'mode':'tap','macc':'x'}]}",
	  "descriptor-unknown-key nics[0].macc 1:36", NULL, "use 'mac'" },
	{ "another word",		ROOT("'memory':1"),	"descriptor-unknown-key memory 1:14", NULL, "" },
	{ "another word of a NIC",	TAP("'speed':1"),	"descriptor-unknown-key nics[0].speed 1:50", NULL, "" },
	{ "what ip calls it",		TAP("'dev':'x'"),	"descriptor-unknown-key nics[0].dev 1:50", NULL, "use 'ifname'" },
	{ "what libvirt calls it",	ROOT("'interfaces':[]"), "descriptor-unknown-key interfaces 1:14", NULL, "use 'nics'" },
	{ "what QEMU calls it",		ROOT("'SMP':4"),	"descriptor-unknown-key SMP 1:14", NULL, "use 'vcpus'" },
	{ "what is no key there",	ROOT("'dev':'x'"),	"descriptor-unknown-key dev 1:14", NULL, "" },
	{ "schema for an editor, a number", "{'$schema':'x','version':1,'vcpus':'x'}", "descriptor-type vcpus 1:28", NULL, NULL },
	{ "schema that is no text",	"{'$schema':1,'version':1}", "descriptor-type $schema 1:2", NULL, NULL },
	{ "unknown key of vsock",	ROOT("'vsock':{'cid':3,'x':1}"),
	  "descriptor-unknown-key vsock.x 1:31", NULL, NULL },
	{ "vsock: cid as a property",	ROOT("'vsock':{'cid':3,'device':{'guest-cid':4}}"),
	  "device-conflict vsock.device.guest-cid 1:41", "belongs in vsock's \"cid\"", NULL },
	{ "vsock: vhostfd as a property", ROOT("'vsock':{'cid':3,'device':{'vhostfd':'4'}}"),
	  "device-conflict vsock.device.vhostfd 1:41", "is the descriptor that this program opens", NULL },
	{ "vsock: device is no object",	ROOT("'vsock':{'cid':3,'device':false}"),
	  "descriptor-type vsock.device 1:31", NULL, NULL },
	{ "vsock: driver is a number",	ROOT("'vsock':{'cid':3,'device':{'driver':4}}"),
	  "descriptor-type vsock.device.driver 1:41", NULL, NULL },
	{ "unknown key of seccomp",	ROOT("'seccomp':{'alow':[]}"),
	  "descriptor-unknown-key seccomp.alow 1:25", NULL, "use 'allow'" },
	{ "an empty key",		ROOT("'':1"),		"descriptor-unknown-key  1:14", NULL, NULL },
	{ "a key of 200 bytes",		ROOT("'" S63 S63 S63 "':1"),
	  "descriptor-unknown-key " S63 S63 S63 " 1:14", NULL, NULL },
	{ "key twice",			ROOT("'vcpus':2,'vcpus':2"), "descriptor-duplicate-key vcpus 1:24",
	  "given twice", NULL },
	{ "key three times",		ROOT("'vcpus':2,'vcpus':2,'vcpus':2"),
	  "descriptor-duplicate-key vcpus 1:24; descriptor-duplicate-key vcpus 1:24", NULL, NULL },
	{ "key twice, once escaped",	ROOT("'vcpus':2,'vcpu\\u0073':2"), "descriptor-duplicate-key vcpus",
	  NULL, NULL },
	{ "key of a NIC twice",		TAP("'queues':2,'queues':4"),
	  "descriptor-duplicate-key nics[0].queues 1:61", NULL, NULL },
	{ "property twice",		USER("'device':{'a':1,'b':2,'a':1}"),
	  "descriptor-duplicate-key nics[0].device.a 1:59", NULL, NULL },
	{ "first property twice in a row", USER("'device':{'a':1,'a':1}"),
	  "descriptor-duplicate-key nics[0].device.a 1:53", NULL, NULL },
	{ "driver twice",		USER("'device':{'driver':'a','driver':'b'}"),
	  "descriptor-duplicate-key nics[0].device.driver 1:60", NULL, NULL },
	{ "problems of the whole, in their order", "{'vcpus':0,\n'nics':[{'mode':'tap','queues':65},\n{'mod':'user'}]}",
	  "descriptor-range vcpus 1:2; descriptor-range nics[0].queues 2:23; descriptor-unknown-key nics[1].mod 3:2; descriptor-missing-key nics[1] 3:1; descriptor-missing-key -", NULL, NULL },
	/* numbers */
	{ "1e400 for a count",		ROOT("'vcpus':1e400"),	"descriptor-range vcpus 1:14",
	  "must be a whole number from 1 to 4096, not inf", NULL },
	{ "-1e400 for a count",		ROOT("'vcpus':-1e400"),	"descriptor-range vcpus 1:14",
	  "must be a whole number from 1 to 4096, not -inf", NULL },
	{ "4.5 for a count",		ROOT("'vcpus':4.5"),	"descriptor-range vcpus 1:14",
	  "must be a whole number from 1 to 4096, not 4.5", NULL },
	{ "-1 for a count",		ROOT("'vcpus':-1"),	"descriptor-range vcpus 1:14",
	  "must be a whole number from 1 to 4096, not -1", NULL },
	{ "2^53+1 for a count",		ROOT("'vcpus':9007199254740993"), "descriptor-range vcpus 1:14", NULL,
	  NULL },
	{ "2^32+1 for a count",		ROOT("'vcpus':4294967297"), "descriptor-range vcpus 1:14", NULL,
	  NULL },
	{ "0 for a count",		ROOT("'vcpus':0"),	"descriptor-range vcpus 1:14", NULL, NULL },
	{ "4097 vcpus",			ROOT("'vcpus':4097"),	"descriptor-range vcpus 1:14", NULL, NULL },
	{ "text for a count",		ROOT("'vcpus':'4'"),	"descriptor-type vcpus 1:14",
	  "must be a whole number, not a string", NULL },
	{ "null for a count",		ROOT("'vcpus':null"),	"descriptor-type vcpus 1:14",
	  "must be a whole number, not null", NULL },
	{ "true for a count",		ROOT("'vcpus':true"),	"descriptor-type vcpus 1:14",
	  "must be a whole number, not a boolean", NULL },
	{ "an array for a count",	ROOT("'vcpus':[4]"),	"descriptor-type vcpus 1:14",
	  "must be a whole number, not an array", NULL },
	{ "max_queues 0",		ROOT("'max_queues':0"),	"descriptor-range max_queues 1:14",
	  "must be a whole number from 1 to 64, not 0", NULL },
	{ "max_queues 65",		ROOT("'max_queues':65"), "descriptor-range max_queues 1:14", NULL,
	  NULL },
	{ "fd_base 2",			ROOT("'fd_base':2"),	"descriptor-range fd_base 1:14",
	  "must be a whole number from 3 to 1048575, not 2", NULL },
	{ "fd_base too high",		ROOT("'fd_base':1048576"), "descriptor-range fd_base 1:14", NULL,
	  NULL },
	{ "cid 2, the host",		ROOT("'vsock':{'cid':2}"), "descriptor-range vsock.cid 1:23", NULL,
	  NULL },
	{ "cid 2^32-1, any",		ROOT("'vsock':{'cid':4294967295}"), "descriptor-range vsock.cid 1:23",
	  NULL, NULL },
	/* the rest of the descriptor */
	{ "name: empty",		ROOT("'name':''"),	"descriptor-value name 1:14", NULL, NULL },
	{ "name: 256 bytes",		ROOT("'name':'" S255 "x'"), "descriptor-range name 1:14",
	  "must be at most 255 bytes long", NULL },
	{ "name: a number",		ROOT("'name':1"),	"descriptor-type name 1:14",
	  "must be a string, not a number", NULL },
	{ "qemu: relative",		ROOT("'qemu':'bin/q'"),	"descriptor-value qemu 1:14",
	  "'bin/q' is not an absolute path", NULL },
	{ "qemu: the root",		ROOT("'qemu':'/'"),	"descriptor-value qemu 1:14", NULL, NULL },
	{ "args: text",			ROOT("'args':'-m 4G'"),	"descriptor-type args 1:14",
	  "must be an array, not a string", NULL },
	{ "args: a number in it",	ROOT("'args':['-m',\n4]"), "descriptor-type args[1] 2:1",
	  "must be a string, not a number", NULL },
	{ "vhost: text",		ROOT("'vhost':'on'"),	"descriptor-type vhost 1:14",
	  "must be true or false, not a string", NULL },
	{ "vsock: a number",		ROOT("'vsock':3"),	"descriptor-type vsock 1:14",
	  "must be an object, not a number", NULL },
	{ "vsock: no cid",		ROOT("'vsock':{}"),	"descriptor-missing-key vsock 1:14",
	  "'cid' is missing", NULL },
	{ "stdin: another word",	ROOT("'stdin':'pty'"),	"descriptor-value stdin 1:14",
	  "'pty' is not \"null\" or \"tty\"", NULL },
	{ "stdin: null itself",		ROOT("'stdin':null"),	"descriptor-type stdin 1:14", NULL, NULL },
	{ "report: relative",		ROOT("'report':'r'"),	"descriptor-value report 1:14", NULL, NULL },
	{ "report: a number",		ROOT("'report':3"),	"descriptor-type report 1:14", NULL, NULL },
	{ "report: no fd",		ROOT("'report':{}"),	"descriptor-missing-key report 1:14", NULL,
	  NULL },
	{ "report: fd too high",	ROOT("'report':{'fd':1048576}"), "descriptor-range report.fd 1:24",
	  NULL, NULL },
	{ "cgroup: relative",		ROOT("'cgroup':'a'"),	"descriptor-value cgroup 1:14", NULL, NULL },
	{ "cgroup: relative, second",	ROOT("'cgroup':['/a','b']"), "descriptor-value cgroup[1] 1:29", NULL,
	  NULL },
	{ "cgroup: a number",		ROOT("'cgroup':1"),	"descriptor-type cgroup 1:14", NULL, NULL },
	{ "cgroup: fd 2, which QEMU keeps", ROOT("'cgroup':{'fd':2}"), "descriptor-range cgroup.fd 1:24", NULL,
	  NULL },
	{ "cgroup: fd -1",		ROOT("'cgroup':{'fd':-1}"), "descriptor-range cgroup.fd 1:24", NULL,
	  NULL },
	{ "seccomp: another profile",	ROOT("'seccomp':'strict'"), "descriptor-value seccomp 1:14", NULL,
	  NULL },
	{ "seccomp: another profile, in an object", ROOT("'seccomp':{'profile':'strict'}"),
	  "descriptor-value seccomp.profile 1:25", NULL, NULL },
	{ "seccomp: a profile that is a number", ROOT("'seccomp':{'profile':1}"),
	  "descriptor-type seccomp.profile 1:25", NULL, NULL },
	{ "seccomp: an action that is a number", ROOT("'seccomp':{'action':1}"),
	  "descriptor-type seccomp.action 1:25", NULL, NULL },
	{ "seccomp: groups by a name alone", ROOT("'seccomp':{'allow':'runas'}"),
	  "descriptor-type seccomp.allow 1:25", NULL, NULL },
	{ "cgroup: fd that is text", ROOT("'cgroup':{'fd':'3'}"), "descriptor-type cgroup.fd 1:24", NULL,
	  NULL },
	{ "stdin: empty", ROOT("'stdin':''"), "descriptor-value stdin 1:14", NULL, NULL },
	{ "seccomp: false",		ROOT("'seccomp':false"), "descriptor-type seccomp 1:14", NULL, NULL },
	{ "seccomp: none and an action", ROOT("'seccomp':{'profile':'none','action':'log'}"),
	  "descriptor-value seccomp 1:14", NULL, NULL },
	{ "seccomp: bpf and a profile",	ROOT("'seccomp':{'bpf':'/f','profile':'qemu'}"),
	  "descriptor-value seccomp 1:14", NULL, NULL },
	{ "seccomp: bpf relative",	ROOT("'seccomp':{'bpf':'f'}"), "descriptor-value seccomp.bpf 1:25",
	  NULL, NULL },
	{ "seccomp: another action",	ROOT("'seccomp':{'action':'warn'}"),
	  "descriptor-value seccomp.action 1:25", NULL, NULL },
	{ "seccomp: another group",	ROOT("'seccomp':{'allow':['runas','all']}"),
	  "descriptor-value seccomp.allow[1] 1:42", NULL, NULL },
	{ "seccomp: a group that is none", ROOT("'seccomp':{'allow':[1]}"),
	  "descriptor-type seccomp.allow[0] 1:34", NULL, NULL },
	{ "user: empty",		ROOT("'user':''"),	"descriptor-value user 1:14", NULL, NULL },
	{ "user: 2^32-1",		ROOT("'user':4294967295"), "descriptor-range user 1:14", NULL, NULL },
	{ "user: true",			ROOT("'user':true"),	"descriptor-type user 1:14", NULL, NULL },
	{ "group: -1",			ROOT("'group':-1"),	"descriptor-range group 1:14", NULL, NULL },
	{ "groups: a name alone",	ROOT("'groups':'kvm'"),	"descriptor-type groups 1:14", NULL, NULL },
	{ "groups: null, then a good one", ROOT("'groups':[null,1]"), "descriptor-type groups[0] 1:24", NULL,
	  NULL },
	{ "cgroup: relative, then a good one", ROOT("'cgroup':['a','/b']"), "descriptor-value cgroup[0] 1:24",
	  NULL, NULL },
	{ "groups: null in it",		ROOT("'groups':[1,null]"), "descriptor-type groups[1] 1:26", NULL,
	  NULL },
	{ "landlock: files of another word", ROOT("'landlock':{'files':'all'}"),
	  "descriptor-value landlock.files 1:26", NULL, NULL },
	{ "landlock: another word",	ROOT("'landlock':'maybe'"), "descriptor-value landlock 1:14", NULL,
	  NULL },
	/* NICs */
	{ "nics: an object",		ROOT("'nics':{}"),	"descriptor-type nics 1:14", NULL, NULL },
	{ "a NIC that is a number",	NICS("{'mode':'user'},5"), "descriptor-type nics[1] 1:38",
	  "must be an object, not a number", NULL },
	{ "no mode",			NICS("{'id':'a'}"),	"descriptor-missing-key nics[0] 1:22",
	  "'mode' is missing", NULL },
	{ "another mode",		NICS("{'mode':'vdpa'}"), "descriptor-value nics[0].mode 1:23",
	  "'vdpa' is not a mode: user, bridge, tap, macvtap, passt, vhost-user, vhost-vdpa, custom", NULL },
	{ "mode in upper case",		NICS("{'mode':'TAP','ifname':'t0'}"),
	  "descriptor-value nics[0].mode 1:23", NULL, NULL },
	{ "mode is a number",		NICS("{'mode':1}"),	"descriptor-type nics[0].mode 1:23", NULL,
	  NULL },
	{ "bridge without bridge",	NICS("{'mode':'bridge'}"), "descriptor-missing-key nics[0] 1:22",
	  "'bridge' is missing", NULL },
	{ "tap without ifname",		NICS("{'mode':'tap'}"),	"descriptor-missing-key nics[0] 1:22",
	  "'ifname' is missing", NULL },
	{ "macvtap without either",	NICS("{'mode':'macvtap'}"), "descriptor-missing-key nics[0] 1:22",
	  "'ifname' or 'ifindex' is missing", NULL },
	{ "custom without netdev",	NICS("{'mode':'custom'}"), "descriptor-missing-key nics[0] 1:22",
	  "'netdev' is missing", NULL },
	{ "a key of another mode",	USER("'ifname':'t0'"),	"descriptor-key-not-here nics[0].ifname 1:37",
	  "mode 'user' does not have this key", NULL },
	{ "two keys of another mode",	NICS("{'options':{},'ifindex':1,'mode':'tap','ifname':'t0'}"),
	  "descriptor-key-not-here nics[0].ifindex 1:36; descriptor-key-not-here nics[0].options 1:23", NULL, NULL },
	{ "netdev: another word",	TAP("'netdev':'tap,id=net0'"), "descriptor-value nics[0].netdev 1:50",
	  "must be \"argv\" in mode 'tap'", NULL },
	{ "netdev argv: a property of the device", TAP("'netdev':'argv','device':{'host_mtu':1400}"),
	  "descriptor-key-not-here nics[0].device 1:66",
	  "argv has the device, so its properties belong there", NULL },
	{ "netdev argv: a driver", TAP("'device':{'driver':'e1000'},'netdev':'argv'"),
	  "descriptor-key-not-here nics[0].device 1:50", NULL, NULL },
	{ "netdev: empty",		NICS("{'mode':'custom','netdev':''}"),
	  "descriptor-value nics[0].netdev 1:39", NULL, NULL },
	{ "id: empty",			USER("'id':''"),	"descriptor-value nics[0].id 1:37", NULL,
	  NULL },
	{ "id: a digit first",		USER("'id':'0a'"),	"descriptor-value nics[0].id 1:37", NULL,
	  NULL },
	{ "id: comma",			USER("'id':'a,b'"),	"descriptor-value nics[0].id 1:37",
	  "'a,b' is not an id: a letter, then up to 62 letters, digits, '-', '.' or '_'", NULL },
	{ "id: space",			USER("'id':'a b'"),	"descriptor-value nics[0].id 1:37", NULL,
	  NULL },
	{ "id: slash",			USER("'id':'a/b'"),	"descriptor-value nics[0].id 1:37", NULL,
	  NULL },
	{ "id: newline",		USER("'id':'a\\nb'"),	"descriptor-syntax - 1:44",
	  "an escape for a control character", NULL },
	{ "id: equals sign",		USER("'id':'a=b'"),	"descriptor-value nics[0].id 1:37", NULL,
	  NULL },
	{ "id: not ASCII",		USER("'id':'a\xc3\xa9'"), "descriptor-value nics[0].id 1:37", NULL,
	  NULL },
	{ "id: 64 bytes",		USER("'id':'" S63 "x'"), "descriptor-value nics[0].id 1:37", NULL,
	  NULL },
	{ "id: of two NICs",		NICS("{'mode':'user','id':'a'},{'mode':'user','id':'a'}"),
	  "duplicate-id nics[1].id 1:62", "nics[0] also has the id 'a'", NULL },
	{ "id: of another's default",	NICS("{'mode':'user'},{'mode':'user','id':'net0'}"),
	  "duplicate-id nics[1].id 1:53", NULL, NULL },
	{ "id: a default that another has", NICS("{'mode':'user','id':'net1'},{'mode':'user'}"),
	  "duplicate-id nics[1].id 1:50", NULL, NULL },
	{ "ifname: empty",		NICS("{'mode':'tap','ifname':''}"),
	  "descriptor-value nics[0].ifname 1:36", NULL, NULL },
	{ "ifname: comma",		NICS("{'mode':'tap','ifname':'a,b'}"),
	  "descriptor-value nics[0].ifname 1:36",
	  "'a,b' is not a link name: 1 to 15 printable characters without / : , = %", NULL },
	{ "ifname: space",		NICS("{'mode':'tap','ifname':'a b'}"),
	  "descriptor-value nics[0].ifname 1:36", NULL, NULL },
	{ "ifname: slash",		NICS("{'mode':'tap','ifname':'a/b'}"),
	  "descriptor-value nics[0].ifname 1:36", NULL, NULL },
	{ "ifname: colon",		NICS("{'mode':'tap','ifname':'a:b'}"),
	  "descriptor-value nics[0].ifname 1:36", NULL, NULL },
	{ "ifname: equals sign",	NICS("{'mode':'tap','ifname':'a=b'}"),
	  "descriptor-value nics[0].ifname 1:36", NULL, NULL },
	{ "ifname: per cent",		NICS("{'mode':'tap','ifname':'tap%d'}"),
	  "descriptor-value nics[0].ifname 1:36", NULL, NULL },
	{ "ifname: newline",		NICS("{'mode':'tap','ifname':'a\\nb'}"), "descriptor-syntax - 1:47",
	  NULL, NULL },
	{ "ifname: point",		NICS("{'mode':'tap','ifname':'.'}"),
	  "descriptor-value nics[0].ifname 1:36", NULL, NULL },
	{ "ifname: two points",		NICS("{'mode':'tap','ifname':'..'}"),
	  "descriptor-value nics[0].ifname 1:36", NULL, NULL },
	{ "ifname: a minus first",	NICS("{'mode':'tap','ifname':'-a'}"),
	  "descriptor-value nics[0].ifname 1:36", NULL, NULL },
	{ "ifname: not ASCII",		NICS("{'mode':'tap','ifname':'\xc3\xa9'}"),
	  "descriptor-value nics[0].ifname 1:36", NULL, NULL },
	{ "ifname: 16 bytes",		NICS("{'mode':'tap','ifname':'1234567890123456'}"),
	  "descriptor-value nics[0].ifname 1:36", NULL, NULL },
	{ "ifindex: 0",			MACVTAP("'ifindex':0"),	"descriptor-range nics[0].ifindex 1:40", NULL,
	  NULL },
	{ "ifindex: 2^31",		MACVTAP("'ifindex':2147483648"),
	  "descriptor-range nics[0].ifindex 1:40", NULL, NULL },
	{ "bridge: comma",		NICS("{'mode':'bridge','bridge':'br0,helper=/x'}"),
	  "descriptor-value nics[0].bridge 1:39", NULL, NULL },
	{ "helper: relative",		NICS("{'mode':'bridge','bridge':'br0','helper':'h'}"),
	  "descriptor-value nics[0].helper 1:54", NULL, NULL },
	{ "queues: 0",			TAP("'queues':0"),	"descriptor-range nics[0].queues 1:50",
	  "must be a whole number from 1 to 64, not 0", NULL },
	{ "queues: 65",			TAP("'queues':65"),	"descriptor-range nics[0].queues 1:50", NULL,
	  NULL },
	{ "vhost of a NIC: a number",	TAP("'vhost':1"),	"descriptor-type nics[0].vhost 1:50", NULL,
	  NULL },
	{ "handoff: null",		TAP("'handoff':null"),	"descriptor-type nics[0].handoff 1:50", NULL,
	  NULL },
	{ "fds: a number",		TAP("'fds':3"),		"descriptor-type nics[0].fds 1:50", NULL,
	  NULL },
	{ "fds: empty",			TAP("'fds':[]"),	"descriptor-range nics[0].fds 1:50",
	  "the array must not be empty", NULL },
	{ "fds: 2 is the caller's",	TAP("'fds':[3,2]"),	"descriptor-range nics[0].fds[1] 1:59",
	  "must be a whole number from 3 to 1048575, not 2", NULL },
	{ "fds: 2, then a good one", TAP("'fds':[2,3]"), "descriptor-range nics[0].fds[0] 1:57", NULL, NULL },
	{ "fds: text in it",		TAP("'fds':['3']"),	"descriptor-type nics[0].fds[0] 1:57", NULL,
	  NULL },
	{ "vhostfds: too high",		TAP("'vhostfds':[1048576]"),
	  "descriptor-range nics[0].vhostfds[0] 1:62", NULL, NULL },
	{ "mac: a number",		USER("'mac':5254"),	"descriptor-type nics[0].mac 1:37", NULL,
	  NULL },
	{ "mac: multicast",		USER("'mac':'01:00:5e:00:00:01'"),
	  "descriptor-value nics[0].mac 1:37",
	  "'01:00:5e:00:00:01' is not a unicast address: it is multicast or zero", NULL },
	{ "mac: broadcast",		USER("'mac':'ff:ff:ff:ff:ff:ff'"),
	  "descriptor-value nics[0].mac 1:37", NULL, NULL },
	{ "mac: zero",			USER("'mac':'00:00:00:00:00:00'"),
	  "descriptor-value nics[0].mac 1:37", NULL, NULL },
	{ "mac: with dashes",		USER("'mac':'52-54-00-12-34-56'"),
	  "descriptor-value nics[0].mac 1:37",
	  "'52-54-00-12-34-56' is not an Ethernet address such as 52:54:00:12:34:56", NULL },
	{ "mac: five pairs",		USER("'mac':'52:54:00:12:34'"), "descriptor-value nics[0].mac 1:37",
	  NULL, NULL },
	{ "mac: seven pairs",		USER("'mac':'52:54:00:12:34:56:78'"),
	  "descriptor-value nics[0].mac 1:37", NULL, NULL },
	{ "mac: one digit",		USER("'mac':'52:54:0:12:34:56'"), "descriptor-value nics[0].mac 1:37",
	  NULL, NULL },
	{ "mac: not hexadecimal",	USER("'mac':'52:54:00:12:34:5g'"),
	  "descriptor-value nics[0].mac 1:37", NULL, NULL },
	{ "mac: empty",			USER("'mac':''"),	"descriptor-value nics[0].mac 1:37", NULL,
	  NULL },
	{ "device: true",		USER("'device':true"),	"descriptor-type nics[0].device 1:37",
	  "must be an object, or false, not a boolean", NULL },
	{ "device: driver with a comma", USER("'device':{'driver':'e1000,netdev=x'}"),
	  "descriptor-value nics[0].device.driver 1:47", NULL, NULL },
	{ "device: driver help", USER("'device':{'driver':'help'}"),
	  "descriptor-value nics[0].device.driver 1:47", NULL, NULL },
	{ "device: a property help", USER("'device':{'help':true}"),
	  "descriptor-value nics[0].device.help 1:47", NULL, NULL },
	{ "options: a property help", USER("'options':{'help':true}"),
	  "descriptor-value nics[0].options.help 1:48", NULL, NULL },
	{ "device: a key with a comma",	USER("'device':{'a,b':1}"),
	  "descriptor-value nics[0].device.a,b 1:47", "not the name of a QEMU property", NULL },
	{ "device: a key with an equals sign", USER("'device':{'a=b':1}"),
	  "descriptor-value nics[0].device.a=b 1:47", NULL, NULL },
	{ "device: an empty key",	USER("'device':{'':1}"), "descriptor-value nics[0].device. 1:47",
	  NULL, NULL },
	{ "device: a value that is an object", USER("'device':{'a':{}}"),
	  "descriptor-type nics[0].device.a 1:47", NULL, NULL },
	{ "device: a value that is an array", USER("'device':{'a':[1]}"),
	  "descriptor-type nics[0].device.a 1:47", NULL, NULL },
	{ "device: a value that is null", USER("'device':{'a':null}"),
	  "descriptor-type nics[0].device.a 1:47", "must be a string, a number or a boolean, not null",
	  NULL },
	{ "device: 4.5",		USER("'device':{'a':4.5}"), "descriptor-range nics[0].device.a 1:47",
	  "must be a whole number below 2^53", NULL },
	{ "device: 2^53",		USER("'device':{'a':9007199254740992}"),
	  "descriptor-range nics[0].device.a 1:47", NULL, NULL },
	{ "device: 2^53+1",		USER("'device':{'a':9007199254740993}"),
	  "descriptor-range nics[0].device.a 1:47", NULL, NULL },
	{ "device: 1e400",		USER("'device':{'a':1e400}"),
	  "descriptor-range nics[0].device.a 1:47", NULL, NULL },
	{ "options: an array",		USER("'options':[]"),	"descriptor-type nics[0].options 1:37", NULL,
	  NULL },
	{ "options: id",		USER("'options':{'id':'x'}"),
	  "device-conflict nics[0].options.id 1:48", "is set by the NIC's own keys", NULL },
	{ "options: type",		USER("'options':{'type':'tap'}"),
	  "device-conflict nics[0].options.type 1:48", NULL, NULL },
	{ "options: an array in an array", USER("'options':{'a':[[1]]}"),
	  "descriptor-type nics[0].options.a[0] 1:53", NULL, NULL },
	{ "expect: nothing",		TAP("'expect':{}"),	"descriptor-value nics[0].expect 1:50",
	  "must not be empty: name at least one fact, or leave out the key", NULL },
	{ "a name as ip shows it",	"{'version':1,'nics':[{'mode':'tap','ifname':'macvtap0@enp0s31f6'}]}",
	  "descriptor-value nics[0].ifname 1:36", NULL,
	  "\"macvtap0\"; what 'ip' shows after '@' is the lower link" },
	{ "an alternative name",	"{'version':1,'nics':[{'mode':'tap','ifname':'enx000000000000-uplink'}]}",
	  "descriptor-value nics[0].ifname 1:36", NULL,
	  "the name at the start of the output of 'ip -o link show dev enx000000000000-uplink'; "
	  "this may be an alternative name" },
	{ "expect: text",		TAP("'expect':'up'"),	"descriptor-type nics[0].expect 1:50", NULL,
	  NULL },
	{ "expect: master",		TAP("'expect':{'master':'a/b'}"),
	  "descriptor-value nics[0].expect.master 1:60", NULL, NULL },
	{ "expect: lower",		TAP("'expect':{'lower':''}"),
	  "descriptor-value nics[0].expect.lower 1:60", NULL, NULL },
	{ "expect: up",			TAP("'expect':{'up':1}"), "descriptor-type nics[0].expect.up 1:60",
	  NULL, NULL },
	{ "expect: mtu",		TAP("'expect':{'mtu':0}"), "descriptor-range nics[0].expect.mtu 1:60",
	  NULL, NULL },
	{ "expect: mac",		TAP("'expect':{'mac':'x'}"),
	  "descriptor-value nics[0].expect.mac 1:60", NULL, NULL },
	{ "expect: owner",		TAP("'expect':{'owner':4294967295}"),
	  "descriptor-range nics[0].expect.owner 1:60", NULL, NULL },
};

static void refused(void **state)
{
	const struct bad *row = *state;
	struct desc desc = { .vcpus = 77 };
	const char *json;
	struct unit u;
	int ret;

	unit_open(&u);
	json = unit_json(&u, row->json);
	ret = desc_parse(json, strlen(json), mode_syntax, &u.mem, &desc, &u.ds);
	assert_string_equal(unit_problems(&u), row->problems);
	assert_int_equal(ret, -1);
	assert_int_equal(u.ds.status, EXIT_DESC);
	if (row->message)
		assert_string_equal(u.ds.list[0].message, row->message);
	if (row->hint)
		assert_string_equal(u.ds.list[0].hint ? u.ds.list[0].hint : "", row->hint);
	/* nothing is written on failure */
	assert_int_equal(desc.vcpus, 77);
	unit_close(&u);
}

/* --- which mode has which key --------------------------------------------------------------------------------- */

/* In the order of enum mode: what a NIC of it cannot do without. */
static const char *const needed[] = {
	"'mode':'user'", "'mode':'bridge','bridge':'br0'", "'mode':'tap','ifname':'t0'", "'mode':'macvtap','ifname':'m0'",
	"'mode':'passt'", "'mode':'vhost-user','options':{'path':'/v'}",
	"'mode':'vhost-vdpa','options':{'path':'/v'}", "'mode':'custom','netdev':'user,id=net0'",
};

static const struct matrix {
	const char *name, *key, *value;
	const char *modes;		/* letters: user, bridge, tap, macvtap, passt, vhost-user, vhost-vdpa, custom */
} matrix[] = {
	{ "key id: where",		"id",		"'net0'",		"ubtmpvdc" },
	{ "key ifname: where",		"ifname",	"'t0'",			"tm" },
	{ "key ifindex: where",		"ifindex",	"7",			"m" },
	{ "key bridge: where",		"bridge",	"'br0'",		"b" },
	{ "key helper: where",		"helper",	"'/h'",			"b" },
	{ "key queues: where",		"queues",	"1",			"ubtmpvdc" },
	{ "key vhost: where",		"vhost",	"false",		"btmc" },
	{ "key handoff: where",		"handoff",	"true",			"bt" },
	{ "key shared: where",		"shared",	"true",			"tmc" },
	{ "key fds: where",		"fds",		"[3]",			"btm" },
	{ "key vhostfds: where",	"vhostfds",	"[3]",			"btm" },
	{ "key netdev: where",		"netdev",	"'argv'",		"btmc" },
	{ "key mac: where",		"mac",		"'02:00:00:00:00:01'",	"ubtmpvdc" },
	{ "key device: where",		"device",	"false",		"ubtmpvdc" },
	{ "key options: where",		"options",	"{}",			"upvd" },
	{ "key vhost_user: where",	"vhost_user",	"true",			"p" },
	{ "key native: where",		"native",	"true",			"p" },
	{ "key expect: where",		"expect",	"{'up':true}",		"btm" },
};

static void key_in_mode(const struct matrix *row, unsigned mode)
{
	char text[256], want[128] = "";
	struct desc desc;
	const char *json;
	struct unit u;

	unit_open(&u);
	(void)snprintf(text, sizeof(text), "'%s':", row->key);
	/* a key that the mode needs is there already */
	if (strstr(needed[mode], text))
		(void)snprintf(text, sizeof(text), "{'version':1,'nics':[{%s}]}", needed[mode]);
	else
		(void)snprintf(text, sizeof(text), "{'version':1,'nics':[{'%s':%s,%s}]}", row->key, row->value, needed[mode]);
	if (!strchr(row->modes, "ubtmpvdc"[mode]))
		(void)snprintf(want, sizeof(want), "descriptor-key-not-here nics[0].%s 1:23", row->key);
	json = unit_json(&u, text);
	(void)desc_parse(json, strlen(json), mode_syntax, &u.mem, &desc, &u.ds);
	assert_string_equal(unit_problems(&u), want);
	unit_close(&u);
}

static void key_in_modes(void **state)
{
	for (unsigned mode = 0; mode < MODE__COUNT; mode++)
		key_in_mode(*state, mode);
}

/* --- bounds that take a long text ---------------------------------------------------------------------------------- */

struct bound {
	const char *name, *before, *one, *after;	/* one, n times, with commas between */
	unsigned n;
	const char *problems;
};

static const struct bound bounds[] = {
	{ "bound: 64 NICs",		"{'version':1,'nics':[",	"{'mode':'user'}", "]}",	64,
	  "" },
	{ "bound: 65 NICs",		"{'version':1,'nics':[",	"{'mode':'user'}", "]}",	65,
	  "descriptor-range nics 1:14" },
	{ "bound: 4096 args",		"{'version':1,'args':[",	"'-S'", "]}",			4096,
	  "" },
	{ "bound: 4097 args",		"{'version':1,'args':[",	"'-S'", "]}",			4097,
	  "descriptor-range args 1:14" },
	{ "bound: 64 fds",		"{'version':1,'nics':[{'mode':'tap','ifname':'t0','fds':[", "9",
	  "]}]}", 64, "" },
	{ "bound: 65 fds",		"{'version':1,'nics':[{'mode':'tap','ifname':'t0','fds':[", "9", "]}]}", 65,
	  "descriptor-range nics[0].fds 1:50" },
	{ "bound: 128 options",		"{'version':1,'nics':[{'mode':'user','options':{'hostfwd':[", "'x'",
	  "]}}]}", 128, "" },
	{ "bound: 129 options",		"{'version':1,'nics':[{'mode':'user','options':{'hostfwd':[", "'x'", "]}}]}", 129,
	  "descriptor-range nics[0].options 1:37" },
	{ "bound: 16 cgroups",		"{'version':1,'cgroup':[",	"'/c'", "]}",			16,
	  "" },
	{ "bound: 17 cgroups",		"{'version':1,'cgroup':[",	"'/c'", "]}",			17,
	  "descriptor-range cgroup 1:14" },
	{ "bound: 64 groups",		"{'version':1,'groups':[",	"7", "]}",			64,
	  "" },
	{ "bound: 65 groups",		"{'version':1,'groups':[",	"7", "]}",			65,
	  "descriptor-range groups 1:14" },
};

static void bound(void **state)
{
	static char text[64 * 1024];
	const struct bound *row = *state;
	struct str s = STR_ON(text);
	struct desc desc;
	const char *json;
	struct unit u;

	unit_open(&u);
	str_put(&s, "%s", row->before);
	for (unsigned i = 0; i < row->n; i++)
		str_put(&s, "%s%s", i > 0 ? "," : "", row->one);
	str_put(&s, "%s", row->after);
	assert_false(str_cut(&s));
	json = unit_json(&u, text);
	assert_int_equal(desc_parse(json, strlen(json), mode_syntax, &u.mem, &desc, &u.ds), row->problems[0] ? -1 : 0);
	assert_string_equal(unit_problems(&u), row->problems);
	unit_close(&u);
}

static void more_problems_than_are_listed(void **state)
{
	static char text[64 * 1024];
	struct str s = STR_ON(text);
	struct desc desc;
	const char *json;
	struct unit u;

	(void)state;
	unit_open(&u);
	str_put(&s, "{'version':1");
	for (unsigned i = 0; i < 200; i++)
		str_put(&s, ",'unknown%u':1", i);
	str_put(&s, "}");
	json = unit_json(&u, text);
	assert_int_equal(desc_parse(json, strlen(json), mode_syntax, &u.mem, &desc, &u.ds), -1);
	assert_int_equal(u.ds.n, DIAGS_MAX);
	assert_int_equal(u.ds.dropped, 200 - DIAGS_MAX);
	unit_close(&u);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(good) + ARRAY_LEN(bad) + ARRAY_LEN(matrix) + ARRAY_LEN(bounds) + 1] = {
		cmocka_unit_test(more_problems_than_are_listed),
	};
	struct CMUnitTest *next = tests + 1;

	next = UNIT_ROWS(next, good, taken);
	next = UNIT_ROWS(next, bad, refused);
	next = UNIT_ROWS(next, matrix, key_in_modes);
	UNIT_ROWS(next, bounds, bound);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
