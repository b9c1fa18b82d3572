/*
 * test_devices.c - the table of network devices and the buses of machines
 *
 * With an argument it prints the table for tests/run/devices.sh instead: "device NAME BUS PROPERTY...", "alias NAME DEVICE",
 * "property NAME KIND".
 */
#include "config.h"

#include <stdio.h>

#include "desc/devices.h"
#include "desc/guest.h"
#include "desc/cmdline.h"
#include "unit.h"

static const struct row {
	const char *name, *words[4];
	const char *qemu;
	enum device_bus bus;
	bool has;
} rows[] = {
	{ "pc by default",	{ NULL },				"/usr/bin/qemu-system-x86_64",	BUS_PCI,	true },
	{ "pc by default: no mmio", { NULL },				"/usr/bin/qemu-system-x86_64",	BUS_VIRTIO,	false },
	{ "i386 by default",	{ NULL },				"qemu-system-i386",		BUS_VIRTIO,	false },
	{ "another program",	{ NULL },				"/usr/bin/qemu-system-aarch64",	BUS_VIRTIO,	true },
	{ "no program",		{ NULL },				NULL,				BUS_VIRTIO,	true },
	{ "Debian's microvm",	{ NULL },				"/usr/bin/qemu-system-x86_64-microvm", BUS_PCI,	false },
	{ "microvm",		{ "-M", "microvm" },			NULL,				BUS_PCI,	false },
	{ "microvm: mmio",	{ "-machine", "type=microvm,acpi=off" }, NULL,				BUS_VIRTIO,	true },
	{ "microvm with pcie",	{ "-M", "microvm,pcie=on" },		NULL,				BUS_PCI,	true },
	{ "the last -M counts",	{ "-M", "microvm", "-machine", "q35" },	NULL,				BUS_PCI,	true },
	{ "q35",		{ "-M", "q35,accel=kvm" },		NULL,				BUS_VIRTIO,	false },
	{ "pc-q35-7.2",		{ "-M", "pc-q35-7.2" },			NULL,				BUS_CCW,	false },
	{ "pc-i440fx-10.0",	{ "-M", "pc-i440fx-10.0" },		NULL,				BUS_PCI,	true },
	{ "isapc",		{ "-M", "isapc" },			NULL,				BUS_PCI,	false },
	{ "isapc: ISA",		{ "-M", "isapc" },			NULL,				BUS_ISA,	true },
	{ "a machine like pc",	{ "-M", "pcx" },			NULL,				BUS_VIRTIO,	true },
	{ "virt",		{ "-M", "virt" },			NULL,				BUS_VIRTIO,	true },
	{ "a file says it",	{ "-M", "microvm", "-readconfig", "x" }, NULL,				BUS_PCI,	true },
};

static struct guest guest_of(struct arena *mem, const char *const *words, unsigned max)
{
	char *list[8];
	struct cmdline cmdline = { .words = list };
	struct qemu_args *args;

	for (; cmdline.n < max && words[cmdline.n]; cmdline.n++)
		list[cmdline.n] = unconst_word(words[cmdline.n]);
	args = qemu_args_read(&cmdline, mem);
	return guest_read(args, qemu_args_has(args, QEMU_OPTION_readconfig));
}

static void buses(void **state)
{
	const struct row *row = *state;
	struct unit u;
	struct guest guest;

	unit_open(&u);
	guest = guest_of(&u.mem, row->words, 4);
	assert_int_equal(guest_has_bus(&guest, row->qemu, row->bus), row->has);
	unit_close(&u);
}

