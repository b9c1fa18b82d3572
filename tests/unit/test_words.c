/*
 * test_words.c - the words of a plan: properties that agree with it or not, and values that try to break out
 */
#include "config.h"

#include <stdio.h>

#include "host.h"
#include "desc/cmdline.h"

#define TAP(queues, device) "'max_queues':64,'nics':[{'mode':'tap','ifname':'t0','vhost':false,'queues':" queues ",'device':{" device "}}]"
#define MACVTAP(device) "'nics':[{'mode':'macvtap','ifname':'m0','vhost':false,'device':{" device "}}]"
#define WITH_MAC(device) "'nics':[{'mode':'user','mac':'02:00:00:00:00:0a','device':{" device "}}]"
#define MICROVM "'args':['-M','microvm']"
#define VHOST(device) "'nics':[{'mode':'tap','ifname':'t0','vhost':true,'device':{" device "}}]"
#define USER(device) "'nics':[{'mode':'user','device':{" device "}}]"

static const struct row {
	const char *name, *members;
	const char *device;		/* the -device value; NULL: refused */
	const char *problems, *message;
} rows[] = {
	{ "other properties stand behind, in their order", TAP("2", "'rx_queue_size':1024,'host_mtu':1400,'packed':true"),
	  "virtio-net-pci,netdev=net0,mq=on,vectors=6,rx_queue_size=1024,host_mtu=1400,packed=on", "", NULL },
	{ "another driver", USER("'driver':'virtio-net-pci-non-transitional','bootindex':1"),
	  "virtio-net-pci-non-transitional,netdev=net0,bootindex=1", "", NULL },
	{ "the alias is virtio-net", TAP("2", "'driver':'virtio-net'"), "virtio-net,netdev=net0,mq=on,vectors=6", "", NULL },
	{ "virtio-net-device has no vectors", MICROVM "," TAP("4", "'driver':'virtio-net-device'"),
	  "virtio-net-device,netdev=net0,mq=on", "", NULL },
	{ "virtio-net-device with vectors", MICROVM "," TAP("4", "'driver':'virtio-net-device','vectors':10"), NULL,
	  "device-conflict nics[0].device.vectors",
	  "vectors=10: device 'virtio-net-device' does not have this property" },
	{ "a microvm's default", MICROVM "," TAP("2", ""), "virtio-net-device,netdev=net0,mq=on", "", NULL },
	{ "a microvm with pcie", "'args':['-M','microvm,pcie=on']," TAP("2", ""), "virtio-net-pci,netdev=net0,mq=on,vectors=6",
	  "", NULL },
	{ "a PCI device on a microvm", MICROVM "," USER("'driver':'virtio-net-pci'"), NULL, "device-bus nics[0].device.driver",
	  "device 'virtio-net-pci' needs a PCI bus, which machine 'microvm' does not have" },
	{ "virtio-net-device on q35", "'args':['-machine','q35']," USER("'driver':'virtio-net-device'"), NULL,
	  "device-bus nics[0].device.driver",
	  "device 'virtio-net-device' needs a virtio-mmio bus, which machine 'q35' does not have" },
	{ "virtio-net-device on the default machine", USER("'driver':'virtio-net-device'"), NULL,
	  "device-bus nics[0].device.driver", NULL },
	{ "e1000 on an isapc", "'args':['-M','isapc']," USER("'driver':'e1000'"), NULL, "device-bus nics[0].device.driver", NULL },
	{ "a machine that is not known", "'args':['-M','x-new']," USER("'driver':'virtio-net-device'"),
	  "virtio-net-device,netdev=net0", "", NULL },
	{ "a machine out of a file", "'args':['-readconfig','/x']," USER("'driver':'virtio-net-device'"),
	  "virtio-net-device,netdev=net0", "", NULL },
	{ "e1000e sends through two", TAP("2", "'driver':'e1000e'"), "e1000e,netdev=net0", "", NULL },
	{ "e1000e does not through three", TAP("3", "'driver':'e1000e'"), NULL, "queues-backend nics[0].queues",
	  "3 queue pairs asked for, but device 'e1000e' has 2" },
	{ "igb sends through eight", TAP("8", "'driver':'igb'"), "igb,netdev=net0", "", NULL },
	{ "vmxnet3 sends through one", TAP("2", "'driver':'vmxnet3'"), NULL, "queues-backend nics[0].queues",
	  "2 queue pairs asked for, but device 'vmxnet3' has one" },
	{ "rocker is no NIC", USER("'driver':'rocker'"), NULL, "device-conflict nics[0].device.driver",
	  "device 'rocker' does not use a netdev" },
	{ "a device that is not known", USER("'driver':'virtio-net-pic'"), "virtio-net-pic,netdev=net0",
	  "device-unknown nics[0].device.driver",
	  "device 'virtio-net-pic' is unknown: it gets one queue pair and no vhost" },
	{ "mq of another device", USER("'driver':'e1000','mq':true"), NULL, "device-conflict nics[0].device.mq",
	  "mq=on: device 'e1000' does not have this property" },
	{ "auto for a switch", USER("'packed':'auto'"), NULL, "device-conflict nics[0].device.packed", NULL },
	{ "a list as text", USER("'ebpf-rss-fds':'5:6'"), NULL, "device-conflict nics[0].device.ebpf-rss-fds",
	  "ebpf-rss-fds=5:6: is a list, which -device takes in JSON only" },
	{ "a switch that may be auto", USER("'hash-ipv4':'auto'"), "virtio-net-pci,netdev=net0,hash-ipv4=auto",
	  "", NULL },
	{ "a number for a switch", USER("'packed':1"), NULL, "device-conflict nics[0].device.packed",
	  "packed=1: must be on or off" },
	{ "rx_queue_size too large", USER("'rx_queue_size':2048"), NULL, "device-conflict nics[0].device.rx_queue_size",
	  "rx_queue_size=2048: must be a number from 256 to 1024" },
	{ "rx_queue_size no power of 2", USER("'rx_queue_size':300"), NULL, "device-conflict nics[0].device.rx_queue_size",
	  "rx_queue_size=300: must be a power of 2" },
	{ "tx_queue_size of a tap", TAP("1", "'tx_queue_size':1024"), NULL, "device-conflict nics[0].device.tx_queue_size",
	  "tx_queue_size=1024: must be 256: only vhost-user and vDPA support more" },
	{ "tx_queue_size of a tap is its default", TAP("1", "'tx_queue_size':256"),
	  "virtio-net-pci,netdev=net0,tx_queue_size=256", "", NULL },
	{ "host_mtu too large", USER("'host_mtu':65536"), NULL, "device-conflict nics[0].device.host_mtu", NULL },
	{ "host_mtu over the link's", TAP("1", "'host_mtu':9000"), "virtio-net-pci,netdev=net0,host_mtu=9000",
	  "device-property nics[0].device.host_mtu",
	  "host_mtu=9000: the MTU of 't0' is 1500, so the link drops longer packets" },
	{ "host_mtu under IPv4's", USER("'host_mtu':60"), "virtio-net-pci,netdev=net0,host_mtu=60",
	  "device-property nics[0].device.host_mtu", NULL },
	{ "speed", USER("'speed':-2"), NULL, "device-conflict nics[0].device.speed", NULL },
	{ "duplex", USER("'duplex':'x'"), NULL, "device-conflict nics[0].device.duplex", "duplex=x: must be half or full" },
	{ "tx", USER("'tx':'x'"), "virtio-net-pci,netdev=net0,tx=x", "device-property nics[0].device.tx", NULL },
	{ "packed with vhost", VHOST("'packed':true"), "virtio-net-pci,netdev=net0,packed=on",
	  "device-property nics[0].device.packed", NULL },
	{ "rss with vhost", VHOST("'rss':true"), "virtio-net-pci,netdev=net0,rss=on", "device-property nics[0].device.rss; seccomp-weakened seccomp", NULL },
	{ "hash without vhost", TAP("1", "'hash':true"), "virtio-net-pci,netdev=net0,hash=on", "", NULL },
	{ "iommu_platform on the root bus", USER("'iommu_platform':true"), NULL,
	  "device-conflict nics[0].device.iommu_platform",
	  "iommu_platform=on: QEMU refuses this for a device with a legacy interface" },
	{ "iommu_platform without the legacy interface", USER("'iommu_platform':true,'disable-legacy':'on'"),
	  "virtio-net-pci,netdev=net0,iommu_platform=on,disable-legacy=on", "", NULL },
	{ "iommu_platform on another bus", USER("'iommu_platform':true,'bus':'r'"),
	  "virtio-net-pci,netdev=net0,iommu_platform=on,bus=r", "", NULL },
	{ "iommu_platform of a confidential guest", "'args':['-M','q35,confidential-guest-support=s']," USER("'iommu_platform':true"),
	  "virtio-net-pci,netdev=net0,iommu_platform=on", "", NULL },
	{ "two queue pairs without a control queue", TAP("2", "'ctrl_vq':false"), NULL, "device-conflict nics[0].device.ctrl_vq",
	  NULL },
	{ "mq agrees", TAP("2", "'mq':true"), "virtio-net-pci,netdev=net0,mq=on,vectors=6", "", NULL },
	{ "mq agrees, as text", TAP("2", "'mq':'on'"), "virtio-net-pci,netdev=net0,mq=on,vectors=6", "",
	  NULL },
	{ "mq off contradicts", TAP("2", "'mq':false"), NULL, "device-conflict nics[0].device.mq",
	  "mq=off: 2 queue pairs, of which all but one would be idle" },
	{ "mq on with one queue pair", TAP("1", "'mq':true,'vectors':4"), "virtio-net-pci,netdev=net0,mq=on,vectors=4", "",
	  NULL },
	{ "mq off agrees with one queue pair", TAP("1", "'mq':false"), "virtio-net-pci,netdev=net0,mq=off", "",
	  NULL },
	{ "vectors agree", TAP("4", "'vectors':10"), "virtio-net-pci,netdev=net0,mq=on,vectors=10", "",
	  NULL },
	{ "vectors contradict", TAP("4", "'vectors':4"), NULL, "device-conflict nics[0].device.vectors",
	  "vectors=4: 4 queue pairs need 10" },
	{ "vectors in hexadecimal agree", TAP("4", "'vectors':'0xa'"), "virtio-net-pci,netdev=net0,mq=on,vectors=10", "", NULL },
	{ "more vectors than needed", TAP("4", "'vectors':32"), "virtio-net-pci,netdev=net0,mq=on,vectors=32", "", NULL },
	{ "vectors that QEMU chooses", TAP("4", "'vectors':4294967295"), "virtio-net-pci,netdev=net0,mq=on,vectors=4294967295", "",
	  NULL },
	{ "more vectors than a device can have", TAP("4", "'vectors':2049"), NULL, "device-conflict nics[0].device.vectors",
	  "vectors=2049: a device has at most 2048: QEMU would continue without any" },
	{ "no vectors", TAP("4", "'vectors':0"), "virtio-net-pci,netdev=net0,mq=on,vectors=0", "device-property nics[0].device.vectors",
	  "vectors=0: no MSI-X, so all queues share the interrupt line" },
	{ "vectors that are no number", TAP("1", "'vectors':'many'"), NULL, "device-conflict nics[0].device.vectors", NULL },
	{ "too few vectors of one queue pair", TAP("1", "'vectors':2"), "virtio-net-pci,netdev=net0,vectors=2",
	  "device-property nics[0].device.vectors", NULL },
	{ "vectors of one queue pair agree", TAP("1", "'vectors':4"), "virtio-net-pci,netdev=net0,vectors=4", "",
	  NULL },
	{ "no vectors for one queue pair", TAP("1", "'vectors':0"), "virtio-net-pci,netdev=net0,vectors=0",
	  "device-property nics[0].device.vectors", NULL },
	{ "netdev agrees", USER("'netdev':'net0'"), "virtio-net-pci,netdev=net0", "", NULL },
	{ "netdev contradicts", USER("'netdev':'net1'"), NULL, "device-conflict nics[0].device.netdev",
	  "is 'net1', but the plan has 'net0'" },
	{ "mac agrees", WITH_MAC("'mac':'02:00:00:00:00:0A'"),
	  "virtio-net-pci,netdev=net0,mac=02:00:00:00:00:0a", "", NULL },
	{ "mac contradicts", WITH_MAC("'mac':'02:00:00:00:00:0b'"), NULL, "device-conflict nics[0].device.mac",
	  "is '02:00:00:00:00:0b', but the plan has '02:00:00:00:00:0a'" },
	{ "mac that is none contradicts", WITH_MAC("'mac':'x'"), NULL, "device-conflict nics[0].device.mac",
	  NULL },
	{ "mac of a macvtap agrees with the link's", MACVTAP("'mac':'02:00:00:00:00:07'"),
	  "virtio-net-pci,netdev=net0,mac=02:00:00:00:00:07", "", NULL },
	{ "mac of a macvtap contradicts the link's", MACVTAP("'mac':'02:00:00:00:00:08'"), NULL,
	  "device-conflict nics[0].device.mac", NULL },
	{ "mac has a key of its own", USER("'mac':'02:00:00:00:00:0a'"), NULL, "device-conflict nics[0].device.mac",
	  "belongs in the NIC's \"mac\"" },
	{ "every contradiction is said", TAP("2", "'mq':false,'vectors':1,'netdev':'x','mac':'y'"), NULL,
	  "device-conflict nics[0].device.vectors; device-conflict nics[0].device.mq; device-conflict nics[0].device.netdev; "
	  "device-conflict nics[0].device.mac", NULL },
};

