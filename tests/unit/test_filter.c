/*
 * test_filter.c - the embedded program says what the policy says, for every call and combination
 *
 * Two tables judge it: policy.def itself, row by row and for every number not listed, and a list
 * written by hand below, so that a row of policy.def that should not be there is found too. Two
 * tests spoil one instruction or one row and expect to be told.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"
#include "seccomp/filter.h"
#include "seccomp/policy.h"

#define EXEC_FD		4096U
#define OWN_PID		4242U
#define EXEC_PATH	0x7fffffffefffULL
#define CALLS		1024
#define X32_BIT		0x40000000
#define RULES_MAX	512

#define YES		SECCOMP_RET_ALLOW
#define DIE		SECCOMP_RET_KILL_PROCESS
#define FAILS(e)	(SECCOMP_RET_ERRNO | (e))

static const struct filter_exec exec_here = { EXEC_FD, EXEC_PATH, OWN_PID };

struct combination {
	enum filter_action action;
	unsigned groups;
	bool terminal;			/* the program that a launch on a terminal loads */
	struct sock_filter prog[FILTER_PROFILE_MAX];
	size_t len;
	struct policy_rule rules[RULES_MAX];
	size_t n_rules;
	char first[96];			/* the first difference */
};

static uint32_t default_of(enum filter_action action)
{
	switch (action) {
	case FILTER_ERRNO:		return FAILS(38);
	case FILTER_LOG:		return 0x7ffc0000;
	case FILTER_KILL:		return 0x80000000;
	case FILTER_TRAP:		return 0x00030000;
	case FILTER_ACTION__COUNT:	break;
	}
	fail();
	return 0;
}

/* The rows of ioctl are those of the terminal's table where there is a terminal. */
static void take_rules(struct combination *c)
{
	for (size_t i = 0; i < policy_qemu_len; i++)
		if (!c->terminal || policy_qemu[i].nr != 16)
			c->rules[c->n_rules++] = policy_qemu[i];
	for (size_t i = 0; i < policy_terminal_len && c->terminal; i++)
		c->rules[c->n_rules++] = policy_terminal[i];
}

/* The table as this combination should see it: marks replaced by hand, not by the code under test. */
static void make_rules(struct combination *c)
{
	take_rules(c);
	for (size_t i = 0; i < c->n_rules; i++) {
		struct policy_rule *r = &c->rules[i];

		for (unsigned g = 0; g < FILTER_GROUP__COUNT; g++) {
			if (r->ret == FILTER_MARK_GROUP(g))
				r->ret = c->groups & (1U << g) ? YES : default_of(c->action);
			for (unsigned e = 1; e < 128; e++)
				if (r->ret == FILTER_MARK_TRY(g, e))
					r->ret = c->groups & (1U << g) ? YES : FAILS(e);
		}
		for (size_t t = 0; t < POLICY_TESTS_MAX; t++) {
			if (r->tests[t].value == FILTER_MARK_EXEC_FD)
				r->tests[t].value = EXEC_FD;
			else if (r->tests[t].value == FILTER_MARK_EXEC_PATH)
				r->tests[t].value = EXEC_PATH;
			else if (r->tests[t].value == FILTER_MARK_PID)
				r->tests[t].value = OWN_PID;
		}
	}
}

static void make_for(struct combination *c, enum filter_action action, unsigned groups,
		     bool terminal)
{
	int len;

	*c = (struct combination){ .action = action, .groups = groups, .terminal = terminal };
	len = (terminal ? filter_get_on_terminal : filter_get)(action, groups, &exec_here, c->prog, FILTER_PROFILE_MAX);
	assert_true(len > 0);
	c->len = (size_t)len;
	make_rules(c);
}

static void make(struct combination *c, enum filter_action action, unsigned groups)
{
	make_for(c, action, groups, false);
}

static uint32_t answer(const struct combination *c, int nr, uint32_t arch, const uint64_t args[6])
{
	struct seccomp_data call = { .nr = nr, .arch = arch, .instruction_pointer = 0x7f0012345678 };
	uint32_t ret;

	memcpy(call.args, args, sizeof(call.args));
	if (!interp_run(c->prog, c->len, &call, &ret))
		fail_msg("call %d ran out of the program", nr);
	return ret;
}

static unsigned compare(struct combination *c, int nr, uint32_t arch, const uint64_t args[6],
			uint32_t want)
{
	const uint32_t got = answer(c, nr, arch, args);

	if (got != want && c->first[0] == '\0')
		snprintf(c->first, sizeof(c->first), "call %d arch %x: 0x%x, not 0x%x", nr, arch,
			 got, want);
	return got != want;
}

static const uint64_t arg_sets[][6] = {
	{ 0, 0, 0, 0, 0, 0 },
	{ 1, 1, 1, 1, 1, 1 },
	{ UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX },
	{ EXEC_FD, EXEC_PATH, 0x7f0000000000, 0x7f0000000000, AT_EMPTY_PATH, 0 },
	{ EXEC_FD, 0x7f0000000000, 0x7f0000000000, 0x7f0000000000, AT_EMPTY_PATH, 0 },
	{ 0x7d0f00, 0x7f0000000000, 0, 0, 0, 0 },
};

static unsigned compare_table(struct combination *c, int nr, const uint64_t args[6])
{
	return compare(c, nr, AUDIT_ARCH_X86_64, args,
		       policy_verdict(c->rules, c->n_rules, default_of(c->action), nr, args));
}

/* Arguments that pass all tests of a row, and those that fail one by the lowest bit it looks at. */
static unsigned row_differences(struct combination *c, const struct policy_rule *r)
{
	uint64_t args[6] = { 0 };
	unsigned bad;

	for (size_t i = 0; i < POLICY_TESTS_MAX && r->tests[i].mask != 0; i++)
		args[r->tests[i].arg] = r->tests[i].value;
	bad = compare_table(c, r->nr, args);
	for (size_t i = 0; i < POLICY_TESTS_MAX && r->tests[i].mask != 0; i++) {
		const uint64_t mask = r->tests[i].mask, low = mask & (~mask + 1);

		args[r->tests[i].arg] ^= low;
		bad += compare_table(c, r->nr, args);
		args[r->tests[i].arg] ^= low;
	}
	return bad;
}

