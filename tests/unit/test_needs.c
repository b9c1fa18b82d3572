/*
 * test_needs.c - what QEMU's words need of the filter, in each syntax that QEMU takes
 *
 * Each row is judged twice: with the default, and with an empty list of groups.
 */
#include "config.h"

#include "host.h"

enum { WORDS_MAX = 7 };

#define PROGRAM "program"

static const struct row {
	const char *name;
	const char *needs;		/* a group or more; PROGRAM: refused either way; NULL: nothing */
	const char *words[WORDS_MAX];	/* NULL ends them */
} rows[] = {
	{ "daemonize",				"daemonize",	{ "-daemonize" } },
	{ "two dashes",				"daemonize",	{ "--daemonize" } },
	{ "after an option that takes no word",	"daemonize",	{ "-S", "-daemonize" } },
	{ "after options of later releases",	"daemonize",	{ "-perfmap", "-daemonize" } },
	{ "as another option's value",		NULL,		{ "-name", "-daemonize" } },
	{ "async-teardown",			"daemonize",	{ "-async-teardown" } },
	{ "run-with async-teardown",		"daemonize",	{ "-run-with", "async-teardown=on" } },
	{ "run-with async-teardown, a word",	"daemonize",	{ "-run-with", "async-teardown" } },
	{ "run-with async-teardown=off",	NULL,		{ "-run-with", "async-teardown=off" } },
	{ "run-with noasync-teardown",		NULL,		{ "-run-with", "noasync-teardown" } },
	{ "run-with exit-with-parent",		"daemonize",	{ "-run-with", "exit-with-parent=on" } },
	{ "run-with exit-with-parent=off",	NULL,		{ "-run-with", "exit-with-parent=off" } },
	{ "rss",				"bpf",		{ "-device", "virtio-net-pci,netdev=n,rss=on" } },
	{ "rss, JSON",				"bpf",		{ "-device", "{\"driver\":\"virtio-net-pci\",\"rss\":true}" } },
	{ "rss=off",				NULL,		{ "-device", "virtio-net-pci,netdev=n,rss=off" } },
	{ "rss of all",				"bpf",		{ "-global", "virtio-net-pci.rss=on" } },
	{ "rss of all, written out",		"bpf",		{ "-global", "driver=virtio-net-device,property=rss,value=on" } },
	{ "rss=off of all",			NULL,		{ "-global", "virtio-net-pci.rss=off" } },
	{ "rss by set",				"bpf",		{ "-device", "virtio-net-pci,id=d", "-set", "device.d.rss=on" } },
	{ "another property of all",		NULL,		{ "-global", "virtio-net-pci.rsc=on" } },
	{ "af-xdp of -nic",			"sockets,bpf",		{ "-nic", "af-xdp,ifname=e" } },
	{ "usb-mtp, writable by a global",	"9p",		{ "-device", "usb-mtp,rootdir=/d", "-global", "usb-mtp.readonly=off" } },
	{ "usb-mtp, its own word",		NULL,		{ "-device", "usb-mtp,rootdir=/d,readonly=on", "-global", "usb-mtp.readonly=off" } },
	{ "secret_keyring",			"keyring",	{ "-object", "secret_keyring,id=s,serial=1" } },
	{ "keys of a guest",			"keyring",	{ "-object", "cryptodev-backend-lkcf,id=c" } },
	{ "nbd over vsock",			"sockets",	{ "-blockdev", "driver=nbd,node-name=b,server.type=vsock,server.cid=2,server.port=1" } },
	{ "nvme of libblkio",			"io_uring",	{ "-blockdev", "driver=nvme-io_uring,node-name=b,path=/d" } },
	{ "run-with, the second",		"daemonize",	{ "-run-with", "exit-with-parent=on", "-run-with", "async-teardown=on" } },
	{ "runas",				"runas",	{ "-runas", "u" } },
	{ "run-with user",			"runas",	{ "-run-with", "user=u" } },
	{ "chroot",				"chroot",	{ "-chroot", "/d" } },
	{ "run-with chroot",			"chroot",	{ "-run-with", "chroot=/d" } },
	{ "mem-lock=on",			"mem_lock",	{ "-overcommit", "mem-lock=on" } },
	{ "mem-lock=on-fault",			"mem_lock",	{ "-overcommit", "cpu-pm=on,mem-lock=on-fault" } },
	{ "mem-lock=off",			NULL,		{ "-overcommit", "mem-lock=off" } },
	{ "cpu-pm",				NULL,		{ "-overcommit", "cpu-pm=on" } },
	{ "fsdev",				"9p",		{ "-fsdev", "local,id=f,path=/d,security_model=none" } },
	{ "virtfs",				"9p",		{ "-virtfs", "local,path=/d,mount_tag=t,security_model=none" } },
	{ "usb-mtp, writable",			"9p",		{ "-device", "usb-mtp,rootdir=/d,readonly=off" } },
	{ "usb-mtp, writable, JSON",		"9p",		{ "-device", "{\"driver\":\"usb-mtp\",\"readonly\":false}" } },
	{ "usb-mtp",				NULL,		{ "-device", "usb-mtp,rootdir=/d" } },
	{ "thread-context, processors",		"affinity",	{ "-object", "thread-context,id=t,cpu-affinity=0" } },
	{ "thread-context, nodes",		"affinity",	{ "-object", "thread-context,id=t,node-affinity=0" } },
	{ "thread-context, JSON",		"affinity",	{ "-object", "{\"qom-type\":\"thread-context\",\"id\":\"t\",\"cpu-affinity\":[0,1]}" } },
	{ "thread-context, single quotes",	"affinity",	{ "-object", "{'qom-type':'thread-context','id':'t','cpu-affinity':[0]}" } },
	{ "thread-context alone",		NULL,		{ "-object", "thread-context,id=t" } },
	{ "iothread",				NULL,		{ "-object", "iothread,id=t" } },
	{ "can-host-socketcan",			"sockets",	{ "-object", "can-host-socketcan,id=c,if=can0,canbus=b" } },
	{ "af-xdp",				"sockets,bpf",	{ "-netdev", "af-xdp,id=n,ifname=e" } },
	{ "incoming vsock",			"sockets",	{ "-incoming", "vsock:3:1234" } },
	{ "incoming vsock, JSON",		"sockets",	{ "-incoming", "{\"channel-type\":\"main\",\"addr\":{\"transport\":\"socket\",\"type\":\"vsock\",\"cid\":\"3\",\"port\":\"1\"}}" } },
	{ "drive",				"io_uring",	{ "-drive", "file=/d,aio=io_uring" } },
	{ "drive, its file",			"io_uring",	{ "-drive", "driver=qcow2,file.filename=/d,file.aio=io_uring" } },
	{ "drive, backing file",		"io_uring",	{ "-drive", "file=/d,backing.file.aio=io_uring" } },
	{ "drive, json:",			"io_uring",	{ "-drive", "file=json:{\"driver\":\"file\",,\"filename\":\"/d\",,\"aio\":\"io_uring\"}" } },
	{ "drive, json: one level down",	"io_uring",	{ "-drive", "file=json:{\"driver\":\"qcow2\",,\"file\":{\"driver\":\"file\",,\"aio\":\"io_uring\"}}" } },
	{ "drive, the first of two keys",	"io_uring",	{ "-drive", "file=/d,aio=io_uring,aio=threads" } },
	{ "drive, the second drive",		"io_uring",	{ "-drive", "file=/d", "-drive", "file=/e,aio=io_uring" } },
	{ "drive, threads",			NULL,		{ "-drive", "file=/d,aio=threads" } },
	{ "drive, a file of that name",		NULL,		{ "-drive", "file=io_uring,id=aio" } },
	{ "hda, json:",				"io_uring",	{ "-hda", "json:{\"driver\":\"file\",\"filename\":\"/d\",\"aio\":\"io_uring\"}" } },
	{ "cdrom, json: single quotes",		"io_uring",	{ "-cdrom", "json:{'driver':'file','filename':'/d','aio':'io_uring'}" } },
	{ "hda",				NULL,		{ "-hda", "/aio=io_uring" } },
	{ "blockdev",				"io_uring",	{ "-blockdev", "driver=file,filename=/d,node-name=n,aio=io_uring" } },
	{ "blockdev, JSON",			"io_uring",	{ "-blockdev", "{\"driver\":\"file\",\"filename\":\"/d\",\"aio\":\"io_uring\"}" } },
	{ "blockdev, JSON in JSON",		"io_uring",	{ "-blockdev", "{\"driver\":\"qcow2\",\"file\":{\"driver\":\"file\",\"aio\":\"io_uring\"}}" } },
	{ "blockdev, JSON in a list",		"io_uring",	{ "-blockdev", "{\"driver\":\"quorum\",\"children\":[{\"driver\":\"file\",\"aio\":\"io_uring\"}]}" } },
	{ "blockdev, single quotes",		"io_uring",	{ "-blockdev", "{'driver':'file','filename':'/d','aio':'io_uring'}" } },
	{ "blockdev, of libblkio",		"io_uring",	{ "-blockdev", "io_uring,filename=/d,node-name=n" } },
	{ "blockdev, native",			NULL,		{ "-blockdev", "file,filename=/d,node-name=n,aio=native" } },
	{ "incoming exec:",			PROGRAM,	{ "-incoming", "exec:cat /s" } },
	{ "incoming exec, JSON",		PROGRAM,	{ "-incoming", "{\"channel-type\":\"main\",\"addr\":{\"transport\":\"exec\",\"args\":[\"/bin/sh\"]}}" } },
	{ "incoming exec, the second channel",	PROGRAM,	{ "-incoming", "tcp:0:1", "-incoming", "{'channel-type':'cpr','addr':{'transport':'exec','args':['a']}}" } },
	{ "incoming file",			NULL,		{ "-incoming", "file:exec:" } },
	{ "incoming defer",			NULL,		{ "-incoming", "defer" } },
	{ "passt",				PROGRAM,	{ "-netdev", "passt,id=n" } },
	{ "bridge",				PROGRAM,	{ "-netdev", "bridge,id=n" } },
	{ "bridge, its key written out",	PROGRAM,	{ "-netdev", "id=n,type=bridge" } },
	{ "bridge, single quotes",		PROGRAM,	{ "-netdev", "{'type':'bridge','id':'n'}" } },
	{ "bridge by -nic",			PROGRAM,	{ "-nic", "bridge" } },
	{ "bridge by -net",			PROGRAM,	{ "-net", "bridge" } },
	{ "tap, a helper",			PROGRAM,	{ "-netdev", "tap,id=n,helper=/h" } },
	{ "tap, the default script",		PROGRAM,	{ "-netdev", "tap,id=n,ifname=t" } },
	{ "tap, the second script",		PROGRAM,	{ "-netdev", "tap,id=n,ifname=t,script=" } },
	{ "tap, no scripts",			NULL,		{ "-netdev", "tap,id=n,ifname=t,script=no,downscript=no" } },
	{ "tap, empty scripts",			NULL,		{ "-netdev", "tap,id=n,ifname=t,script=,downscript=" } },
	{ "tap, by descriptor",			NULL,		{ "-netdev", "tap,id=n,fd=9" } },
	{ "smb",				PROGRAM,	{ "-netdev", "user,id=n,smb=/d" } },
	{ "guestfwd, a command",		PROGRAM,	{ "-netdev", "user,id=n,guestfwd=tcp:10.0.2.4:1-cmd:id" } },
	{ "guestfwd, the command first",	PROGRAM,	{ "-netdev", "user,id=n,guestfwd=tcp:10.0.2.4:1-cmd:id,guestfwd=tcp:10.0.2.5:1-chardev:c" } },
	{ "guestfwd, JSON",			PROGRAM,	{ "-netdev", "{\"type\":\"user\",\"id\":\"n\",\"guestfwd\":[{\"str\":\"tcp:10.0.2.4:1-cmd:id\"}]}" } },
	{ "guestfwd, a chardev",		NULL,		{ "-netdev", "user,id=n,guestfwd=tcp:10.0.2.4:1-chardev:c" } },
	{ "guestfwd by -nic",			PROGRAM,	{ "-nic", "user,guestfwd=tcp:10.0.2.4:1-cmd:id" } },
	{ "vde, a command",			PROGRAM,	{ "-netdev", "vde,id=n,sock=cmd://id" } },
	{ "vde",				NULL,		{ "-netdev", "vde,id=n,sock=/s" } },
	{ "spice-app",				PROGRAM,	{ "-display", "spice-app,gl=off" } },
	{ "spice-app, JSON",			PROGRAM,	{ "-display", "{'type':'spice-app'}" } },
	{ "no display",				NULL,		{ "-display", "none" } },
};

