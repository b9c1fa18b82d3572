/*
 * plan.h - what a launch will do: the one source of argv, the opens, --plan and the report
 *
 * Pure: the same descriptor, facts and command line give the same plan.
 */
#ifndef QH_PLAN_PLAN_H
#define QH_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "desc/cmdline.h"
#include "desc/desc.h"
#include "base/diag.h"
#include "facts/facts.h"

/* What a descriptor carries. */
enum what {
	WHAT_MACVTAP,		/* /dev/tapN, one queue */
	WHAT_TAP,		/* /dev/net/tun attached to a persistent TAP, one queue */
	WHAT_BRIDGE,		/* a TAP that qemu-bridge-helper made and put into the bridge */
	WHAT_PASST,		/* our end of the socket pair whose other end passt has */
	WHAT_PASST_SOCKET,	/* O_PATH, the socket that passt listens on, which has no name any more */
	WHAT_VHOST_NET,
	WHAT_VHOST_VSOCK,
	WHAT_LIFELINE,		/* a pipe that is open as long as QEMU is there: passt's keeper waits for its end */
	WHAT__COUNT
};

/* One planned descriptor. */
struct slot {
	enum what what;
	unsigned nic, queue;		/* index of the NIC; both 0 for vsock */
	int fd;				/* the number QEMU sees */
	const char *path;		/* of the node; the program's for what a program hands us */
	const struct where *at;
};

struct nic_plan {
	const struct nic *nic;
	const struct nic_facts *facts;
	unsigned queues;		/* queue pairs */
	const char *queues_why;		/* NULL: as asked, or the plain default */
	bool vhost;
	const char *vhost_why;		/* why it is not what was asked; NULL: it is */
	bool by_qemu;			/* QEMU opens the backend itself */
	bool has_mac;
	struct mac mac;
	const int *fds, *vhostfds;	/* queues numbers each; NULL: none */
	char **passt;			/* words passt is started with, NULL-terminated; NULL: it is not */
	int lifeline;			/* -1: none */
	const char *chardev_id;		/* of vhost-user; NULL: none */
	const char *chardev, *netdev, *device;	/* values of the options; NULL: not emitted */
};

/* What QEMU will not be able to do. */
struct confine_plan {
	bool filter;			/* a seccomp filter, and one exec */
	bool take_ids;
	bool landlock;
	const char *landlock_why;	/* why it is off although it was preferred */
	bool no_new_privs;
};

struct plan {
	const struct desc *desc;
	const struct facts *facts;
	const char *qemu;		/* path */
	struct nic_plan *nics;		/* as many as the descriptor has */
	struct slot *slots;		/* in the order of numbers handed out */
	unsigned n_slots;
	int vsock_fd;			/* -1: no vsock */
	struct confine_plan confine;
	/* RLIMIT_NOFILE to give QEMU: under a filter soft and hard, and the number QEMU is executed by;
	   else the soft limit, 0 when it is enough as it is */
	unsigned long nofile;
	char **argv;			/* NULL-terminated, what QEMU gets */
	unsigned argc;
};

/* Most descriptors a launch by this descriptor can need: how many free numbers the facts must hold. */
unsigned plan_slots_max(const struct desc *desc);
/* Queue pairs of a NIC that did not ask, before host and vhost have their say. */
unsigned plan_default_queues(const struct desc *desc);
/*
 * Decide. *ret is written only on success and lives in mem. Every rule is tried, so that all problems
 * are listed. 0, or -1 with at least one error in ds.
 */
int plan_make(const struct desc *desc, const struct facts *facts, const struct cmdline *cmdline,
	      struct arena *mem, struct plan *ret, struct diags *ds);

/* Is the file a program these ids may execute, and not this one? Of facts only self_dev and self_ino are used. */
int plan_rule_qemu(const struct desc *desc, const struct program *qemu, const struct facts *facts, struct diags *ds);

const char *what_name(enum what what);

#endif
