/*
 * test_link.c - link_parse() on messages made by hand: what the kernel sends, and what it never would
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include "look/link.h"
#include "unit.h"

/* A message under construction; its numbers are the machine's, as in netlink. */
struct message {
	size_t len;
	union {
		struct nlmsghdr head;
		char bytes[4096];
	};
};

static void append(struct message *m, const void *data, size_t len)
{
	if (len > 0)
		memcpy(m->bytes + m->len, data, len);
	m->len += (len + 3) & ~(size_t)3;
}

static void begin(struct message *m, int ifindex, unsigned flags)
{
	const struct ifinfomsg info = { .ifi_index = ifindex, .ifi_flags = flags };

	*m = (struct message){ .len = sizeof(m->head) };
	m->head.nlmsg_type = RTM_NEWLINK;
	append(m, &info, sizeof(info));
}

static void attr(struct message *m, unsigned type, const void *data, size_t len)
{
	const struct nlattr head = { .nla_len = (unsigned short)(sizeof(head) + len), .nla_type = (unsigned short)type };

	append(m, &head, sizeof(head));
	append(m, data, len);
}

static void attr_u32(struct message *m, unsigned type, uint32_t value) { attr(m, type, &value, sizeof(value)); }
static void attr_u8(struct message *m, unsigned type, uint8_t value) { attr(m, type, &value, sizeof(value)); }
static void attr_str(struct message *m, unsigned type, const char *value) { attr(m, type, value, strlen(value) + 1); }

static size_t nest(struct message *m, unsigned type)
{
	const size_t at = m->len;

	attr(m, type | NLA_F_NESTED, NULL, 0);
	return at;
}

static void unnest(struct message *m, size_t at)
{
	const unsigned short len = (unsigned short)(m->len - at);

	memcpy(m->bytes + at, &len, sizeof(len));
}

/* The message in memory of exactly its size, so that a byte read behind it is seen by the sanitizer. */
static int parse(struct message *m, struct link *ret)
{
	struct nlmsghdr *copy = malloc(m->len);
	int result;

	assert_non_null(copy);
	m->head.nlmsg_len = (unsigned)m->len;
	memcpy(copy, m->bytes, m->len);
	result = link_parse(copy, m->len, ret);
	free(copy);
	return result;
}

static void put_link(struct str *s, const struct link *l)
{
	str_put(s, "%s kind=%s ifindex=%u mtu=%u master=%u lower=%u%s %s%s%s", l->name, l->kind, l->ifindex, l->mtu, l->master,
		l->lower, l->lower_elsewhere ? "@" : "", l->up ? "up" : "down", l->carrier ? " carrier" : "",
		l->all_multicast ? " allmulti" : "");
	if (l->operstate != 0)
		str_put(s, " operstate=%u", l->operstate);
	if (l->macvtap_mode != 0)
		str_put(s, " mode=%u sources=%u", l->macvtap_mode, l->sources);
	if (l->proto_down)
		str_put(s, " protodown");
	if (l->has_mac)
		str_put(s, " " MAC_FMT, MAC_ARG(l->mac));
	str_put(s, " tx=%u rx=%u", l->tx_queues, l->rx_queues);
	if (strcmp(l->kind, "tun") != 0)
		return;
	str_put(s, " tun:%s%s%s%s%s queues=%u disabled=%u", l->tun.tap ? " tap" : "", l->tun.persist ? " persist" : "",
		l->tun.multi_queue ? " mq" : "", l->tun.packet_info ? " pi" : "", l->tun.vnet_hdr ? " vnet" : "", l->tun.queues,
		l->tun.disabled);
	if (l->tun.has_owner)
		str_put(s, " owner=%u", l->tun.owner);
	if (l->tun.has_group)
		str_put(s, " group=%u", l->tun.group);
}

static const unsigned char mac[] = { 2, 0, 0, 0xab, 0xcd, 0xef };

