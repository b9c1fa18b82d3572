/*
 * mode.h - one row for each mode: its keys, the facts it needs, its rules, what it opens, its
 * words. Pure.
 *
 * A new mode is one file with one row, and one line in desc/modes.def. Nothing outside this folder
 * tests for a mode: every difference is a member of the row.
 */
#ifndef QH_MODE_MODE_H
#define QH_MODE_MODE_H

#include "base/keyval.h"
#include "desc/descriptor.h"
#include "facts/facts.h"
#include "facts/node.h"

/* What a descriptor of the plan is, and its name in plan and report. */
#define SLOT_KINDS(X) \
	X(MACVTAP,	"macvtap")	/* /dev/tapN, one queue */ \
	X(TAP,		"tap")		/* /dev/net/tun attached to a persistent TAP, one queue */ \
	X(BRIDGE,	"bridge")	/* a TAP that qemu-bridge-helper created in the bridge */ \
	X(PASST,	"passt")	/* our end of the socket pair with passt */ \
	X(PASST_SOCKET,	"vhost-user")	/* O_PATH, the socket that passt listens on */ \
	X(VHOST_NET,	"vhost-net") \
	X(VHOST_VSOCK,	"vhost-vsock") \
	X(VHOST_VDPA,	"vhost-vdpa")	/* /dev/vhost-vdpa-N, all queue pairs */ \
	X(LIFELINE,	"lifeline")	/* a pipe whose end tells passt's keeper to end */
enum slot_kind {
#define X(id, name) SLOT_##id,
	SLOT_KINDS(X)
#undef X
};
const char *slot_kind_name(enum slot_kind kind);

/* How a descriptor is obtained. */
enum slot_way {
	WAY_OPEN,		/* open path, which must be the device `dev` */
	WAY_ATTACH,		/* the same, then TUNSETIFF to attach to the link */
	WAY_HELPER,		/* qemu-bridge-helper sends it; it must be the device `dev` */
	WAY_PASST,		/* from starting passt; not a device */
};

/*
 * The lock that tells other launches of a link in use: on its first queue, for as long as that is
 * open.
 */
enum slot_lock { SLOT_UNLOCKED, SLOT_LOCKED, SLOT_LOCK_SHARED };

/*
 * One planned descriptor. The mode fills in everything except the NIC, the queue, the number and
 * the place.
 */
struct slot {
	enum slot_kind kind;
	enum slot_way way;
	const char *path;		/* of the node; of the program that sends it to us */
	struct device_number dev;
	const struct link *link; /* that its queue must belong to; NULL: not checked */
	enum slot_lock lock;
	unsigned nic, queue;		/* index of the NIC; both 0 for vsock */
	int fd;				/* the number that QEMU sees */
	const struct where *at;
};

/* Where a backend listens on the host for the guest. */
struct listen {
	bool udp;
	const char *address;		/* as given; NULL: all of the host's */
	const char *link;		/* on this link only; NULL: on any */
	const char *ports;		/* "2222", "80-89", "all" */
	unsigned first, last;		/* the same as numbers; 0: not known */
};

struct nic_plan {
	const struct nic *nic;
	const struct nic_facts *facts;
	unsigned queues;		/* queue pairs */
	const char *queues_why;		/* NULL: as asked, or the plain default */
	bool vhost;
	const char *vhost_why;		/* why it is not as asked; NULL: it is */
	bool by_qemu;			/* QEMU opens the backend itself */
	bool unread;			/* what the backend does is in a text that is not parsed */
	bool queues_unknown;		/* how many the backend has is known to it alone */
	bool long_tx_queue;		/* tx_queue_size may exceed 256 */
	bool shares_memory;		/* the backend maps the guest's memory (vhost-user) */
	bool has_mac;
	struct mac mac;
	const char *mac_from;		/* where the address comes from; NULL: QEMU chooses it */
	const int *fds, *vhostfds;	/* numbers; NULL: none */
	unsigned n_fds; /* of fds: one per queue pair, or one for all; vhostfds: queues */
	char **passt;   /* the words to start passt with, NULL-terminated; NULL: not started */
	/* the files that these words make it create in its working directory; NULL: none */
	const char *passt_socket, *passt_pid;
	const struct listen *listens;
	unsigned n_listens;
	int lifeline;			/* -1: none */
	const char *chardev_id;		/* of vhost-user; NULL: none */
	struct keyvals chardev_words, netdev_words, device_words;
	const char *replaces;		/* the word of argv that netdev replaces; NULL: none */
	const char *chardev, *netdev, *device;	/* the same as option texts; NULL: not emitted */
};

