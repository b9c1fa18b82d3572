/*
 * running.h - a process as /proc shows it
 *
 * Never: stops it, traces it, or opens what it has open.
 */
#ifndef QH_CTL_RUNNING_H
#define QH_CTL_RUNNING_H

#include <sys/types.h>

#include "ctl/ctl.h"

enum { THREADS_MAX = 4096 };

/* A line of /proc/PID/stat (fs/proc/array.c, do_task_stat()). */
struct task_stat {
	char comm[32];
	char state;
	unsigned long long ticks;	/* of CPU, user and system */
	unsigned long long start;	/* ticks after boot */
};

struct task {
	pid_t tid;
	bool kernel;			/* a task of the kernel's, beside the process */
	char comm[32];
};

struct running {
	pid_t pid;
	const char *proc;		/* "/proc/PID" */
	unsigned long long start;
	const char **argv;
	unsigned argc;
	const struct task *threads;	/* the first is the main thread */
	unsigned n_threads;
	const struct task *workers;	/* named vhost-PID, threads or tasks of the kernel's */
	unsigned n_workers;
	bool kernel_hidden;		/* tasks of the kernel's are not seen from here */
};

/* 0 or an errno. */
int task_stat_read(struct arena *mem, pid_t tid, struct task_stat *ret);
/* The same of one thread alone: the ticks above are those of all threads of a process. */
int task_stat_read_of(struct arena *mem, pid_t pid, pid_t tid, struct task_stat *ret);
/* 0, or -1 after a diag: no such process, ended, or a thread. */
int running_read(struct ctl *ctl, pid_t pid, struct running *ret);
/* Is it still the same process? 0, or -1 after a diag. */
int running_still(struct ctl *ctl, const struct running *r);

#endif
