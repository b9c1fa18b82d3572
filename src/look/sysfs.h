/* sysfs.h - what sysfs shows of a macvtap link */
#ifndef QH_LOOK_SYSFS_H
#define QH_LOOK_SYSFS_H

#include "base/mem.h"
#include "facts/facts.h"

/* link: one that netlink has reported. */
struct sysfs sysfs_probe(struct arena *mem, const struct link *link);

#endif
