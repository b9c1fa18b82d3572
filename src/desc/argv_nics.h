/*
 * argv_nics.h - NICs whose netdev and device the caller's argv already has ("netdev": "argv").
 * Pure.
 */
#ifndef QH_DESC_ARGV_NICS_H
#define QH_DESC_ARGV_NICS_H

#include "desc/cmdline.h"
#include "desc/descriptor.h"

/*
 * Read "args" and the command line into desc->words, for this and all later rules. For each such
 * NIC, find its -netdev and -device, check that they agree with the descriptor and with each other,
 * and copy what they say: numbers, vhost, MAC, driver. Also refuse a netdev on the command line
 * that has the id of a NIC we add. 0, or -1 after a diag.
 */
int argv_nics_read(struct desc *desc, const struct cmdline *cmdline, struct arena *mem,
		     struct diags *ds);

#endif