struct mode_row;

/* The input of the rules for one NIC. */
struct nic_case {
	const struct mode_row *row;	/* of the NIC's mode */
	const struct desc *desc;
	const struct facts *facts;
	const struct nic *nic;
	const struct nic_facts *nf;
	struct nic_plan *plan;
	struct arena *mem;
	struct diags *ds;
};

/* Facts that must be gathered for a NIC of this mode. */
enum {
	NEEDS_LINK	= 1 << 0,
	NEEDS_SYSFS	= 1 << 1,	/* what sysfs shows of the link */
	NEEDS_TUN	= 1 << 2,	/* /dev/net/tun */
	NEEDS_VHOST_NET	= 1 << 3,
	NEEDS_HELPER	= 1 << 4,
	NEEDS_PASST	= 1 << 5,	/* unless QEMU starts it */
	NEEDS_VERSION	= 1 << 6,	/* of QEMU */
};

struct mode_row {
	struct mode_syntax syntax;
	unsigned needs;
	/* What one NIC needs besides; NULL: nothing. */
	unsigned (*needs_also)(const struct nic *nic);
	/* The node and the socket to examine; NULL: none. The link is already known. */
	const char *(*node)(const struct nic *nic, const struct link *link, struct arena *mem);
	const char *(*socket)(const struct nic *nic);

	bool has_vhost;
	bool by_qemu;			/* QEMU always opens the backend itself */
	bool one_queue;			/* it supports one queue pair, whatever is asked */
	bool default_one;		/* a NIC that does not ask gets one queue pair */
	bool own_mac;			/* the backend has the guest's address: none is derived */
	bool shared_segment;		/* other guests see the address */
	bool long_tx_queue;		/* tx_queue_size may exceed 256 */
	bool one_fd;			/* one descriptor serves all queue pairs */
	bool setuid_helper;		/* if QEMU opens it, QEMU runs a set-uid helper */

	/* Check the NIC against the host: 0, or -1 after a diag. NULL: nothing to check. */
	int (*check)(const struct nic_case *c);
	/*
	 * Queue pairs that the link was created with; only called after check() has passed. NULL:
	 * any number.
	 */
	unsigned (*link_queues)(const struct nic_facts *nf);
	/* More than these were asked for, at that place: an error, or a warning and 0. */
	int (*more_than_link)(const struct nic_case *c, const struct where *at,
			      unsigned link_queues);
	/* Of one_queue: what serves more, as a hint. NULL: nothing. */
	const char *(*many_queues)(const struct nic_case *c);
	/* Rules that need the number of queue pairs and vhost to be decided. NULL: none. */
	int (*check_counted)(const struct nic_case *c);

	/* What one descriptor is, and how it is obtained. NULL: this mode hands over none. */
	void (*slot)(const struct nic_plan *np, struct slot *ret);
	void (*netdev)(struct keyvals *kv, const struct nic_plan *np);
	/* The chardev that the netdev uses, if the plan has an id for one. NULL: never. */
	void (*chardev)(struct keyvals *kv, const struct nic_plan *np);
};

#define MODE(id, row, name) extern const struct mode_row mode_##row;
#include "desc/modes.def"
#undef MODE

#endif
