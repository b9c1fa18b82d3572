/*
 * keyval.c - the value of one QEMU option, as keys and typed values until it is rendered
 *
 * A value gets into option text only through str_put_opt(), which doubles commas, and into JSON
 * only through str_put_json(). So no value can end its property and begin another.
 */
#include "config.h"

#include "base/keyval.h"

#include <string.h>

#include "base/str.h"

void keyval_add(struct keyvals *kv, const char *key, enum keyval_type type, const char *text)
{
	if (kv->n == kv->room) {
		const unsigned room = kv->room ? 2 * kv->room : 8;
		struct keyval *list = arena_array(kv->mem, room, sizeof(*list));

		if (kv->n > 0)
			memcpy(list, kv->list, kv->n * sizeof(*list));
		kv->list = list;
		kv->room = room;
	}
	kv->list[kv->n++] = (struct keyval){ .key = key, .type = type, .text = text };
}

void keyval_text(struct keyvals *kv, const char *key, const char *text)
{
	keyval_add(kv, key, KEYVAL_TEXT, text);
}

void keyval_number(struct keyvals *kv, const char *key, unsigned long number)
{
	keyval_add(kv, key, KEYVAL_NUMBER, arena_printf(kv->mem, "%lu", number));
}

void keyval_switch(struct keyvals *kv, const char *key, bool on)
{
	keyval_add(kv, key, KEYVAL_SWITCH, on ? "on" : "off");
}

const struct keyval *keyval_find(const struct keyvals *kv, const char *key)
{
	for (unsigned i = 0; i < kv->n; i++)
		if (strcmp(kv->list[i].key, key) == 0)
			return &kv->list[i];
	return NULL;
}

/* --- option text ------------------------------------------------------------------------------ */

static void render_option(struct str *s, const void *arg)
{
	const struct keyvals *kv = arg;

	for (unsigned i = 0; i < kv->n; i++) {
		if (i > 0) {
			str_bytes(s, ",", 1);
			str_bytes(s, kv->list[i].key, strlen(kv->list[i].key));
			str_bytes(s, "=", 1);
		}
		str_put_opt(s, kv->list[i].text);
	}
}

const char *keyval_option(const struct keyvals *kv)
{
	return kv->verbatim ? kv->verbatim : str_make(kv->mem, render_option, kv);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void put_quoted(struct str *s, const char *text, size_t len)
{
	char part[256];

	/* a part of a key: short, with nothing to escape */
	if (len < sizeof(part)) {
		memcpy(part, text, len);
		part[len] = '\0';
		text = part;
	}
	str_put(s, "\"");
	str_put_json(s, text);
	str_put(s, "\"");
}

static void put_value(struct str *s, const struct keyval *pair)
{
	switch (pair->type) {
	case KEYVAL_TEXT:
		put_quoted(s, pair->text, strlen(pair->text));
		break;
	case KEYVAL_NUMBER:
		str_put(s, "%s", pair->text);
		break;
	case KEYVAL_SWITCH:
		str_put(s, "%s", strcmp(pair->text, "on") == 0 ? "true" : "false");
		break;
	case KEYVAL_STRINGS:
		str_put(s, "{\"str\":");
		put_quoted(s, pair->text, strlen(pair->text));
		str_put(s, "}");
		break;
	}
}

/* Does pair i have the same key as the one before it? */
static bool repeats(const struct keyvals *kv, unsigned i)
{
	return i < kv->n && strcmp(kv->list[i].key, kv->list[i - 1].key) == 0;
}

/*
 * The members of one object: the pairs from i onwards whose keys share their first `from` bytes.
 * Returns the index of the pair after them. The depth of recursion is the number of dots in a key,
 * and keys come from the program's own tables.
 */
static unsigned put_members(struct str *s, const struct keyvals *kv, unsigned i, size_t from)
{
	const unsigned first = i;

	str_put(s, "{");
	while (i < kv->n &&
	       (i == first || strncmp(kv->list[i].key, kv->list[first].key, from) == 0)) {
		const char *part = kv->list[i].key + from;
		const size_t len = strcspn(part, ".");
		const bool listed = kv->list[i].type == KEYVAL_STRINGS;

		str_put(s, "%s", i > first ? "," : "");
		put_quoted(s, part, len);
		str_put(s, ":%s", listed ? "[" : "");
		if (part[len] == '.') {
			i = put_members(s, kv, i, from + len + 1);
			continue;
		}
		put_value(s, &kv->list[i++]);
		for (; listed && repeats(kv, i); i++) {
			str_put(s, ",");
			put_value(s, &kv->list[i]);
		}
		str_put(s, "%s", listed ? "]" : "");
	}
	str_put(s, "}");
	return i;
}

static void render_json(struct str *s, const void *arg)
{
	(void)put_members(s, arg, 0, 0);
}

const char *keyval_json(const struct keyvals *kv)
{
	if (kv->verbatim)
		return kv->verbatim[0] == '{' ? kv->verbatim : NULL;
	return str_make(kv->mem, render_json, kv);
}