static int plan(struct host *h, const struct row *row, const char *members)
{
	char *words[WORDS_MAX];
	struct cmdline cmdline = { .argv0 = "qemu", .words = words };

	for (unsigned i = 0; i < WORDS_MAX && row->words[i]; i++)
		words[cmdline.n++] = unconst_word(row->words[i]);
	assert_int_equal(host_read(h, members, &cmdline), 0);
	host_fit(h);
	return host_plan(h, &cmdline);
}

/* "group" or "group,group" */
static unsigned groups_of(const char *list)
{
	char text[64], *save;
	unsigned ret = 0;

	(void)snprintf(text, sizeof(text), "%s", list);
	for (char *word = strtok_r(text, ",", &save); word; word = strtok_r(NULL, ",", &save))
		ret |= FILTER_GROUP_BIT((unsigned)filter_group_find(word));
	return ret;
}

static void need(void **state)
{
	const struct row *row = *state;
	const bool program = row->needs && strcmp(row->needs, PROGRAM) == 0;
	const unsigned bits = row->needs && !program ? groups_of(row->needs) : 0;
	const unsigned weakening = FILTER_GROUP_BIT(FILTER_GROUP_io_uring) | FILTER_GROUP_BIT(FILTER_GROUP_bpf);
	static struct host h;

	assert_int_equal(plan(&h, row, "'seccomp':{'action':'kill'}"), program ? -1 : 0);
	if (!program)
		assert_int_equal(h.plan.confine.groups, bits);
	assert_int_equal(diag_has(&h.u.ds, DIAG_SECCOMP_NEEDS), program);
	assert_int_equal(diag_has(&h.u.ds, DIAG_SECCOMP_WEAKENED), (bits & weakening) != 0);
	host_close(&h);
	assert_int_equal(plan(&h, row, "'seccomp':{'action':'kill','allow':[]}"), row->needs ? -1 : 0);
	assert_int_equal(diag_has(&h.u.ds, DIAG_SECCOMP_NEEDS), row->needs != NULL);
	host_close(&h);
}