/* How many answers differ from the table. */
static unsigned differences(struct combination *c)
{
	unsigned bad = compare(c, -1, AUDIT_ARCH_X86_64, arg_sets[0], default_of(c->action));

	for (size_t i = 0; i < c->n_rules; i++)
		bad += row_differences(c, &c->rules[i]);

	for (int nr = 0; nr < CALLS; nr++) {
		for (size_t a = 0; a < ARRAY_LEN(arg_sets); a++) {
			const uint64_t *args = arg_sets[a];

			bad += compare_table(c, nr, args);
			bad += compare(c, nr, AUDIT_ARCH_I386, args, DIE);
			bad += compare(c, nr | X32_BIT, AUDIT_ARCH_X86_64, args, DIE);
		}
	}
	return bad;
}

/*
 * Sets of groups: none, all, each alone, all but each, each two. A mark holds one group, so the
 * answer to a call depends on one group at most and no set of three can be different.
 */
static unsigned next_set(unsigned groups)
{
	const unsigned all = FILTER_GROUPS_ALL;

	do {
		groups++;
	} while (groups < all && __builtin_popcount(groups) > 2 && __builtin_popcount(all & ~groups) > 1);
	return groups;
}

static void test_combinations(void **state)
{
	static struct combination c;

	(void)state;
	for (int action = 0; action < FILTER_ACTION__COUNT; action++) {
		for (unsigned groups = 0; groups <= FILTER_GROUPS_ALL; groups = next_set(groups)) {
			make(&c, (enum filter_action)action, groups);
			if (differences(&c) != 0)
				fail_msg("action %d groups %x: %s", action, groups, c.first);
			make_for(&c, (enum filter_action)action, groups, true);
			if (differences(&c) != 0)
				fail_msg("on a terminal, action %d groups %x: %s", action, groups, c.first);
		}
	}
}

static void test_other_architectures(void **state)
{
	static const uint32_t archs[] = { AUDIT_ARCH_I386, AUDIT_ARCH_AARCH64, AUDIT_ARCH_ARM, 0,
					  UINT32_MAX, AUDIT_ARCH_X86_64 ^ 1 };
	static struct combination c;

	(void)state;
	for (int action = 0; action < 2 * FILTER_ACTION__COUNT; action++) {
		make_for(&c, (enum filter_action)(action / 2), FILTER_GROUPS_ALL, action % 2);
		for (size_t i = 0; i < ARRAY_LEN(archs); i++)
			assert_int_equal(answer(&c, 0, archs[i], arg_sets[0]), DIE);
		assert_int_equal(answer(&c, X32_BIT + 520, AUDIT_ARCH_X86_64, arg_sets[0]), DIE);
		assert_int_equal(answer(&c, X32_BIT + 514, AUDIT_ARCH_X86_64, arg_sets[0]), DIE);
		assert_int_equal(answer(&c, INT32_MAX, AUDIT_ARCH_X86_64, arg_sets[0]), DIE);
	}
}

/* By hand, numbers literal: what must never be allowed whatever is asked for. */
static const struct { const char *name; int nr; } never[] = {
	{ "execve", 59 }, { "ptrace", 101 }, { "process_vm_readv", 310 },
	{ "process_vm_writev", 311 }, { "pidfd_getfd", 438 }, { "pidfd_open", 434 }, { "kcmp", 312 },
	{ "perf_event_open", 298 },
	{ "request_key", 249 }, { "mount", 165 }, { "umount2", 166 }, { "pivot_root", 155 },
	{ "open_tree", 428 }, { "move_mount", 429 }, { "fsopen", 430 }, { "fsconfig", 431 },
	{ "fsmount", 432 }, { "fspick", 433 }, { "mount_setattr", 442 }, { "unshare", 272 },
	{ "setns", 308 }, { "init_module", 175 }, { "finit_module", 313 }, { "delete_module", 176 },
	{ "kexec_load", 246 }, { "kexec_file_load", 320 }, { "reboot", 169 }, { "swapon", 167 },
	{ "iopl", 172 }, { "ioperm", 173 }, { "modify_ldt", 154 }, { "mknod", 133 },
	{ "acct", 163 }, { "settimeofday", 164 }, { "clock_settime", 227 },
	{ "open_by_handle_at", 304 }, { "quotactl", 179 }, { "syslog", 103 }, { "personality", 135 },
	{ "uselib", 134 }, { "capset", 126 }, { "openat2", 437 }, { "vmsplice", 278 },
	{ "sethostname", 170 }, { "move_pages", 279 }, { "migrate_pages", 256 },
	{ "remap_file_pages", 216 }, { "pkey_mprotect", 329 }, { "landlock_restrict_self", 446 },
	{ "process_madvise", 440 }, { "memfd_secret", 447 }, { "setrlimit", 160 },
	{ "get_robust_list", 274 }, { "readahead", 187 },
};

