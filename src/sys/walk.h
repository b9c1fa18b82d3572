/* walk.h - reach a file step by step, and know of each step what it is before it is used */
#ifndef QH_SYS_WALK_H
#define QH_SYS_WALK_H

#include <stddef.h>
#include <sys/stat.h>

/* dir of the first step of a relative path. */
enum { WALK_HERE = -100 }; /* AT_FDCWD */

/*
 * One name in a directory, found without being opened (O_PATH): no link is followed, no driver
 * asked. *ret is what it is. A close-on-exec descriptor to go on from, or -1 with errno.
 */
int walk_step(int dir, const char *name, struct stat *ret);
/* The text of a symbolic link found by walk_step(), cut to size - 1 bytes. 0 or an errno. */
int walk_link(int found, char *buf, size_t size);
/*
 * A regular file for reading, which does not block. seen: what walk_step() found; ESTALE: it is
 * another one by now. *ret is what was opened. A close-on-exec descriptor, or -1 with errno.
 */
int walk_read(int dir, const char *name, const struct stat *seen, struct stat *ret);

#endif
