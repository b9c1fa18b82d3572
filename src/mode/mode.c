/*
 * mode.c - the table of modes
 */
#include "config.h"

#include "mode/mode.h"

#include "mode/rules.h"

const char *slot_kind_name(enum slot_kind kind)
{
	static const char *const names[] = {
#define X(id, name) name,
		SLOT_KINDS(X)
#undef X
	};

	return names[kind];
}

const struct mode_row *mode_row(enum mode mode)
{
	static const struct mode_row *const rows[] = {
#define MODE(id, row, name) &mode_##row,
#include "desc/modes.def"
#undef MODE
	};

	return rows[mode];
}

const struct mode_syntax *mode_syntax(enum mode mode)
{
	return &mode_row(mode)->syntax;
}

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
