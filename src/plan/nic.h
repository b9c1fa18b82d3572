/* nic.h - what one NIC gets: queue pairs and vhost, by the rules of its mode. Pure. */
#ifndef QH_PLAN_NIC_H
#define QH_PLAN_NIC_H

#include "mode/mode.h"

/* Default number of queue pairs of a NIC, before host and vhost are considered. */
unsigned nic_queues_default(const struct desc *desc);
/*
 * Queue pairs that a NIC asks for, by a number or by listing descriptors for them; 0: it does not.
 */
unsigned nic_queues_asked(const struct nic *nic);
/* Fill in *c->plan, except for numbers and words. 0, or -1 after a diag. */
int nic_decide(const struct nic_case *c);

#endif
