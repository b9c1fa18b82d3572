/*
 * test_interp.c - the interpreter's conditions and arithmetic, and that hostile programs end
 */
#include "config.h"

#include <stdlib.h>

#include "unit.h"
#include "seccomp/interp.h"

#define RET(v)		BPF_STMT(BPF_RET | BPF_K, v)
#define LOADW(k)	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, k)
#define PROG(...)	.prog = { __VA_ARGS__ }, \
			.len = sizeof((struct sock_filter[]){ __VA_ARGS__ }) / sizeof(struct sock_filter)

static const struct {
	const char *name;
	enum interp_fault fault;
	size_t at;
	struct sock_filter prog[8];
	size_t len;
} checks[] = {
	{ "one return", INTERP_OK, 0, PROG(RET(0)) },
	{ "return of A", INTERP_OK, 0, PROG(BPF_STMT(BPF_RET | BPF_A, 0)) },
	{ "last word of the call", INTERP_OK, 0, PROG(LOADW(60), RET(0)) },
	{ "a cell written on both ways", INTERP_OK, 0,
	  PROG(BPF_STMT(BPF_ST, 3), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0),
	       BPF_STMT(BPF_LD | BPF_MEM, 3), RET(0)) },
	{ "no instruction", INTERP_EMPTY, 0, .len = 0 },
	{ "no return", INTERP_NO_RET, 0, PROG(LOADW(0)) },
	{ "return of X", INTERP_OPCODE, 0, PROG(BPF_STMT(BPF_RET | BPF_X, 0)) },
	{ "load past the call", INTERP_OPERAND, 0, PROG(LOADW(64), RET(0)) },
	{ "load across two words", INTERP_OPERAND, 1, PROG(LOADW(0), LOADW(2), RET(0)) },
	{ "load of a byte", INTERP_OPCODE, 0, PROG(BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0), RET(0)) },
	{ "indirect load", INTERP_OPCODE, 0, PROG(BPF_STMT(BPF_LD | BPF_W | BPF_IND, 0), RET(0)) },
	{ "remainder", INTERP_OPCODE, 0, PROG(BPF_STMT(BPF_ALU | BPF_MOD | BPF_K, 2), RET(0)) },
	{ "division by zero", INTERP_OPERAND, 0, PROG(BPF_STMT(BPF_ALU | BPF_DIV | BPF_K, 0), RET(0)) },
	{ "shift by 32", INTERP_OPERAND, 0, PROG(BPF_STMT(BPF_ALU | BPF_LSH | BPF_K, 32), RET(0)) },
	{ "cell 16", INTERP_OPERAND, 0, PROG(BPF_STMT(BPF_ST, 16), RET(0)) },
	{ "an eBPF instruction", INTERP_OPCODE, 0, PROG(BPF_STMT(0xb7, 0), RET(0)) },
	{ "jump out when true", INTERP_JUMP, 0, PROG(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), RET(0)) },
	{ "jump out when false", INTERP_JUMP, 0, PROG(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1), RET(0)) },
	{ "long jump out", INTERP_JUMP, 0, PROG(BPF_STMT(BPF_JMP | BPF_JA, 1), RET(0)) },
	{ "jump that wraps", INTERP_JUMP, 0, PROG(BPF_STMT(BPF_JMP | BPF_JA, UINT32_MAX), RET(0)) },
	{ "jump as the last", INTERP_JUMP, 0, PROG(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 0)) },
	{ "a cell never written", INTERP_UNSET, 0, PROG(BPF_STMT(BPF_LD | BPF_MEM, 0), RET(0)) },
	{ "a cell written on one way", INTERP_UNSET, 2,
	  PROG(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 1, 0), BPF_STMT(BPF_ST, 3),
	       BPF_STMT(BPF_LD | BPF_MEM, 3), RET(0)) },
};

static void test_check(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(checks); i++) {
		size_t at = SIZE_MAX;
		const enum interp_fault fault = interp_check(checks[i].prog, checks[i].len, &at);

		if (fault != checks[i].fault || (fault != INTERP_OK && at != checks[i].at))
			fail_msg("%s: got %d at %zu", checks[i].name, (int)fault, at);
	}
}

static void test_check_length(void **state)
{
	static struct sock_filter prog[BPF_MAXINSNS + 1];
	size_t at;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(prog); i++)
		prog[i] = (struct sock_filter)RET(0);
	assert_int_equal(interp_check(prog, BPF_MAXINSNS, &at), INTERP_OK);
	assert_int_equal(interp_check(prog, BPF_MAXINSNS + 1, &at), INTERP_LONG);
}

#define A(code, v)	BPF_STMT(BPF_ALU | (code), v)
#define IMM(v)		BPF_STMT(BPF_LD | BPF_IMM, v)
#define XIMM(v)		BPF_STMT(BPF_LDX | BPF_IMM, v)
#define RETA		BPF_STMT(BPF_RET | BPF_A, 0)
#define J(op, v)	BPF_JUMP(BPF_JMP | (op), v, 0, 1)

