/* plug.h - NICs into a QEMU that runs: descriptors, netdev, device, and back if that fails */
#ifndef QH_CTL_PLUG_H
#define QH_CTL_PLUG_H

#include "ctl/qmp.h"
#include "plan/plan.h"

/* A NIC, and how far it is in QEMU. */
struct plug {
	const struct nic_plan *np;
	const char *bus;		/* of the device; NULL: QEMU's, or the descriptor's */
	unsigned sent;			/* descriptors that QEMU has by a name */
	bool netdev, device;		/* QEMU has it */
	bool failed;			/* netdev_add was refused: names may be used up */
};

/* A command of QMP, one line of text, in the arena. */
const char *plug_netdev(struct ctl *ctl, const struct plug *plug);
const char *plug_device(struct ctl *ctl, const struct plug *plug); /* NULL: it has none */
/*
 * All of them, or none: what was done is undone if a step fails, as far as QEMU does it, and a diag
 * says what is left. plan and fds: where their descriptors are. 0, or -1 after a diag.
 */
int plug_all(struct qmp *qmp, struct plug *plugs, unsigned n, const struct plan *plan,
	     const int *fds);

#endif
