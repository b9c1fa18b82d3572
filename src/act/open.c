/*
 * open.c - open what the plan says, and verify it
 *
 * Every descriptor is an open(2) of its own: two queues of one open would be one queue, and a vhost
 * descriptor used twice is EBUSY in the kernel and SIGABRT in QEMU 7.2.
 *
 * Each is close-on-exec from birth, and has whatever number the kernel gave it: place.c gives it
 * the number that QEMU is to see. The kernel hands out the lowest free number, and the plan asks
 * for free numbers in rising order, so most land where they belong.
 *
 * Does:   open, attach, verify.
 * Never:  opens anything before every check has passed; makes a descriptor inheritable; drops the
 *         last descriptor of a queue that is to be used.
 */
#include "config.h"

#include "act/open.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_tun.h>

#include "act/hold.h"
#include "facts/node.h"
#include "sys/fd.h"

struct opener {
	const struct plan *plan;
	struct diags *ds;
};

/* --- failures --------------------------------------------------------------------------------- */

static int open_failed(const struct opener *o, const struct slot *slot, int err)
{
	switch (err) {
	case ENOENT:
		return diag_add(o->ds, DIAG_NODE_MISSING, err, slot->at, slot->path,
				"it went away since it was checked");
	case EACCES:
		(void)diag_add(
			o->ds, DIAG_NODE_ACCESS, err, slot->at, slot->path,
			"its mode lets us, so a security module (AppArmor, SELinux) does not");
		diag_hint(o->ds, "add \"%s rw,\" to its AppArmor profile, or the like for SELinux",
			  slot->path);
		return -1;
	case EPERM:
		return node_cgroup_denied(&o->plan->facts->around, slot->path, slot->dev,
					  slot->at, o->ds);
	case ENODEV:
	case ENXIO:
		return diag_add(o->ds, DIAG_NODE_NO_DRIVER, err, slot->at, slot->path,
				"no driver serves this node; is its module loaded?");
	default:
		return diag_add(o->ds, DIAG_OPEN_FAILED, err, slot->at, slot->path,
				"it could not be opened");
	}
}

static int wrong_device(const struct opener *o, const struct slot *slot, const struct stat *st)
{
	return diag_add(o->ds, DIAG_NODE_WRONG_DEVICE, 0, slot->at, slot->path,
			"what was opened is %s %u:%u, it was %u:%u when it was checked",
			S_ISCHR(st->st_mode) ? "character device" : "no character device",
			major(st->st_rdev), minor(st->st_rdev), slot->dev.major, slot->dev.minor);
}

/* --- verifying -------------------------------------------------------------------------------- */

/* The name may have moved between stat and open: what is open must be what was checked. */
static int verify_dev(const struct opener *o, const struct slot *slot, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return diag_add(o->ds, DIAG_CALL_FAILED, errno, slot->at, slot->path, "fstat");
	if (!S_ISCHR(st.st_mode) || major(st.st_rdev) != slot->dev.major ||
	    minor(st.st_rdev) != slot->dev.minor)
		return wrong_device(o, slot, &st);
	return 0;
}

/*
 * The queue belongs to the link that netlink told of: name and address, which need no sysfs, and
 * for a TAP the persistent flag, because TUNSETIFF by root makes a link that has just gone away.
 */
static int verify_link(const struct opener *o, const struct slot *slot, int fd)
{
	const struct link *link = slot->link;
	struct ifreq ifr = { 0 };
	struct mac mac;
	bool persist;

	if (ioctl(fd, TUNGETIFF, &ifr) < 0)
		return diag_add(o->ds, DIAG_OPENED_WRONG_LINK, errno, slot->at, slot->path,
				"TUNGETIFF: the queue has no link");
	persist = (ifr.ifr_flags & IFF_PERSIST) != 0;
	if (strncmp(ifr.ifr_name, link->name, IFNAMSIZ) != 0)
		return diag_add(o->ds, DIAG_OPENED_WRONG_LINK, 0, slot->at, slot->path,
				"the queue belongs to the link '%.15s', not to '%s'", ifr.ifr_name,
				link->name);
	if (slot->way == WAY_ATTACH && !persist)
		return diag_add(o->ds, DIAG_OPENED_WRONG_LINK, 0, slot->at, link->name,
				"the TAP went away since it was checked");
	if (slot->queue > 0)
		return 0;
	if (ioctl(fd, SIOCGIFHWADDR, &ifr) < 0)
		return diag_add(o->ds, DIAG_OPENED_WRONG_LINK, errno, slot->at, slot->path,
				"SIOCGIFHWADDR");
	memcpy(mac.byte, ifr.ifr_hwaddr.sa_data, sizeof(mac.byte));
	if (link->has_mac && !mac_equal(mac, link->mac))
		return diag_add(o->ds, DIAG_OPENED_WRONG_LINK, 0, slot->at, slot->path,
				"the queue's link has the address " MAC_FMT ", '%s' has " MAC_FMT,
				MAC_ARG(mac), link->name, MAC_ARG(link->mac));
	return 0;
}

