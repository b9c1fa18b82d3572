/*
 * readback.h - before QEMU starts, the kernel is asked whether this process is confined as planned
 */
#ifndef QH_ACT_READBACK_H
#define QH_ACT_READBACK_H

#include "plan/plan.h"

/* What must be opened and known before a filter is in force. */
struct readback {
	bool wanted; /* the plan confines something */
	/* of /proc/self/status; -1: it is closed to this process, and calls tell most of it */
	int fd;
};

/* Before the ids are taken: what QEMU runs as may not be able to open it. */
void readback_open(const struct plan *plan, struct readback *ret);
/*
 * Ids and capability sets, when they are taken, and the filter that protects the terminal by
 * itself.
 * 0, or -1 after a diag that names what differs.
 */
int readback_ids(const struct plan *plan, const struct readback *rb, struct diags *ds);
/*
 * no_new_privs and the number of filters, when the filter is in force. Not asked without /proc, and
 * not under a program of the caller's, which may deny the read. 0, or -1 after a diag.
 */
int readback_lock(const struct plan *plan, const struct readback *rb, struct diags *ds);

#endif
