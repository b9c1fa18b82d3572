/* deadline.h - the moment until which something is waited for */
#ifndef QH_SYS_DEADLINE_H
#define QH_SYS_DEADLINE_H

#include <time.h>

/* Of CLOCK_MONOTONIC: a clock that somebody sets does not move it. */
struct deadline {
	struct timespec at;
};

/* So many milliseconds from now. */
struct deadline deadline_in(unsigned milliseconds);
/* Milliseconds left, 0 once it is over: the timeout of a poll(2). A part of one counts as none. */
int deadline_left(const struct deadline *deadline);

#endif
