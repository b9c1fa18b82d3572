/*
 * running.c - a process as /proc shows it
 *
 * A vhost worker is named after the thread that took the device, which is QEMU's main thread: it is
 * a thread of QEMU from Linux 6.4 on (kernel/vhost_task.c), and a task of the kernel's before that
 * (drivers/vhost/vhost.c, vhost_dev_set_owner()).
 */
#include "config.h"

#include "ctl/running.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sys/readfile.h"

enum { CMDLINE_MAX = 4 * 1024 * 1024 }; /* bytes; the kernel takes arguments of 2 MiB */

static int read_stat(const char *path, struct task_stat *ret)
{
	char text[1024] = "";
	const int err = readfile_kernel_once(path, text, sizeof(text));
	const char *open = strchr(text, '('), *close = strrchr(text, ')');
	unsigned long long user, system;

	*ret = (struct task_stat){ 0 };
	if (err)
		return err;
	if (!open || !close || close < open ||
	    sscanf(close + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu %*s %*s %*s "
			      "%*s %*s %*s %llu", &ret->state, &user, &system, &ret->start) != 4)
		return EPROTO;
	ret->ticks = user + system;
	(void)snprintf(ret->comm, sizeof(ret->comm), "%.*s", (int)(close - open - 1), open + 1);
	return 0;
}

int task_stat_read(struct arena *mem, pid_t tid, struct task_stat *ret)
{
	return read_stat(arena_printf(mem, "/proc/%d/stat", tid), ret);
}

int task_stat_read_of(struct arena *mem, pid_t pid, pid_t tid, struct task_stat *ret)
{
	return read_stat(arena_printf(mem, "/proc/%d/task/%d/stat", pid, tid), ret);
}

static int gone(struct ctl *ctl, pid_t pid, const char *how)
{
	return diag_add(ctl->ds, DIAG_PROCESS_GONE, 0, NULL,
			arena_printf(ctl->mem, "/proc/%d", pid), "%s", how);
}

static DIR *open_dir(const char *path)
{
	const int fd = readfile_kernel_dir(path);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !dir)
		(void)close(fd);
	return dir;
}

/* Tasks of a directory of /proc; only: those of that name and no other, NULL: all of them. */
static unsigned list_tasks(struct arena *mem, const char *path, const char *only, bool kernel,
			   struct task *ret, unsigned n)
{
	DIR *dir = open_dir(path);

	if (!dir)
		return n;
	for (const struct dirent *e = readdir(dir); e && n < THREADS_MAX; e = readdir(dir)) {
		struct task task = { .tid = (pid_t)strtol(e->d_name, NULL, 10), .kernel = kernel };

		if (task.tid <= 0 ||
		    readfile_kernel_once(arena_printf(mem, "/proc/%d/comm", task.tid), task.comm,
					 sizeof(task.comm)) != 0)
			continue;
		task.comm[strcspn(task.comm, "\n")] = '\0';
		if (!only || strcmp(task.comm, only) == 0)
			ret[n++] = task;
	}
	(void)closedir(dir);
	return n;
}

/* A task of the kernel's has no command line; a process can take any name. */
static unsigned only_kernel(struct arena *mem, struct task *list, unsigned from, unsigned n)
{
	unsigned kept = from;
	char exe[8];

	for (unsigned i = from; i < n; i++)
		if (readlink(arena_printf(mem, "/proc/%d/exe", list[i].tid), exe,
			     sizeof(exe)) < 0 && errno == ENOENT)
			list[kept++] = list[i];
	return kept;
}

static void read_tasks(struct ctl *ctl, struct running *r)
{
	const char *name = arena_printf(ctl->mem, "vhost-%d", r->pid);
	const char *path = arena_printf(ctl->mem, "%s/task", r->proc);
	struct task *threads = arena_array(ctl->mem, THREADS_MAX, sizeof(*threads));
	struct task *workers = arena_array(ctl->mem, THREADS_MAX, sizeof(*workers));
	struct task_stat kthreadd;
	unsigned n;

	r->n_threads = list_tasks(ctl->mem, path, NULL, false, threads, 0);
	n = list_tasks(ctl->mem, path, name, false, workers, 0);
	r->n_workers = only_kernel(ctl->mem, workers, n,
				   list_tasks(ctl->mem, "/proc", name, true, workers, n));
	r->threads = threads;
	r->workers = workers;
	r->kernel_hidden = task_stat_read(ctl->mem, 2, &kthreadd) != 0 ||
			   strcmp(kthreadd.comm, "kthreadd") != 0;
}

/* readfile's text ends with a NUL of its own after those of the file. */
static int read_cmdline(struct ctl *ctl, struct running *r)
{
	char *bytes = arena_get(ctl->mem, CMDLINE_MAX);
	const char *path = arena_printf(ctl->mem, "%s/cmdline", r->proc);
	const int err = readfile_kernel(path, bytes, CMDLINE_MAX);
	unsigned n = 0, size = CMDLINE_MAX - 1;

	if (err)
		return diag_add(ctl->ds, DIAG_PROCESS_GONE, err, NULL, path,
				"the command line cannot be read");
	while (size > 0 && bytes[size - 1] == '\0')
		size--;
	for (unsigned at = 0; at < size; at += (unsigned)strlen(bytes + at) + 1)
		n++;
	r->argv = arena_array(ctl->mem, n + 1, sizeof(*r->argv));
	for (unsigned at = 0; at < size; at += (unsigned)strlen(bytes + at) + 1)
		r->argv[r->argc++] = bytes + at;
	return 0;
}

/* /proc has a directory for each thread too, though it lists none of them. */
static bool is_thread(struct ctl *ctl, const char *proc)
{
	static const char key[] = "\nTgid:\t";
	char text[4096];
	const char *at;

	if (readfile_kernel_once(arena_printf(ctl->mem, "%s/status", proc), text,
				 sizeof(text)) != 0)
		return false;
	at = strstr(text, key);
	return at && strtol(at + strlen(key), NULL, 10) !=
			     strtol(proc + strlen("/proc/"), NULL, 10);
}

int running_read(struct ctl *ctl, pid_t pid, struct running *ret)
{
	const char *proc = arena_printf(ctl->mem, "/proc/%d", pid);
	struct task_stat stat;
	int err;

	*ret = (struct running){ .pid = pid, .proc = proc };
	err = task_stat_read(ctl->mem, pid, &stat);
	if (err == ENOENT || err == ESRCH)
		return gone(ctl, pid, "there is no such process");
	if (err)
		return diag_add(ctl->ds, DIAG_PROCESS_GONE, err, NULL, proc,
				"the process cannot be looked at");
	if (stat.state == 'Z' || stat.state == 'X')
		return gone(ctl, pid, "the process has ended");
	ret->start = stat.start;
	if (read_cmdline(ctl, ret) < 0)
		return -1;
	read_tasks(ctl, ret);
	if (ret->n_threads == 0)
		return gone(ctl, pid, "the process has ended");
	return is_thread(ctl, proc) ? gone(ctl, pid, "this is a thread, not a process") : 0;
}

int running_still(struct ctl *ctl, const struct running *r)
{
	struct task_stat stat;
	const int err = task_stat_read(ctl->mem, r->pid, &stat);

	if (err || stat.state == 'Z' || stat.state == 'X')
		return gone(ctl, r->pid, "the process ended while it was looked at");
	return stat.start == r->start
		       ? 0
		       : gone(ctl, r->pid, "the process ended, and another has its number now");
}
