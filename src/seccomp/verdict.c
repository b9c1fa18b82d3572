/* verdict.c - words of the policy language: answers, both ways, and groups */
#include "config.h"

#include "seccomp/verdict.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>

#include "base/bounds.h"
#include "seccomp/filter.h"

/* Errnos that a filter has reason to answer; any other is written as a number. */
static const struct { const char *name; unsigned value; } errnos[] = {
	{ "EPERM", EPERM },	{ "ENOENT", ENOENT },	{ "EIO", EIO },
	{ "EBADF", EBADF },	{ "EAGAIN", EAGAIN },	{ "ENOMEM", ENOMEM },
	{ "EACCES", EACCES },	{ "EBUSY", EBUSY },	{ "ENODEV", ENODEV },
	{ "EINVAL", EINVAL },	{ "ENOTTY", ENOTTY },	{ "ENOSPC", ENOSPC },
	{ "EROFS", EROFS },	{ "ENOSYS", ENOSYS },	{ "EOPNOTSUPP", EOPNOTSUPP },
};

static void errno_text(unsigned value, char *ret, size_t size)
{
	for (size_t i = 0; i < ARRAY_LEN(errnos); i++) {
		if (errnos[i].value == value) {
			(void)snprintf(ret, size, "errno %s", errnos[i].name);
			return;
		}
	}
	(void)snprintf(ret, size, "errno %u", value);
}

void verdict_text(uint32_t verdict, char *ret, size_t size)
{
	switch (verdict & SECCOMP_RET_ACTION_FULL) {
	case SECCOMP_RET_ALLOW:		(void)snprintf(ret, size, "allow"); return;
	case SECCOMP_RET_LOG:		(void)snprintf(ret, size, "log"); return;
	case SECCOMP_RET_KILL_PROCESS:	(void)snprintf(ret, size, "kill"); return;
	case SECCOMP_RET_TRAP:		(void)snprintf(ret, size, "trap"); return;
	case SECCOMP_RET_ERRNO:		errno_text(verdict & SECCOMP_RET_DATA, ret, size); return;
	default:			(void)snprintf(ret, size, "0x%08x", verdict); return;
	}
}

unsigned verdict_errno(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(errnos); i++)
		if (strcmp(errnos[i].name, name) == 0)
			return errnos[i].value;
	return 0;
}

void verdict_groups(struct str *ret)
{
	for (unsigned i = 0; i < FILTER_GROUP__COUNT; i++)
		str_put(ret, "%s%s", i > 0 ? ", " : "", filter_group_name((enum filter_group)i));
}
