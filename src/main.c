/*
 * main.c - qemu-handoff: from a launch descriptor to a running QEMU
 *
 * The order of a launch is run_launch() and act(). Only this file prints, and only main() exits.
 */
#include "config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "desc.h"
#include "diag.h"
#include "helper.h"
#include "input.h"
#include "inargv.h"
#include "launch.h"
#include "nodes.h"
#include "plan.h"
#include "probe.h"
#include "report.h"
#include "reportfile.h"

enum stop { STOP_NEVER, STOP_CHECK, STOP_PLAN };

struct options {
	struct input input;
	enum stop stop;			/* --check, --plan */
	enum report_form form;
	bool errors_json;
	bool help, version;
};

/* The state of one run. */
struct run {
	struct arena mem;
	jmp_buf oom;
	struct diags ds;
	struct options opt;
	struct cmdline cmdline;
	char *const *envp;
	struct desc desc;
	struct facts facts;
	struct plan plan;
	int std_closed;			/* bits: which of 0, 1, 2 were closed on entry */
};

/* --- options ------------------------------------------------------------------------------------------------ */

static int option_descriptor(struct run *r, const char *value)
{
	struct input *input = &r->opt.input;
	char *end;
	long fd;

	if (strncmp(value, "fd:", 3) != 0) {
		input->kind = INPUT_FILE;
		input->text = input->name = value;
		return value[0] ? 0 : diag_add(&r->ds, DIAG_USAGE, 0, NULL, "--descriptor", "needs a file");
	}
	fd = value[3] >= '0' && value[3] <= '9' ? strtol(value + 3, &end, 10) : -1;
	if (fd < 0 || fd >= FD_MAX || *end)
		return diag_add(&r->ds, DIAG_USAGE, 0, NULL, "--descriptor", "'%s' is not fd: and a number", value);
	input->kind = INPUT_STREAM;
	input->fd = (int)fd;
	input->name = fd == 0 ? "stdin" : value;
	return 0;
}

static int option_plan(struct run *r, const char *value)
{
	static const struct { const char *name; enum report_form form; } forms[] = {
		{ "text", REPORT_TEXT }, { "json", REPORT_JSON }, { "shell", REPORT_SHELL },
	};

	r->opt.stop = STOP_PLAN;
	for (unsigned i = 0; i < ARRAY_LEN(forms); i++) {
		if (!value || strcmp(value, forms[i].name) == 0) {
			r->opt.form = forms[i].form;
			return 0;
		}
	}
	return diag_add(&r->ds, DIAG_USAGE, 0, NULL, "--plan", "'%s' is not text, json or shell", value);
}

static int option_check(struct run *r, const char *value)
{
	if (r->opt.stop == STOP_NEVER)
		r->opt.stop = STOP_CHECK;
	return value ? diag_add(&r->ds, DIAG_USAGE, 0, NULL, "--check", "takes no value") : 0;
}

static int option_errors(struct run *r, const char *value)
{
	const bool json = strcmp(value, "json") == 0;

	if (json || strcmp(value, "text") == 0) {
		r->opt.errors_json = json;
		return 0;
	}
	return diag_add(&r->ds, DIAG_USAGE, 0, NULL, "--errors", "'%s' is not text or json", value);
}

static int option_timeout(struct run *r, const char *value)
{
	char *end;
	const long seconds = value[0] >= '0' && value[0] <= '9' ? strtol(value, &end, 10) : -1;

	if (seconds < 1 || seconds > TIMEOUT_MAX || *end)
		return diag_add(&r->ds, DIAG_USAGE, 0, NULL, "--timeout", "'%s' is not a number of seconds from 1 to %d",
				value, TIMEOUT_MAX);
	r->opt.input.timeout = (unsigned)seconds;
	return 0;
}

static int option_help(struct run *r, const char *value)
{
	r->opt.help = true;
	return value ? diag_add(&r->ds, DIAG_USAGE, 0, NULL, "--help", "takes no value") : 0;
}

