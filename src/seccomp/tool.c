/*
 * tool.c - qemu-handoff-seccomp: from policies to programs, and from programs to text
 *
 * The launcher loads programs and knows nothing of policies. This tool makes programs beforehand
 * and links libseccomp, which the launcher does not. A program is written only after it was
 * compared with its policy and was found to let the launcher start QEMU.
 *
 * Does:   read one input, write one output or print it; needs no privilege. An output file is
 *         replaced as a whole, so a launch reads the old program or the new one.
 * Never:  loads a filter, or changes a file that is not a regular file.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "seccomp/assemble.h"
#include "seccomp/calls.h"
#include "seccomp/dump.h"
#include "seccomp/filter.h"
#include "seccomp/text.h"
#include "seccomp/verdict.h"
#include "sys/fd.h"
#include "sys/newfile.h"
#include "sys/writeout.h"

#define EXIT_INPUT	100		/* usage, policy or program */
#define EXIT_WRITE	111
#define POLICY_SIZE_MAX	(256U * 1024)	/* bytes; a line for every call takes 12 KiB */
#define PROGRAM_SIZE	(BPF_MAXINSNS * sizeof(struct sock_filter))

struct options {
	const char *output, *input;	/* NULL: standard output; none given */
	bool dump, profile;
	enum filter_action action;
	unsigned groups;
};

struct program {
	struct sock_filter insn[BPF_MAXINSNS];
	size_t len;
};

/* All that a run works on: too much for a stack, allocated once and never freed. */
struct work {
	struct options options;
	struct calls calls;
	struct program program;
	struct text_policy policy;
	char policy_text[POLICY_SIZE_MAX + 1];
	char program_bytes[PROGRAM_SIZE + 1];
};

static const char usage_text[] =
	"usage: qemu-handoff-seccomp [-o FILE] POLICY\n"
	"       qemu-handoff-seccomp [-o FILE] --profile qemu [--allow GROUP,...] "
	"[--action ACTION]\n"
	"       qemu-handoff-seccomp --dump PROGRAM\n"
	"       qemu-handoff-seccomp --dump --profile qemu [--allow GROUP,...] [--action ACTION]\n";

/* One line on stderr. Control bytes, which names from outside may have, are shown as \\xNN. */
__attribute__((format(printf, 2, 0)))
static void say(const char *severity, const char *fmt, va_list ap)
{
	char text[512], line[2048];
	struct str shown = STR_ON(line);

	(void)vsnprintf(text, sizeof(text), fmt, ap);
	str_put_line(&shown, text);
	(void)fprintf(stderr, "qemu-handoff-seccomp: %s: %s\n", severity, line);
}

__attribute__((format(printf, 2, 3)))
static int complain(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("error", fmt, ap);
	va_end(ap);
	return status;
}

__attribute__((format(printf, 1, 2)))
static void warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("warning", fmt, ap);
	va_end(ap);
}

