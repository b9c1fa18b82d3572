/*
 * helper.c - run qemu-bridge-helper
 *
 * The helper gets one end of a socket pair as a descriptor number, an empty environment, /dev/null
 * on 0 and 1 and a pipe on 2, and nothing else of ours or of the caller's. It makes a TAP, puts it
 * into the bridge and sends one byte with one descriptor (qemu-bridge-helper.c, the same from QEMU
 * 7.2 to 11.1). That the TAP is there and in the bridge is verified. A helper that exceeds its time
 * limit is killed; it is always waited for.
 */
#include "config.h"

#include "act/helper.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/if_tun.h>

#include "sys/bridgeport.h"
#include "sys/child.h"
#include "sys/fd.h"
#include "sys/rights.h"

enum {
	HELPER_SECONDS = 10, /* it makes four system calls, one of which a udev rule may delay */
	MESSAGES_MAX = 4,    /* examined: exactly one is expected */
};

struct run {
	const struct nic_plan *np;
	struct diags *ds;
	int socket; /* our end */
	struct child child;
	struct rights received;		/* descriptors it sent */
	unsigned n_messages;
	bool rubbish;			/* a message that is not one zero byte */
};

static int failed(const struct run *r, enum diag_id id, int err, const char *what)
{
	return diag_add(r->ds, id, err, KEY(r->np->nic->at, "bridge"), r->np->facts->helper.path,
			"%s", what);
}

/* --- run -------------------------------------------------------------------------------------- */

static int start(struct run *r)
{
	char br[32], fd[16], name[] = "qemu-bridge-helper", vnet[] = "--use-vnet";
	char *const argv[] = { name, vnet, fd, br, NULL };
	struct child_start how = { .path = r->np->facts->helper.path,
				   .argv = argv,
				   .cwd = -1,
				   .seconds = HELPER_SECONDS };
	int pair[2], err;

	(void)snprintf(br, sizeof(br), "--br=%s", r->np->nic->bridge);
	(void)snprintf(fd, sizeof(fd), "--fd=%d", CHILD_FD);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return failed(r, DIAG_CALL_FAILED, errno, "could not make a socket pair for the "
							  "helper");
	r->socket = pair[0];
	how.give = pair[1];
	err = child_start(&r->child, &how);
	(void)close(pair[1]);
	return err ? failed(r, DIAG_HELPER_FAILED, err, "it could not be started") : 0;
}

/* One message that is waiting in the socket; false if there is none. */
static bool receive(struct run *r)
{
	char byte[16] = { 1 };
	const ssize_t n = rights_receive(r->socket, byte, sizeof(byte), MSG_DONTWAIT,
					 &r->received);

	if (n <= 0)
		return false;
	r->n_messages++;
	r->rubbish |= n != 1 || byte[0] != 0 || r->received.cut;
	return true;
}

/* --- judge ------------------------------------------------------------------------------------ */

static const char *first_line(struct run *r)
{
	r->child.said[strcspn(r->child.said, "\n")] = '\0';
	return r->child.said[0] ? r->child.said : "no message";
}

static int said(const struct run *r, enum diag_id id, const char *line, const char *how)
{
	return diag_add(r->ds, id, 0, KEY(r->np->nic->at, "bridge"), r->np->facts->helper.path,
			"%s: %s", how, line);
}

static int judge_exit(struct run *r)
{
	/*
	 * a line of the list that it cannot read is reported on a line of its own, before the error
	 */
	const bool denied = strstr(r->child.said, "access denied by acl file"),
		   acl = strstr(r->child.said, "acl file");
	const char *line = first_line(r);
	char how[64];

	if (WIFSIGNALED(r->child.status)) {
		(void)snprintf(how, sizeof(how), "it was killed by signal %d",
			       WTERMSIG(r->child.status));
		return said(r, DIAG_HELPER_FAILED, line, how);
	}
	(void)snprintf(how, sizeof(how), "it ended with status %d", WEXITSTATUS(r->child.status));
	if (denied) {
		(void)said(r, DIAG_ACL_DENIED, line, how);
		diag_hint(r->ds, "allow the bridge '%s' in the helper's access list",
			  r->np->nic->bridge);
		return -1;
	}
	if (acl) {
		(void)said(r, DIAG_ACL_UNREADABLE, line, how);
		diag_hint(r->ds, "create or correct the helper's access list, and let uid %u read "
				 "it",
			  (unsigned)geteuid());
		return -1;
	}
	if (strstr(line, "Operation not permitted")) {
		(void)said(r, DIAG_HELPER_NOT_PRIVILEGED, line, how);
		if (!r->np->facts->helper.setuid_root && !r->np->facts->helper.net_admin)
			diag_hint(r->ds, "chmod u+s %s",
				  diag_word(r->ds, r->np->facts->helper.path));
		return -1;
	}
	return said(r, DIAG_HELPER_FAILED, line, how);
}

