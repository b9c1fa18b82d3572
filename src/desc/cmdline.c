/*
 * cmdline.c - reading QEMU's own command line
 *
 * Only looked at, never edited: the caller's words reach QEMU as they are.
 */
#include "config.h"

#include "desc/cmdline.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

static void add(struct qopts *opts, const char *key, const char *value)
{
	opts->list[opts->n++] = (struct qopt){ key, value };
}

/* Take the value that text begins with, to the comma that ends it; commas in it are doubled. */
static const char *take_value(struct arena *mem, const char *text, const char **ret)
{
	size_t len = 0, n = 0;
	char *value;

	while (text[len] && (text[len] != ',' || text[len + 1] == ','))
		len += text[len] == ',' ? 2 : 1;
	*ret = value = arena_get(mem, len + 1);
	for (size_t i = 0; i < len; i++) {
		value[n++] = text[i];
		i += text[i] == ',';
	}
	return text + len;
}

/* A key ends at the first '=' or comma, doubled or not (util/qemu-option.c, get_opt_name_value). */
static const char *take_item(struct arena *mem, const char *text, const char *first, struct qopts *ret)
{
	const size_t len = strcspn(text, "=,");
	const char *key = arena_strn(mem, text, len), *value;

	if (text[len] == '=') {
		text = take_value(mem, text + len + 1, &value);
	} else if (first) {
		key = first;
		text = take_value(mem, text, &value);
	} else {
		const bool off = strncmp(key, "no", 2) == 0;

		key += off ? 2 : 0;
		value = off ? "off" : "on";
		text += len;
	}
	add(ret, key, value);
	return text + (*text == ',');
}

static void parse_legacy(struct arena *mem, const char *text, const char *first, struct qopts *ret)
{
	unsigned items = 1;

	for (const char *p = text; *p; p++)
		items += *p == ',';
	ret->list = arena_array(mem, items, sizeof(*ret->list));
	for (; *text; first = NULL)
		text = take_item(mem, text, first, ret);
}

static size_t count_members(const cJSON *object)
{
	size_t n = 0;

	for (const cJSON *item = object->child; item; item = item->next)
		n += cJSON_IsObject(item) ? count_members(item) : 1;
	return n;
}

/* Members of members get a key with dots, as QEMU's other form has it: "file.aio". */
static void add_members(struct arena *mem, const cJSON *object, const char *prefix, struct qopts *ret)
{
	for (const cJSON *item = object->child; item; item = item->next) {
		const char *key = arena_printf(mem, "%s%s", prefix, item->string);

		if (cJSON_IsString(item))
			add(ret, key, arena_str(mem, item->valuestring));
		else if (cJSON_IsBool(item))
			add(ret, key, cJSON_IsTrue(item) ? "on" : "off");
		else if (cJSON_IsNumber(item))
			add(ret, key, arena_printf(mem, "%.17g", item->valuedouble));
		else if (cJSON_IsObject(item))
			add_members(mem, item, arena_printf(mem, "%s.", key), ret);
	}
}

static bool parse_json(struct arena *mem, const char *text, struct qopts *ret)
{
	cJSON *root = cJSON_Parse(text);

	if (!cJSON_IsObject(root)) {
		cJSON_Delete(root);
		return false;
	}
	ret->list = arena_array(mem, count_members(root), sizeof(*ret->list));
	add_members(mem, root, "", ret);
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

/* --- walking ------------------------------------------------------------------------------------ */

/*
 * Options without a value, QEMU 6.2 to 11.1. An option that is not here is taken to have one: a word that
 * is wrongly passed over makes a launch of a probe, never a probe (unconfined) of a launch.
 */
static const char *const flags[] = {
	"S", "alt-grab", "async-teardown", "audio-help", "ctrl-grab", "curses", "daemonize", "enable-fips", "enable-kvm",
	"enable-sync-profile", "full-screen", "h", "help", "mem-prealloc", "no-acpi", "no-fd-bootchk", "no-hpet",
	"no-quit", "no-reboot", "no-shutdown", "no-user-config", "nodefaults", "nographic", "old-param",
	"only-migratable", "portrait", "preconfig", "s", "sdl", "semihosting", "singlestep", "snapshot", "usb",
	"version", "win2k-hack", "xen-attach", "xen-domid-restrict",
};

static bool among(const char *word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(word, list[i]) == 0)
			return true;
	return false;
}

