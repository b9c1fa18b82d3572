/* cgroup.h - examine the cgroups that a descriptor names */
#ifndef QH_LOOK_CGROUP_H
#define QH_LOOK_CGROUP_H

#include "desc/descriptor.h"
#include "facts/facts.h"

/*
 * Facts about every cgroup that the descriptor names, from files in the cgroup file system and
 * /proc/self.
 */
void cgroup_probe(const struct desc *desc, struct arena *mem, struct facts *ret);

#endif