static int option_version(struct run *r, const char *value)
{
	r->opt.version = true;
	return value ? diag_add(&r->ds, DIAG_USAGE, 0, NULL, "--version", "takes no value") : 0;
}

static const struct option {
	const char *name;
	bool needs_value;
	int (*take)(struct run *r, const char *value);
} options[] = {
	{ "--descriptor",	true,	option_descriptor },
	{ "--plan",		false,	option_plan },
	{ "--check",		false,	option_check },
	{ "--errors",		true,	option_errors },
	{ "--timeout",		true,	option_timeout },
	{ "--help",		false,	option_help },
	{ "--version",		false,	option_version },
};

/* The option that a word is, alone or as --name=value; NULL: it is QEMU's. No abbreviations: QEMU
 * takes long options too, and a word that is not exactly ours must reach it. */
static const struct option *option_find(const char *word, const char **ret_value)
{
	for (unsigned i = 0; i < ARRAY_LEN(options); i++) {
		const size_t len = strlen(options[i].name);

		if (strncmp(word, options[i].name, len) != 0 || (word[len] != '\0' && word[len] != '='))
			continue;
		*ret_value = word[len] == '=' ? word + len + 1 : NULL;
		return &options[i];
	}
	return NULL;
}

static int options_read(struct run *r, int argc, char **argv)
{
	int i = 1, ret = 0;

	for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *value;
		const struct option *option = option_find(argv[i], &value);

		if (!option)
			break;
		if (option->needs_value && !value && ++i == argc)
			return diag_add(&r->ds, DIAG_USAGE, 0, NULL, option->name, "needs a value");
		if (option->needs_value && !value)
			value = argv[i];
		ret |= option->take(r, value);
	}
	i += i < argc && strcmp(argv[i], "--") == 0;
	r->cmdline.words = argv + (i < argc ? i : argc);
	r->cmdline.n = i < argc ? (unsigned)(argc - i) : 0;
	return ret;
}

static const char help_text[] =
	"usage: qemu-handoff [OPTION]... [--] [QEMU-ARGUMENT]...\n"
	"\n"
	"Reads a launch descriptor (JSON) from standard input, checks the host against it,\n"
	"opens the devices and becomes QEMU with the arguments that match them.\n"
	"\n"
	"  --descriptor=FILE|fd:N   where the descriptor is (standard input)\n"
	"  --check                  only check; exit as a launch would\n"
	"  --plan[=text|json|shell] only check, and print what a launch would do\n"
	"  --errors=text|json       how problems are printed (text)\n"
	"  --timeout=SECONDS        how long the descriptor's writer may take (10)\n"
	"  --help, --version\n"
	"\n"
	"The first word that is none of these, and all behind it, are QEMU's.\n"
	"See qemu-handoff(1); the descriptor is described in qemu-handoff(5).\n";

/* --- printing ------------------------------------------------------------------------------------------------ */

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
		diag_text(v->d, s);
	str_put(s, "\n");
}

/* write(2), all of it: stdio would hold a buffer that an exec throws away. */
static bool print(int fd, const char *text)
{
	size_t len = strlen(text);

	while (len > 0) {
		const ssize_t n = write(fd, text, len);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			text += n;
			len -= (size_t)n;
		}
	}
	return true;
}

static void print_diags(struct run *r)
{
	for (unsigned i = 0; i < r->ds.n; i++) {
		const struct diag_view view = { .d = &r->ds.list[i], .json = r->opt.errors_json };

		(void)print(STDERR_FILENO, str_make(&r->mem, render_diag, &view));
	}
	if (r->ds.dropped > 0 && !r->opt.errors_json)
		(void)print(STDERR_FILENO, arena_printf(&r->mem, "qemu-handoff: and %u more problems\n", r->ds.dropped));
}

/* --- a run ---------------------------------------------------------------------------------------------------- */

static const char *qemu_path(const struct run *r)
{
	const char *env;

	if (r->desc.qemu)
		return r->desc.qemu;
	env = getenv("QEMU_HANDOFF_QEMU");
	return env && env[0] ? env : QEMU_DIR "/qemu-system-x86_64";
}

