/*
 * test_capabilities.c - which capabilities QEMU keeps by its words and the descriptor, and why
 */
#include "config.h"

#include <linux/capability.h>

#include "base/capnames.h"
#include "desc/argv_user.h"
#include "host.h"

enum { WORDS_MAX = 8 };

static const struct row {
	const char *name, *members;
	const char *words[WORDS_MAX];
	const char *kept;		/* "NAME (why); ..." */
} rows[] = {
	{ "root, nothing else", "'seccomp':'none'", { NULL }, "CAP_DAC_OVERRIDE (files of other owners)" },
	{ "ids that are taken", "'seccomp':'none','user':7,'group':7", { "-overcommit", "mem-lock=on" }, "" },
	{ "ids that are taken, chroot", "'seccomp':'none','user':7,'group':7", { "-chroot", "/x", "-overcommit", "mem-lock=on" },
	  "CAP_SYS_CHROOT (-chroot)" },
	{ "ids that are taken, run-with chroot", "'seccomp':'none','user':7,'group':7", { "-run-with", "chroot=/x" },
	  "CAP_SYS_CHROOT (-run-with chroot)" },
	{ "a list", "'seccomp':'none','capabilities':['chown']", { "-overcommit", "mem-lock=on" }, "CAP_CHOWN (capabilities)" },
	{ "keep", "'seccomp':'none','capabilities':'keep'", { "-overcommit", "mem-lock=on" }, "" },
#define MORE(caps) caps "CAP_DAC_OVERRIDE (files of other owners)"
	{ "mem-lock", "'seccomp':'none'", { "-overcommit", "cpu-pm=on,mem-lock=on" },
	  MORE("CAP_IPC_LOCK (-overcommit mem-lock=on); ") },
	{ "mem-lock off", "'seccomp':'none'", { "-overcommit", "mem-lock=off" }, MORE("") },
	{ "two dashes", "'seccomp':'none'", { "--overcommit", "mem-lock=yes" },
	  MORE("CAP_IPC_LOCK (-overcommit mem-lock=yes); ") },
	{ "in args", "'seccomp':'none','args':['-overcommit','mem-lock=on']", { NULL },
	  MORE("CAP_IPC_LOCK (-overcommit mem-lock=on); ") },
	{ "chroot", "'seccomp':'none'", { "-chroot", "/x" }, MORE("CAP_SYS_CHROOT (-chroot); ") },
	{ "run-with chroot", "'seccomp':'none'", { "-run-with", "async-teardown=on,chroot=/x" },
	  MORE("CAP_SYS_CHROOT (-run-with chroot=/x); ") },
	{ "runas under no filter", "'seccomp':'none'", { "-runas", "nobody" },
	  MORE("CAP_SETGID (-runas); CAP_SETUID (-runas); ") },
	{ "vfio", "'seccomp':'none'", { "-device", "vfio-pci,host=01:00.0" }, MORE("CAP_IPC_LOCK (-device vfio-pci); ") },
	{ "vfio in JSON", "'seccomp':'none'", { "-device", "{\"driver\":\"vfio-pci\",\"host\":\"01:00.0\"}" },
	  MORE("CAP_IPC_LOCK (-device vfio-pci); ") },
	{ "vhost-vdpa", "'seccomp':'none'", { "-netdev", "vhost-vdpa,id=n,vhostdev=/dev/vhost-vdpa-0" },
	  MORE("CAP_IPC_LOCK (-netdev vhost-vdpa); ") },
	{ "vhost-vdpa of the descriptor",
	  "'seccomp':'none','nics':[{'mode':'vhost-vdpa','options':{'path':'/dev/vhost-vdpa-0'}}]", { NULL },
	  MORE("CAP_IPC_LOCK (-netdev vhost-vdpa); ") },
	{ "sev", "'seccomp':'none'", { "-object", "sev-guest,id=s" }, MORE("CAP_IPC_LOCK (-object sev-guest); ") },
	{ "scsi", "'seccomp':'none'", { "-device", "scsi-generic,drive=d" },
	  MORE("CAP_SYS_RAWIO (-device scsi-generic); ") },
	{ "a tap of QEMU's own", "'seccomp':'none'", { "-netdev", "tap,id=t" },
	  MORE("CAP_NET_ADMIN (a tap that QEMU opens); ") },
	{ "by -nic", "'seccomp':'none'", { "-nic", "tap,ifname=t0,script=no" },
	  MORE("CAP_NET_ADMIN (a tap that QEMU opens); ") },
	{ "by -net", "'seccomp':'none'", { "-net", "bridge" }, MORE("CAP_NET_ADMIN (a bridge that QEMU opens); ") },
	{ "a tap of the descriptor that QEMU opens", "'nics':[{'mode':'tap','ifname':'t0','queues':2,'handoff':false}]",
	  { NULL }, MORE("CAP_NET_ADMIN (a tap that QEMU opens); ") },
	{ "a tap of the descriptor", "'nics':[{'mode':'tap','ifname':'t0'}]", { NULL }, MORE("") },
	{ "a low port", "'nics':[{'mode':'user','options':{'hostfwd':['tcp::8080-:80','udp:127.0.0.1:53-:53']}}]", { NULL },
	  MORE("CAP_NET_BIND_SERVICE (hostfwd=udp:127.0.0.1:53-:53); ") },
	{ "port 1023", "'seccomp':'none'", { "-netdev", "user,id=u,hostfwd=tcp::1023-:80" },
	  MORE("CAP_NET_BIND_SERVICE (hostfwd=tcp::1023-:80); ") },
	{ "port 1024", "'seccomp':'none'", { "-netdev", "user,id=u,hostfwd=tcp::1024-:80" }, MORE("") },
	{ "any port", "'seccomp':'none'", { "-netdev", "user,id=u,hostfwd=tcp::0-:80" }, MORE("") },
	{ "a console on a low port", "'seccomp':'none'", { "-serial", "telnet:127.0.0.1:23,server=on,wait=off" },
	  MORE("CAP_NET_BIND_SERVICE (-serial telnet:127.0.0.1:23,server=on,wait=off); ") },
	{ "a chardev on a low port", "'seccomp':'none'", { "-chardev", "socket,id=c,host=::,port=443,server=on" },
	  MORE("CAP_NET_BIND_SERVICE (-chardev socket,id=c,host=::,port=443,server=on); ") },
	{ "VNC is at 5900 and above", "'seccomp':'none'", { "-vnc", ":1" }, MORE("") },
	{ "its websocket is where it says", "'seccomp':'none'", { "-vnc", ":1,websocket=80" },
	  MORE("CAP_NET_BIND_SERVICE (-vnc :1,websocket=80); ") },
	{ "9p passthrough", "'seccomp':'none'", { "-fsdev", "local,id=f,path=/x,security_model=passthrough" },
	  MORE("CAP_CHOWN (-fsdev security_model=passthrough); CAP_FOWNER (-fsdev security_model=passthrough); "
	       "CAP_FSETID (-fsdev security_model=passthrough); CAP_MKNOD (-fsdev security_model=passthrough); ") },
	{ "9p mapped", "'seccomp':'none'", { "-virtfs", "local,path=/x,mount_tag=t,security_model=mapped-xattr" }, MORE("") },
};

