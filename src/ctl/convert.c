/*
 * convert.c - a descriptor that equals words of QEMU, and the words that remain
 *
 * The words are adopted as a launch adopts them, and what that found is written down. The result is
 * then read as a launch reads it: what a launch would refuse is never handed out.
 */
#include "config.h"

#include "ctl/convert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "desc/argv_nics.h"
#include "desc/argv_user.h"
#include "desc/called_as.h"
#include "desc/choose.h"
#include "desc/desc.h"
#include "mode/table.h"

struct conversion {
	struct arena *mem;
	struct diags *ds;
	struct cmdline words;
	const char *qemu;	/* "qemu"; NULL: the words name none */
	struct desc desc;	/* of the words, adopted */
	bool is_spec;
	bool all;		/* a NIC of -nic has no id by which a descriptor could name it */
};

__attribute__((format(printf, 3, 4)))
static void left(struct conversion *c, const char *object, const char *fmt, ...)
{
	char text[160];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	(void)diag_add(c->ds, DIAG_CONVERT_LEFT, 0, NULL, object, "%s", text);
}

/* --- before QEMU's arguments ------------------------------------------------------------------ */

/* NAME=VALUE, as env(1) and virsh domxml-to-native have it. */
static bool is_variable(const char *word)
{
	const size_t len = strcspn(word, "=");

	if (len == 0 || !word[len] || (word[0] >= '0' && word[0] <= '9'))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!((word[i] >= 'A' && word[i] <= 'Z') || (word[i] >= 'a' && word[i] <= 'z') ||
		      (word[i] >= '0' && word[i] <= '9') || word[i] == '_'))
			return false;
	return true;
}

static void take_program(struct conversion *c, const char *word)
{
	static const char system[] = "qemu-system-";

	if (word[0] == '/') {
		c->qemu = word;
	} else if (strncmp(word, system, strlen(system)) == 0) {
		c->qemu = arena_printf(c->mem, "%s/%s", QEMU_DIR, word);
		left(c, word, "has no path: the descriptor says %s", c->qemu);
	} else {
		left(c, word, "has no path, and is left out");
		diag_hint(c->ds, "give QEMU by its path");
	}
}

/* What comes before QEMU's arguments: if no word is QEMU, all of them are arguments. */
static void take_start(struct conversion *c)
{
	const char *name;
	unsigned first = 0;

	while (first < c->words.n && is_variable(c->words.words[first]))
		first++;
	if (c->is_spec)
		first = 0;
	else if (first == c->words.n ||
		 called_as(c->words.words[first], &name) != CALLED_QEMU)
		return;
	for (unsigned i = 0; i < first; i++)
		left(c, c->words.words[i], "a variable of the environment is left out");
	take_program(c, c->words.words[first]);
	c->words.words += first + 1;
	c->words.n -= first + 1;
}

/* --- what the words say ----------------------------------------------------------------------- */

static void say_given(struct conversion *c, const struct qemu_arg *arg, const struct qopts *words)
{
	static const char *const keys[] = { "fd", "fds", "vhostfd", "vhostfds" };
	const char *id = qopts_get(words, "id");

	for (unsigned i = 0; i < ARRAY_LEN(keys); i++) {
		const char *value = qopts_get(words, keys[i]);

		if (!value || !value[0])
			continue;
		left(c, id ? id : arg->name,
		     "%s=%.40s stays: whoever starts QEMU must have it open", keys[i], value);
		return;
	}
}

/* Descriptors in the words are of a process that is gone: that must be said. */
static void say_all_given(struct conversion *c, enum qemu_option_id option)
{
	for (struct qemu_arg *arg = qemu_args_first(c->desc.words, option); arg;
	     arg = qemu_args_after(c->desc.words, arg)) {
		const struct qopts *words = qemu_arg_opts(c->desc.words, arg);

		if (words)
			say_given(c, arg, words);
	}
}

static void say_user(struct conversion *c)
{
	if (c->desc.user.name)
		left(c, c->desc.user.name,
		     "QEMU would take all groups of this user: \"groups\" lists those it needs");
}

static void see_nics(struct conversion *c)
{
	for (unsigned i = 0; i < c->desc.n_nics; i++)
		c->all |= c->desc.nics[i].nic_option;
	if (c->all)
		left(c, "-nic",
		     "a descriptor cannot name it alone: it takes all NICs of the words");
}

