/* newfile.h - write a file so that its readers see the old one or the whole new one */
#ifndef QH_SYS_NEWFILE_H
#define QH_SYS_NEWFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Where it is made: the directory, held open, and the name in it. What is done by one of these is
 * done in one directory, whatever happens to the names that led to it.
 */
struct newfile {
	int dir;		/* O_PATH, close-on-exec; -1: none */
	const char *name;	/* in the path that was given */
	const char *step;	/* the call that failed last */
};

struct newfile_content {
	const void *data;
	size_t len;
	mode_t mode;
	bool durable;	/* on the disk before it has its name */
	bool locked;	/* flock(2), exclusive, before it has its name; where the file system can */
};

/* Hold the directory of `path`, which must outlive *ret. 0 or an errno. */
int newfile_open(const char *path, struct newfile *ret);
/*
 * Write it. Only a regular file is replaced: ELOOP, a symbolic link has the name; EISDIR; EEXIST,
 * something else has. On success *ret_fd is the file, for writing, close-on-exec. 0 or an errno,
 * then nothing of it is left.
 */
int newfile_write(struct newfile *at, const struct newfile_content *content, int *ret_fd);
/* Remove it again, if the name is still that of the file `fd`. 0 or an errno. */
int newfile_remove(const struct newfile *at, int fd);
void newfile_close(struct newfile *at);

#endif
