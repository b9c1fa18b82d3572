/*
 * writeout.c - write a text to a descriptor
 *
 * Standard error and the report's descriptor are the caller's. Its reader may have gone: SIGPIPE
 * would end this process without a word and with no exit status of ours. Or it is a pipe that does
 * not block.
 */
#include "config.h"

#include "sys/writeout.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int write_all(int fd, const char *text)
{
	struct pollfd pfd = { .fd = fd, .events = POLLOUT };
	size_t len = strlen(text);

	while (len > 0) {
		const ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EAGAIN)
			(void)poll(&pfd, 1, -1);
		else if (n < 0 && errno != EINTR)
			return errno;
		if (n > 0) {
			text += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

int writeout(int fd, const char *text)
{
	void (*const before)(int) = signal(SIGPIPE, SIG_IGN);
	const int err = write_all(fd, text);

	if (before != SIG_ERR)
		(void)signal(SIGPIPE, before);
	return err;
}
