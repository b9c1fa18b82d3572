/*
 * journal.c - is a stream the system's journal?
 */
#include "config.h"

#include "sys/journal.h"

#include <stdlib.h>
#include <sys/stat.h>

bool journal_is(const char *stream, int fd)
{
	unsigned long long dev, ino;
	struct stat st;
	char *end;

	if (!stream || *stream < '0' || *stream > '9' || fstat(fd, &st) < 0)
		return false;
	dev = strtoull(stream, &end, 10);
	if (*end != ':' || end[1] < '0' || end[1] > '9')
		return false;
	ino = strtoull(end + 1, &end, 10);
	return *end == '\0' && dev == st.st_dev && ino == st.st_ino;
}