/* By hand: what belongs to a group, so is allowed with it and only with it; else this errno. */
static const struct { const char *name; int nr; enum filter_group group; unsigned err; } grouped[] = {
	{ "io_uring_setup", 425, FILTER_GROUP_io_uring, 38 },
	{ "io_uring_enter", 426, FILTER_GROUP_io_uring, 0 },
	{ "io_uring_register", 427, FILTER_GROUP_io_uring, 0 },
	{ "fork", 57, FILTER_GROUP_daemonize, 1 },
	{ "setsid", 112, FILTER_GROUP_daemonize, 0 },
	{ "umask", 95, FILTER_GROUP_daemonize, 1 }, { "tkill", 200, FILTER_GROUP_daemonize, 1 },
	{ "setuid", 105, FILTER_GROUP_runas, 0 }, { "setgid", 106, FILTER_GROUP_runas, 0 },
	{ "setgroups", 116, FILTER_GROUP_runas, 0 }, { "setresuid", 117, FILTER_GROUP_runas, 0 },
	{ "setresgid", 119, FILTER_GROUP_runas, 0 }, { "setreuid", 113, FILTER_GROUP_runas, 0 },
	{ "setregid", 114, FILTER_GROUP_runas, 0 }, { "chroot", 161, FILTER_GROUP_chroot, 0 },
	{ "sched_setaffinity", 203, FILTER_GROUP_affinity, 1 },
	{ "sched_setscheduler", 144, FILTER_GROUP_affinity, 1 },
	{ "sched_setattr", 314, FILTER_GROUP_affinity, 1 },
	{ "setpriority", 141, FILTER_GROUP_affinity, 1 },
	{ "mkdir", 83, FILTER_GROUP_9p, 17 }, { "mkdirat", 258, FILTER_GROUP_9p, 17 },
	{ "rmdir", 84, FILTER_GROUP_9p, 1 }, { "link", 86, FILTER_GROUP_9p, 1 },
	{ "linkat", 265, FILTER_GROUP_9p, 1 }, { "symlink", 88, FILTER_GROUP_9p, 1 },
	{ "symlinkat", 266, FILTER_GROUP_9p, 1 }, { "chown", 92, FILTER_GROUP_9p, 1 },
	{ "fchown", 93, FILTER_GROUP_9p, 1 }, { "fchownat", 260, FILTER_GROUP_9p, 1 },
	{ "utimensat", 280, FILTER_GROUP_9p, 1 }, { "setxattr", 188, FILTER_GROUP_9p, 95 },
	{ "lsetxattr", 189, FILTER_GROUP_9p, 95 }, { "fsetxattr", 190, FILTER_GROUP_9p, 95 },
	{ "getxattr", 191, FILTER_GROUP_9p, 95 }, { "lgetxattr", 192, FILTER_GROUP_9p, 95 },
	{ "fgetxattr", 193, FILTER_GROUP_9p, 95 }, { "listxattr", 194, FILTER_GROUP_9p, 95 },
	{ "llistxattr", 195, FILTER_GROUP_9p, 95 }, { "flistxattr", 196, FILTER_GROUP_9p, 95 },
	{ "removexattr", 197, FILTER_GROUP_9p, 95 }, { "lremovexattr", 198, FILTER_GROUP_9p, 95 },
	{ "fremovexattr", 199, FILTER_GROUP_9p, 95 },
	{ "userfaultfd", 323, FILTER_GROUP_postcopy, 1 },
	{ "mlockall", 151, FILTER_GROUP_mem_lock, 1 },
	{ "bpf", 321, FILTER_GROUP_bpf, 1 }, { "add_key", 248, FILTER_GROUP_keyring, 38 },
};

/* By hand: an errno under every action, whatever is asked for. */
static const struct { const char *name; int nr; unsigned err; } failing[] = {
	/* of which the first argument is no request of the group */
	{ "keyctl", 250, 38 },
	{ "clone3", 435, 38 }, { "vfork", 58, 1 }, { "shmget", 29, 38 }, { "semget", 64, 38 },
	{ "fchmodat2", 452, 38 },
};

/* By hand: what QEMU cannot be without. */
static const struct { const char *name; int nr; } always[] = {
	{ "read", 0 }, { "write", 1 }, { "close", 3 }, { "mmap", 9 }, { "mprotect", 10 },
	{ "rt_sigaction", 13 }, { "ioctl", 16 }, { "readv", 19 }, { "writev", 20 }, { "futex", 202 },
	{ "ppoll", 271 }, { "exit_group", 231 }, { "eventfd2", 290 },
	{ "io_submit", 209 }, { "preadv", 295 }, { "pwritev", 296 },
	{ "membarrier", 324 }, { "rseq", 334 },
	{ "mseal", 462 }, { "uretprobe", 335 }, { "uprobe", 336 }, { "map_shadow_stack", 453 },
	{ "futex_wake", 454 }, { "futex_wait", 455 }, { "futex_requeue", 456 },
};

static void judge(const struct combination *c, const char *name, int nr, uint32_t want)
{
	for (size_t a = 0; a < ARRAY_LEN(arg_sets); a++) {
		const uint32_t got = answer(c, nr, AUDIT_ARCH_X86_64, arg_sets[a]);

		if (got != want)
			fail_msg("%s (action %d, groups %x): 0x%x, not 0x%x", name, (int)c->action,
				 c->groups, got, want);
	}
}

static void test_by_hand(void **state)
{
	static struct combination c;

	(void)state;
	for (int action = 0; action < FILTER_ACTION__COUNT; action++) {
		for (unsigned groups = 0; groups <= FILTER_GROUPS_ALL; groups = next_set(groups)) {
			make(&c, (enum filter_action)action, groups);
			for (size_t i = 0; i < ARRAY_LEN(never); i++)
				judge(&c, never[i].name, never[i].nr, default_of(c.action));
			for (size_t i = 0; i < ARRAY_LEN(always); i++)
				judge(&c, always[i].name, always[i].nr, YES);
			for (size_t i = 0; i < ARRAY_LEN(grouped); i++)
				judge(&c, grouped[i].name, grouped[i].nr,
				      groups & (1U << grouped[i].group) ? YES
				      : grouped[i].err != 0 ? FAILS(grouped[i].err)
							    : default_of(c.action));
			for (size_t i = 0; i < ARRAY_LEN(failing); i++)
				judge(&c, failing[i].name, failing[i].nr, FAILS(failing[i].err));
		}
	}
}

/* Arguments, by hand. want 0: the default action. */
#define THREAD	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | \
		 CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)
