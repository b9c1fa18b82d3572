/*
 * fuzz_link.c - any bytes as the kernel's answer about a link
 *
 * Promises: nothing outside of the bytes is read; a refusal leaves the result untouched; names are texts.
 */
#include "config.h"

#include "fuzz.h"

#include "look/link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct link link = { .mtu = 4711 };
	struct nlmsghdr *nlh;

	/* the receive buffer is longer than any header; what is in it may be shorter */
	if (size < sizeof(*nlh))
		return 0;
	nlh = malloc(size);
	if (!nlh)
		return 0;
	memcpy(nlh, data, size);
	if (link_parse(nlh, size, &link) < 0)
		PROMISE(link.mtu == 4711 && link.ifindex == 0);
	else
		PROMISE(link.ifindex > 0 && memchr(link.name, '\0', sizeof(link.name)) &&
			memchr(link.kind, '\0', sizeof(link.kind)));
	free(nlh);
	return 0;
}
