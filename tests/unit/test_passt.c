/*
 * test_passt.c - the modes passt and vhost-user: options, the words of passt and of QEMU, and what is refused
 */
#include "config.h"

#include <stdio.h>

#include "host.h"
#include "desc/netopts.h"
#include "mode/passt_listens.h"
#include "mode/passt_words.h"

#define PASST(members) "'nics':[{'mode':'passt'" members "}]"
#define OPTIONS(members) PASST(",'options':{" members "}")
#define VU PASST(",'vhost_user':true")
#define SWITCH(members) "'nics':[{'mode':'vhost-user','options':{'path':'/run/ovs.sock'}" members "}]"
#define MACHINE "-machine", "memory-backend=m"
#define RAM "-object", "memory-backend-ram,id=m,size=1G,share=on", MACHINE
#define SERVER(options) \
	"'nics':[{'mode':'vhost-user','options':{'path':'/run/ovs.sock','server':true" options "}}]"
#define SWITCH_WORDS(options) \
	"-chardev socket,id=vu-net0,path=/run/ovs.sock" options \
	" -netdev vhost-user,id=net0,chardev=vu-net0 -device virtio-net-pci,netdev=net0"
#define TEXT(members) \
	"'nics':[{'mode':'custom','netdev':'vhost-user,id=net0,chardev=c,queues=2'" members "}]"
#define WORDS_MAX 24
#define SHARED "-object", "memory-backend-memfd,id=m,size=1G", "-machine", "memory-backend=m"

/* --- options to passt's words ---------------------------------------------------------------------- */

static const struct words_row { const char *name, *nic, *want; } words_rows[] = {
	{ "nothing", "", "--quiet --fd=3" },
	{ "quiet_off", ",'options':{'quiet':false}", "--fd=3" },
	{ "quiet_on", ",'options':{'quiet':true}", "--quiet --fd=3" },
	{ "path_is_no_word", ",'options':{'path':'/opt/passt'}", "--quiet --fd=3" },
	{ "mtu", ",'options':{'mtu':1500}", "--quiet --mtu=1500 --fd=3" },
	{ "mtu_largest", ",'options':{'mtu':65535}", "--quiet --mtu=65535 --fd=3" },
	{ "addresses", ",'options':{'address':'10.0.0.2','netmask':'24','gateway':'10.0.0.1'}",
	  "--quiet --address=10.0.0.2 --netmask=24 --gateway=10.0.0.1 --fd=3" },
	{ "mac", ",'options':{'mac':'52:54:00:12:34:56'}", "--quiet --mac-addr=52:54:00:12:34:56 --fd=3" },
	{ "links", ",'options':{'interface':'eth0','outbound-if4':'eth1','outbound-if6':'eth2'}",
	  "--quiet --interface=eth0 --outbound-if4=eth1 --outbound-if6=eth2 --fd=3" },
	{ "outbound", ",'options':{'outbound':'192.0.2.1'}", "--quiet --outbound=192.0.2.1 --fd=3" },
	{ "names", ",'options':{'dns':'192.0.2.1','fqdn':'a.b','dns-forward':'192.0.2.2','dns-host':'192.0.2.3'}",
	  "--quiet --dns=192.0.2.1 --fqdn=a.b --dns-forward=192.0.2.2 --dns-host=192.0.2.3 --fd=3" },
	{ "maps", ",'options':{'map-host-loopback':'none','map-guest-addr':'192.0.2.4'}",
	  "--quiet --map-host-loopback=none --map-guest-addr=192.0.2.4 --fd=3" },
	{ "protocols_off", ",'options':{'tcp':false,'udp':false,'icmp':false}", "--quiet --no-tcp --no-udp --no-icmp --fd=3" },
	{ "services_off", ",'options':{'dhcp':false,'ndp':false,'dhcpv6':false,'ra':false}",
	  "--quiet --no-dhcp --no-ndp --no-dhcpv6 --no-ra --fd=3" },
	{ "dhcp_contents_off", ",'options':{'dhcp-dns':false,'dhcp-search':false}",
	  "--quiet --no-dhcp-dns --no-dhcp-search --fd=3" },
	{ "on_is_the_default", ",'options':{'tcp':true,'dhcp':true,'dhcp-dns':true,'ipv4':true,'ipv6':true}", "--quiet --fd=3" },
	{ "freebind", ",'options':{'freebind':true}", "--quiet --freebind --fd=3" },
	{ "freebind_off", ",'options':{'freebind':false}", "--quiet --fd=3" },
	{ "ipv6_off", ",'options':{'ipv6':false}", "--quiet --ipv4-only --fd=3" },
	{ "ipv4_off", ",'options':{'ipv4':false}", "--quiet --ipv6-only --fd=3" },
	{ "search_joined_by_blanks", ",'options':{'search':['a.b','c.d']}", "--quiet --search=a.b c.d --fd=3" },
	{ "ports_joined_by_commas", ",'options':{'tcp-ports':['22','80:8080'],'udp-ports':['53']}",
	  "--quiet --tcp-ports=22,80:8080 --udp-ports=53 --fd=3" },
	{ "one_port", ",'options':{'tcp-ports':'22'}", "--quiet --tcp-ports=22 --fd=3" },
	{ "ports_as_numbers", ",'options':{'tcp-ports':[22,23]}", "--quiet --tcp-ports=22,23 --fd=3" },
	{ "param_as_it_is", ",'options':{'param':['-l','/tmp/log','--no-map-gw']}", "--quiet -l /tmp/log --no-map-gw --fd=3" },
	{ "values_are_no_options", ",'options':{'address':'--help','dns':'-x','tcp-ports':['-1']}",
	  "--quiet --address=--help --dns=-x --tcp-ports=-1 --fd=3" },
	{ "commas_stay", ",'options':{'fqdn':'a,b'}", "--quiet --fqdn=a,b --fd=3" },
	{ "vhost_user", ",'vhost_user':true", "--quiet --vhost-user --one-off --socket=passt.sock --pid=passt.pid" },
};

