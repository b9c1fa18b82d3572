/*
 * host.h - facts of hosts, as literals, and a plan made of them
 *
 * host_fit() gives each NIC of a descriptor the link, node or helper that its mode needs, all of them
 * in order; a row changes what it is about.
 */
#ifndef QH_HOST_H
#define QH_HOST_H

#include <errno.h>

#include "mode/mode.h"
#include "desc/desc.h"
#include "facts/facts.h"
#include "desc/argv_nics.h"
#include "plan/plan.h"
#include "mode/table.h"
#include "plan/make.h"
#include "unit.h"

enum { HOST_NICS = 4, HOST_FDS = 1024 };

struct host {
	struct unit u;
	struct facts facts;
	struct nic_facts nics[HOST_NICS];
	struct cgroup_facts cgroups[2];
	bool open[2][HOST_NICS][QUEUES_MAX];	/* pins that are open on entry: fds, vhostfds */
	int free_fds[HOST_FDS];
	struct desc desc;
	struct plan plan;
	bool unnamed;			/* host_plan() found mac-default */
};

#define QEMU "/usr/bin/qemu-system-x86_64"
#define HELPER "/usr/lib/qemu/qemu-bridge-helper"
#define MAC(last) { { 0x02, 0, 0, 0, 0, last } }

static const struct facts host_facts = {
	.kernel_major = 6, .kernel_minor = 12,
	.uid = 1000, .gid = 1000,
	.vhost_net = { .path = "/dev/vhost-net", .is_chr = true, .mode = 0660, .gid = 108, .major = 10, .minor = 238 },
	.tun = { .path = "/dev/net/tun", .is_chr = true, .mode = 0660, .gid = 108, .major = 10, .minor = 200 },
	.vhost_vsock = { .path = "/dev/vhost-vsock", .is_chr = true, .mode = 0660, .gid = 108, .major = 10, .minor = 241 },
	.qemu = { .path = QEMU, .regular = true, .mode = 0755, .dev = 1, .ino = 100 },
	.self_dev = 1, .self_ino = 200,
	.nofile_soft = 1024, .nofile_hard = 524288, .report = { .err = ENOENT },
	.landlock_abi = 6,
};

static const struct nic_facts host_nics[MODE__COUNT] = {
	[MODE_BRIDGE] = {
		.link = { .name = "br0", .kind = "bridge", .ifindex = 4, .mtu = 1500, .up = true, .has_mac = true, .mac = MAC(4) },
		.helper = { .path = HELPER, .regular = true, .setuid_root = true },
		.acl = { .verdict = ACL_ALLOWED, .list = "/etc/qemu/bridge.conf" },
	},
	[MODE_TAP] = {
		.link = {
			.name = "t0", .kind = "tun", .ifindex = 5, .mtu = 1500, .up = true, .has_mac = true, .mac = MAC(5),
			.tx_queues = 256, .rx_queues = 256,
			.tun = { .tap = true, .persist = true, .multi_queue = true, .vnet_hdr = true,
				 .has_owner = true, .owner = 1000 },
		},
	},
	[MODE_VHOST_VDPA] = {
		.node = { .path = "/dev/vhost-vdpa-0", .is_chr = true, .mode = 0600, .uid = 1000, .gid = 1000, .major = 511 },
	},
	[MODE_MACVTAP] = {
		.link = { .name = "m0", .kind = "macvtap", .ifindex = 7, .mtu = 1500, .up = true, .has_mac = true,
			  .mac = MAC(7), .lower = 2, .all_multicast = true, .macvtap_mode = 4, .tx_queues = 64, .rx_queues = 64 },
		.node = { .path = "/dev/tap7", .is_chr = true, .mode = 0600, .uid = 1000, .gid = 1000, .major = 236, .minor = 1 },
		.sysfs = { .file = "/sys/class/net/m0/tap7/dev", .ifindex = 7, .mac = MAC(7), .dev = { 236, 1 } },
	},
};

