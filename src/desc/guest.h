/*
 * guest.h - what the caller's words say of the guest as a whole: its machine, processors, names and
 * network. Pure.
 */
#ifndef QH_DESC_GUEST_H
#define QH_DESC_GUEST_H

#include "desc/devices.h"

struct qemu_args;

struct guest {
	const char *machine;		/* of -machine or -M; NULL: not said */
	bool pcie;			/* a microvm with pcie=on */
	bool confidential; /* confidential-guest-support: QEMU then makes virtio devices modern by itself */
	bool globals;			/* -global: properties of devices may come from there */
	bool readconfig; /* -readconfig: anything may come from a file that is not read here */
	bool network;    /* -nic, -net, -netdev, -nodefaults, -readconfig or the -device of a NIC */
	unsigned cpus;			/* at its start, of -smp; 0: not said, or not a number */
	const char *uuid, *name;	/* of -uuid, of -name; NULL: not said */
};

struct guest guest_read(const struct qemu_args *words);
/*
 * Can a device on that bus be part of the machine? qemu: path of the program. What is not known is
 * taken to fit.
 */
bool guest_has_bus(const struct guest *guest, const char *qemu, enum device_bus bus);

#endif
