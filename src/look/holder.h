/* holder.h - who holds queues of a link; for links that are in use only */
#ifndef QH_LOOK_HOLDER_H
#define QH_LOOK_HOLDER_H

#include "desc/desc.h"
#include "facts/facts.h"

/*
 * For each NIC that does not share its link: has another launch locked the node, and which process
 * has the queues? What /proc does not show, as in another pid namespace, stays unknown.
 */
void holders_probe(const struct desc *desc, struct arena *mem, struct facts *ret);
/*
 * The same for TAPs of one queue whose carrier is off. A process that holds the queue can have
 * turned it off (TUNSETCARRIER), and the kernel says nothing else of it. All processes are looked
 * at, so it is for those who have the time: an idle TAP looks the same.
 */
void holders_search(const struct desc *desc, struct arena *mem, struct facts *ret);

#endif
