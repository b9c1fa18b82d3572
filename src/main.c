/*
 * main.c - qemu-handoff: from a launch descriptor to a running QEMU
 *
 * Under its own name the program reads options; under a QEMU's it is a drop-in, and every word is
 * QEMU's. Any other name is an error. launch.c has the stages of a launch and their order. Only
 * this file prints, and only main() exits.
 */
#include "config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/exec.h"
#include "act/manager.h"
#include "act/stdio.h"
#include "base/diag.h"
#include "desc/called_as.h"
#include "desc/choose.h"
#include "desc/cmdline.h"
#include "desc/options.h"
#include "desc/probe.h"
#include "launch.h"
#include "look/choose.h"
#include "look/hostcheck.h"
#include "look/probe.h"
#include "look/process.h"
#include "mode/features.h"
#include "plan/files.h"
#include "plan/report.h"
#include "sys/journal.h"
#include "sys/writeout.h"

/* The state of one run. */
struct run {
	struct arena mem;
	jmp_buf oom;
	struct diags ds;
	struct options opt;
	struct launch launch;
	char *const *envp;
	bool journal;		/* stderr is the system's journal */
	bool confined;		/* with the filter of QEMU: no call is made that it may lack */
};

/* --- printing --------------------------------------------------------------------------------- */

struct diag_view {
	const struct diag *d;
	bool json;
	bool journal;		/* a priority comes first (sd-daemon(3)) */
	bool colour;
	const struct diags *excerpt;	/* the descriptor's text is shown below its line; or NULL */
};

static void render_diag(struct str *s, const void *arg)
{
	const struct diag_view *v = arg;

	if (v->journal && !v->json)
		str_put(s, "%s", diag_status(v->d->id) != EXIT_NONE ? "<3>" : "<4>");
	if (v->json)
		diag_json(v->d, s);
	else
		diag_text_by(PACKAGE_NAME, v->colour, v->d, s);
	str_put(s, "\n");
	if (v->excerpt)
		diag_excerpt(v->excerpt, v->d, s);
}

/* Colours, unless they are not wanted (no-color.org). */
static bool colour_wanted(void)
{
	const char *no, *term;

	if (!isatty(STDERR_FILENO))
		return false;
	no = getenv("NO_COLOR");
	term = getenv("TERM");
	return !(no && no[0]) && term && term[0] && strcmp(term, "dumb") != 0;
}

/* A manager that reads a drop-in's lines gets one for each problem. */
static void print_diag(struct run *r, const struct diag *d)
{
	const struct diag_view view = { .d = d,
					.json = r->opt.errors_json,
					.journal = r->journal,
					.colour = !r->confined && colour_wanted(),
					.excerpt = r->opt.errors_json || r->journal ||
								   r->launch.dropin
							   ? NULL
							   : &r->ds };

	(void)writeout(STDERR_FILENO, str_make(&r->mem, render_diag, &view),
		       WRITE_SECONDS * 1000);
}

static void print_level(struct run *r, bool errors)
{
	for (unsigned i = 0; i < r->ds.n; i++)
		if ((diag_status(r->ds.list[i].id) != EXIT_NONE) == errors)
			print_diag(r, &r->ds.list[i]);
}

/* What ends the launch comes before what is only worth knowing. */
static void print_diags(struct run *r)
{
	print_level(r, true);
	print_level(r, false);
	if (r->ds.dropped > 0)
		print_diag(r, &(const struct diag){
				      .id = DIAG_MORE,
				      .message = arena_printf(&r->mem,
							      "%u more problems are not listed",
							      r->ds.dropped) });
}

/* --- a run ------------------------------------------------------------------------------------ */

static int print_plan(struct run *r)
{
	const struct launch *l = &r->launch;
	const int err = writeout(STDOUT_FILENO,
				 report_make(&l->plan, &r->ds, r->opt.form, &r->mem),
				 WRITEOUT_PATIENT);

	return err ? diag_add(&r->ds, DIAG_CALL_FAILED, err, NULL, "stdout",
			      "the plan could not be written")
		   : 0;
}

