/*
 * test_fd_uses.c - descriptor numbers in QEMU's words and custom netdevs: what names them, and one
 * number, one use
 */
#include "config.h"

#include "desc/fd_uses.h"
#include "host.h"

#define TAP "'nics':[{'mode':'tap','ifname':'t0','vhost':false}]"
#define NONE "'vcpus':1"
#define CUSTOM(text) "'nics':[{'mode':'custom','netdev':'" text "'}]"
#define ARGV "'nics':[{'mode':'tap','ifname':'t0','netdev':'argv','device':false}]"
#define MIGRATION(addr) "{\"channel-type\":\"main\",\"addr\":{\"transport\":\"socket\"," addr "}}"

enum { WORDS = 6 };

static const struct row {
	const char *name, *members;
	const char *words[WORDS + 1];
	const char *uses;		/* "NUMBER WHAT; ..." */
	const char *problems;		/* "": none */
	const char *message;		/* of the first; NULL: any */
	int closed;			/* a number that is not open; 0: all are */
} rows[] = {
	/* what names a number */
	{ "tap: fd", NONE, { "-netdev", "tap,id=n,fd=5" }, "5 fd= of -netdev n", "", NULL, 0 },
	{ "tap: fds and vhostfds", NONE, { "-netdev", "tap,id=n,fds=5:6,vhostfds=7:8" },
	  "5 fds= of -netdev n; 6 fds= of -netdev n; 7 vhostfds= of -netdev n; "
	  "8 vhostfds= of -netdev n",
	  "", NULL, 0 },
	{ "tap in JSON", NONE, { "-netdev", "{\"type\":\"tap\",\"id\":\"n\",\"fd\":\"5\"}" },
	  "5 fd= of -netdev n", "", NULL, 0 },
	{ "-nic", NONE, { "-nic", "tap,fd=5" }, "5 fd= of -nic tap", "", NULL, 0 },
	{ "-net", NONE, { "-net", "socket,fd=5" }, "5 fd= of -net socket", "", NULL, 0 },
	{ "vhost-vdpa", NONE, { "-netdev", "vhost-vdpa,id=n,vhostfd=5" },
	  "5 vhostfd= of -netdev n", "", NULL, 0 },
	{ "af-xdp", NONE, { "-netdev", "af-xdp,id=n,ifname=e,sock-fds=5:6" },
	  "5 sock-fds= of -netdev n; 6 sock-fds= of -netdev n", "", NULL, 0 },
	{ "stream", NONE, { "-netdev", "stream,id=n,addr.type=fd,addr.str=5" },
	  "5 addr.str= of -netdev n", "", NULL, 0 },
	{ "dgram", NONE, { "-netdev", "dgram,id=n,local.type=fd,local.str=5" },
	  "5 local.str= of -netdev n", "", NULL, 0 },
	{ "stream in JSON", NONE,
	  { "-netdev",
	  "{\"type\":\"stream\",\"id\":\"n\",\"addr\":{\"type\":\"fd\",\"str\":\"5\"}}" },
	  "5 addr.str= of -netdev n", "", NULL, 0 },
	{ "an address of another type", NONE,
	  { "-netdev", "stream,id=fd,addr.type=unix,addr.path=5" }, "", "", NULL, 0 },
	{ "chardev", NONE, { "-chardev", "socket,id=c,fd=5" }, "5 fd= of -chardev c", "", NULL,
	  0 },
	{ "a monitor's short form", NONE, { "-monitor", "unix:fd=5" }, "5 fd= of -monitor", "",
	  NULL, 0 },
	{ "a serial line of that path", NONE, { "-serial", "unix:/run/fd=5" }, "", "", NULL, 0 },
	{ "incoming", NONE, { "-incoming", "fd:5" }, "5 fd= of -incoming", "", NULL, 0 },
	{ "incoming in JSON", NONE, { "-incoming", MIGRATION("\"type\":\"fd\",\"str\":\"5\"") },
	  "5 addr.str= of -incoming", "", NULL, 0 },
	{ "add-fd", NONE, { "-add-fd", "fd=5,set=1" }, "5 fd= of -add-fd", "", NULL, 0 },
	{ "iommufd", NONE, { "-object", "iommufd,id=i,fd=5" }, "5 fd= of -object i", "", NULL,
	  0 },
	{ "iommufd in JSON", NONE,
	  { "-object", "{\"qom-type\":\"iommufd\",\"id\":\"i\",\"fd\":\"5\"}" },
	  "5 fd= of -object i",
	  "", NULL, 0 },
	{ "vfio", NONE, { "-device", "vfio-pci,fd=5,iommufd=i" }, "5 fd= of -device vfio-pci",
	  "", NULL, 0 },
	{ "vhost-vsock", NONE, { "-device", "vhost-vsock-pci,guest-cid=3,vhostfd=5" },
	  "5 vhostfd= of -device vhost-vsock-pci", "", NULL, 0 },
	{ "vhost-scsi", NONE, { "-device", "vhost-scsi-pci,id=s,wwpn=x,vhostfd=5" },
	  "5 vhostfd= of -device s", "", NULL, 0 },
	{ "a program of RSS", NONE,
	  { "-device",
	  "{\"driver\":\"virtio-net-pci\",\"id\":\"d\",\"ebpf-rss-fds\":[\"5\",\"6\"]}" },
	  "5 ebpf-rss-fds.0= of -device d; 6 ebpf-rss-fds.1= of -device d", "", NULL, 0 },
	{ "the proxy of 9p", NONE, { "-fsdev", "proxy,id=f,sock_fd=5" }, "5 sock_fd= of -fsdev f",
	  "", NULL, 0 },
	{ "a block device over a socket", NONE,
	  { "-blockdev", "nbd,node-name=b,server.type=fd,server.str=5" },
	  "5 server.str= of -blockdev nbd", "", NULL, 0 },
	{ "a drive over a socket", NONE,
	  { "-drive", "driver=nbd,id=d,file.server.type=fd,file.server.str=5" },
	  "5 file.server.str= of -drive d", "", NULL, 0 },
	{ "names of a monitor's", NONE, { "-netdev", "tap,id=n,fd=mine" }, "", "", NULL, 0 },
	{ "a custom text", CUSTOM("tap,id=net0,fds=5:6,vhostfds=7:8"), { NULL },
	  "5 fds= of the netdev's text; 6 fds= of the netdev's text; "
	  "7 vhostfds= of the netdev's text; 8 vhostfds= of the netdev's text", "", NULL, 0 },
	/* one number, one use */
	{ "two netdevs", NONE, { "-netdev", "tap,id=a,fd=5", "-netdev", "tap,id=b,fds=5:6" },
	  "5 fd= of -netdev a; 5 fds= of -netdev b; 6 fds= of -netdev b", "fd-twice -",
	  "descriptor 5 has two uses: fds= of -netdev b, and fd= of -netdev a", 0 },
	{ "a netdev and -add-fd", NONE, { "-add-fd", "fd=5,set=1", "-netdev", "tap,id=a,fd=5" },
	  "5 fd= of -add-fd; 5 fd= of -netdev a", "fd-twice -", NULL, 0 },
	{ "-add-fd takes copies", NONE, { "-add-fd", "fd=5,set=1", "-add-fd", "fd=5,set=2" },
	  "5 fd= of -add-fd; 5 fd= of -add-fd", "", NULL, 0 },
	{ "a planned one", TAP, { "-netdev", "tap,id=n,fd=3" }, "3 fd= of -netdev n",
	  "fd-twice nics[0]",
	  "descriptor 3 has two uses: fd= of -netdev n, and the plan for tap of net0", 3 },
	{ "vsock's", "'vsock':{'cid':3}", { "-chardev", "socket,id=c,fd=3" }, "3 fd= of -chardev c",
	  "fd-twice vsock", NULL, 3 },
	{ "a planned one in a custom text",
	  "'nics':[{'mode':'tap','ifname':'t0','vhost':false},"
	  "{'mode':'custom','id':'b','netdev':'tap,id=b,fd=3'}]",
	  { NULL }, "3 fd= of the netdev's text", "fd-twice nics[1].netdev 1:108", NULL, 3 },
	{ "the NIC's own in argv", ARGV, { "-netdev", "tap,id=net0,fd=3" },
	  "3 fd= of -netdev net0", "",
	  NULL, 3 },
	{ "the NIC's own, and another's", ARGV,
	  { "-netdev", "tap,id=net0,fd=3", "-netdev", "tap,id=b,fd=3" },
	  "3 fd= of -netdev net0; 3 fd= of -netdev b", "fd-twice nics[0]", NULL, 3 },
	{ "the report's", "'report':{'fd':7}", { "-netdev", "tap,id=n,fd=7" }, "7 fd= of -netdev n",
	  "fd-twice report", NULL, 0 },
	/* it is open */
	{ "closed", NONE, { "-netdev", "tap,id=n,fd=5" }, "5 fd= of -netdev n", "fd-closed -",
	  "fd= of -netdev n: descriptor 5 is not open", 5 },
	{ "closed, in a custom text", CUSTOM("tap,id=net0,fd=5"), { NULL },
	  "5 fd= of the netdev's text",
	  "fd-closed nics[0].netdev 1:56", NULL, 5 },
};

