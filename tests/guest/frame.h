/* frame.h - what the test guest and its peer say to each other on the wire */
#include <linux/if_ether.h>

#define ETH_P_ASK	0x88b5		/* IEEE 802: for local experiments */
#define ASK		"qemu-handoff guest: is anybody there?"
#define ANSWER		"qemu-handoff peer: here I am"

struct ask_frame {
	struct ethhdr eth;
	char text[64];			/* with the header 78 bytes: over the Ethernet minimum of 60 */
} __attribute__((packed));
