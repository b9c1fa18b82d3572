/* beside.h - the confinement of a process of ours that stays beside QEMU */
#ifndef QH_ACT_BESIDE_H
#define QH_ACT_BESIDE_H

#include <sys/types.h>

/* What failed. */
struct beside_fault {
	int err;		/* 0: it succeeded, and something else is in force */
	char call[32];
};

/*
 * Confine this process for good: it may wait for its child and end it, send one message on
 * FILTER_KEEPER_TALK_FD, and exit; any other call kills it. It has the child's ids, because these
 * are enough to end it, no capability, no_new_privs, and nobody may look into it. 0, or -1 with
 * *ret; then part of it may be in force, and the child can still be ended.
 */
int beside_confine(pid_t child, struct beside_fault *ret);

#endif
