/*
 * device.c - the device of a NIC
 *
 * The properties come from the descriptor, or from the caller's own -device ("netdev": "argv"): the
 * same rules for both.
 */
#include "config.h"

#include "plan/device.h"

#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/switch.h"
#include "desc/devices.h"
#include "mode/table.h"

enum { MSIX_MAX = 2048 };     /* the most vectors that a PCI device can have */
enum { TX_QUEUE_SIZE = 256 }; /* of a backend that is neither vhost-user nor vDPA */

enum kind { KIND_SWITCH, KIND_AUTO, KIND_NUMBER, KIND_POWER, KIND_TEXT, KIND_LIST };

/* 7.2 and what is older, 10.0 and what is older, 11.1 and what is newer */
enum absent { NOT_IN_7_2 = 1, NOT_IN_10_0, NOT_IN_11_1 };

static const struct property {
	const char *name;
	enum kind kind;
	long least, most;
	unsigned absent;
} virtio_net_table[] = {
#define VIRTIO_NET(name, kind, least, most, absent) { name, KIND_##kind, least, most, absent },
#include "desc/virtio_net.def"
#undef VIRTIO_NET
};

/* --- messages about a property --------------------------------------------------------------- */

static void say(const struct nic_case *c, enum diag_id id, const struct prop *prop,
		const char *what)
{
	if (c->nic->in_argv)
		(void)diag_add(c->ds, id, 0, prop->at, "argv", "-device of %s: %s=%s: %s",
			       c->nic->id, prop->key, prop->value, what);
	else
		(void)diag_add(c->ds, id, 0, prop->at, NULL, "%s=%s: %s", prop->key, prop->value,
			       what);
}

/*
 * What QEMU is to say of words that are its own is QEMU's: there is a warning, so that it is seen.
 */
static int refuse(const struct nic_case *c, const struct prop *prop, const char *what)
{
	if (c->nic->adopted) {
		say(c, DIAG_DEVICE_PROPERTY, prop, what);
		return 0;
	}
	say(c, c->nic->in_argv ? DIAG_ARGV_DEVICE : DIAG_DEVICE_CONFLICT, prop, what);
	return -1;
}

static void warn(const struct nic_case *c, const struct prop *prop, const char *what)
{
	say(c, DIAG_DEVICE_PROPERTY, prop, what);
}

static const struct prop *find(const struct nic *nic, const char *key)
{
	const struct prop *ret = NULL;

	for (unsigned i = 0; i < nic->device.n; i++)
		if (strcmp(nic->device.list[i].key, key) == 0)
			ret = &nic->device.list[i];
	return ret;
}

static bool is_on(const struct nic *nic, const char *key)
{
	const struct prop *prop = find(nic, key);

	return prop && switch_on(prop->value);
}

/* As QEMU reads numbers: decimal, octal or hexadecimal (util/cutils.c, qemu_strtoi64). */
static bool number_of(const char *text, long *ret)
{
	char *end;

	*ret = strtol(text, &end, 0); /* a number that does not fit is out of every range */
	return end != text && *end == '\0';
}

static bool older_than(const struct nic_case *c, unsigned major, unsigned minor)
{
	const struct qemu_version have = c->facts->qemu_version;

	return have.major != 0 &&
	       (have.major < major || (have.major == major && have.minor < minor));
}

/* --- kinds and bounds ------------------------------------------------------------------------- */

static bool is_absent(const struct nic_case *c, unsigned absent)
{
	switch (absent) {
	case NOT_IN_7_2:
		return older_than(c, 7, 3);
	case NOT_IN_10_0:
		return older_than(c, 10, 1);
	case NOT_IN_11_1:
		return c->facts->qemu_version.major != 0 && !older_than(c, 11, 1);
	default:
		return false;
	}
}

static int refuse_absent(const struct nic_case *c, const struct prop *prop)
{
	const struct qemu_version have = c->facts->qemu_version;

	return refuse(c, prop, arena_printf(c->mem, "QEMU %u.%u has no such property", have.major,
					    have.minor));
}

