/*
 * verify_devices.c - descriptors and their links
 *
 * A queue of a TAP names its link in fdinfo (drivers/net/tun.c, tun_chr_show_fdinfo()); a queue
 * that the guest has turned off may name none, and the link counts it as disabled. A macvtap's is
 * known by the number of its node.
 */
#include "config.h"

#include "ctl/parts.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "look/link.h"
#include "sys/readfile.h"

/* What was found of one NIC. */
struct nic_state {
	const struct want_nic *want;
	const char *link;		/* its link's name by now; NULL: not known */
	const char *node;		/* path of a macvtap's node; NULL: none */
	unsigned off;			/* queues that name no link */
	unsigned queues;		/* descriptors for queues of TAPs that are open */
};

struct devices {
	struct verify *v;
	struct nic_state *nics;
	struct links *links;		/* NULL: QEMU's network cannot be asked from here */
	const char *why;		/* links is NULL */
};

static struct nic_state *state_of(struct devices *d, const struct want_nic *nic)
{
	return nic ? &d->nics[nic - d->v->want.nics] : NULL;
}

static bool is(const char *a, const char *b)
{
	return a && strcmp(a, b) == 0;
}

/* --- descriptors ------------------------------------------------------------------------------ */

static const char *fd_name(struct verify *v, const struct want_fd *fd)
{
	return fd->nic ? arena_printf(v->ctl->mem, "fd %d %s/%u", fd->fd, fd->nic->id, fd->queue)
		       : arena_printf(v->ctl->mem, "fd %d", fd->fd);
}

/* The name in "iff:\tNAME\n", "" if there is none; NULL: it cannot be read. */
static const char *queue_link(struct arena *mem, const char *fdinfo)
{
	static const char key[] = "iff:\t";
	char text[1024];
	char *at;

	if (readfile_kernel_once(fdinfo, text, sizeof(text)) != 0)
		return NULL;
	at = strstr(text, key);
	return at ? arena_strn(mem, at + strlen(key), strcspn(at + strlen(key), "\n")) : "";
}

static void tun_queue(struct devices *d, const struct want_fd *fd, const char *what)
{
	struct verify *v = d->v;
	struct nic_state *nic = state_of(d, fd->nic);
	const char *source = arena_printf(v->ctl->mem, "%s/fdinfo/%d", v->running.proc, fd->fd);
	const char *link = queue_link(v->ctl->mem, source);
	const bool bridge = is(fd->what, "bridge");
	const char *want = nic && !bridge && nic->link ? nic->link : NULL;

	if (!nic || !link) {
		say(&v->list, VERDICT_UNKNOWN, what, source, want, "its link cannot be read");
		return;
	}
	nic->queues++;
	if (!link[0]) {
		nic->off++;	/* queues_off() judges all of them */
		return;
	}
	if (bridge && !nic->link)
		nic->link = link;
	say(&v->list, !want || strcmp(link, want) == 0 ? VERDICT_OK : VERDICT_DIFFERS, what, source,
	    want ? want : "a TAP of the helper", "a queue of %s", link);
}

/* A device node that QEMU has open, by its number. */
static void node_fd(struct devices *d, const struct want_fd *fd, const char *what,
		    const char *source, const char *target)
{
	struct verify *v = d->v;
	const char *number = is(fd->what, "macvtap") && fd->nic ? fd->nic->node : NULL;
	const char *found;
	struct stat st, wanted;

	if (stat(source, &st) < 0 || !S_ISCHR(st.st_mode)) {
		say(&v->list, VERDICT_DIFFERS, what, source, fd->path, "%s", target);
		return;
	}
	found = arena_printf(v->ctl->mem, "%u:%u", major(st.st_rdev), minor(st.st_rdev));
	if (!number && fd->path && stat(fd->path, &wanted) == 0)
		number = arena_printf(v->ctl->mem, "%u:%u", major(wanted.st_rdev),
				      minor(wanted.st_rdev));
	if (!number)
		say(&v->list, is(fd->path, target) ? VERDICT_OK : VERDICT_DIFFERS, what, source,
		    fd->path, "%s", target);
	else
		say(&v->list, strcmp(found, number) == 0 ? VERDICT_OK : VERDICT_DIFFERS, what,
		    source, arena_printf(v->ctl->mem, "%s, device %s", fd->path, number),
		    "%s, device %s", target, found);
	if (is(fd->what, "macvtap") && fd->nic)
		state_of(d, fd->nic)->node = fd->path;
}