static int adopt(struct conversion *c)
{
	static const char text[] = "{\"version\":1,\"nics\":\"argv\"}";
	const char *source;

	c->ds->source = (struct source){ .name = "argv", .text = text };
	if (desc_parse(text, strlen(text), mode_syntax, c->mem, &c->desc, c->ds) < 0 ||
	    choose_take_word(&c->words, c->mem, &source, c->ds) < 0)
		return -1;
	if (source)
		left(c, "-handoff", "'%.80s' is another descriptor, and is left out", source);
	if (argv_user_take(&c->desc, &c->words, c->mem, c->ds) < 0 ||
	    argv_nics_read(&c->desc, &c->words, c->mem, c->ds) < 0)
		return -1;
	see_nics(c);
	say_user(c);
	say_all_given(c, QEMU_OPTION_netdev);
	say_all_given(c, QEMU_OPTION_nic);
	return 0;
}

/* --- the descriptor --------------------------------------------------------------------------- */

static void put_text(struct str *s, const char *key, const char *value)
{
	if (!value)
		return;
	str_put(s, ",\"%s\":\"", key);
	str_put_json(s, value);
	str_put(s, "\"");
}

static void put_id(struct str *s, const char *key, const struct id_wish *id)
{
	if (id->given && id->name)
		put_text(s, key, id->name);
	else if (id->given)
		str_put(s, ",\"%s\":%u", key, id->id);
}

static void put_nic(struct str *s, const struct nic *nic)
{
	str_put(s, "{\"mode\":\"%s\"", mode_name(nic->mode));
	put_text(s, "id", nic->id);
	put_text(s, "ifname", nic->ifname);
	put_text(s, "bridge", nic->bridge);
	put_text(s, "helper", nic->helper);
	if (nic->queues > 1)
		str_put(s, ",\"queues\":%u", nic->queues);
	str_put(s, ",\"netdev\":\"argv\"}");
}

static unsigned most_queues(const struct desc *desc)
{
	unsigned most = 0;

	for (unsigned i = 0; i < desc->n_nics; i++)
		if (desc->nics[i].queues > most)
			most = desc->nics[i].queues;
	return most;
}

static void put_nics(struct str *s, const struct conversion *c)
{
	if (c->all) {
		put_text(s, "nics", "argv");
		return;
	}
	if (most_queues(&c->desc) > QUEUES_DEFAULT_MAX)
		str_put(s, ",\"max_queues\":%u", most_queues(&c->desc));
	for (unsigned i = 0; i < c->desc.n_nics; i++) {
		str_put(s, i > 0 ? "," : ",\"nics\":[");
		put_nic(s, &c->desc.nics[i]);
	}
	if (c->desc.n_nics > 0)
		str_put(s, "]");
}

static void put_descriptor(struct str *s, const void *arg)
{
	const struct conversion *c = arg;

	str_put(s, "{\"version\":1");
	put_text(s, "qemu", c->qemu);
	put_id(s, "user", &c->desc.user);
	put_id(s, "group", &c->desc.group);
	put_nics(s, c);
	str_put(s, c->is_spec ? ",\"die_with_parent\":true}" : "}");
}

/* A launch of the result reads it; its errors are ours, its warnings have been said. */
static int read_again(struct conversion *c, const char *text)
{
	struct diags ds = { .mem = c->mem, .source = { .name = "descriptor", .text = text } };
	struct desc desc;

	if (desc_parse(text, strlen(text), mode_syntax, c->mem, &desc, &ds) == 0 &&
	    argv_nics_read(&desc, &c->words, c->mem, &ds) == 0)
		return 0;
	*c->ds = ds;
	return -1;
}

/* JSON has no bytes that are not UTF-8, and a word that is changed is another word. */
static int refuse_bytes(struct conversion *c)
{
	for (unsigned i = 0; i < c->words.n; i++) {
		const char *word = c->words.words[i];

		for (size_t len = strlen(word); len > 0;) {
			const unsigned one = utf8_len(word, len);

			if (one == 0)
				return diag_add(c->ds, DIAG_USAGE, 0, NULL, word,
						"word %u is not UTF-8", i + 1);
			word += one;
			len -= one;
		}
	}
	return 0;
}

int convert_words(unsigned n, char *const *words, bool is_spec, struct arena *mem,
		  struct converted *ret, struct diags *ds)
{
	struct conversion c = { .mem = mem,
				.ds = ds,
				.words = { .words = words, .n = n },
				.is_spec = is_spec };
	const char *text;

	if (refuse_bytes(&c) < 0)
		return -1;
	take_start(&c);
	if (adopt(&c) < 0)
		return -1;
	text = str_make(mem, put_descriptor, &c);
	if (read_again(&c, text) < 0)
		return -1;
	*ret = (struct converted){ .descriptor = text, .words = c.words };
	return 0;
}
