/* readfile.h - small files of sysfs, procfs and cgroupfs as text */
#ifndef QH_SYS_READFILE_H
#define QH_SYS_READFILE_H

#include <stddef.h>

/* The first size - 1 bytes and a NUL. 0 or an errno. */
int readfile(const char *path, char *buf, size_t size);
/*
 * For files that the kernel gives whole in one read, when there is room: sysfs, /proc/self/status.
 */
int readfile_once(const char *path, char *buf, size_t size);
/* The same for a name in an open directory, of cgroupfs; no symbolic link is followed. */
int readfile_at(int dir, const char *name, char *buf, size_t size);

#endif