static int check_value(const struct nic_case *c, const struct prop *prop,
		       const struct property *property)
{
	long n;

	if (is_absent(c, property->absent))
		return refuse_absent(c, prop);
	switch (property->kind) {
	case KIND_TEXT:
		return 0;
	case KIND_LIST: /* in JSON its elements are key.0, key.1 */
		return refuse(c, prop, "is a list, which -device takes in JSON only");
	case KIND_SWITCH:
	case KIND_AUTO:
		if (switch_on(prop->value) || switch_off(prop->value))
			return 0;
		if (property->kind == KIND_SWITCH)
			return refuse(c, prop, "must be on or off");
		return strcmp(prop->value, "auto") == 0
			       ? 0
			       : refuse(c, prop, "must be on, off or auto");
	case KIND_NUMBER:
	case KIND_POWER:
		break;
	}
	if (!number_of(prop->value, &n) || n < property->least || n > property->most)
		return refuse(c, prop,
			      arena_printf(c->mem, "must be a number from %ld to %ld",
					   property->least, property->most));
	if (property->kind == KIND_POWER && (n & (n - 1)) != 0)
		return refuse(c, prop, "must be a power of 2");
	return 0;
}

/* A property of virtio-net on a different device. */
static int check_known(const struct nic_case *c, const struct net_device *device)
{
	int ret = 0;

	for (unsigned i = 0; i < c->nic->device.n; i++) {
		const struct prop *prop = &c->nic->device.list[i];

		for (unsigned p = 0; p < ARRAY_LEN(virtio_net_table); p++) {
			if (strcmp(prop->key, virtio_net_table[p].name) != 0)
				continue;
			if (device->has & DEVICE_VIRTIO)
				ret |= check_value(c, prop, &virtio_net_table[p]);
			else
				ret |= refuse(c, prop,
					      arena_printf(c->mem,
							   "device '%s' does not have this "
							   "property",
							   device->name));
		}
	}
	return ret;
}

/* --- against queue pairs ---------------------------------------------------------------------- */

static int check_mq(const struct nic_case *c)
{
	const unsigned n = c->plan->queues;
	const struct prop *mq = find(c->nic, "mq"), *ctrl = find(c->nic, "ctrl_vq");

	if (n <= 1)
		return 0;
	if (ctrl && switch_off(ctrl->value))
		return refuse(c, ctrl,
			      arena_printf(c->mem, "%u queue pairs need the control queue", n));
	if (mq ? !switch_off(mq->value) : !c->nic->in_argv)
		return 0;
	if (mq)
		return refuse(c, mq,
			      arena_printf(c->mem, "%u queue pairs, of which all but one would be "
						   "idle",
					   n));
	(void)diag_add(c->ds, c->nic->adopted ? DIAG_DEVICE_PROPERTY : DIAG_ARGV_DEVICE, 0,
		       KEY(c->nic->at, "netdev"), "argv",
		       "-device of %s: %u queue pairs without mq=on: all but one would be idle",
		       c->nic->id, n);
	return c->nic->adopted ? 0 : -1;
}

/*
 * A virtqueue pair has two vectors; configuration and control have one each. With fewer than one
 * per queue that raises interrupts (Linux: 2N + 1), the driver uses one vector for all queues;
 * without any, it uses INTx.
 */
static int check_vectors(const struct nic_case *c, const struct net_device *device)
{
	const unsigned n = c->plan->queues;
	const struct prop *prop = find(c->nic, "vectors");
	long vectors;

	if (!prop)
		return 0;
	if (!(device->has & DEVICE_VECTORS))
		return refuse(c, prop,
			      arena_printf(c->mem, "device '%s' does not have this property",
					   device->name));
	if (!number_of(prop->value, &vectors) || vectors < 0 || vectors > 0xffffffff)
		return refuse(c, prop, "must be a number");
	if (vectors ==
	    0xffffffff) /* QEMU chooses (include/hw/qdev-properties.h, DEV_NVECTORS_UNSPECIFIED) */
		return 0;
	if (vectors > MSIX_MAX)
		return refuse(c, prop,
			      arena_printf(c->mem,
					   "a device has at most %d: QEMU would continue without "
					   "any",
					   MSIX_MAX));
	if (vectors > 0 && vectors < 2 * n + 1 && n > 1)
		return refuse(c, prop,
			      arena_printf(c->mem, "%u queue pairs need %u", n, 2 * n + 2));
	if (vectors == 0 && c->plan->shares_memory)
		return 0;
	if (vectors < 2 * n + 1)
		warn(c, prop,
		     vectors == 0 ? "no MSI-X, so all queues share the interrupt line"
				  : "too few for the queues, so they share one interrupt");
	return 0;
}

/* --- against the backend ---------------------------------------------------------------------- */

/*
 * QEMU 8.2 and later refuse what earlier releases silently changed to 256 (hw/net/virtio-net.c,
 * virtio_net_device_realize()).
 */
