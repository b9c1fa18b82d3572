/*
 * argv_nics.c - NICs that the caller's argv already has
 *
 * A manager that numbers descriptors itself writes -netdev
 * tap,id=net0,fds=3:4,vhost=on,vhostfds=5:6 and the -device. Those numbers count as pinned.
 * Contradictions are refused here, because QEMU would accept them. The properties of the device are
 * checked later, by the rules for every device (plan/device.c).
 */
#include "config.h"

#include "desc/argv_nics.h"

#include <string.h>

#include "base/names.h"
#include "base/switch.h"
#include "desc/adopt.h"
#include "desc/backend.h"
#include "desc/cmdline.h"
#include "desc/fd_uses.h"
#include "desc/readconfig.h"
#include "desc/vhost_users.h"

struct argv_nic {
	const struct desc *desc;
	struct nic *nic;
	struct qemu_args *words;
	struct arena *mem;
	struct diags *ds;
};

static int netdev_bad(const struct argv_nic *s, const char *what)
{
	return diag_add(s->ds, DIAG_ARGV_NETDEV, 0, KEY(s->nic->at, "netdev"), "argv",
			"-netdev %s: %s", s->nic->id, what);
}

static int device_bad(const struct argv_nic *s, const char *what)
{
	return diag_add(s->ds, DIAG_ARGV_DEVICE, 0, KEY(s->nic->at, "netdev"), "argv",
			"-device of %s: %s", s->nic->id, what);
}

static const struct qopts *find_netdev(const struct argv_nic *s)
{
	return qemu_args_find(s->words, QEMU_OPTION_netdev, "id", s->nic->id);
}

/* The use of -netdev that these are the words of. */
static struct qemu_arg *arg_of(const struct argv_nic *s, const struct qopts *netdev)
{
	struct qemu_arg *arg = qemu_args_first(s->words, QEMU_OPTION_netdev);

	while (arg && qemu_arg_opts(s->words, arg) != netdev)
		arg = qemu_args_after(s->words, arg);
	return arg;
}

/* Read "fd" or "fds" of the netdev into pins, which the descriptor may also give. */
static int take_numbers(const struct argv_nic *s, const struct qopts *netdev, const char *one,
			const char *many, struct pins *pins)
{
	const char *key = qopts_get(netdev, many) ? many : one, *list = qopts_get(netdev, key);
	struct pins found = { 0 };

	if (!list)
		return 0;
	found.list = arena_array(s->mem, QUEUES_MAX, sizeof(*found.list));
	found.n = qopts_numbers(list, found.list, QUEUES_MAX);
	if (found.n == 0)
		return netdev_bad(s,
				  arena_printf(s->mem, "%s=%s is not a list of at most %d numbers",
					       key, list, QUEUES_MAX));
	if (key == one && found.n > 1)
		return netdev_bad(s, arena_printf(s->mem, "%s=%s is a list; a list belongs in %s",
						  key, list, many));
	for (unsigned i = 0; i < found.n; i++)
		if (found.list[i] < FD_MIN)
			return netdev_bad(s, arena_printf(s->mem,
							  "descriptor %d cannot be a device: "
							  "0, 1 and 2 are reserved",
							  found.list[i]));
	if (pins->n > 0 && (pins->n != found.n ||
			    memcmp(pins->list, found.list, pins->n * sizeof(*pins->list)) != 0))
		return netdev_bad(s, arena_printf(s->mem,
						  "%s=%s disagrees with the numbers in the "
						  "descriptor",
						  key, list));
	*pins = found;
	return 0;
}

/* A vhost descriptor alone turns vhost on (QEMU's net/tap.c, net_init_tap_one). */
static int take_vhost(const struct argv_nic *s, const struct qopts *netdev)
{
	const bool on = s->nic->vhostfds.n > 0 || switch_on(qopts_get(netdev, "vhost")) ||
			switch_on(qopts_get(netdev, "vhostforce"));

	if (s->nic->vhostfds.n > 0 && switch_off(qopts_get(netdev, "vhost")))
		return netdev_bad(s, "vhost is off, but it has vhost descriptors");
	if (on && s->nic->vhostfds.n == 0)
		return netdev_bad(s, "vhost is on without vhostfd or vhostfds: QEMU would open "
				     "/dev/vhost-net itself");
	if (on && s->nic->vhost == CHOICE_OFF)
		return netdev_bad(s, "vhost is on, but off in the descriptor");
	if (!on && s->nic->vhost == CHOICE_ON)
		return netdev_bad(s, "vhost is off, but on in the descriptor");
	s->nic->vhost = on ? CHOICE_ON : CHOICE_OFF;
	return 0;
}