static const struct said {
	const char *name, *words[6];
	unsigned cpus;
	bool network;
	const char *uuid, *guest;
} said[] = {
	{ "nothing is said",	{ NULL },				0, false, NULL, NULL },
	{ "-smp 4",		{ "-smp", "4" },			4, false, NULL, NULL },
	{ "-smp cpus",		{ "-smp", "sockets=2,cpus=6" },		6, false, NULL, NULL },
	{ "-smp maxcpus",	{ "-smp", "maxcpus=8" },		8, false, NULL, NULL },
	{ "-smp product",	{ "-smp", "sockets=2,cores=3,threads=2" }, 12, false, NULL, NULL },
	{ "-smp twice",		{ "-smp", "4", "-smp", "2" },		2, false, NULL, NULL },
	{ "-smp none",		{ "-smp", "many" },			0, false, NULL, NULL },
	{ "-smp 0",		{ "-smp", "0" },			0, false, NULL, NULL },
	{ "-smp hexadecimal",	{ "-smp", "cpus=0x8" },		8, false, NULL, NULL },
	{ "-smp with text after it", { "-smp", "4x" }, 0, false, NULL, NULL },
	{ "-smp threads alone",	{ "-smp", "threads=2" },		2, false, NULL, NULL },
	{ "-smp cpus before maxcpus", { "-smp", "2,maxcpus=8,sockets=8" }, 2, false, NULL, NULL },
	{ "-smp merges", { "-smp", "cores=4", "-smp", "threads=2" }, 8, false, NULL, NULL },
	{ "-M smp.cpus",	{ "-M", "q35,smp.cpus=6" },		6, false, NULL, NULL },
	{ "-M smp after -smp", { "-smp", "4", "-M", "q35,smp.cpus=6" }, 6, false, NULL, NULL },
	{ "-M, then -smp", { "-machine", "q35,smp.cpus=6", "-smp", "4" }, 4, false, NULL, NULL },
	{ "-M in JSON",
	  { "-M", "{\"type\":\"q35\",\"smp\":{\"cores\":2,\"threads\":2}}" },
	  4, false, NULL, NULL },
	{ "-M of something else", { "-M", "q35,cpus=6" }, 0, false, NULL, NULL },
	{ "-smp too many",	{ "-smp", "cores=4096,threads=4096" },	0, false, NULL, NULL },
	{ "-uuid",		{ "-uuid", "a-b" },			0, false, "a-b", NULL },
	{ "-name",		{ "-name", "web,debug-threads=on" },	0, false, NULL, "web" },
	{ "-name guest=",	{ "-name", "guest=a,,b" },		0, false, NULL, "a,b" },
	{ "-nic",		{ "-nic", "none" },			0, true, NULL, NULL },
	{ "-net",		{ "--net", "none" },			0, true, NULL, NULL },
	{ "-netdev",		{ "-netdev", "user,id=a" },		0, true, NULL, NULL },
	{ "-nodefaults",	{ "-nodefaults" },			0, true, NULL, NULL },
	{ "-readconfig",	{ "-readconfig", "x" },			0, true, NULL, NULL },
	{ "-device of a NIC",	{ "-device", "virtio-net,id=a" },	0, true, NULL, NULL },
	{ "-device in JSON",	{ "-device", "{\"driver\":\"e1000\"}" }, 0, true, NULL, NULL },
	{ "-device of no NIC",	{ "-device", "virtio-blk-pci" },	0, false, NULL, NULL },
	{ "-nic as a value",	{ "-name", "-nic" },			0, false, NULL, "-nic" },
};

static void words_said(void **state)
{
	const struct said *row = *state;
	struct unit u;
	struct guest guest;

	unit_open(&u);
	guest = guest_of(&u.mem, row->words, 6);
	assert_int_equal(guest.cpus, row->cpus);
	assert_int_equal(guest.network, row->network);
	assert_string_equal(guest.uuid ? guest.uuid : "-", row->uuid ? row->uuid : "-");
	assert_string_equal(guest.name ? guest.name : "-", row->guest ? row->guest : "-");
	unit_close(&u);
}

static void table(void **state)
{
	const struct net_device *device;
	const char *alias, *name;

	(void)state;
	for (unsigned i = 0; (device = net_device_row(i)); i++) {
		assert_ptr_equal(net_device(device->name), device);
		assert_true(device->queues >= 1 && bus_name(device->bus)[0]);
	}
	for (unsigned i = 0; (alias = net_device_alias(i, &name)); i++)
		assert_ptr_equal(net_device(alias), net_device(name));
	assert_null(net_device("virtio-blk-pci"));
}

static int print_table(void)
{
	static const char *const properties[] = {
#define VIRTIO_NET(name, kind, least, most, absent) name " " #kind " " #absent,
#include "desc/virtio_net.def"
#undef VIRTIO_NET
	};
	const struct net_device *device;
	const char *alias, *name;

	for (unsigned i = 0; (device = net_device_row(i)); i++)
		printf("device %s %s%s%s%s\n", device->name, bus_name(device->bus),
		       device->has & (DEVICE_NO_MAC | DEVICE_NO_NETDEV) ? "" : " mac",
		       device->has & DEVICE_NO_NETDEV ? "" : " netdev", device->has & DEVICE_VECTORS ? " vectors" : "");
	for (unsigned i = 0; (alias = net_device_alias(i, &name)); i++)
		printf("alias %s %s\n", alias, name);
	for (unsigned i = 0; i < ARRAY_LEN(properties); i++)
		printf("property %s\n", properties[i]);
	return 0;
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(rows) + ARRAY_LEN(said) + 1] = { cmocka_unit_test(table) };

	if (argc > 1 && strcmp(argv[1], "table") == 0)
		return print_table();
	UNIT_ROWS(UNIT_ROWS(tests + 1, rows, buses), said, words_said);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
