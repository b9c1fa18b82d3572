/*
 * link.c - facts of a link by one RTM_GETLINK
 */
#include "config.h"

#include "look/link.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>

#include <libmnl/libmnl.h>

enum { REPLY_MAX = 32 * 1024 };

struct mnl_socket *link_open(void)
{
	struct mnl_socket *nl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);

	if (nl && mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0) {
		const int err = errno;

		(void)mnl_socket_close(nl);
		errno = err;
		return NULL;
	}
	return nl;
}

void link_close(struct mnl_socket *nl)
{
	(void)mnl_socket_close(nl);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Sizes that must hold before a value is taken; types that are not listed are not looked at. */
static bool attr_ok(const struct nlattr *attr, uint16_t payload_min)
{
	return mnl_attr_get_payload_len(attr) >= payload_min;
}

static void take_string(const struct nlattr *attr, char *ret, size_t size)
{
	const size_t len = strnlen(mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr));

	if (len < size)
		memcpy(ret, mnl_attr_get_payload(attr), len);
	ret[len < size ? len : 0] = '\0';
}

static int parse_tun(const struct nlattr *attr, void *data)
{
	struct link *ret = data;
	const bool u32 = attr_ok(attr, sizeof(uint32_t)), u8 = attr_ok(attr, sizeof(uint8_t));

	switch (mnl_attr_get_type(attr)) {
	case IFLA_TUN_OWNER:
		ret->tun.has_owner = u32;
		ret->tun.owner = u32 ? mnl_attr_get_u32(attr) : 0;
		break;
	case IFLA_TUN_GROUP:
		ret->tun.has_group = u32;
		ret->tun.group = u32 ? mnl_attr_get_u32(attr) : 0;
		break;
	case IFLA_TUN_TYPE:
		ret->tun.tap = u8 && mnl_attr_get_u8(attr) == IFF_TAP;
		break;
	case IFLA_TUN_PI:
		ret->tun.packet_info = u8 && mnl_attr_get_u8(attr) != 0;
		break;
	case IFLA_TUN_VNET_HDR:
		ret->tun.vnet_hdr = u8 && mnl_attr_get_u8(attr) != 0;
		break;
	case IFLA_TUN_PERSIST:
		ret->tun.persist = u8 && mnl_attr_get_u8(attr) != 0;
		break;
	case IFLA_TUN_MULTI_QUEUE:
		ret->tun.multi_queue = u8 && mnl_attr_get_u8(attr) != 0;
		break;
	case IFLA_TUN_NUM_QUEUES:
	case IFLA_TUN_NUM_DISABLED_QUEUES:
		ret->tun.attached += u32 ? mnl_attr_get_u32(attr) : 0;
		break;
	default:
		break;
	}
	return MNL_CB_OK;
}

/* IFLA_LINKINFO: the kind comes before the data (net/core/rtnetlink.c, rtnl_link_info_fill). */
static int parse_info(const struct nlattr *attr, void *data)
{
	struct link *ret = data;

	switch (mnl_attr_get_type(attr)) {
	case IFLA_INFO_KIND:
		take_string(attr, ret->kind, sizeof(ret->kind));
		break;
	case IFLA_INFO_DATA:
		if (strcmp(ret->kind, "tun") == 0)
			(void)mnl_attr_parse_nested(attr, parse_tun, ret);
		break;
	default:
		break;
	}
	return MNL_CB_OK;
}

