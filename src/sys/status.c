/*
 * status.c - /proc/self/status (fs/proc/array.c)
 */
#include "config.h"

#include "sys/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/bounds.h"
#include "sys/caps.h"

enum {
	STATUS_MAX = 1024 * 1024
}; /* 65,536 supplementary groups of up to 11 bytes are the kernel's most */

/* What a line of the file is, and where its value goes. */
enum line_kind { LINE_IDS, LINE_SET, LINE_NUMBER, LINE_WORDS };

static const struct line {
	const char *name;
	size_t len;
	enum line_kind kind;
	size_t member;
	bool optional; /* Linux 5.9 and later have it */
} lines[] = {
#define LINE(name, kind, member, optional) \
	{ name, sizeof(name) - 1, LINE_##kind, offsetof(struct proc_status, member), optional }
	LINE("Uid",			IDS,		uid,		false),
	LINE("Gid",			IDS,		gid,		false),
	LINE("Groups",			WORDS,		n_groups,	false),
	LINE("SigIgn",			SET,		ignored,		false),
	LINE("CapInh",			SET,		inheritable,	false),
	LINE("CapPrm",			SET,		permitted,	false),
	LINE("CapEff",			SET,		effective,	false),
	LINE("CapBnd",			SET,		bounding,	false),
	LINE("CapAmb",			SET,		ambient,		false),
	LINE("NoNewPrivs",	NUMBER,		no_new_privs,	false),
	LINE("Seccomp",			NUMBER,		seccomp,		false),
	LINE("Seccomp_filters",	NUMBER,		filters,		true),
};

/* The number at *at in base 10 or 16, which a blank or the end of the line follows. */
static uint64_t read_number(const char **at, unsigned base)
{
	const char *c = *at + strspn(*at, " \t");
	uint64_t ret = 0;

	for (;; c++) {
		const unsigned digit = *c >= '0' && *c <= '9'   ? (unsigned)(*c - '0')
				       : *c >= 'a' && *c <= 'f' ? (unsigned)(*c - 'a') + 10
								: base;

		if (digit >= base)
			break;
		ret = ret * base + digit;
	}
	*at = c;
	return ret;
}

static unsigned count_words(const char *at)
{
	unsigned n = 0;

	while (*at != '\n' && *at != '\0') {
		at += strspn(at, " \t");
		n += *at != '\n' && *at != '\0';
		at += strcspn(at, " \t\n");
	}
	return n;
}

static void read_line(const struct line *line, const char *at, struct proc_status *ret)
{
	void *member = (char *)ret + line->member;

	switch (line->kind) {
	case LINE_IDS:
		for (unsigned i = 0; i < 4; i++)
			((unsigned *)member)[i] = (unsigned)read_number(&at, 10);
		break;
	case LINE_SET:
		*(uint64_t *)member = read_number(&at, 16);
		break;
	case LINE_NUMBER:
		*(unsigned *)member = (unsigned)read_number(&at, 10);
		break;
	case LINE_WORDS:
		*(unsigned *)member = count_words(at);
		break;
	}
}

static bool begins(const char *at, const struct line *line)
{
	return at[0] == line->name[0] && strncmp(at, line->name, line->len) == 0 &&
	       at[line->len] == ':';
}

static const char *next_line(const char *at)
{
	at = strchrnul(at, '\n');
	return at + (*at != '\0');
}

/* The line of that name from `at` on, or NULL. */
static const char *find_line(const char *at, const struct line *line)
{
	while (*at && !begins(at, line))
		at = next_line(at);
	return *at ? at : NULL;
}

/*
 * The table has the kernel's order, so each line is looked for after the one before, and then from
 * the top.
 */
static int parse(const char *text, struct proc_status *ret)
{
	const char *from = text;

	for (unsigned n = 0; n < ARRAY_LEN(lines); n++) {
		const char *at = find_line(from, &lines[n]);

		if (!at)
			at = find_line(text, &lines[n]);
		if (at)
			read_line(&lines[n], at + lines[n].len + 1, ret);
		else if (!lines[n].optional)
			return EPROTO;
		from = at ? next_line(at) : from;
	}
	return 0;
}

/* The whole file: a read that is short is its end. */
static int read_all(int fd, char *text, size_t size)
{
	ssize_t n;

	do
		n = pread(fd, text, size - 1, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno;
	text[n] = '\0';
	return (size_t)n < size - 1 ? 0 : EFBIG;
}

int status_open(void)
{
	return open("/proc/self/status", O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

int status_open_of(pid_t pid)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%ld/status", (long)pid);
	return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

int status_read(int fd, struct proc_status *ret)
{
	char small[4096], *text = small;
	int err;

	*ret = (struct proc_status){ 0 };
	err = read_all(fd, small, sizeof(small));
	if (err == EFBIG) {
		text = malloc(STATUS_MAX);
		err = text ? read_all(fd, text, STATUS_MAX) : ENOMEM;
	}
	if (err == 0)
		err = parse(text, ret);
	if (text != small)
		free(text);
	return err;
}

/* One call for each capability, until the kernel has no more. */
static uint64_t set_by_calls(int option, unsigned long first)
{
	uint64_t ret = 0;

	for (unsigned cap = 0; cap < 64; cap++) {
		const int has = option == PR_CAP_AMBIENT ? prctl(option, first, cap, 0, 0)
							 : prctl(option, cap, 0, 0, 0);

		if (has < 0)
			break;
		ret |= has ? UINT64_C(1) << cap : 0;
	}
	return ret;
}

int status_by_calls(struct proc_status *ret)
{
	const int groups = getgroups(0, NULL);
	struct caps caps;

	*ret = (struct proc_status){ 0 };
	(void)getresuid(&ret->uid[0], &ret->uid[1], &ret->uid[2]);
	(void)getresgid(&ret->gid[0], &ret->gid[1], &ret->gid[2]);
	/* these return the current value: no process has the highest number */
	ret->uid[3] = (unsigned)setfsuid((uid_t)-1);
	ret->gid[3] = (unsigned)setfsgid((gid_t)-1);
	ret->n_groups = groups > 0 ? (unsigned)groups : 0;
	ret->ambient = set_by_calls(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET);
	ret->bounding = set_by_calls(PR_CAPBSET_READ, 0);
	ret->no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? 1 : 0;
	if (caps_get(&caps) != 0 || groups < 0)
		return errno;
	ret->effective = caps.effective;
	ret->permitted = caps.permitted;
	ret->inheritable = caps.inheritable;
	return 0;
}