static const char *without_columns(struct unit *u, const char *problems)
{
	char *ret = arena_str(&u->mem, problems), *to = ret;

	for (const char *p = problems; *p; p++) {
		if (p[0] == ' ' && p[1] >= '0' && p[1] <= '9')
			p += strspn(p + 1, "0123456789:");
		else
			*to++ = *p;
	}
	*to = '\0';
	return ret;
}

static void words(void **state)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	const struct row *row = *state;
	static struct host h;

	assert_int_equal(host_read(&h, row->members, &none), 0);
	host_fit(&h);
	assert_int_equal(host_plan(&h, &none), row->device ? 0 : -1);
	assert_string_equal(without_columns(&h.u, unit_problems(&h.u)), row->problems);
	if (row->message)
		assert_string_equal(h.u.ds.list[0].message, row->message);
	if (row->device) {
		assert_string_equal(h.plan.nics[0].device, row->device);
		assert_string_equal(h.plan.argv[h.plan.argc - 1], row->device);
	}
	host_close(&h);
}

/* What a guest without an address gets, and without a network; the addresses were computed by another program. */
static const struct added {
	const char *name, *members, *words, *from;
	bool unnamed;			/* a warning says that QEMU's own address is every guest's */
} added[] = {
	{ "mac: of the name and the id", "'name':'vm7'," TAP("1", ""), "virtio-net-pci,netdev=net0,mac=ce:52:b1:7a:1d:8f", "name", false },
	{ "mac: another id", "'name':'vm7','nics':[{'mode':'user','id':'net1'}]", "virtio-net-pci,netdev=net1,mac=66:52:b1:77:3a:66",
	  "name", false },
	{ "mac: another name", "'name':'vm8'," TAP("1", ""), "virtio-net-pci,netdev=net0,mac=f2:ee:28:29:63:ee", "name", false },
	{ "mac: of -uuid", "'args':['-uuid','A-b-C','-name','web']," TAP("1", ""), "virtio-net-pci,netdev=net0,mac=8e:b0:fc:cf:65:19",
	  "uuid", false },
	{ "mac: of -name", "'args':['-name','guest=web,debug-threads=on']," TAP("1", ""),
	  "virtio-net-pci,netdev=net0,mac=e2:55:ba:65:5b:07", "argv-name", false },
	{ "mac: the descriptor's name first", "'name':'vm7','args':['-uuid','a-b-c','-name','web']," TAP("1", ""),
	  "virtio-net-pci,netdev=net0,mac=ce:52:b1:7a:1d:8f", "name", false },
	{ "mac: the descriptor's own", "'name':'vm7'," WITH_MAC(""), "virtio-net-pci,netdev=net0,mac=02:00:00:00:00:0a", "mac", false },
	{ "mac: a macvtap keeps the link's", "'name':'vm7'," MACVTAP(""), "virtio-net-pci,netdev=net0,mac=02:00:00:00:00:07", "link",
	  false },
	{ "mac: e1000", "'name':'vm7'," USER("'driver':'e1000'"), "e1000,netdev=net0,mac=ce:52:b1:7a:1d:8f", "name", false },
	{ "mac: nothing names the guest", TAP("1", ""), "virtio-net-pci,netdev=net0", NULL, true },
	{ "mac: nobody sees the address", USER(""), "virtio-net-pci,netdev=net0", NULL, false },
	{ "nic: none is QEMU's", "'nics':[]", "-nic none", NULL, false },
	{ "nic: none beside vsock", "'vsock':{'cid':3}", "-nic none -device vhost-vsock-pci,guest-cid=3,vhostfd=3", NULL, false },
	{ "nic: none although a disk is there", "'args':['-device','virtio-blk-pci,drive=d']", "-nic none", NULL, false },
	{ "nic: QEMU's is asked for", "'default_nic':true", "", NULL, false },
	{ "nic: argv says none", "'args':['-nodefaults']", "", NULL, false },
	{ "nic: argv has one", "'args':['-nic','user']", "", NULL, false },
	{ "nic: argv has one of the old form", "'args':['-net','nic','-net','user']", "", NULL, false },
	{ "nic: argv has a device", "'args':['-device','e1000e']", "", NULL, false },
	{ "nic: a file may have one", "'args':['-readconfig','/x']", "", NULL, false },
};