static void put_passt(struct str *s, const void *arg)
{
	char *const *words = arg;

	for (unsigned i = 1; words[i]; i++)
		str_put(s, "%s%s", i > 1 ? " " : "", words[i]);
}

static void words_of_passt(void **state)
{
	const struct words_row *row = *state;
	char members[512], **words;
	struct host h;

	(void)snprintf(members, sizeof(members), PASST("%s"), row->nic);
	assert_int_equal(host_parse(&h, members), 0);
	words = passt_words(&h.desc.nics[0], "/usr/bin/passt", &h.u.mem);
	assert_string_equal(words[0], "/usr/bin/passt");
	assert_string_equal(str_make(&h.u.mem, put_passt, words), row->want);
	unit_close(&h.u);
}

/* --- where it listens ------------------------------------------------------------------------------- */

static const struct listens_row { const char *name, *options, *want; } listens_rows[] = {
	{ "listens: nowhere", "", "" },
	{ "listens: on all addresses", "'tcp-ports':'2222:22'", "tcp * - 2222 2222-2222;" },
	{ "listens: on one", "'tcp-ports':['127.0.0.1/2222:22']", "tcp 127.0.0.1 - 2222 2222-2222;" },
	{ "listens: the address is for all elements", "'tcp-ports':['::1/80','8000-8009:80-89']",
	  "tcp ::1 - 80 80-80;tcp ::1 - 8000-8009 8000-8009;" },
	{ "listens: on a link", "'udp-ports':['10.0.0.1%eth0/53','%eth0/54']", "udp 10.0.0.1 eth0 53 53-53;udp 10.0.0.1 eth0 %eth0/54 0-0;" },
	{ "listens: on any address of a link", "'udp-ports':'%eth0/53'", "udp * eth0 53 53-53;" },
	{ "listens: numbers, both", "'tcp-ports':[22,23],'udp-ports':[53]", "tcp * - 22 22-22;tcp * - 23 23-23;udp * - 53 53-53;" },
	{ "listens: all, none", "'tcp-ports':'all','udp-ports':'none'", "tcp * - all 0-0;" },
	{ "listens: all but", "'tcp-ports':'~25'", "tcp * - ~25 0-0;" },
	{ "listens: no port", "'tcp-ports':['foo','70000','9-8',',']", "tcp * - foo 0-0;tcp * - 70000 0-0;tcp * - 9-8 0-0;" },
	{ "listens: words of its own", "'param':['-t','22','-u53','--tcp-ports=1.2.3.4/80','--udp-ports','54','-x']",
	  "tcp * - 22 22-22;tcp 1.2.3.4 - 80 80-80;udp * - 53 53-53;udp * - 54 54-54;" },
};

static void put_listens(struct str *s, const void *arg)
{
	const struct nic_plan *np = arg;

	for (unsigned i = 0; i < np->n_listens; i++) {
		const struct listen *l = &np->listens[i];

		str_put(s, "%s %s %s %s %u-%u;", l->udp ? "udp" : "tcp", l->address ? l->address : "*",
			l->link ? l->link : "-", l->ports, l->first, l->last);
	}
}

static void listens(void **state)
{
	const struct listens_row *row = *state;
	struct nic_plan np = { 0 };
	char members[512];
	struct host h;

	(void)snprintf(members, sizeof(members), OPTIONS("%s"), row->options);
	assert_int_equal(host_parse(&h, members), 0);
	np.listens = passt_listens(&h.desc.nics[0], &h.u.mem, &np.n_listens);
	assert_string_equal(str_make(&h.u.mem, put_listens, &np), row->want);
	unit_close(&h.u);
}

/* --- descriptors that are refused -------------------------------------------------------------------- */

