/* cmd_convert.c - "convert": words of QEMU as a descriptor and the words that remain */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "ctl/convert.h"
#include "ctl/ctl.h"
#include "sys/writeout.h"

static void put_document(struct str *s, const void *arg)
{
	const struct converted *c = arg;

	str_put(s, "{\"descriptor\":%s,\"argv\":[", c->descriptor);
	for (unsigned i = 0; i < c->words.n; i++) {
		str_put(s, i > 0 ? ",\"" : "\"");
		str_put_json(s, c->words.words[i]);
		str_put(s, "\"");
	}
	str_put(s, "]}\n");
}

/* One line for a shell: the words as they were, with quotes where a shell needs them. */
static void put_words(struct str *s, const void *arg)
{
	const struct converted *c = arg;

	for (unsigned i = 0; i < c->words.n; i++) {
		str_put(s, i > 0 ? " " : "");
		str_put_shell(s, c->words.words[i]);
	}
	str_put(s, "\n");
}

static void put_descriptor(struct str *s, const void *arg)
{
	const struct converted *c = arg;

	str_put(s, "%s\n", c->descriptor);
}

int command_convert(struct ctl *ctl, unsigned n, char **words)
{
	bool descriptor = false, only_words = false;
	const struct ctl_option options[] = {
		{ "--descriptor", .flag = &descriptor },
		{ "--words", .flag = &only_words },
	};
	struct converted converted;
	unsigned ours = 0, none;

	while (ours < n && strcmp(words[ours], "--") != 0)
		ours++;
	if (ctl_options(ctl, ours, words, options, ARRAY_LEN(options), NULL, 0, &none) < 0)
		return -1;
	if (ours == n) {
		(void)diag_add(ctl->ds, DIAG_USAGE, 0, NULL, NULL, "no words of QEMU are given");
		diag_hint(ctl->ds, "put -- before them");
		return -1;
	}
	if (descriptor && only_words)
		return diag_add(ctl->ds, DIAG_USAGE, 0, NULL, "--words",
				"--descriptor asks for something else");
	if (convert_words(n - ours - 1, words + ours + 1, ctl->mem, &converted, ctl->ds) < 0)
		return -1;
	return ctl_print(ctl, str_make(ctl->mem,
				       descriptor   ? put_descriptor
				       : only_words ? put_words
						    : put_document,
				       &converted));
}
