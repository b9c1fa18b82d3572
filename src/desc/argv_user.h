/* argv_user.h - "-runas" and "-run-with user=" become "user" of the descriptor. Pure. */
#ifndef QH_DESC_ARGV_USER_H
#define QH_DESC_ARGV_USER_H

#include "base/diag.h"
#include "desc/cmdline.h"
#include "desc/descriptor.h"

/*
 * Take the words out of *cmdline and of desc->args, and put what they say into desc->user and
 * desc->group. QEMU would change its ids under the filter, which denies it, and keep until then
 * what the launch can drop at once. desc->taken lists the words. 0, or -1 after a diag.
 */
int argv_user_take(struct desc *desc, struct cmdline *cmdline, struct arena *mem, struct diags *ds);

#endif
