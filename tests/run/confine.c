/*
 * confine.c - start a program the way the launcher starts QEMU: one exec and no other
 *
 *   confine [--none] [--nofile N] [--action A] [--allow G,...] [--bpf FILE] [--tap NAME:QUEUES]
 *           PROGRAM [ARG]...
 *
 * Opens PROGRAM with O_PATH at number N, sets RLIMIT_NOFILE to N, sets no_new_privs, loads the
 * filter and execs the descriptor. --none execs by path with nothing set: the control.
 * --tap opens the queues of a multi_queue TAP as descriptors 10, 11, ...
 * Exit 99 when a step of ours fails.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "seccomp/filter.h"
#include "seccomp/emptypath.h"

struct options {
	bool none;
	unsigned nofile;
	enum filter_action action;
	unsigned groups;
	const char *bpf;
};

static void die(const char *what)
{
	(void)fprintf(stderr, "confine: %s: %s\n", what, strerror(errno));
	exit(99);
}

static unsigned groups_of(char *list)
{
	unsigned ret = 0;

	for (char *w = strtok(list, ","); w != NULL; w = strtok(NULL, ",")) {
		const int group = filter_group_find(w);

		if (group < 0)
			die(w);
		ret |= FILTER_GROUP_BIT((unsigned)group);
	}
	return ret;
}

#define TAP_FIRST	10

static void open_tap(char *name_and_queues)
{
	char *colon = strchr(name_and_queues, ':');
	const int queues = colon != NULL ? atoi(colon + 1) : 1;
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI | IFF_MULTI_QUEUE | IFF_VNET_HDR };

	if (colon != NULL)
		*colon = '\0';
	(void)snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name_and_queues);
	for (int i = 0; i < queues; i++) {
		const int fd = open("/dev/net/tun", O_RDWR);

		if (fd < 0 || ioctl(fd, TUNSETIFF, &ifr) != 0 || dup2(fd, TAP_FIRST + i) < 0)
			die(name_and_queues);
		(void)close(fd);
	}
}

static void read_options(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = {
		{ "none", no_argument, NULL, 'x' },	{ "nofile", required_argument, NULL, 'n' },
		{ "action", required_argument, NULL, 'a' }, { "allow", required_argument, NULL, 'g' },
		{ "bpf", required_argument, NULL, 'b' },	{ "tap", required_argument, NULL, 't' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "+", longs, NULL)) != -1) {
		switch (c) {
		case 'x': o->none = true; break;
		case 'n': o->nofile = (unsigned)strtoul(optarg, NULL, 10); break;
		case 'a': o->action = (enum filter_action)filter_action_find(optarg); break;
		case 'g': o->groups = groups_of(optarg); break;
		case 'b': o->bpf = optarg; break;
		case 't': open_tap(optarg); break;
		default: exit(99);
		}
	}
	if (optind >= argc || o->action >= FILTER_ACTION__COUNT)
		die("usage");
}

static size_t read_program(const char *path, struct sock_filter *ret)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, ret, BPF_MAXINSNS * sizeof(*ret));

	if (n < 0)
		die(path);
	(void)close(fd);
	return (size_t)n / sizeof(*ret);
}

static size_t make_program(const struct options *o, const struct filter_exec *exec,
			   struct sock_filter *ret)
{
	enum interp_fault fault;
	size_t len, at;

	if (o->bpf == NULL)
		return (size_t)filter_get(o->action, o->groups, exec, ret, BPF_MAXINSNS);
	len = read_program(o->bpf, ret);
	filter_set_exec(ret, len, exec);
	fault = filter_check(ret, len, exec, &at);
	if (fault != INTERP_OK) {
		(void)fprintf(stderr, "confine: %s: %s\n", o->bpf, interp_fault_text(fault));
		exit(99);
	}
	return len;
}

/* The descriptor is moved while the limit still allows the number. */
static void place(const char *program, unsigned nofile)
{
	struct rlimit limit = { nofile + 1, nofile + 1 };
	const int fd = open(program, O_PATH | O_CLOEXEC);

	if (fd < 0)
		die(program);
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || dup3(fd, (int)nofile, O_CLOEXEC) < 0)
		die("place");
	(void)close(fd);
	limit = (struct rlimit){ nofile, nofile };
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
		die("setrlimit");
}

int main(int argc, char **argv)
{
	static struct sock_filter prog[BPF_MAXINSNS];
	struct options o = { .nofile = 4096 };
	const char *path;
	size_t len;

	read_options(argc, argv, &o);
	argv += optind;
	if (o.none) {
		(void)execv(argv[0], argv);
		die(argv[0]);
	}
	path = emptypath_map();
	if (path == NULL)
		die("emptypath");
	len = make_program(&o, &(struct filter_exec){ o.nofile, (uintptr_t)path, (uint32_t)getpid() }, prog);
	place(argv[0], o.nofile);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || filter_load(prog, len, o.action == FILTER_LOG) != 0)
		die("filter");
	(void)syscall(__NR_execveat, o.nofile, path, argv, environ, AT_EMPTY_PATH);
	die(argv[0]);
}
