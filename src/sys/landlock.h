/* landlock.h - ask for Landlock, and enter a domain */
#ifndef QH_SYS_LANDLOCK_H
#define QH_SYS_LANDLOCK_H

#include <stdint.h>

enum { LANDLOCK_ABI_SCOPES = 6 }; /* from here on a domain shuts in signals and abstract sockets */

/* The version of the kernel's interface; 0: this kernel has none, or it is off. Changes nothing. */
int landlock_abi(void);
/*
 * Put this process into a domain of its own, for good. It takes away one right that QEMU has no use
 * for, making device nodes; what counts is being in a domain: ptrace and /proc/PID/mem of a process
 * outside it are refused. abi: what landlock_abi() says. 0, or an errno with *ret_call, the call
 * that failed.
 */
int landlock_enter(int abi, const char **ret_call);

/*
 * The box, in three steps. A ruleset of its own file descriptor, which takes away the rights for
 * files that handled names, and what landlock_enter() takes away: its number, or -1 with errno.
 */
int landlock_ruleset(int abi, uint64_t handled);
/* Give rights back below what fd (O_PATH) is open on. 0, or an errno. */
int landlock_allow(int ruleset, int fd, uint64_t rights);
/* Put this process into that domain, for good. 0, or an errno. */
int landlock_restrict(int abi, int ruleset);

#endif
