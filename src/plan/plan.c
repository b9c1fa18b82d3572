/*
 * plan.c - what a launch will do
 *
 * Each NIC by the rules of its mode, then one layout of descriptor numbers for all, then the words.
 * A stage that finds problems goes on, so that all of them are listed; a stage that would need what a
 * failed one should have found is left out.
 */
#include "config.h"

#include "plan/plan.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "plan/words.h"
#include "mode/mode.h"
#include "plan/confine.h"
#include "plan/argv_numbers.h"
#include "plan/vhostuser.h"

const char *what_name(enum what what)
{
	static const char *const names[] = {
		[WHAT_MACVTAP]		= "macvtap",
		[WHAT_TAP]		= "tap",
		[WHAT_BRIDGE]		= "bridge",
		[WHAT_PASST]		= "passt",
		[WHAT_PASST_SOCKET]	= "vhost-user",
		[WHAT_VHOST_NET]	= "vhost-net",
		[WHAT_VHOST_VSOCK]	= "vhost-vsock",
		[WHAT_LIFELINE]		= "lifeline",
	};
	static_assert(ARRAY_LEN(names) == WHAT__COUNT, "every kind of descriptor has a name");

	return names[what];
}

unsigned plan_default_queues(const struct desc *desc)
{
	unsigned n = desc->vcpus < QUEUES_DEFAULT_MAX ? desc->vcpus : QUEUES_DEFAULT_MAX;

	return n < desc->max_queues ? n : desc->max_queues;
}

/* Queue pairs that a NIC asks for, by their number or by naming descriptors for them; 0: it does not. */
static unsigned queues_of(const struct nic *nic)
{
	return nic->queues ? nic->queues : nic->fds.n;
}

unsigned plan_slots_max(const struct desc *desc)
{
	unsigned n = desc->cid != 0;

	for (unsigned i = 0; i < desc->n_nics; i++) {
		const struct nic *nic = &desc->nics[i];
		const unsigned queues = queues_of(nic) ? queues_of(nic) : plan_default_queues(desc);

		if (!nic->in_argv)
			n += 2 * queues;	/* passt: a socket and a lifeline */
		n += nic->fds.n + nic->vhostfds.n;	/* a pinned number is not there for the others */
	}
	return n;
}

/* --- one NIC ----------------------------------------------------------------------------------- */

/* A device that is not virtio-net has one queue pair and no vhost. */
bool virtio_net(const struct nic *nic)
{
	return !nic->has_device || strncmp(nic->driver, "virtio-net-", strlen("virtio-net-")) == 0;
}

static void vhost_give_way(const struct ruling *ru, int err, const char *object, const char *why)
{
	ru->plan->vhost = false;
	ru->plan->vhost_why = why;
	(void)diag_add(ru->ds, DIAG_VHOST_OFF, err, ru->nic->at, object,
		       "vhost is not available, QEMU's main loop will carry every frame of this NIC");
}

/* Nobody asked for vhost, but the default does: take it if the host has it. */
static void vhost_preferred(const struct ruling *ru)
{
	const struct node *node = &ru->facts->vhost_net;
	const char *why = node_trouble(ru->mem, node, MISC_MAJOR, VHOST_NET_MINOR);

	ru->plan->vhost = !why;
	if (why && !diag_has(ru->ds, DIAG_VHOST_OFF))
		vhost_give_way(ru, node->err ? node->err : node->access_err, node->path, why);
	else if (why)
		ru->plan->vhost_why = why;
}

static int vhost_required(const struct ruling *ru)
{
	const struct where *at = KEY(ru->nic->at, "vhost");

	if (!virtio_net(ru->nic))
		return diag_add(ru->ds, DIAG_DEVICE_CONFLICT, 0, at, NULL, "device '%s' cannot use vhost",
				ru->nic->driver);
	ru->plan->vhost = true;
	return rule_node(ru, at, &ru->facts->vhost_net, MISC_MAJOR, VHOST_NET_MINOR, "modprobe vhost_net");
}

