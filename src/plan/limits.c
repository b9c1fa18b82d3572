/* limits.c - the RLIMIT_NOFILE that a launch gives QEMU */
#include "config.h"

#include "plan/limits.h"

unsigned long limits_nofile_needed(const struct plan *plan)
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
	const unsigned long need = limits_nofile_needed(plan), want = need + QEMU_OWN_FDS;

	if (need <= facts->nofile_soft)
		return 0;
	return want < facts->nofile_hard ? want : facts->nofile_hard;
}

/*
 * Under a filter the limit is also a descriptor number: QEMU is executed by a descriptor whose
 * number cannot be allocated again once soft and hard limit equal it. QEMU keeps the limit that it
 * had, within reason: the kernel's descriptor table grows to that number (8 bytes each), and each
 * queue costs QEMU a few descriptors.
 */
static unsigned long nofile_filter(const struct plan *plan)
{
	const struct facts *facts = plan->facts;
	const unsigned long need = limits_nofile_needed(plan);
	unsigned long want = facts->nofile_soft < NOFILE_CAP ? facts->nofile_soft : NOFILE_CAP;

	if (want < NOFILE_WANTED)
		want = NOFILE_WANTED;
	if (want < need + QEMU_OWN_FDS + 4 * (unsigned long)plan->n_slots)
		want = need + QEMU_OWN_FDS + 4 * (unsigned long)plan->n_slots;
	/* the descriptor must still fit below the limit when it is created */
	return want < facts->nofile_hard ? want : facts->nofile_hard - 1;
}

unsigned long limits_nofile(const struct plan *plan)
{
	return plan->confine.filter ? nofile_filter(plan) : nofile_soft(plan);
}