static void macvtap(struct message *m)
{
	size_t info, data;

	begin(m, 7, IFF_UP | IFF_ALLMULTI);
	attr_str(m, IFLA_IFNAME, "m0");
	attr_u32(m, IFLA_MTU, 9000);
	attr(m, IFLA_ADDRESS, mac, sizeof(mac));
	attr_u32(m, IFLA_LINK, 2);
	attr_u32(m, IFLA_MASTER, 4);
	attr_u8(m, IFLA_CARRIER, 1);
	attr_u8(m, IFLA_PROTO_DOWN, 1);
	attr_u8(m, IFLA_OPERSTATE, 6);
	attr_u32(m, IFLA_NUM_TX_QUEUES, 8);
	attr_u32(m, IFLA_NUM_RX_QUEUES, 4);
	attr_str(m, IFLA_QDISC, "noqueue");
	info = nest(m, IFLA_LINKINFO);
	attr_str(m, IFLA_INFO_KIND, "macvtap");
	data = nest(m, IFLA_INFO_DATA);
	attr_u32(m, IFLA_MACVLAN_MODE, MACVLAN_MODE_SOURCE);
	attr_u32(m, IFLA_MACVLAN_MACADDR_COUNT, 3);
	unnest(m, data);
	unnest(m, info);
}

static void tun(struct message *m, const char *kind)
{
	size_t info, data;

	begin(m, 5, 0);
	attr_str(m, IFLA_IFNAME, "t0");
	info = nest(m, IFLA_LINKINFO);
	attr_str(m, IFLA_INFO_KIND, kind);
	data = nest(m, IFLA_INFO_DATA);
	attr_u32(m, IFLA_TUN_OWNER, 1000);
	attr_u32(m, IFLA_TUN_GROUP, 0);
	attr_u8(m, IFLA_TUN_TYPE, IFF_TAP);
	attr_u8(m, IFLA_TUN_PI, 1);
	attr_u8(m, IFLA_TUN_VNET_HDR, 1);
	attr_u8(m, IFLA_TUN_PERSIST, 1);
	attr_u8(m, IFLA_TUN_MULTI_QUEUE, 1);
	attr_u32(m, IFLA_TUN_NUM_QUEUES, 3);
	attr_u32(m, IFLA_TUN_NUM_DISABLED_QUEUES, 2);
	unnest(m, data);
	unnest(m, info);
}

static void make_macvtap(struct message *m) { macvtap(m); }
static void make_tap(struct message *m) { tun(m, "tun"); }
static void make_not_tun(struct message *m) { tun(m, "veth"); }
static void make_bare(struct message *m) { begin(m, 9, IFF_UP | IFF_RUNNING); }
static void make_promiscuous(struct message *m) { begin(m, 9, IFF_PROMISC); }

/* The mode of a macvlan is no mode of a macvtap's: it has no queues to open. */
static void make_macvlan(struct message *m)
{
	size_t info, data;

	begin(m, 9, IFF_UP);
	info = nest(m, IFLA_LINKINFO);
	attr_str(m, IFLA_INFO_KIND, "macvlan");
	data = nest(m, IFLA_INFO_DATA);
	attr_u32(m, IFLA_MACVLAN_MODE, MACVLAN_MODE_BRIDGE);
	unnest(m, data);
	unnest(m, info);
}

static void make_macvtap_short(struct message *m)
{
	size_t info, data;

	begin(m, 9, IFF_UP);
	attr(m, IFLA_OPERSTATE, NULL, 0);
	info = nest(m, IFLA_LINKINFO);
	attr_str(m, IFLA_INFO_KIND, "macvtap");
	data = nest(m, IFLA_INFO_DATA);
	attr(m, IFLA_MACVLAN_MODE, "\1", 1);
	attr(m, IFLA_MACVLAN_MACADDR_COUNT, NULL, 0);
	unnest(m, data);
	unnest(m, info);
}

static void make_elsewhere(struct message *m)
{
	begin(m, 7, IFF_UP);
	attr_u32(m, IFLA_LINK, 2);
	attr_u32(m, IFLA_LINK_NETNSID, 0);
}

static void make_tun_of_packets(struct message *m)
{
	size_t info, data;

	begin(m, 5, 0);
	info = nest(m, IFLA_LINKINFO);
	attr_str(m, IFLA_INFO_KIND, "tun");
	data = nest(m, IFLA_INFO_DATA);
	attr_u8(m, IFLA_TUN_TYPE, IFF_TUN);
	attr_u8(m, IFLA_TUN_PERSIST, 0);
	unnest(m, data);
	unnest(m, info);
}

