/*
 * guest.h - what the caller's words say about the guest as a whole: its machine, processors, names
 * and network. Pure.
 */
#ifndef QH_DESC_GUEST_H
#define QH_DESC_GUEST_H

#include "desc/devices.h"

struct qemu_args;

struct guest {
	const char *machine;		/* of -machine or -M; NULL: not given */
	bool pcie;			/* a microvm with pcie=on */
	bool confidential; /* confidential-guest-support: QEMU then makes virtio devices modern */
	bool globals;			/* -global: it may set properties of devices */
	bool readconfig; /* a file of -readconfig that could not be read may set anything */
	bool network;    /* -nic, -net, -netdev, -nodefaults, the -device of a NIC, or readconfig */
	unsigned cpus;			/* at its start, of -smp; 0: not given, or not a number */
	const char *uuid, *name;	/* of -uuid, of -name; NULL: not given */
};

/* unread: one of the files of -readconfig could not be read. */
struct guest guest_read(const struct qemu_args *words, bool unread);
/*
 * Is KVM asked for, with nothing to fall back on? QEMU tries each -accel, or each name in
 * accel=a:b of -machine, in turn (softmmu/vl.c of 7.2, configure_accelerators()). Not where
 * device= names another node.
 */
bool guest_needs_kvm(const struct qemu_args *words);
/*
 * Can a device on that bus be part of the machine? qemu: the path of the program. What is unknown
 * is assumed to fit.
 */
bool guest_has_bus(const struct guest *guest, const char *qemu, enum device_bus bus);

#endif