static int check_tx_queue_size(const struct nic_case *c)
{
	const struct prop *prop = find(c->nic, "tx_queue_size");
	long n;

	if (!prop || c->plan->long_tx_queue || c->plan->shares_memory ||
	    !number_of(prop->value, &n) || c->plan->unread)
		return 0;
	/* a value that no backend supports has already been refused */
	if (n != 2L * TX_QUEUE_SIZE && n != 4L * TX_QUEUE_SIZE)
		return 0;
	if (older_than(c, 8, 2)) {
		warn(c, prop, "this QEMU changes it to 256: only vhost-user and vDPA support more");
		return 0;
	}
	return refuse(c, prop, "must be 256: only vhost-user and vDPA support more");
}

static void check_mtu(const struct nic_case *c)
{
	const struct prop *prop = find(c->nic, "host_mtu");
	const struct link *link = &c->nf->link;
	long n;

	if (!prop || !number_of(prop->value, &n) || n <= 0 || n > 65535)
		return;
	if (n < 68)
		warn(c, prop,
		     "below 68, the minimum for IPv4: Linux drivers ignore it or refuse the "
		     "device");
	else if (link->ifindex != 0 && link->mtu != 0 && n > link->mtu)
		warn(c, prop,
		     arena_printf(c->mem, "the MTU of '%s' is %u, so the link drops longer packets",
				  link->name, link->mtu));
}

/*
 * Kernel vhost supports neither; steering uses a program that QEMU loads, which the filter denies.
 */
static void check_vhost_features(const struct nic_case *c)
{
	static const struct {
		const char *key, *what;
	} lost[] = {
		{ "packed", "kernel vhost has no packed rings, so the guest gets split ones" },
		{ "hash", "kernel vhost reports no hash, so the guest is not offered this "
			  "feature" },
		{ "rss", "with vhost this needs an eBPF program, which QEMU may not load, so the "
			 "guest is not offered it" },
	};

	for (unsigned i = 0; c->plan->vhost && i < ARRAY_LEN(lost); i++) {
		const struct prop *prop = find(c->nic, lost[i].key);

		if (prop && switch_on(prop->value) && !find(c->nic, "ebpf-rss-fds.0"))
			warn(c, prop, lost[i].what);
	}
}

static int check_words(const struct nic_case *c)
{
	const struct prop *duplex = find(c->nic, "duplex"), *tx = find(c->nic, "tx");

	if (tx && strcmp(tx->value, "timer") != 0 && strcmp(tx->value, "bh") != 0)
		warn(c, tx, "neither 'timer' nor 'bh': QEMU uses 'bh'");
	if (duplex && strcmp(duplex->value, "half") != 0 && strcmp(duplex->value, "full") != 0)
		return refuse(c, duplex, "must be half or full");
	return 0;
}

/*
 * A device on the root bus has a legacy interface unless that is turned off, and then it cannot be
 * behind an IOMMU (hw/virtio/virtio-pci.c, virtio_pci_realize()). On other buses it depends on the
 * bus.
 */
static int check_iommu(const struct nic_case *c, const struct net_device *device)
{
	const struct prop *iommu = find(c->nic, "iommu_platform");
	const bool transitional = strcmp(device->name, "virtio-net-pci-transitional") == 0;

	if (!iommu || !switch_on(iommu->value) || device->bus != BUS_PCI ||
	    strcmp(device->name, "virtio-net-pci-non-transitional") == 0)
		return 0;
	if (!transitional &&
	    (find(c->nic, "bus") || is_on(c->nic, "disable-legacy") ||
	     c->desc->guest.confidential || c->desc->guest.globals || c->desc->guest.readconfig))
		return 0;
	(void)refuse(c, iommu, "QEMU refuses this for a device with a legacy interface");
	diag_hint(c->ds, "add disable-legacy=on to the device");
	return -1;
}

/* --- the device itself ------------------------------------------------------------------------ */

