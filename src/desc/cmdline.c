/*
 * cmdline.c - reading QEMU's own command line
 *
 * Only looked at, never edited: the caller's words reach QEMU as they are.
 */
#include "config.h"

#include "desc/cmdline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

enum { DEPTH_OF_JSON = 32, KEY_OF_JSON = 512 };

static void add(struct qopts *opts, const char *key, const char *value)
{
	opts->list[opts->n++] = (struct qopt){ key, value };
}

/* --- key=value,... ---------------------------------------------------------------------------- */

/*
 * End the value that text begins with, and undouble its commas, both in place. Returns what is
 * after the comma that ended it.
 */
static char *end_value(char *text)
{
	char *to = text;

	for (; *text && (*text != ',' || text[1] == ','); text++) {
		*to++ = *text;
		text += *text == ',';
	}
	text += *text == ',';
	*to = '\0';
	return text;
}

/* A key ends at the first '=' or comma, doubled or not (util/qemu-option.c, get_opt_name_value). */
static char *take_item(char *text, const char *first, struct qopts *ret)
{
	char *const key = text, *const end = text + strcspn(text, "=,");
	const bool off = strncmp(key, "no", 2) == 0;

	if (*end == '=') {
		text = end_value(end + 1);
		*end = '\0';
		add(ret, key, end + 1);
		return text;
	}
	if (first) {
		text = end_value(key);
		add(ret, first, key);
		return text;
	}
	text = end + (*end == ',');
	*end = '\0';
	add(ret, off ? key + 2 : key, off ? "off" : "on");
	return text;
}

