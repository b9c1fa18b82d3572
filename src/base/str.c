/*
 * str.c - text built into a fixed buffer
 */
#include "config.h"

#include "base/str.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

void str_bytes(struct str *s, const char *bytes, size_t len)
{
	const size_t room = s->len < s->cap ? s->cap - s->len - 1 : 0;
	const size_t n = len < room ? len : room;

	if (n > 0)
		memcpy(s->text + s->len, bytes, n);
	s->len += len;
	if (s->cap > 0)
		s->text[s->len < s->cap ? s->len : s->cap - 1] = '\0';
}

static void put_unsigned(struct str *s, unsigned v, bool minus)
{
	char digits[12], *at = digits + sizeof(digits);

	do
		*--at = (char)('0' + v % 10);
	while ((v /= 10) > 0);
	if (minus)
		*--at = '-';
	str_bytes(s, at, (size_t)(digits + sizeof(digits) - at));
}

static void put_int(struct str *s, int v)
{
	put_unsigned(s, v < 0 ? 0U - (unsigned)v : (unsigned)v, v < 0);
}

/* One conversion of those that nearly every text is made of; false: it is another. */
static bool put_plain(struct str *s, char conversion, va_list *ap)
{
	const char *text;

	switch (conversion) {
	case 's':
		text = va_arg(*ap, const char *);
		str_bytes(s, text, strlen(text));
		return true;
	case 'u':
		put_unsigned(s, va_arg(*ap, unsigned), false);
		return true;
	case 'd':
		put_int(s, va_arg(*ap, int));
		return true;
	default:
		return false;
	}
}

__attribute__((format(printf, 2, 0)))
static void put_rest(struct str *s, const char *fmt, va_list *ap)
{
	const size_t room = s->len < s->cap ? s->cap - s->len : 0;
	const int n = vsnprintf(room > 0 ? s->text + s->len : NULL, room, fmt, *ap);

	if (n > 0)
		s->len += (size_t)n;
}

/*
 * vsnprintf() costs about 1,000 instructions a call, and a launch of 4 NICs put 300 pieces of text
 * together.
 */
void str_put(struct str *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	while (*fmt) {
		const size_t plain = strcspn(fmt, "%");

		str_bytes(s, fmt, plain);
		fmt += plain;
		if (*fmt && !put_plain(s, fmt[1], &ap)) {
			put_rest(s, fmt, &ap);
			break;
		}
		fmt += *fmt ? 2 : 0;
	}
	va_end(ap);
}

void str_put_opt(struct str *s, const char *value)
{
	for (const char *comma; (comma = strchr(value, ',')); value = comma + 1) {
		str_bytes(s, value, (size_t)(comma - value));
		str_bytes(s, ",,", 2);
	}
	str_bytes(s, value, strlen(value));
}

static const char *json_short(unsigned char c)
{
	switch (c) {
	case '"':	return "\\\"";
	case '\\':	return "\\\\";
	case '\n':	return "\\n";
	case '\t':	return "\\t";
	default:	return NULL;
	}
}

void str_put_json(struct str *s, const char *value)
{
	while (*value) {
		const unsigned char c = (unsigned char)*value;
		const unsigned n = utf8_len(value, strnlen(value, 4));

		if (n == 0)
			str_bytes(s, "\xef\xbf\xbd", 3);	/* U+FFFD: argv may hold any byte */
		else if (json_short(c))
			str_bytes(s, json_short(c), 2);
		else if (utf8_control(value))
			str_put(s, "\\u%04x", n > 1 ? (unsigned char)value[1] : c);
		else
			str_bytes(s, value, n);
		value += n > 0 ? n : 1;
	}
}

void str_put_line(struct str *s, const char *value)
{
	while (*value) {
		const unsigned n = utf8_len(value, strnlen(value, 4)), step = n > 0 ? n : 1;

		if (n > 0 && !utf8_control(value))
			str_bytes(s, value, n);
		else
			for (unsigned i = 0; i < step; i++)
				str_put(s, "\\x%02x", (unsigned char)value[i]);
		value += step;
	}
}

void str_put_shell(struct str *s, const char *value)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,/:@%";

	if (*value && value[strspn(value, plain)] == '\0') {
		str_bytes(s, value, strlen(value));
		return;
	}
	str_bytes(s, "'", 1);
	for (const char *quote; (quote = strchr(value, '\'')); value = quote + 1) {
		str_bytes(s, value, (size_t)(quote - value));
		str_bytes(s, "'\\''", 4);
	}
	str_put(s, "%s'", value);
}

const char *str_make(struct arena *mem, str_render *fn, const void *arg)
{
	char first[4096];
	struct str s = STR_ON(first);

	fn(&s, arg);
	if (!str_cut(&s))
		return arena_strn(mem, first, s.len);
	s = (struct str){ .cap = s.len + 1, .text = arena_get(mem, s.len + 1) };
	fn(&s, arg);
	return s.text;
}
