/*
 * tryport.c - may these ids listen on a port?
 */
#include "config.h"

#include "sys/tryport.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "sys/fd.h"

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static int try_at(bool udp, const union address *at, socklen_t len)
{
	AUTO_FD fd = socket(at->any.sa_family, (udp ? SOCK_DGRAM : SOCK_STREAM) | SOCK_CLOEXEC, 0);
	const int yes = 1;

	if (fd < 0)
		return errno;
	/* as passt does: a connection that ended a moment ago does not count */
	if (!udp)
		(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(fd, &at->any, len) < 0 || (!udp && listen(fd, 1) < 0))
		return errno;
	return 0;
}

int tryport(bool udp, const char *address, unsigned port)
{
	union address v4 = { .v4 = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) } },
		      v6 = { .v6 = { .sin6_family = AF_INET6,
				     .sin6_port = htons((uint16_t)port) } };

	if (!address || inet_pton(AF_INET, address, &v4.v4.sin_addr) == 1)
		return try_at(udp, &v4, sizeof(v4.v4));
	if (inet_pton(AF_INET6, address, &v6.v6.sin6_addr) == 1)
		return try_at(udp, &v6, sizeof(v6.v6));
	return EINVAL;
}
