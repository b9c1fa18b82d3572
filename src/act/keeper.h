/* keeper.h - a process that ends passt when QEMU exits, if passt would not end by itself */
#ifndef QH_ACT_KEEPER_H
#define QH_ACT_KEEPER_H

#include <stdint.h>

#include "act/beside.h"
#include "sys/child.h"

/* How far it got. */
enum keeper_stage {
	KEEPER_NONE,  /* it could not be started, or died: err */
	KEEPER_DIR,   /* no private directory: err */
	KEEPER_START, /* passt could not be executed: err */
	KEEPER_PASST, /* passt is not ready: child */
	KEEPER_FILES, /* passt says it is ready, but its process or socket cannot be found: err */
	KEEPER_CONFINE, /* the keeper could not be confined: fault, err */
	KEEPER_READY,
};

struct keeper_result {
	enum keeper_stage stage;
	int err;
	pid_t pid;		/* of passt; KEEPER_READY only */
	struct child child;
	struct beside_fault fault;
};

struct keeper_wish {
	const char *program;
	char *const *argv;
	const char *socket, *pid;	/* files that passt makes in its working directory */
	const char *base;	/* where the private directory is made */
	uint64_t base_dev, base_ino;	/* which directory that was */
	unsigned seconds;	/* for passt to be ready */
};

/*
 * Start passt for a socket under a keeper. On success *ret_socket is the socket that passt listens
 * on (O_PATH; it has no name any more) and *ret_lifeline a descriptor: passt and the keeper end
 * when the last copy of it is closed, by whatever end of whatever process. Both are close-on-exec.
 * On failure nothing is left running or lying about, and *ret says why. 0 or -1.
 */
int keeper_run(const struct keeper_wish *wish, int *ret_socket, int *ret_lifeline,
	       struct keeper_result *ret);

#endif