/* Values too short for their type are no values. */
static void make_short_values(struct message *m)
{
	size_t info, data;

	begin(m, 5, 0);
	attr(m, IFLA_IFNAME, "t0", 2);		/* without its NUL */
	attr(m, IFLA_MTU, "\1\2\3", 3);
	attr(m, IFLA_MASTER, "\1", 1);
	attr(m, IFLA_LINK, NULL, 0);
	attr(m, IFLA_CARRIER, NULL, 0);
	attr(m, IFLA_ADDRESS, mac, 5);
	attr(m, IFLA_NUM_TX_QUEUES, "\1\2", 2);
	attr(m, IFLA_NUM_RX_QUEUES, NULL, 0);
	info = nest(m, IFLA_LINKINFO);
	attr(m, IFLA_INFO_KIND, "tun", 3);
	data = nest(m, IFLA_INFO_DATA);
	attr(m, IFLA_TUN_OWNER, "\1\2", 2);
	attr(m, IFLA_TUN_GROUP, NULL, 0);
	attr(m, IFLA_TUN_TYPE, NULL, 0);
	attr(m, IFLA_TUN_PERSIST, NULL, 0);
	attr(m, IFLA_TUN_MULTI_QUEUE, NULL, 0);
	attr(m, IFLA_TUN_PI, NULL, 0);
	attr(m, IFLA_TUN_VNET_HDR, NULL, 0);
	attr(m, IFLA_TUN_NUM_QUEUES, "\1", 1);
	unnest(m, data);
	unnest(m, info);
}

static void make_long_names(struct message *m)
{
	size_t info;

	begin(m, 5, 0);
	attr_str(m, IFLA_IFNAME, "0123456789abcdef");
	attr(m, IFLA_ADDRESS, "01234567890123456789", 20);
	info = nest(m, IFLA_LINKINFO);
	attr_str(m, IFLA_INFO_KIND, "a-kind-of-16-byt");
	unnest(m, info);
}

static void make_longest_names(struct message *m)
{
	size_t info;

	begin(m, 5, 0);
	attr_str(m, IFLA_IFNAME, "0123456789abcde");
	info = nest(m, IFLA_LINKINFO);
	attr_str(m, IFLA_INFO_KIND, "a-kind-of-15-by");
	unnest(m, info);
}

/* Data before its kind: whose data it is cannot be known. */
static void make_data_first(struct message *m)
{
	size_t info, data;

	begin(m, 5, 0);
	info = nest(m, IFLA_LINKINFO);
	data = nest(m, IFLA_INFO_DATA);
	attr_u8(m, IFLA_TUN_TYPE, IFF_TAP);
	unnest(m, data);
	attr_str(m, IFLA_INFO_KIND, "tun");
	unnest(m, info);
}

/* An attribute that says it is longer than the message ends the reading; what came before stands. */
static void make_attr_too_long(struct message *m)
{
	const unsigned short len = 400;
	size_t at;

	begin(m, 5, 0);
	attr_str(m, IFLA_IFNAME, "t0");
	at = m->len;
	attr_u32(m, IFLA_MTU, 1500);
	memcpy(m->bytes + at, &len, sizeof(len));
}

static void make_attr_of_length(struct message *m, unsigned short len)
{
	size_t at;

	begin(m, 5, 0);
	attr_str(m, IFLA_IFNAME, "t0");
	at = m->len;
	attr_u32(m, IFLA_MTU, 1500);
	memcpy(m->bytes + at, &len, sizeof(len));
	attr_u32(m, IFLA_MASTER, 4);
}

static void make_attr_of_length_0(struct message *m) { make_attr_of_length(m, 0); }
static void make_attr_of_length_3(struct message *m) { make_attr_of_length(m, 3); }

/* A member that reaches beyond the nest it stands in, though not beyond the message. */
static void make_nest_too_short(struct message *m)
{
	size_t info, data;
	unsigned short len;

	begin(m, 5, 0);
	info = nest(m, IFLA_LINKINFO);
	attr_str(m, IFLA_INFO_KIND, "tun");
	data = nest(m, IFLA_INFO_DATA);
	attr_u32(m, IFLA_TUN_OWNER, 1000);
	unnest(m, data);
	unnest(m, info);
	len = (unsigned short)(sizeof(struct nlattr) + 6);
	memcpy(m->bytes + data, &len, sizeof(len));
	attr_u32(m, IFLA_MTU, 1500);
}

