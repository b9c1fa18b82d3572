/*
 * test_around.c - what stands around this process, out of lines as /proc has them
 */
#include "config.h"

#include "facts/around.h"
#include "unit.h"

#define ROOT "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
#define OVERLAY "27 1 0:40 / / rw,relatime - overlay overlay rw,lowerdir=/a\n"
#define DEVTMPFS "24 27 0:6 / /dev rw,relatime - devtmpfs devtmpfs rw,size=12k\n"
#define TMPFS "30 27 0:50 / /dev rw,nosuid shared:4 master:2 - tmpfs tmpfs rw,mode=755\n"
#define DEVFS "30 27 0:50 / /dev rw,nosuid - tmpfs devfs rw,mode=755\n"
#define SHM "31 27 0:51 / /dev/shm rw - tmpfs tmpfs rw\n"
#define SESSION "0::/user.slice/user-0.slice/session-3.scope\n"
#define UNIT "0::/system.slice/vm1.service\n"

static const struct row {
	const char *name, *mounts, *cgroup;
	bool marked, own_dev;
	int by;
} rows[] = {
	{ "a host", ROOT DEVTMPFS SHM, SESSION, false, false, AROUND_NOTHING },
	{ "a host with a file that is there by chance", ROOT DEVTMPFS, SESSION, true, false, AROUND_NOTHING },
	{ "nothing known", "", "", false, false, AROUND_NOTHING },
	{ "a /dev of its own", ROOT TMPFS SHM, SESSION, false, true, AROUND_NOTHING },
	{ "one over the other", ROOT DEVTMPFS TMPFS, SESSION, false, true, AROUND_NOTHING },
	{ "the other way round", ROOT TMPFS DEVTMPFS, SESSION, false, false, AROUND_NOTHING },
	{ "what is mounted below /dev is not /dev", ROOT DEVTMPFS SHM, SESSION, true, false, AROUND_NOTHING },
	{ "a container with a mark", ROOT TMPFS, "0::/\n", true, true, AROUND_CONTAINER },
	{ "a container by its root", OVERLAY TMPFS, "0::/\n", false, true, AROUND_CONTAINER },
	{ "a container with the host's /dev", OVERLAY DEVTMPFS, "0::/\n", true, false, AROUND_NOTHING },
	{ "a live system", OVERLAY DEVTMPFS, SESSION, false, false, AROUND_NOTHING },
	{ "libvirt", ROOT DEVTMPFS DEVFS, SESSION, false, true, AROUND_LIBVIRT },
	{ "libvirt in a container", OVERLAY DEVFS, "0::/\n", true, true, AROUND_LIBVIRT },
	{ "libvirt without namespaces, with systemd", ROOT DEVTMPFS,
	  "0::/machine.slice/machine-qemu\\x2d1\\x2dvm.scope/libvirt/emulator\n", false, false, AROUND_LIBVIRT },
	{ "libvirt without namespaces or systemd", ROOT DEVTMPFS,
	  "5:devices:/machine/qemu-1-vm.libvirt-qemu/emulator\n", false, false, AROUND_LIBVIRT },
	{ "a unit", ROOT DEVTMPFS, UNIT, false, false, AROUND_UNIT },
	{ "a unit, the first line of several", ROOT DEVTMPFS, "1:name=systemd:/system.slice/vm1.service\n0::/\n", false,
	  false, AROUND_UNIT },
	{ "a unit with PrivateDevices", ROOT TMPFS, UNIT, false, true, AROUND_UNIT },
	{ "a container in a unit", ROOT TMPFS, UNIT, true, true, AROUND_CONTAINER },
	{ "cut off", ROOT "30 27 0:50 / /dev rw,nosuid shared:4", UNIT, false, false, AROUND_UNIT },
	{ "cut off before the type", ROOT "30 27 0:50 / /dev rw -", "", false, true, AROUND_NOTHING },
	{ "lines that are none", "\n\n /dev\n - - - - /dev\n", ".service\n\n.servic", false, false, AROUND_NOTHING },
};

static void row(void **state)
{
	const struct row *r = *state;
	const struct around got = around_find(r->mounts, r->cgroup, r->marked);

	assert_true(got.known);
	assert_int_equal(got.own_dev, r->own_dev);
	assert_int_equal(got.by, r->by);
}

static void drivers(void **state)
{
	static const char misc[] = "234 btrfs-control\n200 tun\n 60 x\n1238 no\n238 vhost-net\n";

	(void)state;
	assert_true(around_has_driver(misc, 200));
	assert_true(around_has_driver(misc, 60));
	assert_true(around_has_driver(misc, 238));
	assert_false(around_has_driver(misc, 241));
	assert_false(around_has_driver(misc, 23));
	assert_false(around_has_driver("", 0));
	assert_false(around_has_driver("tun\n", 0));
}

static void uids(void **state)
{
	(void)state;
	assert_int_equal(around_outer_uid("         0       1000          1\n", 0), 1000);
	assert_int_equal(around_outer_uid("0 1000 1\n1 100000 65536\n", 5), 100004);
	assert_int_equal(around_outer_uid("         0          0 4294967295\n", 4711), 4711);
	assert_int_equal(around_outer_uid("0 1000 1\n", 7), 7);
	assert_int_equal(around_outer_uid("", 7), 7);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(rows) + 2] = {
		cmocka_unit_test(drivers),
		cmocka_unit_test(uids),
	};

	UNIT_ROWS(tests + 2, rows, row);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