static void put_added(struct str *s, const void *arg)
{
	const struct plan *plan = arg;

	for (unsigned i = 1 + plan->desc->n_args; i < plan->argc; i++)
		str_put(s, "%s%s", s->len > 0 ? " " : "", plan->argv[i]);
}

static void words_added(void **state)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	const struct added *row = *state;
	static struct host h;
	const char *all;

	assert_int_equal(host_read(&h, row->members, &none), 0);
	host_fit(&h);
	assert_int_equal(host_plan(&h, &none), 0);
	assert_string_equal(unit_problems(&h.u), "");
	assert_int_equal(h.unnamed, row->unnamed);
	all = str_make(&h.u.mem, put_added, &h.plan);
	assert_string_equal(h.desc.n_nics > 0 ? h.plan.argv[h.plan.argc - 1] : all, row->words);
	if (h.desc.n_nics > 0)
		assert_string_equal(h.plan.nics[0].mac_from ? h.plan.nics[0].mac_from : "-", row->from ? row->from : "-");
	host_close(&h);
}

/* One address on two NICs, given or made. */
static void mac_twice(void **state)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	static struct host h;

	(void)state;
	assert_int_equal(host_read(&h, "'name':'vm7','nics':[{'mode':'user','id':'net1','mac':'ce:52:b1:7a:1d:8f'},"
				       "{'mode':'user','id':'net0'}]", &none), 0);
	host_fit(&h);
	assert_int_equal(host_plan(&h, &none), -1);
	assert_string_equal(without_columns(&h.u, unit_problems(&h.u)), "mac-twice nics[1].mac");
	assert_string_equal(h.u.ds.list[0].message,
			    "nics[0] also has the address ce:52:b1:7a:1d:8f");
	host_close(&h);
}

