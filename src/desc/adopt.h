/*
 * adopt.h - backends that QEMU would open by the words of argv, and that are opened for it: "nics":
 * "argv", or "netdev": "argv" of one NIC. Pure.
 */
#ifndef QH_DESC_ADOPT_H
#define QH_DESC_ADOPT_H

#include "desc/cmdline.h"
#include "desc/descriptor.h"

/*
 * "nics": "argv": make a NIC of each -netdev and -nic of desc->words whose backend one of the modes
 * opens, in the order of argv. From then on desc->words has these as words that take a descriptor.
 * Those that QEMU goes on opening itself are warned of. 0, or -1 after a diag.
 */
int adopt_nics(struct desc *desc, struct arena *mem, struct diags *ds);
/*
 * "netdev": "argv" of a NIC whose netdev has no descriptor numbers: do these words name the backend
 * that the NIC names? 0 with the NIC adopted, or -1 after a diag.
 */
int adopt_netdev(const struct desc *desc, struct nic *nic, struct qemu_arg *arg, struct arena *mem,
		 struct diags *ds);
/* Has a word of an adopted backend no place beside a descriptor (net/tap.c, net_init_tap)? */
bool adopt_replaces(const char *key);

#endif