/* Only comes back when QEMU does not run. */
static int run_launch(struct run *r)
{
	struct launch *l = &r->launch;

	if (launch_look(l, &r->opt.input) < 0)
		return -1;
	if (r->opt.stop == STOP_CHECK || r->opt.stop == STOP_PLAN)
		launch_look_closely(l);
	if (launch_decide(l) < 0)
		return -1;
	if (r->opt.stop == STOP_CHECK)
		return 0;
	if (r->opt.stop == STOP_PLAN)
		return print_plan(r);
	if (launch_act(l) < 0)
		return -1;
	/*
	 * What may be printed under the ids and the filter of QEMU is an error only. The answer to
	 * a probe is QEMU's alone; the launch repeats the warnings.
	 */
	if (l->probe == PROBE_NONE)
		print_diags(r);
	r->ds.n = r->ds.dropped = 0;
	r->confined = true;
	return launch_become(l, r->envp);
}

/* --check=host: no descriptor is read. */
static int run_host(struct run *r)
{
	unsigned n;
	const struct host_row *rows = hostcheck_rows(launch_qemu(&r->launch.desc, r->launch.dropin,
								 &r->mem),
						     &r->mem, &n);
	const int err = writeout(STDOUT_FILENO,
				 hostcheck_text(rows, n, r->opt.errors_json, &r->mem),
				 WRITEOUT_PATIENT);

	return err ? diag_add(&r->ds, DIAG_CALL_FAILED, err, NULL, "stdout",
			      "the table could not be written")
		   : 0;
}

/* Open 0, 1 and 2, refuse borrowed privilege, and know where the descriptor is. */
static int prepare(struct run *r)
{
	const int closed = stdio_open();

	r->launch.parent = getppid();
	r->opt.input = (struct input){ .kind = INPUT_STREAM,
				       .name = "stdin",
				       .timeout = TIMEOUT_DEFAULT,
				       .was_closed = closed > 0 && (closed & 1) };
	if (closed < 0)
		return diag_add(&r->ds, DIAG_CALL_FAILED, errno, NULL, "/dev/null",
				"0, 1 and 2 cannot be opened");
	return process_refuse_set_id(&r->ds);
}

/*
 * The variable is a drop-in's. Whoever wants to check what it names would see another one checked.
 */
static void warn_variable(struct run *r)
{
	const char *source = getenv("QEMU_HANDOFF_DESCRIPTOR");

	if (!source || r->opt.input.kind != INPUT_STREAM || r->opt.input.fd != STDIN_FILENO)
		return;
	(void)diag_add(&r->ds, DIAG_SOURCE_UNUSED, 0, NULL, "QEMU_HANDOFF_DESCRIPTOR",
		       "is for drop-ins: the descriptor is read from standard input");
	if (source[0] == '/')
		diag_hint(&r->ds, "--descriptor=\"$QEMU_HANDOFF_DESCRIPTOR\"");
}

static void run_direct(struct run *r, int argc, char **argv)
{
	if (prepare(r) < 0 || options_read(argc, argv, &r->opt, &r->launch.cmdline, &r->ds) < 0 ||
	    choose_no_word(&r->launch.cmdline, &r->mem, &r->ds) < 0 ||
	    r->opt.help || r->opt.version)
		return;
	/* a drop-in is a manager's QEMU: the socket is the manager's own */
	r->launch.notify = getenv("NOTIFY_SOCKET");
	if (r->opt.stop == STOP_HOST) {
		(void)run_host(r);
		return;
	}
	warn_variable(r);
	(void)run_launch(r);
}

/*
 * Nothing was asked of us: QEMU gets everything as it came. Nothing is opened, read or printed, and
 * no descriptor, signal or limit is touched.
 */
