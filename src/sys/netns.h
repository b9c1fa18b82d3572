/* netns.h - whose the network namespace is */
#ifndef QH_SYS_NETNS_H
#define QH_SYS_NETNS_H

#include <stdbool.h>

/*
 * Does this network namespace belong to this process's user namespace, or to one below it? Only
 * then do capabilities count there. True where the kernel does not tell.
 */
bool netns_is_ours(void);

#endif
