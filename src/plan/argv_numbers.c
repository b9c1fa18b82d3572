/*
 * argv_numbers.c - descriptor numbers that the caller's words use: one number, one use
 */
#include "config.h"

#include "plan/argv_numbers.h"

#include "desc/fd_uses.h"

struct uses {
	const struct plan *plan;
	struct diags *ds;
	/* by number: which use of desc->fd_uses is its first, plus one; 0: none */
	unsigned *first;
};

static int twice(const struct uses *u, const struct fd_use *use, const struct where *at,
		 const char *other)
{
	return diag_add(u->ds, DIAG_FD_TWICE, 0, use->at ? use->at : at, use->at ? NULL : "argv",
			"descriptor %d has two uses: %s, and %s", use->fd, use->what, other);
}

/*
 * -add-fd duplicates its descriptor and closes the original (QEMU's softmmu/vl.c, cleanup_add_fd),
 * so the netdev would find it closed.
 */
static int against_slot(const struct uses *u, const struct fd_use *use, const struct slot *slot)
{
	const struct nic *nic = u->plan->n_slots > 0 && slot->kind != SLOT_VHOST_VSOCK
					? u->plan->nics[slot->nic].nic
					: NULL;
	const char *planned = slot_kind_name(slot->kind);

	/* the numbers of that netdev are those that are planned */
	if (use->nic && use->nic == nic)
		return 0;
	if (use->duplicates)
		return diag_add(u->ds, DIAG_ARGV_ADD_FD, 0, slot->at, "argv",
				"-add-fd fd=%d: QEMU would close this descriptor before the NIC "
				"uses it",
				use->fd);
	return twice(u, use, slot->at,
		     nic ? arena_printf(u->ds->mem, "the plan for %s of %s", planned, nic->id)
			 : arena_printf(u->ds->mem, "the plan for %s", planned));
}

static int against_key(const struct uses *u, const struct fd_use *use, int fd, const char *key)
{
	return fd >= FD_MIN && fd == use->fd ? twice(u, use, KEY(NULL, key),
						     arena_printf(u->ds->mem, "\"%s\"", key))
					     : 0;
}

static int check_use(const struct uses *u, unsigned i)
{
	const struct plan *plan = u->plan;
	const struct fd_use *use = &plan->desc->fd_uses[i], *before;
	unsigned *first = &u->first[use->fd];
	int ret = 0;

	for (unsigned s = 0; s < plan->n_slots; s++)
		if (plan->slots[s].fd == use->fd)
			return against_slot(u, use, &plan->slots[s]);
	ret |= against_key(u, use, plan->desc->report_fd, "report") |
	       against_key(u, use, plan->desc->cgroup_fd, "cgroup");
	before = *first ? &plan->desc->fd_uses[*first - 1] : NULL;
	if (!before)
		*first = i + 1;
	else if (!use->duplicates || !before->duplicates) /* each -add-fd takes a copy */
		ret |= twice(u, use, before->at, before->what);
	if (ret == 0 && !use->nic && plan->facts->use_open && !plan->facts->use_open[i]) {
		(void)diag_add(u->ds, DIAG_FD_CLOSED, 0, use->at, use->at ? NULL : "argv",
			       "%s: descriptor %d is not open", use->what, use->fd);
		diag_hint(u->ds, "open it in the program that starts this one");
		ret = -1;
	}
	return ret;
}

int argv_numbers_check(const struct plan *plan, struct diags *ds)
{
	struct uses u = { .plan = plan, .ds = ds };
	int most = 0, ret = 0;

	for (unsigned i = 0; i < plan->desc->n_fd_uses; i++)
		if (plan->desc->fd_uses[i].fd > most)
			most = plan->desc->fd_uses[i].fd;
	u.first = arena_array(ds->mem, (size_t)most + 1, sizeof(*u.first));
	for (unsigned i = 0; i < plan->desc->n_fd_uses; i++)
		ret |= check_use(&u, i);
	return ret;
}