/* Is vhost off by what the descriptor says, and not for want of /dev/vhost-net? */
static bool vhost_off(const struct ruling *ru)
{
	return ru->nic->vhost == CHOICE_OFF ||
	       (ru->nic->vhost == CHOICE_ABSENT && (!ru->desc->vhost || !virtio_net(ru->nic)));
}

static int settle_vhost(const struct ruling *ru, const struct backend *be)
{
	if (!be->has_vhost || ru->nic->vhost == CHOICE_OFF)
		return 0;
	if (ru->nic->vhost == CHOICE_ON)
		return vhost_required(ru);
	/* what a verbatim netdev does about vhost is in its text */
	if (!ru->desc->vhost || ru->nic->mode == MODE_CUSTOM)
		return 0;
	if (virtio_net(ru->nic))
		vhost_preferred(ru);
	else
		ru->plan->vhost_why = "the device is not virtio-net";
	return 0;
}

static int queues_asked(const struct ruling *ru, const struct backend *be, unsigned offered)
{
	const struct where *at = KEY(ru->nic->at, ru->nic->queues ? "queues" : "fds");
	const unsigned n = ru->plan->queues;

	if (n > ru->desc->max_queues) {
		(void)diag_add(ru->ds, DIAG_QUEUES_OVER_MAX, 0, at, NULL,
			       "%u queue pairs asked for, max_queues is %u", n, ru->desc->max_queues);
		if (ru->desc->max_queues < QUEUES_MAX)
			diag_hint(ru->ds, "set \"max_queues\" to %u or more", n);
		return -1;
	}
	if (be->one_queue && n > 1)
		return diag_add(ru->ds, DIAG_QUEUES_BACKEND, 0, at, NULL,
				"%u queue pairs asked for, mode '%s' serves one", n, mode_name(ru->nic->mode));
	if (!virtio_net(ru->nic) && n > 1)
		return diag_add(ru->ds, DIAG_QUEUES_BACKEND, 0, at, NULL,
				"%u queue pairs asked for, device '%s' has one", n, ru->nic->driver);
	return offered > 0 && n > offered ? be->over(ru, at, offered) : 0;
}

static void queues_default(const struct ruling *ru, const struct backend *be, unsigned offered)
{
	unsigned n = plan_default_queues(ru->desc);

	if (be->one_queue || be->default_one || !virtio_net(ru->nic) || !ru->plan->vhost)
		n = 1;
	if (offered > 0 && n > offered) {
		(void)diag_add(ru->ds, DIAG_QUEUES_REDUCED, 0, ru->nic->at, ru->nf->link.name,
			       "%u queue pairs instead of %u: the link was made with no more", offered, n);
		ru->plan->queues_why = arena_printf(ru->mem, "the link was made with %u", offered);
		n = offered;
	}
	ru->plan->queues = n;
}

/* fds and vhostfds: one number for each queue pair. */
static int check_pins(const struct ruling *ru, const char *key, const struct pins *pins)
{
	if (pins->n == 0 || pins->n == ru->plan->queues)
		return 0;
	return diag_add(ru->ds, DIAG_PINS_COUNT, 0, KEY(ru->nic->at, key), NULL, "%u numbers for %u queue pairs",
			pins->n, ru->plan->queues);
}

static int settle_pins(const struct ruling *ru)
{
	int ret = check_pins(ru, "fds", &ru->nic->fds);

	if (ru->nic->vhostfds.n > 0 && vhost_off(ru))
		ret |= diag_add(ru->ds, DIAG_PINS_CONFLICT, 0, KEY(ru->nic->at, "vhostfds"), NULL,
				"given although vhost is off");
	else
		ret |= check_pins(ru, "vhostfds", &ru->nic->vhostfds);
	if (ru->plan->by_qemu && ru->nic->fds.n + ru->nic->vhostfds.n > 0)
		ret |= diag_add(ru->ds, DIAG_PINS_CONFLICT, 0, KEY(ru->nic->at, "handoff"), NULL,
				"is false: QEMU opens the backend and takes no numbers");
	return ret;
}

