/*
 * devices.h - what is known of QEMU's network devices, and of the machines they can be plugged
 * into. Pure.
 */
#ifndef QH_DESC_DEVICES_H
#define QH_DESC_DEVICES_H

#include <stdbool.h>

enum device_bus { BUS_PCI, BUS_VIRTIO, BUS_CCW, BUS_USB, BUS_ISA, BUS_XEN };

enum {
	DEVICE_VIRTIO = 1 << 0,    /* virtio-net: vhost, vhost-user, mq and its other properties */
	DEVICE_VECTORS = 1 << 1,   /* it has the property "vectors" */
	DEVICE_NO_NETDEV = 1 << 2, /* it has no netdev: no NIC of a descriptor */
	DEVICE_NO_MAC = 1 << 3,    /* its address is not a property */
};

struct net_device {
	const char *name;		/* never an alias */
	enum device_bus bus;
	unsigned queues;		/* queue pairs of its netdev that it uses */
	unsigned has;
};

/* The device of that name or alias; NULL: none that is known. */
const struct net_device *net_device(const char *name);
/* Row i of the table, and alias i with its device in *ret_name; NULL after the last. */
const struct net_device *net_device_row(unsigned i);
const char *net_device_alias(unsigned i, const char **ret_name);

/*
 * Can a device on that bus be part of the machine? machine: the value of -machine or -M, NULL:
 * there was none. qemu: path of the program, which has a machine of its own for that case. A
 * machine that is not known is taken to have every bus.
 */
bool machine_has_bus(const char *machine, const char *qemu, enum device_bus bus);
const char *bus_name(enum device_bus bus);

#endif
