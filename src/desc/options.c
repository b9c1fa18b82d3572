/* options.c - the program's own command-line options */
#include "config.h"

#include "desc/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/str.h"
#include "desc/qemu_options.h"

struct reader {
	struct options *opt;
	struct diags *ds;
};

/* "fd:N" */
static int source_fd(const char *value, const char *what, struct input *ret, struct diags *ds)
{
	char *end;
	const long fd = value[3] >= '0' && value[3] <= '9' ? strtol(value + 3, &end, 10) : -1;

	if (fd < 0 || fd >= FD_MAX || *end)
		return diag_add(ds, DIAG_USAGE, 0, NULL, what, "'%s' is not fd:N with a number N",
				value);
	ret->kind = INPUT_STREAM;
	ret->fd = (int)fd;
	ret->name = fd == 0 ? "stdin" : value;
	return 0;
}

/* A path that ends in a slash is that of a directory. */
static enum input_kind path_kind(const char *path)
{
	const size_t len = strlen(path);

	return len > 0 && path[len - 1] == '/' ? INPUT_DIR : INPUT_FILE;
}

int options_source(const char *value, const char *from, struct input *ret, struct diags *ds)
{
	if (strcmp(value, "-") == 0)
		return source_fd("fd:0", from, ret, ds);
	if (strncmp(value, "fd:", 3) == 0)
		return source_fd(value, from, ret, ds);
	if (value[0] != '/' && value[0] != '{')
		return diag_add(ds, DIAG_USAGE, 0, NULL, from,
				"'%s' is not '-', fd:N, an absolute path or a JSON object", value);
	ret->kind = value[0] == '/' ? path_kind(value) : INPUT_INLINE;
	ret->text = value;
	ret->name = value[0] == '/' ? value : from;
	return 0;
}

static int option_descriptor(struct reader *r, const char *value)
{
	if (strcmp(value, "-") == 0)
		return source_fd("fd:0", "--descriptor", &r->opt->input, r->ds);
	if (strncmp(value, "fd:", 3) == 0)
		return source_fd(value, "--descriptor", &r->opt->input, r->ds);
	r->opt->input.kind = path_kind(value);
	r->opt->input.text = r->opt->input.name = value;
	if (value[0])
		return 0;
	return diag_add(r->ds, DIAG_USAGE, 0, NULL, "--descriptor", "needs the name of a file");
}

static int option_plan(struct reader *r, const char *value)
{
	static const struct { const char *name; enum report_form form; } forms[] = {
		{ "text", REPORT_TEXT }, { "json", REPORT_JSON }, { "shell", REPORT_SHELL },
	};

	r->opt->stop = STOP_PLAN;
	for (unsigned i = 0; i < ARRAY_LEN(forms); i++) {
		if (!value || strcmp(value, forms[i].name) == 0) {
			r->opt->form = forms[i].form;
			return 0;
		}
	}
	return diag_add(r->ds, DIAG_USAGE, 0, NULL, "--plan", "'%s' is not text, json or shell",
			value);
}

static int option_check(struct reader *r, const char *value)
{
	if (value && strcmp(value, "host") != 0)
		return diag_add(r->ds, DIAG_USAGE, 0, NULL, "--check", "'%s' is not 'host'", value);
	if (value)
		r->opt->stop = STOP_HOST;
	else if (r->opt->stop == STOP_NEVER)
		r->opt->stop = STOP_CHECK;
	return 0;
}

static int option_errors(struct reader *r, const char *value)
{
	const bool json = strcmp(value, "json") == 0;

	if (json || strcmp(value, "text") == 0) {
		r->opt->errors_json = json;
		return 0;
	}
	return diag_add(r->ds, DIAG_USAGE, 0, NULL, "--errors", "'%s' is not text or json", value);
}

static int option_timeout(struct reader *r, const char *value)
{
	char *end;
	const long seconds = value[0] >= '0' && value[0] <= '9' ? strtol(value, &end, 10) : -1;

	if (seconds < 1 || seconds > TIMEOUT_MAX || *end)
		return diag_add(r->ds, DIAG_USAGE, 0, NULL, "--timeout",
				"'%s' is not a number of seconds from 1 to %d", value, TIMEOUT_MAX);
	r->opt->input.timeout = (unsigned)seconds;
	return 0;
}

static int option_help(struct reader *r, const char *value)
{
	r->opt->help = true;
	return value ? diag_add(r->ds, DIAG_USAGE, 0, NULL, "--help", "takes no value") : 0;
}

static int option_version(struct reader *r, const char *value)
{
	r->opt->version = true;
	r->opt->version_json = value;
	if (!value || strcmp(value, "json") == 0)
		return 0;
	return diag_add(r->ds, DIAG_USAGE, 0, NULL, "--version", "'%s' is not 'json'", value);
}

