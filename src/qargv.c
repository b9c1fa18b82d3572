/*
 * qargv.c - reading QEMU's own command line
 *
 * Only looked at, never edited: the caller's words reach QEMU as they are.
 */
#include "config.h"

#include "qargv.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

static void add(struct qopts *opts, const char *key, const char *value)
{
	opts->list[opts->n++] = (struct qopt){ key, value };
}

/* Bytes up to the comma that ends the item, and a copy of them with commas undoubled. */
static size_t take_item(struct arena *mem, const char *s, char **ret)
{
	size_t len = 0, n = 0;

	while (s[len] && (s[len] != ',' || s[len + 1] == ','))
		len += s[len] == ',' ? 2 : 1;
	*ret = arena_get(mem, len + 1);
	for (size_t i = 0; i < len; i++) {
		(*ret)[n++] = s[i];
		i += s[i] == ',';
	}
	return len;
}

static void parse_item(struct qopts *opts, char *item, const char *first)
{
	char *equal = strchr(item, '=');

	if (equal) {
		*equal = '\0';
		add(opts, item, equal + 1);
	} else if (first) {
		add(opts, first, item);
	} else if (strncmp(item, "no", 2) == 0 && item[2]) {
		add(opts, item + 2, "off");
	} else {
		add(opts, item, "on");
	}
}

static void parse_legacy(struct arena *mem, const char *text, const char *first, struct qopts *ret)
{
	unsigned items = 1;

	for (const char *p = text; *p; p++)
		items += *p == ',';
	ret->list = arena_array(mem, items, sizeof(*ret->list));
	while (*text) {
		char *item;

		text += take_item(mem, text, &item);
		text += *text == ',';
		parse_item(ret, item, first);
		first = NULL;
	}
}

static bool parse_json(struct arena *mem, const char *text, struct qopts *ret)
{
	cJSON *root = cJSON_Parse(text);

	if (!cJSON_IsObject(root)) {
		cJSON_Delete(root);
		return false;
	}
	ret->list = arena_array(mem, (size_t)cJSON_GetArraySize(root), sizeof(*ret->list));
	for (const cJSON *item = root->child; item; item = item->next) {
		const char *key = arena_str(mem, item->string);

		if (cJSON_IsString(item))
			add(ret, key, arena_str(mem, item->valuestring));
		else if (cJSON_IsBool(item))
			add(ret, key, cJSON_IsTrue(item) ? "on" : "off");
		else if (cJSON_IsNumber(item))
			add(ret, key, arena_printf(mem, "%.17g", item->valuedouble));
	}
	cJSON_Delete(root);
	return true;
}

bool qopts_parse(struct arena *mem, const char *text, const char *first, struct qopts *ret)
{
	*ret = (struct qopts){ 0 };
	if (text[0] == '{')
		return parse_json(mem, text, ret);
	parse_legacy(mem, text, first, ret);
	return true;
}

const char *qopts_get(const struct qopts *opts, const char *key)
{
	const bool is_id = strcmp(key, "id") == 0;
	const char *ret = NULL;

	for (unsigned i = 0; i < opts->n; i++)
		if (strcmp(opts->list[i].key, key) == 0 && !(is_id && ret))
			ret = opts->list[i].value;
	return ret;
}

const char *qargv_value(struct arena *mem, const char *text, const char *key)
{
	struct qopts opts;

	return qopts_parse(mem, text, "type", &opts) ? qopts_get(&opts, key) : NULL;
}

unsigned qargv_numbers(const char *list, int *ret, unsigned max)
{
	unsigned n = 0;

	while (n < max) {
		char *end;
		const long v = *list >= '0' && *list <= '9' ? strtol(list, &end, 10) : -1;

		if (v < 0 || v >= FD_MAX || (*end != ':' && *end != '\0'))
			return 0;
		ret[n++] = (int)v;
		if (*end == '\0')
			return n;
		list = end + 1;
	}
	return 0;
}

/* A word of a command line as an option's name, or NULL. */
static const char *option_name(const char *word)
{
	return word[0] != '-' ? NULL : word + (word[1] == '-' ? 2 : 1);
}

const char *qargv_next(const struct cmdline *cmdline, const char *name, unsigned *pos)
{
	while (*pos + 1 < cmdline->n) {
		const char *option = option_name(cmdline->words[(*pos)++]);

		if (option && strcmp(option, name) == 0)
			return cmdline->words[(*pos)++];
	}
	return NULL;
}

bool qargv_has(const struct cmdline *cmdline, const char *name)
{
	for (unsigned i = 0; i < cmdline->n; i++) {
		const char *option = option_name(cmdline->words[i]);

		if (option && strcmp(option, name) == 0)
			return true;
	}
	return false;
}