/*
 * Values that want to be more than a value: each comes back whole out of the option it was put in, and
 * the option holds no other key.
 */
static const struct hostile {
	const char *name, *value;
} hostile[] = {
	{ "hostile: a property",		"x,mq=off" },
	{ "hostile: a property, first comma doubled", "x,,mq=off,netdev=other" },
	{ "hostile: commas alone",		",,,,," },
	{ "hostile: a comma first",		",id=evil" },
	{ "hostile: a comma last",		"evil," },
	{ "hostile: an equals sign",		"a=b=c" },
	{ "hostile: an option",			"x -device pci-testdev" },
	{ "hostile: two dashes",		"--netdev" },
	{ "hostile: JSON",			"{\"driver\":\"e1000\"}" },
	{ "hostile: quotes",			"\"'`$(id)" },
	{ "hostile: a backslash",		"a\\,b" },
	{ "hostile: per cent",			"%s%n%1$s" },
	{ "hostile: nothing",			"" },
	{ "hostile: UTF-8",			"\xe2\x80\xae,\xc3\xa9" },
};

static void one_value(struct unit *u, const char *option, const char *first, unsigned keys, const char *key, const char *want)
{
	struct qopts opts;

	assert_true(qopts_parse(&u->mem, option, first, &opts));
	assert_int_equal(opts.n, keys);
	assert_string_equal(qopts_get(&opts, key), want);
	assert_string_equal(qopts_get(&opts, strcmp(first, "type") == 0 ? "id" : "netdev"), "net0");
}

