/*
 * init.c - all of the test guest's user space: what do its network cards look like from inside?
 *
 * Static, no shell. Loads /modules in name order, gives every network card as many channels as
 * its device offers, sends frames until one comes back, and leaves. All it has to say are lines
 * that begin with "guest: " on the console:
 *
 *	guest: eth0 driver=virtio_net mac=52:54:00:12:34:56 combined=4 max=4
 *	guest: eth0 frame=crossed by=peer
 *	guest: done
 *
 * Two frames are sent each time: one for peer.c (by=peer), one that QEMU's user mode network
 * answers (by=10.0.2.2). So the guest need not know what its cards are plugged into.
 *
 * Leaving is reboot() with reboot=t on the command line: a triple fault, which ends a QEMU that
 * runs with -no-reboot. Powering off would need ACPI, whose set-up costs a second under TCG.
 *
 * Kernel command line: guest_stay=N stays N seconds before it leaves. guest_dhcp=1: the first card gets its
 * address by DHCP instead of sending frames, and then the words of talk.h are done. guest_obey=1: instead of
 * leaving it reads orders from the console, one a line, and says "guest: did ORDER" after each:
 *
 *	channels eth0 2		give the card two channels, and say what it has then
 *	look			find the network cards anew, as after the start
 *	reboot			leave
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "dhcp.h"
#include "frame.h"
#include "talk.h"

#define TRIES	20			/* half a second each */
#define NICS	64

struct nic {
	char name[IFNAMSIZ];
	unsigned char mac[ETH_ALEN];
	int sock;			/* packet socket bound to the card, or -1 */
	const char *by;			/* who answered, or NULL */
};

struct arp_frame {
	struct ethhdr eth;
	struct arphdr arp;
	unsigned char sender_mac[ETH_ALEN], sender_ip[4], target_mac[ETH_ALEN], target_ip[4];
} __attribute__((packed));

static void load_modules(void)
{
	struct dirent **entry;
	const int n = scandir("/modules", &entry, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char path[512];
		int fd;

		if (entry[i]->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "/modules/%s", entry[i]->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (syscall(SYS_finit_module, fd, "", 0) < 0)
			printf("guest: error %s: %m\n", path);
		(void)close(fd);
	}
}

static int ethtool(int sock, const char *name, void *cmd)
{
	struct ifreq ifr = { .ifr_data = cmd };

	(void)snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	return ioctl(sock, SIOCETHTOOL, &ifr);
}

/* Give the card that many channels, 0: all that its device has (the driver starts with
 * min(channels, CPUs) of them). What it has then is returned. */
static struct ethtool_channels set_channels(int sock, const char *name, unsigned want)
{
	struct ethtool_channels ch = { .cmd = ETHTOOL_GCHANNELS };

	if (ethtool(sock, name, &ch) < 0)
		printf("guest: error %s: read channels: %m\n", name);
	want = want ? want : ch.max_combined;
	if (ch.combined_count != want) {
		ch.cmd = ETHTOOL_SCHANNELS;
		ch.combined_count = want;
		if (ethtool(sock, name, &ch) < 0)
			printf("guest: error %s: set channels: %m\n", name);
		ch.cmd = ETHTOOL_GCHANNELS;
		(void)ethtool(sock, name, &ch);
	}
	return ch;
}

/* Say what the card is, bring it up, and bind a packet socket to it. */
static void nic_start(int sock, struct nic *nic)
{
	struct ethtool_drvinfo drv = { .cmd = ETHTOOL_GDRVINFO };
	const struct ethtool_channels ch = set_channels(sock, nic->name, 0);
	const unsigned char *m = nic->mac;
	struct sockaddr_ll at = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = (int)if_nametoindex(nic->name),
	};
	struct ifreq ifr = { .ifr_flags = 0 };

	(void)ethtool(sock, nic->name, &drv);
	(void)snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", nic->name);
	if (ioctl(sock, SIOCGIFHWADDR, &ifr) == 0)
		memcpy(nic->mac, ifr.ifr_hwaddr.sa_data, ETH_ALEN);
	printf("guest: %s driver=%s mac=%02x:%02x:%02x:%02x:%02x:%02x combined=%u max=%u\n",
	       nic->name, drv.driver, m[0], m[1], m[2], m[3], m[4], m[5],
	       ch.combined_count, ch.max_combined);

	ifr.ifr_flags = IFF_UP;
	if (ioctl(sock, SIOCSIFFLAGS, &ifr) < 0)
		printf("guest: error %s: up: %m\n", nic->name);
	nic->sock = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETH_P_ALL));
	if (nic->sock < 0 || bind(nic->sock, (struct sockaddr *)&at, sizeof(at)) < 0)
		printf("guest: error %s: packet socket: %m\n", nic->name);
}

static void nic_send(const struct nic *nic)
{
	struct ask_frame ask = { .eth.h_proto = htons(ETH_P_ASK), .text = ASK };
	struct arp_frame arp = {
		.eth.h_proto = htons(ETH_P_ARP),
		.arp = { htons(ARPHRD_ETHER), htons(ETH_P_IP), ETH_ALEN, 4, htons(ARPOP_REQUEST) },
		.sender_ip = { 10, 0, 2, 15 },
		.target_ip = { 10, 0, 2, 2 },
	};

	memset(ask.eth.h_dest, 0xff, ETH_ALEN);
	memcpy(ask.eth.h_source, nic->mac, ETH_ALEN);
	memset(arp.eth.h_dest, 0xff, ETH_ALEN);
	memcpy(arp.eth.h_source, nic->mac, ETH_ALEN);
	memcpy(arp.sender_mac, nic->mac, ETH_ALEN);
	(void)send(nic->sock, &ask, sizeof(ask), 0);
	(void)send(nic->sock, &arp, sizeof(arp), 0);
}

