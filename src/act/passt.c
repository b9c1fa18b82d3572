/*
 * passt.c - start passt
 *
 * A stream (starter.c): passt gets one end of a socket pair and ends when the other end is closed,
 * whether by us, by QEMU or by SIGKILL, and also if that happens while passt starts. passt makes a
 * session of its own and leaves our process group, so a terminal's signals for QEMU's group do not
 * reach it.
 *
 * vhost-user: keeper.c.
 *
 * passt has nothing else of ours: the release of Debian 12 keeps every descriptor it inherits open,
 * and with it a queue of a macvtap.
 */
#include "config.h"

#include "act/passt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "act/keeper.h"
#include "act/starter.h"
#include "facts/passt_said.h"
#include "sys/child.h"
#include "sys/tryport.h"

enum { PASST_SECONDS = 10 }; /* 20 ms are usual; it looks up addresses and routes, and no names */

struct run {
	const struct nic_plan *np;
	struct diags *ds;
};

/* --- what it said ----------------------------------------------------------------------------- */

/*
 * Lines that do not say what went wrong; passt prints the first two if there is no system logger.
 */
static bool is_noise(const char *line)
{
	static const char *const noise[] = {
		"Failed to send ",
		"Don't run as root",
		"Started as root, will change to nobody",
		"Multiple default ",
		"No external routable interface for IPv6",
		"No routable interface for IPv6",
		"No IPv6 nameserver available",
	};

	for (unsigned i = 0; i < ARRAY_LEN(noise); i++)
		if (strncmp(line, noise[i], strlen(noise[i])) == 0)
			return true;
	return line[0] == '\0';
}

struct said {
	struct child *child;
};

/* Its lines joined, up to where it begins to explain its options. */
static void render_said(struct str *s, const void *arg)
{
	const struct said *said = arg;
	const char *line = said->child->said;

	while (*line && strncmp(line, "Usage:", strlen("Usage:")) != 0) {
		const size_t len = strcspn(line, "\n");

		if (!is_noise(line)) {
			str_put(s, "%s", s->len > 0 ? "; " : "");
			str_bytes(s, line, len);
		}
		line += len + (line[len] == '\n');
	}
}

/* --- judge ------------------------------------------------------------------------------------ */

/* What keeps these ids from a port that it was to listen on; 0: nothing, or no port is known. */
static int try_ports(const struct nic_plan *np)
{
	int err = 0;

	for (unsigned i = 0; i < np->n_listens && err == 0; i++)
		for (unsigned port = np->listens[i].first;
		     port != 0 && port <= np->listens[i].last && err == 0; port++)
			err = tryport(np->listens[i].udp, np->listens[i].address, port);
	return err;
}

static int not_ready(const struct run *r, struct child *child)
{
	const struct where *at = r->np->nic->at;
	const char *program = r->np->facts->passt.path;
	const struct said said = { .child = child };
	const char *text = str_make(r->ds->mem, render_said, &said);
	struct passt_meaning meaning;

	if (!text[0])
		text = "no message";
	if (child->timed_out)
		return diag_add(r->ds, DIAG_PASST_TIMEOUT, 0, at, program,
				"not ready after %d s, so it was killed: %s", PASST_SECONDS, text);
	if (WIFSIGNALED(child->status))
		return diag_add(r->ds,
				WTERMSIG(child->status) == SIGKILL ? DIAG_PASST_RESOURCES
								   : DIAG_PASST_FAILED,
				0, at, program, "it was killed by signal %d: %s",
				WTERMSIG(child->status), text);
	meaning = passt_meaning(text, passt_hides_reason(text) ? try_ports(r->np) : 0);
	(void)diag_add(r->ds, meaning.id, 0, at, program, "it ended with status %d: %s",
		       WEXITSTATUS(child->status), text);
	if (meaning.hint)
		diag_hint(r->ds, "%s", meaning.hint);
	return -1;
}

/* Is it the host that has no room at the moment? */
static bool may_pass(int err)
{
	return err == EAGAIN || err == ENOMEM || err == EMFILE || err == ENFILE || err == ETXTBSY;
}

static int failed(const struct run *r, int err, const char *what)
{
	return diag_add(r->ds, may_pass(err) ? DIAG_PASST_RESOURCES : DIAG_PASST_FAILED, err,
			r->np->nic->at, r->np->facts->passt.path, "%s", what);
}