static bool is_other(const struct want_fd *fd, const char *target)
{
	if (is(fd->what, "passt"))
		return strncmp(target, "socket:", strlen("socket:")) != 0;
	if (is(fd->what, "lifeline"))
		return strncmp(target, "pipe:", strlen("pipe:")) != 0;
	return false;
}

static void one_fd(struct devices *d, const struct want_fd *fd)
{
	struct verify *v = d->v;
	const char *what = fd_name(v, fd);
	const char *source = arena_printf(v->ctl->mem, "%s/fd/%d", v->running.proc, fd->fd);
	char target[4096];
	const ssize_t n = readlink(source, target, sizeof(target) - 1);
	const int err = errno;

	target[n > 0 ? n : 0] = '\0';
	if (n < 0)
		say(&v->list, err == ENOENT ? VERDICT_DIFFERS : VERDICT_UNKNOWN, what, source,
		    fd->what, "%s", err == ENOENT ? "closed" : strerrordesc_np(err));
	else if ((is(fd->what, "tap") || is(fd->what, "bridge")) && is(target, "/dev/net/tun"))
		tun_queue(d, fd, what);
	else if (is(fd->what, "tap") || is(fd->what, "bridge"))
		say(&v->list, VERDICT_DIFFERS, what, source, "a queue of a TAP", "%s", target);
	else if (is(fd->what, "macvtap") || strncmp(fd->what, "vhost-", 6) == 0)
		node_fd(d, fd, what, source, target);
	else
		say(&v->list, is_other(fd, target) ? VERDICT_DIFFERS : VERDICT_OK, what, source,
		    fd->what, "%s", target);
}

/* --- links ------------------------------------------------------------------------------------ */

static const char *link_name(struct devices *d, unsigned ifindex)
{
	const struct link *link = ifindex ? links_get(d->links, NULL, ifindex) : NULL;

	return !link ? "none" : link->err ? arena_printf(d->v->ctl->mem, "ifindex %u", ifindex)
					  : link->name;
}

/* The link that has the planned index; NULL after a statement. */
static const struct link *find_link(struct devices *d, const struct nic_state *nic,
				    const char *what)
{
	struct statements *list = &d->v->list;
	const struct want_nic *want = nic->want;
	const char *planned = arena_printf(d->v->ctl->mem, "%s, ifindex %u", want->link,
					   want->ifindex);
	const struct link *link = links_get(d->links, NULL, want->ifindex), *other;

	if (link->err == 0) {
		say(list, strcmp(link->name, want->link) == 0 ? VERDICT_OK : VERDICT_DIFFERS, what,
		    "netlink", planned, "%s, ifindex %u", link->name, link->ifindex);
		return link;
	}
	if (link->err != ENODEV) {
		say(list, VERDICT_UNKNOWN, what, "netlink", planned, "%s",
		    strerrordesc_np(link->err));
		return NULL;
	}
	other = links_get(d->links, want->link, 0);
	if (other->err == 0)
		say(list, VERDICT_DIFFERS, what, "netlink", planned,
		    "gone; another link has its name, ifindex %u", other->ifindex);
	else
		say(list, VERDICT_DIFFERS, what, "netlink", planned,
		    "gone from QEMU's network namespace");
	return NULL;
}