/* Who sent this frame to us, or NULL when it is no answer. The address must be ours alone. */
static const char *answer_by(const struct nic *nic, const unsigned char *frame, size_t len)
{
	const struct ask_frame *ask = (const void *)frame;
	const struct arp_frame *arp = (const void *)frame;

	if (len < sizeof(struct ethhdr) || memcmp(ask->eth.h_dest, nic->mac, ETH_ALEN) != 0)
		return NULL;
	if (ask->eth.h_proto == htons(ETH_P_ASK) && len >= sizeof(*ask) &&
	    memcmp(ask->text, ANSWER, sizeof(ANSWER)) == 0)
		return "peer";
	if (arp->eth.h_proto == htons(ETH_P_ARP) && len >= sizeof(*arp) &&
	    arp->arp.ar_op == htons(ARPOP_REPLY))
		return "10.0.2.2";
	return NULL;
}

/* Send and look for answers, all cards together, until each has one or the tries are used up. */
static void nics_talk(struct nic *nics, nfds_t n)
{
	for (int try = 0; try < TRIES; try++) {
		struct pollfd p[NICS];
		nfds_t waiting = 0;

		for (nfds_t i = 0; i < n; i++) {
			p[i] = (struct pollfd){ .fd = nics[i].by ? -1 : nics[i].sock, .events = POLLIN };
			if (!nics[i].by) {
				nic_send(&nics[i]);
				waiting++;
			}
		}
		/* Each wait ends with any frame, also a foreign one: at most ten of them a try. */
		for (int got = 0; waiting > 0 && got < 10 && poll(p, n, 500) > 0; got++) {
			for (nfds_t i = 0; i < n; i++) {
				unsigned char frame[2048];
				const ssize_t len = p[i].revents ? recv(p[i].fd, frame, sizeof(frame), 0) : 0;

				if (len > 0)
					nics[i].by = answer_by(&nics[i], frame, (size_t)len);
				if (nics[i].by && p[i].fd >= 0) {
					p[i].fd = -1;
					waiting--;
				}
			}
		}
		if (waiting == 0)
			break;
	}
	for (nfds_t i = 0; i < n; i++)
		if (nics[i].by)
			printf("guest: %s frame=crossed by=%s\n", nics[i].name, nics[i].by);
		else
			printf("guest: %s frame=lost\n", nics[i].name);
}

/* The cards that have a device behind them (lo has none), in name order. */
static nfds_t nics_find(struct nic *nics)
{
	struct dirent **entry;
	const int found = scandir("/sys/class/net", &entry, NULL, alphasort);
	nfds_t n = 0;

	for (int i = 0; i < found && n < NICS; i++) {
		char path[512];

		(void)snprintf(path, sizeof(path), "/sys/class/net/%s/device", entry[i]->d_name);
		if (entry[i]->d_name[0] == '.' || access(path, F_OK) < 0)
			continue;
		nics[n] = (struct nic){ .sock = -1 };
		(void)snprintf(nics[n].name, IFNAMSIZ, "%.15s", entry[i]->d_name);
		n++;
	}
	return n;
}

/* Say what every card is, and who answers on it. */
static void look(int sock)
{
	static struct nic nics[NICS];
	const nfds_t n = nics_find(nics);

	if (n == 0)
		printf("guest: error no network card\n");
	for (nfds_t i = 0; i < n; i++)
		nic_start(sock, &nics[i]);
	if (!getenv("guest_dhcp"))
		nics_talk(nics, n);
	else if (n > 0 && dhcp_configure(nics[0].name, nics[0].sock, nics[0].mac))
		talk_run();
	for (nfds_t i = 0; i < n; i++)
		(void)close(nics[i].sock);
}

static void obey(int sock)
{
	char order[128], name[IFNAMSIZ];
	unsigned want;

	while (fgets(order, sizeof(order), stdin) && strcmp(order, "reboot\n") != 0) {
		if (strcmp(order, "look\n") == 0) {
			look(sock);
		} else if (sscanf(order, "channels %15s %u", name, &want) == 2) {
			const struct ethtool_channels ch = set_channels(sock, name, want);

			printf("guest: %s combined=%u max=%u\n", name, ch.combined_count, ch.max_combined);
		}
		printf("guest: did %s", order);
	}
}

int main(void)
{
	const char *stay = getenv("guest_stay");	/* the kernel passes unknown words on */
	int sock;

	(void)mount("proc", "/proc", "proc", 0, "");
	(void)mount("sysfs", "/sys", "sysfs", 0, "");
	(void)mount("dev", "/dev", "devtmpfs", 0, "");
	sock = open("/dev/console", O_RDWR | O_NOCTTY);
	for (int fd = 0; fd < 3; fd++)
		(void)dup2(sock, fd);
	(void)setvbuf(stdout, NULL, _IOLBF, 0);

	load_modules();
	sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	look(sock);
	printf("guest: done\n");
	if (getenv("guest_obey"))
		obey(sock);
	if (stay)
		(void)sleep((unsigned)strtoul(stay, NULL, 10));
	(void)fsync(STDOUT_FILENO);
	(void)reboot(RB_AUTOBOOT);
	return 1;
}