static const struct row {
	const char *name;
	void (*make)(struct message *m);
	const char *want;
} rows[] = {
	{ "link: a macvtap", make_macvtap,
	  "m0 kind=macvtap ifindex=7 mtu=9000 master=4 lower=2 up carrier allmulti operstate=6 mode=16 sources=3 protodown 02:00:00:ab:cd:ef tx=8 rx=4" },
	{ "link: a TAP", make_tap,
	  "t0 kind=tun ifindex=5 mtu=0 master=0 lower=0 down tx=0 rx=0 tun: tap persist mq pi vnet queues=3 disabled=2 owner=1000 group=0" },
	{ "link: tun of packets", make_tun_of_packets,
	  " kind=tun ifindex=5 mtu=0 master=0 lower=0 down tx=0 rx=0 tun: queues=0 disabled=0" },
	{ "link: data of another kind", make_not_tun,
	  "t0 kind=veth ifindex=5 mtu=0 master=0 lower=0 down tx=0 rx=0" },
	{ "link: no attribute", make_bare, " kind= ifindex=9 mtu=0 master=0 lower=0 up tx=0 rx=0" },
	{ "link: promiscuous, so that it takes every group", make_promiscuous,
	  " kind= ifindex=9 mtu=0 master=0 lower=0 down allmulti tx=0 rx=0" },
	{ "link: a macvlan", make_macvlan, " kind=macvlan ifindex=9 mtu=0 master=0 lower=0 up tx=0 rx=0" },
	{ "link: a macvtap's values too short", make_macvtap_short,
	  " kind=macvtap ifindex=9 mtu=0 master=0 lower=0 up tx=0 rx=0" },
	{ "link: the lower one is elsewhere", make_elsewhere,
	  " kind= ifindex=7 mtu=0 master=0 lower=2@ up tx=0 rx=0" },
	{ "link: values too short", make_short_values,
	  "t0 kind=tun ifindex=5 mtu=0 master=0 lower=0 down tx=0 rx=0 tun: queues=0 disabled=0" },
	{ "link: names of 16 bytes are none", make_long_names,
	  " kind= ifindex=5 mtu=0 master=0 lower=0 down tx=0 rx=0" },
	{ "link: names of 15 bytes", make_longest_names,
	  "0123456789abcde kind=a-kind-of-15-by ifindex=5 mtu=0 master=0 lower=0 down tx=0 rx=0" },
	{ "link: data before its kind", make_data_first,
	  " kind=tun ifindex=5 mtu=0 master=0 lower=0 down tx=0 rx=0 tun: queues=0 disabled=0" },
	{ "link: an attribute longer than the message", make_attr_too_long,
	  "t0 kind= ifindex=5 mtu=0 master=0 lower=0 down tx=0 rx=0" },
	{ "link: an attribute of length 0", make_attr_of_length_0,
	  "t0 kind= ifindex=5 mtu=0 master=0 lower=0 down tx=0 rx=0" },
	{ "link: an attribute of length 3", make_attr_of_length_3,
	  "t0 kind= ifindex=5 mtu=0 master=0 lower=0 down tx=0 rx=0" },
	{ "link: a member longer than its nest", make_nest_too_short,
	  " kind=tun ifindex=5 mtu=1500 master=0 lower=0 down tx=0 rx=0 tun: queues=0 disabled=0" },
};

static void row(void **state)
{
	const struct row *r = *state;
	struct link link = { .err = 99 };
	char text[512];
	struct str s = STR_ON(text);
	struct message m;

	r->make(&m);
	assert_int_equal(parse(&m, &link), 0);
	put_link(&s, &link);
	assert_string_equal(text, r->want);
	assert_int_equal(link.err, 0);
}

/* Any length but the right one: nothing is written, and no byte behind the message is read. */
static void refused(struct message *m, size_t len)
{
	struct nlmsghdr *copy = malloc(len > 0 ? len : 1);
	struct link link = { .err = 99 };

	assert_non_null(copy);
	memcpy(copy, m->bytes, len);
	assert_int_equal(link_parse(copy, len, &link), -1);
	assert_int_equal(link.err, 99);
	free(copy);
}

static void cut_anywhere(void **state)
{
	struct message m;

	(void)state;
	macvtap(&m);
	m.head.nlmsg_len = (unsigned)m.len;
	for (size_t len = 0; len < m.len; len++)
		refused(&m, len);
}