static void pass_through(struct run *r, char **argv)
{
	struct launch *l = &r->launch;
	const char *qemu = launch_qemu(&l->desc, l->dropin, &r->mem);
	struct program file;

	if (process_refuse_set_id(&r->ds) < 0)
		return;
	probe_qemu(qemu, &file, &l->facts);
	if (rule_qemu(&l->desc, &file, &l->facts, &r->ds) == 0)
		(void)exec_plain(qemu, argv, launch_environment(r->envp, false, &r->mem), NULL,
				 &r->ds);
}

static void run_dropin(struct run *r, int argc, char **argv)
{
	const char *variable = getenv("QEMU_HANDOFF_DESCRIPTOR"), *word;
	const bool holds = choose_holds();

	r->launch.cmdline = (struct cmdline){ .argv0 = argv[0],
					      .words = argv + (argc > 0),
					      .n = argc > 0 ? (unsigned)argc - 1 : 0 };
	if (choose_take_word(&r->launch.cmdline, &r->mem, &word, &r->ds) < 0)
		return;
	if (!holds && !variable && !word) {
		pass_through(r, argv);
		return;
	}
	r->launch.probe = probe_of(&r->launch.cmdline);
	if (prepare(r) == 0 &&
	    choose_source(holds, variable, word, &r->opt.input, &r->ds) == 0)
		(void)run_launch(r);
}

static void run_unnamed(struct run *r, const char *name)
{
	(void)diag_add(&r->ds, DIAG_NAME_UNKNOWN, 0, NULL, name[0] ? name : NULL,
		       "started by a name that is neither " PACKAGE_NAME " nor a QEMU's");
	diag_hint(&r->ds, "start it as " PACKAGE_NAME ", or by a link named qemu-system-x86_64");
}

/* The help or the version. */
static int print_about(struct run *r)
{
	const char *text = r->opt.help	       ? options_help
			   : r->opt.version_json ? features_json(&r->mem)
						 : PACKAGE_STRING "\n";

	return writeout(STDOUT_FILENO, text, WRITEOUT_PATIENT) == 0 ? 0 : EXIT_CALL;
}

static int run_main(struct run *r, int argc, char **argv)
{
	const char *name;

	switch (called_as(argv[0], &name)) {
	case CALLED_OURS:
		run_direct(r, argc, argv);
		break;
	case CALLED_QEMU:
		r->launch.dropin = name;
		run_dropin(r, argc, argv);
		break;
	case CALLED_OTHER:
		run_unnamed(r, name);
		break;
	}
	print_diags(r);
	if (r->launch.dropin && r->ds.status != EXIT_NONE)
		manager_wait(&r->launch.cmdline, &r->mem);
	if (r->ds.status == EXIT_NONE && (r->opt.help || r->opt.version))
		return print_about(r);
	return r->ds.status;
}

int main(int argc, char **argv, char **envp)
{
	struct run run = { .envp = envp };
	const char *errors = getenv("QEMU_HANDOFF_ERRORS");

	run.mem.oom = &run.oom;
	run.ds.mem = &run.mem;
	run.launch =
		(struct launch){ .mem = &run.mem, .ds = &run.ds, .report.fd = -1, .notify_fd = -1 };
	run.journal = journal_is(getenv("JOURNAL_STREAM"), STDERR_FILENO);
	run.opt.errors_json = errors && strcmp(errors, "json") == 0;
	if (setjmp(run.oom) != 0) {
		(void)writeout(STDERR_FILENO,
			       run.opt.errors_json
				       ? "{\"level\":\"error\",\"code\":\"no-memory\",\"status\":"
					 "111,\"message\":\"out of memory\"}\n"
				       : "qemu-handoff: error: out of memory\n",
			       WRITE_SECONDS * 1000);
		exit(EXIT_CALL);
	}
	exit(run_main(&run, argc, argv));
}
