/*
 * probe.c - gather the facts that a descriptor needs: what is examined, and in which order
 *
 * Never: opens a device, lists all links, or examines what no NIC needs.
 */
#include "config.h"

#include "look/probe.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "desc/guest.h"
#include "desc/vhost_users.h"
#include "look/around.h"
#include "look/box.h"
#include "look/cgroup.h"
#include "look/confinement.h"
#include "look/files.h"
#include "look/helper.h"
#include "look/holder.h"
#include "look/ids.h"
#include "look/link.h"
#include "look/listeners.h"
#include "look/passt.h"
#include "look/process.h"
#include "look/qemuver.h"
#include "look/sysfs.h"
#include "mode/mode.h"
#include "mode/table.h"

static unsigned needs_of(const struct nic *nic)
{
	const struct mode_row *row = mode_row(nic->mode);
	const unsigned needs = row->needs | (row->needs_also ? row->needs_also(nic) : 0);

	/* how QEMU treats a property depends on its version */
	return nic->device.n > 0 ? needs | NEEDS_VERSION : needs;
}

static int probe_links(const struct desc *desc, struct arena *mem, struct facts *ret,
		       struct diags *ds)
{
	struct links *links = NULL;

	for (unsigned i = 0; i < desc->n_nics; i++) {
		if (!(needs_of(&desc->nics[i]) & NEEDS_LINK))
			continue;
		links = links ? links : links_open(mem);
		if (!links)
			return diag_add(ds, DIAG_NETLINK_FAILED, errno, desc->nics[i].at,
					"rtnetlink", "could not create a netlink socket");
		links_probe(links, &desc->nics[i], &ret->nics[i]);
	}
	if (links)
		links_close(links);
	return 0;
}

static void probe_socket(const char *path, struct arena *mem, struct spot *ret,
			 struct spot *ret_dir)
{
	const char *slash = strrchr(path, '/');

	*ret = files_spot(path, S_IFSOCK);
	*ret_dir = files_spot(slash ? arena_strn(mem, path, (size_t)(slash - path) + 1) : ".",
			      S_IFDIR);
}

/* Those of QEMU's words and of custom netdevs, and who listens on all of them. */
static void probe_sockets(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	struct spot *sockets = arena_array(mem, desc->n_vhost_users, sizeof(*sockets)),
		    *dirs = arena_array(mem, desc->n_vhost_users, sizeof(*dirs));
	const struct listeners *listeners;
	bool any = false;

	for (unsigned i = 0; i < desc->n_vhost_users; i++) {
		if (!desc->vhost_users[i].path)
			continue;
		probe_socket(desc->vhost_users[i].path, mem, &sockets[i], &dirs[i]);
		any |= sockets[i].right_kind;
	}
	for (unsigned i = 0; i < desc->n_nics; i++)
		any |= ret->nics[i].socket.right_kind;
	listeners = any ? listeners_probe(mem) : NULL;
	for (unsigned i = 0; i < desc->n_vhost_users; i++)
		if (sockets[i].right_kind)
			sockets[i].listens = listeners_find(listeners, sockets[i].path);
	for (unsigned i = 0; i < desc->n_nics; i++)
		if (ret->nics[i].socket.right_kind)
			ret->nics[i].socket.listens =
				listeners_find(listeners, ret->nics[i].socket.path);
	ret->sockets = sockets;
	ret->socket_dirs = dirs;
}

static void probe_nic(const struct nic *nic, struct arena *mem, struct nic_facts *ret)
{
	const struct mode_row *row = mode_row(nic->mode);
	const unsigned needs = needs_of(nic);
	const char *node;

	if ((needs & NEEDS_SYSFS) && ret->link.err == 0)
		ret->sysfs = sysfs_probe(mem, &ret->link);
	if (row->node && ret->link.err == 0 && (node = row->node(nic, &ret->link, mem)))
		ret->node = files_node(node);
	if (row->socket)
		probe_socket(row->socket(nic), mem, &ret->socket, &ret->socket_dir);
	if (needs & NEEDS_HELPER)
		helper_probe(nic, mem, ret);
	if ((needs & NEEDS_PASST) && !nic->native)
		passt_probe(nic, mem, ret);
}

