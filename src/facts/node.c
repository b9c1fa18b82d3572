/* node.c - check that a device node is what it must be */
#include "config.h"

#include "facts/node.h"

#include <errno.h>
#include <string.h>

#include "facts/around.h"

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

/* --- what helps ------------------------------------------------------------------------------- */

static unsigned usual_mode(struct device_number dev)
{
	return dev.major == MISC_MAJOR && dev.minor == TUN_MINOR ? 0666 : 0600;
}

/* One line that makes the node, for these ids. */
static void hint_make(const struct facts *facts, const struct node *node, struct device_number dev,
		      struct diags *ds)
{
	const unsigned mode = usual_mode(dev);
	const char *path = diag_word(ds, node->path);
	const char *before = "", *after = "";

	if (node->err == 0)
		before = arena_printf(ds->mem, "rm %s && ", path);
	else if (strncmp(node->path, "/dev/net/", strlen("/dev/net/")) == 0)
		before = "mkdir -p /dev/net && ";
	if (facts->uid != 0 && mode != 0666)
		after = arena_printf(ds->mem, " && chown %u %s", facts->uid, path);
	diag_hint(ds, "%smknod -m %o %s c %u %u%s", before, mode, path, dev.major, dev.minor,
		  after);
}

static void hint_libvirt(const char *path, struct diags *ds)
{
	diag_hint(ds, "list %s in cgroup_device_acl of libvirt's qemu.conf", path);
}

static void hint_missing(const struct facts *facts, const struct node *node,
			 struct device_number dev, const char *to_load, struct diags *ds)
{
	const struct around *around = &facts->around;
	const bool registered = facts->misc && dev.major == MISC_MAJOR &&
				around_has_driver(facts->misc, dev.minor);

	if (node->err != ENOENT && node->err != ENOTDIR)
		return;
	if (around->own_dev && around->by == AROUND_LIBVIRT)
		hint_libvirt(node->path, ds);
	else if (around->own_dev && around->by == AROUND_CONTAINER && to_load)
		diag_hint(ds, "start the container with --device=%s", node->path);
	else if (around->own_dev && around->by == AROUND_UNIT)
		diag_hint(ds, "set PrivateDevices=no in the unit");
	else if (to_load && !registered)
		diag_hint(ds, "%s", to_load);
	else
		hint_make(facts, node, dev, ds);
}

/* Numbers of misc devices are fixed; a macvtap's node comes after the container. */
static void hint_container(const char *path, struct device_number dev, struct diags *ds)
{
	if (dev.major == MISC_MAJOR)
		diag_hint(ds, "start the container with --device=%s", path);
	else
		diag_hint(ds, "start the container with --device-cgroup-rule='c %u:* rw'",
			  dev.major);
}

static void hint_cgroup(const struct around *around, const char *path, struct device_number dev,
			struct diags *ds)
{
	switch (around->by) {
	case AROUND_LIBVIRT:
		hint_libvirt(path, ds);
		break;
	case AROUND_CONTAINER:
		hint_container(path, dev, ds);
		break;
	case AROUND_UNIT:
		diag_hint(ds, "add DeviceAllow=%s rw to the unit", path);
		break;
	case AROUND_NOTHING:
		diag_hint(ds, "allow %s in the devices cgroup of this process", path);
		break;
	}
}

/* A node that others use too stays its owner's. */
static void hint_denied(const struct facts *facts, const struct node *node,
			struct device_number dev, struct diags *ds)
{
	if (node->access_err == EPERM)
		hint_cgroup(&facts->around, node->path, dev, ds);
	else if (mode_allows(facts, node))
		diag_hint(ds, "allow the device in its access list (see getfacl), or in SELinux or "
			      "AppArmor");
	else if (usual_mode(dev) == 0666)
		diag_hint(ds, "chmod 666 %s", diag_word(ds, node->path));
	else if (dev.major == MISC_MAJOR)
		diag_hint(ds, "setfacl -m u:%u:rw %s", facts->uid,
			  diag_word(ds, node->path));
	else
		diag_hint(ds, "chown %u %s", facts->uid, diag_word(ds, node->path));
}

void node_hint(const struct facts *facts, const struct node *node, struct device_number dev,
	       const char *to_load, struct diags *ds)
{
	const bool wrong = node->major != dev.major || node->minor != dev.minor;
	const struct around *around = &facts->around;

	if (node->err != 0)
		hint_missing(facts, node, dev, to_load, ds);
	else if (!node->is_chr || (wrong && around->own_dev && around->by != AROUND_LIBVIRT))
		hint_make(facts, node, dev, ds);
	else if (!wrong && node->access_err != 0)
		hint_denied(facts, node, dev, ds);
}

/* --- the rule --------------------------------------------------------------------------------- */

int node_cgroup_denied(const struct around *around, const char *path, struct device_number dev,
		       const struct where *at, struct diags *ds)
{
	(void)diag_add(ds, DIAG_NODE_ACCESS, EPERM, at, path,
		       "the devices cgroup of this process denies access");
	hint_cgroup(around, path, dev, ds);
	return -1;
}

static void tell(const struct facts *facts, const struct where *at, const struct node *node,
		 struct device_number dev, struct diags *ds)
{
	if (node->err != 0 && dev.major == 0)	/* its number is known only once it exists */
		(void)diag_add(ds, DIAG_NODE_MISSING, node->err, at, node->path,
			       "must be a character device");
	else if (node->err != 0)
		(void)diag_add(ds, DIAG_NODE_MISSING, node->err, at, node->path,
			       "must be character device %u:%u", dev.major, dev.minor);
	else if (!node->is_chr && dev.major == 0)
		(void)diag_add(ds, DIAG_NODE_NOT_DEVICE, 0, at, node->path,
			       "is not a character device");
	else if (!node->is_chr)
		(void)diag_add(ds, DIAG_NODE_NOT_DEVICE, 0, at, node->path,
			       "is not a character device; must be %u:%u", dev.major,
			       dev.minor);
	else if (node->major != dev.major || node->minor != dev.minor)
		(void)diag_add(ds, DIAG_NODE_WRONG_DEVICE, 0, at, node->path,
			       "is character device %u:%u; must be %u:%u", node->major,
			       node->minor, dev.major, dev.minor);
	else
		(void)diag_add(ds, DIAG_NODE_ACCESS, node->access_err, at, node->path,
			       "its mode is %04o and its owner %u:%u, but this process runs as "
			       "uid %u",
			       node->mode, node->uid, node->gid, facts->uid);
}

int node_check(const struct facts *facts, const struct where *at, const struct node *node,
	       struct device_number dev, const char *to_load, struct diags *ds)
{
	if (node->err == 0 && node->is_chr && node->major == dev.major &&
	    node->minor == dev.minor && node->access_err == 0)
		return 0;
	/*
	 * access(2) also asks the device controller, the only cause of EPERM for a node (Linux,
	 * devcgroup_inode_permission())
	 */
	if (node->err == 0 && node->is_chr && node->access_err == EPERM &&
	    node->major == dev.major && node->minor == dev.minor)
		return node_cgroup_denied(&facts->around, node->path, dev, at, ds);
	tell(facts, at, node, dev, ds);
	node_hint(facts, node, dev, to_load, ds);
	return -1;
}
