/*
 * syscall-cost.c - what the filter costs a call that QEMU makes all the time
 *
 *   syscall-cost [ROUNDS]
 *
 * Four children take turns: without a filter, under the profile `qemu`, under the profile as it is on
 * a terminal, and under the shortest filter there is, which allows everything.
 * A round is a burst of calls in each, so that whatever else the machine does hits all of them.
 * Printed: the median time of a call in each, what the profile costs, and the ratio of the profile,
 * without and with a terminal, to the shortest. What the shortest filter costs is the kernel's price
 * for having one at all.
 *
 * Each call does what QEMU has it do, on what QEMU has: a full virtio-net frame, a block of 64 KiB,
 * eventfds, a main loop's set of descriptors. The shortest of each kind is printed too, as "bare":
 * a call that does nothing shows the difference best and the ratio worst.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/kvm.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "seccomp/filter.h"

#define ROUNDS_MAX	2001
#define BURST_NS	2000000		/* about; long against a clock read, short against a time slice */
#define BLOCK		65536
#define POLLED		32

static struct {
	int zero, null, file, event, pipe[2], vcpu;
	struct pollfd polled[POLLED];
	uint32_t word;
	_Atomic uint32_t turn;		/* 0: ours, 1: the other thread's */
	char block[BLOCK];
} env;

static void call_ioctl(void)		{ int n; (void)ioctl(env.pipe[0], FIONREAD, &n); }
static void call_ioctl_kvm(void)	{ (void)ioctl(env.vcpu, KVM_RUN, 0); }
static void call_read(void)		{ (void)!read(env.zero, env.block, 1); }
static void call_read_block(void)	{ (void)!pread(env.file, env.block, BLOCK, 0); }
static void call_write(void)		{ (void)!write(env.null, env.block, 1); }
static void call_write_block(void)	{ (void)!pwrite(env.file, env.block, BLOCK, 0); }
static void call_write_event(void)	{ uint64_t v = 1; (void)!write(env.event, &v, 8); }
static void call_futex(void)		{ (void)syscall(__NR_futex, &env.word, FUTEX_WAKE_PRIVATE, 1, NULL); }
static void futex(int op, uint32_t value)
{
	(void)syscall(__NR_futex, &env.turn, op, value, NULL);
}

static void give_turn(uint32_t to)
{
	env.turn = to;
	futex(FUTEX_WAKE_PRIVATE, 1);
	while (env.turn == to)
		futex(FUTEX_WAIT_PRIVATE, to);
}

/* A lock handed to another thread and back: what a futex call is made for. */
static void call_futex_pair(void)	{ give_turn(1); }

static void *other_thread(void *arg)
{
	while (env.turn == 0)
		futex(FUTEX_WAIT_PRIVATE, 0);
	for (;;)
		give_turn(0);
	return arg;
}

static void call_prlimit(void)		{ (void)syscall(__NR_prlimit64, 0, 7, NULL, env.block); }

static void call_ppoll(void)
{
	struct timespec none = { 0, 0 };

	(void)ppoll(env.polled, 1, &none, NULL);
}

static void call_ppoll_loop(void)
{
	struct timespec none = { 0, 0 };

	(void)ppoll(env.polled, POLLED, &none, NULL);
}

static const struct { const char *name; void (*call)(void); } calls[] = {
	{ "ioctl, bare (FIONREAD)",	call_ioctl },
	{ "ioctl KVM_RUN to a halt",	call_ioctl_kvm },
	{ "read, bare (1 byte)",	call_read },
	{ "read of 64 KiB",		call_read_block },
	{ "write, bare (1 byte)",	call_write },
	{ "write to an eventfd",	call_write_event },
	{ "write of 64 KiB",		call_write_block },
	{ "ppoll, bare (1)",		call_ppoll },
	{ "ppoll of 32 eventfds",	call_ppoll_loop },
	{ "futex, bare (wake none)",	call_futex },
	{ "futex, to a thread and back", call_futex_pair },
	{ "prlimit64 (has a test)",	call_prlimit },
};
#define CALLS	(sizeof(calls) / sizeof(calls[0]))

