/*
 * link.h - facts about links, each from one RTM_GETLINK
 *
 * Never: lists all links (15 ms on a host with 5,000), or asks the same question twice.
 */
#ifndef QH_LOOK_LINK_H
#define QH_LOOK_LINK_H

#include <linux/netlink.h>

#include "desc/descriptor.h"
#include "facts/facts.h"

struct links;

/* A handle for queries, which remembers every answer; NULL with errno set. The caller closes it. */
struct links *links_open(struct arena *mem);
void links_close(struct links *links);
/* A link by its name or, if that is NULL, by its index; err of it is 0, or why there is none. */
const struct link *links_get(struct links *links, const char *name, unsigned ifindex);
/*
 * The link of a NIC, its master and lower links, those that "expect" names, and whose the NIC's
 * address is.
 */
void links_probe(struct links *links, const struct nic *nic, struct nic_facts *ret);

/*
 * Read one RTM_NEWLINK message of len bytes, whatever is in it. 0, or -1 when it is not one. Pure.
 * Attributes: linux/if_link.h; those of a TAP have been there since Linux 4.16 (tun_fill_info).
 */
int link_parse(const struct nlmsghdr *nlh, size_t len, struct link *ret);
/*
 * Is it the answer to request seq from the socket with that port? Anything else must not be read.
 * Pure.
 */
bool link_answers(const struct nlmsghdr *nlh, size_t len, unsigned seq, unsigned port);
/*
 * Read one RTM_NEWNEIGH message: the ifindex of the bridge or port whose own address it is, 0
 * where the bridge has learnt the address, or where it is no such message. Pure.
 */
unsigned link_parse_own(const struct nlmsghdr *nlh, size_t len);

#endif
