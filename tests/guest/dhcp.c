/*
 * dhcp.c - DISCOVER, OFFER, REQUEST, ACK (RFC 2131), on a packet socket
 *
 * Frames are written whole, because the card has no address yet: an answer that is addressed to the
 * address on offer would not reach a UDP socket.
 */
#include "dhcp.h"

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <net/if.h>
#include <net/route.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TRIES = 20, WAIT_MS = 500, DISCOVER = 1, OFFER = 2, REQUEST = 3, ACK = 5 };
enum { OPT_MASK = 1, OPT_ROUTER = 3, OPT_MTU = 26, OPT_ADDRESS = 50, OPT_TYPE = 53, OPT_SERVER = 54, OPT_LIST = 55, OPT_END = 255 };

struct message {
	struct ethhdr eth;
	struct iphdr ip;
	struct udphdr udp;
	unsigned char op, htype, hlen, hops;
	unsigned xid;
	unsigned short secs, flags;
	struct in_addr ciaddr, yiaddr, siaddr, giaddr;
	unsigned char chaddr[16], sname[64], file[128], cookie[4], options[312];
} __attribute__((packed));

struct lease {
	struct in_addr address, mask, router, server;
	unsigned mtu;
};

static unsigned short checksum(const void *data, size_t len)
{
	const unsigned char *p = data;
	unsigned sum = 0;

	for (size_t i = 0; i < len; i += 2)
		sum += (unsigned)p[i] << 8 | p[i + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons((unsigned short)~sum);
}

static void dhcp_send(int sock, const unsigned char *mac, unsigned char type, const struct lease *offer)
{
	struct message m = {
		.eth.h_proto = htons(ETH_P_IP),
		.ip = { .version = 4, .ihl = 5, .tot_len = htons(sizeof(m) - sizeof(m.eth)), .ttl = 64,
			.protocol = IPPROTO_UDP, .daddr = INADDR_NONE },
		.udp = { htons(68), htons(67), htons(sizeof(m) - sizeof(m.eth) - sizeof(m.ip)), 0 },
		.op = 1, .htype = 1, .hlen = ETH_ALEN, .xid = htonl(0x71680001), .flags = htons(0x8000),
		.cookie = { 99, 130, 83, 99 },
	};
	unsigned char *o = m.options;

	memset(m.eth.h_dest, 0xff, ETH_ALEN);
	memcpy(m.eth.h_source, mac, ETH_ALEN);
	memcpy(m.chaddr, mac, ETH_ALEN);
	m.ip.check = checksum(&m.ip, sizeof(m.ip));
	*o++ = OPT_TYPE, *o++ = 1, *o++ = type;
	if (type == REQUEST) {
		*o++ = OPT_ADDRESS, *o++ = 4, memcpy(o, &offer->address, 4), o += 4;
		*o++ = OPT_SERVER, *o++ = 4, memcpy(o, &offer->server, 4), o += 4;
	}
	*o++ = OPT_LIST, *o++ = 3, *o++ = OPT_MASK, *o++ = OPT_ROUTER, *o++ = OPT_MTU;
	*o = OPT_END;
	(void)send(sock, &m, sizeof(m), 0);
}

/* The options of an answer; its type, 0 when it is none. */
static int parse(const struct message *m, size_t len, const unsigned char *mac, struct lease *ret)
{
	const unsigned char *o = m->options, *end = (const unsigned char *)m + len;
	int type = 0;

	if (end < o || m->eth.h_proto != htons(ETH_P_IP) || m->ip.protocol != IPPROTO_UDP || m->udp.dest != htons(68) ||
	    m->op != 2 || memcmp(m->chaddr, mac, ETH_ALEN) != 0)
		return 0;
	ret->address = m->yiaddr;
	for (; o + 2 <= end && *o != OPT_END && o + 2 + o[1] <= end; o += *o ? 2 + o[1] : 1) {
		if (*o == OPT_TYPE)
			type = o[2];
		else if (*o == OPT_MASK)
			memcpy(&ret->mask, o + 2, 4);
		else if (*o == OPT_ROUTER)
			memcpy(&ret->router, o + 2, 4);
		else if (*o == OPT_SERVER)
			memcpy(&ret->server, o + 2, 4);
		else if (*o == OPT_MTU)
			ret->mtu = (unsigned)o[2] << 8 | o[3];
	}
	return type;
}

/* Send, and wait for the answer of that type. */
static bool exchange(int sock, const unsigned char *mac, unsigned char send_type, int want, struct lease *lease)
{
	for (int try = 0; try < TRIES; try++) {
		struct pollfd pfd = { .fd = sock, .events = POLLIN };

		dhcp_send(sock, mac, send_type, lease);
		while (poll(&pfd, 1, WAIT_MS) > 0) {
			struct message m;
			struct lease got = { .mtu = 0 };
			const ssize_t n = recv(sock, &m, sizeof(m), 0);

			if (n > 0 && parse(&m, (size_t)n, mac, &got) == want) {
				*lease = got;
				return true;
			}
		}
	}
	return false;
}

static struct sockaddr address_of(struct in_addr a)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr = a };
	struct sockaddr ret;

	memcpy(&ret, &in, sizeof(ret));
	return ret;
}

static void configure(const char *ifname, const struct lease *lease)
{
	const int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct rtentry route = { .rt_flags = RTF_UP | RTF_GATEWAY, .rt_gateway = address_of(lease->router),
				 .rt_dst = address_of((struct in_addr){ 0 }), .rt_genmask = address_of((struct in_addr){ 0 }) };
	struct ifreq ifr = { .ifr_addr = address_of(lease->address) };

	(void)snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", ifname);
	if (ioctl(sock, SIOCSIFADDR, &ifr) < 0)
		printf("guest: error %s: address: %m\n", ifname);
	ifr.ifr_netmask = address_of(lease->mask);
	if (ioctl(sock, SIOCSIFNETMASK, &ifr) < 0)
		printf("guest: error %s: netmask: %m\n", ifname);
	ifr.ifr_mtu = (int)lease->mtu;
	if (lease->mtu != 0 && ioctl(sock, SIOCSIFMTU, &ifr) < 0)
		printf("guest: error %s: MTU: %m\n", ifname);
	if (lease->router.s_addr != 0 && ioctl(sock, SIOCADDRT, &route) < 0)
		printf("guest: error %s: route: %m\n", ifname);
	(void)close(sock);
}

bool dhcp_configure(const char *ifname, int sock, const unsigned char *mac)
{
	char address[16], mask[16], router[16];
	struct lease lease = { .mtu = 0 };

	if (!exchange(sock, mac, DISCOVER, OFFER, &lease) || !exchange(sock, mac, REQUEST, ACK, &lease)) {
		printf("guest: %s dhcp=none\n", ifname);
		return false;
	}
	configure(ifname, &lease);
	(void)inet_ntop(AF_INET, &lease.address, address, sizeof(address));
	(void)inet_ntop(AF_INET, &lease.mask, mask, sizeof(mask));
	(void)inet_ntop(AF_INET, &lease.router, router, sizeof(router));
	printf("guest: %s dhcp=%s mask=%s router=%s mtu=%u\n", ifname, address, mask, router, lease.mtu);
	return true;
}
