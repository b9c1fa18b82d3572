/*
 * argv_user.c - "-runas" and "-run-with user=" become "user" of the descriptor
 *
 * QEMU accepts a name, or uid:gid as numbers (os-posix.c, os_parse_runas_uid_gid). With a name,
 * QEMU takes all groups of the account (initgroups); here "groups" of the descriptor lists them.
 */
#include "config.h"

#include "desc/argv_user.h"

#include <string.h>

#include "base/keyval.h"

struct taking {
	struct desc *desc;
	struct arena *mem;
	struct diags *ds;
	bool found;
};

static bool read_number(const char *text, size_t len, unsigned *ret)
{
	unsigned long v = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		v = 10 * v + (unsigned long)(text[i] - '0');
		if (v >= 0xffffffff)
			return false;
	}
	*ret = (unsigned)v;
	return len > 0;
}

static int conflict(const struct taking *t, const char *word, const char *what)
{
	(void)diag_add(t->ds, DIAG_ARGV_USER, 0, KEY(NULL, "user"), "argv", "%s: %s", word, what);
	diag_hint(t->ds, "give the user once, as \"user\" in the descriptor");
	return -1;
}

static int take_user(struct taking *t, const char *word, const char *user)
{
	const char *colon = strchr(user, ':');
	struct id_wish *uid = &t->desc->user, *gid = &t->desc->group;

	if (uid->given || gid->given)
		return conflict(t, word,
				t->found ? "a second user"
					 : "the descriptor also has a user or a group");
	t->found = uid->given = true;
	if (colon && read_number(user, (size_t)(colon - user), &uid->id) &&
	    read_number(colon + 1, strlen(colon + 1), &gid->id)) {
		gid->given = true;
		return 0;
	}
	if (!user[0] || colon)
		return conflict(t, word, "expected a name or uid:gid");
	uid->name = user;
	return 0;
}

/* The value of -run-with without user=; NULL: nothing is left. */
static const char *without_user(struct taking *t, const char *value)
{
	const char *ret = NULL;
	struct qopts opts;

	if (!qopts_parse(t->mem, value, NULL, &opts))
		return value;
	for (unsigned i = 0; i < opts.n; i++) {
		const struct qopt *opt = &opts.list[i];
		struct keyvals one = { .mem = t->mem };

		if (strcmp(opt->key, "user") == 0)
			continue;
		/* the first pair is rendered without its key */
		keyval_text(&one, "", opt->value);
		ret = arena_printf(t->mem, "%s%s%s=%s", ret ? ret : "", ret ? "," : "", opt->key,
				   keyval_option(&one));
	}
	return ret;
}

static void note_taken(struct taking *t, const char *option, const char *value)
{
	t->desc->taken = arena_printf(t->mem, "%s%s%s %s", t->desc->taken ? t->desc->taken : "",
				      t->desc->taken ? ", " : "", option, value);
}

/*
 * Take one option. Returns how many of its two words stay: 0, or 2 with *value changed; 1 if the
 * option is a different one and stays as it is; -1 after a diag.
 */
static int take_option(struct taking *t, const char *word, const char **value)
{
	const char *name = word + 1 + (word[1] == '-'), *user;

	if (strcmp(name, "runas") == 0) {
		note_taken(t, word, *value);
		return take_user(t, word, *value) < 0 ? -1 : 0;
	}
	if (strcmp(name, "run-with") != 0 || !(user = qopts_value(t->mem, *value, "user")))
		return 1;
	note_taken(t, word, *value);
	if (take_user(t, arena_printf(t->mem, "%s user=", word), user) < 0)
		return -1;
	*value = without_user(t, *value);
	return *value ? 2 : 0;
}

/* Copy the words that stay; there are *ret_n. */
static int take_words(struct taking *t, char *const *words, unsigned n, char **ret, unsigned *ret_n)
{
	const struct cmdline line = { .words = words, .n = n };
	unsigned pos = 0, from = 0, kept = 0;
	const char *name, *value;

	while (cmdline_walk(&line, &pos, &name, &value)) {
		const unsigned option = pos - (value ? 2 : 1);
		const int stay = value ? take_option(t, words[option], &value) : 1;

		if (stay < 0)
			return -1;
		while (from < option)
			ret[kept++] = words[from++];
		if (stay == 1)
			continue;
		if (stay == 2) {
			ret[kept++] = words[option];
			ret[kept++] = unconst_word(value);
		}
		from = pos;
	}
	while (from < n)
		ret[kept++] = words[from++];
	*ret_n = kept;
	return 0;
}

int argv_user_take(struct desc *desc, struct cmdline *cmdline, struct arena *mem, struct diags *ds)
{
	struct taking t = { .desc = desc, .mem = mem, .ds = ds };
	char **args = arena_array(mem, desc->n_args, sizeof(*args));
	char **words = arena_array(mem, (size_t)cmdline->n + 1, sizeof(*words));
	char **old = arena_array(mem, desc->n_args, sizeof(*old));

	/*
	 * a launch without a filter, or with the group in its list, lets QEMU change its ids itself
	 */
	if (desc->seccomp.none || (desc->seccomp.groups & FILTER_GROUP_BIT(FILTER_GROUP_runas)))
		return 0;
	for (unsigned i = 0; i < desc->n_args; i++)
		old[i] = unconst_word(desc->args[i]);
	if (take_words(&t, old, desc->n_args, args, &desc->n_args) < 0 ||
	    take_words(&t, cmdline->words, cmdline->n, words, &cmdline->n) < 0)
		return -1;
	for (unsigned i = 0; i < desc->n_args; i++)
		desc->args[i] = args[i];
	cmdline->words = words;
	return 0;
}
