/*
 * test_options.c - our own words, where they end, and where a drop-in's descriptor is
 */
#include "config.h"

#include <stdio.h>

#include "desc/options.h"
#include "unit.h"

enum { WORDS_MAX = 8 };

static void put_input(struct str *s, const struct input *input)
{
	static const char *const kinds[] = {
		[INPUT_FILE] = "file", [INPUT_INLINE] = "inline", [INPUT_DIR] = "directory",
	};

	if (input->kind == INPUT_STREAM)
		str_put(s, "fd %d", input->fd);
	else
		str_put(s, "%s %s", kinds[input->kind], input->text);
	str_put(s, " (%s)", input->name);
}

static void put_options(struct str *s, const struct options *opt, const struct cmdline *cmdline)
{
	static const char *const stops[] = { "", " check", " host", " plan" };
	static const char *const forms[] = { "", " json", " shell" };

	put_input(s, &opt->input);
	str_put(s, "%s%s%s%s%s", stops[opt->stop], forms[opt->form], opt->errors_json ? " errors-json" : "",
		opt->help ? " help" : "", opt->version ? " version" : "");
	if (opt->input.timeout != TIMEOUT_DEFAULT)
		str_put(s, " %us", opt->input.timeout);
	for (unsigned i = 0; i < cmdline->n; i++)
		str_put(s, "%s%s", i > 0 ? " " : " | ", cmdline->words[i]);
}

static struct row {
	const char *name;
	const char *words[WORDS_MAX];	/* NULL ends them */
	const char *want;		/* NULL: refused */
	const char *text;		/* of the problem */
} rows[] = {
	{ "none", { NULL }, "fd 0 (stdin)", NULL },
	{ "QEMU's words", { "-m", "4G" }, "fd 0 (stdin) | -m 4G", NULL },
	{ "ours, then QEMU's", { "--check", "-m", "--plan" }, "fd 0 (stdin) check | -m --plan", NULL },
	{ "ours, two dashes, QEMU's", { "--check", "--", "--plan" }, "fd 0 (stdin) check | --plan", NULL },
	{ "two dashes alone", { "--" }, "fd 0 (stdin)", NULL },
	{ "two dashes twice", { "--", "--" }, "fd 0 (stdin) | --", NULL },
	{ "an option of ours that is mistyped", { "--plann" }, NULL, "--plann: there is no such option (try: use '--plan')" },
	{ "  with a value", { "--chek=host", "-S" }, NULL, "--chek=host: there is no such option (try: use '--check')" },
	{ "  after two dashes it is QEMU's", { "--", "--plann" }, "fd 0 (stdin) | --plann", NULL },
	{ "an option of QEMU's with two dashes", { "--daemonize" }, "fd 0 (stdin) | --daemonize", NULL },
	{ "an option of ours after QEMU's", { "--check", "-m", "1G", "--descriptor=m" }, NULL,
	  "--descriptor=m: comes after '-m', which is QEMU's (try: put it before QEMU's words, or -- before all of them)" },
	{ "  after two dashes it is QEMU's, too", { "--", "-m", "1G", "--check" }, "fd 0 (stdin) | -m 1G --check", NULL },
	{ "  as the value of an option of QEMU's", { "-name", "--check" }, "fd 0 (stdin) | -name --check", NULL },
	{ "an option that both have, after QEMU's", { "-S", "--version" }, "fd 0 (stdin) | -S --version", NULL },
	{ "standard input by its name", { "--descriptor=-" }, "fd 0 (stdin)", NULL },
	{ "one dash is not ours", { "-plan" }, "fd 0 (stdin) | -plan", NULL },
	{ "a file", { "--descriptor=/d" }, "file /d (/d)", NULL },
	{ "a directory", { "--descriptor=/d/" }, "directory /d/ (/d/)", NULL },
	{ "a directory, as the next word", { "--descriptor", "d/", "-name", "a" }, "directory d/ (d/) | -name a", NULL },
	{ "a file, as the next word", { "--descriptor", "d", "-S" }, "file d (d) | -S", NULL },
	{ "a file that looks like an option", { "--descriptor", "--check" }, "file --check (--check)", NULL },
	{ "a descriptor", { "--descriptor=fd:9" }, "fd 9 (fd:9)", NULL },
	{ "the last of two", { "--descriptor=/d", "--descriptor=fd:0" }, "fd 0 (stdin)", NULL },
	{ "plan", { "--plan" }, "fd 0 (stdin) plan", NULL },
	{ "plan=text", { "--plan=text" }, "fd 0 (stdin) plan", NULL },
	{ "plan=json", { "--plan=json" }, "fd 0 (stdin) plan json", NULL },
	{ "plan=shell", { "--plan=shell" }, "fd 0 (stdin) plan shell", NULL },
	{ "plan and check", { "--plan=json", "--check" }, "fd 0 (stdin) plan json", NULL },
	{ "check=host", { "--check=host" }, "fd 0 (stdin) host", NULL },
	{ "errors", { "--errors", "json" }, "fd 0 (stdin) errors-json", NULL },
	{ "errors, and back", { "--errors=json", "--errors=text" }, "fd 0 (stdin)", NULL },
	{ "timeout", { "--timeout=1" }, "fd 0 (stdin) 1s", NULL },
	{ "timeout of an hour", { "--timeout=3600" }, "fd 0 (stdin) 3600s", NULL },
	{ "help and version", { "--help", "--version" }, "fd 0 (stdin) help version", NULL },
	{ "no file", { "--descriptor=" }, NULL, "--descriptor: needs the name of a file" },
	{ "no value", { "--descriptor" }, NULL, "--descriptor: needs a value" },
	{ "no descriptor", { "--descriptor=fd:" }, NULL,
	  "--descriptor: 'fd:' is not fd:N with a number N" },
	{ "a descriptor of letters", { "--descriptor=fd:x" }, NULL,
	  "--descriptor: 'fd:x' is not fd:N with a number N" },
	{ "a descriptor below 0", { "--descriptor=fd:-1" }, NULL,
	  "--descriptor: 'fd:-1' is not fd:N with a number N" },
	{ "text behind a descriptor", { "--descriptor=fd:3x" }, NULL,
	  "--descriptor: 'fd:3x' is not fd:N with a number N" },
	{ "a descriptor above all", { "--descriptor=fd:1048576" }, NULL,
	  "--descriptor: 'fd:1048576' is not fd:N with a number N" },
	{ "another plan", { "--plan=xml" }, NULL, "--plan: 'xml' is not text, json or shell" },
	{ "another check", { "--check=guest" }, NULL, "--check: 'guest' is not 'host'" },
	{ "other errors", { "--errors=xml" }, NULL, "--errors: 'xml' is not text or json" },
	{ "a timeout of 0", { "--timeout=0" }, NULL, "--timeout: '0' is not a number of seconds from 1 to 3600" },
	{ "a timeout over an hour", { "--timeout=3601" }, NULL, "--timeout: '3601' is not a number of seconds from 1 to 3600" },
	{ "a timeout with a unit", { "--timeout=5s" }, NULL, "--timeout: '5s' is not a number of seconds from 1 to 3600" },
	{ "a timeout of nothing", { "--timeout=" }, NULL, "--timeout: '' is not a number of seconds from 1 to 3600" },
	{ "help takes none", { "--help=x" }, NULL, "--help: takes no value" },
	{ "version takes none", { "--version=" }, NULL, "--version: '' is not 'json'" },
	{ "version as JSON", { "--version=json" }, "fd 0 (stdin) version", NULL },
};

