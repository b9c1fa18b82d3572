/*
 * frames.c - real frames through real links: one who sends them, and a stand-in for QEMU that counts what arrives
 *
 *	frames send IFNAME DESTINATION LETTER COUNT [SOURCE]
 *			COUNT frames, each of another flow, marked with LETTER, on the link IFNAME
 *	frames ...	as QEMU: takes frames from every queue from descriptor 3 on. "queue 3 mv0 vnet_hdr" for each queue,
 *			"ready", and at each frame that is marked 'e' what came since the last, by letter: "seen a5 b0 c0"
 *	frames listen IFNAME
 *			the same count of what comes out of the link IFNAME; the guest answers 'q' with 'a' and 'z' with 'e'
 *
 * Frames are UDP in IPv4, from a source port of their own, which is what a TAP chooses its queues by.
 */
#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <linux/ip.h>
#include <linux/udp.h>

#include "base/mac.h"

enum { QUEUES = 16, PORT = 4711, LIFE_MS = 120000 };

struct frame {
	struct ethhdr eth;
	struct iphdr ip;
	struct udphdr udp;
	char letter, fill[31];
} __attribute__((packed));

/* --- sending -------------------------------------------------------------------------------------- */

/* A bridge whose frames go through the rules of IPv4 drops one with a wrong sum. */
static uint16_t checksum(const struct iphdr ip)
{
	uint16_t words[sizeof(ip) / 2];
	uint32_t sum = 0;

	memcpy(words, &ip, sizeof(words));
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		sum += words[i];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

static int ifindex_of(int fd, const char *ifname)
{
	struct ifreq ifr = { 0 };

	if (strlen(ifname) >= sizeof(ifr.ifr_name))
		return 0;
	memcpy(ifr.ifr_name, ifname, strlen(ifname));
	return ioctl(fd, SIOCGIFINDEX, &ifr) < 0 ? 0 : ifr.ifr_ifindex;
}

static int send_frames(const char *ifname, const char *to, char letter, int count, const char *source)
{
	const int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_halen = ETH_ALEN,
				  .sll_ifindex = ifindex_of(fd, ifname) };
	struct frame frame = { .letter = letter };
	struct mac src, dst;

	if (fd < 0 || !mac_parse(to, &dst) || !mac_parse(source, &src) || at.sll_ifindex == 0)
		return 2;
	memcpy(frame.eth.h_dest, dst.byte, ETH_ALEN);
	memcpy(frame.eth.h_source, src.byte, ETH_ALEN);
	frame.eth.h_proto = htons(ETH_P_IP);
	frame.ip = (struct iphdr){ .version = 4, .ihl = 5, .ttl = 64, .protocol = IPPROTO_UDP,
				   .tot_len = htons(sizeof(frame) - sizeof(frame.eth)),
				   .saddr = htonl(0xc0000201), .daddr = htonl(0xc0000202) };
	frame.ip.check = checksum(frame.ip);
	for (int i = 0; i < count; i++) {
		frame.udp = (struct udphdr){ .source = htons((unsigned short)(10000 + i)), .dest = htons(PORT),
					     .len = htons(sizeof(frame.udp) + 32) };
		/* a link that is down takes none, and that is what some tests are about */
		(void)sendto(fd, &frame, sizeof(frame), 0, (const struct sockaddr *)&at, sizeof(at));
	}
	return 0;
}

/* --- taking them --------------------------------------------------------------------------------- */

struct guest {
	struct pollfd queue[QUEUES];
	size_t header[QUEUES];		/* bytes before each frame */
	nfds_t n;
	unsigned seen[26];
};

static void find_queues(struct guest *g)
{
	for (int fd = 3; fd < 64 && g->n < QUEUES; fd++) {
		struct ifreq ifr = { 0 };
		int size = 0;

		if (ioctl(fd, TUNGETIFF, &ifr) < 0 || fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK) < 0)
			continue;
		if (ifr.ifr_flags & IFF_VNET_HDR)
			(void)ioctl(fd, TUNGETVNETHDRSZ, &size);
		(void)printf("queue %d %.15s%s\n", fd, ifr.ifr_name, ifr.ifr_flags & IFF_VNET_HDR ? " vnet_hdr" : "");
		g->header[g->n] = (size_t)size;
		g->queue[g->n++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	}
}

/* The frame goes back to its sender by the queue that it came from. */
static void answer(const struct guest *g, nfds_t i, struct frame frame, char letter)
{
	char buf[64 + sizeof(frame)] = { 0 };
	struct ethhdr back = frame.eth;

	memcpy(back.h_dest, frame.eth.h_source, ETH_ALEN);
	memcpy(back.h_source, frame.eth.h_dest, ETH_ALEN);
	frame.eth = back;
	frame.letter = letter;
	memcpy(buf + g->header[i], &frame, sizeof(frame));
	if (write(g->queue[i].fd, buf, g->header[i] + sizeof(frame)) < 0)
		perror("answer");
}

/* Everything that is there; was the end among it? */
static int drain(struct guest *g, nfds_t i)
{
	char buf[2048];
	int end = 0;
	ssize_t n;

	while ((n = read(g->queue[i].fd, buf, sizeof(buf))) > 0) {
		struct frame frame;

		if ((size_t)n < g->header[i] + sizeof(frame))
			continue;
		memcpy(&frame, buf + g->header[i], sizeof(frame));
		if (frame.eth.h_proto != htons(ETH_P_IP) || frame.udp.dest != htons(PORT))
			continue;
		end |= frame.letter == 'e';
		if (frame.letter == 'q' || frame.letter == 'z')
			answer(g, i, frame, frame.letter == 'q' ? 'a' : 'e');
		if (frame.letter >= 'a' && frame.letter <= 'z')
			g->seen[frame.letter - 'a']++;
	}
	return end;
}

static void tell(struct guest *g)
{
	(void)printf("seen a%u b%u c%u\n", g->seen[0], g->seen[1], g->seen[2]);
	memset(g->seen, 0, sizeof(g->seen));
}

static int take(struct guest *g)
{
	(void)printf("ready\n");
	while (poll(g->queue, g->n, LIFE_MS) > 0) {
		int end = 0;

		for (nfds_t i = 0; i < g->n; i++)
			end |= drain(g, i);
		/* the end came by one queue: what came before by another is there by now */
		for (nfds_t i = 0; end && i < g->n; i++)
			(void)drain(g, i);
		if (end)
			tell(g);
	}
	return 0;
}

static int be_guest(void)
{
	struct guest g = { .n = 0 };

	find_queues(&g);
	return take(&g);
}

static int listen_on(const char *ifname)
{
	const int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	const struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IP),
					.sll_ifindex = ifindex_of(fd, ifname) };
	struct guest g = { .n = 1, .queue[0] = { .fd = fd, .events = POLLIN } };

	if (fd < 0 || at.sll_ifindex == 0 || bind(fd, (const struct sockaddr *)&at, sizeof(at)) < 0)
		return 2;
	return take(&g);
}

int main(int argc, char **argv)
{
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc == 3 && strcmp(argv[1], "listen") == 0)
		return listen_on(argv[2]);
	if (argc >= 6 && strcmp(argv[1], "send") == 0)
		return send_frames(argv[2], argv[3], argv[4][0], atoi(argv[5]), argc > 6 ? argv[6] : "02:00:00:00:00:aa");
	return be_guest();
}
