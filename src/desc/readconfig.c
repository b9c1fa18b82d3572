/*
 * readconfig.c - files of -readconfig, as the words that they stand for
 *
 * A file is lines of [group], [group "id"] and key = "value" (QEMU's util/qemu-config.c,
 * qemu_config_foreach(), 7.2 to 11.1). A line ends at its newline or after 1023 bytes, an empty one
 * and one that begins with '#' are passed over, and what follows the closing bracket or quote is
 * ignored. A word that no '=' follows is a key with an empty value. The formats are QEMU's own.
 */
#include "config.h"

#include "desc/readconfig.h"

#include <stdio.h>
#include <string.h>

#include "base/keyval.h"
#include "base/str.h"

enum { LINE_SIZE = 1024, NAME_SIZE = 64 };

/* Groups that have another name than the option (softmmu/vl.c, qemu_record_config_group()). */
static const struct { const char *group, *option; } renamed[] = {
	{ "boot-opts", "boot" },
	{ "memory", "m" },
	{ "smp-opts", "smp" },
};

static const char *option_of(const char *group)
{
	for (unsigned i = 0; i < ARRAY_LEN(renamed); i++)
		if (strcmp(group, renamed[i].group) == 0)
			return renamed[i].option;
	return group;
}

/* The words of one command line, while they are put together. */
struct expanding {
	struct arena *mem;
	char **words;
	int *places;
	unsigned n;
	const char *option;   /* of the group that is being read; NULL: none that is known here */
	struct keyvals pairs; /* its keys so far */
};

static void render_pairs(struct str *s, const void *arg)
{
	const struct keyvals *pairs = arg;

	for (unsigned i = 0; i < pairs->n; i++) {
		str_put(s, "%s%s=", i > 0 ? "," : "", pairs->list[i].key);
		str_put_opt(s, pairs->list[i].text);
	}
}

static void put(struct expanding *e, const char *word, int place)
{
	e->places[e->n] = place;
	e->words[e->n++] = unconst_word(word);
}

static void end_group(struct expanding *e)
{
	if (e->option) {
		put(e, arena_printf(e->mem, "-%s", e->option), -1);
		put(e, str_make(e->mem, render_pairs, &e->pairs), -1);
	}
	e->option = NULL;
	e->pairs = (struct keyvals){ .mem = e->mem };
}

/* False: it is no group. */
static bool begin_group(struct expanding *e, const char *line)
{
	char group[NAME_SIZE], id[NAME_SIZE];
	const struct qemu_option *row;
	int n;

	if (line[0] != '[')
		return false;
	n = sscanf(line, "[%63s \"%63[^\"]\"]", group, id);
	if (n < 2 && sscanf(line, "[%63[^]]]", group) != 1)
		return false;
	end_group(e);
	row = qemu_option_find(option_of(group));
	if (row && row->arity == QEMU_VALUE)
		e->option = row->name;
	if (n == 2)
		keyval_text(&e->pairs, "id", arena_str(e->mem, id));
	return true;
}

static bool add_key(struct expanding *e, const char *line)
{
	char key[LINE_SIZE], value[LINE_SIZE] = "";

	if (sscanf(line, " %63s = \"%1023[^\"]\"", key, value) != 2 &&
	    sscanf(line, " %63s = \"\"", key) != 1)
		return false;
	keyval_text(&e->pairs, arena_str(e->mem, key), arena_str(e->mem, value));
	return true;
}

static void expand_file(struct expanding *e, const char *text)
{
	bool good = true;

	e->pairs = (struct keyvals){ .mem = e->mem };
	while (good && *text) {
		char line[LINE_SIZE];
		const size_t end = strcspn(text, "\n"),
			     len = end < LINE_SIZE - 1 ? end : LINE_SIZE - 1;

		memcpy(line, text, len);
		line[len] = '\0';
		text += len + (text[len] == '\n');
		good = !line[0] || line[0] == '#' || begin_group(e, line) || add_key(e, line);
	}
	end_group(e);
}

/* No text has more groups than brackets. */
static size_t words_of(const char *text)
{
	size_t n = 0;

	for (; text && (text = strchr(text, '[')); text++)
		n += 2;
	return n;
}

struct cmdline readconfig_expand(const struct cmdline *words, const struct config_file *files,
				 unsigned n, struct arena *mem)
{
	struct expanding e = { .mem = mem };
	size_t room = words->n;
	struct qemu_arg arg;
	unsigned from = 0, pos = 0, file = 0;

	for (unsigned i = 0; i < n; i++)
		room += words_of(files[i].text);
	e.words = arena_array(mem, room, sizeof(*e.words));
	e.places = arena_array(mem, room, sizeof(*e.places));
	if (n > 0 && files[0].by_default && files[file++].text)
		expand_file(&e, files[0].text);
	while (qemu_arg_next(words, &pos, &arg)) {
		for (; from < pos; from++)
			put(&e, words->words[from], (int)from);
		if (!arg.row || arg.row->same != QEMU_OPTION_readconfig || !arg.value || file >= n)
			continue;
		if (files[file++].text)
			expand_file(&e, files[file - 1].text);
	}
	for (; from < words->n; from++)
		put(&e, words->words[from], (int)from);
	return (struct cmdline){
		.argv0 = words->argv0, .words = e.words, .n = e.n, .places = e.places
	};
}