static int rule_nic(struct ruling *ru)
{
	const struct backend *be = backend_of(ru->nic->mode);
	const unsigned asked = queues_of(ru->nic);
	int ret, host = 0;

	*ru->plan = (struct nic_plan){
		.nic = ru->nic, .facts = ru->nf, .by_qemu = !ru->nic->handoff || ru->nic->mode == MODE_CUSTOM,
		.queues = asked, .lifeline = -1, .has_mac = ru->nic->has_mac, .mac = ru->nic->mac,
	};
	if (be->check)
		host = be->check(ru);
	ret = host | settle_vhost(ru, be);
	if (asked > 0)
		ret |= queues_asked(ru, be, host == 0 && be->offers ? be->offers(ru->nf) : 0);
	else
		queues_default(ru, be, host == 0 && be->offers ? be->offers(ru->nf) : 0);
	ret |= settle_pins(ru);
	if (ret == 0 && be->settle)
		ret |= be->settle(ru);
	return ret;
}

/* --- descriptor numbers ------------------------------------------------------------------------- */

/* Hands out numbers: free ones in rising order, leaving out the pinned. */
struct layout {
	const struct facts *facts;
	const struct desc *desc;
	unsigned next;			/* in facts->free_fds */
	struct plan *plan;
};

static bool pinned_in(const struct pins *pins, int fd)
{
	for (unsigned i = 0; i < pins->n; i++)
		if (pins->list[i] == fd)
			return true;
	return false;
}

static bool is_pinned(const struct desc *desc, int fd)
{
	for (unsigned i = 0; i < desc->n_nics; i++)
		if (pinned_in(&desc->nics[i].fds, fd) || pinned_in(&desc->nics[i].vhostfds, fd))
			return true;
	return false;
}

static int next_free(struct layout *l)
{
	while (l->next < l->facts->n_free && is_pinned(l->desc, l->facts->free_fds[l->next]))
		l->next++;
	/* the facts hold plan_slots_max() numbers; fewer only when the limit on numbers is reached */
	return l->next < l->facts->n_free ? l->facts->free_fds[l->next++] : -1;
}

static int add_slot(struct layout *l, struct slot slot, const struct pins *pins)
{
	slot.fd = pins && pins->n > 0 ? pins->list[slot.queue] : next_free(l);
	l->plan->slots[l->plan->n_slots++] = slot;
	return slot.fd;
}

static const int *add_slots(struct layout *l, struct nic_plan *np, unsigned index, struct arena *mem, bool vhost)
{
	const struct backend *be = backend_of(np->nic->mode);
	int *fds = arena_array(mem, np->queues, sizeof(*fds));

	for (unsigned q = 0; q < np->queues; q++) {
		const struct slot slot = {
			.what = vhost ? WHAT_VHOST_NET : np->chardev_id ? WHAT_PASST_SOCKET : be->what,
			.nic = index, .queue = q, .at = np->nic->at,
			.path = vhost ? l->facts->vhost_net.path : be->path(np->facts),
		};

		fds[q] = add_slot(l, slot, vhost ? &np->nic->vhostfds : &np->nic->fds);
	}
	return fds;
}