static void put_uses(struct str *s, const void *arg)
{
	const struct desc *desc = arg;

	for (unsigned i = 0; i < desc->n_fd_uses; i++)
		str_put(s, "%s%d %s", i > 0 ? "; " : "", desc->fd_uses[i].fd,
			desc->fd_uses[i].what);
}

static void set_open(struct host *h, int closed)
{
	bool *open = arena_array(&h->u.mem, h->desc.n_fd_uses, sizeof(*open));

	for (unsigned i = 0; i < h->desc.n_fd_uses; i++)
		open[i] = h->desc.fd_uses[i].fd != closed;
	h->facts.use_open = open;
	h->facts.report_open = true;
}

static void use(void **state)
{
	const struct row *row = *state;
	char *words[WORDS];
	struct cmdline cmdline = { .argv0 = "qemu", .words = words };
	static struct host h;
	char members[512] = "";
	int ret;

	str_put(&STR_ON(members), "'seccomp':'none',%s", row->members);
	for (; row->words[cmdline.n]; cmdline.n++)
		words[cmdline.n] = unconst_word(row->words[cmdline.n]);
	ret = host_read(&h, members, &cmdline);
	assert_int_equal(ret, 0);
	assert_string_equal(str_make(&h.u.mem, put_uses, &h.desc), row->uses);
	host_fit(&h);
	set_open(&h, row->closed);
	ret = host_plan(&h, &cmdline);
	assert_string_equal(unit_problems(&h.u), row->problems);
	assert_int_equal(ret, row->problems[0] ? -1 : 0);
	if (row->message)
		assert_string_equal(h.u.ds.list[0].message, row->message);
	host_close(&h);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(rows)];

	UNIT_ROWS(tests, rows, use);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
