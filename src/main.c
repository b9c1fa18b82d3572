/*
 * main.c - qemu-handoff: from a launch descriptor to a running QEMU
 *
 * Under its own name the program reads options; under any other it is a drop-in for QEMU, and every
 * word is QEMU's. The order of a launch is run_launch() and act(). Only this file prints, and only
 * main() exits.
 */
#include "config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/cgroup.h"
#include "desc/desc.h"
#include "base/diag.h"
#include "act/helper.h"
#include "look/hostcheck.h"
#include "act/ids.h"
#include "look/input.h"
#include "desc/argv_nics.h"
#include "desc/argv_user.h"
#include "act/exec.h"
#include "act/nodes.h"
#include "desc/options.h"
#include "act/passt.h"
#include "plan/files.h"
#include "plan/plan.h"
#include "look/probe.h"
#include "look/process.h"
#include "desc/cmdline.h"
#include "plan/report.h"
#include "act/readback.h"
#include "act/reportfile.h"
#include "sys/writeout.h"
#include "mode/table.h"
#include "plan/make.h"

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
	unsigned n_looked;		/* problems in ds before the plan was made */
	const char *dropin; /* the name we were started by, when it is not our own; else NULL */
	const char *source;		/* QEMU_HANDOFF_DESCRIPTOR, of a drop-in; NULL: not set */
	int report_fd;			/* the file of the report; -1: there is none */
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
		diag_text(v->d, s);
	str_put(s, "\n");
}

static void print_diag(struct run *r, const struct diag *d)
{
	const struct diag_view view = { .d = d, .json = r->opt.errors_json };

	(void)writeout(STDERR_FILENO, str_make(&r->mem, render_diag, &view));
}

static void print_diags(struct run *r)
{
	for (unsigned i = 0; i < r->ds.n; i++)
		print_diag(r, &r->ds.list[i]);
	if (r->ds.dropped > 0)
		print_diag(r, &(const struct diag){
				      .id = DIAG_MORE,
				      .message = arena_printf(&r->mem,
							      "%u more problems are not listed",
							      r->ds.dropped) });
}

/* --- a run ------------------------------------------------------------------------------------ */

static const char *qemu_path(struct run *r)
{
	static const char prefix[] = "qemu-system-";
	const char *env;

	if (r->desc.qemu)
		return r->desc.qemu;
	env = getenv("QEMU_HANDOFF_QEMU");
	if (env && env[0])
		return env;
	if (r->dropin && strncmp(r->dropin, prefix, strlen(prefix)) == 0)
		return arena_printf(&r->mem, "%s/%s", QEMU_DIR, r->dropin);
	return QEMU_DIR "/qemu-system-x86_64";
}

static int look(struct run *r)
{
	const char *text;
	size_t len;

	if (input_read(&r->opt.input, &r->mem, &text, &len, &r->ds) < 0 ||
	    desc_parse(text, len, mode_syntax, &r->mem, &r->desc, &r->ds) < 0 ||
	    argv_user_take(&r->desc, &r->cmdline, &r->mem, &r->ds) < 0 ||
	    argv_nics_settle(&r->desc, &r->cmdline, &r->mem, &r->ds) < 0)
		return -1;
	if (!r->desc.runtime_dir)
		r->desc.runtime_dir = launch_runtime_dir();
	if (probe_facts(&r->desc, qemu_path(r), &r->mem, &r->facts, &r->ds) < 0)
		return -1;
	r->n_looked = r->ds.n;
	return 0;
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
	/* the warnings of the first plan are not those of the second */
	r->ds.n = r->n_looked;
	r->ds.dropped = 0;
	return decide(r);
}

/*
 * The cgroup first, so that everything is charged to it; helpers before no_new_privs, which would
 * take a set-uid one its privilege; ids when the devices are open; the filter last, it allows one
 * exec.
 */
static int act(struct run *r, struct one_exec *ret)
{
	launch_signals();
	if (launch_limits(&r->plan, &r->ds) < 0 || cgroup_join(&r->plan, &r->mem, &r->ds) < 0 ||
	    settle_vhost(r) < 0 || helper_run(&r->plan, &r->ds) < 0 ||
	    passt_run(&r->plan, &r->ds) < 0 || nodes_open(&r->plan, &r->ds) < 0 ||
	    launch_stdin(&r->plan, &r->ds) < 0 || launch_close_ours(&r->plan, &r->ds) < 0 ||
	    lock_place_qemu(&r->plan, ret, &r->ds) < 0)
		return -1;
	return reportfile_write(&r->plan, &r->mem, &r->report_fd, &r->ds);
}

/* From here on nothing can be taken back, but for the report. */
static int become_qemu(struct run *r, const struct one_exec *exec)
{
	char **envp = launch_environment(r->envp, &r->mem);
	struct readback rb;

	print_diags(r);
	r->ds.n = r->ds.dropped = 0;
	if (readback_open(&r->plan, &rb, &r->ds) == 0 && ids_take(&r->plan, &r->ds) == 0 &&
	    readback_ids(&r->plan, &rb, &r->ds) == 0 &&
	    lock_down(&r->plan, exec, &r->mem, &r->ds) == 0 &&
	    readback_lock(&r->plan, &rb, &r->ds) == 0)
		(void)launch_exec(&r->plan, exec, envp, &r->ds);
	reportfile_remove(&r->plan, r->report_fd);
	return -1;
}