static void put_kept(struct str *s, const void *arg)
{
	const struct confine_plan *c = arg;

	for (unsigned i = 0; i < c->n_kept; i++)
		str_put(s, "%s%s (%s)", i > 0 ? "; " : "", capname(c->kept[i].cap), c->kept[i].why);
}

static struct cmdline line_of(const char *const *words)
{
	unsigned n = 0;

	while (n < WORDS_MAX && words[n])
		n++;
	return (struct cmdline){ .argv0 = "qemu", .words = (char *const *)(uintptr_t)words, .n = n };
}

static void kept(void **state)
{
	const struct row *row = *state;
	struct cmdline cmdline = line_of(row->words);
	static struct host h;
	uint64_t bits = 0;

	assert_int_equal(host_parse(&h, row->members), 0);
	assert_int_equal(argv_user_take(&h.desc, &cmdline, &h.u.mem, &h.u.ds), 0);
	assert_int_equal(argv_nics_read(&h.desc, &cmdline, &h.u.mem, &h.u.ds), 0);
	host_fit(&h);
	h.facts.uid = 0;
	h.facts.net_admin = true;
	h.facts.caps = (struct cap_facts){ .effective = ~0ULL, .permitted = ~0ULL, .bounding = ~0ULL };
	if (h.desc.user.given)
		h.facts.ids = (struct ids_facts){ .wanted = true, .uid = 7, .gid = 7, .can_take = true };
	if (host_plan(&h, &cmdline) < 0)
		fail_msg("%s", unit_text(&h.u, 0));
	assert_string_equal(str_make(&h.u.mem, put_kept, &h.plan.confine), row->kept);
	for (unsigned i = 0; i < h.plan.confine.n_kept; i++)
		bits |= CAP_BIT(h.plan.confine.kept[i].cap);
	assert_true(bits == h.plan.confine.caps);
	host_close(&h);
}