static const struct bad_row { const char *name, *members, *want; } bad_rows[] = {
	{ "bad_unknown", OPTIONS("'adress':'x'"), "descriptor-unknown-key nics[0].options.adress" },
	{ "bad_twice", OPTIONS("'mtu':1,'mtu':2"), "descriptor-duplicate-key nics[0].options.mtu" },
	{ "bad_mtu_string", OPTIONS("'mtu':'1500'"), "descriptor-type nics[0].options.mtu" },
	{ "bad_mtu_large", OPTIONS("'mtu':65536"), "descriptor-range nics[0].options.mtu" },
	{ "bad_mtu_negative", OPTIONS("'mtu':-1"), "descriptor-range nics[0].options.mtu" },
	{ "bad_mtu_huge", OPTIONS("'mtu':9007199254740991"), "descriptor-range nics[0].options.mtu" },
	{ "bad_bool_string", OPTIONS("'tcp':'off'"), "descriptor-type nics[0].options.tcp" },
	{ "bad_bool_number", OPTIONS("'quiet':0"), "descriptor-type nics[0].options.quiet" },
	{ "bad_string_bool", OPTIONS("'address':true"), "descriptor-type nics[0].options.address" },
	{ "bad_string_number", OPTIONS("'netmask':24"), "descriptor-type nics[0].options.netmask" },
	{ "bad_string_empty", OPTIONS("'address':''"), "descriptor-value nics[0].options.address" },
	{ "bad_string_list", OPTIONS("'dns':['a','b']"), "descriptor-type nics[0].options.dns" },
	{ "bad_list_bool", OPTIONS("'tcp-ports':[true]"), "descriptor-type nics[0].options.tcp-ports[0]" },
	{ "bad_list_empty_word", OPTIONS("'search':['a','']"), "descriptor-value nics[0].options.search[1]" },
	{ "bad_path", OPTIONS("'path':'passt'"), "descriptor-value nics[0].options.path" },
	{ "bad_link", OPTIONS("'interface':'a/b'"), "descriptor-value nics[0].options.interface" },
	{ "bad_link_dash", OPTIONS("'outbound-if4':'-x'"), "descriptor-value nics[0].options.outbound-if4" },
	{ "bad_mac", OPTIONS("'mac':'zz'"), "descriptor-value nics[0].options.mac" },
	{ "bad_mac_multicast", OPTIONS("'mac':'01:00:00:00:00:00'"), "descriptor-value nics[0].options.mac" },
	{ "param_fd", OPTIONS("'param':['--fd=9']"), "device-conflict nics[0].options.param[0]" },
	{ "param_fd_short", OPTIONS("'param':['-F','9']"), "device-conflict nics[0].options.param[0]" },
	{ "param_socket", OPTIONS("'param':['x','--socket']"), "device-conflict nics[0].options.param[1]" },
	{ "param_begins", OPTIONS("'param':['--foregr']"), "device-conflict nics[0].options.param[0]" },
	{ "param_cluster", OPTIONS("'param':['-qf']"), "device-conflict nics[0].options.param[0]" },
	{ "param_vhost_user", OPTIONS("'param':['--vhost-user']"), "device-conflict nics[0].options.param[0]" },
	{ "param_pid", PASST(",'vhost_user':true,'options':{'param':['--pid=/x']}"), "device-conflict nics[0].options.param[0]" },
	{ "param_pid_short", PASST(",'vhost_user':true,'options':{'param':['-P','/x']}"), "device-conflict nics[0].options.param[0]" },
	{ "key_of_passt", "'nics':[{'mode':'user','native':true}]", "descriptor-key-not-here nics[0].native" },
	{ "key_vhost", PASST(",'vhost':true"), "descriptor-key-not-here nics[0].vhost" },
	{ "switch_no_path", "'nics':[{'mode':'vhost-user'}]", "descriptor-missing-key nics[0].options" },
	{ "switch_no_path_in_it", "'nics':[{'mode':'vhost-user','options':{}}]", "descriptor-missing-key nics[0].options" },
	{ "switch_unknown", "'nics':[{'mode':'vhost-user','options':{'path':'/a','serve':true}}]",
	  "descriptor-unknown-key nics[0].options.serve" },
	{ "switch_server_text", "'nics':[{'mode':'vhost-user','options':{'path':'/a','server':'on'}}]",
	  "descriptor-type nics[0].options.server" },
	{ "runtime_dir_relative", "'runtime_dir':'run'," PASST(""), "descriptor-value runtime_dir" },
};

/* The problems without line and column. */
static void put_codes(struct str *s, const void *arg)
{
	const struct diags *ds = arg;

	for (unsigned i = 0; i < ds->n; i++)
		str_put(s, "%s%s %s", i > 0 ? "; " : "", diag_name(ds->list[i].id), ds->list[i].path ? ds->list[i].path : "-");
}

static void refused(void **state)
{
	const struct bad_row *row = *state;
	struct host h;

	assert_int_equal(host_parse(&h, row->members), -1);
	assert_string_equal(str_make(&h.u.mem, put_codes, &h.u.ds), row->want);
	assert_int_equal(h.u.ds.status, EXIT_DESC);
	unit_close(&h.u);
}

