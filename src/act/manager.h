/* manager.h - a manager that listens for QEMU's monitor, when QEMU does not run */
#ifndef QH_ACT_MANAGER_H
#define QH_ACT_MANAGER_H

#include "base/mem.h"
#include "desc/cmdline.h"

/*
 * Before a drop-in exits without QEMU: wait until the manager has connected to the monitor, where
 * the words hand over its listening socket. libvirt 9.0 shows our line only then; earlier, its
 * error is "Connection refused".
 */
void manager_wait(const struct cmdline *cmdline, struct arena *mem);

#endif
