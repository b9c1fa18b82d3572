/*
 * filter.c - the profile, filled in for one launch, and the one call that loads a program
 *
 * The program in program.c is made by compile.c from policy.def and is constant. It carries marks
 * where a launch decides: returns with a reserved errno for the default action and for each
 * optional group, and reserved constants where the exec's descriptor and path and QEMU's own
 * process are compared. To fill it in is one pass over some 500 instructions, so all actions, sets
 * of groups and descriptor numbers are one program of 4 KiB, and every combination is derived from
 * the one that was tested.
 *
 * Never:  links libseccomp (a filter of this size built at run time costs more than all the rest
 *         of a launch), or looks at a file.
 */
#include "config.h"

#include "seccomp/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "seccomp/program.h"

static const struct { const char *name; uint32_t ret; } actions[] = {
	[FILTER_ERRNO]	= { "errno",	SECCOMP_RET_ERRNO | ENOSYS },
	[FILTER_LOG]	= { "log",	SECCOMP_RET_LOG },
	[FILTER_KILL]	= { "kill",	SECCOMP_RET_KILL_PROCESS },
	[FILTER_TRAP]	= { "trap",	SECCOMP_RET_TRAP },
};
_Static_assert(sizeof(actions) / sizeof(actions[0]) == FILTER_ACTION__COUNT,
	       "every action has a row");

static const struct { const char *name, *why; } groups_table[] = {
#define OPTION(group, why)		[FILTER_GROUP_##group] = { #group, why },
#include "seccomp/groups.def"
#undef OPTION
};

const char *filter_action_name(enum filter_action action)
{
	return action < FILTER_ACTION__COUNT ? actions[action].name : NULL;
}

const char *filter_group_name(enum filter_group group)
{
	return group < FILTER_GROUP__COUNT ? groups_table[group].name : NULL;
}

const char *filter_group_why(enum filter_group group)
{
	return group < FILTER_GROUP__COUNT ? groups_table[group].why : NULL;
}

int filter_action_find(const char *name)
{
	for (int i = 0; i < FILTER_ACTION__COUNT; i++)
		if (strcmp(actions[i].name, name) == 0)
			return i;
	return -1;
}

int filter_group_find(const char *name)
{
	for (int i = 0; i < FILTER_GROUP__COUNT; i++)
		if (strcmp(groups_table[i].name, name) == 0)
			return i;
	return -1;
}

unsigned filter_action_ret(enum filter_action action)
{
	return actions[action].ret;
}

uint32_t filter_verdict(uint32_t verdict, uint32_t fallback, unsigned groups)
{
	const unsigned group = verdict - FILTER_MARK_GROUP(0U);
	const unsigned tried = verdict - FILTER_MARK_TRY(0U, 0U);

	if (verdict == FILTER_MARK_DEFAULT)
		return fallback;
	if (group < FILTER_GROUP__COUNT)
		return (groups & FILTER_GROUP_BIT(group)) != 0 ? SECCOMP_RET_ALLOW : fallback;
	if (tried < FILTER_GROUP__COUNT * FILTER_TRY_ERRNOS)
		return (groups & FILTER_GROUP_BIT(tried / FILTER_TRY_ERRNOS)) != 0
			? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | tried % FILTER_TRY_ERRNOS;
	return verdict;
}

/* What a comparison with a mark becomes; others stay. An address is compared in two halves. */
static uint32_t fill_compare(uint32_t k, const struct filter_exec *exec)
{
	const struct { uint32_t mark, value; } fills[] = {
		{ FILTER_MARK_EXEC_FD,				exec->fd },
		{ (uint32_t)FILTER_MARK_EXEC_PATH,		(uint32_t)exec->path },
		{ (uint32_t)(FILTER_MARK_EXEC_PATH >> 32),	(uint32_t)(exec->path >> 32) },
		{ FILTER_MARK_PID,				exec->pid },
	};

	for (size_t i = 0; i < sizeof(fills) / sizeof(fills[0]); i++)
		if (k == fills[i].mark)
			return fills[i].value;
	return k;
}

