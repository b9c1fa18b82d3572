/*
 * process.h - examine this process: its ids, limits and descriptors, its file, and the running
 * kernel
 */
#ifndef QH_LOOK_PROCESS_H
#define QH_LOOK_PROCESS_H

#include "base/diag.h"
#include "desc/descriptor.h"
#include "facts/facts.h"

bool process_fd_open(int fd);
/*
 * Which numbers are free, and whether the pinned ones and those of QEMU's words are open. Before
 * anything of ours is open.
 */
void process_numbers(const struct desc *desc, struct arena *mem, struct facts *ret);
/* Which file this program is. */
void process_self(struct facts *ret);
/* Ids, limits, kernel, and process_self(). 0, or -1 after a diag. */
int process_probe(struct arena *mem, struct facts *ret, struct diags *ds);
/*
 * Refuse to run with more privilege than the caller has: set-id bits, or ids that differ. 0, or -1
 * after a diag.
 */
int process_refuse_set_id(struct diags *ds);

#endif
