/*
 * deadline.c - the moment until which something is waited for
 */
#include "config.h"

#include "sys/deadline.h"

#include <limits.h>

enum { MS_PER_S = 1000, NS_PER_MS = 1000000, NS_PER_S = 1000000000 };

struct deadline deadline_in(unsigned milliseconds)
{
	struct deadline ret;

	(void)clock_gettime(CLOCK_MONOTONIC, &ret.at);
	ret.at.tv_sec += milliseconds / MS_PER_S;
	ret.at.tv_nsec += (long)(milliseconds % MS_PER_S) * NS_PER_MS;
	if (ret.at.tv_nsec >= NS_PER_S) {
		ret.at.tv_sec++;
		ret.at.tv_nsec -= NS_PER_S;
	}
	return ret;
}

int deadline_left(const struct deadline *deadline)
{
	struct timespec now;
	long long left;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	left = (long long)(deadline->at.tv_sec - now.tv_sec) * MS_PER_S +
	       (deadline->at.tv_nsec - now.tv_nsec) / NS_PER_MS;
	if (left <= 0)
		return 0;
	return left < INT_MAX ? (int)left : INT_MAX;
}
