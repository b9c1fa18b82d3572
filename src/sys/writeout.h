/* writeout.h - write a text to a descriptor, whoever is at its other end */
#ifndef QH_SYS_WRITEOUT_H
#define QH_SYS_WRITEOUT_H

/*
 * All of it: stdio would hold a buffer that an exec throws away. 0 or an errno; a reader that is
 * gone is EPIPE.
 */
int writeout(int fd, const char *text);

#endif