/* NEEDS_VHOST_NET if the NIC does without vhost because somebody says so. */
static unsigned no_vhost(const struct desc *desc, const struct nic *nic)
{
	const bool off = nic->vhost == CHOICE_OFF ||
			 (nic->vhost == CHOICE_ABSENT && !desc->vhost && !nic->vhost_wanted);

	/* what a text of the caller's own says about vhost is counted there */
	return off && !mode_row(nic->mode)->needs_also ? NEEDS_VHOST_NET : 0;
}

static void probe_nodes(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	unsigned needs = 0;

	for (unsigned i = 0; i < desc->n_nics; i++)
		needs |= needs_of(&desc->nics[i]) & ~no_vhost(desc, &desc->nics[i]);
	ret->vhost_net = needs & NEEDS_VHOST_NET ? files_node("/dev/vhost-net")
						 : (struct node){ 0 };
	ret->tun = needs & NEEDS_TUN ? files_node("/dev/net/tun") : (struct node){ 0 };
	if (needs & NEEDS_TUN)
		around_network(mem, ret);
	/* what of its memory is shared depends on its version */
	if ((needs & NEEDS_VERSION) || desc->n_vhost_users > 0)
		ret->qemu_version = qemuver_probe(ret->qemu.path);
	if (needs & NEEDS_PASST)
		ret->runtime_dir = files_spot(desc->runtime_dir, S_IFDIR);
	if (desc->cid != 0)
		ret->vhost_vsock = files_node("/dev/vhost-vsock");
}

static void probe_report(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	const char *path = desc->report_path;

	ret->report_open = desc->report_fd >= 0 && process_fd_open(desc->report_fd);
	if (!path)
		return;
	ret->report_dir = files_spot(arena_strn(mem, path, (size_t)(strrchr(path, '/') - path) + 1),
				     S_IFDIR);
	ret->report = files_target(path);
}

/* What QEMU opens or is, as the ids see it that it will have. */
static void probe_own(const struct desc *desc, struct facts *ret)
{
	if (desc->probe == PROBE_NONE && desc->words && guest_needs_kvm(desc->words))
		ret->kvm = files_node("/dev/kvm");
	if (!ret->ids.wanted)
		return;
	ret->kvm_acl = ret->kvm.path && files_acl(ret->kvm.path);
	ret->qemu.acl = files_acl(ret->qemu.path);
}

void probe_qemu(const char *qemu, struct program *ret, struct facts *ret_self)
{
	*ret = files_program(qemu);
	process_self(ret_self);
}

int probe_facts(const struct desc *desc, const char *qemu, struct arena *mem, struct facts *ret,
		struct diags *ds)
{
	struct facts facts = { 0 };

	facts.nics = arena_array(mem, desc->n_nics, sizeof(*facts.nics));
	/* first, while we have nothing open */
	process_numbers(desc, mem, &facts);
	probe_report(desc, mem, &facts);
	if (process_probe(mem, &facts, ds) < 0)
		return -1;
	facts.qemu = files_program_text(qemu);
	if (probe_links(desc, mem, &facts, ds) < 0)
		return -1;
	for (unsigned i = 0; i < desc->n_nics; i++)
		probe_nic(&desc->nics[i], mem, &facts.nics[i]);
	probe_sockets(desc, mem, &facts);
	holders_probe(desc, mem, &facts);
	probe_nodes(desc, mem, &facts);
	around_probe(desc, mem, &facts);
	cgroup_probe(desc, mem, &facts);
	ids_probe(desc, mem, &facts);
	probe_own(desc, &facts);
	confinement_probe(desc, mem, &facts);
	box_probe(desc, mem, &facts);
	*ret = facts;
	return 0;
}

void probe_vhost_failed(struct facts *facts, int err)
{
	facts->vhost_net.access_err = err;
}
