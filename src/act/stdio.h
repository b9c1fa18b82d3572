/* stdio.h - standard streams, and descriptors that were handed to us and not to QEMU */
#ifndef QH_ACT_STDIO_H
#define QH_ACT_STDIO_H

#include "plan/plan.h"

/*
 * Open what is closed of 0, 1 and 2 on /dev/null, before anything else could land there. Bit i of
 * the result: descriptor i was closed. -1: even that failed, errno says why.
 */
int stdio_open(void);
/* Standard input as the descriptor asks for. 0, or -1 after a diag. */
int stdio_input(const struct plan *plan, struct diags *ds);
/*
 * Where the launch descriptor was read from the open descriptor `fd` and stays open for QEMU: a
 * file
 * or a named pipe that is open for writing too is opened again for reading only, at the same number
 * and place. Else QEMU could write what the next launch reads. fd -1: nothing to do. 0, or -1 after
 * a diag.
 */
int stdio_read_only(int fd, struct diags *ds);
/*
 * The descriptors of cgroup.fd and report.fd close when QEMU starts: an open cgroup.procs would let
 * it leave its cgroup. 0, or -1 after a diag.
 */
int stdio_close_ours(const struct plan *plan, struct diags *ds);

#endif
