/*
 * child.h - run another program with none of our descriptors, in bounded time, and read what it
 * says
 */
#ifndef QH_SYS_CHILD_H
#define QH_SYS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/bounds.h"
#include "sys/deadline.h"

enum {
	CHILD_SAID_MAX	= 4096,	/* bytes kept of its standard error, from the beginning */
};

struct child_start {
	const char *path;
	char *const *argv;
	int give;		/* descriptor to give it, as number 3; -1: none */
	int cwd;		/* its working directory; -1: ours */
	bool session;		/* in a session of its own: no terminal's signals */
	unsigned seconds;	/* it may take */
};

struct child {
	pid_t pid;
	int errors;			/* our end of its standard error; -1: closed */
	struct deadline deadline;
	char said[CHILD_SAID_MAX];	/* NUL-terminated after child_wait() */
	size_t len;
	bool timed_out;			/* it was killed */
	int status;			/* of waitpid(2) */
};

/*
 * Start it: empty environment, no signal ignored or blocked, /dev/null on 0 and 1, a pipe on 2, and
 * no other descriptor but the one given. 0, or an errno with nothing left behind.
 */
int child_start(struct child *c, const struct child_start *how);
/*
 * Until it ends or its time is up; then it is killed. It is always waited for. Closes our end of
 * the pipe.
 */
void child_wait(struct child *c);

#endif
