/*
 * qmp.c - a client of QEMU's monitor (docs/interop/qmp-spec.rst of QEMU)
 *
 * Messages are found by their braces, because a monitor with pretty=on breaks them into lines. A
 * monitor serves one client: the next one is connected, and gets no greeting until the first one
 * leaves.
 */
#include "config.h"

#include "ctl/qmp.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "desc/json.h"
#include "sys/fd.h"
#include "sys/rights.h"

__attribute__((format(printf, 4, 5)))
static int broken(struct qmp *q, enum diag_id id, int err, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	q->broken = true;
	return diag_add(q->ctl->ds, id, err, NULL, q->path, "%s", text);
}

/* --- bytes ------------------------------------------------------------------------------------ */

static int wait_for(struct qmp *q, short events)
{
	struct pollfd p = { .fd = q->fd, .events = events };
	int left, n = 0;

	/* a peer that never stops sending does not move the deadline */
	do {
		left = deadline_left(&q->deadline);
		n = left > 0 ? poll(&p, 1, left) : 0;
	} while (n < 0 && errno == EINTR);
	if (n > 0)
		return 0;
	if (n < 0)
		return broken(q, DIAG_CALL_FAILED, errno, "poll");
	if (q->waits)
		return -1;
	if (q->major != 0)
		return broken(q, DIAG_QMP_SILENT, 0, "QEMU does not answer within %u s",
			      q->seconds);
	(void)broken(q, DIAG_QMP_SILENT, 0, "no greeting within %u s", q->seconds);
	diag_hint(q->ctl->ds, "end the client that has this monitor, or use another monitor");
	return -1;
}

static int send_all(struct qmp *q, const char *text, int fd)
{
	for (size_t left = strlen(text); left > 0;) {
		/* in pieces, so that a socket that is full takes part of a long message */
		const size_t part = left < 4096 ? left : 4096;
		int err;

		if (wait_for(q, POLLOUT) < 0)
			return -1;
		err = rights_send(q->fd, text, part, fd);
		if (err == EAGAIN || err == EINTR)
			continue;
		if (err)
			return broken(q, DIAG_QMP_BAD, err, "the monitor cannot be written to");
		fd = -1;
		text += part;
		left -= part;
	}
	return 0;
}

static int read_more(struct qmp *q)
{
	ssize_t n;

	if (q->have == QMP_MESSAGE_MAX)
		return broken(q, DIAG_QMP_BAD, 0, "a message of more than %d bytes",
			      QMP_MESSAGE_MAX);
	if (wait_for(q, POLLIN) < 0)
		return -1;
	n = read(q->fd, q->buf + q->have, QMP_MESSAGE_MAX - q->have);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n < 0 && errno != ECONNRESET)
		return broken(q, DIAG_QMP_BAD, errno, "the monitor cannot be read");
	if (n <= 0)
		return broken(q, DIAG_QMP_BAD, 0, "the monitor was closed by its owner");
	q->have += (size_t)n;
	return 0;
}

/* --- messages --------------------------------------------------------------------------------- */

/* The next message, for cJSON_Delete(), or NULL after a diag. */
static cJSON *next(struct qmp *q)
{
	cJSON *ret;

	for (;;) {
		q->scanned += scan_feed(&q->scan, q->buf + q->scanned, q->have - q->scanned);
		if (q->scan.done || q->scan.not_object)
			break;
		if (read_more(q) < 0)
			return NULL;
	}
	ret = q->scan.not_object ? NULL : json_parse(q->ctl->mem, q->buf, q->scanned, NULL);
	if (!ret) {
		(void)broken(q, DIAG_QMP_BAD, 0, "what it sends is not QMP");
		diag_hint(q->ctl->ds, "-qmp unix:PATH,server=on,wait=off makes a monitor");
		return NULL;
	}
	q->have -= q->scanned;
	memmove(q->buf, q->buf + q->scanned, q->have);
	q->scanned = 0;
	q->scan = (struct scan){ 0 };
	return ret;
}

