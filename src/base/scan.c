/*
 * scan.c - where a JSON object ends in a text, and where a place in it is
 *
 * cJSON only parses complete texts, and keeps no positions. This file only scans; it builds no
 * tree.
 */
#include "config.h"

#include "base/scan.h"

#include <string.h>

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
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

/* --- places ----------------------------------------------------------------------------------- */

static const char *skip_space(const char *p)
{
	while (is_space(*p) || *p == ',' || *p == ':')
		p++;
	return p;
}

/*
 * The end of the value that begins at p. The text is known to be JSON, so counting brackets is
 * enough.
 */
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

/* The value that `at` stands for, or NULL; for a member that is the leaf, its key. */
static const char *find(const char *text, const struct where *at, bool leaf)
{
	const char *p = at->up ? find(text, at->up, false) : skip_space(text);

	p = p ? find_child(p, at) : NULL;
	return p && at->key && !leaf ? skip_space(skip_value(p)) : p;
}

void scan_locate(const char *text, const struct where *at, unsigned *ret_line, unsigned *ret_column)
{
	const char *p = NULL;

	/* a missing key is reported where it would belong */
	for (; at && !p; at = at->up)
		p = find(text, at, true);
	if (p)
		scan_position(text, (size_t)(p - text), ret_line, ret_column);
}
