/*
 * launch.c - the stages of a launch, and the order of everything in them
 *
 * Of the environment, this file and main.c read what they need; no other does.
 */
#include "config.h"

#include "launch.h"

#include <stdlib.h>
#include <string.h>

#include "act/cgroup.h"
#include "act/exec.h"
#include "act/helper.h"
#include "act/ids.h"
#include "act/limits.h"
#include "act/notify.h"
#include "act/parent.h"
#include "act/passt.h"
#include "act/place.h"
#include "act/readback.h"
#include "act/signals.h"
#include "act/stdio.h"
#include "desc/argv_nics.h"
#include "desc/argv_user.h"
#include "desc/choose.h"
#include "desc/desc.h"
#include "desc/probe.h"
#include "look/choose.h"
#include "look/holder.h"
#include "look/input.h"
#include "look/probe.h"
#include "look/readconfig.h"
#include "mode/table.h"
#include "plan/make.h"
#include "plan/report.h"
#include "sys/fd.h"

/* --- environment ------------------------------------------------------------------------------ */

const char *launch_qemu(const struct desc *desc, const char *dropin, struct arena *mem)
{
	static const char prefix[] = "qemu-system-";
	const char *env;

	if (desc->qemu)
		return desc->qemu;
	env = getenv("QEMU_HANDOFF_QEMU");
	if (env && env[0])
		return env;
	if (dropin && strncmp(dropin, prefix, strlen(prefix)) == 0)
		return arena_printf(mem, "%s/%s", QEMU_DIR, dropin);
	return QEMU_DIR "/qemu-system-x86_64";
}

/* Where private directories are made if the descriptor does not say: XDG_RUNTIME_DIR, else /run. */
static const char *runtime_dir(void)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");

	/* a relative one must be ignored (XDG Base Directory Specification) */
	return dir && dir[0] == '/' ? dir : "/run";
}

static bool begins(const char *variable, const char *name)
{
	return strncmp(variable, name, strlen(name)) == 0;
}

char **launch_environment(char *const *envp, bool notified, struct arena *mem)
{
	size_t n = 0, kept = 0;
	char **ret;

	while (envp[n])
		n++;
	ret = arena_array(mem, n + 1, sizeof(*ret));
	for (size_t i = 0; i < n; i++)
		if (!begins(envp[i], "QEMU_HANDOFF_") &&
		    !(notified && begins(envp[i], "NOTIFY_SOCKET=")))
			ret[kept++] = envp[i];
	return ret;
}

/* --- look and decide -------------------------------------------------------------------------- */

/* The file of a directory that QEMU's words choose: *input is that file, open. */
static int open_chosen(struct launch *l, struct input *input, struct chosen *ret)
{
	struct guest_files files;

	if (choose_files(&l->cmdline, l->mem, &files, l->ds) < 0 ||
	    choose_open(input->text, &files, l->mem, ret, l->ds) < 0)
		return -1;
	input->kind = INPUT_OPENED;
	input->fd = ret->fd;
	input->name = ret->path;
	return 0;
}

/* What can be read once belongs to the launch, or to QEMU: a probe leaves it alone. */
static int read_text(struct launch *l, struct input input, struct chosen *ret,
		     const char **ret_text, size_t *ret_len)
{
	int bad;

	*ret_text = probe_descriptor;
	*ret_len = strlen(probe_descriptor);
	if (input.kind == INPUT_DIR && open_chosen(l, &input, ret) < 0)
		return -1;
	if (l->probe != PROBE_NONE && !input_stays(&input))
		return 0;
	bad = input_read(&input, l->mem, ret_text, ret_len, l->ds);
	fd_close(&ret->fd);
	return bad;
}

static int read_descriptor(struct launch *l, const struct input *input)
{
	struct chosen chosen = { .fd = -1 };
	const char *text;
	size_t len;

	if (read_text(l, *input, &chosen, &text, &len) < 0 ||
	    desc_parse(text, len, mode_syntax, l->mem, &l->desc, l->ds) < 0)
		return -1;
	l->desc.chosen = chosen.path;
	if (chosen.is_default && choose_default_rule(&l->desc, l->ds) < 0)
		return -1;
	if (l->probe != PROBE_NONE)
		probe_reduce(&l->desc, l->probe);
	return 0;
}

