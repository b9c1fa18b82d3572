/*
 * plug.c - NICs into a QEMU that runs, and back if that fails
 *
 * A descriptor that QEMU gets by getfd has a name, until netdev_add takes it. A netdev_add that
 * fails takes some of them, too: QEMU 7.2 then leaves queues open (net/tap.c, net_init_tap()), and
 * 11.1 does not. A vhost that is not forced and fails there ends QEMU 7.2: words are forced.
 */
#include "config.h"

#include "ctl/plug.h"

#include <stdlib.h>
#include <string.h>

enum { UNDO_SECONDS = 5 }; /* for a guest to release a device, and for QEMU to answer */

/* --- words ------------------------------------------------------------------------------------ */

static bool has_fds(const char *key)
{
	return strcmp(key, "fd") == 0 || strcmp(key, "fds") == 0 || strcmp(key, "vhostfd") == 0 ||
	       strcmp(key, "vhostfds") == 0;
}

/* A name that begins with a digit would be a number of QEMU's own. */
static const char *fd_name(struct ctl *ctl, const struct plug *plug, int fd)
{
	return arena_printf(ctl->mem, "handoff-%s-%d", plug->np->nic->id, fd);
}

/* "3:4" as names. */
static const char *names_of(struct ctl *ctl, const struct plug *plug, const char *numbers)
{
	const char *ret = "";
	char *end;

	for (; *numbers; numbers = *end ? end + 1 : end)
		ret = arena_printf(ctl->mem, "%s%s%s", ret, ret[0] ? ":" : "",
				   fd_name(ctl, plug, (int)strtol(numbers, &end, 10)));
	return ret;
}

const char *plug_netdev(struct ctl *ctl, const struct plug *plug)
{
	const struct keyvals *from = &plug->np->netdev_words;
	struct keyvals kv = { .mem = ctl->mem };

	for (unsigned i = 0; i < from->n; i++) {
		const struct keyval *pair = &from->list[i];

		keyval_add(&kv, pair->key, pair->type,
			   has_fds(pair->key) ? names_of(ctl, plug, pair->text) : pair->text);
	}
	return keyval_json(&kv);
}

const char *plug_device(struct ctl *ctl, const struct plug *plug)
{
	const struct keyvals *from = &plug->np->device_words;
	struct keyvals kv = { .mem = ctl->mem };

	if (!plug->np->nic->has_device)
		return NULL;
	for (unsigned i = 0; i < from->n; i++)
		keyval_add(&kv, from->list[i].key, from->list[i].type, from->list[i].text);
	if (!keyval_find(&kv, "id"))
		keyval_text(&kv, "id", plug->np->nic->id);
	if (plug->bus)
		keyval_text(&kv, "bus", plug->bus);
	return keyval_json(&kv);
}

static const char *device_id(const struct plug *plug)
{
	const struct keyval *id = keyval_find(&plug->np->device_words, "id");

	return id ? id->text : plug->np->nic->id;
}

/* {"KEY":"VALUE"} of a value that is an id or a name of ours. */
static const char *one(struct ctl *ctl, const char *key, const char *value)
{
	struct keyvals kv = { .mem = ctl->mem };

	keyval_text(&kv, key, value);
	return keyval_json(&kv);
}

/* --- in --------------------------------------------------------------------------------------- */

static int step(struct qmp *q, const struct plug *plug, const char *command, const char *arguments,
		int fd)
{
	const enum qmp_result result = qmp_run(q, command, arguments, fd, NULL);

	if (result == QMP_REFUSED)
		(void)diag_add(q->ctl->ds, DIAG_QMP_ERROR, 0, plug->np->nic->at, q->path,
			       "%s: QEMU says: %s", command, q->error);
	return result == QMP_DONE ? 0 : -1;
}

static int send_fds(struct qmp *q, struct plug *plug, const struct plan *plan, const int *fds)
{
	for (unsigned i = 0; i < plan->n_slots; i++) {
		const struct slot *slot = &plan->slots[i];

		if (&plan->nics[slot->nic] != plug->np)
			continue;
		plug->sent++;
		if (step(q, plug, "getfd",
			 one(q->ctl, "fdname", fd_name(q->ctl, plug, slot->fd)), fds[i]) < 0)
			return -1;
	}
	return 0;
}