static int take_netdev(const struct argv_nic *s)
{
	const struct qopts *netdev = find_netdev(s);
	const char *type;

	if (!netdev)
		return netdev_bad(s, "argv has no netdev of this id");
	type = qopts_get(netdev, "type");
	if (!qopts_get(netdev, "fd") && !qopts_get(netdev, "fds") &&
	    !qopts_get(netdev, "vhostfd") && !qopts_get(netdev, "vhostfds"))
		return adopt_netdev(s->desc, s->nic, arg_of(s, netdev), s->mem, s->ds);
	if (!type || strcmp(type, "tap") != 0)
		return netdev_bad(s, "its type must be tap");
	if (take_numbers(s, netdev, "fd", "fds", &s->nic->fds) < 0 ||
	    take_numbers(s, netdev, "vhostfd", "vhostfds", &s->nic->vhostfds) < 0)
		return -1;
	if (!qopts_get(netdev, "fd") && !qopts_get(netdev, "fds"))
		return netdev_bad(s, "it has neither fd nor fds");
	if (s->nic->queues != 0 && s->nic->queues != s->nic->fds.n)
		return netdev_bad(
			s, arena_printf(s->mem,
					"it has %u file descriptors, but the descriptor asks for "
					"%u queue pairs",
					s->nic->fds.n, s->nic->queues));
	s->nic->queues = s->nic->fds.n;
	return take_vhost(s, netdev);
}

static int take_mac(const struct argv_nic *s, const struct qopts *device)
{
	const char *text = qopts_get(device, "mac");
	struct mac mac;
	char *colons;

	if (!text && s->nic->has_mac)
		return device_bad(s, "it has no mac, but the descriptor has one");
	if (!text)
		return 0;
	/* QEMU also accepts dashes (net/util.c, net_parse_macaddr) */
	colons = arena_str(s->mem, text);
	for (char *dash = colons; (dash = strchr(dash, '-'));)
		*dash = ':';
	if (!mac_parse(colons, &mac))
		return device_bad(s, arena_printf(s->mem,
						  "mac=%s is not an Ethernet "
						  "address",
						  text));
	if (s->nic->has_mac && !mac_equal(mac, s->nic->mac))
		return device_bad(s, arena_printf(s->mem,
						  "mac=%s disagrees with the "
						  "descriptor",
						  text));
	s->nic->has_mac = true;
	s->nic->mac = mac;
	return 0;
}

/* Its properties, for the rules that also hold for properties from the descriptor. */
static void take_props(const struct argv_nic *s, const struct qopts *device)
{
	static const char *const ours[] = { "driver", "netdev", "id", "mac" };
	struct props *props = &s->nic->device;

	props->list = arena_array(s->mem, device->n, sizeof(*props->list));
	for (unsigned i = 0; i < device->n; i++) {
		bool skip = false;

		for (unsigned k = 0; k < ARRAY_LEN(ours); k++)
			skip |= strcmp(device->list[i].key, ours[k]) == 0;
		if (!skip)
			props->list[props->n++] = (struct prop){
				.key = device->list[i].key,
				.value = device->list[i].value,
				.at = where_keep(s->mem, KEY(s->nic->at, "netdev"))
			};
	}
}

static int take_device(const struct argv_nic *s)
{
	const struct qopts *device;

	if (!s->nic->has_device)
		return 0;
	device = qemu_args_find(s->words, QEMU_OPTION_device, "netdev", s->nic->id);
	if (!device && s->nic->adopted) {
		s->nic->has_device = false; /* it may be plugged in later */
		return 0;
	}
	if (!device)
		return device_bad(s, "argv has no device for this netdev");
	if (qopts_get(device, "driver"))
		s->nic->driver = qopts_get(device, "driver");
	take_props(s, device);
	return take_mac(s, device);
}

/* --- a netdev of the descriptor's own -------------------------------------------------------- */

static int text_bad(const struct argv_nic *s, const char *what)
{
	return diag_add(s->ds, DIAG_CUSTOM_NETDEV, 0, KEY(s->nic->at, "netdev"), NULL, "%s", what);
}

/* Queue pairs by the text; what the descriptor says of them must agree. */
static int take_text_queues(const struct argv_nic *s, const struct backend *backend)
{
	struct nic *nic = s->nic;

	if (backend->queues == BACKEND_QUEUES_UNKNOWN)
		return 0;
	if (nic->queues != 0 && nic->queues != backend->queues) {
		(void)diag_add(s->ds, DIAG_CUSTOM_NETDEV, 0, KEY(nic->at, "queues"), NULL,
			       "%u queue pairs asked for, the netdev's text makes %u", nic->queues,
			       backend->queues);
		diag_hint(s->ds, "leave \"queues\" out: it is then what the text says");
		return -1;
	}
	if (nic->queues == 0)
		nic->queues_key = "netdev";
	nic->queues = backend->queues;
	return 0;
}