#define HIGH	((uint64_t)1 << 32)
#define ALL	FILTER_GROUPS_ALL
static const struct {
	const char *name;
	int nr;
	unsigned groups;
	uint32_t want;
	uint64_t args[6];
} arguments[] = {
	{ "a thread", 56, 0, YES, { THREAD } },
	{ "a thread, daemonize", 56, ALL, YES, { THREAD } },
	{ "a fork", 56, 0, FAILS(1), { CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | 17 } },
	{ "a fork, daemonize", 56, 1U << FILTER_GROUP_daemonize, YES, { CLONE_CHILD_SETTID | 17 } },
	{ "a fork, all other groups", 56, ALL & ~(1U << FILTER_GROUP_daemonize), FAILS(1), { 17 } },
	{ "a vfork", 56, 0, FAILS(1), { CLONE_VM | CLONE_VFORK | 17 } },
	{ "no flag", 56, 0, FAILS(1), { 0 } },
	{ "a thread in a new user namespace", 56, ALL, 0, { THREAD | CLONE_NEWUSER } },
	{ "a thread in a new mount namespace", 56, ALL, 0, { THREAD | CLONE_NEWNS } },
	{ "a fork in a new network namespace", 56, ALL, 0, { CLONE_NEWNET | 17 } },
	{ "a fork in a new cgroup namespace", 56, ALL, 0, { CLONE_NEWCGROUP | 17 } },
	{ "a fork in a new pid namespace", 56, ALL, 0, { CLONE_NEWPID | 17 } },
	{ "a fork in a new ipc namespace", 56, ALL, 0, { CLONE_NEWIPC | 17 } },
	{ "a fork in a new uts namespace", 56, ALL, 0, { CLONE_NEWUTS | 17 } },
	{ "own limits read", 302, 0, YES, { 0, 7, 0, 0x7f0000000000 } },
	{ "other's limits read", 302, 0, YES, { 1234, 7, 0, 0x7f0000000000 } },
	{ "limits written", 302, ALL, FAILS(1), { 0, 7, 0x7f0000000000, 0 } },
	{ "limits written, pointer's low half 0", 302, ALL, FAILS(1), { 0, 7, HIGH, 0 } },
	{ "limits written, pointer's high half 0", 302, ALL, FAILS(1), { 0, 7, 0x1000, 0 } },
	{ "a signal to QEMU", 62, 0, YES, { OWN_PID, 15 } },
	{ "a signal to another", 62, ALL & ~(1U << FILTER_GROUP_daemonize), FAILS(1), { OWN_PID + 1, 15 } },
	{ "a signal to the process group", 62, 0, FAILS(1), { 0, 15 } },
	{ "a signal to all", 62, 0, FAILS(1), { UINT64_MAX, 15 } },
	{ "a signal to QEMU's group", 62, 0, FAILS(1), { -(uint64_t)OWN_PID, 15 } },
	{ "a signal to another, daemonize", 62, 1U << FILTER_GROUP_daemonize, YES, { 1, 15 } },
	{ "a signal to a thread of QEMU", 234, 0, YES, { OWN_PID, 77, 15 } },
	{ "a signal to a thread of another", 234, 0, FAILS(1), { 1, 77, 15 } },
	{ "a descriptor's owner", 72, ALL, FAILS(1), { 3, 8, 1 } },
	{ "a descriptor's owner, upper half set", 72, ALL, FAILS(1), { 3, 8 | HIGH, 1 } },
	{ "a descriptor's owner, by structure", 72, ALL, FAILS(1), { 3, 15, 1 } },
	{ "a descriptor's signal", 72, ALL, FAILS(1), { 3, 10, 9 } },
	{ "a descriptor's flags", 72, 0, YES, { 3, 4, 04000 } },
	{ "a lock", 72, 0, YES, { 3, 37, 1 } },
	{ "a Unix socket", 41, 0, YES, { 1, 1 } },
	{ "an IPv4 socket, upper half set", 41, 0, YES, { 2 | HIGH, 1 } },
	{ "an IPv6 socket", 41, 0, YES, { 10, 2 } },
	{ "a netlink socket", 41, ALL & ~(1U << FILTER_GROUP_sockets), FAILS(97), { 16, 3 } },
	{ "a packet socket", 41, 0, FAILS(97), { 17, 3 } },
	{ "a vsock socket", 41, 0, FAILS(97), { 40, 1 } },
	{ "a vsock socket, sockets", 41, 1U << FILTER_GROUP_sockets, YES, { 40, 1 } },
	{ "a pair of Unix sockets", 53, 0, YES, { 1, 1 } },
	{ "a pair of others", 53, ALL, FAILS(97), { 40, 1 } },
	{ "a mode", 90, 0, YES, { 1, 01777 } },
	{ "set-user-id", 90, ALL, FAILS(1), { 1, 04755 } },
	{ "set-group-id", 91, ALL, FAILS(1), { 1, 02755 } },
	{ "set-user-id, by name", 268, ALL, FAILS(1), { 3, 1, 06755 } },
	{ "a file is read", 257, 0, YES, { 3, 1, 0, 0 } },
	{ "a file is made", 257, 0, YES, { 3, 1, O_CREAT | O_RDWR, 0644 } },
	{ "a file is read, the mode is anything", 257, 0, YES, { 3, 1, O_DIRECTORY, UINT64_MAX } },
	{ "a file is read, the mode has set-group-id", 257, 0, YES, { 3, 1, 0, 02000 } },
	{ "a set-user-id file is made", 257, ALL, FAILS(1), { 3, 1, O_CREAT | O_RDWR, 04755 } },
	{ "a set-group-id file is made", 257, ALL, FAILS(1), { 3, 1, O_CREAT | O_RDWR, 02755 } },
	{ "a set-user-id file without a name", 257, ALL, FAILS(1), { 3, 1, 020200000 | O_RDWR, 04755 } },
	{ "a set-user-id file, by open", 2, ALL, FAILS(1), { 1, O_CREAT | O_RDWR, 04755 } },
	{ "a file is made, by open", 2, 0, YES, { 1, O_CREAT | O_RDWR, 0644 } },
	{ "a fifo", 259, 1U << FILTER_GROUP_9p, YES, { 3, 1, 0010644, 0 } },
	{ "a socket's file", 259, 1U << FILTER_GROUP_9p, YES, { 3, 1, 0140644, 0 } },
	{ "a plain node", 259, 1U << FILTER_GROUP_9p, YES, { 3, 1, 0100600, 0 } },
	{ "a node of type 0", 259, 1U << FILTER_GROUP_9p, YES, { 3, 1, 0600, 0 } },
	{ "a set-user-id node", 259, ALL, FAILS(1), { 3, 1, 0104755, 0 } },
	{ "a fifo, without 9p", 259, ALL & ~(1U << FILTER_GROUP_9p), FAILS(1), { 3, 1, 0010644, 0 } },
	{ "a block device", 259, ALL, FAILS(1), { 3, 1, 0060600, 0x800 } },
	{ "a character device", 259, ALL, FAILS(1), { 3, 1, 0020600, 0x103 } },
	{ "a thread's name", 157, 0, YES, { 15 } },
	{ "a thread's name, upper half set", 157, 0, YES, { 15 | HIGH } },
	{ "no_new_privs", 157, 0, YES, { 38, 1 } },
	{ "the bounding set is read", 157, 0, YES, { 23 } },
	{ "timer slack", 157, 0, YES, { 29 } },
	{ "memory errors", 157, 0, YES, { 33 } },
	{ "the bounding set is changed", 157, ALL, FAILS(22), { 24 } },
	{ "a tracer is named", 157, ALL, FAILS(22), { 0x59616d61 } },
	{ "a signal when the parent ends", 157, 0, FAILS(22), { 1 } },
	{ "a key is read, keyring", 250, 1U << FILTER_GROUP_keyring, YES, { 11, 1 } },
	{ "a key is read, upper half", 250, 1U << FILTER_GROUP_keyring, YES, { 0x10000000bUL, 1 } },
	{ "a key is read, other groups", 250, ALL & ~(1U << FILTER_GROUP_keyring), FAILS(38), { 11, 1 } },
	{ "a session keyring is joined", 250, ALL, FAILS(38), { 1, 0 } },
	{ "a signal when the parent ends, daemonize", 157, 1U << FILTER_GROUP_daemonize, YES, { 1, 1 } },
	{ "capabilities are kept", 157, ALL, FAILS(22), { 8 } },
	{ "the memory map is changed", 157, ALL, FAILS(22), { 35 } },
	{ "ambient capabilities", 157, ALL, FAILS(22), { 47 } },
	{ "what does seccomp know?", 317, 0, YES, { 2, 0 } },
	{ "a further filter", 317, 0, YES, { 1, 1 } },
	{ "a filter with a listener", 317, ALL, FAILS(22), { 1, 8 } },
	{ "a filter with a listener, and for all threads", 317, ALL, FAILS(22), { 1, 0x19 } },
	{ "the one exec", 322, 0, YES, { EXEC_FD, EXEC_PATH, 2, 3, AT_EMPTY_PATH } },
	{ "exec of one number less", 322, ALL, 0, { EXEC_FD - 1, EXEC_PATH, 2, 3, AT_EMPTY_PATH } },
	{ "exec of one number more", 322, ALL, 0, { EXEC_FD + 1, EXEC_PATH, 2, 3, AT_EMPTY_PATH } },
	{ "exec of descriptor 0", 322, ALL, 0, { 0, EXEC_PATH, 2, 3, AT_EMPTY_PATH } },
	{ "exec of a path", 322, ALL, 0, { (uint64_t)AT_FDCWD, 1, 2, 3, 0 } },
	{ "exec with no flag", 322, ALL, 0, { EXEC_FD, EXEC_PATH, 2, 3, 0 } },
	{ "exec with a further flag", 322, ALL, 0,
	  { EXEC_FD, EXEC_PATH, 2, 3, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW } },
	{ "exec, flag's high half set", 322, ALL, 0, { EXEC_FD, EXEC_PATH, 2, 3, AT_EMPTY_PATH | HIGH } },
	{ "exec, number's high half set", 322, ALL, 0, { EXEC_FD | HIGH, EXEC_PATH, 2, 3, AT_EMPTY_PATH } },
	{ "exec of another path", 322, ALL, 0, { EXEC_FD, EXEC_PATH - 1, 2, 3, AT_EMPTY_PATH } },
	{ "exec of a path, low half right", 322, ALL, 0,
	  { EXEC_FD, EXEC_PATH ^ HIGH, 2, 3, AT_EMPTY_PATH } },
	{ "exec of a path, high half right", 322, ALL, 0,
	  { EXEC_FD, EXEC_PATH ^ 0x1000, 2, 3, AT_EMPTY_PATH } },
	{ "exec of the mark", 322, ALL, 0, { FILTER_MARK_EXEC_FD, EXEC_PATH, 2, 3, AT_EMPTY_PATH } },
};

