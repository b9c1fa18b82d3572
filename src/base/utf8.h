/* utf8.h - well-formed UTF-8 (Unicode 15, table 3-7). Pure. */
#ifndef QH_BASE_UTF8_H
#define QH_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The code point of the well-formed character of len bytes at s. */
static inline uint32_t utf8_code(const char *text, unsigned len)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t code = len == 1 ? s[0] : s[0] & (0xffU >> (len + 1));

	for (unsigned i = 1; i < len; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

/*
 * Would the well-formed character of len bytes at s not be seen as itself: a control character, one
 * that changes the direction of the text around it, that breaks a line, or that has no glyph? Two
 * texts that differ in such a one look the same (Unicode Technical Report 36, 2.5 and 2.11).
 */
static inline bool utf8_hidden(const char *text, unsigned len)
{
	static const struct { uint32_t first, last; } hidden[] = {
		{ 0x00ad, 0x00ad },	/* soft hyphen */
		{ 0x034f, 0x034f },	/* combining grapheme joiner */
		{ 0x061c, 0x061c },	/* Arabic letter mark */
		{ 0x115f, 0x1160 },	/* Hangul fillers */
		{ 0x17b4, 0x17b5 },	/* Khmer inherent vowels */
		{ 0x180b, 0x180f },	/* Mongolian variation selectors, vowel separator */
		{ 0x200b, 0x200f },	/* zero width, direction marks */
		{ 0x2028, 0x202e },	/* line and paragraph separators, embeddings, overrides */
		{ 0x2060, 0x206f },	/* word joiner, isolates, and what was deprecated */
		{ 0x3164, 0x3164 },	/* Hangul filler */
		{ 0xfe00, 0xfe0f },	/* variation selectors */
		{ 0xfeff, 0xfeff },	/* byte order mark */
		{ 0xffa0, 0xffa0 },	/* Hangul filler */
		{ 0xfff0, 0xfffb },	/* interlinear annotations */
		{ 0x1bca0, 0x1bca3 },	/* shorthand format controls */
		{ 0x1d173, 0x1d17a },	/* musical format controls */
		{ 0xe0000, 0xe0fff },	/* tags, more variation selectors */
	};
	const uint32_t code = utf8_code(text, len);

	if (utf8_control(text))
		return true;
	for (unsigned i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (code >= hidden[i].first && code <= hidden[i].last)
			return true;
	return false;
}

#endif
