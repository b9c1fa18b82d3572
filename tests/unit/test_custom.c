/*
 * test_custom.c - the text of a custom netdev: what it says is planned and judged, the rest
 * is unknown
 */
#include "config.h"

#include "host.h"

typedef void change_fn(struct host *h);

#define CHANGE(name, ...) static void name(struct host *h) { __VA_ARGS__; }
#define LINK h->nics[0].link
CHANGE(no_link,			LINK = (struct link){ .err = ENODEV })
CHANGE(new_tap,			no_link(h); h->facts.net_admin = true)
CHANGE(no_vhost_net,		new_tap(h); h->facts.vhost_net.err = ENOENT)
CHANGE(tap,			LINK = host_nics[MODE_TAP].link)
CHANGE(tap_one_queue,		tap(h); LINK.tun.multi_queue = false)
CHANGE(tap_of_another,		tap(h); LINK.tun.owner = 7)
CHANGE(no_bridge,		h->nics[0] = host_nics[MODE_BRIDGE]; no_link(h))
CHANGE(no_vdpa,			h->nics[0].node.path = "/dev/vhost-vdpa-7"; \
				h->nics[0].node.err = ENOENT)

#define NEW "tap,id=net0,ifname=new0,script=no,downscript=no"
#define T0 "tap,id=net0,ifname=t0,script=no,downscript=no"
#define IN_JSON "{\\\"type\\\":\\\"tap\\\",\\\"id\\\":\\\"net0\\\",\\\"ifname\\\":\\\"new0\\\"," \
	"\\\"script\\\":\\\"no\\\"," \
	"\\\"downscript\\\":\\\"no\\\",\\\"vhost\\\":true,\\\"queues\\\":2}"
#define NUMBERS "tap,id=net0,fds=20:21"
#define E1000 ",'device':{'driver':'e1000'}"

static const struct row {
	const char *name, *text, *members;
	change_fn *change;		/* NULL: none */
	/* "2 on": queue pairs and vhost, "?" for what is unknown; NULL: it is refused */
	const char *want;
	const char *problems;		/* NULL: none */
	const char *message;		/* of the first; NULL: any */
} rows[] = {
	/* what it says is planned */
	{ "queues and vhost", NEW ",vhost=on,queues=4", "", new_tap, "4 on", NULL, NULL },
	{ "in JSON", IN_JSON, "", new_tap, "2 on", NULL, NULL },
	{ "the defaults", NEW, "", new_tap, "1 off", NULL, NULL },
	{ "vhostforce", NEW ",vhostforce=on", "", new_tap, "1 on", NULL, NULL },
	{ "vhostforce without vhost", NEW ",vhost=off,vhostforce=on", "", new_tap, "1 off", NULL,
	  NULL },
	{ "numbers", NUMBERS ",vhostfds=22:23", "", NULL, "2 on", NULL, NULL },
	{ "numbers, vhost by QEMU", NUMBERS ",vhost=on", "", NULL, "2 on", NULL, NULL },
	{ "one number", "tap,id=net0,fd=20", "", NULL, "1 off", NULL, NULL },
	{ "user", "user,id=net0", "", NULL, "1 off", NULL, NULL },
	{ "a socket", "socket,id=net0,fd=20", "", NULL, "1 off", NULL, NULL },
	{ "vDPA", "vhost-vdpa,id=net0,vhostfd=9", "", NULL, "? off", NULL, NULL },
	{ "vDPA, queues said", "vhost-vdpa,id=net0,vhostfd=9", ",'queues':2", NULL, "2 off",
	  NULL, NULL },
	/* what cannot be read is unknown, unless the descriptor says it */
	{ "another type", "later,id=net0,queues=4,vhost=on", "", NULL, "? ?", NULL, NULL },
	{ "another type, queues said", "later,id=net0", ",'queues':4", NULL, "4 ?", NULL, NULL },
	{ "another type, vhost said", "later,id=net0", ",'vhost':true", NULL, "? on", NULL, NULL },
	{ "another type, no vhost", "later,id=net0", ",'vhost':false", NULL, "? off", NULL, NULL },
	/* the descriptor beside it */
	{ "it agrees", NEW ",vhost=on,queues=2", ",'queues':2,'vhost':true", new_tap, "2 on", NULL,
	  NULL },
	{ "other queues", NEW ",queues=4", ",'queues':2", new_tap, NULL,
	  "custom-netdev nics[0].queues 1:107",
	  "2 queue pairs asked for, the netdev's text makes 4" },
	{ "two of user", "user,id=net0", ",'queues':2", NULL, NULL,
	  "custom-netdev nics[0].queues 1:63", NULL },
	{ "over the cap", NEW ",queues=20", "", new_tap, NULL,
	  "queues-over-max nics[0].netdev 1:39", "20 queue pairs asked for, but max_queues is 16" },
	{ "vhost against it", NEW ",vhost=on", ",'vhost':false", new_tap, NULL,
	  "custom-netdev nics[0].vhost 1:107", "is false, and the netdev's text turns vhost on" },
	{ "no vhost in the text", NEW, ",'vhost':true", new_tap, NULL,
	  "custom-netdev nics[0].vhost 1:98", "is true, and the netdev's text has no vhost=on" },
	{ "vhost of user", "user,id=net0", ",'vhost':true", NULL, NULL,
	  "custom-netdev nics[0].vhost 1:63", "is true, and a netdev 'user' has no vhost" },
	{ "vhost without its node", NEW ",vhost=on", "", no_vhost_net, NULL,
	  "node-missing nics[0].netdev", NULL },
	{ "vhost off without its node", NEW ",vhost=off", "", no_vhost_net, "1 off", NULL, NULL },
	{ "vhost on an e1000", NEW ",vhost=on", E1000, new_tap, NULL,
	  "device-conflict nics[0].netdev 1:39", "device 'e1000' cannot use vhost" },
	{ "several queues on an e1000", NEW ",queues=2", E1000, new_tap, NULL,
	  "queues-backend nics[0].netdev 1:39", NULL },
	{ "vDPA on an e1000", "vhost-vdpa,id=net0,vhostfd=9", E1000, NULL, NULL,
	  "device-conflict nics[0].device.driver 1:89", NULL },
	/* what QEMU would refuse */
	{ "numbers that do not match", NUMBERS ",vhostfds=22", "", NULL, NULL,
	  "custom-netdev nics[0].netdev 1:39", "2 descriptors, and 1 for vhost" },
	{ "no numbers", "tap,id=net0,fds=20:x", "", NULL, NULL, "custom-netdev nics[0].netdev 1:39",
	  "fds=20:x is not a list of descriptor numbers" },
	{ "fd with a list", "tap,id=net0,fd=20:21", "", NULL, NULL,
	  "custom-netdev nics[0].netdev 1:39", "fd= is one number, a list goes into fds=" },
	{ "fd with queues", "tap,id=net0,fd=20,queues=2", "", NULL, NULL,
	  "custom-netdev nics[0].netdev 1:39", "fd= does not go with queues=" },
	{ "fds with vhostfd", NUMBERS ",vhostfd=22", "", NULL, NULL,
	  "custom-netdev nics[0].netdev 1:39", "fds= goes with vhostfds=, not with vhostfd=" },
	{ "vhost off and vhostfd", "tap,id=net0,fd=20,vhost=off,vhostfd=21", "", NULL, NULL,
	  "custom-netdev nics[0].netdev 1:39", "vhost is off, and there are descriptors for it" },
	{ "queues that are none", NEW ",queues=many", "", new_tap, NULL,
	  "custom-netdev nics[0].netdev 1:39", "queues=many is not a number from 1 to 1024" },
	{ "vhost that is neither", NEW ",vhost=maybe", "", new_tap, NULL,
	  "custom-netdev nics[0].netdev 1:39", "vhost=maybe is neither on nor off" },
	{ "vhost-user without a chardev", "vhost-user,id=net0", "", NULL, NULL,
	  "custom-netdev nics[0].netdev 1:39", "it names no chardev" },
	{ "vDPA without a device", "vhost-vdpa,id=net0", "", NULL, NULL,
	  "custom-netdev nics[0].netdev 1:39", "it has neither vhostdev nor vhostfd" },
	/* what it names is judged as by the mode that names it */
	{ "a TAP that is there", T0 ",queues=2", "", tap, "2 off", NULL, NULL },
	{ "a TAP with one queue", T0 ",queues=2", "", tap_one_queue, NULL,
	  "tap-not-multiqueue nics[0].netdev", NULL },
	{ "one queue of several", T0, "", tap, NULL,
	  "handoff-one-queue nics[0].netdev.ifname", NULL },
	{ "another's TAP", T0 ",queues=2", "", tap_of_another, NULL,
	  "tap-owner nics[0].netdev.ifname", NULL },
	{ "a TAP that cannot be made", NEW, "", no_link, NULL, "link-missing nics[0].netdev.ifname",
	  NULL },
	{ "no bridge", "bridge,id=net0,br=nosuch", "", no_bridge, NULL,
	  "link-missing nics[0].netdev.bridge", NULL },
	{ "no vDPA device", "vhost-vdpa,id=net0,vhostdev=/dev/vhost-vdpa-7", "", no_vdpa, NULL,
	  "node-missing nics[0].netdev.vhostdev", NULL },
};