static const char *shown(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* --- input ------------------------------------------------------------------------------------ */

/* All of it, at most `size` bytes. The length, or -1 after a message. */
static ssize_t read_all(const char *path, char *ret, size_t size)
{
	const int fd = strcmp(path, "-") == 0 ? STDIN_FILENO
					      : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	size_t n = 0;
	ssize_t got;

	if (fd < 0) {
		(void)complain(0, "%s: open: %s", path, strerror(errno));
		return -1;
	}
	do {
		got = read(fd, ret + n, size - n);
		n += got > 0 ? (size_t)got : 0;
	} while (got > 0 && n < size);
	if (got < 0)
		(void)complain(0, "%s: read: %s", shown(path), strerror(errno));
	if (fd != STDIN_FILENO)
		(void)close(fd);
	return got < 0 ? -1 : (ssize_t)n;
}

static int complain_program(const char *path, enum interp_fault fault, size_t at)
{
	switch (fault) {
	case INTERP_OPCODE:
	case INTERP_OPERAND:
	case INTERP_JUMP:
	case INTERP_UNSET:
		return complain(EXIT_INPUT, "%s: instruction %zu %s", path, at,
				interp_fault_text(fault));
	case INTERP_EXEC:
		return complain(EXIT_INPUT, "%s: the program %s (try: allow execveat if "
				"arg0 == EXEC_FD and arg1 == EXEC_PATH and arg4 == 0x1000)", path,
				interp_fault_text(fault));
	case INTERP_OK:
	case INTERP_EMPTY:
	case INTERP_LONG:
	case INTERP_NO_RET:
	case INTERP_FAULT__COUNT:
		break;
	}
	return complain(EXIT_INPUT, "%s: the program %s", path, interp_fault_text(fault));
}

/* Would the launcher take this program? A policy may forbid the exec. */
static int check_exec(const char *path, const struct program *p)
{
	const struct filter_exec any = FILTER_MARK_EXEC;
	size_t at;
	const enum interp_fault fault = filter_check(p->insn, p->len, &any, &at);

	return fault == INTERP_OK ? 0 : complain_program(path, fault, at);
}

static int program_from_file(const char *path, struct work *w)
{
	struct program *p = &w->program;
	const ssize_t n = read_all(path, w->program_bytes, sizeof(w->program_bytes));
	enum interp_fault fault;
	size_t at;

	if (n < 0)
		return EXIT_INPUT;
	if ((size_t)n % sizeof(p->insn[0]) != 0 || (size_t)n > PROGRAM_SIZE)
		return complain(EXIT_INPUT, "%s: %s%zd bytes, but a program has 1 to %d "
				"instructions of 8 bytes", shown(path),
				(size_t)n > PROGRAM_SIZE ? "at least " : "", n, BPF_MAXINSNS);
	memcpy(p->insn, w->program_bytes, (size_t)n);
	p->len = (size_t)n / sizeof(p->insn[0]);
	fault = interp_check(p->insn, p->len, &at);
	return fault == INTERP_OK ? 0 : complain_program(shown(path), fault, at);
}

static int assemble_policy(const char *path, struct work *w)
{
	const struct text_policy *policy = &w->policy;
	struct program *p = &w->program;
	const int len = assemble(policy->rules, policy->n, policy->fallback, p->insn, BPF_MAXINSNS);
	int nr;

	if (len == -E2BIG)
		return complain(EXIT_INPUT, "%s: the program has more than %d instructions", path,
				BPF_MAXINSNS);
	if (len == -EOVERFLOW)
		return complain(EXIT_INPUT, "%s: more than %d different answers after 'else'", path,
				ASSEMBLE_PARTS_MAX - 1);
	if (len < 0)
		return complain(EXIT_INPUT, "%s: libseccomp: %s", path, strerror(-len));
	p->len = (size_t)len;
	nr = assemble_verify(policy->rules, policy->n, policy->fallback, p->insn, p->len);
	if (nr >= 0)
		return complain(EXIT_INPUT, "%s: libseccomp compiled the tests of '%s' wrongly",
				path, w->calls.name[nr]);
	return check_exec(path, p);
}

static int program_from_policy(const char *path, struct work *w)
{
	struct faults errors = { 0 }, warnings = { 0 };
	const ssize_t n = read_all(path, w->policy_text, sizeof(w->policy_text));

	if (n < 0)
		return EXIT_INPUT;
	if ((size_t)n > POLICY_SIZE_MAX)
		return complain(EXIT_INPUT, "%s: more than %u bytes", shown(path), POLICY_SIZE_MAX);
	w->policy_text[n] = '\0';
	text_parse(w->policy_text, (size_t)n, &w->calls, &w->policy, &errors, &warnings);
	for (size_t i = 0; i < warnings.n; i++)
		warn("%s:%u:%u: %s", shown(path), warnings.list[i].line, warnings.list[i].column,
		     warnings.list[i].text);
	for (size_t i = 0; i < errors.n; i++)
		(void)complain(0, "%s:%u:%u: %s", shown(path), errors.list[i].line,
			       errors.list[i].column, errors.list[i].text);
	return errors.n > 0 ? EXIT_INPUT : assemble_policy(shown(path), w);
}

static int make_program(struct work *w)
{
	const struct filter_exec later = FILTER_MARK_EXEC;
	const struct options *o = &w->options;

	if (!o->profile)
		return o->dump ? program_from_file(o->input, w) : program_from_policy(o->input, w);
	w->program.len = (size_t)filter_get(o->action, o->groups, &later, w->program.insn,
					    BPF_MAXINSNS);
	return 0;
}

/* --- output ----------------------------------------------------------------------------------- */

static int write_stdout(const struct program *p)
{
	int err;

	if (isatty(STDOUT_FILENO))
		return complain(EXIT_INPUT, "standard output is a terminal (try: -o FILE)");
	err = writeout_bytes(STDOUT_FILENO, p->insn, p->len * sizeof(p->insn[0]), WRITEOUT_PATIENT);
	return err ? complain(EXIT_WRITE, "standard output: write: %s", strerror(err)) : 0;
}

/* Only a regular file is replaced: a rename would make one of /dev/null, or of /dev/stdout. */
static int write_file(const char *path, const struct program *p)
{
	const struct newfile_content content = {
		.data = p->insn, .len = p->len * sizeof(p->insn[0]), .mode = 0644, .durable = true
	};
	struct newfile at;
	int fd = -1, err = newfile_open(path, &at);

	if (err == 0)
		err = newfile_write(&at, &content, &fd);
	newfile_close(&at);
	fd_close(&fd);
	switch (err) {
	case 0:		return 0;
	case ELOOP:	return complain(EXIT_INPUT, "%s: a symbolic link", path);
	case EISDIR:
	case EEXIST:	return complain(EXIT_INPUT, "%s: not a regular file", path);
	default:	return complain(EXIT_WRITE, "%s: %s: %s", path, at.step, strerror(err));
	}
}

static int write_dump(const struct program *p, const struct calls *calls)
{
	dump(p->insn, p->len, calls, stdout);
	if (fflush(stdout) != 0 || ferror(stdout))
		return complain(EXIT_WRITE, "standard output: write: %s", strerror(errno));
	return 0;
}

/* --- options ---------------------------------------------------------------------------------- */

static int usage(void)
{
	(void)fputs(usage_text, stderr);
	return EXIT_INPUT;
}

static int unknown_group(const char *name)
{
	char text[128];
	struct str names = STR_ON(text);

	verdict_groups(&names);
	return complain(EXIT_INPUT, "--allow: unknown group '%s' (try: %s)", name, text);
}

static int read_groups(const char *list, unsigned *ret)
{
	char word[32];

	while (*list != '\0') {
		const size_t n = strcspn(list, ",");
		int group;

		(void)snprintf(word, sizeof(word), "%.*s", (int)(n < 31 ? n : 31), list);
		group = filter_group_find(word);
		if (group < 0)
			return unknown_group(word);
		*ret |= FILTER_GROUP_BIT((unsigned)group);
		list += n + (list[n] == ',');
	}
	return 0;
}

static int read_action(const char *name, enum filter_action *ret)
{
	const int action = filter_action_find(name);

	if (action < 0)
		return complain(EXIT_INPUT, "--action: unknown action '%s' "
				"(try: errno, log, kill or trap)", name);
	*ret = (enum filter_action)action;
	return 0;
}

static int read_profile(const char *name, bool *ret)
{
	*ret = true;
	return strcmp(name, "qemu") == 0 ? 0
		: complain(EXIT_INPUT, "--profile: unknown profile '%s' (try: qemu)", name);
}

enum { OPT_DUMP = 256, OPT_PROFILE, OPT_ALLOW, OPT_ACTION, OPT_VERSION, OPT_HELP };

static int read_option(int c, struct options *o)
{
	switch (c) {
	case 'o':		o->output = optarg; return 0;
	case OPT_DUMP:		o->dump = true; return 0;
	case OPT_PROFILE:	return read_profile(optarg, &o->profile);
	case OPT_ALLOW:		return read_groups(optarg, &o->groups);
	case OPT_ACTION:	return read_action(optarg, &o->action);
	case OPT_VERSION:
		(void)puts("qemu-handoff-seccomp (" PACKAGE_STRING ")");
		return -1;
	case OPT_HELP:		(void)fputs(usage_text, stdout); return -1;
	default:		return usage();
	}
}

/* 0, an exit status, or -1 if all that was asked is done. */
static int read_options(int argc, char **argv, struct options *ret)
{
	static const struct option longs[] = {
		{ "output",	required_argument,	NULL, 'o' },
		{ "dump",	no_argument,		NULL, OPT_DUMP },
		{ "profile",	required_argument,	NULL, OPT_PROFILE },
		{ "allow",	required_argument,	NULL, OPT_ALLOW },
		{ "action",	required_argument,	NULL, OPT_ACTION },
		{ "version",	no_argument,		NULL, OPT_VERSION },
		{ "help",	no_argument,		NULL, OPT_HELP },
		{ NULL,		0,			NULL, 0 },
	};
	int c, status = 0;

	while (status == 0 && (c = getopt_long(argc, argv, "o:", longs, NULL)) != -1)
		status = read_option(c, ret);
	if (status != 0)
		return status;
	if (optind < argc)
		ret->input = argv[optind++];
	if (optind < argc || (ret->input != NULL) == ret->profile ||
	    (ret->dump && ret->output != NULL) ||
	    (!ret->profile && (ret->groups != 0 || ret->action != FILTER_ERRNO)))
		return usage();
	return 0;
}

static int run_tool(int argc, char **argv, struct work *w)
{
	const struct options *o = &w->options;
	int status;

	w->options.action = FILTER_ERRNO;
	status = read_options(argc, argv, &w->options);
	if (status != 0)
		return status < 0 ? 0 : status;
	calls_load(&w->calls);
	status = make_program(w);
	if (status != 0)
		return status;
	if (o->dump)
		return write_dump(&w->program, &w->calls);
	return o->output != NULL ? write_file(o->output, &w->program) : write_stdout(&w->program);
}

int main(int argc, char **argv)
{
	struct work *w = calloc(1, sizeof(*w));

	/* what cannot be written for RLIMIT_FSIZE is an error, with its message and its status */
	(void)signal(SIGXFSZ, SIG_IGN);
	/* exit(), not return: leak checkers still see `w` then. */
	exit(w != NULL ? run_tool(argc, argv, w) : complain(EXIT_WRITE, "out of memory"));
}