static const struct option {
	const char *name;
	bool needs_value;
	int (*take)(struct reader *r, const char *value);
} options[] = {
	{ "--descriptor",	true,	option_descriptor },
	{ "--plan",		false,	option_plan },
	{ "--check",		false,	option_check },
	{ "--errors",		true,	option_errors },
	{ "--timeout",		true,	option_timeout },
	{ "--help",		false,	option_help },
	{ "--version",		false,	option_version },
};

/* The option that a word names, alone or as --name=value; NULL: the word is QEMU's. */
static const struct option *option_find(const char *word, const char **ret_value)
{
	for (unsigned i = 0; i < ARRAY_LEN(options); i++) {
		const size_t len = strlen(options[i].name);

		if (strncmp(word, options[i].name, len) != 0 ||
		    (word[len] != '\0' && word[len] != '='))
			continue;
		*ret_value = word[len] == '=' ? word + len + 1 : NULL;
		return &options[i];
	}
	return NULL;
}

/* The option that an unknown word most likely means. */
static const char *nearest_option(const char *word)
{
	char name[32];
	struct nearest nearest = { .name = name };

	str_put(&STR_ON(name), "%s", word);
	name[strcspn(name, "=")] = '\0';
	for (unsigned i = 0; i < ARRAY_LEN(options); i++)
		nearest_try(&nearest, options[i].name);
	return nearest.best;
}

/*
 * The word where our options end: QEMU's first. QEMU takes each option with two dashes as well, so
 * one that it does not have is a mistyped one of ours.
 */
static int check_first(const char *word, struct diags *ds)
{
	const char *best;

	if (strncmp(word, "--", 2) != 0 || qemu_option_find(word + 2))
		return 0;
	(void)diag_add(ds, DIAG_USAGE, 0, NULL, word, "there is no such option");
	best = nearest_option(word);
	if (best)
		diag_hint(ds, "use '%s'", best);
	else
		diag_hint(ds, "put -- before QEMU's words if it is one of them");
	return -1;
}

/* An option of ours among QEMU's words would have no effect. QEMU has --help and --version too. */
static int check_rest(const struct cmdline *words, struct diags *ds)
{
	struct qemu_arg arg;
	unsigned pos = 0;

	while (qemu_arg_next(words, &pos, &arg)) {
		const char *word = words->words[pos - (arg.value ? 2 : 1)], *value;
		const struct option *option = option_find(word, &value);

		if (!option || option->take == option_help || option->take == option_version)
			continue;
		(void)diag_add(ds, DIAG_USAGE, 0, NULL, word, "comes after '%s', which is QEMU's",
			       words->words[0]);
		diag_hint(ds, "put it before QEMU's words, or -- before all of them");
		return -1;
	}
	return 0;
}

int options_read(int argc, char **argv, struct options *ret, struct cmdline *ret_cmdline,
		 struct diags *ds)
{
	struct reader r = { .opt = ret, .ds = ds };
	int i = 1, bad = 0;

	for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *value;
		const struct option *option = option_find(argv[i], &value);

		if (!option)
			break;
		if (option->needs_value && !value && ++i == argc)
			return diag_add(ds, DIAG_USAGE, 0, NULL, option->name, "needs a value");
		if (option->needs_value && !value)
			value = argv[i];
		bad |= option->take(&r, value);
	}
	if (i < argc) {
		const bool apart = strcmp(argv[i], "--") == 0;

		i += apart;
		ret_cmdline->words = argv + i;
		ret_cmdline->n = (unsigned)(argc - i);
		if (!apart)
			bad |= check_first(argv[i], ds) < 0 || check_rest(ret_cmdline, ds) < 0 ? -1
											       : 0;
	}
	return bad;
}

const char options_help[] =
	"usage: qemu-handoff [OPTION]... [--] [QEMU-ARGUMENT]...\n\nRead a launch descriptor "
	"(JSON) from standard input, check the host against it,\nopen the devices, and become QEMU "
	"with the arguments that match them.\n\n  --descriptor=FILE|DIR/|fd:N\n"
	"                           where to read the descriptor (standard input)\n  --check       "
	"           only check; exit as a launch "
	"would\n  --check=host             show what this host has; read no descriptor\n  "
	"--plan[=text|json|shell] only check, and print what a launch would do\n  "
	"--errors=text|json       how to print problems (text)\n  --timeout=SECONDS        time "
	"limit for writing the descriptor (10)\n  --help, "
	"--version[=json]\n\nThe first word that is not "
	"one of these, and everything after it, is passed to QEMU.\nSee qemu-handoff(1) and, for "
	"the descriptor, qemu-handoff(5).\n";
