/*
 * node.c - a device node against what it must be
 */
#include "config.h"

#include "facts/node.h"

#include <errno.h>
#include <string.h>

const char *node_trouble(struct arena *mem, const struct node *node, struct device_number dev)
{
	if (node->err != 0)
		return arena_printf(mem, "%s: %s", node->path, strerrordesc_np(node->err));
	if (!node->is_chr)
		return arena_printf(mem, "%s: not a character device", node->path);
	if (node->major != dev.major || node->minor != dev.minor)
		return arena_printf(mem, "%s: is character device %u:%u, not %u:%u", node->path,
				    node->major, node->minor, dev.major, dev.minor);
	if (node->access_err != 0)
		return arena_printf(mem, "%s: %s", node->path, strerrordesc_np(node->access_err));
	return NULL;
}

bool facts_in_group(const struct facts *facts, unsigned gid)
{
	if (facts->gid == gid)
		return true;
	for (unsigned i = 0; i < facts->n_groups; i++)
		if (facts->groups[i] == gid)
			return true;
	return false;
}

/* By its mode alone. */
static bool mode_allows(const struct facts *facts, const struct node *node)
{
	const unsigned shift = node->uid == facts->uid            ? 6
			       : facts_in_group(facts, node->gid) ? 3
								  : 0;

	return (node->mode >> shift & 6) == 6;
}

int node_cgroup_denied(const char *path, const struct where *at, struct diags *ds)
{
	(void)diag_add(ds, DIAG_NODE_ACCESS, EPERM, at, path,
		       "the devices cgroup of this process denies it");
	diag_hint(ds, "allow the device, with DeviceAllow= of systemd or cgroup_device_acl in "
		      "libvirt's qemu.conf");
	return -1;
}

static int denied(const struct facts *facts, const struct where *at, const struct node *node,
		  struct diags *ds)
{
	/*
	 * access(2) asks the device controller too, and a node has no other EPERM (Linux,
	 * devcgroup_inode_permission())
	 */
	if (node->access_err == EPERM)
		return node_cgroup_denied(node->path, at, ds);
	(void)diag_add(ds, DIAG_NODE_ACCESS, node->access_err, at, node->path,
		       "mode %04o owner %u:%u, running as uid %u", node->mode, node->uid, node->gid,
		       facts->uid);
	diag_hint(ds, "%s",
		  mode_allows(facts, node) ? "allow the device in its access list (see getfacl), "
					     "or in SELinux or AppArmor"
					   : "give these ids read and write access to the device "
					     "node");
	return -1;
}

int node_check(const struct facts *facts, const struct where *at, const struct node *node,
	       struct device_number dev, const char *to_make, struct diags *ds)
{
	if (node->err != 0) {
		(void)diag_add(ds, DIAG_NODE_MISSING, node->err, at, node->path,
			       "character device %u:%u is needed here", dev.major, dev.minor);
		/*
		 * the second is the private /dev that libvirt gives QEMU: mknod on the host does
		 * not reach it
		 */
		diag_hint(ds,
			  "%s; where libvirt starts QEMU, list %s in cgroup_device_acl of "
			  "qemu.conf",
			  to_make, node->path);
		return -1;
	}
	if (!node->is_chr)
		return diag_add(ds, DIAG_NODE_NOT_DEVICE, 0, at, node->path,
				"not a character device, %u:%u is needed here", dev.major,
				dev.minor);
	if (node->major != dev.major || node->minor != dev.minor)
		return diag_add(ds, DIAG_NODE_WRONG_DEVICE, 0, at, node->path,
				"is character device %u:%u, %u:%u is needed here", node->major,
				node->minor, dev.major, dev.minor);
	return node->access_err != 0 ? denied(facts, at, node, ds) : 0;
}
