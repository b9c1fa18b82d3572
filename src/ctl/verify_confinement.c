/*
 * verify_confinement.c - ids, capabilities, filters and cgroups, of every thread
 *
 * Each thread has its own of all of these (fs/proc/array.c, proc_pid_status() of a task). The
 * domain and what a filter says cannot be read from outside.
 */
#include "config.h"

#include "ctl/parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sys/fd.h"
#include "sys/readfile.h"
#include "sys/status.h"

enum { TASKS_TEXT_MAX = 256 * 1024 };

static const char *hex(struct verify *v, uint64_t set)
{
	return arena_printf(v->ctl->mem, "%#llx", (unsigned long long)set);
}

static const char *decimal(struct verify *v, unsigned n)
{
	return arena_printf(v->ctl->mem, "%u", n);
}

/* All of n values are the planned one, and are named when they are not. */
static void same_ids(struct verify *v, const char *what, const char *source, const unsigned *ids,
		     unsigned planned)
{
	bool same = true;

	for (unsigned i = 0; i < 4; i++)
		same &= ids[i] == planned;
	if (v->want.has_ids)
		say(&v->list, same ? VERDICT_OK : VERDICT_DIFFERS, what, source,
		    decimal(v, planned), same ? "%u" : "%u %u %u %u", ids[0], ids[1], ids[2],
		    ids[3]);
	else
		say(&v->list, VERDICT_UNKNOWN, what, source, NULL,
		    "%u, the caller's: the report has none", ids[0]);
}

static void caps(struct verify *v, const char *source, const struct proc_status *st)
{
	const uint64_t keep = v->want.caps;

	if (!v->want.has_caps) {
		say(&v->list, VERDICT_UNKNOWN, "capabilities", source, "those of the caller",
		    "%#llx", (unsigned long long)st->permitted);
		return;
	}
	say(&v->list, st->permitted == keep && st->effective == keep ? VERDICT_OK : VERDICT_DIFFERS,
	    "capabilities", source, hex(v, keep), "permitted %#llx, effective %#llx",
	    (unsigned long long)st->permitted, (unsigned long long)st->effective);
	say(&v->list, ((st->inheritable | st->ambient) & ~keep) == 0 ? VERDICT_OK : VERDICT_DIFFERS,
	    "  passed on", source, arena_printf(v->ctl->mem, "none but %#llx",
						(unsigned long long)keep),
	    "inheritable %#llx, ambient %#llx", (unsigned long long)st->inheritable,
	    (unsigned long long)st->ambient);
	/* a launcher without CAP_SETPCAP cannot lower it, and no_new_privs makes it harmless */
	if ((st->bounding & ~keep) == 0)
		say(&v->list, VERDICT_OK, "  bounding set", source, hex(v, keep), "%#llx",
		    (unsigned long long)st->bounding);
	else
		say(&v->list, st->no_new_privs ? VERDICT_UNKNOWN : VERDICT_DIFFERS,
		    "  bounding set", source, hex(v, keep), "%#llx%s",
		    (unsigned long long)st->bounding,
		    st->no_new_privs ? ", as of a launcher without CAP_SETPCAP" : "");
}

static void filters(struct verify *v, const char *source, const struct proc_status *st)
{
	const unsigned want = v->want.filters;

	say(&v->list, st->no_new_privs >= v->want.no_new_privs ? VERDICT_OK : VERDICT_DIFFERS,
	    "no_new_privs", source, v->want.no_new_privs ? "on" : "off", "%s",
	    st->no_new_privs ? "on" : "off");
	if (want == 0 && st->seccomp == 0)
		say(&v->list, VERDICT_OK, "filters", source, "none", "none");
	else if (st->seccomp != 2)
		say(&v->list, VERDICT_DIFFERS, "filters", source, decimal(v, want),
		    "none: seccomp mode %u", st->seccomp);
	else if (st->filters == 0)
		say(&v->list, VERDICT_UNKNOWN, "filters", source, decimal(v, want),
		    "some: this kernel does not count them");
	else
		say(&v->list, st->filters >= want ? VERDICT_OK : VERDICT_DIFFERS, "filters",
		    source, arena_printf(v->ctl->mem, "%u, and those of the caller", want), "%u",
		    st->filters);
	say(&v->list, VERDICT_UNKNOWN, "filter's content", "the report", v->want.profile,
	    "cannot be read from outside");
	say(&v->list, VERDICT_UNKNOWN, "domain", "the report",
	    v->want.landlock ? "Landlock" : "none", "cannot be read from outside");
}

static int read_status(pid_t tid, struct proc_status *ret)
{
	AUTO_FD fd = status_open_of(tid);

	return fd < 0 ? -1 : status_read(fd, ret);
}

static bool same_status(const struct proc_status *a, const struct proc_status *b)
{
	return memcmp(a->uid, b->uid, sizeof(a->uid)) == 0 &&
	       memcmp(a->gid, b->gid, sizeof(a->gid)) == 0 && a->permitted == b->permitted &&
	       a->effective == b->effective && a->bounding == b->bounding &&
	       a->seccomp == b->seccomp && a->filters == b->filters &&
	       a->no_new_privs == b->no_new_privs;
}

