/*
 * listeners.h - which unix sockets of this network namespace somebody listens on
 *
 * Never:  connects. A connection would be one for the process that listens.
 */
#ifndef QH_LOOK_LISTENERS_H
#define QH_LOOK_LISTENERS_H

#include "base/mem.h"
#include "facts/facts.h"

struct listeners;

/* NULL: the kernel does not tell (CONFIG_UNIX_DIAG). */
const struct listeners *listeners_probe(struct arena *mem);
/* Does somebody listen on the socket that is at path? LISTENS_UNKNOWN for a NULL list. */
enum listened listeners_find(const struct listeners *listeners, const char *path);

#endif
