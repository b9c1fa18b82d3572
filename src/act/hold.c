/*
 * hold.c - tell other launches that a link is in use
 *
 * The kernel lets any number of processes open a macvtap's node, and each gets a part of the
 * frames. A lock of flock(2) belongs to the open file: QEMU keeps it over the exec, and it is gone
 * when the last descriptor of the queue is closed, however QEMU ends.
 *
 * Never:  waits for a lock.
 */
#include "config.h"

#include "act/hold.h"

#include <errno.h>
#include <sys/file.h>

int hold_link(const struct slot *slot, int fd, struct diags *ds)
{
	const bool shared = slot->lock == SLOT_LOCK_SHARED;

	if (slot->lock == SLOT_UNLOCKED || flock(fd, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0)
		return 0;
	if (errno != EWOULDBLOCK)
		return diag_add(ds, DIAG_CALL_FAILED, errno, slot->at, slot->path, "flock");
	/* this launch shares the link, whatever the one that has the lock says */
	if (shared)
		return 0;
	(void)diag_add(ds, DIAG_LINK_BUSY, 0, slot->at, slot->link->name,
		       "the link is in use by another launch");
	diag_hint(ds, "give each guest a link of its own, or write \"shared\": true");
	return -1;
}
