/*
 * holder.c - who holds queues of a link
 *
 * A macvtap's kernel side tells nothing, so a launch locks the node (act/nodes.c), and /proc/locks
 * names the process. Of a TAP netlink tells that it is in use; only then are the descriptors of all
 * processes looked at, for the message.
 *
 * Never:  opens a device.
 */
#include "config.h"

#include "look/holder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "facts/locks.h"
#include "mode/mode.h"
#include "mode/table.h"
#include "sys/readfile.h"

enum {
	LOCKS_MAX = 64 * 1024
}; /* of 1,000 locks and more; what is cut off, the lock itself finds */

static void name_process(struct arena *mem, struct holder *ret)
{
	const char *path = arena_printf(mem, "/proc/%u/comm", ret->pid);
	char name[sizeof(ret->name)];

	if (readfile_kernel_once(path, name, sizeof(name)) == 0) {
		name[strcspn(name, "\n")] = '\0';
		memcpy(ret->name, name, sizeof(name));
	}
}

static DIR *open_dir(const char *path)
{
	const int fd = readfile_kernel_dir(path);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !dir)
		(void)close(fd);
	return dir;
}

/* --- a TAP's queues --------------------------------------------------------------------------- */

static bool is_queue(struct arena *mem, const char *pid, const char *fd, const char *link)
{
	char to[32], text[512];
	const ssize_t n = readlink(arena_printf(mem, "/proc/%s/fd/%s", pid, fd), to,
				   sizeof(to) - 1);

	to[n > 0 ? n : 0] = '\0';
	return strcmp(to, "/dev/net/tun") == 0 &&
	       readfile_kernel_once(arena_printf(mem, "/proc/%s/fdinfo/%s", pid, fd), text,
			     sizeof(text)) == 0 &&
	       locks_is_queue_of(text, link);
}

static bool has_queue(struct arena *mem, const char *pid, const char *link)
{
	DIR *dir = open_dir(arena_printf(mem, "/proc/%s/fd", pid));
	bool found = false;

	if (!dir)
		return false;
	for (const struct dirent *entry = readdir(dir); entry && !found; entry = readdir(dir))
		found = entry->d_name[0] != '.' && is_queue(mem, pid, entry->d_name, link);
	(void)closedir(dir);
	return found;
}

/* A TAP of that name in another network namespace is another TAP. */
static bool same_network(struct arena *mem, const char *pid)
{
	char ours[64], theirs[64];
	const ssize_t a = readlink("/proc/self/ns/net", ours, sizeof(ours));
	const ssize_t b = readlink(arena_printf(mem, "/proc/%s/ns/net", pid), theirs,
				   sizeof(theirs));

	return a > 0 && a == b && memcmp(ours, theirs, (size_t)a) == 0;
}

static struct holder tap_holder(struct arena *mem, const char *link)
{
	DIR *dir = open_dir("/proc");
	struct holder ret = { 0 };

	if (!dir)
		return ret;
	for (const struct dirent *entry = readdir(dir); entry && ret.pid == 0; entry = readdir(dir))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		    same_network(mem, entry->d_name) && has_queue(mem, entry->d_name, link))
			ret.pid = (unsigned)strtoul(entry->d_name, NULL, 10);
	(void)closedir(dir);
	if (ret.pid != 0)
		name_process(mem, &ret);
	return ret;
}

/* --- a macvtap's node ------------------------------------------------------------------------- */

static const char *read_locks(struct arena *mem)
{
	char *text = arena_get(mem, LOCKS_MAX);

	return readfile_kernel("/proc/locks", text, LOCKS_MAX) == 0 ? text : "";
}

static void node_holder(const char *locks, struct arena *mem, struct nic_facts *ret)
{
	ret->locked = locks_find(locks, &ret->node, &ret->holder.pid);
	if (ret->locked && ret->holder.pid != 0)
		name_process(mem, &ret->holder);
}

static bool is_tap(const struct link *link)
{
	return link->err == 0 && strcmp(link->kind, "tun") == 0;
}

void holders_probe(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	const char *locks = NULL;

	for (unsigned i = 0; i < desc->n_nics; i++) {
		const unsigned needs = mode_row(desc->nics[i].mode)->needs;
		struct nic_facts *nf = &ret->nics[i];

		if (desc->nics[i].shared || nf->link.err != 0)
			continue;
		if ((needs & NEEDS_SYSFS) && nf->node.err == 0) {
			locks = locks ? locks : read_locks(mem);
			node_holder(locks, mem, nf);
		}
		if (is_tap(&nf->link) && (nf->link.tun.queues > 0 || nf->link.carrier))
			nf->holder = tap_holder(mem, nf->link.name);
	}
}

void holders_search(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	for (unsigned i = 0; i < desc->n_nics; i++) {
		struct nic_facts *nf = &ret->nics[i];

		if (is_tap(&nf->link) && !nf->link.tun.multi_queue && !nf->link.carrier)
			nf->holder = tap_holder(mem, nf->link.name);
	}
}