/* --- names ----------------------------------------------------------------------------------------------- */

static void names(void **state)
{
	(void)state;
	for (unsigned cap = 0; cap <= CAP_LAST_CAP; cap++) {
		assert_non_null(capname(cap));
		assert_int_equal(capname_find(capname(cap)), cap);
		assert_int_equal(capname_find(capname(cap) + strlen("CAP_")), cap);
	}
	assert_int_equal(capname_find("net_admin"), CAP_NET_ADMIN);
	assert_int_equal(capname_find("CAP_"), -1);
	assert_int_equal(capname_find("NET_ADMI"), -1);
	assert_null(capname(63));
}

/* --- -runas ---------------------------------------------------------------------------------------------- */

static const struct user_row {
	const char *name, *members;
	const char *words[WORDS_MAX];
	const char *left;		/* the words that stay */
	const char *user;		/* of the descriptor then, "name" or "uid:gid"; NULL: refused */
} user_rows[] = {
	{ "user: none", "'vcpus':1", { "-S", "-m", "1G" }, "-S -m 1G", "" },
	{ "user: a name", "'vcpus':1", { "-S", "-runas", "vm1", "-m", "1G" }, "-S -m 1G", "vm1" },
	{ "user: numbers", "'vcpus':1", { "--runas", "12:34" }, "", "12:34" },
	{ "user: of another option's value", "'vcpus':1", { "-name", "-runas", "x" }, "-name -runas x", "" },
	{ "user: run-with", "'vcpus':1", { "-run-with", "user=vm1", "-S" }, "-S", "vm1" },
	{ "user: run-with, and more", "'vcpus':1", { "-run-with", "chroot=/a,,b,user=12:34,async-teardown=on" },
	  "-run-with chroot=/a,,b,async-teardown=on", "12:34" },
	{ "user: run-with without", "'vcpus':1", { "-run-with", "chroot=/x" }, "-run-with chroot=/x", "" },
	{ "user: the last word", "'vcpus':1", { "-runas" }, "-runas", "" },
	{ "user: twice", "'vcpus':1", { "-runas", "a", "-run-with", "user=b" }, NULL, NULL },
	{ "user: the descriptor's too", "'user':'a'", { "-runas", "a" }, NULL, NULL },
	{ "user: neither", "'vcpus':1", { "-runas", "a:b" }, NULL, NULL },
	{ "user: no filter", "'seccomp':'none'", { "-runas", "a" }, "-runas a", "" },
	{ "user: the group is named", "'seccomp':{'allow':['runas']}", { "-runas", "a" }, "-runas a", "" },
};

static void put_words(struct str *s, const void *arg)
{
	const struct cmdline *cmdline = arg;

	for (unsigned i = 0; i < cmdline->n; i++)
		str_put(s, "%s%s", i > 0 ? " " : "", cmdline->words[i]);
}

static void user(void **state)
{
	const struct user_row *row = *state;
	struct cmdline cmdline = line_of(row->words);
	static struct host h;
	const struct desc *desc = &h.desc;
	const char *got = "";
	int ret;

	assert_int_equal(host_parse(&h, row->members), 0);
	ret = argv_user_take(&h.desc, &cmdline, &h.u.mem, &h.u.ds);
	assert_int_equal(ret, row->user ? 0 : -1);
	if (row->user) {
		if (desc->user.given)
			got = desc->user.name ? desc->user.name :
			      arena_printf(&h.u.mem, "%u:%u", desc->user.id, desc->group.id);
		assert_string_equal(got, row->user);
		assert_string_equal(str_make(&h.u.mem, put_words, &cmdline), row->left);
		assert_int_equal(desc->taken != NULL, row->user[0] != '\0');
	} else {
		assert_int_equal(h.u.ds.list[0].id, DIAG_ARGV_USER);
	}
	host_close(&h);
}

int main(int argc, char **argv)
{
	static struct CMUnitTest tests[ARRAY_LEN(rows) + ARRAY_LEN(user_rows) + 1];
	struct CMUnitTest *next = tests;

	if (setjmp(unit_oom) != 0)
		return 1;
	next = UNIT_ROWS(next, rows, kept);
	next = UNIT_ROWS(next, user_rows, user);
	*next++ = (struct CMUnitTest)cmocka_unit_test(names);
	return UNIT_RUN(tests, argc, argv);
}
