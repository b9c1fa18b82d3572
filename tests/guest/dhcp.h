/* dhcp.h - as much of a DHCP client as the test guest needs */
#include <stdbool.h>

/*
 * Get an IPv4 address for the card from whoever offers one, and set address, netmask, MTU and default route.
 * sock: a packet socket bound to the card, which is up. Says on stdout what came.
 */
bool dhcp_configure(const char *ifname, int sock, const unsigned char *mac);
