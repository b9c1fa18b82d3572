/* devices.h - QEMU's network devices, and the machines they can be plugged into. Pure. */
#ifndef QH_DESC_DEVICES_H
#define QH_DESC_DEVICES_H

#include <stdbool.h>

enum device_bus { BUS_PCI, BUS_VIRTIO, BUS_CCW, BUS_USB, BUS_ISA, BUS_XEN };

enum {
	DEVICE_VIRTIO = 1 << 0,    /* virtio-net: vhost, vhost-user, mq and its other properties */
	DEVICE_VECTORS = 1 << 1,   /* has the property "vectors" */
	DEVICE_NO_NETDEV = 1 << 2, /* has no netdev, so it is no NIC of a descriptor */
	DEVICE_NO_MAC = 1 << 3,    /* the address is not a property */
};

struct net_device {
	const char *name;		/* never an alias */
	enum device_bus bus;
	unsigned queues;		/* queue pairs of its netdev that the device uses */
	unsigned has;
};

/* The device of that name or alias; NULL: unknown. */
const struct net_device *net_device(const char *name);
/* Row i of the table, and alias i with its device in *ret_name; NULL after the last one. */
const struct net_device *net_device_row(unsigned i);
const char *net_device_alias(unsigned i, const char **ret_name);

/*
 * Can a device on that bus be part of the machine? machine: the value of -machine or -M; NULL: not
 * given. qemu: the path of the program, which decides the default machine. An unknown machine is
 * assumed to have every bus.
 */
bool machine_has_bus(const char *machine, const char *qemu, enum device_bus bus);
const char *bus_name(enum device_bus bus);

#endif