static void hostile_value(void **state)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	const struct hostile *row = *state;
	static struct host h;
	struct prop device, option;

	assert_int_equal(host_read(&h, "'nics':[{'mode':'user','options':{'a':1},'device':{'b':1}}]", &none), 0);
	host_fit(&h);
	option = (struct prop){ .key = "hostname", .value = row->value, .at = h.desc.nics[0].at };
	device = (struct prop){ .key = "romfile", .value = row->value, .at = h.desc.nics[0].at };
	h.desc.nics[0].options.list[0] = option;
	h.desc.nics[0].device.list[0] = device;
	assert_int_equal(host_plan(&h, &none), 0);
	assert_int_equal(h.plan.argc, 5);
	assert_string_equal(h.plan.argv[1], "-netdev");
	one_value(&h.u, h.plan.argv[2], "type", 3, "hostname", row->value);
	assert_string_equal(h.plan.argv[3], "-device");
	one_value(&h.u, h.plan.argv[4], "driver", 3, "romfile", row->value);
	host_close(&h);
}

/* A helper's path is the descriptor's, too. */
static void hostile_helper(void **state)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	static struct host h;

	(void)state;
	assert_int_equal(host_read(&h, "'seccomp':'none','nics':[{'mode':'bridge','bridge':'br0','handoff':false}]", &none), 0);
	host_fit(&h);
	h.nics[0].helper.path = "/a,vhost=off,,script=/x";
	assert_int_equal(host_plan(&h, &none), 0);
	assert_string_equal(h.plan.argv[2], "tap,id=net0,br=br0,helper=/a,,vhost=off,,,,script=/x,vhost=on");
	one_value(&h.u, h.plan.argv[2], "type", 5, "helper", "/a,vhost=off,,script=/x");
	host_close(&h);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(rows) + ARRAY_LEN(hostile) + ARRAY_LEN(added) + 2] = {
		cmocka_unit_test(hostile_helper), cmocka_unit_test(mac_twice),
	};

	UNIT_ROWS(UNIT_ROWS(UNIT_ROWS(tests + 2, rows, words), hostile, hostile_value), added, words_added);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
