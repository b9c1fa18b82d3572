/* fd.h - local descriptors that close themselves */
#ifndef QH_SYS_FD_H
#define QH_SYS_FD_H

#include <unistd.h>

static inline void fd_close(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
}
#define AUTO_FD __attribute__((cleanup(fd_close))) int

/* Give the descriptor away: the variable lets go of it. */
static inline int fd_take(int *fd)
{
	const int ret = *fd;

	*fd = -1;
	return ret;
}

#endif