static int look(struct run *r)
{
	const char *text;
	size_t len;

	if (input_read(&r->opt.input, &r->mem, &text, &len, &r->ds) < 0 ||
	    desc_parse(text, len, &r->mem, &r->desc, &r->ds) < 0 ||
	    inargv_settle(&r->desc, &r->cmdline, &r->mem, &r->ds) < 0)
		return -1;
	return probe_facts(&r->desc, qemu_path(r), &r->mem, &r->facts, &r->ds);
}

static int decide(struct run *r)
{
	return plan_make(&r->desc, &r->facts, &r->cmdline, &r->mem, &r->plan, &r->ds);
}

/* Open vhost first where it is only preferred; without it there is another plan. */
static int settle_vhost(struct run *r)
{
	int err = 0;

	switch (nodes_open_vhost(&r->plan, &r->ds, &err)) {
	case NODES_OPEN:	return 0;
	case NODES_FAILED:	return -1;
	case NODES_NO_VHOST:	break;
	}
	probe_vhost_failed(&r->facts, err);
	return decide(r);
}

static int act(struct run *r)
{
	if (launch_limits(&r->plan, &r->ds) < 0 || settle_vhost(r) < 0 || helper_run(&r->plan, &r->ds) < 0 ||
	    nodes_open(&r->plan, &r->ds) < 0 || launch_prepare(&r->plan, &r->ds) < 0)
		return -1;
	return reportfile_write(&r->plan, &r->mem, &r->ds);
}

/* Only comes back when QEMU does not run. */
static int run_launch(struct run *r)
{
	if (look(r) < 0 || decide(r) < 0)
		return -1;
	if (r->opt.stop == STOP_CHECK)
		return 0;
	if (r->opt.stop == STOP_PLAN) {
		if (print(STDOUT_FILENO, report_make(&r->plan, &r->ds, r->opt.form, &r->mem)))
			return 0;
		return diag_add(&r->ds, DIAG_CALL_FAILED, errno, NULL, "stdout", "the plan could not be written");
	}
	if (act(r) < 0)
		return -1;
	print_diags(r);
	r->ds.n = 0;
	return launch_exec(&r->plan, launch_environment(r->envp, &r->mem), &r->ds);
}

static int run_main(struct run *r, int argc, char **argv)
{
	r->std_closed = launch_std_fds();
	r->opt.input = (struct input){ .kind = INPUT_STREAM, .name = "stdin", .timeout = TIMEOUT_DEFAULT,
				       .was_closed = r->std_closed & 1 };
	if (r->std_closed < 0)
		(void)diag_add(&r->ds, DIAG_CALL_FAILED, errno, NULL, "/dev/null", "0, 1 and 2 cannot be opened");
	else if (launch_check_ids(&r->ds) == 0 && options_read(r, argc, argv) == 0 && !r->opt.help && !r->opt.version)
		(void)run_launch(r);
	print_diags(r);
	if (r->ds.status == EXIT_NONE && (r->opt.help || r->opt.version))
		return print(STDOUT_FILENO, r->opt.help ? help_text : PACKAGE_STRING "\n") ? 0 : EXIT_CALL;
	return r->ds.status;
}

int main(int argc, char **argv, char **envp)
{
	struct run run = { .envp = envp };

	run.mem.oom = &run.oom;
	run.ds.mem = &run.mem;
	if (setjmp(run.oom) != 0) {
		(void)print(STDERR_FILENO, run.opt.errors_json ?
			    "{\"level\":\"error\",\"code\":\"no-memory\",\"status\":111,\"message\":\"out of memory\"}\n" :
			    "qemu-handoff: error: out of memory\n");
		exit(EXIT_CALL);
	}
	run.opt.errors_json = getenv("QEMU_HANDOFF_ERRORS") && strcmp(getenv("QEMU_HANDOFF_ERRORS"), "json") == 0;
	exit(run_main(&run, argc, argv));
}