static void lay_out(struct layout *l, struct arena *mem)
{
	struct plan *plan = l->plan;

	for (unsigned i = 0; i < l->desc->n_nics; i++)
		if (!plan->nics[i].by_qemu && backend_of(plan->nics[i].nic->mode)->path)
			plan->nics[i].fds = add_slots(l, &plan->nics[i], i, mem, false);
	for (unsigned i = 0; i < l->desc->n_nics; i++)
		if (plan->nics[i].fds && plan->nics[i].vhost)
			plan->nics[i].vhostfds = add_slots(l, &plan->nics[i], i, mem, true);
	plan->vsock_fd = -1;
	if (l->desc->cid != 0)
		plan->vsock_fd = add_slot(l, (struct slot){ .what = WHAT_VHOST_VSOCK,
							    .at = where_keep(mem, KEY(NULL, "vsock")),
							    .path = l->facts->vhost_vsock.path }, NULL);
	for (unsigned i = 0; i < l->desc->n_nics; i++)
		if (plan->nics[i].fds && plan->nics[i].chardev_id)
			plan->nics[i].lifeline = add_slot(l, (struct slot){ .what = WHAT_LIFELINE, .nic = i,
				.at = plan->nics[i].nic->at, .path = plan->nics[i].facts->passt.path }, NULL);
}

static int check_pin(const struct plan *plan, const struct nic *nic, const char *key, const struct pins *pins,
		     const bool *open, struct diags *ds)
{
	int ret = 0;

	for (unsigned i = 0; i < pins->n; i++) {
		const struct where *at = ITEM(KEY(nic->at, key), i);
		unsigned times = 0;

		for (unsigned s = 0; s < plan->n_slots; s++)
			times += plan->slots[s].fd == pins->list[i];
		if (times > 1)
			ret |= diag_add(ds, DIAG_PIN_TWICE, 0, at, NULL, "descriptor %d is planned twice", pins->list[i]);
		if (!open[i])
			continue;
		(void)diag_add(ds, DIAG_PIN_OPEN, 0, at, NULL, "descriptor %d is open already, from the caller",
			       pins->list[i]);
		diag_hint(ds, "close it before the launch, or ask for another number");
		ret = -1;
	}
	return ret;
}

static int nofile_short(const struct plan *plan, struct diags *ds)
{
	(void)diag_add(ds, DIAG_NOFILE_LIMIT, 0, plan->n_slots > 0 ? plan->slots[0].at : NULL, NULL,
		       "%u descriptors are planned, from number %u on, and RLIMIT_NOFILE ends at %lu", plan->n_slots,
		       plan->desc->fd_base, plan->facts->nofile_hard);
	diag_hint(ds, "raise the hard limit (LimitNOFILE=, ulimit -n)");
	return -1;
}

static int check_layout(const struct plan *plan, struct diags *ds)
{
	const struct facts *facts = plan->facts;
	int ret = 0;

	for (unsigned i = 0; i < plan->desc->n_nics; i++) {
		const struct nic *nic = plan->nics[i].nic;

		ret |= check_pin(plan, nic, "fds", &nic->fds, facts->nics[i].pin_open, ds);
		ret |= check_pin(plan, nic, "vhostfds", &nic->vhostfds, facts->nics[i].vhost_pin_open, ds);
	}
	for (unsigned s = 0; s < plan->n_slots; s++)
		if (plan->slots[s].fd < 0 || (unsigned long)plan->slots[s].fd >= facts->nofile_hard)
			return nofile_short(plan, ds);
	return ret;
}

static unsigned long nofile_needed(const struct plan *plan)
{
	unsigned long need = 0;

	for (unsigned s = 0; s < plan->n_slots; s++)
		if ((unsigned long)plan->slots[s].fd >= need)
			need = (unsigned long)plan->slots[s].fd + 1;
	return need;
}

static unsigned long nofile_soft(const struct plan *plan)
{
	const struct facts *facts = plan->facts;
	const unsigned long need = nofile_needed(plan), want = need + QEMU_OWN_FDS;

	if (need <= facts->nofile_soft)
		return 0;
	return want < facts->nofile_hard ? want : facts->nofile_hard;
}

/*
 * Under a filter the limit is also a number: QEMU is executed by a descriptor that nobody can make
 * again once soft and hard are that number. QEMU keeps what it had, within reason: the kernel's table
 * of descriptors grows to the number (8 bytes each), and a queue costs QEMU some descriptors more.
 */
