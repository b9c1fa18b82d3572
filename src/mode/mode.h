/*
 * mode.h - one row for each mode: what it needs, what its rules are, what its -netdev value is
 *
 * A new mode is one file and one row. The rules are pure.
 */
#ifndef QH_MODE_MODE_H
#define QH_MODE_MODE_H

#include "plan/plan.h"

/* What the rules of one NIC work on. */
struct ruling {
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
	NEEDS_TAP_NODE	= 1 << 1,	/* /dev/tapN and sysfs */
	NEEDS_TUN	= 1 << 2,	/* /dev/net/tun */
	NEEDS_VHOST_NET	= 1 << 3,
	NEEDS_HELPER	= 1 << 4,
	NEEDS_PASST	= 1 << 5,	/* unless QEMU starts it */
	NEEDS_SOCKET	= 1 << 6,	/* options.path */
	NEEDS_VERSION	= 1 << 7,	/* of QEMU */
};

struct backend {
	unsigned needs;
	bool has_vhost;
	bool default_one;			/* a NIC that does not ask gets one queue pair */
	bool one_queue;				/* it serves one queue pair, whatever is asked */
	enum what what;				/* of its descriptors, unless QEMU opens the backend or a rule says otherwise */
	/* The host against the NIC: 0, or -1 after a diag. NULL: nothing to check. */
	int (*check)(const struct ruling *ru);
	/* Queue pairs that the link was made for; only called when check() passed. NULL: any number. */
	unsigned (*offers)(const struct nic_facts *nf);
	/* More than it offers was asked for, at that place: an error, or a warning that returns 0. */
	int (*over)(const struct ruling *ru, const struct where *at, unsigned offered);
	/* Rules that need the number of queue pairs and vhost to be settled. NULL: none. */
	int (*settle)(const struct ruling *ru);
	void (*netdev)(struct str *s, const struct nic_plan *plan);
	/* The chardev that the netdev uses, when the plan has an id for one. NULL: never. */
	void (*chardev)(struct str *s, const struct nic_plan *plan);
	/* The node of one slot; NULL: not a node. */
	const char *(*path)(const struct nic_facts *nf);
};

extern const struct backend backend_user, backend_bridge, backend_tap, backend_macvtap, backend_passt,
	backend_vhost_user, backend_custom;
const struct backend *backend_of(enum mode mode);

/* --- what the modes share ---------------------------------------------------------------------- */

/* The link exists, is what its name says, and is of one of the kinds (NULL-terminated). Warns when it is down. */
int rule_link(const struct ruling *ru, const char *key, const char *name, const char *const *kinds);
/* The node is there, is the character device it must be, and may be opened by these ids. */
int rule_node(const struct ruling *ru, const struct where *at, const struct node *node, unsigned major,
	      unsigned minor, const char *to_make);
/* The facts of "expect" hold. */
int rule_expect(const struct ruling *ru);
/* "fd=3,vhost=on,..." or "fds=3:4,...", the same for every mode whose descriptors we open. */
void netdev_fds(struct str *s, const struct nic_plan *plan);

/* The NIC's device is a virtio-net one, the only kind that vhost-user and several queue pairs work with. */
bool virtio_net(const struct nic *nic);
/* vhost-user has no other device than virtio-net. */
int rule_virtio_net(const struct ruling *ru);
/* The id of the chardev for it. */
const char *vhost_user_chardev(const struct ruling *ru);
/* QEMU is not older than that; not known is good enough. what: what it would lack. */
int rule_version(const struct ruling *ru, unsigned major, unsigned minor, const char *what);

/* Is gid the effective one, or one of the supplementary groups? */
bool facts_in_group(const struct facts *facts, unsigned gid);
/* Why a node cannot serve, as a text for messages; NULL when it can. */
const char *node_trouble(struct arena *mem, const struct node *node, unsigned major, unsigned minor);

/* What EPERM means, before the open and after it. Returns -1. */
int node_cgroup_denied(const char *path, const struct where *at, struct diags *ds);

/* Device numbers (Documentation/admin-guide/devices.txt of Linux). */
enum { MISC_MAJOR = 10, TUN_MINOR = 200, KVM_MINOR = 232, VHOST_NET_MINOR = 238, VHOST_VSOCK_MINOR = 241 };

#endif
