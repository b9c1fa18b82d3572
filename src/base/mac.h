/* mac.h - an Ethernet address. Pure. */
#ifndef QH_BASE_MAC_H
#define QH_BASE_MAC_H

#include <stdbool.h>
#include <string.h>

struct mac {
	unsigned char byte[6];
};

#define MAC_FMT "%02x:%02x:%02x:%02x:%02x:%02x"
#define MAC_ARG(m) (m).byte[0], (m).byte[1], (m).byte[2], (m).byte[3], (m).byte[4], (m).byte[5]

static inline bool mac_equal(struct mac a, struct mac b)
{
	return memcmp(a.byte, b.byte, sizeof(a.byte)) == 0;
}

/* Six pairs of hexadecimal digits separated by colons, with nothing before or after. */
static inline bool mac_parse(const char *s, struct mac *ret)
{
	static const char hex[] = "0123456789abcdef0123456789ABCDEF";
	struct mac mac = { { 0 } };

	for (unsigned i = 0; i < 12; i++) {
		const char *at = *s ? strchr(hex, *s++) : NULL;

		if (!at || (i % 2 == 1 && *s++ != (i < 11 ? ':' : '\0')))
			return false;
		mac.byte[i / 2] = (unsigned char)(mac.byte[i / 2] << 4 | ((at - hex) & 15));
	}
	*ret = mac;
	return true;
}

#endif
