/* node.h - check that a device node is what it must be. Pure. */
#ifndef QH_FACTS_NODE_H
#define QH_FACTS_NODE_H

#include "base/diag.h"
#include "base/mem.h"
#include "facts/facts.h"

/* Device numbers (Documentation/admin-guide/devices.txt of Linux). */
enum {
	MISC_MAJOR = 10,
	TUN_MINOR = 200,
	KVM_MINOR = 232,
	VHOST_NET_MINOR = 238,
	VHOST_VSOCK_MINOR = 241
};

/* Why a node is unusable, as text for messages; NULL if it is usable. */
const char *node_trouble(struct arena *mem, const struct node *node, struct device_number dev);
/*
 * The node is there, is the character device it must be, and may be opened by these ids: 0, or -1
 * after a diag. to_load: what makes its driver known to the kernel; NULL: the driver is there.
 */
int node_check(const struct facts *facts, const struct where *at, const struct node *node,
	       struct device_number dev, const char *to_load, struct diags *ds);
/* The hint of the last diag: what helps against what the node lacks. None where that is unknown. */
void node_hint(const struct facts *facts, const struct node *node, struct device_number dev,
	       const char *to_load, struct diags *ds);
/* What EPERM means, for a check and for a failed open. Returns -1. */
int node_cgroup_denied(const struct around *around, const char *path, struct device_number dev,
		       const struct where *at, struct diags *ds);

/* Is gid the effective one, or one of the supplementary groups? */
bool facts_in_group(const struct facts *facts, unsigned gid);

#endif
