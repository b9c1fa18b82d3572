/*
 * format.c - text from a format
 */
#include "config.h"

#include "base/format.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct out {
	char *to;
	size_t cap, len; /* len: wanted so far, also what did not fit */
};

static void put(struct out *o, const char *bytes, size_t len)
{
	const size_t room = o->len < o->cap ? o->cap - o->len - 1 : 0;
	const size_t n = len < room ? len : room;

	if (n > 0)
		memcpy(o->to + o->len, bytes, n);
	o->len += len;
}

/* Digits of v in the base, at least `least` of them. */
static void put_digits(struct out *o, unsigned long v, unsigned base, unsigned least, bool minus)
{
	char digits[24], *const end = digits + sizeof(digits), *at = end;

	do
		*--at = "0123456789abcdef"[v % base];
	while ((v /= base) > 0 || (size_t)(end - at) < least);
	if (minus)
		*--at = '-';
	put(o, at, (size_t)(end - at));
}

/* One conversion. Returns its length in the format; 0: it is not among those. */
static size_t convert(struct out *o, const char *fmt, va_list *ap)
{
	const char *text;
	int v;

	switch (fmt[1]) {
	case 's':
		text = va_arg(*ap, const char *);
		text = text ? text : "(null)";
		put(o, text, strlen(text));
		return 2;
	case 'u':
		put_digits(o, va_arg(*ap, unsigned), 10, 1, false);
		return 2;
	case 'd':
		v = va_arg(*ap, int);
		put_digits(o, v < 0 ? 0U - (unsigned)v : (unsigned)v, 10, 1, v < 0);
		return 2;
	case 'l':
		if (fmt[2] != 'u')
			return 0;
		put_digits(o, va_arg(*ap, unsigned long), 10, 1, false);
		return 3;
	case '0':
		if (fmt[2] != '2' || fmt[3] != 'x')
			return 0;
		put_digits(o, va_arg(*ap, unsigned), 16, 2, false);
		return 4;
	default:
		return 0;
	}
}

__attribute__((format(printf, 2, 0))) static void put_rest(struct out *o, const char *fmt,
							   va_list *ap)
{
	const size_t room = o->len < o->cap ? o->cap - o->len : 0;
	const int n = vsnprintf(room > 0 ? o->to + o->len : NULL, room, fmt, *ap);

	if (n > 0)
		o->len += (size_t)n;
}

size_t format_text(char *to, size_t cap, const char *fmt, va_list ap)
{
	struct out o = { .to = to, .cap = cap };
	va_list rest;

	va_copy(rest, ap);
	while (*fmt) {
		const size_t plain = strcspn(fmt, "%");
		size_t done;

		put(&o, fmt, plain);
		fmt += plain;
		if (!*fmt)
			break;
		done = convert(&o, fmt, &rest);
		if (done == 0) {
			put_rest(&o, fmt, &rest);
			break;
		}
		fmt += done;
	}
	va_end(rest);
	if (cap > 0)
		to[o.len < cap ? o.len : cap - 1] = '\0';
	return o.len;
}
