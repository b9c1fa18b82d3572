/* cmd_convert.c - "convert": words of QEMU as a descriptor and the words that remain */
#include "config.h"

#include <string.h>

#include "ctl/convert.h"
#include "ctl/ctl.h"
#include "ctl/spec.h"
#include "look/input.h"

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

struct wish {
	bool descriptor, words;
	const char *spec;
};

static int from_spec(struct ctl *ctl, const char *path, struct converted *ret)
{
	const struct input input = { .kind = INPUT_FILE, .fd = -1, .text = path, .name = path };
	struct spec spec;
	const char *text;
	size_t len;

	if (input_read(&input, ctl->mem, &text, &len, ctl->ds) < 0 ||
	    spec_read(text, len, ctl->mem, &spec, ctl->ds) < 0)
		return -1;
	return convert_words(spec.n, spec.words, true, ctl->mem, ret, ctl->ds);
}

/* has_words: there was a "--", and n words follow it. */
static int convert(struct ctl *ctl, const struct wish *wish, bool has_words, unsigned n,
		   char **words, struct converted *ret)
{
	if (wish->descriptor && wish->words)
		return diag_add(ctl->ds, DIAG_USAGE, 0, NULL, "--words",
				"--descriptor asks for something else");
	if (wish->spec && has_words)
		return diag_add(ctl->ds, DIAG_USAGE, 0, NULL, "--spec",
				"the file has the words of QEMU");
	if (wish->spec)
		return from_spec(ctl, wish->spec, ret);
	if (!has_words) {
		(void)diag_add(ctl->ds, DIAG_USAGE, 0, NULL, NULL, "no words of QEMU are given");
		diag_hint(ctl->ds, "put -- before them");
		return -1;
	}
	return convert_words(n, words, false, ctl->mem, ret, ctl->ds);
}

int command_convert(struct ctl *ctl, unsigned n, char **words)
{
	struct wish wish = { 0 };
	const struct ctl_option options[] = {
		{ "--descriptor", .flag = &wish.descriptor },
		{ "--words", .flag = &wish.words },
		{ "--spec", .value = &wish.spec },
	};
	struct converted converted;
	unsigned ours = 0, none;

	while (ours < n && strcmp(words[ours], "--") != 0)
		ours++;
	if (ctl_options(ctl, ours, words, options, ARRAY_LEN(options), NULL, 0, &none) < 0)
		return -1;
	if (convert(ctl, &wish, ours < n, ours < n ? n - ours - 1 : 0, words + ours + (ours < n),
		    &converted) < 0)
		return -1;
	return ctl_print(ctl, str_make(ctl->mem,
				       wish.descriptor ? put_descriptor
				       : wish.words    ? put_words
						       : put_document,
				       &converted));
}