static const cJSON *member(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

static bool is_text(const cJSON *item, const char *text)
{
	return cJSON_IsString(item) && strcmp(item->valuestring, text) == 0;
}

static void note_event(struct qmp *q, const cJSON *message)
{
	if (q->awaited && is_text(member(message, "event"), "DEVICE_DELETED") &&
	    is_text(member(member(message, "data"), "device"), q->awaited))
		q->deleted = true;
}

static bool is_answer(const struct qmp *q, const cJSON *message)
{
	const cJSON *id = member(message, "id");

	return cJSON_IsNumber(id) && id->valuedouble == q->id;
}

static enum qmp_result take_answer(struct qmp *q, cJSON *message, cJSON **ret)
{
	cJSON *value = cJSON_DetachItemFromObjectCaseSensitive(message, "return");
	const cJSON *text = member(member(message, "error"), "desc");

	if (value && ret)
		*ret = value;
	else
		cJSON_Delete(value);
	if (value)
		return QMP_DONE;
	q->error = arena_str(q->ctl->mem, cJSON_IsString(text) ? text->valuestring : "no reason");
	return QMP_REFUSED;
}

enum qmp_result qmp_run(struct qmp *q, const char *command, const char *arguments, int fd,
			cJSON **ret)
{
	const char *text = arena_printf(q->ctl->mem, "{\"execute\":\"%s\"%s%s,\"id\":%u}\n",
					command, arguments ? ",\"arguments\":" : "",
					arguments ? arguments : "", ++q->id);

	if (q->broken || send_all(q, text, fd) < 0)
		return QMP_BROKEN;
	for (;;) {
		enum qmp_result result;
		cJSON *message = next(q);

		if (!message)
			return QMP_BROKEN;
		note_event(q, message);
		if (is_answer(q, message)) {
			result = take_answer(q, message, ret);
			cJSON_Delete(message);
			return result;
		}
		cJSON_Delete(message);
	}
}

int qmp_ask(struct qmp *q, const char *command, const char *arguments, cJSON **ret)
{
	const enum qmp_result result = qmp_run(q, command, arguments, -1, ret);

	if (result == QMP_REFUSED)
		(void)diag_add(q->ctl->ds, DIAG_QMP_ERROR, 0, NULL, q->path, "%s: QEMU says: %s",
			       command, q->error);
	return result == QMP_DONE ? 0 : -1;
}

bool qmp_wait_deleted(struct qmp *q)
{
	cJSON *message;

	q->waits = true;
	while (!q->deleted && (message = next(q))) {
		note_event(q, message);
		cJSON_Delete(message);
	}
	q->waits = false;
	return q->deleted;
}

/* --- the start -------------------------------------------------------------------------------- */

/* In a directory that others write to, somebody else's socket could take this one's place. */
static int rule_directory(struct ctl *ctl, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *dir = !slash	  ? "."
			  : slash == path ? "/"
					  : arena_strn(ctl->mem, path, (size_t)(slash - path));
	struct stat st;

	if (stat(dir, &st) < 0)
		return diag_add(ctl->ds, DIAG_QMP_SOCKET, errno, NULL, dir,
				"the monitor's directory cannot be reached");
	if (!(st.st_mode & (S_IWGRP | S_IWOTH)) || (st.st_mode & S_ISVTX))
		return 0;
	(void)diag_add(ctl->ds, DIAG_QMP_SOCKET, 0, NULL, dir,
		       "others than its owner may write it (mode %04o)",
		       (unsigned)st.st_mode & 07777);
	diag_hint(ctl->ds, "chmod go-w %s", diag_word(ctl->ds, dir));
	return -1;
}

static int rule_peer(struct qmp *q, const struct qmp_trust *trust)
{
	struct ucred peer = { 0 };
	socklen_t len = sizeof(peer);

	if (getsockopt(q->fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) < 0)
		return broken(q, DIAG_CALL_FAILED, errno, "SO_PEERCRED");
	if (peer.uid == 0 || peer.uid == geteuid() ||
	    (trust->has_user && peer.uid == trust->user))
		return 0;
	(void)broken(q, DIAG_QMP_SOCKET, 0,
		     "process %d of uid %u listens here: neither root, nor the caller%s",
		     (int)peer.pid, (unsigned)peer.uid,
		     trust->has_user ? ", nor \"user\" of the descriptor" : "");
	if (!trust->has_user)
		diag_hint(q->ctl->ds, "give the user of the guest as \"user\"");
	return -1;
}

static int connect_to(struct qmp *q)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	if (strlen(q->path) >= sizeof(address.sun_path))
		return broken(q, DIAG_QMP_SOCKET, ENAMETOOLONG,
			      "a socket's path has at most %zu bytes",
			      sizeof(address.sun_path) - 1);
	memcpy(address.sun_path, q->path, strlen(q->path));
	q->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (q->fd < 0)
		return broken(q, DIAG_CALL_FAILED, errno, "socket");
	if (connect(q->fd, (const struct sockaddr *)&address, sizeof(address)) == 0)
		return 0;
	if (errno == EAGAIN)
		return broken(q, DIAG_QMP_SILENT, 0, "other clients wait for this monitor already");
	return broken(q, DIAG_QMP_SOCKET, errno, "no monitor can be reached");
}

static unsigned number_of(const cJSON *item)
{
	return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < 1000
		       ? (unsigned)item->valuedouble
		       : 0;
}

static int greet(struct qmp *q)
{
	cJSON *greeting = next(q);
	const cJSON *version;

	if (!greeting)
		return -1;
	version = member(member(member(greeting, "QMP"), "version"), "qemu");
	q->major = number_of(member(version, "major"));
	q->minor = number_of(member(version, "minor"));
	cJSON_Delete(greeting);
	if (q->major == 0)
		return broken(q, DIAG_QMP_BAD, 0, "its greeting is not that of a QEMU");
	return qmp_ask(q, "qmp_capabilities", NULL, NULL);
}

int qmp_open(struct ctl *ctl, const char *path, const struct qmp_trust *trust, unsigned seconds,
	     struct qmp *ret)
{
	*ret = (struct qmp){ .ctl = ctl,
			     .path = path,
			     .fd = -1,
			     .seconds = seconds,
			     .deadline = deadline_in(seconds * 1000) };
	if (rule_directory(ctl, path) < 0)
		return -1;
	ret->buf = arena_get(ctl->mem, QMP_MESSAGE_MAX);
	if (connect_to(ret) == 0 && rule_peer(ret, trust) == 0 && greet(ret) == 0)
		return 0;
	fd_close(&ret->fd);
	return -1;
}
