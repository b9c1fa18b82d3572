/*
 * argv_nics.h - NICs whose netdev and device the caller's argv holds already ("netdev": "argv").
 * Pure.
 */
#ifndef QH_DESC_ARGV_NICS_H
#define QH_DESC_ARGV_NICS_H

#include "desc/cmdline.h"
#include "desc/descriptor.h"

/*
 * Reads "args" and the command line into desc->words, for this and all later rules. For each such
 * NIC, read its -netdev and -device out of the command line, check that they agree with the
 * descriptor and with one another, and take over what they say: numbers, vhost, MAC, driver. Also
 * refuses words of the command line that would take a netdev's id away from us. 0, or -1 after a
 * diag.
 */
int argv_nics_settle(struct desc *desc, const struct cmdline *cmdline, struct arena *mem,
		     struct diags *ds);

#endif
