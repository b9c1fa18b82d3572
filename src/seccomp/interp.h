/*
 * interp.h - what the kernel would make of a seccomp program
 *
 * Pure, and safe on any bytes: no program makes it read outside its input or run longer than
 * `len` steps (jumps only go forward).
 */
#ifndef QH_SECCOMP_INTERP_H
#define QH_SECCOMP_INTERP_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum interp_fault {
	INTERP_OK,
	INTERP_EMPTY,			/* no instruction */
	INTERP_LONG,			/* more than BPF_MAXINSNS */
	INTERP_OPCODE,			/* an instruction seccomp does not accept */
	INTERP_OPERAND,			/* constant out of range: load, shift, division, cell */
	INTERP_JUMP,			/* out of the program */
	INTERP_UNSET,			/* reads a memory cell that a path leaves unset */
	INTERP_NO_RET,			/* does not end in a return */
	INTERP_EXEC,			/* filter_check(): the launcher's own exec is not allowed */
	INTERP_FAULT__COUNT
};

/* One line, lower case, without the place. */
const char *interp_fault_text(enum interp_fault fault);

/* The kernel's own conditions for a classic seccomp program; ret_at: the instruction at fault. */
enum interp_fault interp_check(const struct sock_filter *prog, size_t len, size_t *ret_at);

/*
 * Run it on one call. False when it would leave its bounds or meets an instruction that is not
 * seccomp's, which interp_check() rules out; ret then holds SECCOMP_RET_KILL_PROCESS.
 */
bool interp_run(const struct sock_filter *prog, size_t len, const struct seccomp_data *data,
		uint32_t *ret);

#endif
