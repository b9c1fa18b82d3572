/*
 * cmdline.c - read QEMU's own command line
 *
 * The command line is only read, never edited: the caller's words reach QEMU unchanged.
 */
#include "config.h"

#include "desc/cmdline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "desc/json.h"

enum { DEPTH_OF_JSON = 32, KEY_OF_JSON = 512, SET_NAME = 64 };

static void add(struct qopts *opts, const char *key, const char *value)
{
	opts->list[opts->n++] = (struct qopt){ key, value };
}

/* --- key=value,... ---------------------------------------------------------------------------- */

/*
 * Terminate the value at the start of text and undouble its commas, both in place. Returns the text
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
	ret->room = items;
	ret->list = arena_array(mem, items, sizeof(*ret->list));
	for (; *pos; first = NULL)
		pos = take_item(pos, first, ret);
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* The reader's position in an object: the keys on the way to it, joined by dots. */
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
	/* gcc and clang take what cJSON says of a NULL for possible here */
	for (const cJSON *child = item ? item->child : NULL; child; child = child->next)
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

/* False: it is deeper, or has longer keys, than anything in QEMU. */
static bool add_members(struct json_walk *w, const cJSON *parent, unsigned depth)
{
	const size_t before = strlen(w->text);
	unsigned i = 0;

	for (const cJSON *item = parent ? parent->child : NULL; item; item = item->next, i++) {
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
 * QEMU also accepts strings in single quotes (qobject/json-lexer.c). Returns the text with double
 * quotes.
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
			quote = (char)(quote ? 0 : *text);
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
	cJSON *root = json_parse(mem, text, strlen(text), NULL);
	bool ok;

	if (!root && strchr(text, '\'')) {
		text = requoted(mem, text);
		root = json_parse(mem, text, strlen(text), NULL);
	}
	ok = cJSON_IsObject(root);

	if (ok) {
		ret->room = (unsigned)count_members(root);
		ret->list = arena_array(mem, ret->room, sizeof(*ret->list));
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

const char *qopts_value(struct arena *mem, const char *text, const char *key)
{
	struct qopts opts;

	return qopts_parse(mem, text, "type", &opts) ? qopts_get(&opts, key) : NULL;
}

unsigned qopts_numbers(const char *list, int *ret, unsigned max)
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

struct cmdline cmdline_join(const char *const *args, unsigned n_args, const struct cmdline *cmdline,
			    struct arena *mem)
{
	const size_t n = (size_t)n_args + cmdline->n;
	char **words = arena_array(mem, n, sizeof(*words));

	for (unsigned i = 0; i < n_args; i++)
		words[i] = unconst_word(args[i]);
	for (unsigned i = 0; i < cmdline->n; i++)
		words[n_args + i] = cmdline->words[i];
	return (struct cmdline){ .argv0 = cmdline->argv0, .words = words, .n = (unsigned)n };
}

/* --- the words as options --------------------------------------------------------------------- */

bool qemu_arg_next(const struct cmdline *cmdline, unsigned *pos, struct qemu_arg *ret)
{
	while (*pos < cmdline->n) {
		const char *word = cmdline->words[(*pos)++];

		if (word[0] != '-')
			continue;
		*ret = (struct qemu_arg){ .name = word + (word[1] == '-' ? 2 : 1) };
		ret->row = qemu_option_find(ret->name);
		if ((!ret->row || ret->row->arity == QEMU_VALUE) && *pos < cmdline->n) {
			ret->in_file = cmdline->places && cmdline->places[*pos] < 0;
			ret->word = !cmdline->places ? *pos
				    : ret->in_file   ? 0
						     : (unsigned)cmdline->places[*pos];
			ret->value = cmdline->words[(*pos)++];
		}
		return true;
	}
	return false;
}

bool cmdline_walk(const struct cmdline *cmdline, unsigned *pos, const char **ret_name,
		const char **ret_value)
{
	struct qemu_arg arg;

	if (!qemu_arg_next(cmdline, pos, &arg))
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

	while (qemu_arg_next(cmdline, &pos, &arg))
		n++;
	return n;
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

/*
 * A value in braces is an object only to an option that takes one: "-name {x}" names the guest {x}.
 */
static bool parse_of(struct arena *mem, const char *text, const struct qemu_option *row,
		     struct qopts *ret)
{
	if (!row || (row->traits & QEMU_JSON))
		return qopts_parse(mem, text, row ? row->first : NULL, ret);
	*ret = (struct qopts){ 0 };
	parse_legacy(mem, text, row->first, ret);
	return true;
}

const struct qopts *qemu_arg_opts(const struct qemu_args *args, struct qemu_arg *arg)
{
	if (!arg->parsed && arg->value)
		arg->readable = parse_of(args->mem, arg->value, arg->row, &arg->opts);
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

/* Open addressing; at most half of the slots are used. */
struct qemu_ids {
	struct {
		const char *value;
		struct qopts *opts;
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
		ret->slots[i].opts = &arg->opts;
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

/* --- the whole line --------------------------------------------------------------------------- */

static void append(struct qopts *opts, const char *key, const char *value, struct arena *mem)
{
	if (opts->n == opts->room) {
		struct qopt *list = arena_array(mem, 2 * (size_t)opts->room + 4, sizeof(*list));

		if (opts->n > 0)
			memcpy(list, opts->list, opts->n * sizeof(*list));
		opts->list = list;
		opts->room = 2 * opts->room + 4;
	}
	add(opts, key, value);
}

/*
 * -set GROUP.ID.KEY=VALUE changes an option that stands before it (softmmu/vl.c,
 * qemu_set_option()): here as one more key, of which QEMU takes the last.
 */
static void apply_sets(struct qemu_args *args)
{
	struct qemu_ids *indexes[QEMU_OPTION__COUNT] = { NULL };

	for (struct qemu_arg *arg = qemu_args_first(args, QEMU_OPTION_set); arg;
	     arg = qemu_args_after(args, arg)) {
		char group[SET_NAME], id[SET_NAME], key[SET_NAME];
		const struct qemu_option *row;
		struct qopts *opts;
		int end = 0;

		if (!arg->value ||
		    sscanf(arg->value, "%63[^.].%63[^.].%63[^=]%n", group, id, key, &end) < 3 ||
		    arg->value[end] != '=')
			continue;
		row = qemu_option_find(group);
		if (!row)
			continue;
		if (!indexes[row->same])
			indexes[row->same] = index_uses(args, row->same, "id");
		opts = indexes[row->same]->slots[slot_of(indexes[row->same], id)].opts;
		if (opts)
			append(opts, arena_str(args->mem, key), arg->value + end + 1, args->mem);
	}
}

struct qemu_args *qemu_args_read(const struct cmdline *cmdline, struct arena *mem)
{
	struct qemu_args *ret = arena_get(mem, sizeof(*ret));
	unsigned pos = 0;

	ret->mem = mem;
	ret->list = arena_array(mem, count_args(cmdline), sizeof(*ret->list));
	while (qemu_arg_next(cmdline, &pos, &ret->list[ret->n]))
		chain(ret, ret->n++);
	apply_sets(ret);
	return ret;
}
