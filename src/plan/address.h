/* address.h - the Ethernet address of a NIC that nobody gave one: the same wherever the guest runs. Pure. */
#ifndef QH_PLAN_ADDRESS_H
#define QH_PLAN_ADDRESS_H

#include "mode/mode.h"

/* Fill in mac, has_mac and mac_from of *c->plan where the mode left that open. */
void address_decide(const struct nic_case *c);
/* No two NICs have one address: 0, or -1 after a diag. */
int address_rule(const struct nic_plan *nics, unsigned n, struct diags *ds);

#endif