static void path_of_a_socket_is_short(void **state)
{
	char members[256];
	struct host h;

	(void)state;
	for (unsigned len = SUN_PATH_MAX; len <= SUN_PATH_MAX + 1; len++) {
		(void)snprintf(members, sizeof(members), "'nics':[{'mode':'vhost-user','options':{'path':'/%0*d'}}]",
			       (int)len - 1, 0);
		assert_int_equal(host_parse(&h, members), len == SUN_PATH_MAX ? 0 : -1);
		unit_close(&h.u);
	}
}

/* --- rules ------------------------------------------------------------------------------------------- */

typedef void change_fn(struct host *h);
#define CHANGE(name, ...) static void name(struct host *h) { __VA_ARGS__; }
CHANGE(passt_missing,		h->nics[0].passt.err = ENOENT)
CHANGE(passt_is_a_directory,	h->nics[0].passt.regular = false)
CHANGE(passt_denied,		h->nics[0].passt.access_err = EACCES)
static const char *no_vhost_user[] = { "vhost-user", NULL }, *no_fqdn[] = { "fqdn", "freebind", NULL };
CHANGE(passt_2023,		h->nics[0].passt_lacks = no_vhost_user)
CHANGE(no_interface,		h->nics[0].passt_link_err = ENODEV)
CHANGE(passt_2023_fqdn,		h->nics[0].passt_lacks = no_fqdn)
CHANGE(dir_missing,		h->facts.runtime_dir.err = ENOENT)
CHANGE(dir_is_a_file,		h->facts.runtime_dir.right_kind = false)
CHANGE(dir_denied,		h->facts.runtime_dir.access_err = EACCES)
CHANGE(dir_denied_unused,	dir_denied(h))
CHANGE(qemu_unknown,		h->facts.qemu_version = (struct qemu_version){ 0 })
CHANGE(qemu_6_2,		h->facts.qemu_version = (struct qemu_version){ 6, 2 })
CHANGE(qemu_7_1,		h->facts.qemu_version = (struct qemu_version){ 7, 1 })
CHANGE(qemu_7_2,		h->facts.qemu_version = (struct qemu_version){ 7, 2 })
CHANGE(qemu_10_0,		h->facts.qemu_version = (struct qemu_version){ 10, 0 })
CHANGE(qemu_10_1,		h->facts.qemu_version = (struct qemu_version){ 10, 1 })
CHANGE(socket_missing,		h->nics[0].socket.err = ENOENT)
CHANGE(socket_stale,		h->nics[0].socket.listens = LISTENS_NO)
CHANGE(socket_listened,		h->nics[0].socket.listens = LISTENS_YES)
CHANGE(no_socket_dir,		socket_missing(h); h->nics[0].socket_dir.err = ENOENT)
CHANGE(socket_dir_is_a_file,	socket_missing(h); h->nics[0].socket_dir.right_kind = false)
CHANGE(socket_dir_denied,	socket_missing(h); h->nics[0].socket_dir.access_err = EACCES)
CHANGE(socket_not_reached,	h->nics[0].socket.err = EACCES)
CHANGE(socket_is_a_file,	h->nics[0].socket.right_kind = false)
CHANGE(socket_denied,		h->nics[0].socket.access_err = EACCES)
CHANGE(socket_denied_other_ids,	socket_denied(h); h->facts.ids.wanted = h->facts.ids.can_take = true; h->facts.ids.uid = 7)

