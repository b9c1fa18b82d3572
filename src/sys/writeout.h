/* writeout.h - write to a descriptor, whoever is at its other end */
#ifndef QH_SYS_WRITEOUT_H
#define QH_SYS_WRITEOUT_H

#include <stddef.h>

enum { WRITEOUT_PATIENT = 0 };

/*
 * All of it: stdio would hold a buffer that an exec throws away. 0 or an errno: EPIPE, the reader
 * has gone; EFBIG, RLIMIT_FSIZE; ETIMEDOUT, it was not taken within so many milliseconds
 * (WRITEOUT_PATIENT: as long as it takes). No signal that a write causes ends this process.
 */
int writeout(int fd, const char *text, unsigned milliseconds);
int writeout_bytes(int fd, const void *data, size_t len, unsigned milliseconds);

#endif