static void row(void **state)
{
	struct options opt = { .input = { .kind = INPUT_STREAM, .name = "stdin", .timeout = TIMEOUT_DEFAULT } };
	struct row *r = *state;
	char *argv[WORDS_MAX + 1] = { unconst_word("qemu-handoff") }, text[256];
	struct str s = STR_ON(text);
	struct cmdline cmdline = { 0 };
	int argc = 1, ret;
	struct unit u;

	unit_open(&u);
	for (unsigned i = 0; i < WORDS_MAX && r->words[i]; i++)
		argv[argc++] = unconst_word(r->words[i]);
	ret = options_read(argc, argv, &opt, &cmdline, &u.ds);
	assert_int_equal(ret, r->want ? 0 : -1);
	assert_int_equal(u.ds.status, r->want ? 0 : EXIT_DESC);
	if (r->want) {
		put_options(&s, &opt, &cmdline);
		assert_string_equal(text, r->want);
	} else {
		assert_string_equal(unit_text(&u, 0), arena_printf(&u.mem, "qemu-handoff: error: %s", r->text));
	}
	unit_close(&u);
}

static const struct source_row {
	const char *name, *value;
	const char *want;		/* NULL: refused */
} sources[] = {
	{ "variable: standard input",	"-",		"fd 0 (stdin)" },
	{ "variable: a descriptor",	"fd:7",		"fd 7 (fd:7)" },
	{ "variable: a path",		"/run/d",	"file /run/d (/run/d)" },
	{ "variable: a directory",	"/run/d/",	"directory /run/d/ (/run/d/)" },
	{ "variable: the root",		"/",		"directory / (/)" },
	{ "variable: a relative directory", "d/",	NULL },
	{ "variable: the JSON itself",	"{}",		"inline {} (QEMU_HANDOFF_DESCRIPTOR)" },
	{ "variable: a relative path",	"d.json",	NULL },
	{ "variable: nothing",		"",		NULL },
	{ "variable: an array",		"[]",		NULL },
	{ "variable: white space first", " {}",		NULL },
	{ "variable: a descriptor of letters", "fd:a",	NULL },
};

static void variable(void **state)
{
	const struct source_row *r = *state;
	struct input input = { 0 };
	char text[256];
	struct str s = STR_ON(text);
	struct unit u;

	unit_open(&u);
	assert_int_equal(options_source(r->value, "QEMU_HANDOFF_DESCRIPTOR", &input, &u.ds), r->want ? 0 : -1);
	if (r->want) {
		put_input(&s, &input);
		assert_string_equal(text, r->want);
	} else {
		assert_string_equal(unit_problems(&u), "usage -");
		assert_string_equal(u.ds.list[0].object, "QEMU_HANDOFF_DESCRIPTOR");
	}
	unit_close(&u);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(rows) + ARRAY_LEN(sources)];

	UNIT_ROWS(UNIT_ROWS(tests, rows, row), sources, variable);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