bool qargv_walk(const struct cmdline *cmdline, unsigned *pos, const char **ret_name, const char **ret_value)
{
	while (*pos < cmdline->n) {
		const char *word = cmdline->words[(*pos)++];

		if (word[0] != '-')
			continue;
		*ret_name = word + (word[1] == '-' ? 2 : 1);
		*ret_value = NULL;
		if (!among(*ret_name, flags, ARRAY_LEN(flags)) && *pos < cmdline->n)
			*ret_value = cmdline->words[(*pos)++];
		return true;
	}
	return false;
}

const char *qargv_next(const struct cmdline *cmdline, const char *name, unsigned *pos)
{
	const char *option, *value;

	while (qargv_walk(cmdline, pos, &option, &value))
		if (value && strcmp(option, name) == 0)
			return value;
	return NULL;
}

bool qargv_has(const struct cmdline *cmdline, const char *name)
{
	const char *option, *value;
	unsigned pos = 0;

	while (qargv_walk(cmdline, &pos, &option, &value))
		if (strcmp(option, name) == 0)
			return true;
	return false;
}

/* --- probes --------------------------------------------------------------------------------------- */

/*
 * How an option asks for help, as QEMU 7.2 to 10.0 answer it. "-name help" and "-k help" start a machine:
 * they are in no row. A probe runs without our filter, so what is not surely one is none.
 */
enum help {
	HELP_WHOLE	= 1 << 0,	/* the value is "help" or "?" */
	HELP_FIRST	= 1 << 1,	/* its first item is, whatever follows */
	HELP_LATER	= 1 << 2,	/* an item behind the first is: "TYPE,help" */
	HELP_IMPLIED	= 1 << 3,	/* a first item without '=' is the key's value */
	HELP_TRACE	= 1 << 4,	/* an item is "trace:help" */
	HELP_AT_END	= 1 << 5,	/* acted on when all is read: a later option of that name replaces it */
};

/* key: asks when its value (the last one, if it is given twice) is "help" or "?". */
static const struct probe { const char *option, *key; unsigned help; } probes[] = {
	{ "machine",	NULL,		HELP_FIRST | HELP_LATER },
	{ "M",		NULL,		HELP_FIRST | HELP_LATER },
	{ "object",	"qom-type",	HELP_FIRST | HELP_LATER },
	{ "audio",	"driver",	HELP_FIRST | HELP_LATER },
	{ "boot",	NULL,		HELP_FIRST | HELP_LATER },
	{ "smp",	NULL,		HELP_FIRST | HELP_LATER },
	{ "device",	"driver",	HELP_IMPLIED | HELP_LATER },
	{ "accel",	"accel",	HELP_IMPLIED },
	{ "netdev",	"type",		HELP_IMPLIED },
	{ "chardev",	"backend",	HELP_IMPLIED },
	{ "trace",	"enable",	HELP_IMPLIED },
	{ "drive",	"format",	0 },
	{ "nic",	"model",	HELP_WHOLE },
	{ "net",	"model",	HELP_WHOLE },
	{ "d",		NULL,		HELP_FIRST | HELP_LATER | HELP_TRACE },
	{ "cpu",	NULL,		HELP_WHOLE | HELP_AT_END },
	{ "vga",	NULL,		HELP_WHOLE | HELP_AT_END },
	{ "display",	NULL,		HELP_WHOLE },
	{ "audiodev",	NULL,		HELP_WHOLE },
	{ "L",		NULL,		HELP_WHOLE },
	{ "plugin",	NULL,		HELP_WHOLE },
	/* these print and exit with 1 */
	{ "tpmdev",	NULL,		HELP_WHOLE },
	{ "rtc",	NULL,		HELP_WHOLE },
	{ "spice",	NULL,		HELP_WHOLE },
	{ "vnc",	NULL,		HELP_WHOLE },
	{ "global",	NULL,		HELP_WHOLE },
	{ "overcommit",	NULL,		HELP_WHOLE },
	{ "action",	NULL,		HELP_WHOLE },
	{ "add-fd",	NULL,		HELP_WHOLE },
	{ "msg",	NULL,		HELP_WHOLE },
};