static void test_arguments(void **state)
{
	static struct combination c;

	(void)state;
	for (int action = 0; action < FILTER_ACTION__COUNT; action++) {
		for (size_t i = 0; i < ARRAY_LEN(arguments); i++) {
			const uint32_t want = arguments[i].want;
			uint32_t got;

			make(&c, (enum filter_action)action, arguments[i].groups);
			got = answer(&c, arguments[i].nr, AUDIT_ARCH_X86_64, arguments[i].args);
			if (got != (want != 0 ? want : default_of(c.action)))
				fail_msg("%s (action %d): 0x%x", arguments[i].name, action, got);
		}
	}
}

/* By hand: requests of a terminal, and what they get where there is one. */
static const struct { const char *name; uint64_t request; uint32_t want; } requests[] = {
	{ "TIOCSTI", 0x5412, FAILS(1) }, { "TIOCSTI, upper half set", 0x5412 | HIGH, FAILS(1) },
	{ "TIOCSTI, upper bits", 0x5412 | UINT64_MAX << 32, FAILS(1) },
	{ "TIOCLINUX", 0x541c, FAILS(1) }, { "TIOCLINUX, bit 40", 0x541c | 1ULL << 40, FAILS(1) },
	{ "TIOCSETD", 0x5423, FAILS(1) }, { "TIOCSETD, bit 63", 0x5423 | 1ULL << 63, FAILS(1) },
	{ "KDSKBENT", 0x4b47, FAILS(1) }, { "KDSKBSENT", 0x4b49, FAILS(1) },
	{ "KDSKBDIACR", 0x4b4b, FAILS(1) }, { "KDSETKEYCODE", 0x4b4d, FAILS(1) },
	{ "KDSKBDIACRUC", 0x4bfb, FAILS(1) },
	{ "FIOSETOWN", 0x8901, FAILS(1) }, { "SIOCSPGRP", 0x8902, FAILS(1) },
	{ "SIOCSPGRP, upper half set", 0x8902 | HIGH, FAILS(1) },
	{ "TCGETS", 0x5401, YES }, { "TCSETS", 0x5402, YES }, { "TIOCGPGRP", 0x540f, YES },
	{ "TIOCSPGRP", 0x5410, YES }, { "TIOCGWINSZ", 0x5413, YES }, { "FIONREAD", 0x541b, YES },
	{ "TIOCGETD", 0x5424, YES }, { "TIOCSTI less one", 0x5411, YES }, { "KDGKBENT", 0x4b46, YES },
	{ "FIOGETOWN", 0x8903, YES }, { "KVM_RUN", 0xae80, YES }, { "0", 0, YES },
	{ "0x5412 in the upper half", 0x5412ULL << 32, YES },
};