/* want: the problems, or what the plan adds to the command line. */
static const struct rule_row {
	const char *name, *members;
	const char *words[WORDS_MAX];
	change_fn *change;
	const char *want;
} rule_rows[] = {
	{ "stream", PASST(""), { 0 }, NULL,
	  "-netdev stream,id=net0,server=off,addr.type=fd,addr.str=3 -device virtio-net-pci,netdev=net0" },
	{ "stream_7_2", PASST(""), { 0 }, qemu_7_2,
	  "-netdev stream,id=net0,server=off,addr.type=fd,addr.str=3 -device virtio-net-pci,netdev=net0" },
	{ "stream_7_1", PASST(""), { 0 }, qemu_7_1, "qemu-version nics[0]" },
	{ "stream_two_queues", PASST(",'queues':2"), { 0 }, NULL, "queues-backend nics[0].queues" },
	{ "stream_many_vcpus", "'vcpus':8," PASST(""), { 0 }, dir_denied_unused,
	  "-netdev stream,id=net0,server=off,addr.type=fd,addr.str=3 -device virtio-net-pci,netdev=net0" },
	{ "stream_e1000", PASST(",'device':{'driver':'e1000'}"), { 0 }, NULL,
	  "-netdev stream,id=net0,server=off,addr.type=fd,addr.str=3 -device e1000,netdev=net0" },
	{ "passt_missing", PASST(""), { 0 }, passt_missing, "passt-missing nics[0]" },
	{ "passt_missing_at_path", OPTIONS("'path':'/x'"), { 0 }, passt_missing, "passt-missing nics[0].options.path" },
	{ "passt_directory", PASST(""), { 0 }, passt_is_a_directory, "passt-not-executable nics[0]" },
	{ "passt_denied", PASST(""), { 0 }, passt_denied, "passt-not-executable nics[0]" },
	{ "vu", VU, { SHARED }, NULL,
	  "-chardev socket,id=vu-net0,path=/proc/self/fd/3 -netdev vhost-user,id=net0,chardev=vu-net0 "
	  "-device virtio-net-pci,netdev=net0" },
	{ "vu_not_known", VU, { SHARED }, passt_2023, "passt-option nics[0].vhost_user" },
	{ "options_not_known", OPTIONS("'fqdn':'a','freebind':true"), { 0 }, passt_2023_fqdn,
	  "passt-option nics[0].options.fqdn; passt-option nics[0].options.freebind" },
	{ "link_missing", OPTIONS("'interface':'eth9'"), { 0 }, no_interface, "passt-interface nics[0].options.interface" },
	{ "vu_no_directory", VU, { SHARED }, dir_missing, "runtime-dir runtime_dir" },
	{ "vu_directory_is_a_file", VU, { SHARED }, dir_is_a_file, "runtime-dir runtime_dir" },
	{ "vu_directory_denied", VU, { SHARED }, dir_denied, "runtime-dir runtime_dir" },
	{ "vu_e1000", PASST(",'vhost_user':true,'device':{'driver':'e1000'}"), { SHARED }, NULL,
	  "device-conflict nics[0].device.driver" },
	{ "vu_chardev_taken", VU, { SHARED, "-chardev", "null,id=vu-net0" }, NULL, "duplicate-id nics[0]" },
	{ "native", "'seccomp':'none'," PASST(",'native':true,'options':{'mtu':1500,'tcp-ports':['22','80'],'tcp':false,'fqdn':'a,b'}"),
	  { 0 }, passt_missing,
	  "-netdev passt,id=net0,mtu=1500,tcp-ports=22,tcp-ports=80,tcp=off,fqdn=a,,b -device virtio-net-pci,netdev=net0" },
	{ "native_vu", "'seccomp':'none'," PASST(",'native':true,'vhost_user':true"), { SHARED }, qemu_10_1,
	  "-netdev passt,id=net0,vhost-user=on -device virtio-net-pci,netdev=net0" },
	{ "native_vu_private", "'seccomp':'none'," PASST(",'native':true,'vhost_user':true"), { 0 }, qemu_10_1,
	  "memory-not-shared nics[0].vhost_user" },
	{ "native_filter", PASST(",'native':true"), { 0 }, NULL, "seccomp-needs nics[0]" },
	{ "native_10_0", "'seccomp':'none'," PASST(",'native':true"), { 0 }, qemu_10_0, "qemu-version nics[0]" },
	{ "switch", SWITCH(""), { SHARED }, passt_missing,
	  "-chardev socket,id=vu-net0,path=/run/ovs.sock -netdev vhost-user,id=net0,chardev=vu-net0 "
	  "-device virtio-net-pci,netdev=net0" },
	{ "switch_queues", SWITCH(",'queues':4"), { SHARED }, NULL,
	  "-chardev socket,id=vu-net0,path=/run/ovs.sock -netdev vhost-user,id=net0,chardev=vu-net0,queues=4 "
	  "-device virtio-net-pci,netdev=net0,mq=on,vectors=10" },
	{ "switch_many_vcpus", "'vcpus':8," SWITCH(""), { SHARED }, NULL,
	  "-chardev socket,id=vu-net0,path=/run/ovs.sock -netdev vhost-user,id=net0,chardev=vu-net0 "
	  "-device virtio-net-pci,netdev=net0" },
	{ "switch_queues_over", SWITCH(",'queues':17"), { SHARED }, NULL, "queues-over-max nics[0].queues" },
	{ "switch_reconnect", "'nics':[{'mode':'vhost-user','options':{'path':'/a,b','reconnect-ms':500}}]", { SHARED }, NULL,
	  "-chardev socket,id=vu-net0,path=/a,,b,reconnect-ms=500 -netdev vhost-user,id=net0,chardev=vu-net0 "
	  "-device virtio-net-pci,netdev=net0" },
	{ "switch_missing", SWITCH(""), { SHARED }, socket_missing, "socket-missing nics[0].options.path" },
	{ "switch_not_reached", SWITCH(""), { SHARED }, socket_not_reached, "socket-access nics[0].options.path" },
	{ "switch_file", SWITCH(""), { SHARED }, socket_is_a_file, "socket-not-socket nics[0].options.path" },
	{ "switch_denied", SWITCH(""), { SHARED }, socket_denied, "socket-access nics[0].options.path" },
	{ "switch_denied_other_ids", "'user':7," SWITCH(""), { SHARED }, socket_denied_other_ids,
	  "-chardev socket,id=vu-net0,path=/run/ovs.sock -netdev vhost-user,id=net0,chardev=vu-net0 "
	  "-device virtio-net-pci,netdev=net0" },
	{ "switch_stale", SWITCH(""), { SHARED }, socket_stale, "socket-stale nics[0].options.path" },
	{ "switch_listens", SWITCH(""), { SHARED }, socket_listened, SWITCH_WORDS("") },
	{ "server_new", SERVER(""), { SHARED }, socket_missing, SWITCH_WORDS(",server=on,wait=off") },
	{ "server_left_over", SERVER(""), { SHARED }, socket_stale, SWITCH_WORDS(",server=on,wait=off") },
	{ "server_in_use", SERVER(""), { SHARED }, socket_listened, "socket-in-use nics[0].options.path" },
	{ "server_file", SERVER(""), { SHARED }, socket_is_a_file, "socket-not-socket nics[0].options.path" },
	{ "server_no_directory", SERVER(""), { SHARED }, no_socket_dir, "socket-missing nics[0].options.path" },
	{ "server_below_a_file", SERVER(""), { SHARED }, socket_dir_is_a_file,
	  "socket-missing nics[0].options.path" },
	{ "server_directory_denied", SERVER(""), { SHARED }, socket_dir_denied,
	  "socket-access nics[0].options.path" },
	{ "server_reconnect", SERVER(",'reconnect':1"), { SHARED }, socket_missing,
	  "device-conflict nics[0].options.reconnect" },
	{ "switch_e1000", SWITCH(",'device':{'driver':'e1000'}"), { SHARED }, NULL, "device-conflict nics[0].device.driver" },
	{ "crash_7_2", VU, { SHARED }, qemu_7_2, "vhost-user-crash nics[0]" },
	{ "crash_7_2_tcg", VU, { SHARED, "-accel", "tcg" }, qemu_7_2, "vhost-user-crash nics[0]" },
	{ "crash_7_2_kvm", VU, { SHARED, "-accel", "kvm" }, qemu_7_2, "" },
	{ "crash_7_2_enable_kvm", VU, { SHARED, "-enable-kvm" }, qemu_7_2, "" },
	{ "crash_7_2_machine_kvm", VU, { SHARED, "-M", "q35,accel=kvm:tcg" }, qemu_7_2, "" },
	{ "crash_7_2_no_msix", PASST(",'vhost_user':true,'device':{'vectors':0}"), { SHARED }, qemu_7_2, "" },
	{ "crash_7_2_two_queues", SWITCH(",'queues':2"), { SHARED }, qemu_7_2, "vhost-user-crash nics[0]" },
	{ "no_msix_two_queues", SWITCH(",'queues':2,'device':{'vectors':0}"), { SHARED }, qemu_7_2, "" },
	{ "long_tx_queue", SWITCH(",'device':{'tx_queue_size':1024}"), { SHARED }, NULL, "" },
	{ "long_tx_queue_stream", PASST(",'device':{'tx_queue_size':1024}"), { SHARED }, NULL,
	  "device-conflict nics[0].device.tx_queue_size" },
	{ "crash_6_2", VU, { SHARED }, qemu_6_2, "" },
	{ "crash_10_0", VU, { SHARED }, qemu_10_0, "" },
	{ "memory_none", VU, { 0 }, NULL, "memory-not-shared nics[0].vhost_user" },
	{ "memory_none_switch", SWITCH(""), { 0 }, NULL, "memory-not-shared nics[0].mode" },
	{ "memory_ram", VU, { RAM }, NULL, "" },
	{ "memory_ram_10_0", VU, { RAM }, qemu_10_0, "" },
	{ "memory_ram_6_2", VU, { RAM }, qemu_6_2, "memory-not-shared nics[0].vhost_user" },
	{ "memory_ram_unknown", VU, { RAM }, qemu_unknown, "memory-not-shared nics[0].vhost_user" },
	{ "memory_ram_private", VU, { "-object", "memory-backend-ram,id=m,size=1G", MACHINE }, NULL,
	  "memory-not-shared nics[0].vhost_user" },
	{ "memory_dimm", VU, { SHARED, "-object", "memory-backend-memfd,id=d,size=1G",
			       "-device", "pc-dimm,memdev=d" }, NULL, "" },
	{ "memory_dimm_private", VU, { SHARED, "-object", "memory-backend-file,id=d,size=1G,mem-path=/d",
				       "-device", "nvdimm,memdev=d" }, NULL,
	  "memory-not-shared nics[0].vhost_user" },
	/* in argv and in a custom text */
	{ "memory_of_a_netdev", "'vcpus':1", { "-netdev", "vhost-user,id=n,chardev=c" }, NULL,
	  "memory-not-shared -" },
	{ "memory_of_a_netdev_json", "'vcpus':1",
	  { "-netdev", "{\"type\":\"vhost-user\",\"id\":\"n\",\"chardev\":\"c\"}" }, NULL,
	  "memory-not-shared -" },
	{ "memory_of_nic", "'vcpus':1", { "-nic", "vhost-user,chardev=c" }, NULL, "memory-not-shared -" },
	{ "memory_of_passt", "'seccomp':'none'", { "-netdev", "passt,id=n,vhost-user=on" }, NULL,
	  "memory-not-shared -" },
	{ "memory_of_passt_stream", "'seccomp':'none'", { "-netdev", "passt,id=n" }, NULL, "" },
	{ "memory_of_a_device", "'vcpus':1", { "-device", "vhost-user-fs-pci,chardev=c,tag=t" }, NULL,
	  "memory-not-shared -" },
	{ "memory_of_crypto", "'vcpus':1", { "-object", "cryptodev-vhost-user,id=k,chardev=c" }, NULL,
	  "memory-not-shared -" },
	{ "memory_of_argv_shared", "'vcpus':1", { SHARED, "-netdev", "vhost-user,id=n,chardev=c" }, NULL,
	  "" },
	{ "memory_of_a_text", TEXT(""), { "-chardev", "socket,id=c,path=/c" }, NULL,
	  "memory-not-shared nics[0].netdev" },
	{ "memory_of_a_text_shared", TEXT(""), { SHARED, "-chardev", "socket,id=c,path=/c" }, NULL,
	  "-chardev socket,id=c,path=/c -netdev vhost-user,id=net0,chardev=c,queues=2 "
	  "-device virtio-net-pci,netdev=net0,mq=on,vectors=6" },
	{ "text_chardev", TEXT(""), { SHARED }, NULL, "custom-netdev nics[0].netdev" },
	{ "text_chardev_in_a_file", TEXT(""), { "-readconfig", "/f" }, NULL, "" },
	{ "text_e1000", TEXT(",'device':{'driver':'rtl8139'}"), { SHARED, "-chardev", "socket,id=c,path=/c" },
	  NULL, "device-conflict nics[0].device.driver; queues-backend nics[0].netdev" },
	{ "text_long_tx_queue", TEXT(",'device':{'tx_queue_size':1024}"),
	  { SHARED, "-chardev", "socket,id=c,path=/c" }, NULL, "" },
	{ "memory_file_private", VU, { "-object", "memory-backend-file,id=m,size=1G,mem-path=/x", "-machine", "memory-backend=m" },
	  NULL, "memory-not-shared nics[0].vhost_user" },
	{ "memory_memfd_private", VU, { "-object", "memory-backend-memfd,id=m,size=1G,share=off", "-machine", "memory-backend=m" },
	  NULL, "memory-not-shared nics[0].vhost_user" },
	{ "memory_not_used", VU, { "-object", "memory-backend-memfd,id=m,size=1G", "-machine", "q35" }, NULL,
	  "memory-not-shared nics[0].vhost_user" },
	{ "memory_no_object", VU, { "-object", "memory-backend-memfd,id=n,size=1G", "-machine", "memory-backend=m" }, NULL,
	  "memory-not-shared nics[0].vhost_user" },
	{ "memory_file", VU, { "-object", "memory-backend-file,id=m,size=1G,mem-path=/x,share=on", "-M", "q35,memory-backend=m" },
	  NULL, "" },
	{ "memory_shm", VU, { "-object", "memory-backend-shm,id=m,size=1G", "-M", "q35,memory-backend=m" }, NULL, "" },
	{ "memory_json", VU, { "-object", "{\"qom-type\":\"memory-backend-file\",\"id\":\"m\",\"share\":true}",
			       "-machine", "memory-backend=m" }, NULL, "" },
	{ "memory_last_machine", VU, { SHARED, "-machine", "q35" }, NULL, "" },
	{ "memory_numa", VU, { "-object", "memory-backend-memfd,id=m,size=1G", "-numa", "node,memdev=m" }, NULL, "" },
	{ "memory_numa_one_private", VU, { "-object", "memory-backend-memfd,id=m,size=1G", "-object", "memory-backend-ram,id=n,size=1G",
					   "-numa", "node,memdev=m", "-numa", "node,memdev=n" }, NULL,
	  "memory-not-shared nics[0].vhost_user" },
	{ "memory_readconfig", VU, { "-readconfig", "/x" }, NULL, "" },
	{ "memory_once_for_two", "'nics':[{'mode':'passt','vhost_user':true},{'mode':'passt','vhost_user':true}]", { 0 }, NULL,
	  "memory-not-shared nics[0].vhost_user" },
};

