/*
 * test_keyval.c - values of QEMU options as text and as JSON: of lists, and of the plan of each mode and count
 */
#include "config.h"

#include "host.h"

/* --- lists ----------------------------------------------------------------------------------------------- */

static const struct list_row {
	const char *name;
	struct keyval pairs[6];
	const char *text, *json;
} list_rows[] = {
	{ "one pair", { { "type", KEYVAL_TEXT, "user" } }, "user", "{\"type\":\"user\"}" },
	{ "types", { { "driver", KEYVAL_TEXT, "d" }, { "mq", KEYVAL_SWITCH, "on" }, { "vectors", KEYVAL_NUMBER, "6" },
		     { "rom", KEYVAL_SWITCH, "off" }, { "x", KEYVAL_NUMBER, "-1" } },
	  "d,mq=on,vectors=6,rom=off,x=-1", "{\"driver\":\"d\",\"mq\":true,\"vectors\":6,\"rom\":false,\"x\":-1}" },
	{ "commas and quotes", { { "type", KEYVAL_TEXT, "a" }, { "k", KEYVAL_TEXT, "1,2=\"3\"" } },
	  "a,k=1,,2=\"3\"", "{\"type\":\"a\",\"k\":\"1,2=\\\"3\\\"\"}" },
	{ "strings", { { "type", KEYVAL_TEXT, "u" }, { "f", KEYVAL_STRINGS, "1" }, { "f", KEYVAL_STRINGS, "2" },
		       { "g", KEYVAL_STRINGS, "3" }, { "h", KEYVAL_TEXT, "4" } },
	  "u,f=1,f=2,g=3,h=4",
	  "{\"type\":\"u\",\"f\":[{\"str\":\"1\"},{\"str\":\"2\"}],\"g\":[{\"str\":\"3\"}],\"h\":\"4\"}" },
	{ "strings whose names begin alike", { { "type", KEYVAL_TEXT, "u" }, { "f", KEYVAL_STRINGS, "1" },
					       { "fg", KEYVAL_STRINGS, "2" } },
	  "u,f=1,fg=2", "{\"type\":\"u\",\"f\":[{\"str\":\"1\"}],\"fg\":[{\"str\":\"2\"}]}" },
	{ "an object", { { "type", KEYVAL_TEXT, "stream" }, { "addr.type", KEYVAL_TEXT, "fd" },
			 { "addr.str", KEYVAL_TEXT, "5" }, { "z", KEYVAL_NUMBER, "1" } },
	  "stream,addr.type=fd,addr.str=5,z=1",
	  "{\"type\":\"stream\",\"addr\":{\"type\":\"fd\",\"str\":\"5\"},\"z\":1}" },
	{ "objects in an object", { { "a.b.c", KEYVAL_NUMBER, "1" }, { "a.b.d", KEYVAL_NUMBER, "2" },
				    { "a.e", KEYVAL_NUMBER, "3" }, { "ab", KEYVAL_NUMBER, "4" } },
	  "1,a.b.d=2,a.e=3,ab=4", "{\"a\":{\"b\":{\"c\":1,\"d\":2},\"e\":3},\"ab\":4}" },
};

static void list(void **state)
{
	const struct list_row *row = *state;
	struct unit u;
	struct keyvals kv = { 0 };

	unit_open(&u);
	kv.mem = &u.mem;
	for (unsigned i = 0; i < ARRAY_LEN(row->pairs) && row->pairs[i].key; i++)
		keyval_add(&kv, row->pairs[i].key, row->pairs[i].type, row->pairs[i].text);
	assert_string_equal(keyval_option(&kv), row->text);
	assert_string_equal(keyval_json(&kv), row->json);
	unit_close(&u);
}

static void more_than_there_was_room_for(void **state)
{
	struct unit u;
	struct keyvals kv = { 0 };

	(void)state;
	unit_open(&u);
	kv.mem = &u.mem;
	for (unsigned i = 0; i < 100; i++)
		keyval_number(&kv, arena_printf(&u.mem, "k%u", i), i);
	for (unsigned i = 0; i < 100; i++)
		assert_string_equal(keyval_find(&kv, arena_printf(&u.mem, "k%u", i))->text,
				    arena_printf(&u.mem, "%u", i));
	assert_null(keyval_find(&kv, "k100"));
	unit_close(&u);
}

