/*
 * test_argv_nics.c - NICs that the caller's argv holds already: what is taken over, and every disagreement
 */
#include "config.h"

#include "host.h"

enum { WORDS_MAX = 8 };

#define NIC(members) "'nics':[{'mode':'tap','ifname':'t0','netdev':'argv'" members "}]"
#define MACVTAP(members) "'nics':[{'mode':'macvtap','ifname':'m0','netdev':'argv'" members "}]"
#define DEVICE "-device", "virtio-net-pci,netdev=net0"
#define DEVICE2 "-device", "virtio-net-pci,netdev=net0,mq=on,vectors=6"

static struct row {
	const char *name, *members;
	const char *words[WORDS_MAX];	/* NULL ends them */
	const char *slots;		/* NULL: refused */
	const char *problems, *message;	/* message: of the first; NULL: any */
} rows[] = {
	{ "one queue pair with vhost", NIC(""), { "-netdev", "tap,id=net0,fd=9,vhost=on,vhostfd=10", DEVICE },
	  "9 tap net0 0; 10 vhost-net net0 0", "", NULL },
	{ "one queue pair without vhost", NIC(""), { "-netdev", "tap,id=net0,fd=9", DEVICE }, "9 tap net0 0",
	  "", NULL },
	{ "vhost off in words", NIC(""), { "-netdev", "tap,id=net0,fd=9,vhost=off", DEVICE }, "9 tap net0 0", "", NULL },
	{ "vhost by its descriptor alone", NIC(""), { "-netdev", "tap,id=net0,fd=9,vhostfd=10", DEVICE },
	  "9 tap net0 0; 10 vhost-net net0 0", "", NULL },
	{ "two queue pairs", NIC(""), { "-netdev", "tap,id=net0,fds=4:3,vhost=on,vhostfds=6:5", DEVICE2 },
	  "4 tap net0 0; 3 tap net0 1; 6 vhost-net net0 0; 5 vhost-net net0 1", "", NULL },
	{ "fds of one", NIC(""), { "-netdev", "tap,id=net0,fds=3,vhost=on,vhostfds=4", DEVICE },
	  "3 tap net0 0; 4 vhost-net net0 0", "", NULL },
	{ "in JSON", NIC(""),
	  { "-netdev", "{\"type\":\"tap\",\"id\":\"net0\",\"fds\":\"3:4\",\"vhost\":true,\"vhostfds\":\"5:6\"}",
	    "-device", "{\"driver\":\"virtio-net-pci\",\"netdev\":\"net0\",\"mq\":true,\"vectors\":6}" },
	  "3 tap net0 0; 4 tap net0 1; 5 vhost-net net0 0; 6 vhost-net net0 1", "", NULL },
	{ "in JSON, two dashes, device before netdev", NIC(""),
	  { "--device", "{\"driver\":\"virtio-net-pci\",\"netdev\":\"net0\"}", "--netdev", "{\"type\":\"tap\",\"id\":\"net0\",\"fd\":\"7\"}" },
	  "7 tap net0 0", "", NULL },
	{ "among others", NIC(",'id':'b'"),
	  { "-netdev", "user,id=a", "-device", "e1000,netdev=a", "-netdev", "tap,fd=9,id=b", "-device", "virtio-net-pci,netdev=b" },
	  "9 tap b 0", "", NULL },
	{ "vectors may be left out", NIC(""),
	  { "-netdev", "tap,id=net0,fds=3:4", "-device", "virtio-net-pci,netdev=net0,mq=on" },
	  "3 tap net0 0; 4 tap net0 1", "", NULL },
	{ "no device, and none in argv", NIC(",'device':false"), { "-netdev", "tap,id=net0,fds=3:4" },
	  "3 tap net0 0; 4 tap net0 1", "", NULL },
	{ "the descriptor says the same", NIC(",'queues':2,'fds':[3,4],'vhostfds':[5,6],'vhost':true,'mac':'02:00:00:00:00:01'"),
	  { "-netdev", "tap,id=net0,fds=3:4,vhost=on,vhostfds=5:6", "-device", "virtio-net-pci,netdev=net0,mq=on,mac=02:00:00:00:00:01" },
	  "3 tap net0 0; 4 tap net0 1; 5 vhost-net net0 0; 6 vhost-net net0 1", "", NULL },
	{ "the address with dashes", NIC(",'mac':'02:00:00:00:00:01'"),
	  { "-netdev", "tap,id=net0,fd=3", "-device", "virtio-net-pci,netdev=net0,mac=02-00-00-00-00-01" }, "3 tap net0 0", "", NULL },
	/* the netdev disagrees */
	{ "no such netdev", NIC(""), { "-netdev", "tap,id=net1,fd=3", DEVICE }, NULL, "argv-netdev nics[0].netdev",
	  "-netdev net0: argv has no netdev of this id" },
	{ "a netdev that is no JSON", NIC(""), { "-netdev", "{id=net0", DEVICE }, NULL, "argv-netdev nics[0].netdev",
	  "-netdev net0: argv has no netdev of this id" },
	{ "no word at all", NIC(""), { NULL }, NULL, "argv-netdev nics[0].netdev", NULL },
	{ "the option without its value", NIC(""), { "-netdev" }, NULL, "argv-netdev nics[0].netdev", NULL },
	{ "another type", NIC(""), { "-netdev", "user,id=net0", DEVICE }, NULL, "argv-netdev nics[0].netdev",
	  "-netdev net0: no words of mode 'tap'" },
	{ "no descriptor", NIC(""), { "-netdev", "tap,id=net0,ifname=t0", DEVICE }, NULL, "argv-netdev nics[0].netdev",
	  "-netdev net0: QEMU runs its script: script=no turns that off" },
	{ "a name for a descriptor", NIC(""), { "-netdev", "tap,id=net0,fd=tapfd0", DEVICE }, NULL, "argv-netdev nics[0].netdev",
	  "-netdev net0: fd=tapfd0 is not a list of at most 64 numbers" },
	{ "a list in fd", NIC(""), { "-netdev", "tap,id=net0,fd=3:4", DEVICE2 }, NULL, "argv-netdev nics[0].netdev",
	  "-netdev net0: fd=3:4 is a list; a list belongs in fds" },
	{ "a colon at the end", NIC(""), { "-netdev", "tap,id=net0,fds=3:", DEVICE }, NULL,
	  "argv-netdev nics[0].netdev", NULL },
	{ "descriptor 2", NIC(""), { "-netdev", "tap,id=net0,fd=2", DEVICE }, NULL, "argv-netdev nics[0].netdev",
	  "-netdev net0: descriptor 2 cannot be a device: 0, 1 and 2 are reserved" },
	{ "descriptor 1 for vhost", NIC(""), { "-netdev", "tap,id=net0,fd=3,vhostfd=1", DEVICE }, NULL,
	  "argv-netdev nics[0].netdev", NULL },
	{ "other numbers than the descriptor", NIC(",'fds':[3,5]"), { "-netdev", "tap,id=net0,fds=3:4", DEVICE2 }, NULL,
	  "argv-netdev nics[0].netdev",
	  "-netdev net0: fds=3:4 disagrees with the numbers in the descriptor" },
	{ "fewer numbers than the descriptor", NIC(",'fds':[3,4]"), { "-netdev", "tap,id=net0,fd=3", DEVICE }, NULL,
	  "argv-netdev nics[0].netdev",
	  "-netdev net0: fd=3 disagrees with the numbers in the descriptor" },
	{ "other numbers for vhost", NIC(",'vhostfds':[5]"), { "-netdev", "tap,id=net0,fd=3,vhostfd=4", DEVICE }, NULL,
	  "argv-netdev nics[0].netdev",
	  "-netdev net0: vhostfd=4 disagrees with the numbers in the descriptor" },
	{ "another count than the descriptor", NIC(",'queues':4"), { "-netdev", "tap,id=net0,fds=3:4", DEVICE2 }, NULL,
	  "argv-netdev nics[0].netdev",
	  "-netdev net0: it has 2 file descriptors, but the descriptor asks for 4 queue pairs" },
	{ "one number for vhost of two queue pairs", NIC(""), { "-netdev", "tap,id=net0,fds=3:4,vhostfds=5", DEVICE2 }, NULL,
	  "pins-count nics[0].vhostfds 1:22", "1 numbers for 2 queue pairs" },
	{ "over the cap", "'max_queues':1," NIC(""), { "-netdev", "tap,id=net0,fds=3:4", DEVICE2 }, NULL,
	  "queues-over-max nics[0].queues 1:37", "2 queue pairs asked for, but max_queues is 1" },
	{ "one number twice", NIC(""), { "-netdev", "tap,id=net0,fds=3:3", DEVICE2 }, NULL,
	  "pin-twice nics[0].fds[0] 1:22; pin-twice nics[0].fds[1] 1:22", NULL },
	{ "vhost on, QEMU would open it", NIC(""), { "-netdev", "tap,id=net0,fd=3,vhost=on", DEVICE }, NULL, "argv-netdev nics[0].netdev",
	  "-netdev net0: vhost is on without vhostfd or vhostfds: QEMU would open /dev/vhost-net itself" },
	{ "vhostforce alone, QEMU would open it", NIC(""), { "-netdev", "tap,id=net0,fd=3,vhostforce=on", DEVICE }, NULL,
	  "argv-netdev nics[0].netdev", NULL },
	{ "vhost as a word alone", NIC(""), { "-netdev", "tap,id=net0,fd=3,vhost", DEVICE }, NULL,
	  "argv-netdev nics[0].netdev", NULL },
	{ "vhost off, and a descriptor for it", NIC(""), { "-netdev", "tap,id=net0,fd=3,vhost=off,vhostfd=4", DEVICE }, NULL,
	  "argv-netdev nics[0].netdev",
	  "-netdev net0: vhost is off, but it has vhost descriptors" },
	{ "vhost on, the descriptor has it off", NIC(",'vhost':false"), { "-netdev", "tap,id=net0,fd=3,vhostfd=4", DEVICE }, NULL,
	  "argv-netdev nics[0].netdev", "-netdev net0: vhost is on, but off in the descriptor" },
	{ "vhost off, the descriptor has it on", NIC(",'vhost':true"), { "-netdev", "tap,id=net0,fd=3", DEVICE }, NULL,
	  "argv-netdev nics[0].netdev", "-netdev net0: vhost is off, but on in the descriptor" },
	{ "handoff off", NIC(",'handoff':false"), { "-netdev", "tap,id=net0,fd=3", DEVICE }, NULL, "argv-netdev nics[0].netdev",
	  "-netdev net0: \"handoff\" is false, so there are no descriptors to place" },
	/* the device disagrees */
	{ "no such device", NIC(""), { "-netdev", "tap,id=net0,fd=3", "-device", "virtio-net-pci,netdev=net1" }, NULL,
	  "argv-device nics[0].netdev", "-device of net0: argv has no device for this netdev" },
	{ "two queue pairs without mq", NIC(""), { "-netdev", "tap,id=net0,fds=3:4", DEVICE }, NULL, "argv-device nics[0].netdev",
	  "-device of net0: 2 queue pairs without mq=on: all but one would be idle" },
	{ "two queue pairs with mq=off", NIC(""),
	  { "-netdev", "tap,id=net0,fds=3:4", "-device", "virtio-net-pci,netdev=net0,mq=off" },
	  NULL, "argv-device nics[0].netdev", NULL },
	{ "one queue pair with mq and vectors", NIC(""),
	  { "-netdev", "tap,id=net0,fd=3", "-device", "virtio-net-pci,netdev=net0,mq=on,vectors=4" }, "3 tap net0 0", "", NULL },
	{ "more vectors than needed", NIC(""),
	  { "-netdev", "tap,id=net0,fds=3:4", "-device", "virtio-net-pci,netdev=net0,mq=on,vectors=17" }, "3 tap net0 0; 4 tap net0 1", "",
	  NULL },
	{ "no vectors", NIC(""), { "-netdev", "tap,id=net0,fds=3:4", "-device", "virtio-net-pci,netdev=net0,mq=on,vectors=0" },
	  "3 tap net0 0; 4 tap net0 1", "device-property nics[0].netdev",
	  "-device of net0: vectors=0: no MSI-X, so all queues share the interrupt line" },
	{ "the alias", NIC(""), { "-netdev", "tap,id=net0,fds=3:4,vhostfds=5:6", "-device", "virtio-net,netdev=net0,mq=on" },
	  "3 tap net0 0; 4 tap net0 1; 5 vhost-net net0 0; 6 vhost-net net0 1", "", NULL },
	{ "tx_queue_size of a tap", NIC(""), { "-netdev", "tap,id=net0,fd=3", "-device", "virtio-net-pci,netdev=net0,tx_queue_size=512" },
	  NULL, "argv-device nics[0].netdev",
	  "-device of net0: tx_queue_size=512: must be 256: only vhost-user and vDPA support "
	  "more" },
	{ "a PCI device on a microvm", NIC(""),
	  { "-M", "microvm", "-netdev", "tap,id=net0,fd=3", "-device", "virtio-net-pci,netdev=net0" }, NULL,
	  "device-bus nics[0].netdev 1:50", NULL },
	{ "a device of a microvm", NIC(""),
	  { "-M", "microvm", "-netdev", "tap,id=net0,fds=3:4", "-device", "virtio-net-device,netdev=net0,mq=on" },
	  "3 tap net0 0; 4 tap net0 1", "", NULL },
	{ "too few vectors", NIC(""),
	  { "-netdev", "tap,id=net0,fds=3:4", "-device", "virtio-net-pci,netdev=net0,mq=on,vectors=4" },
	  NULL, "argv-device nics[0].netdev", "-device of net0: vectors=4: 2 queue pairs need 6" },
	{ "another address", NIC(",'mac':'02:00:00:00:00:01'"),
	  { "-netdev", "tap,id=net0,fd=3", "-device", "virtio-net-pci,netdev=net0,mac=02:00:00:00:00:02" }, NULL,
	  "argv-device nics[0].netdev",
	  "-device of net0: mac=02:00:00:00:00:02 disagrees with the descriptor" },
	{ "no address, the descriptor has one", NIC(",'mac':'02:00:00:00:00:01'"), { "-netdev", "tap,id=net0,fd=3", DEVICE }, NULL,
	  "argv-device nics[0].netdev",
	  "-device of net0: it has no mac, but the descriptor has one" },
	{ "no address at all in mac", NIC(""), { "-netdev", "tap,id=net0,fd=3", "-device", "virtio-net-pci,netdev=net0,mac=x" }, NULL,
	  "argv-device nics[0].netdev", "-device of net0: mac=x is not an Ethernet address" },
	{ "e1000 with two queue pairs", NIC(""), { "-netdev", "tap,id=net0,fds=3:4", "-device", "e1000,netdev=net0,mq=on" }, NULL,
	  "queues-backend nics[0].queues 1:22; argv-device nics[0].netdev",
	  "2 queue pairs asked for, but device 'e1000' has one" },
	{ "e1000 with vhost", NIC(""), { "-netdev", "tap,id=net0,fd=3,vhostfd=4", "-device", "e1000,netdev=net0" }, NULL,
	  "device-conflict nics[0].vhost 1:22", "device 'e1000' cannot use vhost" },
	/* the address of a macvtap */
	{ "macvtap with the link's address", MACVTAP(""),
	  { "-netdev", "tap,id=net0,fd=3", "-device", "virtio-net-pci,netdev=net0,mac=02:00:00:00:00:07" }, "3 macvtap net0 0", "", NULL },
	{ "macvtap with another address", MACVTAP(""),
	  { "-netdev", "tap,id=net0,fd=3", "-device", "virtio-net-pci,netdev=net0,mac=02:00:00:00:00:08" }, "3 macvtap net0 0",
	  "mac-differs nics[0].mac", NULL },
	{ "macvtap with QEMU's own address", MACVTAP(""), { "-netdev", "tap,id=net0,fd=3", DEVICE }, "3 macvtap net0 0",
	  "mac-differs nics[0].netdev",
	  "argv gives the device no address, and QEMU's default is not the link's address "
	  "02:00:00:00:00:07, so the link drops frames to it" },
	{ "macvtap whose device comes later", MACVTAP(",'device':false"), { "-netdev", "tap,id=net0,fd=3" },
	  "3 macvtap net0 0", "", NULL },
	/* words against what we emit */
	{ "the id of a NIC of ours is taken", "'nics':[{'mode':'user'}]", { "-netdev", "user,id=net0" }, NULL, "duplicate-id nics[0].id",
	  "argv already has -netdev net0" },
	{ "the id of the first of two NICs is taken", "'nics':[{'mode':'user'},{'mode':'user'}]", { "-netdev", "user,id=net0" }, NULL,
	  "duplicate-id nics[0].id", NULL },
	{ "another id is not", "'nics':[{'mode':'user'}]", { "-netdev", "user,id=net00" }, "", "", NULL },
	{ "-add-fd of a number that is planned", "'nics':[{'mode':'tap','ifname':'t0','vhost':false}]",
	  { "-add-fd", "fd=3,set=1" },
	  NULL, "argv-add-fd nics[0]",
	  "-add-fd fd=3: QEMU would close this descriptor before the NIC uses it" },
	{ "-add-fd of a number that is pinned for vhost", NIC(""),
	  { "-netdev", "tap,id=net0,fd=9,vhostfd=10", DEVICE, "-add-fd", "set=1,fd=10" }, NULL, "argv-add-fd nics[0]", NULL },
	{ "-add-fd of vsock's", "'vsock':{'cid':3}", { "--add-fd", "fd=3,set=1" }, NULL, "argv-add-fd vsock",
	  NULL },
	{ "-add-fd that is no number", "'nics':[{'mode':'tap','ifname':'t0','vhost':false}]",
	  { "-add-fd", "fd=3x", "-add-fd", "set=3", "-add-fd", "{" }, "3 tap net0 0", "", NULL },
	{ "-add-fd of another number", "'nics':[{'mode':'tap','ifname':'t0','vhost':false}]",
	  { "-add-fd", "fd=30,set=3" },
	  "3 tap net0 0", "", NULL },
};

