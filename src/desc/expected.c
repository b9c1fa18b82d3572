/*
 * expected.c - what JSON would be right at the place where a text stops being JSON
 *
 * The parser says where it stopped, not why. The usual slips are other languages' habits, and each
 * shows in the byte at that place and in the one before it.
 */
#include "config.h"

#include "desc/expected.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/bounds.h"

/* What comes before a place. */
struct before {
	char open[DEPTH_MAX + 1];	/* the brackets that are open */
	unsigned depth;
	char last;			/* the last byte that is not white space; 0: none */
	bool after_key;			/* it ends a key */
};

static bool key_is_next(const struct before *b)
{
	return b->depth > 0 && b->open[b->depth - 1] == '{' && (b->last == '{' || b->last == ',');
}

static size_t skip_string(const char *text, size_t i, size_t end)
{
	for (i++; i < end && text[i] != '"'; i++)
		i += text[i] == '\\';
	return i;
}

static void read_before(const char *text, size_t end, struct before *b)
{
	for (size_t i = 0; i < end; i++) {
		const char c = text[i];

		if (strchr(" \t\r\n", c))
			continue;
		b->after_key = c == '"' && key_is_next(b);
		b->last = c;
		if (c == '"')
			i = skip_string(text, i, end);
		else if ((c == '{' || c == '[') && b->depth < sizeof(b->open))
			b->open[b->depth++] = c;
		else if ((c == '}' || c == ']') && b->depth > 0)
			b->depth--;
	}
}

/* A word that other languages have for true, false or null; NULL: none. */
static const char *meant_word(const char *word, size_t len, struct arena *mem)
{
	static const struct { const char *word, *meant; } words[] = {
		{ "true", "true" }, { "yes", "true" }, { "on", "true" },
		{ "false", "false" }, { "no", "false" }, { "off", "false" },
		{ "null", "null" }, { "none", "null" }, { "nil", "null" },
	};

	for (unsigned i = 0; i < ARRAY_LEN(words); i++)
		if (strlen(words[i].word) == len && strncasecmp(words[i].word, word, len) == 0)
			return arena_printf(mem, "expected %s, not '%.*s'", words[i].meant,
					    (int)len, word);
	return NULL;
}

static const char *expected_value(const char *at, struct arena *mem)
{
	const size_t len = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
	const char *word = meant_word(at, len, mem);

	if (word)
		return word;
	return len > 0 ? "expected a value; a string needs double quotes" : "expected a value";
}

/* Where a key is missing, cJSON stops one byte too late. */
static size_t first_wrong(const char *text, size_t at)
{
	struct before b = { .depth = 0 };

	if (at == 0 || strchr("\" \t\r\n", text[at - 1]))
		return at;
	read_before(text, at - 1, &b);
	return key_is_next(&b) && !(b.last == '{' && text[at - 1] == '}') ? at - 1 : at;
}

const char *json_expected(const char *text, size_t len, size_t *at_io, struct arena *mem)
{
	struct before b = { .depth = 0 }, all = { .depth = 0 };
	const size_t at = *at_io = first_wrong(text, *at_io < len ? *at_io : len);
	const char c = (char)(at < len ? text[at] : 0);

	read_before(text, len, &all);
	read_before(text, at, &b);
	if (c == '\'')
		return "expected double quotes, not single quotes";
	if (c == '/' || c == '#')
		return "JSON has no comments";
	if (b.last == ',' && (c == '}' || c == ']'))
		return "trailing comma";
	if (at + 1 >= len && all.depth > 0)
		return "the text ends inside an object or an array";
	if (b.last == '\0')
		return "expected an object";
	if (key_is_next(&b))
		return "expected a key in double quotes";
	if (b.after_key)
		return "expected ':'";
	if (strchr(":,[", b.last))
		return expected_value(text + at, mem);
	return b.depth > 0 && b.open[b.depth - 1] == '[' ? "expected ',' or ']'"
							 : "expected ',' or '}'";
}