/* --- plans ----------------------------------------------------------------------------------------------- */

#define NIC(nic) "'seccomp':'none','nics':[{" nic "}]"
#define DEVICE_2 "{\"driver\":\"virtio-net-pci\",\"netdev\":\"net0\",\"mq\":true,\"vectors\":6}"
#define DEVICE_1 "{\"driver\":\"virtio-net-pci\",\"netdev\":\"net0\"}"

static const struct plan_row {
	const char *name, *members;
	const char *netdev, *netdev_json, *device_json;
} plan_rows[] = {
	{ "user", NIC("'mode':'user','options':{'hostfwd':['tcp::1-:2','tcp::3-:4'],'restrict':'on','net':'10.0.0.0/8'}"),
	  "user,id=net0,hostfwd=tcp::1-:2,hostfwd=tcp::3-:4,restrict=on,net=10.0.0.0/8",
	  "{\"type\":\"user\",\"id\":\"net0\",\"hostfwd\":[{\"str\":\"tcp::1-:2\"},{\"str\":\"tcp::3-:4\"}],"
	  "\"restrict\":true,\"net\":\"10.0.0.0/8\"}", DEVICE_1 },
	{ "user, one hostfwd", NIC("'mode':'user','options':{'hostfwd':'tcp::1-:2','ipv6':false}"),
	  "user,id=net0,hostfwd=tcp::1-:2,ipv6=off",
	  "{\"type\":\"user\",\"id\":\"net0\",\"hostfwd\":[{\"str\":\"tcp::1-:2\"}],\"ipv6\":false}", DEVICE_1 },
	{ "tap, one queue, no vhost", NIC("'mode':'tap','ifname':'t0','vhost':false,'queues':1"),
	  "tap,id=net0,fd=3,vhost=off", "{\"type\":\"tap\",\"id\":\"net0\",\"fd\":\"3\",\"vhost\":false}", DEVICE_1 },
	{ "tap, two queues, vhost", NIC("'mode':'tap','ifname':'t0','queues':2"),
	  "tap,id=net0,fds=3:4,vhost=on,vhostforce=on,vhostfds=5:6",
	  "{\"type\":\"tap\",\"id\":\"net0\",\"fds\":\"3:4\",\"vhost\":true,\"vhostforce\":true,\"vhostfds\":\"5:6\"}",
	  DEVICE_2 },
	{ "tap that QEMU opens", NIC("'mode':'tap','ifname':'t0','queues':2,'handoff':false"),
	  "tap,id=net0,ifname=t0,script=no,downscript=no,vhost=on,queues=2",
	  "{\"type\":\"tap\",\"id\":\"net0\",\"ifname\":\"t0\",\"script\":\"no\",\"downscript\":\"no\",\"vhost\":true,"
	  "\"queues\":2}", DEVICE_2 },
	{ "macvtap, two queues", NIC("'mode':'macvtap','ifname':'m0','queues':2,'vhost':false,'mac':'02:00:00:00:00:07'"),
	  "tap,id=net0,fds=3:4,vhost=off", "{\"type\":\"tap\",\"id\":\"net0\",\"fds\":\"3:4\",\"vhost\":false}",
	  "{\"driver\":\"virtio-net-pci\",\"netdev\":\"net0\",\"mac\":\"02:00:00:00:00:07\",\"mq\":true,\"vectors\":6}" },
	{ "bridge", NIC("'mode':'bridge','bridge':'br0','vhost':false"),
	  "tap,id=net0,fd=3,vhost=off", "{\"type\":\"tap\",\"id\":\"net0\",\"fd\":\"3\",\"vhost\":false}", DEVICE_1 },
	{ "bridge that QEMU opens", NIC("'mode':'bridge','bridge':'br0','vhost':false,'handoff':false"),
	  "bridge,id=net0,br=br0", "{\"type\":\"bridge\",\"id\":\"net0\",\"br\":\"br0\"}", DEVICE_1 },
	{ "passt", NIC("'mode':'passt'"), "stream,id=net0,server=off,addr.type=fd,addr.str=3",
	  "{\"type\":\"stream\",\"id\":\"net0\",\"server\":false,\"addr\":{\"type\":\"fd\",\"str\":\"3\"}}", DEVICE_1 },
	{ "passt that QEMU starts", NIC("'mode':'passt','native':true,'options':{'mtu':1500,'tcp-ports':'22','ipv6':false}"),
	  "passt,id=net0,mtu=1500,tcp-ports=22,ipv6=off",
	  "{\"type\":\"passt\",\"id\":\"net0\",\"mtu\":1500,\"tcp-ports\":[{\"str\":\"22\"}],\"ipv6\":false}", DEVICE_1 },
	{ "vhost-vdpa, one queue pair", NIC("'mode':'vhost-vdpa','options':{'path':'/dev/vhost-vdpa-0'}"),
	  "vhost-vdpa,id=net0,vhostfd=3", "{\"type\":\"vhost-vdpa\",\"id\":\"net0\",\"vhostfd\":\"3\"}", DEVICE_1 },
	{ "vhost-vdpa, two queue pairs", NIC("'mode':'vhost-vdpa','queues':2,'options':{'path':'/dev/vhost-vdpa-0'}"),
	  "vhost-vdpa,id=net0,vhostfd=3,queues=2",
	  "{\"type\":\"vhost-vdpa\",\"id\":\"net0\",\"vhostfd\":\"3\",\"queues\":2}", DEVICE_2 },
	{ "custom text", NIC("'mode':'custom','netdev':'user,id=net0'"), "user,id=net0", NULL, DEVICE_1 },
	{ "custom JSON", NIC("'mode':'custom','netdev':'{\\\"type\\\":\\\"user\\\",\\\"id\\\":\\\"net0\\\"}'"),
	  "{\"type\":\"user\",\"id\":\"net0\"}", "{\"type\":\"user\",\"id\":\"net0\"}", DEVICE_1 },
	{ "properties of the device", NIC("'mode':'user','device':{'packed':true,'host_mtu':9000,'romfile':'on,x'}"),
	  "user,id=net0", "{\"type\":\"user\",\"id\":\"net0\"}",
	  "{\"driver\":\"virtio-net-pci\",\"netdev\":\"net0\",\"packed\":true,\"host_mtu\":9000,\"romfile\":\"on,x\"}" },
};