static struct cmdline cmdline_of(const char *const *words)
{
	struct cmdline ret = { .words = (char *const *)(uintptr_t)words };

	while (ret.n < WORDS_MAX && words[ret.n])
		ret.n++;
	return ret;
}

static void put_words(struct str *s, const void *arg)
{
	const struct plan *plan = arg;
	bool any = false;

	for (unsigned i = 0; i < plan->argc; i++) {
		any |= strcmp(plan->argv[i], "-netdev") == 0 ||
		       (strcmp(plan->argv[i], "-chardev") == 0 && strncmp(plan->argv[i + 1], "socket,", 7) == 0);
		if (any)
			str_put(s, "%s%s", s->len > 0 ? " " : "", plan->argv[i]);
	}
}

static void rules(void **state)
{
	const struct rule_row *row = *state;
	const struct cmdline cmdline = cmdline_of(row->words);
	struct host h;
	const char *got;
	int ret;

	assert_int_equal(host_read(&h, row->members, &cmdline), 0);
	host_fit(&h);
	h.facts.qemu_version = (struct qemu_version){ 10, 1 };
	h.facts.runtime_dir = (struct spot){ .path = "/run", .right_kind = true };
	for (unsigned i = 0; i < h.desc.n_nics; i++) {
		h.nics[i].passt = (struct program){ .path = "/usr/bin/passt", .regular = true };
		h.nics[i].socket_dir = (struct spot){ .path = "/run/", .right_kind = true };
		h.nics[i].socket = (struct spot){ .path = "/run/ovs.sock", .right_kind = true };
	}
	if (row->change)
		row->change(&h);
	ret = host_plan(&h, &cmdline);
	got = str_make(&h.u.mem, put_codes, &h.u.ds);
	if (strncmp(row->want, "-", 1) == 0 && ret == 0 && !got[0])
		got = str_make(&h.u.mem, put_words, &h.plan);
	assert_string_equal(got, row->want);
	assert_int_equal(ret, h.u.ds.status == EXIT_NONE ? 0 : -1);
	unit_close(&h.u);
}

