/*
 * peer.c - answer the test guest's frames on a link of the host: peer IFNAME
 *
 * Runs in the network namespace of the link, until it is killed. The answer goes to the sender's
 * own address, so that it passes the address filter of a macvtap only when guest and link agree.
 */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <signal.h>
#include <sys/socket.h>

#include "frame.h"

int main(int argc, char **argv)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ASK) };
	struct ask_frame f;
	unsigned char own[ETH_ALEN];
	socklen_t len = sizeof(at);
	int sock;

	/* Whoever started us may be killed before it can stop us. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	at.sll_ifindex = argc == 2 ? (int)if_nametoindex(argv[1]) : 0;
	if (at.sll_ifindex == 0) {
		(void)fprintf(stderr, "usage: peer IFNAME (of a link in this network namespace)\n");
		return 2;
	}
	sock = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETH_P_ASK));
	if (sock < 0 || bind(sock, (struct sockaddr *)&at, sizeof(at)) < 0 ||
	    getsockname(sock, (struct sockaddr *)&at, &len) < 0) {
		perror(argv[1]);
		return 1;
	}
	memcpy(own, at.sll_addr, ETH_ALEN);
	for (;;) {
		len = sizeof(at);
		if (recvfrom(sock, &f, sizeof(f), 0, (struct sockaddr *)&at, &len) < (ssize_t)sizeof(f) ||
		    at.sll_pkttype == PACKET_OUTGOING || memcmp(f.text, ASK, sizeof(ASK)) != 0)
			continue;
		memcpy(f.eth.h_dest, f.eth.h_source, ETH_ALEN);
		memcpy(f.eth.h_source, own, ETH_ALEN);
		memset(f.text, 0, sizeof(f.text));
		memcpy(f.text, ANSWER, sizeof(ANSWER));
		(void)send(sock, &f, sizeof(f), 0);
	}
}