static uint32_t terminal_answer(int nr, uint32_t arch, const uint64_t args[6])
{
	static struct combination c;
	const struct sock_filter *prog = filter_get_terminal(&c.len);

	memcpy(c.prog, prog, c.len * sizeof(*prog));
	return answer(&c, nr, arch, args);
}

static void test_terminal(void **state)
{
	static struct combination with, without;

	(void)state;
	for (int action = 0; action < FILTER_ACTION__COUNT; action++) {
		make_for(&with, (enum filter_action)action, 0, true);
		make(&without, (enum filter_action)action, 0);
		for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
			const uint64_t args[6] = { 1, requests[i].request, 1, 2, 3, 4 };

			if (answer(&with, 16, AUDIT_ARCH_X86_64, args) != requests[i].want ||
			    terminal_answer(16, AUDIT_ARCH_X86_64, args) != requests[i].want ||
			    answer(&without, 16, AUDIT_ARCH_X86_64, args) != YES)
				fail_msg("%s (action %d)", requests[i].name, action);
		}
	}
}

/* The program by itself: all but ioctl is allowed, and other architectures have no way round. */
static void test_terminal_alone(void **state)
{
	static const uint64_t typing[6] = { 0, 0x5412, 1 };

	(void)state;
	for (int nr = 0; nr < CALLS; nr++) {
		if (nr != 16)
			assert_int_equal(terminal_answer(nr, AUDIT_ARCH_X86_64, typing), YES);
		assert_int_equal(terminal_answer(nr, AUDIT_ARCH_I386, typing), DIE);
		assert_int_equal(terminal_answer(nr | X32_BIT, AUDIT_ARCH_X86_64, typing), DIE);
	}
	assert_int_equal(terminal_answer(-1, AUDIT_ARCH_X86_64, typing), YES);
}

static void test_exec(void **state)
{
	static const struct filter_exec execs[] = {
		{ 3, EXEC_PATH, 1 }, { 255, EXEC_PATH, 1 }, { 1024, 0xfffffffffeffful, 1 },
		{ 4095, 0, 1 }, { 1048576, UINT64_MAX, 1 }, { INT32_MAX, 1, 1 },
	};
	struct sock_filter prog[FILTER_PROFILE_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(execs); i++) {
		const int len = filter_get(FILTER_ERRNO, 0, &execs[i], prog, FILTER_PROFILE_MAX);
		struct filter_exec other = execs[i];
		size_t at;

		assert_int_equal(filter_check(prog, (size_t)len, &other, &at), INTERP_OK);
		other.fd--;
		assert_int_equal(filter_check(prog, (size_t)len, &other, &at), INTERP_EXEC);
		other = execs[i];
		other.path ^= HIGH;
		assert_int_equal(filter_check(prog, (size_t)len, &other, &at), INTERP_EXEC);
	}
	assert_int_equal(filter_get(FILTER_ERRNO, 0, &exec_here, prog, 10), -1);
}

/* No mark survives filling in. */
static void test_no_mark_left(void **state)
{
	static struct combination c;

	(void)state;
	for (unsigned groups = 0; groups <= FILTER_GROUPS_ALL; groups = next_set(groups)) {
		make_for(&c, FILTER_ERRNO, groups, true);
		for (size_t i = 0; i < c.len; i++) {
			assert_int_not_equal(c.prog[i].k, FILTER_MARK_EXEC_FD);
			assert_int_not_equal(c.prog[i].k, FILTER_MARK_PID);
			assert_int_not_equal(c.prog[i].k, (uint32_t)FILTER_MARK_EXEC_PATH);
			assert_int_not_equal(c.prog[i].k, FILTER_MARK_EXEC_PATH >> 32);
			if (BPF_CLASS(c.prog[i].code) == BPF_RET)
				assert_true(c.prog[i].k == YES || c.prog[i].k == DIE ||
					    (c.prog[i].k > FAILS(0) && c.prog[i].k < FAILS(134)));
		}
	}
}

/* How many programs of libseccomp's the program was joined from. */
enum { TERMINAL_PARTS = 2 };	/* and those of terminal.def before it */

static unsigned count_parts(void)
{
	unsigned n = 1;

	for (size_t i = 0; i < policy_qemu_len; i++) {
		bool known = !policy_qemu[i].otherwise;

		for (size_t j = 0; j < i; j++)
			known |= policy_qemu[j].otherwise && policy_qemu[j].ret == policy_qemu[i].ret;
		n += !known;
	}
	return n;
}

