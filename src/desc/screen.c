/*
 * screen.c - JSON text before and after the parser
 *
 * The parser is cJSON. Three things it cannot do are done here: say where an object ends while its
 * bytes still come in, refuse the liberties that cJSON takes, and turn a place in the tree into a
 * line and a column. None of them builds anything.
 */
#include "config.h"

#include "desc/screen.h"

#include <string.h>

#include "base/utf8.h"

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* One byte inside a string. */
static void feed_string(struct scan *scan, char c)
{
	if (scan->escaped)
		scan->escaped = false;
	else if (c == '\\')
		scan->escaped = true;
	else if (c == '"')
		scan->in_string = false;
}

size_t scan_feed(struct scan *scan, const char *bytes, size_t len)
{
	size_t i = 0;

	while (i < len && !scan->done && !scan->not_object) {
		const char c = bytes[i];

		if (scan->in_string) {
			feed_string(scan, c);
		} else if (scan->depth == 0 && c != '{') {
			scan->not_object = !is_space(c);
			if (scan->not_object)
				break;
		} else if (c == '"') {
			scan->in_string = true;
		} else if (c == '{' || c == '[') {
			scan->depth++;
		} else if (c == '}' || c == ']') {
			scan->done = --scan->depth == 0;
		}
		i++;
	}
	return i;
}

void scan_position(const char *text, size_t offset, unsigned *ret_line, unsigned *ret_column)
{
	unsigned line = 1, column = 1;

	for (size_t i = 0; i < offset; i++) {
		if (text[i] == '\n') {
			line++;
			column = 1;
		} else if (((unsigned char)text[i] & 0xc0) != 0x80) {
			column++;
		}
	}
	*ret_line = line;
	*ret_column = column;
}

/* --- screening --------------------------------------------------------------------------------- */

static int refuse(struct diags *ds, enum diag_id id, const char *text, size_t offset, const char *what)
{
	(void)diag_add(ds, id, 0, NULL, ds->source.name, "%s", what);
	diag_place(ds, text, offset);
	return -1;
}

/* Bytes of a number in JSON's own grammar, 0 when there is none. */
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

/* After a backslash: bytes to step over, 0 when the escape stands for a control character. */
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
			return 1;	/* not an escape at all: cJSON says so */
		code = code * 16 + (unsigned)(at - hex < 16 ? at - hex : at - hex - 6);
	}
	return code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : 5;
}

/* The string whose opening quote is text[i]: the offset behind its closing quote, or 0 after a diag. */
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
			(void)refuse(ds, DIAG_DESC_SYNTAX, text, i, "a control character in a string");
			return 0;
		}
		if (c == '\\') {
			n = escape_len(text + i + 1);
			if (n == 0) {
				(void)refuse(ds, DIAG_DESC_SYNTAX, text, i,
					     "an escape that stands for a control character");
				return 0;
			}
			n++;
		}
		i += n;
	}
	return i + 1;
}

/* One thing outside a string: the offset behind it, or 0 after a diag. */
static size_t screen_token(const char *text, size_t i, unsigned *depth, struct diags *ds)
{
	const char c = text[i];

	if (((unsigned char)c < 0x20 && !is_space(c)) || c == 0x7f) {
		(void)refuse(ds, DIAG_DESC_SYNTAX, text, i, c == '\0' ? "a NUL byte" : "a control character");
		return 0;
	}
	if ((unsigned char)c >= 0x80) {
		(void)refuse(ds, DIAG_DESC_SYNTAX, text, i, "not JSON: a byte above 127 outside a string");
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
			(void)refuse(ds, DIAG_DESC_SYNTAX, text, i, "not a number as JSON writes them");
			return 0;
		}
		return i + n;
	}
	return i + 1;
}

int scan_screen(const char *text, size_t len, struct diags *ds)
{
	unsigned depth = 0;

	for (size_t i = 0; i < len;) {
		i = text[i] == '"' ? screen_string(text, len, i, ds) : screen_token(text, i, &depth, ds);
		if (i == 0)
			return -1;
	}
	return 0;
}

/* --- places ------------------------------------------------------------------------------------ */

static const char *skip_space(const char *p)
{
	while (is_space(*p) || *p == ',' || *p == ':')
		p++;
	return p;
}

/* Behind the value that begins at p. The text is known to be JSON, so counting brackets is enough. */
static const char *skip_value(const char *p)
{
	struct scan scan = { 0 };

	if (*p == '{' || *p == '[') {
		scan.depth = 1;
		return p + 1 + scan_feed(&scan, p + 1, strlen(p + 1));
	}
	if (*p == '"') {
		for (p++; *p && *p != '"'; p++)
			p += *p == '\\' && p[1];
		return *p ? p + 1 : p;
	}
	while (*p && !is_space(*p) && !strchr(",]}", *p))
		p++;
	return p;
}

static bool key_is(const char *p, const char *key)
{
	const size_t len = strlen(key);

	return strncmp(p + 1, key, len) == 0 && p[1 + len] == '"';
}

/* The member or element at->... of the object or array that begins at p; for a member, its key. */
static const char *find_child(const char *p, const struct where *at)
{
	unsigned skip = at->key ? at->again : at->index;

	if (*p != (at->key ? '{' : '['))
		return NULL;
	for (p = skip_space(p + 1); *p && *p != '}' && *p != ']'; p = skip_space(skip_value(p))) {
		const bool match = !at->key || (*p == '"' && key_is(p, at->key));

		if (match && skip-- == 0)
			return p;
		if (at->key)
			p = skip_space(skip_value(p));
	}
	return NULL;
}

/* The value (of a member: its key, when leaf) that at stands for, or NULL. */
static const char *find(const char *text, const struct where *at, bool leaf)
{
	const char *p = at->up ? find(text, at->up, false) : skip_space(text);

	p = p ? find_child(p, at) : NULL;
	return p && at->key && !leaf ? skip_space(skip_value(p)) : p;
}

void scan_locate(const char *text, const struct where *at, unsigned *ret_line, unsigned *ret_column)
{
	const char *p = NULL;

	/* a key that is not there is looked for where it would stand */
	for (; at && !p; at = at->up)
		p = find(text, at, true);
	if (p)
		scan_position(text, (size_t)(p - text), ret_line, ret_column);
}
