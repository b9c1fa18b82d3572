/* hold.h - tell other launches that a link is in use */
#ifndef QH_ACT_HOLD_H
#define QH_ACT_HOLD_H

#include "plan/plan.h"

/*
 * Lock the opened queue as the slot says. 0, or -1 after a diag where another launch has the link
 * and this one does not share it; fd stays open.
 */
int hold_link(const struct slot *slot, int fd, struct diags *ds);

#endif