int launch_look(struct launch *l, const struct input *input)
{
	l->input_fd = input->kind == INPUT_STREAM ? input->fd : -1;
	if (read_descriptor(l, input) < 0 ||
	    argv_user_take(&l->desc, &l->cmdline, l->mem, l->ds) < 0)
		return -1;
	readconfig_read(&l->desc, &l->cmdline, l->mem);
	if (argv_nics_read(&l->desc, &l->cmdline, l->mem, l->ds) < 0)
		return -1;
	if (!l->desc.runtime_dir)
		l->desc.runtime_dir = runtime_dir();
	if (probe_facts(&l->desc, launch_qemu(&l->desc, l->dropin, l->mem), l->mem, &l->facts,
			l->ds) < 0)
		return -1;
	l->n_looked = l->ds->n;
	return 0;
}

void launch_look_closely(struct launch *l)
{
	holders_search(&l->desc, l->mem, &l->facts);
}

int launch_decide(struct launch *l)
{
	return plan_make(&l->desc, &l->facts, &l->cmdline, l->mem, &l->plan, l->ds);
}

/* --- act -------------------------------------------------------------------------------------- */

/* The plan without the vhost that was only preferred: err is why it cannot be opened. */
static int decide_without_vhost(struct launch *l, int err)
{
	probe_vhost_failed(&l->facts, err);
	/* the warnings of the first plan are not those of the second */
	l->ds->n = l->n_looked;
	l->ds->dropped = 0;
	if (launch_decide(l) < 0)
		return -1;
	opened_make(&l->plan, l->mem, &l->opened);
	return 0;
}

/* Preferred vhost is opened first, while nothing else is open: without it there is another plan. */
static int open_preferred_vhost(struct launch *l)
{
	int err = 0;

	opened_make(&l->plan, l->mem, &l->opened);
	switch (open_preferred(&l->plan, &l->opened, l->ds, &err)) {
	case OPEN_DONE:
		return 0;
	case OPEN_FAILED:
		return -1;
	case OPEN_OTHERWISE:
		break;
	}
	return decide_without_vhost(l, err);
}

int launch_open(struct launch *l)
{
	if (open_preferred_vhost(l) < 0 || helper_run(&l->plan, &l->opened, l->ds) < 0 ||
	    passt_run(&l->plan, &l->opened, l->ds) < 0)
		return -1;
	return open_slots(&l->plan, &l->opened, l->ds);
}

/*
 * The cgroup before any open, so that everything is charged to it. Helpers before no_new_privs,
 * which would take a set-uid one its privilege. Numbers when no other program starts any more.
 */
int launch_act(struct launch *l)
{
	signals_reset();
	if (parent_watch(&l->plan, l->parent, l->ds) < 0)
		return -1;
	if (limits_raise(&l->plan, l->ds) < 0 || cgroup_join(&l->plan, l->mem, l->ds) < 0 ||
	    launch_open(l) < 0 || place_slots(&l->plan, &l->opened, l->ds) < 0 ||
	    stdio_read_only(l->input_fd, l->ds) < 0 || stdio_input(&l->plan, l->ds) < 0 ||
	    stdio_close_ours(&l->plan, l->ds) < 0 ||
	    lock_place_qemu(&l->plan, &l->exec, l->ds) < 0)
		return -1;
	if (l->notify)
		l->notify_fd = notify_open(l->notify, l->ds);
	if (!reportfile_wanted(&l->desc))
		return 0;
	l->plan.passt_pids = l->opened.passt_pids;
	return reportfile_write(&l->desc, &l->facts,
				report_make(&l->plan, l->ds, REPORT_JSON, l->mem), &l->report,
				l->ds);
}

/* The ids when the devices are open; the filter last, as it allows one exec and little else. */
int launch_become(struct launch *l, char *const *envp)
{
	char **for_qemu = launch_environment(envp, l->notify_fd >= 0, l->mem);
	struct readback rb;

	readback_open(&l->plan, &rb);
	if (lock_begin(&l->plan, l->ds) == 0 && ids_take(&l->plan, l->ds) == 0 &&
	    parent_verify(&l->plan, l->parent, l->ds) == 0 &&
	    readback_ids(&l->plan, &rb, l->ds) == 0 &&
	    lock_down(&l->plan, &l->exec, l->mem, l->ds) == 0 &&
	    readback_lock(&l->plan, &rb, l->ds) == 0) {
		notify_ready(&l->plan, l->notify_fd);
		(void)exec_qemu(&l->plan, &l->exec, for_qemu, l->ds);
	}
	reportfile_remove(&l->desc, &l->report);
	return -1;
}