void filter_set_exec(struct sock_filter *prog, size_t len, const struct filter_exec *exec)
{
	for (size_t i = 0; i < len; i++)
		if (prog[i].code == (BPF_JMP | BPF_JEQ | BPF_K))
			prog[i].k = fill_compare(prog[i].k, exec);
}

/* The profile from this instruction on. */
static int fill(size_t start, uint32_t fallback, unsigned groups, const struct filter_exec *exec,
		struct sock_filter *ret, size_t size)
{
	const size_t len = filter_program_len - start;

	if (size < len)
		return -1;
	for (size_t i = 0; i < len; i++) {
		ret[i] = filter_program[start + i];
		if (ret[i].code == (BPF_RET | BPF_K))
			ret[i].k = filter_verdict(ret[i].k, fallback, groups);
	}
	filter_set_exec(ret, len, exec);
	return (int)len;
}

int filter_get(enum filter_action action, unsigned groups, const struct filter_exec *exec,
	       struct sock_filter *ret, size_t size)
{
	return fill(filter_prefix_len, actions[action].ret, groups, exec, ret, size);
}

int filter_get_on_terminal(enum filter_action action, unsigned groups,
			   const struct filter_exec *exec, struct sock_filter *ret, size_t size)
{
	return fill(0, actions[action].ret, groups, exec, ret, size);
}

const struct sock_filter *filter_get_terminal(size_t *ret_len)
{
	*ret_len = filter_terminal_len;
	return filter_terminal;
}

int filter_get_keeper(uint32_t child, struct sock_filter *ret, size_t size)
{
	/* there is no exec in this program: only the process is filled in */
	const struct filter_exec only_pid = { .pid = child };

	if (size < filter_keeper_program_len)
		return -1;
	memcpy(ret, filter_keeper_program, filter_keeper_program_len * sizeof(*ret));
	filter_set_exec(ret, filter_keeper_program_len, &only_pid);
	return (int)filter_keeper_program_len;
}

enum interp_fault filter_check(const struct sock_filter *prog, size_t len,
			       const struct filter_exec *exec, size_t *ret_at)
{
	/* Any address will do for argv and envp: no filter can know ours beforehand. */
	const uint64_t other = (uintptr_t)exec;
	const struct seccomp_data call = {
		.nr = __NR_execveat, .arch = AUDIT_ARCH_X86_64, .instruction_pointer = other,
		.args = { exec->fd, exec->path, other, other, AT_EMPTY_PATH },
	};
	const enum interp_fault fault = interp_check(prog, len, ret_at);
	uint32_t ret;

	if (fault != INTERP_OK)
		return fault;
	if (!interp_run(prog, len, &call, &ret))
		return INTERP_EXEC;
	ret &= SECCOMP_RET_ACTION_FULL;
	return ret == SECCOMP_RET_ALLOW || ret == SECCOMP_RET_LOG ? INTERP_OK : INTERP_EXEC;
}

/*
 * SPEC_ALLOW: kernels before 5.16 otherwise turn off speculation (store bypass, indirect branches)
 * for whoever loads a filter, which costs every vCPU and guards nothing here: guest code has KVM's
 * own mitigations. Later kernels do the same without being asked. Kernels before 4.17 know no such
 * flag and before 4.14 none at all: EINVAL, so ask again without.
 */
int filter_load(const struct sock_filter *prog, size_t len, bool log)
{
	struct sock_fprog fprog = {
		.len = (unsigned short)len,
		.filter = (struct sock_filter *)(uintptr_t)prog, /* the kernel only reads it */
	};
	const unsigned flags = log ? SECCOMP_FILTER_FLAG_LOG : 0;

	if (len == 0 || len > BPF_MAXINSNS) {
		errno = EINVAL;
		return -1;
	}
	if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
		    &fprog) == 0)
		return 0;
	if (errno != EINVAL)
		return -1;
	return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &fprog) == 0 ? 0 : -1;
}