/* --- numbers and the report ---------------------------------------------------------------------------- */

/* A TAP, a stream, and passt over vhost-user: devices in NIC order, then vhost, vsock, the lifeline. */
static void order_of_numbers(void **state)
{
	static const enum slot_kind want[] = { SLOT_PASST_SOCKET, SLOT_TAP, SLOT_PASST, SLOT_VHOST_NET, SLOT_VHOST_VSOCK, SLOT_LIFELINE };
	const char *const words[WORDS_MAX] = { SHARED };
	const struct cmdline cmdline = cmdline_of(words);
	struct host h;

	(void)state;
	assert_int_equal(host_read(&h, "'vsock':{'cid':7},'nics':[{'mode':'passt','vhost_user':true},"
				   "{'mode':'tap','ifname':'t0'},{'mode':'passt'}]", &cmdline), 0);
	host_fit(&h);
	h.facts.runtime_dir = (struct spot){ .path = "/run", .right_kind = true };
	h.nics[0].passt = h.nics[2].passt = (struct program){ .path = "/usr/bin/passt", .regular = true };
	assert_int_equal(host_plan(&h, &cmdline), 0);
	assert_int_equal(h.plan.n_slots, ARRAY_LEN(want));
	for (unsigned i = 0; i < ARRAY_LEN(want); i++) {
		assert_int_equal(h.plan.slots[i].kind, want[i]);
		assert_int_equal(h.plan.slots[i].fd, FD_MIN + (int)i);
	}
	assert_int_equal(h.plan.nics[0].lifeline, 8);
	assert_int_equal(h.plan.nics[2].lifeline, -1);
	unit_close(&h.u);
}