static void parse_legacy(struct arena *mem, const char *text, const char *first, struct qopts *ret)
{
	char *pos = arena_str(mem, text);
	unsigned items = 1;

	for (const char *p = text; *p; p++)
		items += *p == ',';
	ret->list = arena_array(mem, items, sizeof(*ret->list));
	for (; *pos; first = NULL)
		pos = take_item(pos, first, ret);
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* Where the reader of an object stands: the keys on the way to it, joined by dots. */
struct json_walk {
	struct arena *mem;
	struct qopts *opts;
	char text[KEY_OF_JSON];
};

static size_t count_members(const cJSON *item)
{
	size_t n = 0;

	if (!cJSON_IsObject(item) && !cJSON_IsArray(item))
		return 1;
	for (const cJSON *child = item->child; child; child = child->next)
		n += count_members(child);
	return n;
}

static const char *scalar(struct arena *mem, const cJSON *item)
{
	if (cJSON_IsString(item))
		return arena_str(mem, item->valuestring);
	if (cJSON_IsBool(item))
		return cJSON_IsTrue(item) ? "on" : "off";
	return cJSON_IsNumber(item) ? arena_printf(mem, "%.17g", item->valuedouble) : NULL;
}

/* False: it is deeper, or its keys are longer, than any that QEMU has. */
static bool add_members(struct json_walk *w, const cJSON *parent, unsigned depth)
{
	const size_t before = strlen(w->text);
	unsigned i = 0;

	for (const cJSON *item = parent->child; item; item = item->next, i++) {
		const char *value;
		size_t len = before;
		int n;

		n = snprintf(w->text + len, sizeof(w->text) - len, "%s%.*s", before ? "." : "",
			     (int)sizeof(w->text), item->string ? item->string : "");
		if (!item->string)
			n = snprintf(w->text + len, sizeof(w->text) - len, "%s%u",
				     before ? "." : "", i);
		if (n < 0 || (size_t)n >= sizeof(w->text) - len)
			return false;
		if (cJSON_IsObject(item) || cJSON_IsArray(item)) {
			if (depth == 0 || !add_members(w, item, depth - 1))
				return false;
		} else if ((value = scalar(w->mem, item))) {
			add(w->opts, arena_str(w->mem, w->text), value);
		}
		w->text[before] = '\0';
	}
	return true;
}

/*
 * QEMU takes strings in single quotes as well (qobject/json-lexer.c): the same text with double
 * ones.
 */
static const char *requoted(struct arena *mem, const char *text)
{
	char *ret = arena_get(mem, 2 * strlen(text) + 1), *to = ret;
	char quote = '\0';

	for (; *text; text++) {
		if (quote && *text == '\\' && text[1] == '\'') {
			*to++ = *++text;
		} else if (quote && *text == '\\' && text[1]) {
			*to++ = *text++;
			*to++ = *text;
		} else if (*text == quote || (!quote && (*text == '"' || *text == '\''))) {
			quote = quote ? '\0' : *text;
			*to++ = '"';
		} else {
			if (*text == '"')
				*to++ = '\\';
			*to++ = *text;
		}
	}
	return ret;
}

static bool parse_json(struct arena *mem, const char *text, struct qopts *ret)
{
	struct json_walk walk = { .mem = mem, .opts = ret };
	cJSON *root = cJSON_Parse(text);
	bool ok;

	if (!root && strchr(text, '\''))
		root = cJSON_Parse(requoted(mem, text));
	ok = cJSON_IsObject(root);

	if (ok) {
		ret->list = arena_array(mem, count_members(root), sizeof(*ret->list));
		ok = add_members(&walk, root, DEPTH_OF_JSON);
	}
	cJSON_Delete(root);
	return ok;
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

/* --- the words as options --------------------------------------------------------------------- */

/*
 * The option that starts at *pos, or the next that does. One that the table does not have is taken
 * to have a value: a word that is wrongly passed over makes a launch of a probe, never a probe
 * (which is less confined) of a launch.
 */
static bool walk(const struct cmdline *cmdline, unsigned *pos, struct qemu_arg *ret)
{
	while (*pos < cmdline->n) {
		const char *word = cmdline->words[(*pos)++];

		if (word[0] != '-')
			continue;
		*ret = (struct qemu_arg){ .name = word + (word[1] == '-' ? 2 : 1) };
		ret->row = qemu_option_find(ret->name);
		if ((!ret->row || ret->row->arity == QEMU_VALUE) && *pos < cmdline->n)
			ret->value = cmdline->words[(*pos)++];
		return true;
	}
	return false;
}

bool qargv_walk(const struct cmdline *cmdline, unsigned *pos, const char **ret_name,
		const char **ret_value)
{
	struct qemu_arg arg;

	if (!walk(cmdline, pos, &arg))
		return false;
	*ret_name = arg.name;
	*ret_value = arg.value;
	return true;
}

static void chain(struct qemu_args *args, unsigned i)
{
	const struct qemu_option *row = args->list[i].row;
	unsigned *last;

	if (!row)
		return;
	last = &args->last[row->same];
	if (*last)
		args->list[*last - 1].next = i + 1;
	else
		args->first[row->same] = i + 1;
	*last = i + 1;
}

static unsigned count_args(const struct cmdline *cmdline)
{
	struct qemu_arg arg;
	unsigned pos = 0, n = 0;

	while (walk(cmdline, &pos, &arg))
		n++;
	return n;
}

struct qemu_args *qemu_args_read(const struct cmdline *cmdline, struct arena *mem)
{
	struct qemu_args *ret = arena_get(mem, sizeof(*ret));
	unsigned pos = 0;

	ret->mem = mem;
	ret->list = arena_array(mem, count_args(cmdline), sizeof(*ret->list));
	while (walk(cmdline, &pos, &ret->list[ret->n]))
		chain(ret, ret->n++);
	return ret;
}

bool qemu_args_has(const struct qemu_args *args, enum qemu_option_id id)
{
	return args->first[id] != 0;
}

struct qemu_arg *qemu_args_first(const struct qemu_args *args, enum qemu_option_id id)
{
	return args->first[id] ? &args->list[args->first[id] - 1] : NULL;
}

struct qemu_arg *qemu_args_after(const struct qemu_args *args, const struct qemu_arg *arg)
{
	return arg->next ? &args->list[arg->next - 1] : NULL;
}

const struct qopts *qemu_arg_opts(const struct qemu_args *args, struct qemu_arg *arg)
{
	if (!arg->parsed && arg->value)
		arg->readable = qopts_parse(args->mem, arg->value,
					    arg->row ? arg->row->first : NULL, &arg->opts);
	arg->parsed = true;
	return arg->readable ? &arg->opts : NULL;
}

const char *qemu_args_last(const struct qemu_args *args, enum qemu_option_id id, const char *key)
{
	const char *ret = NULL;

	for (struct qemu_arg *arg = qemu_args_first(args, id); arg;
	     arg = qemu_args_after(args, arg)) {
		const struct qopts *opts = qemu_arg_opts(args, arg);
		const char *value = opts ? qopts_get(opts, key) : NULL;

		ret = value ? value : ret;
	}
	return ret;
}

/* --- an option's uses by the value of one key ------------------------------------------------- */

/* Open addressing, at most half full. */
struct qemu_ids {
	struct {
		const char *value;
		const struct qopts *opts;
	} * slots;
	size_t mask;
};

static size_t hash(const char *s)
{
	size_t h = 5381;

	for (; *s; s++)
		h = h * 33 ^ (unsigned char)*s;
	return h;
}

static size_t slot_of(const struct qemu_ids *ids, const char *value)
{
	size_t i = hash(value) & ids->mask;

	while (ids->slots[i].value && strcmp(ids->slots[i].value, value) != 0)
		i = (i + 1) & ids->mask;
	return i;
}

static struct qemu_ids *index_uses(const struct qemu_args *args, enum qemu_option_id id,
				   const char *key)
{
	struct qemu_ids *ret = arena_get(args->mem, sizeof(*ret));
	size_t size = 2;

	for (struct qemu_arg *arg = qemu_args_first(args, id); arg;
	     arg = qemu_args_after(args, arg))
		size += 2;
	for (ret->mask = 1; ret->mask < size;)
		ret->mask = 2 * ret->mask + 1;
	ret->slots = arena_array(args->mem, ret->mask + 1, sizeof(*ret->slots));
	for (struct qemu_arg *arg = qemu_args_first(args, id); arg;
	     arg = qemu_args_after(args, arg)) {
		const struct qopts *opts = qemu_arg_opts(args, arg);
		const char *value = opts ? qopts_get(opts, key) : NULL;
		size_t i;

		if (!value)
			continue;
		i = slot_of(ret, value);
		if (ret->slots[i].value)
			continue;
		ret->slots[i].value = value;
		ret->slots[i].opts = opts;
	}
	return ret;
}

const struct qopts *qemu_args_find(struct qemu_args *args, enum qemu_option_id id, const char *key,
				   const char *value)
{
	if (!args->ids[id])
		args->ids[id] = index_uses(args, id, key);
	return args->ids[id]->slots[slot_of(args->ids[id], value)].opts;
}

/* --- probes ----------------------------------------------------------------------------------- */

/*
 * How an option asks for help, as QEMU 7.2 to 10.0 answer it. "-name help" and "-k help" start a
 * machine: they are in no row. A probe runs without our filter, so what is not surely one is none.
 */
enum help {
	HELP_WHOLE = 1 << 0,   /* the value is "help" or "?" */
	HELP_FIRST = 1 << 1,   /* its first item is, whatever follows */
	HELP_LATER = 1 << 2,   /* an item after the first is: "TYPE,help" */
	HELP_IMPLIED = 1 << 3, /* a first item without '=' is the key's value */
	HELP_TRACE = 1 << 4,   /* an item is "trace:help" */
	HELP_AT_END =
		1 << 5, /* acted on when all is read: a later option of that name replaces it */
};

/* key: asks when its value (the last one, if it is given twice) is "help" or "?". */
static const struct probe {
	enum qemu_option_id option;
	const char *key;
	unsigned help;
} probes[] = {
	{ QEMU_OPTION_machine, NULL, HELP_FIRST | HELP_LATER },
	{ QEMU_OPTION_object, "qom-type", HELP_FIRST | HELP_LATER },
	{ QEMU_OPTION_audio, "driver", HELP_FIRST | HELP_LATER },
	{ QEMU_OPTION_boot, NULL, HELP_FIRST | HELP_LATER },
	{ QEMU_OPTION_smp, NULL, HELP_FIRST | HELP_LATER },
	{ QEMU_OPTION_device, "driver", HELP_IMPLIED | HELP_LATER },
	{ QEMU_OPTION_accel, "accel", HELP_IMPLIED },
	{ QEMU_OPTION_netdev, "type", HELP_IMPLIED },
	{ QEMU_OPTION_chardev, "backend", HELP_IMPLIED },
	{ QEMU_OPTION_trace, "enable", HELP_IMPLIED },
	{ QEMU_OPTION_drive, "format", 0 },
	{ QEMU_OPTION_nic, "model", HELP_WHOLE },
	{ QEMU_OPTION_net, "model", HELP_WHOLE },
	{ QEMU_OPTION_d, NULL, HELP_FIRST | HELP_LATER | HELP_TRACE },
	{ QEMU_OPTION_cpu, NULL, HELP_WHOLE | HELP_AT_END },
	{ QEMU_OPTION_vga, NULL, HELP_WHOLE | HELP_AT_END },
	{ QEMU_OPTION_display, NULL, HELP_WHOLE },
	{ QEMU_OPTION_audiodev, NULL, HELP_WHOLE },
	{ QEMU_OPTION_L, NULL, HELP_WHOLE },
	{ QEMU_OPTION_plugin, NULL, HELP_WHOLE },
	/* these print and exit with 1 */
	{ QEMU_OPTION_tpmdev, NULL, HELP_WHOLE },
	{ QEMU_OPTION_rtc, NULL, HELP_WHOLE },
	{ QEMU_OPTION_spice, NULL, HELP_WHOLE },
	{ QEMU_OPTION_vnc, NULL, HELP_WHOLE },
	{ QEMU_OPTION_global, NULL, HELP_WHOLE },
	{ QEMU_OPTION_overcommit, NULL, HELP_WHOLE },
	{ QEMU_OPTION_action, NULL, HELP_WHOLE },
	{ QEMU_OPTION_add_fd, NULL, HELP_WHOLE },
	{ QEMU_OPTION_msg, NULL, HELP_WHOLE },
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
 * The last value of a key, which is taken over from an option of the same name before when value
 * has none; implied: a first item without '=' is one.
 */
static void key_get(const char *value, const char *key, bool implied, const char **ret,
		    size_t *ret_len)
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

	if (value[0] == '{') /* JSON has no help */
		return false;
	if ((probe->help & HELP_WHOLE) && is_help(value, strlen(value)))
		return true;
	if (probe->key)
		key_get(value, probe->key, probe->help & HELP_IMPLIED, &named, &len);
	if (is_help(named, len))
		return true;
	for (bool first = true; item_next(&value, &item); first = false) {
		if ((probe->help & (first ? HELP_FIRST : HELP_LATER)) &&
		    is_help(item.name, item.name_len))
			return true;
		if ((probe->help & HELP_TRACE) && item.name_len > skip &&
		    strncmp(item.name, trace, skip) == 0 &&
		    is_help(item.name + skip, item.name_len - skip))
			return true;
	}
	return false;
}

/* Options that print something and exit. */
static bool prints(enum qemu_option_id id)
{
	return id == QEMU_OPTION_h || id == QEMU_OPTION_help || id == QEMU_OPTION_version ||
	       id == QEMU_OPTION_audio_help;
}

bool qargv_probe(const struct cmdline *cmdline)
{
	const char *machine = "";
	bool at_end[ARRAY_LEN(probes)] = { false };
	bool ret = false;
	struct qemu_arg arg;
	size_t len = 0;
	unsigned pos = 0;

	while (walk(cmdline, &pos, &arg)) {
		if (arg.row && prints(arg.row->same))
			return true;
		if (!arg.row || !arg.value)
			continue;
		if (arg.row->same == QEMU_OPTION_machine)
			key_get(arg.value, "type", true, &machine, &len);
		for (size_t i = 0; i < ARRAY_LEN(probes); i++) {
			if (arg.row->same != probes[i].option)
				continue;
			at_end[i] = asks_help(&probes[i], arg.value);
			if (at_end[i] && !(probes[i].help & HELP_AT_END))
				return true;
		}
	}
	for (size_t i = 0; i < ARRAY_LEN(probes); i++)
		ret |= at_end[i];
	return ret || is_word(machine, len, "none");
}
