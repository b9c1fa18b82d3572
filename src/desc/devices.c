/*
 * devices.c - the table of network devices, and the buses of machines
 */
#include "config.h"

#include "desc/devices.h"

#include <string.h>

#include "base/bounds.h"

static const struct net_device devices[] = {
#define NET_DEVICE(name, bus, queues, has) { name, BUS_##bus, queues, has },
#define NET_ALIAS(alias, name)
#include "desc/devices.def"
#undef NET_DEVICE
#undef NET_ALIAS
};

static const struct alias { const char *alias, *name; } aliases[] = {
#define NET_DEVICE(name, bus, queues, has)
#define NET_ALIAS(alias, name) { alias, name },
#include "desc/devices.def"
#undef NET_DEVICE
#undef NET_ALIAS
};

const struct net_device *net_device_row(unsigned i)
{
	return i < ARRAY_LEN(devices) ? &devices[i] : NULL;
}

const char *net_device_alias(unsigned i, const char **ret_name)
{
	if (i >= ARRAY_LEN(aliases))
		return NULL;
	*ret_name = aliases[i].name;
	return aliases[i].alias;
}

const struct net_device *net_device(const char *name)
{
	for (unsigned i = 0; i < ARRAY_LEN(aliases); i++)
		if (strcmp(name, aliases[i].alias) == 0)
			name = aliases[i].name;
	for (unsigned i = 0; i < ARRAY_LEN(devices); i++)
		if (strcmp(name, devices[i].name) == 0)
			return &devices[i];
	return NULL;
}

const char *bus_name(enum device_bus bus)
{
	switch (bus) {
	case BUS_PCI:		return "PCI";
	case BUS_VIRTIO:	return "virtio-mmio";
	case BUS_CCW:		return "CCW";
	case BUS_USB:		return "USB";
	case BUS_ISA:		return "ISA";
	case BUS_XEN:		return "Xen";
	}
	return "";
}

/* --- machines --------------------------------------------------------------------------------- */

#define BUS_BIT(bus) (1u << BUS_##bus)

enum { NOT_JUDGED = BUS_BIT(USB) | BUS_BIT(XEN) };

/*
 * USB and Xen are not judged: there are many ways to add them. A microvm has an ISA bus unless it
 * is turned off (hw/i386/microvm.c).
 */
static const struct machine_row { const char *prefix; unsigned buses; } machines[] = {
	{ "microvm",	NOT_JUDGED | BUS_BIT(VIRTIO) | BUS_BIT(ISA) },
	{ "isapc",	NOT_JUDGED | BUS_BIT(ISA) },
	{ "pc",		NOT_JUDGED | BUS_BIT(PCI) | BUS_BIT(ISA) },	/* and versioned ones, also of q35 */
	{ "q35",	NOT_JUDGED | BUS_BIT(PCI) | BUS_BIT(ISA) },
};

/* "pc-q35-7.2" is a "pc", but "pcfoo" is not. */
static bool is_machine(const char *name, const char *prefix)
{
	const size_t len = strlen(prefix);

	return strncmp(name, prefix, len) == 0 && (name[len] == '\0' || name[len] == '-');
}

/* The machine that a program creates by default. */
static const char *default_machine(const char *qemu)
{
	static const struct { const char *program, *machine; } defaults[] = {
		{ "qemu-system-x86_64",		"pc" },
		{ "qemu-system-i386",		"pc" },
		{ "qemu-kvm",			"pc" },
		{ "qemu-system-x86_64-microvm",	"microvm" },
	};
	const char *slash = qemu ? strrchr(qemu, '/') : NULL, *name = slash ? slash + 1 : qemu;

	for (unsigned i = 0; name && i < ARRAY_LEN(defaults); i++)
		if (strcmp(name, defaults[i].program) == 0)
			return defaults[i].machine;
	return "";
}

bool machine_has_bus(const char *machine, const char *qemu, enum device_bus bus)
{
	const char *name = machine ? machine : default_machine(qemu);

	for (unsigned i = 0; i < ARRAY_LEN(machines); i++)
		if (is_machine(name, machines[i].prefix))
			return machines[i].buses & 1u << bus;
	return true;
}