static void link_state(struct devices *d, const struct nic_state *nic, const struct link *link)
{
	struct verify *v = d->v;
	/* the TAP of a bridge's helper is the bridge's port; any other has the report's master */
	const unsigned master = is(nic->want->mode, "bridge") ? nic->want->ifindex
							      : nic->want->master;
	const unsigned queues = link->tun.queues + link->tun.disabled;

	say(&v->list, link->up ? VERDICT_OK : VERDICT_DIFFERS, "  state", "netlink", "up", "%s",
	    link->up ? "up" : "down");
	say(&v->list, link->master == master ? VERDICT_OK : VERDICT_DIFFERS, "  master", "netlink",
	    link_name(d, master), "%s", link_name(d, link->master));
	if (link->tun.multi_queue && nic->want->queues > 0)
		say(&v->list, queues == nic->want->queues ? VERDICT_OK : VERDICT_DIFFERS,
		    "  queues", "netlink", arena_printf(v->ctl->mem, "%u", nic->want->queues),
		    "%u attached, %u of them off", queues, link->tun.disabled);
}

/* Queues that name no link are the guest's choice as long as the link knows of as many. */
static void queues_off(struct devices *d, const struct nic_state *nic, const struct link *link)
{
	const char *source = arena_printf(d->v->ctl->mem, "%s/fdinfo and netlink",
					  d->v->running.proc);

	if (nic->off == 0)
		return;
	if (!link)
		say(&d->v->list, VERDICT_UNKNOWN, "  queues off", source, NULL,
		    "%u of %u name no link", nic->off, nic->queues);
	else
		say(&d->v->list, nic->off <= link->tun.disabled ? VERDICT_OK : VERDICT_DIFFERS,
		    "  queues off", source, "those that the guest does not use",
		    "%u of %u name no link; the link has %u that are off", nic->off, nic->queues,
		    link->tun.disabled);
}

static void one_nic(struct devices *d, struct nic_state *nic)
{
	const char *what = arena_printf(d->v->ctl->mem, "link of %s", nic->want->id);
	const struct link *link = NULL;

	if (nic->want->link && !d->links)
		say(&d->v->list, VERDICT_UNKNOWN, what, "netlink", nic->want->link, "%s", d->why);
	else if (nic->want->link)
		link = find_link(d, nic, what);
	if (link && is(nic->want->mode, "bridge"))
		link = nic->link ? links_get(d->links, nic->link, 0) : NULL;
	if (link && link->err == 0)
		link_state(d, nic, link);
	queues_off(d, nic, link);
}

/* --- who else holds it ------------------------------------------------------------------------ */

/* A descriptor of another process: of which NIC's link is it a queue? */
static bool holds(struct devices *d, const char *pid, const char *fd, const struct nic_state *nic)
{
	struct arena *mem = d->v->ctl->mem;
	char target[64];
	const ssize_t n = readlink(arena_printf(mem, "/proc/%s/fd/%s", pid, fd), target,
				   sizeof(target) - 1);

	target[n > 0 ? n : 0] = '\0';
	if (nic->node)
		return strcmp(target, nic->node) == 0;
	return nic->link && strcmp(target, "/dev/net/tun") == 0 &&
	       is(queue_link(mem, arena_printf(mem, "/proc/%s/fdinfo/%s", pid, fd)), nic->link);
}

/* -1: its descriptors cannot be read */
static int process_holds(struct devices *d, const char *pid, const struct nic_state *nic)
{
	const int fd = readfile_kernel_dir(arena_printf(d->v->ctl->mem, "/proc/%s/fd", pid));
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	int found = 0;

	if (!dir)
		return errno == ENOENT ? 0 : -1;
	for (const struct dirent *e = readdir(dir); e && !found; e = readdir(dir))
		found = e->d_name[0] != '.' && holds(d, pid, e->d_name, nic);
	(void)closedir(dir);
	return found;
}