static int judge(struct run *r)
{
	if (r->child.timed_out)
		return diag_add(r->ds, DIAG_HELPER_TIMEOUT, 0, KEY(r->np->nic->at, "bridge"),
				r->np->facts->helper.path, "not finished after %d s, so it was "
							   "killed: %s",
				HELPER_SECONDS, first_line(r));
	if (!WIFEXITED(r->child.status) || WEXITSTATUS(r->child.status) != 0)
		return judge_exit(r);
	if (r->rubbish)
		return failed(r, DIAG_HELPER_PROTOCOL, 0,
			      "it sent something other than one zero byte");
	if (r->received.n != 1 || r->n_messages != 1)
		return diag_add(r->ds, DIAG_HELPER_PROTOCOL, 0, KEY(r->np->nic->at, "bridge"),
				r->np->facts->helper.path,
				"it sent %u descriptors in %u messages; one descriptor in one "
				"message is expected",
				r->received.n, r->n_messages);
	return 0;
}

/* What it sent must be a TAP with the flags that QEMU needs: the helper sets them, not we. */
static int check_tap(const struct run *r, int fd)
{
	const int want = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
	struct ifreq ifr = { 0 };

	if (ioctl(fd, TUNGETIFF, &ifr) < 0)
		return failed(r, DIAG_HELPER_PROTOCOL, errno,
			      "the descriptor it sent is not a TAP");
	if ((ifr.ifr_flags & want) != want)
		return failed(r, DIAG_HELPER_PROTOCOL, 0,
			      "the TAP it sent has no vnet_hdr, or has packet information");
	return 0;
}

/* It dies with its last descriptor, so one that is elsewhere leaves nothing. */
static int check_port(const struct run *r, int fd)
{
	const char *bridge = r->np->nic->bridge;
	struct ifreq ifr = { 0 };
	bool is_port = false;
	int err = ioctl(fd, TUNGETIFF, &ifr) < 0 ? errno : 0;

	err = err ? err : bridgeport_is(bridge, ifr.ifr_name, &is_port);
	if (err == 0 && is_port)
		return 0;
	return diag_add(r->ds, DIAG_HELPER_PROTOCOL, err, KEY(r->np->nic->at, "bridge"),
			r->np->facts->helper.path,
			"the TAP '%.15s' that it sent is no port of '%s'", ifr.ifr_name, bridge);
}

/* The received descriptor, checked and taken out of r; -1 after a diag. */
static int talk(struct run *r)
{
	if (start(r) < 0)
		return -1;
	child_wait(&r->child);
	/* the socket keeps what was sent; no helper needs more than a few messages */
	for (unsigned i = 0; i < MESSAGES_MAX && receive(r); i++)
		;
	if (judge(r) < 0 || check_tap(r, r->received.fd[0]) < 0 ||
	    check_port(r, r->received.fd[0]) < 0)
		return -1;
	return fd_take(&r->received.fd[0]);
}

static int run_one(const struct plan *plan, const struct slot *slot, struct opened *opened,
		   struct diags *ds)
{
	struct run r = {
		.np = &plan->nics[slot->nic], .ds = ds, .socket = -1
	};
	int fd;

	fd = talk(&r);
	/* before the descriptor is kept: one of these may have its planned number */
	rights_close(&r.received);
	fd_close(&r.socket);
	return fd < 0 ? -1 : open_adopt(plan, slot, fd, opened, ds);
}

int helper_run(const struct plan *plan, struct opened *opened, struct diags *ds)
{
	for (unsigned i = 0; i < plan->n_slots; i++)
		if (plan->slots[i].way == WAY_HELPER &&
		    run_one(plan, &plan->slots[i], opened, ds) < 0)
			return -1;
	return 0;
}
