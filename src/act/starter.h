/* starter.h - start a program that goes to the background, and learn which process it became */
#ifndef QH_ACT_STARTER_H
#define QH_ACT_STARTER_H

#include <sys/types.h>

#include "sys/child.h"

struct starter_result {
	int err;		/* it could not be started; 0: child says how it ended */
	pid_t pid;		/* of what is in the background; 0: not known */
	struct child child;
};

/*
 * Start it as child_start() and child_wait() do, from a process between: what goes to the
 * background becomes that one's child, is looked up, and is no child of ours when this returns.
 * ours: our end of what it is given, which the process between does not keep. 0, or an errno: there
 * is no process between, or it died.
 */
int starter_run(const struct child_start *how, int ours, struct starter_result *ret);

#endif
