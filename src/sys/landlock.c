/*
 * landlock.c - ask for Landlock, and enter a domain
 *
 * The interface is that of Linux 6.12 (linux/landlock.h), for kernel headers that lack parts of it.
 */
#include "config.h"

#include "sys/landlock.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/fd.h"

struct landlock_ruleset {
	uint64_t handled_access_fs, handled_access_net, scoped;
};
enum {
	LANDLOCK_VERSION_FLAG	= 1 << 0,
	LANDLOCK_FS_MAKE_CHAR	= 1 << 6,
	LANDLOCK_FS_MAKE_BLOCK	= 1 << 11,
	LANDLOCK_SCOPE_ABSTRACT	= 1 << 0,
	LANDLOCK_SCOPE_SIGNALS	= 1 << 1,
};
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif

int landlock_abi(void)
{
	const long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION_FLAG);

	return abi > 0 ? (int)abi : 0;
}

int landlock_enter(int abi, const char **ret_call)
{
	struct landlock_ruleset attr = { .handled_access_fs = LANDLOCK_FS_MAKE_CHAR |
							      LANDLOCK_FS_MAKE_BLOCK };
	size_t size = sizeof(attr.handled_access_fs);
	AUTO_FD fd = -1;

	if (abi >= LANDLOCK_ABI_SCOPES) {
		attr.scoped = LANDLOCK_SCOPE_ABSTRACT | LANDLOCK_SCOPE_SIGNALS;
		size = sizeof(attr);
	}
	*ret_call = "landlock_create_ruleset";
	fd = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
	if (fd < 0)
		return errno;
	*ret_call = "landlock_restrict_self";
	return syscall(SYS_landlock_restrict_self, fd, 0) < 0 ? errno : 0;
}
