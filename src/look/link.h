/* link.h - facts of a link by one RTM_GETLINK; never a dump (15 ms on a host with 5,000 links) */
#ifndef QH_LOOK_LINK_H
#define QH_LOOK_LINK_H

#include <linux/netlink.h>

#include "facts/facts.h"

struct mnl_socket;

/*
 * A socket to ask on, close-on-exec; NULL with errno set. The caller closes it with link_close().
 */
struct mnl_socket *link_open(void);
void link_close(struct mnl_socket *nl);
/*
 * Ask for the link of this name, or, when name is NULL, of this ifindex. What is found, or why
 * nothing is, stands in *ret: ret->err is 0, ENODEV, or the errno of what failed.
 */
void link_get(struct mnl_socket *nl, const char *name, unsigned ifindex, struct link *ret);
/*
 * Read one RTM_NEWLINK message of len bytes, whatever is in it. 0, or -1 when it is not one. Pure.
 * Attributes: linux/if_link.h; those of a TAP have been there since Linux 4.16 (tun_fill_info).
 */
int link_parse(const struct nlmsghdr *nlh, size_t len, struct link *ret);

#endif
