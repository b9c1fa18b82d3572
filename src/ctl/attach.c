/*
 * attach.c - "attach": NICs of a descriptor for a guest that runs
 *
 * The descriptor is judged as for a launch, by facts of this host and of the QEMU that runs. What
 * it says of a process to be started has no meaning here and is not judged.
 */
#include "config.h"

#include <string.h>

#include "act/limits.h"
#include "base/bounds.h"
#include "ctl/plug.h"
#include "ctl/target.h"
#include "desc/desc.h"
#include "launch.h"
#include "mode/rules.h"
#include "sys/fd.h"

enum { SECONDS_DEFAULT = 10, SECONDS_MAX = 600 };

struct attach {
	struct ctl *ctl;
	const char *socket, *descriptor, *seconds_text;
	unsigned seconds;
	bool check_only, print;
	struct launch l;
	struct qmp qmp;
	struct target target;
	struct plug *plugs;
};

static int read_words(struct attach *a, unsigned n, char **words)
{
	struct ctl *ctl = a->ctl;
	const struct ctl_option options[] = {
		{ "--descriptor", .value = &a->descriptor },
		{ "--timeout", .value = &a->seconds_text },
		{ "--check", .flag = &a->check_only },
		{ "--plan", .flag = &a->print },
	};
	unsigned n_words;

	if (ctl_options(ctl, n, words, options, ARRAY_LEN(options), &a->socket, 1, &n_words) < 0)
		return -1;
	if (n_words == 0)
		return diag_add(ctl->ds, DIAG_USAGE, 0, NULL, "attach",
				"needs the path of a monitor's socket");
	if (a->check_only && a->print)
		return diag_add(ctl->ds, DIAG_USAGE, 0, NULL, "--plan", "--check is given, too");
	a->seconds = SECONDS_DEFAULT;
	return a->seconds_text ? ctl_number(ctl, "--timeout", a->seconds_text, 1, SECONDS_MAX,
					    &a->seconds)
			       : 0;
}

/* --- the descriptor --------------------------------------------------------------------------- */

static int refuse(struct attach *a, const struct where *at, const char *what)
{
	return diag_add(a->ctl->ds, DIAG_ATTACH_MODE, 0, at, NULL, "%s", what);
}

/* What QEMU gets over a monitor is queues of links, and nothing that it would open itself. */
static int rule_modes(struct attach *a)
{
	const struct desc *desc = &a->l.desc;
	int ret = 0;

	if (desc->n_nics == 0)
		ret |= refuse(a, NULL, "the descriptor has no NIC to attach");
	if (desc->cid != 0)
		ret |= refuse(a, NULL, "a vsock device is made at a launch only");
	for (unsigned i = 0; i < desc->n_nics; i++) {
		const struct nic *nic = &desc->nics[i];

		if (nic->mode != MODE_TAP && nic->mode != MODE_MACVTAP)
			ret |= refuse(a, KEY(nic->at, "mode"),
				      "only \"tap\" and \"macvtap\" can be attached");
		else if (nic->in_argv || nic->adopted || !nic->handoff)
			ret |= refuse(a, nic->at, "a NIC whose backend QEMU opens or has in its "
						  "words is made at a launch only");
	}
	return ret;
}

/* Keys about the process of QEMU: it is there already. */
static void forget_process(struct desc *desc)
{
	desc->seccomp = (struct seccomp_wish){ .none = true };
	desc->landlock = LANDLOCK_OFF;
	desc->box = (struct box_wish){ 0 };
	desc->caps = CAPS_KEEP;
	desc->protect_terminal = false;
	desc->n_cgroups = 0;
	desc->cgroup_fd = -1;
	desc->report_path = NULL;
	desc->report_fd = -1;
	desc->die_with_parent = false;
}

static int look(struct attach *a)
{
	struct input input = { .kind = INPUT_STREAM, .name = "stdin",
			       .timeout = TIMEOUT_DEFAULT };

	a->l.mem = a->ctl->mem;
	a->l.ds = a->ctl->ds;
	a->l.report.fd = a->l.notify_fd = -1;
	if (a->descriptor && strcmp(a->descriptor, "-") != 0)
		input = (struct input){ .kind = INPUT_FILE, .fd = -1, .text = a->descriptor,
					.name = a->descriptor };
	if (launch_look(&a->l, &input) < 0)
		return -1;
	forget_process(&a->l.desc);
	return rule_modes(a);
}

/* --- the guest -------------------------------------------------------------------------------- */

static int meet(struct attach *a)
{
	const struct ids_facts *ids = &a->l.facts.ids;
	const struct qmp_trust trust = { .has_user = ids->wanted && !ids->unknown && !ids->err,
					 .user = ids->uid };
	struct guest *guest = &a->l.desc.guest;

	if (qmp_open(a->ctl, a->socket, &trust, a->seconds, &a->qmp) < 0 ||
	    target_ask(&a->qmp, &a->target) < 0)
		return -1;
	a->l.facts.qemu_version = (struct qemu_version){ a->qmp.major, a->qmp.minor };
	guest->machine = a->target.machine;
	guest->name = a->target.name;
	guest->uuid = a->target.uuid;
	guest->cpus = a->target.cpus;
	return 0;
}