/* Is a copy in which one instruction is spoilt noticed? */
static bool spoilt_is_noticed(const struct combination *whole, size_t at)
{
	static struct combination c;

	c = *whole;
	if (BPF_CLASS(c.prog[at].code) == BPF_RET)
		c.prog[at].k ^= SECCOMP_RET_LOG;
	else
		c.prog[at].k ^= 0x10;
	return differences(&c) != 0;
}

/* Every comparison and every return must matter, to a launch with all groups or to one without. */
static void test_mutated_program(void **state)
{
	static struct combination all, none;
	unsigned missed = 0;

	(void)state;
	make_for(&all, FILTER_TRAP, FILTER_GROUPS_ALL, true);
	make_for(&none, FILTER_TRAP, 0, true);
	assert_int_equal(differences(&all), 0);
	for (size_t i = 0; i < all.len; i++) {
		if (BPF_CLASS(all.prog[i].code) == BPF_RET ||
		    all.prog[i].code == (BPF_JMP | BPF_JEQ | BPF_K))
			missed += !spoilt_is_noticed(&all, i) && !spoilt_is_noticed(&none, i);
	}
	/*
	 * libseccomp 2.5.4 ends every program with a return that nothing jumps to, and all but the
	 * first check the architecture once more.
	 */
	assert_in_range(missed, 0, 2 * (count_parts() + TERMINAL_PARTS) - 1);
}

/* One row of the table, changed in turn, must be noticed. */
static void test_mutated_table(void **state)
{
	static struct combination c;

	(void)state;
	make(&c, FILTER_KILL, 0);
	for (size_t i = 0; i < policy_qemu_len; i++) {
		const struct policy_rule saved = c.rules[i];

		if (saved.ret == DIE)
			continue;	/* a group that is off says what the default says */
		c.rules[i].ret = DIE;
		if (differences(&c) == 0)
			fail_msg("denying %s goes unnoticed", saved.name);
		c.rules[i] = saved;
	}
	assert_int_equal(differences(&c), 0);
}

/* A table that allows one more call than the program, and a hand-written verdict that is wrong. */
static void test_mutated_row(void **state)
{
	static struct combination c;

	(void)state;
	make(&c, FILTER_KILL, 0);
	c.rules[0].nr = never[0].nr;
	assert_true(differences(&c) != 0);
	assert_string_equal(c.first, "call 59 arch c000003e: 0x80000000, not 0x7fff0000");
}

static void test_rows_are_disjoint(void **state)
{
	(void)state;
	for (size_t i = 0; i < policy_qemu_len; i++) {
		for (size_t j = 0; j < i; j++) {
			const struct policy_rule *a = &policy_qemu[i], *b = &policy_qemu[j];

			if (!policy_disjoint(a, b) || (a->nr == b->nr && a->tests[0].mask == 0 && !a->otherwise))
				fail_msg("%s stands twice", a->name);
		}
	}
}

static void test_hot_calls_have_no_test(void **state)
{
	static const int hot[] = { 0, 1, 9, 16, 19, 20, 202, 271 };

	(void)state;
	for (size_t i = 0; i < policy_qemu_len; i++)
		for (size_t h = 0; h < ARRAY_LEN(hot); h++)
			if (policy_qemu[i].nr == hot[h])
				assert_int_equal(policy_qemu[i].tests[0].mask, 0);
}

#define INS(c, t, f, v)	{ (c), (t), (f), (v) }
#define LOADW(k)	INS(BPF_LD | BPF_W | BPF_ABS, 0, 0, k)
#define JEQ(v, t, f)	INS(BPF_JMP | BPF_JEQ | BPF_K, t, f, v)
#define RET(v)		INS(BPF_RET | BPF_K, 0, 0, v)
static const struct {
	const char *name;
	enum interp_fault fault;
	size_t len;
	struct sock_filter prog[6];
} foreign[] = {
	{ "allows everything", INTERP_OK, 1, { RET(YES) } },
	{ "logs everything", INTERP_OK, 1, { RET(SECCOMP_RET_LOG) } },
	{ "kills everything", INTERP_EXEC, 1, { RET(DIE) } },
	{ "asks a tracer", INTERP_EXEC, 1, { RET(SECCOMP_RET_TRACE) } },
	{ "asks a supervisor", INTERP_EXEC, 1, { RET(SECCOMP_RET_USER_NOTIF) } },
	{ "errno 0", INTERP_EXEC, 1, { RET(SECCOMP_RET_ERRNO) } },
	{ "denies execveat", INTERP_EXEC, 4, { LOADW(0), JEQ(322, 0, 1), RET(DIE), RET(YES) } },
	{ "denies execve only", INTERP_OK, 4, { LOADW(0), JEQ(59, 0, 1), RET(DIE), RET(YES) } },
	{ "allows our number", INTERP_OK, 4, { LOADW(16), JEQ(EXEC_FD, 0, 1), RET(YES), RET(DIE) } },
	{ "allows another number", INTERP_EXEC, 4, { LOADW(16), JEQ(4095, 0, 1), RET(YES), RET(DIE) } },
	{ "the mark is filled in", INTERP_OK, 4,
	  { LOADW(16), JEQ(FILTER_MARK_EXEC_FD, 0, 1), RET(YES), RET(DIE) } },
	{ "another architecture's", INTERP_EXEC, 4,
	  { LOADW(4), JEQ(AUDIT_ARCH_I386, 0, 1), RET(YES), RET(DIE) } },
	{ "empty", INTERP_EMPTY, 0, { RET(YES) } },
	{ "jumps out", INTERP_JUMP, 2, { JEQ(0, 1, 0), RET(YES) } },
	{ "ends in a load", INTERP_NO_RET, 2, { RET(YES), LOADW(0) } },
	{ "eBPF", INTERP_OPCODE, 2, { INS(0xb7, 0, 0, 0), RET(YES) } },
	{ "reads past the call", INTERP_OPERAND, 2, { LOADW(64), RET(YES) } },
	{ "divides by X, which is 0", INTERP_EXEC, 2, { INS(BPF_ALU | BPF_DIV | BPF_X, 0, 0, 0), RET(YES) } },
};

