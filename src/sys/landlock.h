/* landlock.h - ask for Landlock, and enter a domain */
#ifndef QH_SYS_LANDLOCK_H
#define QH_SYS_LANDLOCK_H

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

#endif
