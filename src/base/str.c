/*
 * str.c - text built into a fixed buffer
 */
#include "config.h"

#include "base/str.h"

#include <stdarg.h>
#include <string.h>

#include "base/format.h"
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

void str_put(struct str *s, const char *fmt, ...)
{
	const size_t room = s->len < s->cap ? s->cap - s->len : 0;
	va_list ap;

	va_start(ap, fmt);
	s->len += format_text(room > 0 ? s->text + s->len : NULL, room, fmt, ap);
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
	case '"':
		return "\\\"";
	case '\\':
		return "\\\\";
	case '\n':
		return "\\n";
	case '\t':
		return "\\t";
	default:
		return NULL;
	}
}

/* JSON has 16 bits in an escape: above that it takes two, as in UTF-16. */
static void put_json_code(struct str *s, uint32_t code)
{
	if (code > 0xffff)
		str_put(s, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
	else
		str_put(s, "\\u%04x", code);
}

void str_put_json(struct str *s, const char *value)
{
	while (*value) {
		const unsigned char c = (unsigned char)*value;
		const unsigned n = utf8_len(value, strnlen(value, 4));

		if (n == 0)
			str_bytes(s, "\xef\xbf\xbd", 3); /* U+FFFD: argv may hold any byte */
		else if (json_short(c))
			str_bytes(s, json_short(c), 2);
		else if (utf8_hidden(value, n))
			put_json_code(s, utf8_code(value, n));
		else
			str_bytes(s, value, n);
		value += n > 0 ? n : 1;
	}
}

static void put_hex(struct str *s, const char *bytes, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		str_put(s, "\\x%02x", (unsigned char)bytes[i]);
}

/* Bytes at the beginning of value that are printable ASCII: they are most of every text. */
static size_t plain_length(const char *value)
{
	size_t n = 0;

	while (value[n] >= ' ' && value[n] <= '~')
		n++;
	return n;
}

void str_put_line(struct str *s, const char *value)
{
	while (*value) {
		const size_t plain = plain_length(value);
		const unsigned n = plain > 0 ? 0 : utf8_len(value, strnlen(value, 4));
		const unsigned step = n > 0 ? n : 1;

		if (plain > 0) {
			str_bytes(s, value, plain);
			value += plain;
			continue;
		}
		if (n > 0 && !utf8_hidden(value, n))
			str_bytes(s, value, n);
		else
			put_hex(s, value, step);
		value += step;
	}
}

/* Bytes at the beginning of value that stand in '' as they are and are seen as themselves. */
static unsigned shell_step(const char *value, bool *ret_shown)
{
	const unsigned n = utf8_len(value, strnlen(value, 4));

	*ret_shown = *value == '\n' || *value == '\t' || (n > 0 && !utf8_hidden(value, n));
	return n > 0 ? n : 1;
}

static bool all_shown(const char *value)
{
	bool shown = true;

	while (shown && *value)
		value += shell_step(value, &shown);
	return shown;
}

/* The quotes that know \xNN: bash, zsh, ksh, busybox, and POSIX since 2024. */
static void put_shell_hidden(struct str *s, const char *value)
{
	str_bytes(s, "$'", 2);
	for (unsigned n; *value; value += n) {
		bool shown;

		n = shell_step(value, &shown);
		if (!shown)
			put_hex(s, value, n);
		else if (*value == '\'' || *value == '\\')
			str_put(s, "\\%c", *value);
		else
			str_bytes(s, value, n);
	}
	str_bytes(s, "'", 1);
}

void str_put_shell(struct str *s, const char *value)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,/:@%";

	if (*value && value[strspn(value, plain)] == '\0') {
		str_bytes(s, value, strlen(value));
		return;
	}
	if (!all_shown(value)) {
		put_shell_hidden(s, value);
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
