/* rights.h - descriptors that are passed over a Unix socket (SCM_RIGHTS) */
#ifndef QH_SYS_RIGHTS_H
#define QH_SYS_RIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* One is what is wanted; the second is kept to be able to say that there were too many. */
enum { RIGHTS_MAX = 2 };

/* Descriptors that came, close-on-exec. They are the caller's to close, by rights_close(). */
struct rights {
	int fd[RIGHTS_MAX];
	unsigned n;
	bool cut;	/* a message was longer than its place, or had more descriptors than fit */
};

/* One message with one descriptor, or without one where fd is -1. 0 or an errno. */
int rights_send(int socket, const void *data, size_t len, int fd);
/*
 * One message, of which the first `size` bytes are kept; its descriptors are added to *rights. The
 * kernel closes those that do not fit. Returns what recvmsg(2) does, with errno; never EINTR.
 * `flags` as there.
 */
ssize_t rights_receive(int socket, void *data, size_t size, int flags, struct rights *rights);
void rights_close(struct rights *rights);

#endif
