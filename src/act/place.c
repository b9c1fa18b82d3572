/*
 * place.c - give the opened descriptors the numbers that QEMU is to see
 *
 * A planned number is free or held by another slot: the caller had it closed when it was planned,
 * and everything else that this process opens in between is closed by now. So those that hold a
 * number of another slot move away first, and after that no dup3() can replace a descriptor that is
 * still needed, whatever numbers the caller left open.
 *
 * Does:   make exactly the planned numbers inheritable.
 * Never:  opens a device, or drops the last descriptor of one (a macvtap would wait for RCU).
 */
#include "config.h"

#include "act/place.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int failed(const struct slot *slot, int err, const char *call, struct diags *ds)
{
	return diag_add(ds, DIAG_CALL_FAILED, err, slot->at, slot->path, "%s to descriptor %d",
			call, slot->fd);
}

static bool is_planned(const struct plan *plan, int fd)
{
	for (unsigned i = 0; i < plan->n_slots; i++)
		if (plan->slots[i].fd == fd)
			return true;
	return false;
}

/* A copy of fd at a number that no slot is to have, or -1 with errno. */
static int copy_aside(const struct plan *plan, int fd)
{
	int from = STDERR_FILENO + 1;

	for (;;) {
		const int copy = fcntl(fd, F_DUPFD_CLOEXEC, from);

		if (copy < 0 || !is_planned(plan, copy))
			return copy;
		(void)close(copy);
		from = copy + 1;
	}
}

/* Move fd out of the way if it holds the number of another slot. */
static int step_aside(const struct plan *plan, const struct slot *slot, int *fd, struct diags *ds)
{
	int copy;

	if (*fd == slot->fd || !is_planned(plan, *fd))
		return 0;
	copy = copy_aside(plan, *fd);
	if (copy < 0)
		return failed(slot, errno, "F_DUPFD_CLOEXEC", ds);
	(void)close(*fd);
	*fd = copy;
	return 0;
}

static int place(const struct slot *slot, int *fd, struct diags *ds)
{
	if (*fd == slot->fd)
		return fcntl(*fd, F_SETFD, 0) < 0 ? failed(slot, errno, "F_SETFD", ds) : 0;
	if (dup3(*fd, slot->fd, 0) < 0)
		return failed(slot, errno, "dup3", ds);
	(void)close(*fd);
	*fd = slot->fd;
	return 0;
}

int place_slots(const struct plan *plan, struct opened *opened, struct diags *ds)
{
	for (unsigned i = 0; i < plan->n_slots; i++)
		if (step_aside(plan, &plan->slots[i], &opened->fds[i], ds) < 0)
			return -1;
	for (unsigned i = 0; i < plan->n_slots; i++)
		if (place(&plan->slots[i], &opened->fds[i], ds) < 0)
			return -1;
	return 0;
}