static int take_text_vhost(const struct argv_nic *s, const struct backend *backend)
{
	struct nic *nic = s->nic;

	if (nic->vhost == CHOICE_ON && !backend->vhost)
		return diag_add(s->ds, DIAG_CUSTOM_NETDEV, 0, KEY(nic->at, "vhost"), NULL,
				"is true, and %s",
				backend->has_vhost
					? "the netdev's text has no vhost=on"
					: arena_printf(s->mem, "a netdev '%s' has no vhost",
						       backend->type));
	if (nic->vhost == CHOICE_OFF && backend->vhost)
		return diag_add(s->ds, DIAG_CUSTOM_NETDEV, 0, KEY(nic->at, "vhost"), NULL,
				"is false, and the netdev's text turns vhost on");
	nic->vhost = backend->vhost ? CHOICE_ON : CHOICE_OFF;
	return 0;
}

/* What the text of a custom netdev says becomes what the descriptor says. */
static int take_text(const struct argv_nic *s)
{
	const struct backend *backend;
	struct nic *nic = s->nic;
	struct qopts opts;

	if (!qopts_parse(s->mem, nic->netdev, "type", &opts))
		return 0;
	nic->backend = backend = backend_read(s->mem, &opts);
	if (!backend)
		return 0;
	if (backend->refused)
		return text_bad(s, backend->refused);
	if (backend->ifname && ifname_valid(backend->ifname))
		nic->ifname = backend->ifname;
	if (backend->bridge && ifname_valid(backend->bridge))
		nic->bridge = backend->bridge;
	nic->helper = backend->helper;
	return take_text_queues(s, backend) | take_text_vhost(s, backend);
}

/* argv must have no netdev with the id of a NIC that we add: QEMU would refuse the second one. */
static int check_id_free(const struct argv_nic *s)
{
	if (!find_netdev(s))
		return 0;
	(void)diag_add(s->ds, DIAG_DUPLICATE_ID, 0, KEY(s->nic->at, "id"), "argv",
		       "argv already has -netdev %s", s->nic->id);
	diag_hint(s->ds, "\"netdev\": \"argv\" if this is the same NIC, or another \"id\"");
	return -1;
}

/* A machine with virtio-mmio but no PCI bus gets the device that fits it. */
static void default_driver(const struct desc *desc, struct nic *nic)
{
	if (!nic->has_driver && !guest_has_bus(&desc->guest, NULL, BUS_PCI) &&
	    guest_has_bus(&desc->guest, NULL, BUS_VIRTIO))
		nic->driver = "virtio-net-device";
}

static int read_argv_nic(const struct argv_nic *s)
{
	if (s->nic->adopted)
		return s->nic->nic_option ? 0 : take_device(s);
	if (!s->nic->in_argv) {
		default_driver(s->desc, s->nic);
		return check_id_free(s) | (s->nic->netdev ? take_text(s) : 0);
	}
	if (!s->nic->handoff)
		return netdev_bad(s, "\"handoff\" is false, so there are no descriptors "
				     "to place");
	return take_netdev(s) < 0 ? -1 : take_device(s);
}

/* Does QEMU read a file that was not read here? */
static bool is_unread(const struct desc *desc)
{
	unsigned named = 0, read = 0;

	for (const struct qemu_arg *arg = qemu_args_first(desc->words, QEMU_OPTION_readconfig); arg;
	     arg = qemu_args_after(desc->words, arg))
		named++;
	for (unsigned i = 0; i < desc->n_configs; i++) {
		named += desc->configs[i].by_default;
		read += desc->configs[i].text != NULL;
	}
	return read < named;
}

int argv_nics_read(struct desc *desc, const struct cmdline *cmdline, struct arena *mem,
		   struct diags *ds)
{
	const struct cmdline words = cmdline_join(desc->args, desc->n_args, cmdline, mem);
	const struct cmdline all = readconfig_expand(&words, desc->configs, desc->n_configs, mem);
	int ret;

	desc->words = qemu_args_read(&all, mem);
	desc->guest = guest_read(desc->words, is_unread(desc));
	ret = adopt_nics(desc, mem, ds);
	for (unsigned i = 0; i < desc->n_nics; i++) {
		const struct argv_nic s = { .desc = desc,
					    .nic = &desc->nics[i],
					    .words = desc->words,
					    .mem = mem,
					    .ds = ds };

		ret |= read_argv_nic(&s);
	}
	fd_uses_read(desc, mem);
	vhost_users_read(desc, mem);
	return ret;
}