/* The words to add have the size that -m gives. */
static void hint_has_the_size(void **state)
{
	static const struct { const char *words[WORDS_MAX], *size; } rows[] = {
		{ { NULL }, "size=128M," }, { { "-m", "2048" }, "size=2048M," }, { { "-m", "2G" }, "size=2G," },
		{ { "-m", "size=4G,slots=2,maxmem=8G" }, "size=4G," },
	};

	(void)state;
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		const struct cmdline cmdline = cmdline_of(rows[i].words);
		struct host h;

		assert_int_equal(host_read(&h, SWITCH(""), &cmdline), 0);
		host_fit(&h);
		h.nics[0].socket = (struct spot){ .path = "/run/ovs.sock", .right_kind = true };
		assert_int_equal(host_plan(&h, &cmdline), -1);
		assert_non_null(strstr(unit_text(&h.u, 0), rows[i].size));
		unit_close(&h.u);
	}
}

int main(int argc, char **argv)
{
	static struct CMUnitTest tests[ARRAY_LEN(words_rows) + ARRAY_LEN(bad_rows) + ARRAY_LEN(rule_rows) + ARRAY_LEN(listens_rows) + 3];
	struct CMUnitTest *next = tests;

	if (setjmp(unit_oom) != 0)
		return 1;
	next = UNIT_ROWS(next, words_rows, words_of_passt);
	next = UNIT_ROWS(next, bad_rows, refused);
	next = UNIT_ROWS(next, rule_rows, rules);
	next = UNIT_ROWS(next, listens_rows, listens);
	*next++ = (struct CMUnitTest)cmocka_unit_test(path_of_a_socket_is_short);
	*next++ = (struct CMUnitTest)cmocka_unit_test(order_of_numbers);
	*next++ = (struct CMUnitTest)cmocka_unit_test(hint_has_the_size);
	return UNIT_RUN(tests, argc, argv);
}