static int check_bus(const struct nic_case *c, const struct net_device *device,
		     const struct where *at)
{
	const struct guest *guest = &c->desc->guest;

	if (guest_has_bus(guest, c->facts->qemu.path, device->bus))
		return 0;
	(void)diag_add(c->ds, DIAG_DEVICE_BUS, 0, at, NULL,
		       "device '%s' needs a %s bus, which %s does not have", device->name,
		       bus_name(device->bus),
		       guest->machine ? arena_printf(c->mem, "machine '%s'", guest->machine)
				      : "QEMU's default machine");
	if ((device->has & DEVICE_VIRTIO) && guest_has_bus(guest, c->facts->qemu.path, BUS_PCI))
		diag_hint(c->ds, "use 'virtio-net-pci'");
	else if (guest_has_bus(guest, c->facts->qemu.path, BUS_VIRTIO))
		diag_hint(c->ds, "use 'virtio-net-device'");
	return -1;
}

static void warn_unknown(const struct nic_case *c, const struct where *at)
{
	struct nearest nearest = { .name = c->nic->driver };
	const struct net_device *device;

	for (unsigned i = 0; (device = net_device_row(i)); i++)
		nearest_try(&nearest, device->name);
	(void)diag_add(c->ds, DIAG_DEVICE_UNKNOWN, 0, at, NULL,
		       "device '%s' is unknown: it gets one queue pair and no vhost",
		       c->nic->driver);
	if (nearest.best)
		diag_hint(c->ds, "'%s'?", nearest.best);
}

int device_check(const struct nic_case *c)
{
	const struct where *at = c->nic->in_argv ? KEY(c->nic->at, "netdev")
						 : KEY(KEY(c->nic->at, "device"), "driver");
	const struct net_device *device = net_device(c->nic->driver);
	int ret;

	if (!c->nic->has_device || c->nic->nic_option)
		return 0;
	if (!device) {
		warn_unknown(c, at);
		return 0;
	}
	if (device->has & DEVICE_NO_NETDEV)
		return diag_add(c->ds, DIAG_DEVICE_CONFLICT, 0, at, NULL,
				"device '%s' does not use a netdev", device->name);
	ret = check_bus(c, device, at) | check_known(c, device) | check_vectors(c, device);
	if (!(device->has & DEVICE_VIRTIO))
		return ret;
	check_mtu(c);
	check_vhost_features(c);
	return ret | check_mq(c) | check_tx_queue_size(c) | check_words(c) | check_iommu(c, device);
}

static const struct vsock_device {
	const char *name;
	enum device_bus bus;
} vsock_devices[] = {
	/* what a machine gets is the first whose bus it has */
	{ "vhost-vsock-pci", BUS_PCI },
	{ "vhost-vsock-device", BUS_VIRTIO },
	{ "vhost-vsock-ccw", BUS_CCW },
	{ "vhost-vsock-pci-non-transitional", BUS_PCI },
};

/* No other device takes what is planned, and some open files of the host. */
static const char *vsock_named(const struct desc *desc, const struct facts *facts,
			       struct diags *ds)
{
	const struct where *at = KEY(KEY(KEY(NULL, "vsock"), "device"), "driver");
	struct nearest nearest = { .name = desc->vsock_driver };

	for (unsigned i = 0; i < ARRAY_LEN(vsock_devices); i++) {
		const struct vsock_device *device = &vsock_devices[i];

		nearest_try(&nearest, device->name);
		if (strcmp(desc->vsock_driver, device->name) != 0)
			continue;
		if (guest_has_bus(&desc->guest, facts->qemu.path, device->bus))
			return device->name;
		(void)diag_add(ds, DIAG_DEVICE_BUS, 0, at, NULL,
			       "device '%s' needs a %s bus, which the machine does not have",
			       device->name, bus_name(device->bus));
		diag_hint(ds, "leave \"driver\" out: the machine's bus then decides");
		return NULL;
	}
	(void)diag_add(ds, DIAG_DEVICE_CONFLICT, 0, at, NULL, "'%s' is not a vhost-vsock device",
		       desc->vsock_driver);
	diag_hint(ds, "use '%s'", nearest.best ? nearest.best : vsock_devices[0].name);
	return NULL;
}

const char *device_vsock(const struct desc *desc, const struct facts *facts, struct diags *ds)
{
	if (desc->vsock_driver)
		return vsock_named(desc, facts, ds);
	for (unsigned i = 0; i < ARRAY_LEN(vsock_devices); i++)
		if (guest_has_bus(&desc->guest, facts->qemu.path, vsock_devices[i].bus))
			return vsock_devices[i].name;
	(void)diag_add(ds, DIAG_DEVICE_BUS, 0, KEY(NULL, "vsock"), NULL,
		       "a vsock device needs a PCI, virtio-mmio or CCW bus, and the machine '%s' "
		       "has none of them", desc->guest.machine);
	return NULL;
}
