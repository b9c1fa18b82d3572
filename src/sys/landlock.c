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

struct ruleset {
	uint64_t handled_access_fs, handled_access_net, scoped;
};
struct below {
	uint64_t allowed_access;
	int32_t parent_fd;
} __attribute__((packed));
enum {
	LANDLOCK_VERSION_FLAG	= 1 << 0,
	LANDLOCK_FS_MAKE_CHAR	= 1 << 6,
	LANDLOCK_FS_MAKE_BLOCK	= 1 << 11,
	LANDLOCK_SCOPE_ABSTRACT	= 1 << 0,
	LANDLOCK_SCOPE_SIGNALS	= 1 << 1,
	LANDLOCK_PATH_BENEATH	= 1,
	/* what QEMU is denied is logged, and not only what is denied before the exec */
	LANDLOCK_LOG_AFTER_EXEC	= 1 << 1,
	LANDLOCK_ABI_LOGS	= 7,
};
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

int landlock_abi(void)
{
	const long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION_FLAG);

	return abi > 0 ? (int)abi : 0;
}

int landlock_ruleset(int abi, uint64_t handled)
{
	struct ruleset attr = { .handled_access_fs = handled | LANDLOCK_FS_MAKE_CHAR |
						     LANDLOCK_FS_MAKE_BLOCK };
	size_t size = sizeof(attr.handled_access_fs);

	if (abi >= LANDLOCK_ABI_SCOPES) {
		attr.scoped = LANDLOCK_SCOPE_ABSTRACT | LANDLOCK_SCOPE_SIGNALS;
		size = sizeof(attr);
	}
	return (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
}

int landlock_allow(int ruleset, int fd, uint64_t rights)
{
	const struct below rule = { .allowed_access = rights, .parent_fd = fd };

	return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_PATH_BENEATH, &rule, 0) < 0 ? errno
											   : 0;
}

int landlock_restrict(int abi, int ruleset)
{
	const unsigned flags = abi >= LANDLOCK_ABI_LOGS ? LANDLOCK_LOG_AFTER_EXEC : 0;

	return syscall(SYS_landlock_restrict_self, ruleset, flags) < 0 ? errno : 0;
}

int landlock_enter(int abi, const char **ret_call)
{
	AUTO_FD fd = -1;

	*ret_call = "landlock_create_ruleset";
	fd = landlock_ruleset(abi, 0);
	if (fd < 0)
		return errno;
	*ret_call = "landlock_restrict_self";
	return syscall(SYS_landlock_restrict_self, fd, 0) < 0 ? errno : 0;
}