/* The name of a link means something in one network only. */
static bool same_network(struct devices *d, const char *pid)
{
	char ours[64], theirs[64];
	const ssize_t a = readlink(arena_printf(d->v->ctl->mem, "%s/ns/net", d->v->running.proc),
				   ours, sizeof(ours));
	const ssize_t b = readlink(arena_printf(d->v->ctl->mem, "/proc/%s/ns/net", pid), theirs,
				   sizeof(theirs));

	return a < 0 || b < 0 || (a == b && memcmp(ours, theirs, (size_t)a) == 0);
}

static void holders(struct devices *d, const struct nic_state *nic)
{
	struct verify *v = d->v;
	const int fd = readfile_kernel_dir("/proc");
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	unsigned unread = 0, others = 0;
	struct task_stat stat;

	for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
		const pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
		const int held = pid <= 0 || pid == v->running.pid ||
						 (!nic->node && !same_network(d, e->d_name))
					 ? 0
					 : process_holds(d, e->d_name, nic);

		unread += held < 0;
		if (held <= 0)
			continue;
		others++;
		(void)task_stat_read(v->ctl->mem, pid, &stat);
		say(&v->list, VERDICT_DIFFERS, "  held by", "/proc/*/fd", "this process alone",
		    "process %d '%s', too", pid, stat.comm);
	}
	if (dir)
		(void)closedir(dir);
	if (others == 0)
		say(&v->list, unread > 0 || !dir ? VERDICT_UNKNOWN : VERDICT_OK, "  held by",
		    "/proc/*/fd", "this process alone",
		    unread > 0 ? "descriptors of %u processes cannot be read" : "no other process",
		    unread);
}

/* --- passt ------------------------------------------------------------------------------------ */

static void passt(struct devices *d, const struct want_nic *nic)
{
	struct verify *v = d->v;
	const char *source = arena_printf(v->ctl->mem, "/proc/%d/stat", nic->passt_pid);
	const char *planned = arena_printf(v->ctl->mem, "process %d", nic->passt_pid);
	struct task_stat stat;

	if (task_stat_read(v->ctl->mem, nic->passt_pid, &stat) != 0 || stat.state == 'Z')
		say(&v->list, VERDICT_DIFFERS, "  passt", source, planned, "has ended");
	else
		say(&v->list, strncmp(stat.comm, "passt", 5) == 0 ? VERDICT_OK : VERDICT_DIFFERS,
		    "  passt", source, planned, "'%s', alive", stat.comm);
}

static void open_links(struct devices *d)
{
	const char *path = arena_printf(d->v->ctl->mem, "%s/ns/net", d->v->running.proc);
	char ours[64], theirs[64];
	const ssize_t a = readlink("/proc/self/ns/net", ours, sizeof(ours));
	const ssize_t b = readlink(path, theirs, sizeof(theirs));

	if (a < 0 || b < 0)
		d->why = "QEMU's network namespace cannot be read";
	else if (a != b || memcmp(ours, theirs, (size_t)a) != 0)
		d->why = "QEMU is in another network namespace";
	else
		d->links = links_open(d->v->ctl->mem);
	if (!d->links && !d->why)
		d->why = "no socket of netlink";
}

void verify_devices(struct verify *v)
{
	struct devices d = { .v = v };

	d.nics = arena_array(v->ctl->mem, v->want.n_nics + 1, sizeof(*d.nics));
	for (unsigned i = 0; i < v->want.n_nics; i++) {
		d.nics[i].want = &v->want.nics[i];
		if (is(v->want.nics[i].mode, "tap"))
			d.nics[i].link = v->want.nics[i].link;
	}
	open_links(&d);
	for (unsigned i = 0; i < v->want.n_fds; i++)
		one_fd(&d, &v->want.fds[i]);
	for (unsigned i = 0; i < v->want.n_nics; i++) {
		one_nic(&d, &d.nics[i]);
		if (d.nics[i].node || d.nics[i].link)
			holders(&d, &d.nics[i]);
		if (v->want.nics[i].passt_pid > 0)
			passt(&d, &v->want.nics[i]);
	}
	if (d.links)
		links_close(d.links);
}
