/* readfile.h - read files as text, and nothing that is not a file */
#ifndef QH_SYS_READFILE_H
#define QH_SYS_READFILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * For a path that somebody named. Its type is known before it is opened: a regular file or, with
 * pipe, a named pipe. A device must not be opened to be looked at: /dev/tapN would attach a queue,
 * /dev/watchdog would be armed, a terminal would become this process's. A descriptor for reading,
 * close-on-exec, that does not block; or -1 with errno, EINVAL when it is something else.
 */
int readfile_open(const char *path, bool pipe);
/* The first size - 1 bytes of such a file and a NUL. 0 or an errno. */
int readfile(const char *path, char *buf, size_t size);

/* The same of a file in /proc or /sys, whose name this program made. */
int readfile_kernel(const char *path, char *buf, size_t size);
/* The same where the kernel gives the file whole in one read: sysfs, /proc/self/status. */
int readfile_kernel_once(const char *path, char *buf, size_t size);
/* A directory there, to list: a descriptor, or -1 with errno. */
int readfile_kernel_dir(const char *path);
/* As readfile_kernel_once(), for a name in an open directory of cgroupfs; follows no link. */
int readfile_at(int dir, const char *name, char *buf, size_t size);

#endif
