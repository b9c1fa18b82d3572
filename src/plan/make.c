/*
 * make.c - decide what a launch will do
 *
 * First each NIC by the rules of its mode, then one layout of descriptor numbers for all, then the
 * words. A stage that finds problems continues, so that all are listed; a stage that depends on a
 * failed one is skipped.
 */
#include "config.h"

#include "plan/make.h"

#include "mode/table.h"

#include "plan/address.h"
#include "plan/argv_numbers.h"
#include "plan/capabilities.h"
#include "plan/confine.h"
#include "plan/files.h"
#include "plan/layout.h"
#include "plan/limits.h"
#include "plan/nic.h"
#include "plan/terminal.h"
#include "plan/vhostuser.h"
#include "plan/words.h"

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
			       "on Linux %u.%u vhost workers stay in the cgroup in which QEMU "
			       "starts, even if QEMU is moved",
			       facts->kernel_major, facts->kernel_minor);
		diag_hint(ds, "set \"cgroup\" to the guest's cgroup");
		return;
	}
}

/* What QEMU needs for them is unknown here. */
static void warn_unread(const struct plan *plan, struct diags *ds)
{
	for (unsigned i = 0; i < plan->desc->n_configs; i++) {
		const struct config_file *file = &plan->desc->configs[i];

		if (file->text)
			continue;
		(void)diag_add(ds, DIAG_ARGV_UNREAD, file->err, NULL, file->path,
			       "not read, so what it has of QEMU's options is not judged");
		diag_hint(ds, "name a regular file of at most %d KiB that these ids can read, or "
			      "write its options as words", READCONFIG_MAX / 1024);
	}
}

/*
 * The processors that the descriptor counts with, against those that QEMU will make. A file of
 * -readconfig may hold others.
 */
static void warn_vcpus(const struct plan *plan, struct diags *ds)
{
	const unsigned vcpus = plan->desc->vcpus, cpus = plan->desc->guest.cpus;

	if (vcpus == 0 || cpus == 0 || vcpus == cpus || plan->desc->guest.readconfig)
		return;
	(void)diag_add(ds, DIAG_VCPUS_DIFFER, 0, KEY(NULL, "vcpus"), "argv",
		       "-smp makes %u processors, and \"vcpus\" is %u", cpus, vcpus);
	diag_hint(ds, "leave \"vcpus\" out: the number is then that of -smp");
}

/* Two NICs on one link would share its queues and its address. Bridges are made for sharing. */
static int rule_links(const struct plan *plan, struct diags *ds)
{
	int ret = 0;

	for (unsigned i = 0; i < plan->desc->n_nics; i++)
		for (unsigned j = 0; j < i; j++) {
			const struct nic *nic = plan->nics[i].nic;
			const struct link *a = &plan->nics[i].facts->link,
					  *b = &plan->nics[j].facts->link;

			if (a->ifindex == 0 || a->ifindex != b->ifindex || nic->bridge ||
			    (nic->shared && plan->nics[j].nic->shared))
				continue;
			ret |= diag_add(ds, DIAG_LINK_TWICE, 0,
					KEY(nic->at, nic->netdev   ? "netdev"
							: nic->ifname ? "ifname"
								      : "ifindex"), a->name,
					"nics[%u] also has this link", j);
		}
	return ret;
}

static int rule_nics(struct plan *plan, struct arena *mem, struct diags *ds)
{
	struct nic_case c = { .desc = plan->desc, .facts = plan->facts, .mem = mem, .ds = ds };
	static const struct device_number vsock = { MISC_MAJOR, VHOST_VSOCK_MINOR };
	int ret = 0;

	for (unsigned i = 0; i < plan->desc->n_nics; i++) {
		c.nic = &plan->desc->nics[i];
		c.row = mode_row(c.nic->mode);
		c.nf = &plan->facts->nics[i];
		c.plan = &plan->nics[i];
		ret |= nic_decide(&c);
	}
	ret |= rule_links(plan, ds) | address_rule(plan->nics, plan->desc->n_nics, ds);
	if (plan->desc->cid != 0)
		ret |= node_check(plan->facts, KEY(NULL, "vsock"), &plan->facts->vhost_vsock, vsock,
				  "modprobe vhost_vsock", ds);
	return ret | rule_own(plan, ds) | rule_report(plan, ds);
}

int plan_make(const struct desc *desc, const struct facts *facts, const struct cmdline *cmdline,
	      struct arena *mem, struct plan *ret, struct diags *ds)
{
	struct plan plan = { .desc = desc, .facts = facts, .qemu = facts->qemu.path };
	int bad;

	plan.nics = arena_array(mem, desc->n_nics, sizeof(*plan.nics));
	bad = rule_nics(&plan, mem, ds);
	bad |= rule_qemu(desc, &facts->qemu, facts, ds);
	/* a count that broke a rule would only cause follow-up problems */
	if (bad == 0)
		bad |= layout_make(&plan, mem, ds);
	bad |= words_make(&plan, cmdline, mem, ds);
	if (plan.argv)
		bad |= argv_numbers_check(&plan, ds) | vhostuser_rules(&plan, ds) |
		       confine_rules(&plan, ds) | capabilities_decide(&plan, mem, ds) |
		       terminal_decide(&plan, ds);
	if (bad != 0)
		return -1;
	plan.nofile = limits_nofile(&plan);
	if (plan.confine.filter && plan.nofile < limits_nofile_needed(&plan))
		return layout_nofile_short(&plan, ds);
	warn_workers(&plan, ds);
	warn_unread(&plan, ds);
	warn_vcpus(&plan, ds);
	capabilities_warn(&plan, ds);
	*ret = plan;
	return 0;
}