static const struct sandbox_row {
	const char *name;
	bool ok;
	const char *words[WORDS_MAX];
} sandbox_rows[] = {
	{ "sandbox: all denied", true, { "-sandbox", "on,spawn=deny,elevateprivileges=deny,resourcecontrol=deny" } },
	{ "sandbox: daemonize", false, { "-sandbox", "on,spawn=deny", "-daemonize" } },
	{ "sandbox: daemonize, allowed", true, { "-sandbox", "on,spawn=allow", "-daemonize" } },
	{ "sandbox: off", true, { "-sandbox", "off,spawn=deny", "-daemonize" } },
	{ "sandbox: the key written out", false, { "-sandbox", "spawn=deny,enable=on", "-daemonize" } },
	{ "sandbox: the first of two", false, { "-sandbox", "on,spawn=deny", "-sandbox", "on", "-daemonize" } },
	{ "sandbox: setsid", false, { "-daemonize", "-sandbox", "on,elevateprivileges=children" } },
	{ "sandbox: runas", false, { "-runas", "u", "-sandbox", "on,elevateprivileges=deny" } },
	{ "sandbox: async-teardown", false, { "-run-with", "async-teardown=on", "-sandbox", "on,spawn=deny" } },
	{ "sandbox: no async-teardown", true, { "-run-with", "async-teardown=off", "-sandbox", "on,spawn=deny" } },
	/* the thread is there before the filter: it lives on 7.2 */
	{ "sandbox: affinity", true, { "-object", "thread-context,id=t,cpu-affinity=0", "-sandbox", "on,resourcecontrol=deny" } },
	{ "sandbox: a helper", false, { "-netdev", "bridge,id=n", "-sandbox", "on,spawn=deny" } },
	{ "sandbox: a helper, spawn allowed", true, { "-netdev", "bridge,id=n", "-sandbox", "on" } },
};

static void sandbox(void **state)
{
	const struct sandbox_row *row = *state;
	struct row words = { .name = row->name };
	static struct host h;

	memcpy(words.words, row->words, sizeof(words.words));
	assert_int_equal(plan(&h, &words, "'seccomp':'none'"), row->ok ? 0 : -1);
	assert_int_equal(diag_has(&h.u.ds, DIAG_ARGV_SANDBOX), !row->ok);
	host_close(&h);
}

int main(int argc, char **argv)
{
	static struct CMUnitTest tests[ARRAY_LEN(rows) + ARRAY_LEN(sandbox_rows)];

	if (setjmp(unit_oom) != 0)
		return 1;
	UNIT_ROWS(UNIT_ROWS(tests, rows, need), sandbox_rows, sandbox);
	return UNIT_RUN(tests, argc, argv);
}
