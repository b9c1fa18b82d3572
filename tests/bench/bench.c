/*
 * bench.c - what starting a program costs
 *
 *	bench ROUNDS CASES
 *
 * CASES has one line for each case: NAME|STDIN|WORD WORD... Each round starts every case once, one after the
 * other, so that what disturbs the machine disturbs all; what is printed are medians, of the CPU time of the
 * process and its children (wait4) and of the time until it ended, and the ratio of CPU time to the first case.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CASES_MAX = 64, WORDS_MAX = 64 };

struct one {
	char line[4096];
	const char *name, *input;
	char *argv[WORDS_MAX + 1];
	double *cpu, *wall;		/* microseconds, one for each round */
};

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static void parse(struct one *c)
{
	char *save, *words;
	unsigned n = 0;

	c->line[strcspn(c->line, "\n")] = '\0';
	c->name = strtok_r(c->line, "|", &save);
	c->input = strtok_r(NULL, "|", &save);
	words = strtok_r(NULL, "", &save);
	for (char *w = words ? strtok_r(words, " ", &save) : NULL; w && n < WORDS_MAX; w = strtok_r(NULL, " ", &save))
		c->argv[n++] = w;
	if (n == 0) {
		(void)fprintf(stderr, "bench: not a case: %s\n", c->line);
		exit(2);
	}
}

static double microseconds(struct timeval t)
{
	return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

static void start(const struct one *c, unsigned round)
{
	extern char **environ;
	posix_spawn_file_actions_t actions;
	struct timespec from, to;
	struct rusage usage;
	int status;
	pid_t pid;

	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_addopen(&actions, 0, c->input, O_RDONLY, 0);
	(void)posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	(void)posix_spawn_file_actions_addclosefrom_np(&actions, 3);
	(void)clock_gettime(CLOCK_MONOTONIC, &from);
	errno = posix_spawn(&pid, c->argv[0], &actions, NULL, c->argv, environ);
	if (errno != 0)
		die(c->argv[0]);
	if (wait4(pid, &status, 0, &usage) != pid)
		die("wait4");
	(void)clock_gettime(CLOCK_MONOTONIC, &to);
	(void)posix_spawn_file_actions_destroy(&actions);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		(void)fprintf(stderr, "bench: %s: status 0x%x\n", c->name, (unsigned)status);
		exit(1);
	}
	c->cpu[round] = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
	c->wall[round] = (double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) / 1e3;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *list, unsigned n)
{
	qsort(list, n, sizeof(*list), compare);
	return list[n / 2];
}

int main(int argc, char **argv)
{
	static struct one cases[CASES_MAX];
	const unsigned rounds = argc == 3 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
	FILE *file = rounds > 0 ? fopen(argv[2], "re") : NULL;
	double first = 0;
	unsigned n = 0;

	if (!file)
		die("usage: bench ROUNDS CASES");
	while (n < CASES_MAX && fgets(cases[n].line, sizeof(cases[n].line), file)) {
		parse(&cases[n]);
		cases[n].cpu = calloc(rounds, sizeof(double));
		cases[n].wall = calloc(rounds, sizeof(double));
		n++;
	}
	/* one round to fill the page cache */
	for (unsigned i = 0; i < n; i++)
		start(&cases[i], 0);
	for (unsigned r = 0; r < rounds; r++)
		for (unsigned i = 0; i < n; i++)
			start(&cases[i], r);
	(void)printf("%-44s %10s %10s %7s\n", "", "CPU us", "wall us", "ratio");
	for (unsigned i = 0; i < n; i++) {
		const double cpu = median(cases[i].cpu, rounds);

		first = i == 0 ? cpu : first;
		(void)printf("%-44s %10.0f %10.0f %7.2f\n", cases[i].name, cpu, median(cases[i].wall, rounds), cpu / first);
	}
	return 0;
}
