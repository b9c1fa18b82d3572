/* target.h - what a QEMU says of its guest before a NIC is added, by QMP */
#ifndef QH_CTL_TARGET_H
#define QH_CTL_TARGET_H

#include "ctl/qmp.h"

/* A PCI port that takes one device while the guest runs. */
struct port {
	const char *id;			/* also the name of its bus */
	bool busy;			/* it has a device, or is promised to one */
};

struct target {
	const char *machine;		/* "pc-q35-7.2" */
	const char *name, *uuid;	/* NULL: the guest has none */
	unsigned cpus;
	bool needs_port;		/* the machine's root bus takes no device while it runs */
	const char **netdevs, **devices; /* ids, each list ended by NULL */
	struct port *ports;
	unsigned n_ports;
};

/* 0, or -1 after a diag. *ret lives in the arena of qmp->ctl. */
int target_ask(struct qmp *qmp, struct target *ret);
bool target_has(const char *const *ids, const char *id);
/*
 * The port of that id, or with NULL the first by its id that is free; NULL: there is
 * none.
 */
struct port *target_port(struct target *target, const char *id);

#endif