/* vhost workers are made by the kernel, with what the thread had that made them. */
static void threads_alike(struct verify *v, const struct proc_status *main_thread)
{
	const struct running *r = &v->running;
	const char *source = arena_printf(v->ctl->mem, "%s/task/*/status", r->proc);
	unsigned unread = 0;

	for (unsigned i = 0; i < r->n_threads; i++) {
		struct proc_status st;

		if (read_status(r->threads[i].tid, &st) != 0) {
			unread++;
		} else if (!same_status(&st, main_thread)) {
			say(&v->list, VERDICT_DIFFERS, "threads", source, "as the main thread",
			    "thread %d '%s' has other ids, capabilities or filters",
			    r->threads[i].tid, r->threads[i].comm);
			return;
		}
	}
	say(&v->list, unread > 0 ? VERDICT_UNKNOWN : VERDICT_OK, "threads", source,
	    "as the main thread", unread > 0 ? "%u could not be read" : "%u, all alike",
	    unread > 0 ? unread : r->n_threads);
}

/* --- cgroups ---------------------------------------------------------------------------------- */

static bool has_line(const char *text, pid_t tid)
{
	for (const char *at = text; *at;) {
		char *end;

		if (strtol(at, &end, 10) == tid && *end == '\n')
			return true;
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	return false;
}

/* cgroup.threads of v2, tasks of v1: what the kernel has in it, threads of its own too. */
static const char *members(struct verify *v, const char *path, const char **ret_source)
{
	char *text = arena_get(v->ctl->mem, TASKS_TEXT_MAX);

	*ret_source = arena_printf(v->ctl->mem, "%s/cgroup.threads", path);
	if (readfile_kernel(*ret_source, text, TASKS_TEXT_MAX) == 0)
		return text;
	*ret_source = arena_printf(v->ctl->mem, "%s/tasks", path);
	return readfile_kernel(*ret_source, text, TASKS_TEXT_MAX) == 0 ? text : NULL;
}

/* Where a task is instead, for the message: in v2, or in the first of its hierarchies. */
static const char *cgroup_of(struct verify *v, pid_t tid)
{
	char text[4096], *unified;

	if (readfile_kernel_once(arena_printf(v->ctl->mem, "/proc/%d/cgroup", tid), text,
				 sizeof(text)) != 0)
		return "?";
	unified = strncmp(text, "0::", 3) == 0 ? text : strstr(text, "\n0::");
	unified = unified ? unified + (*unified == '\n') : text;
	unified[strcspn(unified, "\n")] = '\0';
	return arena_str(v->ctl->mem, unified);
}

static void in_cgroup(struct verify *v, const char *path, const char *what,
		      const struct task *tasks, unsigned n)
{
	const char *source, *text = members(v, path, &source);
	unsigned out = 0;

	if (!text) {
		say(&v->list, VERDICT_UNKNOWN, what, source, path, "cannot be read");
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		if (has_line(text, tasks[i].tid))
			continue;
		out++;
		say(&v->list, VERDICT_DIFFERS, what, source, path, "%d '%s' is in %s", tasks[i].tid,
		    tasks[i].comm, cgroup_of(v, tasks[i].tid));
	}
	if (out == 0)
		say(&v->list, VERDICT_OK, what, source, path, "%u, all in it", n);
}

/* --- vhost workers ---------------------------------------------------------------------------- */

/* One for each vhost descriptor of a TAP or macvtap, and one for vsock; vDPA has none. */
static void workers(struct verify *v)
{
	const struct running *r = &v->running;
	const char *source = arena_printf(v->ctl->mem, "/proc/*/comm and %s/task/*/comm", r->proc);
	unsigned want = v->want.vsock;

	for (unsigned i = 0; i < v->want.n_nics; i++)
		want += v->want.nics[i].n_vhostfds;
	if (r->n_workers < want && r->kernel_hidden)
		say(&v->list, VERDICT_UNKNOWN, "vhost workers", source, decimal(v, want),
		    "%u; tasks of the kernel are not seen from here", r->n_workers);
	else
		say(&v->list, r->n_workers == want ? VERDICT_OK : VERDICT_DIFFERS, "vhost workers",
		    source, decimal(v, want), "%u", r->n_workers);
}

void verify_confinement(struct verify *v)
{
	const struct running *r = &v->running;
	const char *source = arena_printf(v->ctl->mem, "%s/status", r->proc);
	struct proc_status st;

	workers(v);
	for (unsigned i = 0; i < v->want.n_cgroups; i++) {
		in_cgroup(v, v->want.cgroups[i], "threads' cgroup", r->threads, r->n_threads);
		if (r->n_workers > 0)
			in_cgroup(v, v->want.cgroups[i], "workers' cgroup", r->workers,
				  r->n_workers);
	}
	if (read_status(r->pid, &st) != 0) {
		say(&v->list, VERDICT_UNKNOWN, "ids, capabilities", source, NULL, "cannot be read");
		return;
	}
	same_ids(v, "uid", source, st.uid, v->want.uid);
	same_ids(v, "gid", source, st.gid, v->want.gid);
	if (v->want.has_ids)
		say(&v->list, st.n_groups == v->want.n_groups ? VERDICT_OK : VERDICT_DIFFERS,
		    "groups", source, decimal(v, v->want.n_groups), "%u", st.n_groups);
	caps(v, source, &st);
	filters(v, source, &st);
	threads_alike(v, &st);
}
