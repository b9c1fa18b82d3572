/* netopts.h - "options" of the modes whose options are a known list: passt and vhost-user. Pure. */
#ifndef QH_DESC_NETOPTS_H
#define QH_DESC_NETOPTS_H

#include "desc/desc.h"

/*
 * Check the options of a NIC: known, of the right type, not able to be something else than a value.
 * Nothing to do for other modes. 0, or -1 with problems in ds.
 */
int netopts_check(const struct nic *nic, struct diags *ds);
/* The value of an option that is no list; NULL when it was not given. */
const char *netopts_get(const struct nic *nic, const char *key);

/* The numbers and names that passt is started with, the same for every launch. */
#define PASST_FD	3		/* its end of the socket pair, in stream mode */
#define PASST_SOCKET	"passt.sock"	/* in its working directory, in vhost-user mode */
#define PASST_PID	"passt.pid"

/*
 * passt's command line for a NIC, NULL-terminated, as QEMU's own backend would make it (net/passt.c of
 * QEMU 10.1), but each value in one word with its option: no value can be taken for an option.
 */
char **netopts_passt(const struct nic *nic, const char *program, struct arena *mem);
/* The options as properties of QEMU's own backend: ",mtu=1500,...". */
void netopts_native(struct str *s, const struct nic *nic);

#endif