/* A virtual CPU that does nothing but halt; -1 where there is no KVM. */
static int make_vcpu(void)
{
	static const unsigned char code[] = { 0xf4, 0xeb, 0xfd };	/* again: hlt; jmp again */
	struct kvm_userspace_memory_region ram = { .guest_phys_addr = 0x1000, .memory_size = 0x1000 };
	struct kvm_regs regs = { .rip = 0x1000, .rflags = 2 };
	struct kvm_sregs sregs;
	const int kvm = open("/dev/kvm", O_RDWR), vm = kvm < 0 ? -1 : ioctl(kvm, KVM_CREATE_VM, 0);
	const int vcpu = vm < 0 ? -1 : ioctl(vm, KVM_CREATE_VCPU, 0);
	void *page = mmap(NULL, 0x1000, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (vcpu < 0 || page == MAP_FAILED || ioctl(vcpu, KVM_GET_SREGS, &sregs) != 0)
		return -1;
	memcpy(page, code, sizeof(code));
	ram.userspace_addr = (uintptr_t)page;
	sregs.cs.base = 0;
	sregs.cs.selector = 0;
	if (ioctl(vm, KVM_SET_USER_MEMORY_REGION, &ram) != 0 || ioctl(vcpu, KVM_SET_SREGS, &sregs) != 0 ||
	    ioctl(vcpu, KVM_SET_REGS, &regs) != 0 || ioctl(vcpu, KVM_RUN, 0) != 0)
		return -1;
	return vcpu;
}

static void make_env(void)
{
	env.zero = open("/dev/zero", O_RDONLY);
	env.null = open("/dev/null", O_WRONLY);
	env.file = memfd_create("block", 0);
	env.event = eventfd(0, EFD_NONBLOCK);
	for (size_t i = 0; i < POLLED; i++)
		env.polled[i] = (struct pollfd){ .fd = eventfd(0, 0), .events = POLLIN };
	if (pipe(env.pipe) != 0 || pwrite(env.file, env.block, BLOCK, 0) != BLOCK)
		abort();
}

static double now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ns for one call, over a burst. */
static double burst(size_t call, unsigned n)
{
	const double start = now_ns();

	for (unsigned i = 0; i < n; i++)
		calls[call].call();
	return (now_ns() - start) / n;
}

enum mode { NONE, SHORTEST, PROFILE, TERMINAL, MODES };

static void confine(enum mode mode)
{
	const struct filter_exec nothing = FILTER_MARK_EXEC;
	struct sock_filter prog[FILTER_PROFILE_MAX];
	int len = (mode == TERMINAL ? filter_get_on_terminal : filter_get)(
		FILTER_KILL, 0, &nothing, prog, FILTER_PROFILE_MAX);

	if (mode == SHORTEST) {
		prog[0] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
		len = 1;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || filter_load(prog, (size_t)len, false) != 0)
		abort();
}

struct worker { int ask[2], answer[2]; };
struct order { size_t call; unsigned n; };

/* Serve bursts until the pipe is closed. */
static void work(const struct worker *w, enum mode mode)
{
	struct order o;

	pthread_t other;

	if (mode != NONE)
		confine(mode);
	/* of this process: a virtual CPU belongs to the address space that made it */
	env.vcpu = make_vcpu();
	if (pthread_create(&other, NULL, other_thread, NULL) != 0)
		abort();
	while (read(w->ask[0], &o, sizeof(o)) == sizeof(o)) {
		const bool none = calls[o.call].call == call_ioctl_kvm && env.vcpu < 0;
		const double ns = none ? 0 : burst(o.call, o.n);

		if (write(w->answer[1], &ns, sizeof(ns)) != sizeof(ns))
			break;
	}
	_exit(0);
}

static void start(struct worker *w, enum mode mode)
{
	if (pipe2(w->ask, O_CLOEXEC) != 0 || pipe2(w->answer, O_CLOEXEC) != 0)
		abort();
	if (fork() == 0) {
		(void)close(w->ask[1]);
		work(w, mode);
	}
}

static double ask(const struct worker *w, size_t call, unsigned n)
{
	const struct order o = { call, n };
	double ns;

	if (write(w->ask[1], &o, sizeof(o)) != sizeof(o) ||
	    read(w->answer[0], &ns, sizeof(ns)) != sizeof(ns))
		abort();
	return ns;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, unsigned n)
{
	qsort(v, n, sizeof(*v), by_value);
	return v[n / 2];
}

static void measure(const struct worker w[MODES], size_t call, unsigned rounds)
{
	static double ns[MODES][ROUNDS_MAX];
	const double once = ask(&w[0], call, 1000);
	const unsigned n = 1 + (unsigned)(BURST_NS / (once + 1));
	double m[MODES];

	if (once == 0) {
		printf("%-28s not to be had here\n", calls[call].name);
		return;
	}

	for (unsigned r = 0; r < rounds; r++) {
		for (unsigned i = 0; i < MODES; i++) {
			const unsigned mode = (r + i) % MODES;	/* none always goes first */

			ns[mode][r] = ask(&w[mode], call, n);
		}
	}
	for (unsigned i = 0; i < MODES; i++)
		m[i] = median(ns[i], rounds);
	printf("%-28s %9.1f %9.1f %9.1f %9.1f %+8.1f %8.3f %8.3f\n", calls[call].name, m[NONE],
	       m[SHORTEST], m[PROFILE], m[TERMINAL], m[PROFILE] - m[NONE],
	       m[PROFILE] / m[SHORTEST], m[TERMINAL] / m[SHORTEST]);
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 201;
	struct worker w[MODES];

	if (rounds < 1 || rounds > ROUNDS_MAX)
		return 2;
	make_env();
	for (int i = 0; i < MODES; i++)
		start(&w[i], (enum mode)i);
	printf("%-28s %9s %9s %9s %9s %8s %8s %8s\n", "call, ns", "none", "shortest", "profile",
	       "terminal", "cost", "profile/", "terminal/");
	(void)fflush(stdout);
	for (size_t i = 0; i < CALLS; i++)
		measure(w, i, rounds);
	return 0;
}
