/*
 * verify_load.c - what carries the frames: CPU of the main thread and of each vhost worker, and the
 * frames of each link, in a time
 *
 * The link's counters are those of QEMU's network (/proc/PID/net/dev). What a TAP sends is what the
 * guest receives: frames that it drops are those for which the guest had no room.
 */
#include "config.h"

#include "ctl/parts.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sys/readfile.h"

enum {
	NET_DEV_MAX = 1024 * 1024,	/* bytes; a link takes about 130 */
	FRAMES_MIN = 1000,		/* fewer say nothing of who carries them */
	BUSY = 10,			/* per cent of a CPU */
};

struct frames {
	bool known;
	unsigned long long rx, tx, rx_dropped, tx_dropped;
};

struct sample {
	unsigned long long main_ticks, *workers;
	struct frames *links;
	struct timespec at;
};

/* "NAME: bytes packets errs drop fifo frame compressed multicast" and the same of transmission */
static struct frames read_frames(const char *text, const char *name)
{
	struct frames ret = { 0 };
	const size_t len = strlen(name);

	for (const char *at = text; at && *at; at = strchr(at, '\n')) {
		at += strspn(at, " \n");
		if (strncmp(at, name, len) != 0 || at[len] != ':')
			continue;
		ret.known = sscanf(at + len + 1,
				   "%*s %llu %*s %llu %*s %*s %*s %*s %*s %llu %*s %llu", &ret.rx,
				   &ret.rx_dropped, &ret.tx, &ret.tx_dropped) == 4;
		break;
	}
	return ret;
}

static struct sample take(struct verify *v)
{
	struct arena *mem = v->ctl->mem;
	const struct running *r = &v->running;
	char *text = arena_get(mem, NET_DEV_MAX);
	struct sample ret = { 0 };
	struct task_stat stat;

	(void)clock_gettime(CLOCK_MONOTONIC, &ret.at);
	ret.workers = arena_array(mem, r->n_workers + 1, sizeof(*ret.workers));
	ret.links = arena_array(mem, v->want.n_nics + 1, sizeof(*ret.links));
	/* of the thread: the file of the process has the sum of all threads */
	for (unsigned i = 0; i < r->n_workers; i++)
		if ((r->workers[i].kernel
			     ? task_stat_read(mem, r->workers[i].tid, &stat)
			     : task_stat_read_of(mem, r->pid, r->workers[i].tid, &stat)) == 0)
			ret.workers[i] = stat.ticks;
	if (task_stat_read_of(mem, r->pid, r->pid, &stat) == 0)
		ret.main_ticks = stat.ticks;
	if (readfile_kernel(arena_printf(mem, "%s/net/dev", r->proc), text, NET_DEV_MAX) == 0)
		for (unsigned i = 0; i < v->want.n_nics; i++)
			if (v->want.nics[i].link)
				ret.links[i] = read_frames(text, v->want.nics[i].link);
	return ret;
}

static unsigned share(unsigned long long before, unsigned long long after, double seconds)
{
	const double ticks = after > before ? (double)(after - before) : 0;

	return (unsigned)(ticks * 100 / (double)sysconf(_SC_CLK_TCK) / seconds + 0.5);
}

static unsigned long long link_load(struct verify *v, const struct want_nic *nic,
				    const struct frames *a, const struct frames *b)
{
	const char *source = arena_printf(v->ctl->mem, "%s/net/dev", v->running.proc);
	const unsigned long long frames = b->rx - a->rx + b->tx - a->tx;
	const unsigned long long dropped = b->rx_dropped - a->rx_dropped + b->tx_dropped -
					   a->tx_dropped;

	if (!a->known || !b->known) {
		say(&v->list, VERDICT_UNKNOWN, "frames", source, NULL, "there is no %s", nic->link);
		return 0;
	}
	say(&v->list, dropped == 0 ? VERDICT_OK : VERDICT_DIFFERS, "frames", source, "none dropped",
	    "%s: %llu to the guest, %llu from it, %llu dropped", nic->link, b->tx - a->tx,
	    b->rx - a->rx, dropped);
	return frames;
}

void verify_load(struct verify *v, unsigned seconds)
{
	const struct running *r = &v->running;
	const char *source = arena_printf(v->ctl->mem, "%s/task/*/stat", r->proc);
	const struct sample a = take(v);
	unsigned long long frames = 0;
	unsigned of_main, of_workers = 0;
	struct timespec left = { .tv_sec = (time_t)seconds };
	struct sample b;
	double time;

	while (nanosleep(&left, &left) != 0)
		continue;
	b = take(v);
	time = (double)(b.at.tv_sec - a.at.tv_sec) +
	       (double)(b.at.tv_nsec - a.at.tv_nsec) / 1000000000;
	for (unsigned i = 0; i < v->want.n_nics; i++)
		if (v->want.nics[i].link)
			frames += link_load(v, &v->want.nics[i], &a.links[i], &b.links[i]);
	for (unsigned i = 0; i < r->n_workers; i++) {
		const unsigned busy = share(a.workers[i], b.workers[i], time);

		of_workers += busy;
		say(&v->list, VERDICT_OK, "load of a worker", source, NULL, "%d: %u %% of a CPU",
		    r->workers[i].tid, busy);
	}
	of_main = share(a.main_ticks, b.main_ticks, time);
	if (frames < FRAMES_MIN)
		say(&v->list, VERDICT_OK, "load of main thread", source, NULL,
		    "%u %% of a CPU; too few frames to say who carries them", of_main);
	else if (of_main < BUSY || of_main < of_workers)
		say(&v->list, VERDICT_OK, "load of main thread", source, NULL,
		    "%u %% of a CPU: the workers carry the frames", of_main);
	else
		say(&v->list, r->n_workers > 0 ? VERDICT_DIFFERS : VERDICT_OK,
		    "load of main thread", source, r->n_workers > 0 ? "the workers" : "no vhost",
		    "%u %% of a CPU: the main loop carries the frames", of_main);
}
