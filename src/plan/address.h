/* address.h - the Ethernet address of a NIC that was given none: the same on every host. Pure. */
#ifndef QH_PLAN_ADDRESS_H
#define QH_PLAN_ADDRESS_H

#include "mode/mode.h"

/* Fill in mac, has_mac and mac_from of *c->plan if the mode has not. */
void address_decide(const struct nic_case *c);
/* No two NICs may have the same address: 0, or -1 after a diag. */
int address_rule(const struct nic_plan *nics, unsigned n, struct diags *ds);

#endif
