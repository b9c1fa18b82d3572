/* locks.h - who has locked a file, out of /proc/locks. Pure. */
#ifndef QH_FACTS_LOCKS_H
#define QH_FACTS_LOCKS_H

#include "facts/facts.h"

/* Is there a flock(2) lock on the node among these lines? *ret_pid: whose it is. */
bool locks_find(const char *lines, const struct node *node, unsigned *ret_pid);
/* The name of the link in the fdinfo text of a queue (drivers/net/tun.c, tun_chr_show_fdinfo()). */
bool locks_is_queue_of(const char *fdinfo, const char *name);

#endif