static int parse_attr(const struct nlattr *attr, void *data)
{
	struct link *ret = data;
	const bool u32 = attr_ok(attr, sizeof(uint32_t));

	switch (mnl_attr_get_type(attr)) {
	case IFLA_IFNAME:
		take_string(attr, ret->name, sizeof(ret->name));
		break;
	case IFLA_ADDRESS:
		ret->has_mac = mnl_attr_get_payload_len(attr) == sizeof(ret->mac.byte);
		if (ret->has_mac)
			memcpy(ret->mac.byte, mnl_attr_get_payload(attr), sizeof(ret->mac.byte));
		break;
	case IFLA_MTU:
		ret->mtu = u32 ? mnl_attr_get_u32(attr) : 0;
		break;
	case IFLA_MASTER:
		ret->master = u32 ? mnl_attr_get_u32(attr) : 0;
		break;
	case IFLA_LINK:
		ret->lower = u32 ? mnl_attr_get_u32(attr) : 0;
		break;
	case IFLA_LINK_NETNSID:
		ret->lower_elsewhere = true;
		break;
	case IFLA_CARRIER:
		ret->carrier = attr_ok(attr, 1) && mnl_attr_get_u8(attr) != 0;
		break;
	case IFLA_NUM_TX_QUEUES:
		ret->tx_queues = u32 ? mnl_attr_get_u32(attr) : 0;
		break;
	case IFLA_NUM_RX_QUEUES:
		ret->rx_queues = u32 ? mnl_attr_get_u32(attr) : 0;
		break;
	case IFLA_LINKINFO:
		(void)mnl_attr_parse_nested(attr, parse_info, ret);
		break;
	default:
		break;
	}
	return MNL_CB_OK;
}

/* libmnl 1.0.5 compares as int: a length of 2 GiB and more is one that fits. */
static bool message_ok(const struct nlmsghdr *nlh, size_t len)
{
	return len >= sizeof(*nlh) && nlh->nlmsg_len >= sizeof(*nlh) &&
	       MNL_ALIGN((size_t)nlh->nlmsg_len) <= len;
}

int link_parse(const struct nlmsghdr *nlh, size_t len, struct link *ret)
{
	const struct ifinfomsg *info;
	struct link link = { 0 };

	if (!message_ok(nlh, len) || nlh->nlmsg_type != RTM_NEWLINK ||
	    nlh->nlmsg_len < MNL_NLMSG_HDRLEN + MNL_ALIGN(sizeof(*info)))
		return -1;
	info = mnl_nlmsg_get_payload(nlh);
	if (info->ifi_index <= 0)
		return -1;
	link.ifindex = (unsigned)info->ifi_index;
	link.up = (info->ifi_flags & IFF_UP) != 0;
	(void)mnl_attr_parse(nlh, sizeof(*info), parse_attr, &link);
	*ret = link;
	return 0;
}

/* --- asking ----------------------------------------------------------------------------------- */

static int request(struct mnl_socket *nl, const char *name, unsigned ifindex)
{
	_Alignas(struct nlmsghdr) char buf[MNL_NLMSG_HDRLEN + 128] = { 0 };
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *info;

	nlh->nlmsg_type = RTM_GETLINK;
	nlh->nlmsg_flags = NLM_F_REQUEST;
	info = mnl_nlmsg_put_extra_header(nlh, sizeof(*info));
	info->ifi_index = name ? 0 : (int)ifindex;
	if (name)
		mnl_attr_put_strz(nlh, IFLA_IFNAME, name);
	mnl_attr_put_u32(nlh, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
	return mnl_socket_sendto(nl, nlh, nlh->nlmsg_len) < 0 ? errno : 0;
}

static int answer(struct mnl_socket *nl, struct link *ret)
{
	_Alignas(struct nlmsghdr) char buf[REPLY_MAX];
	const ssize_t n = mnl_socket_recvfrom(nl, buf, sizeof(buf));
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)buf;

	if (n < 0)
		return errno;
	if (message_ok(nlh, (size_t)n) && nlh->nlmsg_type == NLMSG_ERROR &&
	    nlh->nlmsg_len >= mnl_nlmsg_size(sizeof(struct nlmsgerr))) {
		const struct nlmsgerr *e = mnl_nlmsg_get_payload(nlh);

		return e->error < 0 ? -e->error : EPROTO;
	}
	return link_parse(nlh, (size_t)n, ret) < 0 ? EPROTO : 0;
}

void link_get(struct mnl_socket *nl, const char *name, unsigned ifindex, struct link *ret)
{
	int err;

	*ret = (struct link){ 0 };
	err = request(nl, name, ifindex);
	if (err == 0)
		err = answer(nl, ret);
	ret->err = err;
}
