/* open.h - open what the plan says, and verify that it is the right thing; place.h comes after */
#ifndef QH_ACT_OPEN_H
#define QH_ACT_OPEN_H

#include "base/mem.h"
#include "plan/plan.h"

/*
 * The descriptors of a plan's slots, whatever numbers they have. All are close-on-exec, so they may
 * be placed for QEMU, sent over a socket, or dropped by ending the process.
 */
struct opened {
	int *fds; /* as many and in the order of plan->slots; -1: not open */
	int *passt_pids; /* of the passt of each NIC; 0: there is none, or it is not known */
};

/* None is open yet. ret->fds lives in mem. */
void opened_make(const struct plan *plan, struct arena *mem, struct opened *ret);

/*
 * Where the plan only prefers vhost, open its first descriptor before anything else is open:
 * whether that is possible decides the plan. OPEN_OTHERWISE: *ret_err says why not; nothing is
 * open, make another plan. OPEN_FAILED: a diag says what was opened in its place.
 */
enum open_result { OPEN_DONE, OPEN_FAILED, OPEN_OTHERWISE };
enum open_result open_preferred(const struct plan *plan, struct opened *opened, struct diags *ds,
				int *ret_err);
/*
 * Open and verify every slot that is not open yet, but those that a helper or passt makes. 0, or -1
 * after a diag; what is open then closes when the process ends.
 */
int open_slots(const struct plan *plan, struct opened *opened, struct diags *ds);

/* Take a descriptor that is no device for a slot. It belongs to opened from here on. */
void open_give(const struct plan *plan, const struct slot *slot, int fd, struct opened *opened);
/*
 * Take a device that came from elsewhere for a slot, if it is the device that the slot names. 0, or
 * -1 after a diag, and fd is closed.
 */
int open_adopt(const struct plan *plan, const struct slot *slot, int fd, struct opened *opened,
	       struct diags *ds);

#endif