/* The words stand in "args" or behind the program's name: both are looked at. */
static void read_row(struct row *row, bool in_args)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	char *words[WORDS_MAX];
	struct cmdline cmdline = { .argv0 = "qemu", .words = words };
	const struct cmdline *given = in_args ? &none : &cmdline;
	static struct host h;
	int ret;

	for (unsigned i = 0; i < WORDS_MAX && row->words[i]; i++)
		words[cmdline.n++] = unconst_word(row->words[i]);
	assert_int_equal(host_parse(&h, row->members), 0);
	if (in_args) {
		h.desc.args = row->words;
		h.desc.n_args = cmdline.n;
	}
	ret = argv_nics_read(&h.desc, given, &h.u.mem, &h.u.ds);
	if (ret == 0) {
		host_fit(&h);
		ret = host_plan(&h, given);
	}
	assert_string_equal(unit_problems(&h.u), row->problems);
	assert_int_equal(ret, row->slots ? 0 : -1);
	if (row->message)
		assert_string_equal(h.u.ds.list[0].message, row->message);
	if (row->slots)
		assert_string_equal(host_slots(&h), row->slots);
	/* a NIC of argv adds no word */
	if (row->slots && h.desc.nics[0].in_argv)
		assert_int_equal(h.plan.argc, 1 + cmdline.n);
	host_close(&h);
}

static void behind_the_name(void **state)
{
	read_row(*state, false);
}

static void in_args(void **state)
{
	read_row(*state, true);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[2 * ARRAY_LEN(rows)];

	UNIT_ROWS(UNIT_ROWS(tests, rows, behind_the_name), rows, in_args);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
