/*
 * status.c - /proc/self/status (fs/proc/array.c)
 */
#include "config.h"

#include "sys/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "sys/caps.h"

enum {
	STATUS_MAX = 1024 * 1024
}; /* 65,536 supplementary groups of up to 11 bytes are the kernel's most */

/* What stands after "\nNAME:\t", or NULL. */
static const char *line_of(const char *text, const char *name)
{
	const size_t len = strlen(name);

	for (const char *at = text; (at = strchr(at, '\n'));) {
		at++;
		if (strncmp(at, name, len) == 0 && at[len] == ':')
			return at + len + 1;
	}
	return NULL;
}

static bool numbers(const char *text, const char *name, unsigned *ret, unsigned n)
{
	const char *at = line_of(text, name);
	char *end;

	for (unsigned i = 0; at && i < n; i++, at = end)
		ret[i] = (unsigned)strtoul(at, &end, 10);
	return at != NULL;
}

static bool set(const char *text, const char *name, uint64_t *ret)
{
	const char *at = line_of(text, name);

	*ret = at ? strtoull(at, NULL, 16) : 0;
	return at != NULL;
}

static unsigned count_words(const char *at)
{
	unsigned n = 0;

	while (at && *at != '\n' && *at != '\0') {
		at += strspn(at, " \t");
		n += *at != '\n' && *at != '\0';
		at += strcspn(at, " \t\n");
	}
	return n;
}

static int parse(const char *text, struct proc_status *ret)
{
	const char *groups = line_of(text, "Groups");
	unsigned flag[2] = { 0 };
	bool good = groups && numbers(text, "Uid", ret->uid, 4) &&
		    numbers(text, "Gid", ret->gid, 4) && set(text, "CapInh", &ret->inheritable) &&
		    set(text, "CapPrm", &ret->permitted) && set(text, "CapEff", &ret->effective) &&
		    set(text, "CapBnd", &ret->bounding) && set(text, "CapAmb", &ret->ambient) &&
		    set(text, "SigIgn", &ret->ignored) &&
		    numbers(text, "NoNewPrivs", &flag[0], 1) &&
		    numbers(text, "Seccomp", &flag[1], 1);

	ret->n_groups = count_words(groups);
	ret->no_new_privs = flag[0] != 0;
	ret->filtered = flag[1] == 2;
	(void)numbers(text, "Seccomp_filters", &ret->filters, 1);
	return good ? 0 : EPROTO;
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
	/* these answer with the present one: nobody has the highest number */
	ret->uid[3] = (unsigned)setfsuid((uid_t)-1);
	ret->gid[3] = (unsigned)setfsgid((gid_t)-1);
	ret->n_groups = groups > 0 ? (unsigned)groups : 0;
	ret->ambient = set_by_calls(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET);
	ret->bounding = set_by_calls(PR_CAPBSET_READ, 0);
	ret->no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
	if (caps_get(&caps) != 0 || groups < 0)
		return errno;
	ret->effective = caps.effective;
	ret->permitted = caps.permitted;
	ret->inheritable = caps.inheritable;
	return 0;
}