/* --- opening ---------------------------------------------------------------------------------- */

static int attach_failed(const struct opener *o, const struct slot *slot, int err)
{
	const struct link *link = slot->link;

	if (err == EBUSY || err == E2BIG) {
		(void)diag_add(o->ds, DIAG_TAP_BUSY, err, slot->at, link->name,
			       "no queue of the TAP is free");
		diag_hint(o->ds, "end the process that uses it, which --check looks for");
		return -1;
	}
	if (err == EPERM)
		return diag_add(o->ds, DIAG_TAP_OWNER, err, slot->at, link->name,
				"the TAP belongs to other ids");
	return diag_add(o->ds, DIAG_ATTACH_FAILED, err, slot->at, link->name,
			"TUNSETIFF: queue %u could not be attached", slot->queue);
}

static int attach(const struct opener *o, const struct slot *slot, int fd)
{
	const struct link *link = slot->link;
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR };

	/*
	 * the link's own flag decides, also for one queue: the kernel answers EINVAL when the two
	 * differ
	 */
	if (link->tun.multi_queue)
		ifr.ifr_flags |= IFF_MULTI_QUEUE;
	memcpy(ifr.ifr_name, link->name, sizeof(link->name));
	if (ioctl(fd, TUNSETIFF, &ifr) < 0)
		return attach_failed(o, slot, errno);
	return 0;
}

static int open_slot(const struct opener *o, const struct slot *slot, int *ret)
{
	AUTO_FD fd = open(slot->path, O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return open_failed(o, slot, errno);
	if (verify_dev(o, slot, fd) < 0)
		return -1;
	if (slot->way == WAY_ATTACH && attach(o, slot, fd) < 0)
		return -1;
	if (slot->link && verify_link(o, slot, fd) < 0)
		return -1;
	if (hold_link(slot, fd, o->ds) < 0)
		return -1;
	*ret = fd_take(&fd);
	return 0;
}

/*
 * A descriptor that was not opened in the plan's order goes to its planned number, or to the next
 * one that is free, so that those that follow find theirs. It stays where it is when there is none.
 */
static void keep(struct opened *opened, const struct plan *plan, const struct slot *slot, int fd)
{
	const int moved = fd == slot->fd ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, slot->fd);

	if (moved >= 0)
		(void)close(fd);
	opened->fds[slot - plan->slots] = moved >= 0 ? moved : fd;
}

void opened_make(const struct plan *plan, struct arena *mem, struct opened *ret)
{
	ret->fds = arena_array(mem, plan->n_slots, sizeof(*ret->fds));
	ret->passt_pids = arena_array(mem, plan->desc->n_nics, sizeof(*ret->passt_pids));
	for (unsigned i = 0; i < plan->n_slots; i++)
		ret->fds[i] = -1;
}

/* The first vhost descriptor of a NIC that only prefers vhost, or NULL. */
static const struct slot *preferred_vhost(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->n_slots; i++)
		if (plan->slots[i].kind == SLOT_VHOST_NET)
			return plan->nics[plan->slots[i].nic].nic->vhost == CHOICE_ABSENT
				       ? &plan->slots[i]
				       : NULL;
	return NULL;
}

enum open_result open_preferred(const struct plan *plan, struct opened *opened, struct diags *ds,
				int *ret_err)
{
	const struct opener o = { .plan = plan, .ds = ds };
	const struct slot *first = preferred_vhost(plan);
	AUTO_FD fd = first ? open(first->path, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;

	if (!first)
		return OPEN_DONE;
	if (fd < 0) {
		*ret_err = errno;
		return OPEN_OTHERWISE;
	}
	if (verify_dev(&o, first, fd) < 0)
		return OPEN_FAILED;
	keep(opened, plan, first, fd_take(&fd));
	return OPEN_DONE;
}

/* The others are made by other parts of the program. */
static bool opened_here(const struct slot *slot)
{
	return slot->way == WAY_OPEN || slot->way == WAY_ATTACH;
}

int open_slots(const struct plan *plan, struct opened *opened, struct diags *ds)
{
	const struct opener o = { .plan = plan, .ds = ds };

	for (unsigned i = 0; i < plan->n_slots; i++)
		if (opened->fds[i] < 0 && opened_here(&plan->slots[i]) &&
		    open_slot(&o, &plan->slots[i], &opened->fds[i]) < 0)
			return -1;
	return 0;
}

void open_give(const struct plan *plan, const struct slot *slot, int fd, struct opened *opened)
{
	keep(opened, plan, slot, fd);
}

int open_adopt(const struct plan *plan, const struct slot *slot, int fd, struct opened *opened,
	       struct diags *ds)
{
	const struct opener o = { .plan = plan, .ds = ds };

	if (verify_dev(&o, slot, fd) < 0) {
		(void)close(fd);
		return -1;
	}
	keep(opened, plan, slot, fd);
	return 0;
}