/* Numbers from fd_base on, without those in taken (0 ends it). */
static inline void host_free_fds(struct host *h, const int *taken)
{
	h->facts.n_free = 0;
	for (int fd = (int)h->desc.fd_base; h->facts.n_free < HOST_FDS && fd < FD_MAX; fd++) {
		bool is_taken = false;

		for (const int *t = taken; t && *t; t++)
			is_taken |= *t == fd;
		if (!is_taken)
			h->free_fds[h->facts.n_free++] = fd;
	}
	h->facts.free_fds = h->free_fds;
}

static inline void host_fit(struct host *h)
{
	h->facts = host_facts;
	h->facts.nics = h->nics;
	h->facts.cgroups = h->cgroups;
	host_free_fds(h, NULL);
	assert_true(h->desc.n_nics <= HOST_NICS);
	for (unsigned i = 0; i < h->desc.n_nics; i++) {
		h->nics[i] = host_nics[h->desc.nics[i].mode];
		h->nics[i].pin_open = h->open[0][i];
		h->nics[i].vhost_pin_open = h->open[1][i];
	}
}

/* Read a descriptor whose members, but for the version, are given; 0 or -1 with problems. */
static inline int host_parse(struct host *h, const char *members)
{
	const char *json;

	*h = (struct host){ 0 };
	unit_open(&h->u);
	json = unit_json(&h->u, arena_printf(&h->u.mem, "{'version':1,%s}", members));
	return desc_parse(json, strlen(json), mode_syntax, &h->u.mem, &h->desc, &h->u.ds);
}

/* The same, and what the command line says of its NICs. */
static inline int host_read(struct host *h, const char *members, const struct cmdline *cmdline)
{
	if (host_parse(h, members) < 0)
		return -1;
	return argv_nics_read(&h->desc, cmdline, &h->u.mem, &h->u.ds);
}

/* Take out mac-default, which every guest without a name has; true when it was there. */
static inline bool host_unnamed(struct host *h)
{
	struct diags *ds = &h->u.ds;
	bool ret = false;

	for (unsigned i = 0; i < ds->n; i++) {
		if (ds->list[i].id != DIAG_MAC_DEFAULT)
			continue;
		memmove(&ds->list[i], &ds->list[i + 1], (ds->n - i - 1) * sizeof(*ds->list));
		ds->n--;
		ret = true;
	}
	return ret;
}

static inline int host_plan(struct host *h, const struct cmdline *cmdline)
{
	const int ret = plan_make(&h->desc, &h->facts, cmdline, &h->u.mem, &h->plan, &h->u.ds);

	h->unnamed = host_unnamed(h);
	return ret;
}

/* "-netdev X -device Y ...": what the plan added to the command line. */
static inline void host_put_words(struct str *s, const void *arg)
{
	const struct plan *plan = arg;
	bool any = false;

	for (unsigned i = 0; i < plan->argc; i++) {
		any = any || strcmp(plan->argv[i], "-netdev") == 0 || strcmp(plan->argv[i], "-device") == 0;
		if (any)
			str_put(s, "%s%s", s->len > 0 ? " " : "", plan->argv[i]);
	}
}

static inline const char *host_words(struct host *h)
{
	return str_make(&h->u.mem, host_put_words, &h->plan);
}

/* "3 tap net0 0; 4 vhost-net net0 0": the descriptors of the plan. */
static inline void host_put_slots(struct str *s, const void *arg)
{
	const struct plan *plan = arg;

	for (unsigned i = 0; i < plan->n_slots; i++) {
		const struct slot *slot = &plan->slots[i];

		str_put(s, "%s%d %s", i > 0 ? "; " : "", slot->fd, slot_kind_name(slot->kind));
		if (slot->kind != SLOT_VHOST_VSOCK)
			str_put(s, " %s %u", plan->desc->nics[slot->nic].id, slot->queue);
	}
}

static inline const char *host_slots(struct host *h)
{
	return str_make(&h->u.mem, host_put_slots, &h->plan);
}

static inline void host_close(struct host *h)
{
	unit_close(&h->u);
}

#endif