static const struct seccomp_data call = {
	.nr = 7, .arch = 0xc000003e, .instruction_pointer = 0x1122334455667788,
	.args = { 0xa0a1a2a3b0b1b2b3, 0, 0, 0, 0, 0xc0c1c2c3d0d1d2d3 },
};

static const struct {
	const char *name;
	uint32_t want;
	struct sock_filter prog[8];
	size_t len;
} runs[] = {
	{ "number", 7, PROG(LOADW(0), RETA) },
	{ "architecture", 0xc000003e, PROG(LOADW(4), RETA) },
	{ "address, high half", 0x11223344, PROG(LOADW(12), RETA) },
	{ "argument 0, low half", 0xb0b1b2b3, PROG(LOADW(16), RETA) },
	{ "argument 5, high half", 0xc0c1c2c3, PROG(LOADW(60), RETA) },
	{ "length", 64, PROG(BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0), RETA) },
	{ "add", 9, PROG(LOADW(0), A(BPF_ADD | BPF_K, 2), RETA) },
	{ "subtract below zero", UINT32_MAX, PROG(LOADW(0), A(BPF_SUB | BPF_K, 8), RETA) },
	{ "multiply by X", 21, PROG(LOADW(0), XIMM(3), A(BPF_MUL | BPF_X, 0), RETA) },
	{ "divide by X", 2, PROG(LOADW(0), XIMM(3), A(BPF_DIV | BPF_X, 0), RETA) },
	{ "and", 5, PROG(LOADW(0), A(BPF_AND | BPF_K, 0xd), RETA) },
	{ "or", 15, PROG(LOADW(0), A(BPF_OR | BPF_K, 8), RETA) },
	{ "xor", 6, PROG(LOADW(0), A(BPF_XOR | BPF_K, 1), RETA) },
	{ "negate", (uint32_t)-7, PROG(LOADW(0), A(BPF_NEG, 0), RETA) },
	{ "shift left by X, five bits", 14, PROG(LOADW(0), XIMM(33), A(BPF_LSH | BPF_X, 0), RETA) },
	{ "shift right", 3, PROG(LOADW(0), A(BPF_RSH | BPF_K, 1), RETA) },
	{ "to X and back", 7, PROG(LOADW(0), BPF_STMT(BPF_MISC | BPF_TAX, 0), IMM(1),
				   BPF_STMT(BPF_MISC | BPF_TXA, 0), RETA) },
	{ "cells", 9, PROG(XIMM(9), BPF_STMT(BPF_STX, 15), IMM(1), BPF_STMT(BPF_LD | BPF_MEM, 15), RETA) },
	{ "equal", 1, PROG(IMM(5), J(BPF_JEQ | BPF_K, 5), RET(1), RET(2)) },
	{ "greater is not equal", 2, PROG(IMM(5), J(BPF_JGT | BPF_K, 5), RET(1), RET(2)) },
	{ "greater is unsigned", 1, PROG(IMM(UINT32_MAX), J(BPF_JGT | BPF_K, 5), RET(1), RET(2)) },
	{ "greater or equal, X", 1, PROG(IMM(5), XIMM(5), J(BPF_JGE | BPF_X, 0), RET(1), RET(2)) },
	{ "bits in common", 2, PROG(IMM(5), J(BPF_JSET | BPF_K, 2), RET(1), RET(2)) },
	{ "jump", 2, PROG(BPF_STMT(BPF_JMP | BPF_JA, 1), RET(1), RET(2)) },
};

static void test_run(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
		uint32_t got = 0;

		if (!interp_run(runs[i].prog, runs[i].len, &call, &got) || got != runs[i].want)
			fail_msg("%s: got 0x%x, not 0x%x", runs[i].name, got, runs[i].want);
	}
}

/* Not checked beforehand: each must end, false, with the answer that kills. */
static void test_run_unchecked(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(checks); i++) {
		uint32_t got = 0;
		const bool done = interp_run(checks[i].prog, checks[i].len, &call, &got);

		if (!done && got != SECCOMP_RET_KILL_PROCESS)
			fail_msg("%s: answered 0x%x", checks[i].name, got);
	}
}

/* Random bytes, fixed seed: what interp_check() lets through runs to a return. */
static void test_run_random(void **state)
{
	static struct sock_filter prog[64];
	unsigned valid = 0;

	(void)state;
	srandom(1);
	for (unsigned round = 0; round < 200000; round++) {
		const size_t len = 1 + (size_t)random() % 4;
		uint32_t ret;
		size_t at;

		for (size_t i = 0; i < len; i++)
			prog[i] = (struct sock_filter){ (unsigned short)(random() % 0x100),
				(unsigned char)(random() % 4), (unsigned char)(random() % 4),
				(uint32_t)random() % 72 };
		if (interp_check(prog, len, &at) == INTERP_OK) {
			valid++;
			/* division by an X of zero is the one fault left to run time */
			(void)interp_run(prog, len, &call, &ret);
		} else {
			(void)interp_run(prog, len, &call, &ret);
		}
	}
	assert_true(valid > 100);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_check_length),
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_run_unchecked),
		cmocka_unit_test(test_run_random),
	};

	return UNIT_RUN(tests, argc, argv);
}
