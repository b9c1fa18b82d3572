/*
 * verify.c - does a guest run as its launch planned?
 *
 * The plan is the report of the launch. /proc, sysfs and netlink are read, nothing else: no device
 * is opened, and QEMU does not notice. What cannot be read is "unknown" and never "ok".
 */
#include "config.h"

#include "ctl/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS_MAX = 3600 };

struct verify_options {
	const char *report, *seconds_text;
	bool json, strict;
	unsigned pid, seconds;
};

/* The words are what QEMU was started with: another process, or another launch, has others. */
static int same_words(struct verify *v)
{
	const struct running *r = &v->running;
	const struct want *want = &v->want;
	unsigned i = 0;

	while (i < r->argc && i < want->argc && strcmp(r->argv[i], want->argv[i]) == 0)
		i++;
	if (i == r->argc && i == want->argc) {
		say(&v->list, VERDICT_OK, "words", arena_printf(v->ctl->mem, "%s/cmdline", r->proc),
		    "argv of the report", "%u, the same", r->argc);
		return 0;
	}
	if (r->argc == 0)
		return diag_add(v->ctl->ds, DIAG_REPORT_OTHER, 0, NULL, r->proc,
				"it has no command line: this process is not QEMU");
	return diag_add(v->ctl->ds, DIAG_REPORT_OTHER, 0, NULL, r->proc,
			"word %u is '%s' and in the report '%s': this process is not the launch "
			"that %s is of", i, i < r->argc ? r->argv[i] : "",
			i < want->argc ? want->argv[i] : "", v->list.report);
}

static void program(struct verify *v)
{
	const char *source = arena_printf(v->ctl->mem, "%s/exe", v->running.proc);
	char *real = realpath(v->want.qemu, NULL);
	char exe[4096];
	const ssize_t n = readlink(source, exe, sizeof(exe) - 1);

	exe[n > 0 ? n : 0] = '\0';
	if (n < 0)
		say(&v->list, VERDICT_UNKNOWN, "program", source, v->want.qemu, "%s",
		    strerrordesc_np(errno));
	else
		say(&v->list, strcmp(exe, real ? real : v->want.qemu) == 0 ? VERDICT_OK
									   : VERDICT_DIFFERS,
		    "program", source, v->want.qemu, "%s", exe);
	free(real);
}

static int read_options(struct ctl *ctl, unsigned n, char **words, struct verify_options *ret)
{
	const struct ctl_option options[] = {
		{ "--report", &ret->report, NULL },
		{ "--seconds", &ret->seconds_text, NULL },
		{ "--json", NULL, &ret->json },
		{ "--strict", NULL, &ret->strict },
	};
	const char *pid;
	unsigned n_words;

	if (ctl_options(ctl, n, words, options, ARRAY_LEN(options), &pid, 1, &n_words) < 0)
		return -1;
	if (n_words == 0)
		return diag_add(ctl->ds, DIAG_USAGE, 0, NULL, "verify",
				"needs the process id of a QEMU");
	if (!ret->report) {
		(void)diag_add(ctl->ds, DIAG_USAGE, 0, NULL, "verify",
			       "needs the report of the launch");
		diag_hint(ctl->ds,
			  "--report=FILE, the file that \"report\" of the descriptor names");
		return -1;
	}
	if (ret->seconds_text && ctl_number(ctl, "--seconds", ret->seconds_text, 1, SECONDS_MAX,
					    &ret->seconds) < 0)
		return -1;
	return ctl_number(ctl, "verify", pid, 1, INT32_MAX, &ret->pid);
}

static int conclude(struct verify *v, const struct verify_options *opt)
{
	const unsigned differs = v->list.n[VERDICT_DIFFERS];
	const unsigned bad = differs + (opt->strict ? v->list.n[VERDICT_UNKNOWN] : 0);

	if (ctl_print(v->ctl, opt->json ? statements_json(&v->list)
					: statements_text(&v->list)) < 0)
		return -1;
	if (bad == 0)
		return 0;
	return diag_add(v->ctl->ds, DIAG_RUNNING_DIFFERS, 0, NULL, v->running.proc,
			"%u of %u statements differ from the plan, %u are unknown", differs,
			differs + v->list.n[VERDICT_OK] + v->list.n[VERDICT_UNKNOWN],
			v->list.n[VERDICT_UNKNOWN]);
}

int command_verify(struct ctl *ctl, unsigned n, char **words)
{
	struct verify_options opt = { 0 };
	struct verify v = { .ctl = ctl, .list.mem = ctl->mem };

	if (read_options(ctl, n, words, &opt) < 0 || want_read(ctl, opt.report, &v.want) < 0 ||
	    running_read(ctl, (pid_t)opt.pid, &v.running) < 0)
		return -1;
	v.list.report = opt.report;
	v.list.pid = v.running.pid;
	if (same_words(&v) < 0)
		return -1;
	program(&v);
	verify_devices(&v);
	verify_confinement(&v);
	if (opt.seconds > 0)
		verify_load(&v, opt.seconds);
	/* what was read of a number that another process has by now says nothing */
	return running_still(ctl, &v.running) < 0 ? -1 : conclude(&v, &opt);
}
