/* inherit.c - start a program with descriptors 3 to N + 2 open: inherit N PROGRAM ARGUMENT... */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const int n = argc > 2 ? atoi(argv[1]) : -1, fd = open("/dev/null", O_RDONLY);
	struct rlimit limit;

	if (n < 0 || fd < 0 || getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 1;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
	for (int i = 3; i < n + 3; i++)
		if (i != fd && dup2(fd, i) < 0)
			return 1;
	if (fd >= n + 3)
		(void)close(fd);
	(void)execv(argv[2], argv + 2);
	return 1;
}