static int plug_in(struct qmp *q, struct plug *plug, const struct plan *plan, const int *fds)
{
	const char *device = plug_device(q->ctl, plug);

	if (send_fds(q, plug, plan, fds) < 0)
		return -1;
	plug->failed = true;
	if (step(q, plug, "netdev_add", plug_netdev(q->ctl, plug), -1) < 0)
		return -1;
	plug->failed = false;
	plug->netdev = true;
	if (device && step(q, plug, "device_add", device, -1) < 0)
		return -1;
	plug->device = device != NULL;
	return 0;
}

/* --- and back --------------------------------------------------------------------------------- */

static void left(struct qmp *q, const struct plug *plug, const char *what, const char *hint)
{
	(void)diag_add(q->ctl->ds, DIAG_ATTACH_LEFT, 0, plug->np->nic->at, q->path, "%s", what);
	if (hint)
		diag_hint(q->ctl->ds, "%s", hint);
}

/* The guest has to release a device; only then its netdev goes. */
static bool device_out(struct qmp *q, const struct plug *plug)
{
	const char *id = device_id(plug);

	q->awaited = id;
	q->deleted = false;
	if (qmp_run(q, "device_del", one(q->ctl, "id", id), -1, NULL) == QMP_DONE &&
	    qmp_wait_deleted(q))
		return true;
	left(q, plug,
	     arena_printf(q->ctl->mem, "device %s stays in the guest, which did not release it "
			  "within %d s; so does its netdev", id, UNDO_SECONDS),
	     arena_printf(q->ctl->mem, "device_del %s, and after its end netdev_del %s", id,
			  plug->np->nic->id));
	return false;
}

static void names_out(struct qmp *q, const struct plug *plug, const struct plan *plan)
{
	unsigned taken = 0;

	for (unsigned i = 0; i < plan->n_slots; i++) {
		const struct slot *slot = &plan->slots[i];
		enum qmp_result result;

		if (&plan->nics[slot->nic] != plug->np)
			continue;
		result = qmp_run(q, "closefd",
				 one(q->ctl, "fdname", fd_name(q->ctl, plug, slot->fd)), -1, NULL);
		if (result == QMP_BROKEN)
			return;
		taken += result == QMP_REFUSED;
	}
	if (plug->failed && taken > 0 && q->major < 11)
		left(q, plug, arena_printf(q->ctl->mem, "QEMU %u.%u may keep %u descriptors of the "
					   "netdev_add that failed until it ends", q->major,
					   q->minor, taken), NULL);
}

static void plug_out(struct qmp *q, const struct plug *plug, const struct plan *plan)
{
	if (plug->device && !device_out(q, plug))
		return;
	if (plug->netdev &&
	    qmp_run(q, "netdev_del", one(q->ctl, "id", plug->np->nic->id), -1, NULL) ==
		    QMP_REFUSED)
		left(q, plug, arena_printf(q->ctl->mem, "netdev %s stays: QEMU says: %s",
					   plug->np->nic->id, q->error), NULL);
	if (plug->sent > 0 && !plug->netdev)
		names_out(q, plug, plan);
}

/* The monitor does not answer any more: what QEMU was told before that cannot be taken back. */
static void say_broken(struct qmp *q, const struct plug *plug)
{
	const char *id = plug->np->nic->id;

	if (plug->sent == 0)
		return;
	left(q, plug,
	     plug->device ? arena_printf(q->ctl->mem, "device and netdev %s are in the guest", id)
	     : plug->netdev
		     ? arena_printf(q->ctl->mem, "netdev %s is in QEMU, and its device may be", id)
		     : arena_printf(q->ctl->mem, "QEMU may have descriptors named handoff-%s-*%s",
				    id, plug->failed ? ", or netdev and all" : ""),
	     "info network and closefd of a monitor that answers");
}

static void undo(struct qmp *q, struct plug *plugs, unsigned n, const struct plan *plan)
{
	q->seconds = UNDO_SECONDS;
	while (n-- > 0) {
		q->deadline = deadline_in(UNDO_SECONDS * 1000);
		if (!q->broken)
			plug_out(q, &plugs[n], plan);
		if (q->broken)
			say_broken(q, &plugs[n]);
	}
}

int plug_all(struct qmp *q, struct plug *plugs, unsigned n, const struct plan *plan,
	     const int *fds)
{
	for (unsigned i = 0; i < n; i++) {
		if (plug_in(q, &plugs[i], plan, fds) == 0)
			continue;
		undo(q, plugs, i + 1, plan);
		return -1;
	}
	return 0;
}
