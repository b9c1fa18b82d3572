/* around.h - what stands around this process and decides over its devices. Pure. */
#ifndef QH_FACTS_AROUND_H
#define QH_FACTS_AROUND_H

#include "facts/facts.h"

/*
 * mountinfo, cgroup: those files of /proc/self, or "". marked: there is one of the files by which
 * a container is known.
 */
struct around around_find(const char *mountinfo, const char *cgroup, bool marked);
/* Has a driver registered that number? misc: /proc/misc. */
bool around_has_driver(const char *misc, unsigned minor);
/*
 * The uid outside of this user namespace; uid itself where it has none there. uid_map:
 * /proc/self/uid_map (user_namespaces(7)).
 */
unsigned around_outer_uid(const char *uid_map, unsigned uid);

#endif