/* --- start ------------------------------------------------------------------------------------ */

/* Our end of the socket pair, or -1 after a diag. */
static int start_stream(const struct run *r, int *ret_pid)
{
	struct child_start how = { .path = r->np->facts->passt.path,
				   .argv = r->np->passt,
				   .cwd = -1,
				   .session = true,
				   .seconds = PASST_SECONDS };
	struct starter_result result = { 0 };
	int pair[2], err;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return diag_add(r->ds, DIAG_CALL_FAILED, errno, r->np->nic->at, "socketpair",
				"no socket pair for passt");
	how.give = pair[1];
	err = starter_run(&how, pair[0], &result);
	(void)close(pair[1]);
	if (err != 0)
		(void)diag_add(r->ds, DIAG_CALL_FAILED, err, r->np->nic->at, "fork",
			       "no process to start passt");
	else if (result.err != 0)
		(void)failed(r, result.err, "it could not be started");
	else if (result.child.timed_out || result.child.status != 0)
		(void)not_ready(r, &result.child);
	else {
		*ret_pid = (int)result.pid;
		return pair[0];
	}
	(void)close(pair[0]);
	return -1;
}

/* Its socket and the lifeline, or -1 after a diag. */
static int start_kept(const struct plan *plan, const struct run *r, int *ret_socket,
		      int *ret_lifeline, int *ret_pid)
{
	const struct keeper_wish wish = { .program = r->np->facts->passt.path,
					  .argv = r->np->passt,
					  .socket = r->np->passt_socket,
					  .pid = r->np->passt_pid,
					  .base = plan->facts->runtime_dir.path,
					  .base_dev = plan->facts->runtime_dir.dev,
					  .base_ino = plan->facts->runtime_dir.ino,
					  .seconds = PASST_SECONDS };
	struct keeper_result result;

	if (keeper_run(&wish, ret_socket, ret_lifeline, &result) == 0) {
		*ret_pid = (int)result.pid;
		return 0;
	}
	switch (result.stage) {
	case KEEPER_DIR:
		return diag_add(r->ds, DIAG_RUNTIME_DIR, result.err, KEY(NULL, "runtime_dir"),
				wish.base, "could not create a private directory in it");
	case KEEPER_START:
		return failed(r, result.err, "it could not be started");
	case KEEPER_PASST:
		return not_ready(r, &result.child);
	case KEEPER_FILES:
		return failed(r, result.err,
			      "it reports that it is ready, but its process or its socket does not "
			      "exist");
	case KEEPER_CONFINE:
		return diag_add(r->ds, DIAG_CONFINE_FAILED, result.err, r->np->nic->at,
				result.fault.call, "passt's keeper could not be confined");
	case KEEPER_NONE:
	case KEEPER_READY:
		break;
	}
	return diag_add(r->ds, DIAG_CALL_FAILED, result.err, r->np->nic->at, "fork",
			"could not start the process that ends passt when QEMU exits");
}

static const struct slot *slot_of(const struct plan *plan, int fd)
{
	const struct slot *slot = plan->slots;

	while (slot->fd != fd)
		slot++;
	return slot;
}

static int run_one(const struct plan *plan, const struct slot *slot, struct opened *opened,
		   struct diags *ds)
{
	const struct run r = { .np = &plan->nics[slot->nic], .ds = ds };
	int fd = -1, lifeline = -1, *ret_pid = &opened->passt_pids[slot->nic];

	if (slot->kind == SLOT_PASST) {
		fd = start_stream(&r, ret_pid);
		if (fd < 0)
			return -1;
	} else {
		if (start_kept(plan, &r, &fd, &lifeline, ret_pid) < 0)
			return -1;
		open_give(plan, slot_of(plan, r.np->lifeline), lifeline, opened);
	}
	open_give(plan, slot, fd, opened);
	return 0;
}

int passt_run(const struct plan *plan, struct opened *opened, struct diags *ds)
{
	for (unsigned i = 0; i < plan->n_slots; i++)
		if ((plan->slots[i].kind == SLOT_PASST ||
		     plan->slots[i].kind == SLOT_PASST_SOCKET) &&
		    run_one(plan, &plan->slots[i], opened, ds) < 0)
			return -1;
	return 0;
}
