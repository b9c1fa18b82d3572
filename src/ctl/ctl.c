/* ctl.c - options of the commands, and their output */
#include "config.h"

#include "ctl/ctl.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "sys/writeout.h"

/* The option of a word, alone or as --name=value; NULL: there is none. */
static const struct ctl_option *find(const struct ctl_option *options, unsigned n,
				     const char *word, const char **ret_value)
{
	const size_t len = strcspn(word, "=");

	for (unsigned i = 0; i < n; i++) {
		if (strlen(options[i].name) != len || strncmp(word, options[i].name, len) != 0)
			continue;
		*ret_value = word[len] == '=' ? word + len + 1 : NULL;
		return &options[i];
	}
	return NULL;
}

static int unknown(struct ctl *ctl, const struct ctl_option *options, unsigned n,
		   const char *word)
{
	struct nearest nearest = { .name = arena_strn(ctl->mem, word, strcspn(word, "=")) };

	for (unsigned i = 0; i < n; i++)
		nearest_try(&nearest, options[i].name);
	(void)diag_add(ctl->ds, DIAG_USAGE, 0, NULL, word, "%s has no such option", ctl->name);
	if (nearest.best)
		diag_hint(ctl->ds, "use '%s'", nearest.best);
	return -1;
}

/* Takes the option at words[*i] and, if its value is the next word, that word too. */
static int take(struct ctl *ctl, const struct ctl_option *option, const char *value, unsigned n,
		char **words, unsigned *i)
{
	if (option->flag) {
		*option->flag = true;
		return value ? diag_add(ctl->ds, DIAG_USAGE, 0, NULL, option->name,
					"takes no value")
			     : 0;
	}
	if (!value && *i + 1 < n)
		value = words[++*i];
	if (!value || !value[0])
		return diag_add(ctl->ds, DIAG_USAGE, 0, NULL, option->name, "needs a value");
	if (*option->value)
		return diag_add(ctl->ds, DIAG_USAGE, 0, NULL, option->name, "is given twice");
	*option->value = value;
	return 0;
}

int ctl_options(struct ctl *ctl, unsigned n, char **words, const struct ctl_option *options,
		unsigned n_options, const char **ret_words, unsigned max, unsigned *ret_n)
{
	bool only_words = false;

	*ret_n = 0;
	for (unsigned i = 0; i < n; i++) {
		const struct ctl_option *option;
		const char *value = NULL;

		if (!only_words && strcmp(words[i], "--") == 0) {
			only_words = true;
			continue;
		}
		if (!only_words && words[i][0] == '-' && words[i][1] != '\0') {
			option = find(options, n_options, words[i], &value);
			if (!option)
				return unknown(ctl, options, n_options, words[i]);
			if (take(ctl, option, value, n, words, &i) < 0)
				return -1;
			continue;
		}
		if (*ret_n == max)
			return diag_add(ctl->ds, DIAG_USAGE, 0, NULL, words[i],
					"%s does not take this word", ctl->name);
		ret_words[(*ret_n)++] = words[i];
	}
	return 0;
}

int ctl_number(struct ctl *ctl, const char *what, const char *text, unsigned min, unsigned max,
	       unsigned *ret)
{
	char *end = NULL;
	const unsigned long n = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;

	if (!end || *end || n < min || n > max)
		return diag_add(ctl->ds, DIAG_USAGE, 0, NULL, what,
				"'%s' is not a number from %u to %u", text, min, max);
	*ret = (unsigned)n;
	return 0;
}

int ctl_print(struct ctl *ctl, const char *text)
{
	const int err = writeout(STDOUT_FILENO, text, WRITEOUT_PATIENT);

	return err ? diag_add(ctl->ds, DIAG_CALL_FAILED, err, NULL, "stdout",
			      "the output of %s could not be written", ctl->name)
		   : 0;
}
