/* layout.c - which descriptor gets which number */
#include "config.h"

#include "plan/layout.h"

#include "plan/nic.h"
#include "mode/table.h"

unsigned layout_slots_max(const struct desc *desc)
{
	unsigned n = desc->cid != 0;

	for (unsigned i = 0; i < desc->n_nics; i++) {
		const struct nic *nic = &desc->nics[i];
		const unsigned asked = nic_queues_asked(nic),
			       queues = asked ? asked : nic_queues_default(desc);

		if (!nic->in_argv || nic->adopted)
			n += 2 * queues;           /* passt: a socket and a lifeline */
		n += nic->fds.n + nic->vhostfds.n; /* pinned numbers are taken from the others */
	}
	return n;
}

/* Hands out numbers: free ones in rising order, without the pinned ones. */
struct layout {
	const struct facts *facts;
	const struct desc *desc;
	unsigned next; /* in facts->free_fds */
	struct plan *plan;
	struct arena *mem;
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
	/* the facts have layout_slots_max() numbers, or fewer if the limit on numbers is reached */
	return l->next < l->facts->n_free ? l->facts->free_fds[l->next++] : -1;
}

static int add_slot(struct layout *l, struct slot slot, const struct pins *pins)
{
	slot.fd = pins && pins->n > 0 ? pins->list[slot.queue] : next_free(l);
	l->plan->slots[l->plan->n_slots++] = slot;
	return slot.fd;
}

static void add_nic(struct layout *l, unsigned index)
{
	struct nic_plan *np = &l->plan->nics[index];
	const struct mode_row *row = mode_row(np->nic->mode);
	int *fds;

	if (np->by_qemu || !row->slot)
		return;
	np->fds = fds = arena_array(l->mem, np->n_fds, sizeof(*fds));
	for (unsigned q = 0; q < np->n_fds; q++) {
		struct slot slot = { .nic = index, .queue = q, .at = np->nic->at };

		row->slot(np, &slot);
		fds[q] = add_slot(l, slot, &np->nic->fds);
	}
}

static void add_vhost(struct layout *l, unsigned index)
{
	struct nic_plan *np = &l->plan->nics[index];
	int *fds;

	if (!np->fds || !np->vhost)
		return;
	np->vhostfds = fds = arena_array(l->mem, np->queues, sizeof(*fds));
	for (unsigned q = 0; q < np->queues; q++)
		fds[q] = add_slot(l,
				  (struct slot){
					  .kind = SLOT_VHOST_NET,
					  .way = WAY_OPEN,
					  .path = l->facts->vhost_net.path,
					  .dev = { MISC_MAJOR, VHOST_NET_MINOR },
					  .nic = index,
					  .queue = q,
					  .at = np->nic->at,
				  },
				  &np->nic->vhostfds);
}

static void add_vsock(struct layout *l)
{
	l->plan->vsock_fd = -1;
	if (l->desc->cid != 0)
		l->plan->vsock_fd = add_slot(l,
					     (struct slot){
						     .kind = SLOT_VHOST_VSOCK,
						     .way = WAY_OPEN,
						     .path = l->facts->vhost_vsock.path,
						     .dev = { MISC_MAJOR, VHOST_VSOCK_MINOR },
						     .at = where_keep(l->mem, KEY(NULL, "vsock")),
					     },
					     NULL);
}

static void add_lifeline(struct layout *l, unsigned index)
{
	struct nic_plan *np = &l->plan->nics[index];

	if (np->fds && np->chardev_id)
		np->lifeline = add_slot(l,
					(struct slot){
						.kind = SLOT_LIFELINE,
						.way = WAY_PASST,
						.path = np->facts->passt.path,
						.nic = index,
						.at = np->nic->at,
					},
					NULL);
}

static int check_pin(const struct plan *plan, const struct nic *nic, const char *key,
		     const struct pins *pins, const bool *open, struct diags *ds)
{
	int ret = 0;

	for (unsigned i = 0; i < pins->n; i++) {
		const struct where *at = ITEM(KEY(nic->at, key), i);
		unsigned times = 0;

		for (unsigned s = 0; s < plan->n_slots; s++)
			times += plan->slots[s].fd == pins->list[i];
		if (times > 1)
			ret |= diag_add(ds, DIAG_PIN_TWICE, 0, at, NULL,
					"descriptor %d is planned twice", pins->list[i]);
		if (!open[i])
			continue;
		(void)diag_add(ds, DIAG_PIN_OPEN, 0, at, NULL,
			       "the caller already has descriptor %d open", pins->list[i]);
		diag_hint(ds, "close it before the launch, or ask for another number");
		ret = -1;
	}
	return ret;
}

int layout_nofile_short(const struct plan *plan, struct diags *ds)
{
	(void)diag_add(
		ds, DIAG_NOFILE_LIMIT, 0, plan->n_slots > 0 ? plan->slots[0].at : NULL, NULL,
		"%u descriptors are planned, from number %u on, and RLIMIT_NOFILE is %lu",
		plan->n_slots, plan->desc->fd_base, plan->facts->nofile_hard);
	diag_hint(ds, "raise the hard limit, with LimitNOFILE= or ulimit -n");
	return -1;
}

static int check_layout(const struct plan *plan, struct diags *ds)
{
	const struct facts *facts = plan->facts;
	int ret = 0;

	for (unsigned i = 0; i < plan->desc->n_nics; i++) {
		const struct nic *nic = plan->nics[i].nic;

		ret |= check_pin(plan, nic, "fds", &nic->fds, facts->nics[i].pin_open, ds);
		ret |= check_pin(plan, nic, "vhostfds", &nic->vhostfds,
				 facts->nics[i].vhost_pin_open, ds);
	}
	for (unsigned s = 0; s < plan->n_slots; s++)
		if (plan->slots[s].fd < 0 || (unsigned long)plan->slots[s].fd >= facts->nofile_hard)
			return layout_nofile_short(plan, ds);
	return ret;
}

int layout_make(struct plan *plan, struct arena *mem, struct diags *ds)
{
	struct layout l = { .facts = plan->facts, .desc = plan->desc, .plan = plan, .mem = mem };
	const unsigned n = plan->desc->n_nics;

	plan->slots = arena_array(mem, layout_slots_max(plan->desc), sizeof(*plan->slots));
	for (unsigned i = 0; i < n; i++)
		add_nic(&l, i);
	for (unsigned i = 0; i < n; i++)
		add_vhost(&l, i);
	add_vsock(&l);
	for (unsigned i = 0; i < n; i++)
		add_lifeline(&l, i);
	return check_layout(plan, ds);
}
