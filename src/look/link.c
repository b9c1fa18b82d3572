/*
 * link.c - facts about links, each from one RTM_GETLINK
 *
 * The lower link of a link, and the bridge that it is a port of, are queried by index. Whether the
 * host itself answers for an address on a bridge is one query of the bridge's table, which has the
 * addresses of all ports.
 */
#include "config.h"

#include "look/link.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include <libmnl/libmnl.h>

enum {
	REPLY_MAX = 32 * 1024,
	STRAY_MAX = 64,			/* messages that are not our answer, before we give up */
};

/* --- reading ---------------------------------------------------------------------------------- */

/* Sizes that are required before a value is used; types that are not listed are ignored. */
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
		ret->tun.queues = u32 ? mnl_attr_get_u32(attr) : 0;
		break;
	case IFLA_TUN_NUM_DISABLED_QUEUES:
		ret->tun.disabled = u32 ? mnl_attr_get_u32(attr) : 0;
		break;
	default:
		break;
	}
	return MNL_CB_OK;
}

static int parse_macvtap(const struct nlattr *attr, void *data)
{
	struct link *ret = data;
	const unsigned value = attr_ok(attr, sizeof(uint32_t)) ? mnl_attr_get_u32(attr) : 0;

	switch (mnl_attr_get_type(attr)) {
	case IFLA_MACVLAN_MODE:
		ret->macvtap_mode = value;
		break;
	case IFLA_MACVLAN_MACADDR_COUNT:
		ret->sources = value;
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
		else if (strcmp(ret->kind, "macvtap") == 0)
			(void)mnl_attr_parse_nested(attr, parse_macvtap, ret);
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
	case IFLA_PROTO_DOWN:
		ret->proto_down = attr_ok(attr, 1) && mnl_attr_get_u8(attr) != 0;
		break;
	case IFLA_OPERSTATE:
		ret->operstate = attr_ok(attr, 1) ? mnl_attr_get_u8(attr) : 0;
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

/* libmnl 1.0.5 compares as int, so a length of 2 GiB or more would count as one that fits. */
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
	link.all_multicast = (info->ifi_flags & (IFF_ALLMULTI | IFF_PROMISC)) != 0;
	(void)mnl_attr_parse(nlh, sizeof(*info), parse_attr, &link);
	*ret = link;
	return 0;
}

unsigned link_parse_own(const struct nlmsghdr *nlh, size_t len)
{
	const struct ndmsg *nd;

	if (!message_ok(nlh, len) || nlh->nlmsg_type != RTM_NEWNEIGH ||
	    nlh->nlmsg_len < MNL_NLMSG_HDRLEN + MNL_ALIGN(sizeof(*nd)))
		return 0;
	nd = mnl_nlmsg_get_payload(nlh);
	/*
	 * net/bridge/br_fdb.c, fdb_to_nud(): an address of the host itself is "permanent", a static
	 * one of another is "noarp"
	 */
	return nd->ndm_ifindex > 0 && (nd->ndm_state & NUD_PERMANENT) ? (unsigned)nd->ndm_ifindex
								      : 0;
}

bool link_answers(const struct nlmsghdr *nlh, size_t len, unsigned seq, unsigned port)
{
	return message_ok(nlh, len) && nlh->nlmsg_seq == seq && nlh->nlmsg_pid == port;
}

/* --- asking ----------------------------------------------------------------------------------- */

/* One answer, to a query by name or, if name is NULL, by index. */
struct known {
	const struct known *next;
	const char *name;
	unsigned ifindex;
	struct link link;
};

struct links {
	struct arena *mem;
	struct mnl_socket *nl;
	unsigned seq;
	const struct known *known;
	char *reply;			/* REPLY_MAX bytes */
};

struct links *links_open(struct arena *mem)
{
	struct mnl_socket *nl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	struct links *ret;

	if (!nl)
		return NULL;
	if (mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0) {
		const int err = errno;

		(void)mnl_socket_close(nl);
		errno = err;
		return NULL;
	}
	ret = arena_get(mem, sizeof(*ret));
	*ret = (struct links){ .mem = mem, .nl = nl, .reply = arena_get(mem, REPLY_MAX) };
	return ret;
}

void links_close(struct links *links)
{
	(void)mnl_socket_close(links->nl);
}

/*
 * Read one message from the kernel into links->reply. Returns its length, or -1 with errno set; 0
 * for messages from anyone else.
 */
static ssize_t receive(struct links *links)
{
	struct sockaddr_nl from = { 0 };
	socklen_t from_len = sizeof(from);
	const ssize_t n = recvfrom(mnl_socket_get_fd(links->nl), links->reply, REPLY_MAX, 0,
				   (struct sockaddr *)&from, &from_len);

	return n > 0 && (from_len != sizeof(from) || from.nl_pid != 0) ? 0 : n;
}

/* Send the request and wait for its answer, in links->reply; 0 with its length, or an errno. */
static int ask(struct links *links, struct nlmsghdr *nlh, size_t *ret_len)
{
	const struct nlmsghdr *reply = (const struct nlmsghdr *)links->reply;
	const unsigned port = mnl_socket_get_portid(links->nl);

	nlh->nlmsg_seq = ++links->seq;
	if (mnl_socket_sendto(links->nl, nlh, nlh->nlmsg_len) < 0)
		return errno;
	for (unsigned strays = 0; strays < STRAY_MAX; strays++) {
		const ssize_t n = receive(links);

		if (n < 0 && errno != EINTR)
			return errno;
		if (n <= 0 || !link_answers(reply, (size_t)n, links->seq, port))
			continue;
		*ret_len = (size_t)n;
		if (reply->nlmsg_type == NLMSG_ERROR &&
		    reply->nlmsg_len >= mnl_nlmsg_size(sizeof(struct nlmsgerr))) {
			const struct nlmsgerr *e = mnl_nlmsg_get_payload(reply);

			return e->error < 0 ? -e->error : EPROTO;
		}
		return 0;
	}
	return EPROTO;
}

static void ask_link(struct links *links, const char *name, unsigned ifindex, struct link *ret)
{
	_Alignas(struct nlmsghdr) char buf[MNL_NLMSG_HDRLEN + 128] = { 0 };
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *info;
	size_t len = 0;

	nlh->nlmsg_type = RTM_GETLINK;
	nlh->nlmsg_flags = NLM_F_REQUEST;
	info = mnl_nlmsg_put_extra_header(nlh, sizeof(*info));
	info->ifi_index = name ? 0 : (int)ifindex;
	/* every name was checked where it was read; what does not fit is no link's */
	if (name && strlen(name) >= IFNAMSIZ) {
		ret->err = ENODEV;
		return;
	}
	if (name)
		mnl_attr_put_strz(nlh, IFLA_IFNAME, name);
	mnl_attr_put_u32(nlh, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
	ret->err = ask(links, nlh, &len);
	if (ret->err == 0 && link_parse((const struct nlmsghdr *)links->reply, len, ret) < 0)
		ret->err = EPROTO;
}

/* Has this been queried before, or is the link known by other means? */
static bool is_it(const struct known *known, const char *name, unsigned ifindex)
{
	if (!name)
		return known->link.err == 0 ? known->link.ifindex == ifindex
					    : !known->name && known->ifindex == ifindex;
	return (known->name && strcmp(known->name, name) == 0) ||
	       (known->link.err == 0 && strcmp(known->link.name, name) == 0);
}

const struct link *links_get(struct links *links, const char *name, unsigned ifindex)
{
	struct known *new;

	for (const struct known *known = links->known; known; known = known->next)
		if (is_it(known, name, ifindex))
			return &known->link;
	new = arena_get(links->mem, sizeof(*new));
	*new = (struct known){ .next = links->known, .name = name, .ifindex = ifindex };
	ask_link(links, name, ifindex, &new->link);
	links->known = new;
	return &new->link;
}

/*
 * If it is an address of the bridge itself or of one of its ports, the ifindex of that link; else
 * 0.
 */
static unsigned own_address(struct links *links, const struct link *bridge, const struct mac *mac)
{
	_Alignas(struct nlmsghdr) char buf[MNL_NLMSG_HDRLEN + 128] = { 0 };
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct ndmsg *nd;
	size_t len = 0;

	nlh->nlmsg_type = RTM_GETNEIGH;
	nlh->nlmsg_flags = NLM_F_REQUEST;
	nd = mnl_nlmsg_put_extra_header(nlh, sizeof(*nd));
	nd->ndm_family = AF_BRIDGE;
	mnl_attr_put(nlh, NDA_LLADDR, sizeof(mac->byte), mac->byte);
	mnl_attr_put_u32(nlh, NDA_MASTER, bridge->ifindex);
	return ask(links, nlh, &len) == 0
		       ? link_parse_own((const struct nlmsghdr *)links->reply, len)
		       : 0;
}

static void probe_address(struct links *links, const struct nic *nic, struct nic_facts *ret)
{
	const struct link *bridge = strcmp(ret->link.kind, "bridge") == 0 ? &ret->link
									  : &ret->master;

	if (!nic->has_mac || strcmp(bridge->kind, "bridge") != 0)
		return;
	ret->mac_of = own_address(links, bridge, &nic->mac);
	if (ret->mac_of != 0)
		memcpy(ret->mac_of_name, links_get(links, NULL, ret->mac_of)->name,
		       sizeof(ret->mac_of_name));
}

void links_probe(struct links *links, const struct nic *nic, struct nic_facts *ret)
{
	const char *name = nic->bridge ? nic->bridge : nic->ifname;

	ret->link = *links_get(links, name, nic->ifindex);
	if (ret->link.err == 0 && ret->link.master != 0)
		ret->master = *links_get(links, NULL, ret->link.master);
	if (ret->link.err == 0 && ret->link.lower != 0 && !ret->link.lower_elsewhere)
		ret->lower = *links_get(links, NULL, ret->link.lower);
	if (nic->expect.master)
		ret->want_master = *links_get(links, nic->expect.master, 0);
	if (nic->expect.lower)
		ret->want_lower = *links_get(links, nic->expect.lower, 0);
	if (ret->link.err == 0)
		probe_address(links, nic, ret);
}
