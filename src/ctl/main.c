/*
 * main.c - qemu-handoff-ctl: guests that run, by the launcher's own rules
 *
 * A program of its own on the stages of launch.h: what it links, the launcher does not have. Its
 * errors have the launcher's form. Only this file prints problems, and only main() exits.
 */
#include "config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/stdio.h"
#include "base/bounds.h"
#include "base/names.h"
#include "ctl/ctl.h"
#include "look/process.h"
#include "sys/writeout.h"

#define PROGRAM "qemu-handoff-ctl"

struct command {
	const char *name;
	command_run *run;
	const char *takes, *help;
};

/* The last row is none: it keeps the table from being empty. */
static const struct command commands[] = {
#define COMMAND(name, id, takes, help) { name, command_##id, takes, help },
#include "ctl/commands.def"
#undef COMMAND
	{ NULL, NULL, NULL, NULL },
};

/* --- printing --------------------------------------------------------------------------------- */

struct diag_view {
	const struct diag *d;
	bool json;
};

static void render_diag(struct str *s, const void *arg)
{
	const struct diag_view *v = arg;

	if (v->json)
		diag_json(v->d, s);
	else
		diag_text_by(PROGRAM, false, v->d, s);
	str_put(s, "\n");
}

static void print_diag(const struct ctl *ctl, const struct diag *d)
{
	const struct diag_view view = { .d = d, .json = ctl->errors_json };

	(void)writeout(STDERR_FILENO, str_make(ctl->mem, render_diag, &view), WRITE_SECONDS * 1000);
}

static void print_diags(const struct ctl *ctl)
{
	for (unsigned i = 0; i < ctl->ds->n; i++)
		print_diag(ctl, &ctl->ds->list[i]);
	if (ctl->ds->dropped > 0)
		print_diag(ctl, &(const struct diag){
					.id = DIAG_MORE,
					.message = arena_printf(ctl->mem,
								"%u more problems are not listed",
								ctl->ds->dropped) });
}

static void render_help(struct str *s, const void *arg)
{
	const struct command *only = arg;

	str_put(s, "usage: " PROGRAM " [--errors=text|json] COMMAND ...\n");
	for (const struct command *c = commands; c->name; c++)
		if (!only || c == only)
			str_put(s, "  %s %s\n      %s\n", c->name, c->takes, c->help);
	if (!only)
		str_put(s, "  --help, --version\n");
	str_put(s, "The manual is " PROGRAM "(1).\n");
}

/* --- a run ------------------------------------------------------------------------------------ */

static const struct command *find(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

static int no_command(struct ctl *ctl, const char *word)
{
	struct nearest nearest = { .name = word };

	for (const struct command *c = commands; c->name; c++)
		nearest_try(&nearest, c->name);
	(void)diag_add(ctl->ds, DIAG_USAGE, 0, NULL, word, "there is no such %s",
		       word[0] == '-' ? "option" : "command");
	if (nearest.best)
		diag_hint(ctl->ds, "use '%s'", nearest.best);
	else
		diag_hint(ctl->ds, PROGRAM " --help");
	return -1;
}

static int run_command(struct ctl *ctl, unsigned n, char **words)
{
	const struct command *c = find(words[0]);

	if (!c)
		return no_command(ctl, words[0]);
	for (unsigned i = 1; i < n && strcmp(words[i], "--") != 0; i++)
		if (strcmp(words[i], "--help") == 0)
			return ctl_print(ctl, str_make(ctl->mem, render_help, c));
	ctl->name = c->name;
	return c->run(ctl, n - 1, words + 1);
}

/* --errors before the command, as the launcher has it. Returns how many words it took, or -1. */
static int take_errors(struct ctl *ctl, unsigned n, char **words)
{
	static const char option[] = "--errors";
	const size_t len = strlen(option);
	const char *value;

	if (strncmp(words[0], option, len) != 0 || (words[0][len] && words[0][len] != '='))
		return 0;
	value = words[0][len] ? words[0] + len + 1 : n > 1 ? words[1] : "";
	ctl->errors_json = strcmp(value, "json") == 0;
	if (!ctl->errors_json && strcmp(value, "text") != 0)
		return diag_add(ctl->ds, DIAG_USAGE, 0, NULL, option, "'%s' is not text or json",
				value);
	return words[0][len] ? 1 : 2;
}

static int run_words(struct ctl *ctl, unsigned n, char **words)
{
	const int taken = n > 0 ? take_errors(ctl, n, words) : 0;

	if (taken < 0)
		return -1;
	n -= (unsigned)taken;
	words += taken;
	if (n == 0) {
		(void)diag_add(ctl->ds, DIAG_USAGE, 0, NULL, NULL, "no command is given");
		diag_hint(ctl->ds, PROGRAM " --help");
		return -1;
	}
	if (strcmp(words[0], "--help") == 0)
		return ctl_print(ctl, str_make(ctl->mem, render_help, NULL));
	if (strcmp(words[0], "--version") == 0)
		return ctl_print(ctl, PROGRAM " " PACKAGE_VERSION "\n");
	return run_command(ctl, n, words);
}

static int run_main(struct ctl *ctl, int argc, char **argv)
{
	if (stdio_open() < 0)
		(void)diag_add(ctl->ds, DIAG_CALL_FAILED, errno, NULL, "/dev/null",
			       "0, 1 and 2 cannot be opened");
	else if (process_refuse_set_id(ctl->ds) == 0)
		(void)run_words(ctl, argc > 0 ? (unsigned)argc - 1 : 0, argv + (argc > 0));
	print_diags(ctl);
	return ctl->ds->status;
}

int main(int argc, char **argv, char **envp)
{
	jmp_buf oom;
	struct arena mem = { .oom = &oom };
	struct diags ds = { .mem = &mem };
	const char *errors = getenv("QEMU_HANDOFF_ERRORS");
	struct ctl ctl = { .mem = &mem,
			   .ds = &ds,
			   .errors_json = errors && strcmp(errors, "json") == 0,
			   .envp = envp,
			   .name = PROGRAM };

	if (setjmp(oom) != 0) {
		(void)writeout(STDERR_FILENO,
			       errors && strcmp(errors, "json") == 0
				       ? "{\"level\":\"error\",\"code\":\"no-memory\",\"status\":"
					 "111,\"message\":\"out of memory\"}\n"
				       : PROGRAM ": error: out of memory\n",
			       WRITE_SECONDS * 1000);
		exit(EXIT_CALL);
	}
	exit(run_main(&ctl, argc, argv));
}
