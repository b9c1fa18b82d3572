/* rules.c - rules that several modes share */
#include "config.h"

#include "mode/rules.h"

/*
 * --- vhost-user and QEMU's version ---------------------------------------------------------------
 */

int rule_version(const struct nic_case *c, unsigned major, unsigned minor, const char *what)
{
	const struct qemu_version have = c->facts->qemu_version;

	if (have.major == 0 || have.major > major || (have.major == major && have.minor >= minor))
		return 0;
	return diag_add(c->ds, DIAG_QEMU_VERSION, 0, c->nic->at, c->facts->qemu.path,
			"this QEMU is version %u.%u, but %s needs %u.%u or later", have.major,
			have.minor, what, major, minor);
}

const char *vhost_user_chardev(const struct nic_case *c)
{
	return arena_printf(c->mem, "vu-%s", c->nic->id);
}

int rule_virtio_net(const struct nic_case *c)
{
	if (virtio_net(c->nic))
		return 0;
	return diag_add(c->ds, DIAG_DEVICE_CONFLICT, 0, KEY(KEY(c->nic->at, "device"), "driver"),
			NULL, "device '%s' cannot use vhost-user; only virtio-net can",
			c->nic->driver);
}

/* --- devices ---------------------------------------------------------------------------------- */

const struct net_device *nic_device(const struct nic *nic)
{
	static const struct net_device later = { "", BUS_PCI, QUEUES_MAX, DEVICE_VIRTIO },
				       unknown = { "", BUS_PCI, 1, 0 };
	const struct net_device *ret = net_device(nic->driver);

	return !nic->has_device ? &later : ret ? ret : &unknown;
}

bool virtio_net(const struct nic *nic)
{
	return (nic_device(nic)->has & DEVICE_VIRTIO) != 0;
}
