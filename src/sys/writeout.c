/*
 * writeout.c - write to a descriptor
 *
 * Standard error and the report's descriptor are the caller's. Its reader may have gone, or there
 * may be a limit on the size of files: SIGPIPE and SIGXFSZ would silently end this process and with
 * no exit status of ours. Or its reader does not read: a descriptor that blocks cannot be made not
 * to, because its flags are shared with the caller. So it is asked whether there is room, and gets
 * no more than a pipe with room takes at once.
 */
#include "config.h"

#include "sys/writeout.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/deadline.h"

struct out {
	int fd;
	bool socket;	/* one that takes whole messages gets the data in one */
	bool timed;
	struct deadline deadline;
};

/* Until there is room. False: the time is up. */
static bool wait_room(const struct out *out)
{
	struct pollfd pfd = { .fd = out->fd, .events = POLLOUT };
	int n;

	do
		n = poll(&pfd, 1, out->timed ? deadline_left(&out->deadline) : -1);
	while (n < 0 && errno == EINTR);
	/* what cannot be polled is written to: that says why */
	return n != 0;
}

static ssize_t write_some(const struct out *out, const char *data, size_t len)
{
	if (out->socket)
		return send(out->fd, data, len, MSG_DONTWAIT);
	return write(out->fd, data, out->timed && len > PIPE_BUF ? PIPE_BUF : len);
}

static int write_all(const struct out *out, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n;

		if (out->timed && !wait_room(out))
			return ETIMEDOUT;
		n = write_some(out, data, len);
		if (n < 0 && errno == EAGAIN && !wait_room(out))
			return ETIMEDOUT;
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return errno;
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

int writeout_bytes(int fd, const void *data, size_t len, unsigned milliseconds)
{
	static const int signals[] = { SIGPIPE, SIGXFSZ };
	void (*before[2])(int);
	struct out out = { .fd = fd, .timed = milliseconds != WRITEOUT_PATIENT };
	struct stat st;
	int err;

	if (out.timed)
		out.deadline = deadline_in(milliseconds);
	out.socket = out.timed && fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode);
	for (unsigned i = 0; i < 2; i++)
		before[i] = signal(signals[i], SIG_IGN);
	err = write_all(&out, data, len);
	for (unsigned i = 0; i < 2; i++)
		if (before[i] != SIG_ERR)
			(void)signal(signals[i], before[i]);
	return err;
}

int writeout(int fd, const char *text, unsigned milliseconds)
{
	return writeout_bytes(fd, text, strlen(text), milliseconds);
}
