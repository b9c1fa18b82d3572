/*
 * coverage.h - counters of a coverage build are written where the process ends in a way that gcov
 * does not see
 */
#ifndef QH_SYS_COVERAGE_H
#define QH_SYS_COVERAGE_H

#ifdef QH_COVERAGE
#include <gcov.h>
#endif

/*
 * Before a filter that leaves no way to write, and before _exit(). gcov itself hooks exit() and
 * execve().
 */
static inline void coverage_save(void)
{
#ifdef QH_COVERAGE
	__gcov_dump();
	__gcov_reset();
#endif
}

#endif