static unsigned long nofile_filter(const struct plan *plan)
{
	const struct facts *facts = plan->facts;
	const unsigned long need = nofile_needed(plan);
	unsigned long want = facts->nofile_soft < NOFILE_CAP ? facts->nofile_soft : NOFILE_CAP;

	if (want < NOFILE_WANTED)
		want = NOFILE_WANTED;
	if (want < need + QEMU_OWN_FDS + 4 * (unsigned long)plan->n_slots)
		want = need + QEMU_OWN_FDS + 4 * (unsigned long)plan->n_slots;
	/* the descriptor itself must still fit below the limit when it is made */
	return want < facts->nofile_hard ? want : facts->nofile_hard - 1;
}

/* --- the whole ---------------------------------------------------------------------------------- */

int plan_rule_qemu(const struct desc *desc, const struct program *qemu, const struct facts *facts, struct diags *ds)
{
	const struct where *at = desc->qemu ? KEY(NULL, "qemu") : NULL;

	if (qemu->err == ENOENT || qemu->err == ENOTDIR) {
		(void)diag_add(ds, DIAG_QEMU_NOT_FOUND, qemu->err, at, qemu->path, "this is the QEMU to execute");
		diag_hint(ds, "install it (Debian: qemu-system-x86), or name another with \"qemu\" or QEMU_HANDOFF_QEMU");
		return -1;
	}
	if (qemu->err != 0)
		return diag_add(ds, DIAG_QEMU_NOT_EXECUTABLE, qemu->err, at, qemu->path, "this is the QEMU to execute");
	if (!qemu->regular || qemu->access_err != 0)
		return diag_add(ds, DIAG_QEMU_NOT_EXECUTABLE, qemu->access_err, at, qemu->path, "%s",
				qemu->regular ? "these ids may not execute it" : "not a regular file");
	if (facts->self_ino != 0 && qemu->ino == facts->self_ino && qemu->dev == facts->self_dev) {
		(void)diag_add(ds, DIAG_QEMU_IS_SHIM, 0, at, qemu->path, "is qemu-handoff itself");
		diag_hint(ds, "name the real QEMU with \"qemu\" or QEMU_HANDOFF_QEMU");
		return -1;
	}
	return 0;
}

/* Before Linux 6.4 a vhost worker stays in the cgroup in which QEMU started (measured on 6.1). */
static void warn_workers(const struct plan *plan, struct diags *ds)
{
	const struct facts *facts = plan->facts;

	if (plan->desc->n_cgroups > 0 || plan->desc->cgroup_fd >= 0)
		return;
	if (facts->kernel_major > 6 || (facts->kernel_major == 6 && facts->kernel_minor >= 4))
		return;
	for (unsigned i = 0; i < plan->desc->n_nics; i++) {
		if (!plan->nics[i].vhost)
			continue;
		(void)diag_add(ds, DIAG_WORKERS_CGROUP, 0, plan->nics[i].nic->at, NULL,
			       "on Linux %u.%u vhost workers stay in the cgroup that QEMU starts in, also when QEMU is moved",
			       facts->kernel_major, facts->kernel_minor);
		diag_hint(ds, "name the guest's cgroup with \"cgroup\"");
		return;
	}
}

/* Two NICs on one link would share its queues and its address. A bridge is made to be shared. */
static int rule_links(const struct plan *plan, struct diags *ds)
{
	int ret = 0;

	for (unsigned i = 0; i < plan->desc->n_nics; i++)
		for (unsigned j = 0; j < i; j++) {
			const struct nic *nic = plan->nics[i].nic;
			const struct link *a = &plan->nics[i].facts->link, *b = &plan->nics[j].facts->link;

			if (a->ifindex == 0 || a->ifindex != b->ifindex || nic->bridge)
				continue;
			ret |= diag_add(ds, DIAG_LINK_TWICE, 0, KEY(nic->at, nic->ifname ? "ifname" : "ifindex"), a->name,
					"nics[%u] has this link too", j);
		}
	return ret;
}

