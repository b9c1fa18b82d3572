/* argv_user.h - "-runas" and "-run-with user=" become "user" of the descriptor. Pure. */
#ifndef QH_DESC_ARGV_USER_H
#define QH_DESC_ARGV_USER_H

#include "base/diag.h"
#include "desc/cmdline.h"
#include "desc/descriptor.h"

/*
 * Remove the words from *cmdline and desc->args, and put what they say into desc->user and
 * desc->group. QEMU itself would change its ids under the filter, which denies that, and until then
 * would keep privileges that the launch can drop at once. desc->taken lists the words. 0, or -1
 * after a diag.
 */
int argv_user_take(struct desc *desc, struct cmdline *cmdline, struct arena *mem, struct diags *ds);

#endif
