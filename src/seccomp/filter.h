/*
 * filter.h - the system calls QEMU may make
 *
 * The profile `qemu` is one constant program, compiled from policy.def when the project is built,
 * with the part that protects a terminal (terminal.def) before it.
 * filter_get() copies it and fills in what only a launch knows. Nothing here prints, allocates or
 * keeps state; filter_load() is the only function that makes a system call.
 */
#ifndef QH_SECCOMP_FILTER_H
#define QH_SECCOMP_FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seccomp/interp.h"

/* What a call that is not in the policy gets. */
enum filter_action {
	FILTER_ERRNO,			/* ENOSYS: the C library falls back */
	FILTER_LOG,			/* allowed, and in the kernel's log: confines nothing */
	FILTER_KILL,			/* SIGSYS for the whole process */
	FILTER_TRAP,			/* a SIGSYS that a handler could catch */
	FILTER_ACTION__COUNT
};

enum filter_group {
#define OPTION(group, why)		FILTER_GROUP_##group,
#include "seccomp/groups.def"
#undef OPTION
	FILTER_GROUP__COUNT
};
#define FILTER_GROUP_BIT(group)		(1U << (group))
_Static_assert(FILTER_GROUP__COUNT <= 16, "marks of 16 groups do not overlap");
#define FILTER_GROUPS_ALL		(FILTER_GROUP_BIT(FILTER_GROUP__COUNT) - 1)

/*
 * The one exec that gets through: execveat(fd, path, argv, envp, AT_EMPTY_PATH). `fd` is
 * RLIMIT_NOFILE, so no descriptor can have that number again; `path` is emptypath_map()'s, so no
 * string but "" can ever be there. Without the second the first is worth nothing: the kernel
 * ignores the descriptor when the string is an absolute path.
 */
struct filter_exec {
	unsigned fd;
	uint64_t path;
	uint32_t pid;			/* the process that loads the filter and becomes QEMU */
};

/*
 * Marks: the compiled program carries them where a launch decides. Each fails closed should it
 * ever stay in place: an errno that the kernel does not have, a number that is negative as a
 * descriptor and as a process, and an address that no CPU accepts.
 *
 *   DEFAULT	the default action
 *   GROUP	allowed with the group, else the default action
 *   TRY	allowed with the group, else this errno (below FILTER_TRY_ERRNOS) under every action
 *   PID	QEMU's process; in the keeper's program, passt's
 *   NEXT	what follows decides; none is left when the project is built
 */
#define FILTER_MARK_DEFAULT		(SECCOMP_RET_ERRNO | 0xabcU)
#define FILTER_MARK_NEXT		(SECCOMP_RET_ERRNO | 0xabdU)
#define FILTER_MARK_GROUP(group)	(SECCOMP_RET_ERRNO | (0xa00U + (group)))
#define FILTER_MARK_TRY(group, e) \
	(SECCOMP_RET_ERRNO | (0x100U + (group) * FILTER_TRY_ERRNOS + (e)))
#define FILTER_TRY_ERRNOS		128	/* libseccomp takes no errno above 4095 */
#define FILTER_MARK_EXEC_FD		0xfdfdec0dU
#define FILTER_MARK_EXEC_PATH		0xfdfdec0efdfdec0fULL
#define FILTER_MARK_PID			0xfdfdec10U
#define FILTER_MARK_EXEC \
	((struct filter_exec){ .fd = FILTER_MARK_EXEC_FD, .path = FILTER_MARK_EXEC_PATH, \
			       .pid = FILTER_MARK_PID })

/* Room for the profile; the build fails should it outgrow this (it has about 500 instructions). */
#define FILTER_PROFILE_MAX		768

/* Names as in the descriptor; NULL and -1 when there is none. */
const char *filter_action_name(enum filter_action action);
const char *filter_group_name(enum filter_group group);
const char *filter_group_why(enum filter_group group);
int filter_action_find(const char *name);
int filter_group_find(const char *name);

/* The SECCOMP_RET_ value of an action. */
unsigned filter_action_ret(enum filter_action action);

/* What a verdict with a mark becomes, given the default's and the groups; others stay. */
uint32_t filter_verdict(uint32_t verdict, uint32_t fallback, unsigned groups);

/*
 * The profile `qemu` with this default action and these optional groups (FILTER_GROUP_BIT), which
 * lets execveat through for `exec` only. Returns the number of instructions, or -1
 * when `size` is too small; ret is then untouched. FILTER_PROFILE_MAX is always enough.
 */
int filter_get(enum filter_action action, unsigned groups, const struct filter_exec *exec,
	       struct sock_filter *ret, size_t size);

/* The same, and it refuses what types into a terminal. */
int filter_get_on_terminal(enum filter_action action, unsigned groups,
			   const struct filter_exec *exec, struct sock_filter *ret, size_t size);

/*
 * The constant program that refuses what types into a terminal and allows everything else. For
 * launches that do not have the profile.
 */
const struct sock_filter *filter_get_terminal(size_t *ret_len);

/*
 * The program of passt's keeper, which waits for the process `child` and may end it; everything
 * else kills it. No exec. Returns and sizes as filter_get().
 */
int filter_get_keeper(uint32_t child, struct sock_filter *ret, size_t size);
#define FILTER_KEEPER_TALK_FD		4	/* where it says, once, that passt is ready */
#define FILTER_KEEPER_MAX		64

/*
 * Put `exec` in place of the marks in a program made beforehand. That none is there is no fault:
 * filter_check() says whether the exec gets through.
 */
void filter_set_exec(struct sock_filter *prog, size_t len, const struct filter_exec *exec);

/*
 * Would the kernel take this program, and would it let `exec` through? For
 * programs from a file: call filter_set_exec() first. ret_at gets the index of
 * the instruction at fault, 0 where there is none to name.
 */
enum interp_fault filter_check(const struct sock_filter *prog, size_t len,
			       const struct filter_exec *exec, size_t *ret_at);

/*
 * Load it; for good, and for all that this process executes. no_new_privs must be set already
 * (or CAP_SYS_ADMIN held). `log`: have the kernel log what is not allowed. 0, or -1 with errno.
 */
int filter_load(const struct sock_filter *prog, size_t len, bool log);

#endif
