/*
 * sockets.c - the socket of a vhost-user backend against the host
 *
 * QEMU may get other ids than ours: what those may do is not to be told from here.
 */
#include "config.h"

#include "mode/sockets.h"

#include <errno.h>

static int missing(const struct where *at, const struct spot *spot, const char *what,
		   struct diags *ds)
{
	return diag_add(ds, spot->err == EACCES ? DIAG_SOCKET_ACCESS : DIAG_SOCKET_MISSING,
			spot->err, at, spot->path, "%s", what);
}

/* In another network namespace somebody may listen: it is not certain. */
static void warn_stale(const struct where *at, const struct spot *sock, bool reconnects,
		       struct diags *ds)
{
	(void)diag_add(ds, DIAG_SOCKET_STALE, 0, at, sock->path,
		       "no process of this network namespace listens on it: %s",
		       reconnects ? "QEMU waits until one does" : "QEMU cannot connect and exits");
	diag_hint(ds, "start the switch first");
}

int socket_connects(const struct facts *facts, const struct where *at, const struct spot *sock,
		    bool reconnects, struct diags *ds)
{
	if (sock->err != 0)
		return missing(at, sock, "the switch is to listen on this socket", ds);
	if (!sock->right_kind)
		return diag_add(ds, DIAG_SOCKET_NOT_SOCKET, 0, at, sock->path, "not a socket");
	if (sock->access_err != 0 && !facts->ids.wanted)
		return diag_add(ds, DIAG_SOCKET_ACCESS, sock->access_err, at, sock->path,
				"uid %u must be able to write to it to connect", facts->uid);
	if (sock->listens == LISTENS_NO)
		warn_stale(at, sock, reconnects, ds);
	return 0;
}

/* QEMU removes what has the name (util/qemu-sockets.c, unix_listen_saddr()). */
int socket_listens(const struct facts *facts, const struct where *at, const struct spot *sock,
		   const struct spot *dir, struct diags *ds)
{
	if (dir->err != 0)
		return missing(at, dir, "QEMU is to make its socket in this directory", ds);
	if (!dir->right_kind)
		return diag_add(ds, DIAG_SOCKET_MISSING, ENOTDIR, at, dir->path,
				"QEMU is to make its socket in this directory");
	if (dir->access_err != 0 && !facts->ids.wanted)
		return diag_add(ds, DIAG_SOCKET_ACCESS, dir->access_err, at, dir->path,
				"uid %u must be able to write to it to make a socket", facts->uid);
	if (sock->err == 0 && !sock->right_kind)
		return diag_add(ds, DIAG_SOCKET_NOT_SOCKET, 0, at, sock->path,
				"not a socket: QEMU would remove it to make its own");
	if (sock->err != 0 || sock->listens != LISTENS_YES)
		return 0;
	return diag_add(ds, DIAG_SOCKET_IN_USE, 0, at, sock->path,
			"another process listens on it: QEMU would take the name from it");
}