static void other_messages(void **state)
{
	static const unsigned short types[] = { RTM_DELLINK, RTM_NEWADDR, NLMSG_ERROR, NLMSG_DONE, 0 };
	struct link link;
	struct message m;

	(void)state;
	for (unsigned i = 0; i < ARRAY_LEN(types); i++) {
		macvtap(&m);
		m.head.nlmsg_type = types[i];
		assert_int_equal(parse(&m, &link), -1);
	}
	/* an index that no link has */
	begin(&m, 0, 0);
	assert_int_equal(parse(&m, &link), -1);
	begin(&m, -1, 0);
	assert_int_equal(parse(&m, &link), -1);
	/* lengths in the header that cannot be */
	for (unsigned len = 0; len < sizeof(struct nlmsghdr) + sizeof(struct ifinfomsg); len++) {
		macvtap(&m);
		m.head.nlmsg_len = len;
		refused(&m, m.len);
	}
	macvtap(&m);
	m.head.nlmsg_len = (unsigned)m.len + 1;
	refused(&m, m.len);
	m.head.nlmsg_len = UINT32_MAX;
	refused(&m, m.len);
}

/* Every byte of the attributes changed, to values that make lengths and types something else. */
static void every_byte(void **state)
{
	static const unsigned char values[] = { 0, 1, 3, 4, 5, 0x7f, 0x80, 0xff };
	struct message whole, m;
	struct link link;

	(void)state;
	tun(&whole, "tun");
	for (size_t i = sizeof(struct nlmsghdr) + sizeof(struct ifinfomsg); i < whole.len; i++) {
		for (unsigned v = 0; v < sizeof(values); v++) {
			m = whole;
			m.bytes[i] = (char)values[v];
			assert_int_equal(parse(&m, &link), 0);
			assert_non_null(memchr(link.name, '\0', sizeof(link.name)));
			assert_non_null(memchr(link.kind, '\0', sizeof(link.kind)));
		}
	}
}

/* An answer is one by its number and its port, whatever is in it. */
static void answers(void **state)
{
	struct message m;

	(void)state;
	macvtap(&m);
	m.head.nlmsg_len = (unsigned)m.len;
	m.head.nlmsg_seq = 7;
	m.head.nlmsg_pid = 4711;
	assert_true(link_answers(&m.head, m.len, 7, 4711));
	assert_false(link_answers(&m.head, m.len, 6, 4711));
	assert_false(link_answers(&m.head, m.len, 8, 4711));
	assert_false(link_answers(&m.head, m.len, 7, 4712));
	assert_false(link_answers(&m.head, m.len, 7, 0));
	assert_false(link_answers(&m.head, sizeof(m.head) - 1, 7, 4711));
	assert_false(link_answers(&m.head, m.len - 4, 7, 4711));
}

static void neighbour(struct message *m, int ifindex, unsigned short nud)
{
	const struct ndmsg nd = { .ndm_family = AF_BRIDGE, .ndm_ifindex = ifindex, .ndm_state = nud };

	*m = (struct message){ .len = sizeof(m->head) };
	m->head.nlmsg_type = RTM_NEWNEIGH;
	append(m, &nd, sizeof(nd));
	m->head.nlmsg_len = (unsigned)m->len;
}

/* Whose address it is: the host's own are "permanent", learnt and fixed ones are not. */
static void own_addresses(void **state)
{
	static const unsigned short others[] = { NUD_REACHABLE, NUD_STALE, NUD_NOARP, 0 };
	struct message m;

	(void)state;
	neighbour(&m, 4, NUD_PERMANENT);
	assert_int_equal(link_parse_own(&m.head, m.len), 4);
	for (size_t len = 0; len < m.len; len++)
		assert_int_equal(link_parse_own(&m.head, len), 0);
	for (unsigned i = 0; i < ARRAY_LEN(others); i++) {
		neighbour(&m, 4, others[i]);
		assert_int_equal(link_parse_own(&m.head, m.len), 0);
	}
	neighbour(&m, -4, NUD_PERMANENT);
	assert_int_equal(link_parse_own(&m.head, m.len), 0);
	neighbour(&m, 4, NUD_PERMANENT);
	m.head.nlmsg_type = RTM_NEWLINK;
	assert_int_equal(link_parse_own(&m.head, m.len), 0);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(rows) + 5] = {
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(other_messages),
		cmocka_unit_test(every_byte),
		cmocka_unit_test(answers),
		cmocka_unit_test(own_addresses),
	};

	UNIT_ROWS(tests + 5, rows, row);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
