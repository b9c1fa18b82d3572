/* guest.c - the machine, processors, names and network in the caller's words */
#include "config.h"

#include "desc/guest.h"

#include <stdlib.h>
#include <string.h>

#include "base/bounds.h"
#include "base/switch.h"
#include "desc/cmdline.h"

/* A number of processors, as QEMU reads one (util/cutils.c, qemu_strtoi64); 0: it is none. */
static unsigned count_of(const char *text)
{
	char *end = NULL;
	const unsigned long n = text && text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 0)
									  : 0;

	return end && *end == '\0' && n <= VCPUS_MAX ? (unsigned)n : 0;
}

/*
 * The last value of key: -smp KEY=VALUE is -machine smp.KEY=VALUE, and both merge in their order
 * (softmmu/vl.c, machine_merge_property()). NULL: none.
 */
static const char *smp_value(const struct qemu_args *words, const char *key, struct arena *mem)
{
	const char *dotted, *ret = NULL;

	if (!qemu_args_has(words, QEMU_OPTION_smp) && !qemu_args_has(words, QEMU_OPTION_machine))
		return NULL;
	dotted = arena_printf(mem, "smp.%s", key);
	for (unsigned i = 0; i < words->n; i++) {
		struct qemu_arg *arg = &words->list[i];
		const bool smp = arg->row && arg->row->same == QEMU_OPTION_smp;
		const struct qopts *opts;
		const char *value;

		if (!smp && (!arg->row || arg->row->same != QEMU_OPTION_machine))
			continue;
		opts = qemu_arg_opts(words, arg);
		value = opts ? qopts_get(opts, smp ? key : dotted) : NULL;
		ret = value ? value : ret;
	}
	return ret;
}

/*
 * Without "cpus", the number is maxcpus, or else the product of the other keys
 * (hw/core/machine-smp.c, machine_parse_smp_config()). 0: nothing is said, or it is none of this.
 */
static unsigned read_cpus(const struct qemu_args *words)
{
	static const char *const levels[] = { "drawers",  "books",   "sockets", "dies",
					      "clusters", "modules", "cores",   "threads" };
	const char *cpus = smp_value(words, "cpus", words->mem),
		   *most = smp_value(words, "maxcpus", words->mem);
	unsigned product = 1;
	bool said = false;

	if (cpus || most)
		return count_of(cpus ? cpus : most);
	for (unsigned i = 0; i < ARRAY_LEN(levels); i++) {
		const char *text = smp_value(words, levels[i], words->mem);
		const unsigned n = text ? count_of(text) : 1;

		if (n == 0 || n > VCPUS_MAX / product)
			return 0;
		product *= n;
		said |= text != NULL;
	}
	return said ? product : 0;
}

static bool has_nic_device(const struct qemu_args *words)
{
	for (struct qemu_arg *arg = qemu_args_first(words, QEMU_OPTION_device); arg;
	     arg = qemu_args_after(words, arg)) {
		const struct qopts *device = qemu_arg_opts(words, arg);
		const char *driver = device ? qopts_get(device, "driver") : NULL;

		if (driver && net_device(driver))
			return true;
	}
	return false;
}

static bool speaks_of_network(const struct qemu_args *words)
{
	static const enum qemu_option_id options[] = {
		QEMU_OPTION_nic,
		QEMU_OPTION_net,
		QEMU_OPTION_netdev,
		QEMU_OPTION_nodefaults,
	};

	for (unsigned i = 0; i < ARRAY_LEN(options); i++)
		if (qemu_args_has(words, options[i]))
			return true;
	return has_nic_device(words);
}

struct guest guest_read(const struct qemu_args *words, bool unread)
{
	struct guest ret = {
		.machine = qemu_args_last(words, QEMU_OPTION_machine, "type"),
		.pcie = switch_on(qemu_args_last(words, QEMU_OPTION_machine, "pcie")),
		.confidential = qemu_args_last(words, QEMU_OPTION_machine,
					       "confidential-guest-support") != NULL,
		.globals = qemu_args_has(words, QEMU_OPTION_global),
		.readconfig = unread,
		.network = unread || speaks_of_network(words),
		.cpus = read_cpus(words),
		.name = qemu_args_last(words, QEMU_OPTION_name, "guest"),
	};

	for (struct qemu_arg *arg = qemu_args_first(words, QEMU_OPTION_uuid); arg;
	     arg = qemu_args_after(words, arg))
		ret.uuid = arg->value;
	return ret;
}

bool guest_has_bus(const struct guest *guest, const char *qemu, enum device_bus bus)
{
	if (guest->readconfig || (guest->pcie && bus == BUS_PCI))
		return true;
	return machine_has_bus(guest->machine, qemu, bus);
}

static bool is_kvm(const char *accel)
{
	return strcmp(accel, "kvm") == 0;
}

bool guest_needs_kvm(const struct qemu_args *words)
{
	const char *accel = qemu_args_last(words, QEMU_OPTION_machine, "accel");
	bool found = false;

	for (struct qemu_arg *arg = qemu_args_first(words, QEMU_OPTION_accel); arg;
	     arg = qemu_args_after(words, arg)) {
		const struct qopts *opts = qemu_arg_opts(words, arg);
		const char *name = opts ? qopts_get(opts, "accel") : NULL;

		if (!name || !is_kvm(name) || qopts_get(opts, "device"))
			return false;
		found = true;
	}
	if (found)
		return true;
	return accel ? is_kvm(accel) : qemu_args_has(words, QEMU_OPTION_enable_kvm);
}