static const char *device_prop(const struct nic *nic, const char *key)
{
	const char *ret = NULL;

	for (unsigned i = 0; i < nic->device.n; i++)
		if (strcmp(nic->device.list[i].key, key) == 0)
			ret = nic->device.list[i].value;
	return ret;
}

static int rule_id(struct attach *a, const struct nic *nic)
{
	const char *device = device_prop(nic, "id");
	int ret = 0;

	device = device ? device : nic->id;
	if (target_has(a->target.netdevs, nic->id))
		ret |= diag_add(a->ctl->ds, DIAG_ATTACH_ID, 0, KEY(nic->at, "id"), a->socket,
				"QEMU has a netdev '%s' already", nic->id);
	if (nic->has_device && target_has(a->target.devices, device))
		ret |= diag_add(a->ctl->ds, DIAG_ATTACH_ID, 0, KEY(nic->at, "id"), a->socket,
				"QEMU has a device '%s' already", device);
	return ret;
}

static int rule_ids(struct attach *a)
{
	int ret = 0;

	for (unsigned i = 0; i < a->l.desc.n_nics; i++)
		ret |= rule_id(a, &a->l.desc.nics[i]);
	return ret;
}

static int no_port(struct attach *a, const struct nic *nic, const char *what)
{
	(void)diag_add(a->ctl->ds, DIAG_ATTACH_PORT, 0, nic->at, a->socket, "%s", what);
	diag_hint(a->ctl->ds, "start the guest with -device pcie-root-port,id=rp0,chassis=1 for "
			      "each NIC to come");
	return -1;
}

/* A PCI Express machine takes a device in a port only, and each port takes one. */
static int rule_port(struct attach *a, struct plug *plug)
{
	const struct nic *nic = plug->np->nic;
	const char *bus = device_prop(nic, "bus");
	const struct net_device *device = nic_device(nic);
	struct port *port;

	if (!nic->has_device || !device || device->bus != BUS_PCI)
		return 0;
	port = bus || a->target.needs_port ? target_port(&a->target, bus) : NULL;
	if (port && port->busy)
		return no_port(a, nic, arena_printf(a->ctl->mem, "bus '%s' has a device", bus));
	if (!port && a->target.needs_port && !bus)
		return no_port(a, nic, arena_printf(a->ctl->mem, "%s has no free PCI Express port",
						    a->target.machine));
	if (!port && a->target.needs_port && !target_has(a->target.devices, bus))
		return no_port(a, nic, arena_printf(a->ctl->mem, "there is no port '%s'", bus));
	if (!port)
		return 0;
	port->busy = true;
	plug->bus = bus ? NULL : port->id;
	return 0;
}

/* For every NIC, before anything is opened. */
static int rule_ports(struct attach *a)
{
	const struct plan *plan = &a->l.plan;
	int ret = 0;

	for (unsigned i = 0; i < a->l.desc.n_nics; i++) {
		a->plugs[i].np = &plan->nics[i];
		ret |= rule_port(a, &a->plugs[i]);
	}
	return ret;
}

/* The user of the QEMU that runs is not the descriptor's matter. */
static void drop_launch_warnings(struct diags *ds)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < ds->n; i++)
		if (ds->list[i].id != DIAG_QEMU_ROOT && ds->list[i].id != DIAG_WORKERS_CGROUP)
			ds->list[kept++] = ds->list[i];
	ds->n = kept;
}

/* --- the command ------------------------------------------------------------------------------ */

static int print(struct attach *a)
{
	const char *text = "";

	for (unsigned i = 0; i < a->l.desc.n_nics; i++) {
		const char *device = plug_device(a->ctl, &a->plugs[i]);

		text = arena_printf(a->ctl->mem,
				    "%s{\"execute\":\"netdev_add\",\"arguments\":%s}\n", text,
				    plug_netdev(a->ctl, &a->plugs[i]));
		if (device)
			text = arena_printf(a->ctl->mem,
					    "%s{\"execute\":\"device_add\",\"arguments\":%s}\n",
					    text, device);
	}
	return ctl_print(a->ctl, text);
}

/* All of it is open and verified before the first descriptor is sent. */
static int carry_out(struct attach *a)
{
	struct launch *l = &a->l;

	if (limits_raise(&l->plan, l->ds) < 0 || launch_open(l) < 0)
		return -1;
	for (unsigned i = 0; i < l->desc.n_nics; i++)
		a->plugs[i].np = &l->plan.nics[i];
	drop_launch_warnings(l->ds);
	return plug_all(&a->qmp, a->plugs, l->desc.n_nics, &l->plan, l->opened.fds);
}

static int run(struct attach *a)
{
	int bad;

	if (look(a) < 0 || meet(a) < 0)
		return -1;
	bad = rule_ids(a) | launch_decide(&a->l);
	drop_launch_warnings(a->ctl->ds);
	if (bad != 0)
		return -1;
	a->plugs = arena_array(a->ctl->mem, a->l.desc.n_nics, sizeof(*a->plugs));
	if (rule_ports(a) < 0)
		return -1;
	return a->check_only ? 0 : a->print ? print(a) : carry_out(a);
}

int command_attach(struct ctl *ctl, unsigned n, char **words)
{
	struct attach a = { .ctl = ctl, .qmp.fd = -1 };
	const int ret = read_words(&a, n, words) < 0 ? -1 : run(&a);

	fd_close(&a.qmp.fd);
	return ret;
}