static const char *planned(struct host *h)
{
	const struct nic_plan *np = &h->plan.nics[0];
	const bool unknown = np->unread && np->nic->vhost == CHOICE_ABSENT;
	struct arena *mem = &h->u.mem;

	return arena_printf(mem, "%s %s",
			    np->queues_unknown ? "?" : arena_printf(mem, "%u", np->queues),
			    unknown ? "?" : np->vhost ? "on" : "off");
}

/* The text reaches QEMU as it is, and the device has the queue pairs that it says. */
static void check_words(struct host *h, const struct row *row)
{
	const unsigned n = h->plan.nics[0].queues;
	char mq[32] = "", want[512];

	if (n > 1)
		str_put(&STR_ON(mq), ",mq=on,vectors=%u", 2 * n + 2);
	want[0] = '\0';
	str_put(&STR_ON(want), "-netdev %s -device virtio-net-pci,netdev=net0%s",
		h->desc.nics[0].netdev, mq);
	if (row->text[0] != '{')
		assert_string_equal(h->desc.nics[0].netdev, row->text);
	assert_string_equal(host_words(h), want);
}

static void text(void **state)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	const struct row *row = *state;
	static struct host h;
	char members[1024] = "";
	int ret;

	str_put(&STR_ON(members), "'nics':[{'mode':'custom','netdev':'%s'%s}]", row->text,
		row->members);
	ret = host_read(&h, members, &none);
	if (ret == 0) {
		host_fit(&h);
		if (row->change)
			row->change(&h);
		ret = host_plan(&h, &none);
	}
	assert_string_equal(unit_problems(&h.u), row->problems ? row->problems : "");
	assert_int_equal(ret, row->want ? 0 : -1);
	if (row->message)
		assert_string_equal(h.u.ds.list[0].message, row->message);
	if (row->want) {
		assert_string_equal(planned(&h), row->want);
		check_words(&h, row);
	}
	host_close(&h);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(rows)];

	UNIT_ROWS(tests, rows, text);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
