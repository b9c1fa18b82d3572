/* utf8.h - well-formed UTF-8 (Unicode 15, table 3-7). Pure. */
#ifndef QH_BASE_UTF8_H
#define QH_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Length in bytes of the first character of s[0..len): 1 to 4, or 0 if it is not well-formed. len
 * >= 1.
 */
static inline unsigned utf8_len(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned char low = 0x80, high = 0xbf;
	unsigned n;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (n > len)
		return 0;
	/*
	 * the range of the second byte excludes overlong forms, surrogates and values above
	 * U+10FFFF
	 */
	if (s[0] == 0xe0)
		low = 0xa0;
	else if (s[0] == 0xed)
		high = 0x9f;
	else if (s[0] == 0xf0)
		low = 0x90;
	else if (s[0] == 0xf4)
		high = 0x8f;
	if (s[1] < low || s[1] > high)
		return 0;
	for (unsigned i = 2; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/*
 * Is the well-formed character at s a control character: C0, DEL, or C1, which terminals also obey?
 */
static inline bool utf8_control(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	return s[0] < 0x20 || s[0] == 0x7f || (s[0] == 0xc2 && s[1] < 0xa0);
}

#endif