/* What a report would replace: a device or a pipe is not ours to remove. */
static int rule_report(const struct plan *plan, struct diags *ds)
{
	const struct spot *dir = &plan->facts->report_dir, *there = &plan->facts->report;
	const struct where *at = KEY(NULL, "report");
	const char *path = plan->desc->report_path;

	if (plan->desc->report_fd >= 0 && !plan->facts->report_open)
		return diag_add(ds, DIAG_REPORT_FD, 0, KEY(at, "fd"), NULL, "descriptor %d is not open", plan->desc->report_fd);
	if (!path)
		return 0;
	if (dir->err != 0 || dir->access_err != 0) {
		(void)diag_add(ds, DIAG_REPORT_PATH, dir->err ? dir->err : dir->access_err, at, path, "no file can be made in its directory");
		diag_hint(ds, "name a path in a directory that uid %u may write to", plan->facts->uid);
		return -1;
	}
	if (there->err == 0 && !there->right_kind) {
		(void)diag_add(ds, DIAG_REPORT_PATH, 0, at, path, "not a file, and a report takes the place of what is there");
		diag_hint(ds, "name a file, or open it and give its number: {\"fd\":N}");
		return -1;
	}
	return 0;
}

static int rule_nics(struct plan *plan, struct arena *mem, struct diags *ds)
{
	struct ruling ru = { .desc = plan->desc, .facts = plan->facts, .mem = mem, .ds = ds };
	int ret = 0;

	for (unsigned i = 0; i < plan->desc->n_nics; i++) {
		ru.nic = &plan->desc->nics[i];
		ru.nf = &plan->facts->nics[i];
		ru.plan = &plan->nics[i];
		ret |= rule_nic(&ru);
	}
	ret |= rule_links(plan, ds);
	if (plan->desc->cid != 0)
		ret |= rule_node(&ru, KEY(NULL, "vsock"), &plan->facts->vhost_vsock, MISC_MAJOR, VHOST_VSOCK_MINOR,
				 "modprobe vhost_vsock");
	return ret | rule_report(plan, ds);
}

/* What the caller and "args" say, against the plan; the plan's own words stand behind them. */
static int check_words(struct plan *plan, const struct cmdline *cmdline, struct arena *mem, struct diags *ds)
{
	const struct cmdline words = { .words = plan->argv + 1, .n = plan->desc->n_args + cmdline->n };

	return argv_numbers_check(plan, &words, mem, ds) | vhostuser_rules(plan, &words, ds) |
	       confine_rules(plan, cmdline, ds);
}

int plan_make(const struct desc *desc, const struct facts *facts, const struct cmdline *cmdline,
	      struct arena *mem, struct plan *ret, struct diags *ds)
{
	struct plan plan = { .desc = desc, .facts = facts, .qemu = facts->qemu.path };
	struct layout layout = { .facts = facts, .desc = desc, .plan = &plan };
	int bad;

	plan.nics = arena_array(mem, desc->n_nics, sizeof(*plan.nics));
	bad = rule_nics(&plan, mem, ds);
	bad |= plan_rule_qemu(desc, &facts->qemu, facts, ds);
	/* a count that broke a rule would only bring more problems of its own */
	if (bad == 0) {
		plan.slots = arena_array(mem, plan_slots_max(desc), sizeof(*plan.slots));
		lay_out(&layout, mem);
		bad |= check_layout(&plan, ds);
	}
	bad |= argv_make(&plan, cmdline, mem, ds);
	if (plan.argv)
		bad |= check_words(&plan, cmdline, mem, ds);
	if (bad != 0)
		return -1;
	plan.nofile = plan.confine.filter ? nofile_filter(&plan) : nofile_soft(&plan);
	if (plan.confine.filter && plan.nofile < nofile_needed(&plan))
		return nofile_short(&plan, ds);
	warn_workers(&plan, ds);
	*ret = plan;
	return 0;
}