static void plan(void **state)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	const struct plan_row *row = *state;
	static struct host h;
	const char *json;

	assert_int_equal(host_read(&h, row->members, &none), 0);
	host_fit(&h);
	h.facts.qemu_version = (struct qemu_version){ 10, 1 };
	h.nics[0].passt = (struct program){ .path = "/usr/bin/passt", .regular = true };
	if (host_plan(&h, &none) < 0)
		fail_msg("%s", unit_text(&h.u, 0));
	assert_string_equal(h.plan.nics[0].netdev, row->netdev);
	json = keyval_json(&h.plan.nics[0].netdev_words);
	assert_string_equal(json ? json : "none", row->netdev_json ? row->netdev_json : "none");
	assert_string_equal(keyval_json(&h.plan.nics[0].device_words), row->device_json);
	host_close(&h);
}

int main(int argc, char **argv)
{
	static struct CMUnitTest tests[ARRAY_LEN(list_rows) + ARRAY_LEN(plan_rows) + 1];
	struct CMUnitTest *next = tests;

	if (setjmp(unit_oom) != 0)
		return 1;
	next = UNIT_ROWS(next, list_rows, list);
	next = UNIT_ROWS(next, plan_rows, plan);
	*next++ = (struct CMUnitTest)cmocka_unit_test(more_than_there_was_room_for);
	return UNIT_RUN(tests, argc, argv);
}
