/* screen.c - refuse what cJSON accepts and this format does not */
#include "config.h"

#include "desc/screen.h"

#include <string.h>

#include "base/bounds.h"
#include "base/utf8.h"

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int refuse(struct diags *ds, enum diag_id id, const char *text, size_t offset,
		  const char *what)
{
	(void)diag_add(ds, id, 0, NULL, ds->source.name, "%s", what);
	diag_place(ds, text, offset);
	return -1;
}

/* Length of a number in JSON's own grammar; 0 if there is none. */
static size_t number_len(const char *s)
{
	const char *p = s;

	p += *p == '-';
	if (!is_digit(*p))
		return 0;
	if (*p++ != '0')
		while (is_digit(*p))
			p++;
	if (*p == '.') {
		if (!is_digit(*++p))
			return 0;
		while (is_digit(*p))
			p++;
	}
	if (*p == 'e' || *p == 'E') {
		p++;
		p += *p == '+' || *p == '-';
		if (!is_digit(*p))
			return 0;
		while (is_digit(*p))
			p++;
	}
	return (size_t)(p - s);
}

/* After a backslash: how many bytes to skip; 0 if the escape stands for a control character. */
static size_t escape_len(const char *s)
{
	unsigned code = 0;

	if (*s && strchr("bfnrt", *s))
		return 0;
	if (*s != 'u')
		return 1;
	for (unsigned i = 1; i <= 4; i++) {
		const char *hex = "0123456789abcdefABCDEF", *at = s[i] ? strchr(hex, s[i]) : NULL;

		if (!at)
			return 1;	/* not an escape: cJSON refuses it */
		code = code * 16 + (unsigned)(at - hex < 16 ? at - hex : at - hex - 6);
	}
	return code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : 5;
}

/*
 * A string whose opening quote is text[i]. Returns the offset after its closing quote, or 0 after a
 * diag.
 */
static size_t screen_string(const char *text, size_t len, size_t i, struct diags *ds)
{
	for (i++; i < len && text[i] != '"';) {
		const unsigned char c = (unsigned char)text[i];
		size_t n = utf8_len(text + i, len - i);

		if (n == 0) {
			(void)refuse(ds, DIAG_DESC_SYNTAX, text, i, "a byte that is not UTF-8");
			return 0;
		}
		if (utf8_control(text + i)) {
			(void)refuse(ds, DIAG_DESC_SYNTAX, text, i,
				     "a control character in a string");
			return 0;
		}
		if (c == '\\') {
			n = escape_len(text + i + 1);
			if (n == 0) {
				(void)refuse(ds, DIAG_DESC_SYNTAX, text, i,
					     "an escape for a control character");
				return 0;
			}
			n++;
		}
		i += n;
	}
	return i + 1;
}

/* One token outside a string. Returns the offset after it, or 0 after a diag. */
static size_t screen_token(const char *text, size_t i, unsigned *depth, struct diags *ds)
{
	const char c = text[i];

	if (((unsigned char)c < 0x20 && !is_space(c)) || c == 0x7f) {
		(void)refuse(ds, DIAG_DESC_SYNTAX, text, i,
			     c == '\0' ? "a NUL byte" : "a control character");
		return 0;
	}
	if ((unsigned char)c >= 0x80) {
		(void)refuse(ds, DIAG_DESC_SYNTAX, text, i,
			     "a byte above 127 outside a string");
		return 0;
	}
	if ((c == '{' || c == '[') && ++*depth > DEPTH_MAX) {
		(void)diag_add(ds, DIAG_DESC_DEPTH, 0, NULL, ds->source.name,
			       "nested deeper than %d levels", DEPTH_MAX);
		diag_place(ds, text, i);
		return 0;
	}
	if (c == '}' || c == ']')
		*depth -= *depth > 0;
	if (c == '-' || is_digit(c)) {
		const size_t n = number_len(text + i);

		if (n == 0 || (text[i + n] && strchr("+-.0123456789eE", text[i + n]))) {
			(void)refuse(ds, DIAG_DESC_SYNTAX, text, i,
				     "not a number in JSON's syntax");
			return 0;
		}
		return i + n;
	}
	return i + 1;
}

int screen_json(const char *text, size_t len, struct diags *ds)
{
	unsigned depth = 0;

	for (size_t i = 0; i < len;) {
		i = text[i] == '"' ? screen_string(text, len, i, ds)
				   : screen_token(text, i, &depth, ds);
		if (i == 0)
			return -1;
	}
	return 0;
}
