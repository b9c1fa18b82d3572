/* journal.h - is a stream the system's journal, which reads a priority at the start of a line? */
#ifndef QH_SYS_JOURNAL_H
#define QH_SYS_JOURNAL_H

#include <stdbool.h>

/*
 * stream: JOURNAL_STREAM, "DEVICE:INODE" of the socket that systemd connects a service's output to,
 * or NULL. True if fd is still that one (systemd.exec(5)).
 */
bool journal_is(const char *stream, int fd);

#endif
