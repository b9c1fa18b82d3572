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

/* How an option asks for help. "-name help" and "-k help" start a machine: they are in no row. */
enum help {
	HELP_WHOLE	= 1 << 0,	/* the value is "help" or "?" */
	HELP_ITEM	= 1 << 1,	/* "TYPE,help": a word of the value, not the first */
	HELP_DRIVER	= 1 << 2,	/* "driver=help" */
	HELP_FORMAT	= 1 << 3,	/* "format=help" */
	HELP_MODEL	= 1 << 4,	/* "model=help" */
	HELP_TRACE	= 1 << 5,	/* "trace:help" */
};

static const struct { const char *option; unsigned help; } helps[] = {
	{ "machine",	HELP_WHOLE | HELP_ITEM },	{ "M",		HELP_WHOLE | HELP_ITEM },
	{ "device",	HELP_WHOLE | HELP_ITEM | HELP_DRIVER },
	{ "object",	HELP_WHOLE | HELP_ITEM },	{ "drive",	HELP_FORMAT },
	{ "nic",	HELP_WHOLE | HELP_MODEL },	{ "net",	HELP_WHOLE | HELP_MODEL },
	{ "d",		HELP_WHOLE | HELP_TRACE },	{ "cpu",	HELP_WHOLE },
	{ "accel",	HELP_WHOLE },			{ "netdev",	HELP_WHOLE },
	{ "chardev",	HELP_WHOLE },			{ "display",	HELP_WHOLE },
	{ "audiodev",	HELP_WHOLE },			{ "audio",	HELP_WHOLE },
	{ "trace",	HELP_WHOLE },			{ "vga",	HELP_WHOLE },
	{ "smp",	HELP_WHOLE },			{ "boot",	HELP_WHOLE },
	{ "L",		HELP_WHOLE },			{ "plugin",	HELP_WHOLE },
	{ "tpmdev",	HELP_WHOLE },			{ "rtc",	HELP_WHOLE },
	{ "spice",	HELP_WHOLE },			{ "vnc",	HELP_WHOLE },
	{ "global",	HELP_WHOLE },			{ "overcommit",	HELP_WHOLE },
	{ "action",	HELP_WHOLE },			{ "add-fd",	HELP_WHOLE },
	{ "msg",	HELP_WHOLE },
};

static bool is_help(const char *s, size_t len)
{
	return (len == 4 && strncmp(s, "help", 4) == 0) || (len == 1 && *s == '?');
}

/* One word of an option's value. */
static bool item_asks(const char *item, size_t len, bool first, unsigned help)
{
	static const struct { unsigned help; const char *key; } keys[] = {
		{ HELP_DRIVER, "driver=" }, { HELP_FORMAT, "format=" }, { HELP_MODEL, "model=" }, { HELP_TRACE, "trace:" },
	};

	if (is_help(item, len) && (first ? help & HELP_WHOLE && item[len] == '\0' : help & HELP_ITEM))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		const size_t n = strlen(keys[i].key);

		if ((help & keys[i].help) && len > n && strncmp(item, keys[i].key, n) == 0 && is_help(item + n, len - n))
			return true;
	}
	return false;
}

static bool asks_help(const char *option, const char *value)
{
	unsigned help = 0;
	bool first = true;

	for (size_t i = 0; i < ARRAY_LEN(helps); i++)
		if (strcmp(option, helps[i].option) == 0)
			help = helps[i].help;
	while (help != 0) {
		const size_t len = strcspn(value, ",");

		if (item_asks(value, len, first, help))
			return true;
		if (value[len] == '\0')
			return false;
		value += len + 1;
		first = false;
	}
	return false;
}

/* Does a value of -machine name a type, as its first word or as "type="? *ret_none: it is "none". */
static bool machine_is(const char *value, bool *ret_none)
{
	const bool keyed = strncmp(value, "type=", 5) == 0;
	const char *type = keyed ? value + 5 : value;
	const size_t len = strcspn(type, ",");

	if (!keyed && memchr(type, '=', len))
		return false;
	*ret_none = len == 4 && strncmp(type, "none", 4) == 0;
	return true;
}

bool qargv_probe(const struct cmdline *cmdline)
{
	static const char *const prints[] = { "version", "h", "help", "audio-help" };
	const char *option, *value;
	bool none = false;
	unsigned pos = 0;

	while (qargv_walk(cmdline, &pos, &option, &value)) {
		if (among(option, prints, ARRAY_LEN(prints)) || (value && asks_help(option, value)))
			return true;
		if (value && (strcmp(option, "machine") == 0 || strcmp(option, "M") == 0))
			(void)machine_is(value, &none);
	}
	return none;
}