/* Only comes back when QEMU does not run. */
static int run_launch(struct run *r)
{
	struct one_exec exec = { 0 };
	int err;

	if (look(r) < 0 || decide(r) < 0)
		return -1;
	if (r->opt.stop == STOP_CHECK)
		return 0;
	if (r->opt.stop == STOP_PLAN) {
		err = writeout(STDOUT_FILENO, report_make(&r->plan, &r->ds, r->opt.form, &r->mem));
		return err ? diag_add(&r->ds, DIAG_CALL_FAILED, err, NULL, "stdout",
				      "the plan could not be written")
			   : 0;
	}
	return act(r, &exec) < 0 ? -1 : become_qemu(r, &exec);
}

/* --check=host: no descriptor is read. */
static int run_host(struct run *r)
{
	unsigned n;
	const struct host_row *rows = hostcheck_rows(qemu_path(r), &r->mem, &n);
	const int err = writeout(STDOUT_FILENO,
				 hostcheck_text(rows, n, r->opt.errors_json, &r->mem));

	return err ? diag_add(&r->ds, DIAG_CALL_FAILED, err, NULL, "stdout",
			      "the table could not be written")
		   : 0;
}

/* Open 0, 1 and 2, refuse borrowed privilege, and know where the descriptor is. */
static int prepare(struct run *r)
{
	const int closed = launch_std_fds();

	r->opt.input = (struct input){ .kind = INPUT_STREAM,
				       .name = "stdin",
				       .timeout = TIMEOUT_DEFAULT,
				       .was_closed = closed > 0 && (closed & 1) };
	if (closed < 0)
		return diag_add(&r->ds, DIAG_CALL_FAILED, errno, NULL, "/dev/null",
				"0, 1 and 2 cannot be opened");
	return process_refuse_set_id(&r->ds);
}

static void run_direct(struct run *r, int argc, char **argv)
{
	if (prepare(r) < 0 || options_read(argc, argv, &r->opt, &r->cmdline, &r->ds) < 0 ||
	    r->opt.help || r->opt.version)
		return;
	if (r->opt.stop == STOP_HOST)
		(void)run_host(r);
	else
		(void)run_launch(r);
}

/*
 * Nothing was asked of us, or this call of a manager starts no machine: QEMU gets everything as it
 * came. Nothing is opened, read or printed, and no descriptor, signal or limit is touched.
 */
static void pass_through(struct run *r, char **argv)
{
	const char *qemu = qemu_path(r);
	struct program file;

	if (process_refuse_set_id(&r->ds) < 0)
		return;
	probe_qemu(qemu, &file, &r->facts);
	if (rule_qemu(&r->desc, &file, &r->facts, &r->ds) == 0)
		(void)launch_plain(qemu, argv, launch_environment(r->envp, &r->mem), NULL, &r->ds);
}

static void run_dropin(struct run *r, int argc, char **argv)
{
	r->cmdline = (struct cmdline){ .argv0 = argv[0],
				       .words = argv + (argc > 0),
				       .n = argc > 0 ? (unsigned)argc - 1 : 0 };
	r->source = getenv("QEMU_HANDOFF_DESCRIPTOR");
	if (!r->source || qargv_probe(&r->cmdline))
		pass_through(r, argv);
	else if (prepare(r) == 0 && options_source(r->source, &r->opt.input, &r->ds) == 0)
		(void)run_launch(r);
}

/* The last part of the name we were started by, NULL when it is our own. */
static const char *dropin_name(const char *argv0)
{
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;
	const char *name = slash ? slash + 1 : argv0 ? argv0 : "";

	return strcmp(name, PACKAGE_NAME) == 0 ? NULL : name;
}

static int run_main(struct run *r, int argc, char **argv)
{
	r->dropin = dropin_name(argv[0]);
	if (r->dropin)
		run_dropin(r, argc, argv);
	else
		run_direct(r, argc, argv);
	print_diags(r);
	if (r->dropin && r->ds.status != EXIT_NONE)
		launch_wait_manager(&r->cmdline, &r->mem);
	if (r->ds.status == EXIT_NONE && (r->opt.help || r->opt.version))
		return writeout(STDOUT_FILENO, r->opt.help ? options_help : PACKAGE_STRING "\n") ==
				       0
			       ? 0
			       : EXIT_CALL;
	return r->ds.status;
}

int main(int argc, char **argv, char **envp)
{
	struct run run = { .envp = envp, .report_fd = -1 };
	const char *errors = getenv("QEMU_HANDOFF_ERRORS");

	run.mem.oom = &run.oom;
	run.ds.mem = &run.mem;
	run.opt.errors_json = errors && strcmp(errors, "json") == 0;
	if (setjmp(run.oom) != 0) {
		(void)writeout(STDERR_FILENO,
			       run.opt.errors_json
				       ? "{\"level\":\"error\",\"code\":\"no-memory\",\"status\":"
					 "111,\"message\":\"out of memory\"}\n"
				       : "qemu-handoff: error: out of memory\n");
		exit(EXIT_CALL);
	}
	exit(run_main(&run, argc, argv));
}