/* One item of an option's value, "name=value" or a word alone (value is NULL). */
struct item {
	const char *name, *value;
	size_t name_len, value_len;
};

static bool item_next(const char **pos, struct item *ret)
{
	const char *s = *pos, *equal;
	size_t len = 0;

	if (!*s)
		return false;
	while (s[len] && (s[len] != ',' || s[len + 1] == ','))
		len += s[len] == ',' ? 2 : 1;
	*pos = s + len + (s[len] == ',');
	equal = memchr(s, '=', len);
	*ret = (struct item){ .name = s, .name_len = equal ? (size_t)(equal - s) : len };
	if (equal) {
		ret->value = equal + 1;
		ret->value_len = len - ret->name_len - 1;
	}
	return true;
}

static bool is_word(const char *s, size_t len, const char *word)
{
	return len == strlen(word) && strncmp(s, word, len) == 0;
}

static bool is_help(const char *s, size_t len)
{
	return is_word(s, len, "help") || is_word(s, len, "?");
}

/*
 * The last value of a key, which is taken over from an option of the same name before when value has none;
 * implied: a first item without '=' is one.
 */
static void key_get(const char *value, const char *key, bool implied, const char **ret, size_t *ret_len)
{
	struct item item;

	for (bool first = true; item_next(&value, &item); first = false) {
		if (first && implied && !item.value) {
			*ret = item.name;
			*ret_len = item.name_len;
		} else if (item.value && is_word(item.name, item.name_len, key)) {
			*ret = item.value;
			*ret_len = item.value_len;
		}
	}
}

static bool asks_help(const struct probe *probe, const char *value)
{
	static const char trace[] = "trace:";
	const size_t skip = strlen(trace);
	const char *named = "";
	struct item item;
	size_t len = 0;

	if (value[0] == '{')	/* JSON has no help */
		return false;
	if ((probe->help & HELP_WHOLE) && is_help(value, strlen(value)))
		return true;
	if (probe->key)
		key_get(value, probe->key, probe->help & HELP_IMPLIED, &named, &len);
	if (is_help(named, len))
		return true;
	for (bool first = true; item_next(&value, &item); first = false) {
		if ((probe->help & (first ? HELP_FIRST : HELP_LATER)) && is_help(item.name, item.name_len))
			return true;
		if ((probe->help & HELP_TRACE) && item.name_len > skip && strncmp(item.name, trace, skip) == 0 &&
		    is_help(item.name + skip, item.name_len - skip))
			return true;
	}
	return false;
}

bool qargv_probe(const struct cmdline *cmdline)
{
	static const char *const prints[] = { "version", "h", "help", "audio-help" };
	const char *option, *value, *machine = "";
	bool at_end[ARRAY_LEN(probes)] = { false };
	bool ret = false;
	size_t len = 0;
	unsigned pos = 0;

	while (qargv_walk(cmdline, &pos, &option, &value)) {
		if (among(option, prints, ARRAY_LEN(prints)))
			return true;
		if (!value)
			continue;
		if (strcmp(option, "machine") == 0 || strcmp(option, "M") == 0)
			key_get(value, "type", true, &machine, &len);
		for (size_t i = 0; i < ARRAY_LEN(probes); i++) {
			if (strcmp(option, probes[i].option) != 0)
				continue;
			at_end[i] = asks_help(&probes[i], value);
			if (at_end[i] && !(probes[i].help & HELP_AT_END))
				return true;
		}
	}
	for (size_t i = 0; i < ARRAY_LEN(probes); i++)
		ret |= at_end[i];
	return ret || is_word(machine, len, "none");
}