static void test_foreign_programs(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(foreign); i++) {
		struct sock_filter prog[6];
		enum interp_fault fault;
		size_t at;

		memcpy(prog, foreign[i].prog, sizeof(prog));
		filter_set_exec(prog, foreign[i].len, &exec_here);
		fault = filter_check(prog, foreign[i].len, &exec_here, &at);
		if (fault != foreign[i].fault)
			fail_msg("%s: %s", foreign[i].name, interp_fault_text(fault));
	}
}

/* --- the keeper's program --------------------------------------------------------------------- */

#define PASST_PID	31337U

static uint32_t keeper_says(int nr, uint32_t arch, const uint64_t args[6])
{
	struct seccomp_data call = { .nr = nr, .arch = arch };
	struct sock_filter prog[FILTER_KEEPER_MAX];
	const int len = filter_get_keeper(PASST_PID, prog, ARRAY_LEN(prog));
	uint32_t ret;

	assert_true(len > 0);
	memcpy(call.args, args, sizeof(call.args));
	assert_true(interp_run(prog, (size_t)len, &call, &ret));
	return ret;
}

/* Written by hand: what the keeper calls, with which arguments. Every other call dies. */
static const struct { int nr; uint64_t arg0, arg1; } keeper_calls[] = {
	{ 46 /* sendmsg */,		FILTER_KEEPER_TALK_FD,	0 },
	{ 3 /* close */,		0,			0 },
	{ 3 /* close */,		77,			0 },
	{ 7 /* poll */,			0x7f0000000000,		2 },
	{ 219 /* restart_syscall */,	0,			0 },
	{ 61 /* wait4 */,		PASST_PID,		0 },
	{ 228 /* clock_gettime */,	1,			0 },
	{ 62 /* kill */,		PASST_PID,		15 },
	{ 62 /* kill */,		PASST_PID,		9 },
	{ 231 /* exit_group */,		0,			0 },
};

/* Of sendmsg, wait4 and kill the first argument counts, of kill the second too; as 32 bits. */
static bool keeper_may(int nr, uint64_t arg0, uint64_t arg1)
{
	const bool first = nr == 46 || nr == 61 || nr == 62, second = nr == 62;

	for (size_t i = 0; i < ARRAY_LEN(keeper_calls); i++)
		if (keeper_calls[i].nr == nr &&
		    (!first || keeper_calls[i].arg0 == (uint32_t)arg0) &&
		    (!second || keeper_calls[i].arg1 == (uint32_t)arg1))
			return true;
	return false;
}

static void test_keeper(void **state)
{
	static const uint64_t pids[] = { 0, 1, 3, 4, 5, PASST_PID, PASST_PID + 1, 1ULL << 32,
					 UINT32_MAX, UINT64_MAX, FILTER_MARK_PID };
	static const uint64_t none[6] = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(keeper_calls); i++)
		assert_true(keeper_may(keeper_calls[i].nr, keeper_calls[i].arg0,
				       keeper_calls[i].arg1));
	for (int nr = -1; nr < CALLS; nr++) {
		for (size_t p = 0; p < ARRAY_LEN(pids); p++) {
			for (uint64_t sig = 0; sig < 20; sig++) {
				const uint64_t args[6] = { pids[p], sig };
				const bool may = keeper_may(nr, pids[p], sig);

				assert_int_equal(keeper_says(nr, AUDIT_ARCH_X86_64, args),
						 may ? YES : DIE);
			}
		}
		assert_int_equal(keeper_says(nr, AUDIT_ARCH_I386, none), DIE);
		assert_int_equal(keeper_says(nr | X32_BIT, AUDIT_ARCH_X86_64, none), DIE);
	}
	assert_int_equal(filter_get_keeper(PASST_PID, NULL, 1), -1);
}

static void test_names(void **state)
{
	(void)state;
	for (int i = 0; i < FILTER_ACTION__COUNT; i++)
		assert_int_equal(filter_action_find(filter_action_name((enum filter_action)i)), i);
	for (int i = 0; i < FILTER_GROUP__COUNT; i++)
		assert_int_equal(filter_group_find(filter_group_name((enum filter_group)i)), i);
	assert_int_equal(filter_action_find("errno"), FILTER_ERRNO);
	assert_int_equal(filter_group_find("io_uring"), FILTER_GROUP_io_uring);
	assert_int_equal(filter_action_find("allow"), -1);
	assert_int_equal(filter_group_find(""), -1);
	assert_null(filter_action_name(FILTER_ACTION__COUNT));
	assert_null(filter_group_name(FILTER_GROUP__COUNT));
	assert_non_null(strstr(filter_group_why(FILTER_GROUP_chroot), "-chroot"));
}

static void test_load_refuses(void **state)
{
	static const struct sock_filter prog[] = { RET(YES) };

	(void)state;
	assert_int_equal(filter_load(prog, 0, false), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(filter_load(prog, BPF_MAXINSNS + 1, false), -1);
	assert_int_equal(errno, EINVAL);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_combinations),
		cmocka_unit_test(test_other_architectures),
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_terminal),
		cmocka_unit_test(test_terminal_alone),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_no_mark_left),
		cmocka_unit_test(test_mutated_program),
		cmocka_unit_test(test_mutated_table),
		cmocka_unit_test(test_mutated_row),
		cmocka_unit_test(test_rows_are_disjoint),
		cmocka_unit_test(test_hot_calls_have_no_test),
		cmocka_unit_test(test_foreign_programs),
		cmocka_unit_test(test_keeper),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_load_refuses),
	};

	return UNIT_RUN(tests, argc, argv);
}
