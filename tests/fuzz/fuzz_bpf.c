/*
 * fuzz_bpf.c - any bytes as a filter program of a file
 *
 * Promises: checking and running never leave the program and their input; a program that passed the
 * check always runs to a return; the exec that filter_check() vouches for is let through.
 */
#include "config.h"

#include "fuzz.h"

#include <linux/audit.h>

#include "seccomp/filter.h"
#include "seccomp/interp.h"

static bool divides_by_x(const struct sock_filter *prog, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (prog[i].code == (BPF_ALU | BPF_DIV | BPF_X))
			return true;
	return false;
}

static void one(struct sock_filter *prog, size_t len, const struct seccomp_data *call)
{
	const struct filter_exec exec = { .fd = 4096, .path = 0x7f0123456000 };
	size_t at = 0;
	uint32_t ret = 0;
	bool ran;

	filter_set_exec(prog, len, &exec);
	ran = interp_run(prog, len, call, &ret);
	PROMISE(ran || ret == SECCOMP_RET_KILL_PROCESS);
	if (interp_check(prog, len, &at) != INTERP_OK) {
		PROMISE(len == 0 || at < len || len > BPF_MAXINSNS);
		PROMISE(filter_check(prog, len, &exec, &at) != INTERP_OK);
		return;
	}
	PROMISE(ran || divides_by_x(prog, len));
	(void)filter_check(prog, len, &exec, &at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = { .at = data, .left = size };
	struct seccomp_data call = { .arch = AUDIT_ARCH_X86_64 };
	struct sock_filter *prog;
	size_t len;

	call.nr = (int)take16(&b);
	for (unsigned i = 0; i < 6; i++)
		call.args[i] = take16(&b);
	len = b.left / sizeof(*prog);
	prog = malloc(len > 0 ? len * sizeof(*prog) : 1);
	if (!prog)
		return 0;
	memcpy(prog, b.at, len * sizeof(*prog));
	one(prog, len, &call);
	free(prog);
	return 0;
}
