/*
 * interp.c - classic BPF as seccomp knows it: conditions and execution
 *
 * Three programs are run here: our own in the unit tests, where the answer to every call is
 * compared with the policy; one from a descriptor's `bpf` file, before it is trusted not to block
 * the launcher's exec; and whatever `qemu-handoff-seccomp --dump` is pointed at.
 *
 * The conditions are those of the kernel (seccomp_check_filter, bpf_check_classic), so that a
 * program that is refused is refused by us, with words, before anything was opened. Two rules
 * make execution safe even without them: a jump only goes forward, and every step compares the
 * counter with the length.
 */
#include "config.h"

#include "seccomp/interp.h"

#include <string.h>

#define CELL_BIT(k)		(1U << (k))

static const char *const fault_texts[] = {
	[INTERP_OK]		= "is valid",
	[INTERP_EMPTY]		= "has no instruction",
	[INTERP_LONG]		= "has more than 4096 instructions",
	[INTERP_OPCODE]		= "is not an instruction seccomp accepts",
	[INTERP_OPERAND]	= "has an operand out of range",
	[INTERP_JUMP]		= "jumps out of the program",
	[INTERP_UNSET]		= "reads a memory cell that was never written",
	[INTERP_NO_RET]		= "does not end in a return",
	[INTERP_EXEC]		= "does not allow the launcher to start QEMU",
};
_Static_assert(sizeof(fault_texts) / sizeof(fault_texts[0]) == INTERP_FAULT__COUNT,
	       "every fault has a text");

const char *interp_fault_text(enum interp_fault fault)
{
	return fault_texts[fault];
}

/* One instruction by itself: known to seccomp, constant in range. */
static enum interp_fault check_alone(const struct sock_filter *in)
{
	switch (in->code) {
	case BPF_LD | BPF_W | BPF_ABS:
		return in->k < sizeof(struct seccomp_data) && in->k % 4 == 0 ? INTERP_OK
									    : INTERP_OPERAND;
	case BPF_LD | BPF_MEM:
	case BPF_LDX | BPF_MEM:
	case BPF_ST:
	case BPF_STX:
		return in->k < BPF_MEMWORDS ? INTERP_OK : INTERP_OPERAND;
	case BPF_ALU | BPF_DIV | BPF_K:
		return in->k != 0 ? INTERP_OK : INTERP_OPERAND;
	case BPF_ALU | BPF_LSH | BPF_K:
	case BPF_ALU | BPF_RSH | BPF_K:
		return in->k < 32 ? INTERP_OK : INTERP_OPERAND;
	case BPF_RET | BPF_K:
	case BPF_RET | BPF_A:
	case BPF_LD | BPF_W | BPF_LEN:
	case BPF_LDX | BPF_W | BPF_LEN:
	case BPF_LD | BPF_IMM:
	case BPF_LDX | BPF_IMM:
	case BPF_MISC | BPF_TAX:
	case BPF_MISC | BPF_TXA:
	case BPF_ALU | BPF_NEG:
	case BPF_ALU | BPF_ADD | BPF_K:
	case BPF_ALU | BPF_ADD | BPF_X:
	case BPF_ALU | BPF_SUB | BPF_K:
	case BPF_ALU | BPF_SUB | BPF_X:
	case BPF_ALU | BPF_MUL | BPF_K:
	case BPF_ALU | BPF_MUL | BPF_X:
	case BPF_ALU | BPF_DIV | BPF_X:
	case BPF_ALU | BPF_AND | BPF_K:
	case BPF_ALU | BPF_AND | BPF_X:
	case BPF_ALU | BPF_OR | BPF_K:
	case BPF_ALU | BPF_OR | BPF_X:
	case BPF_ALU | BPF_XOR | BPF_K:
	case BPF_ALU | BPF_XOR | BPF_X:
	case BPF_ALU | BPF_LSH | BPF_X:
	case BPF_ALU | BPF_RSH | BPF_X:
	case BPF_JMP | BPF_JA:
	case BPF_JMP | BPF_JEQ | BPF_K:
	case BPF_JMP | BPF_JEQ | BPF_X:
	case BPF_JMP | BPF_JGT | BPF_K:
	case BPF_JMP | BPF_JGT | BPF_X:
	case BPF_JMP | BPF_JGE | BPF_K:
	case BPF_JMP | BPF_JGE | BPF_X:
	case BPF_JMP | BPF_JSET | BPF_K:
	case BPF_JMP | BPF_JSET | BPF_X:
		return INTERP_OK;
	default:
		return INTERP_OPCODE;
	}
}

/* `left`: instructions after this one; a target must be among them. */
static bool jumps_inside(const struct sock_filter *in, size_t left)
{
	if (BPF_CLASS(in->code) != BPF_JMP)
		return true;
	if (BPF_OP(in->code) == BPF_JA)
		return in->k < left;
	return in->jt < left && in->jf < left;
}

/*
 * The cells that are certainly written when each target is reached: the meet over all ways there.
 */
static void meet_jump(const struct sock_filter *in, uint16_t *at, uint16_t set)
{
	if (BPF_OP(in->code) == BPF_JA) {
		at[1 + in->k] &= set;
		return;
	}
	at[1 + in->jt] &= set;
	at[1 + in->jf] &= set;
}

/* Jumps were checked. Like the kernel, code that nothing reaches is taken to have all cells set. */
static enum interp_fault check_cells(const struct sock_filter *prog, size_t len, size_t *ret_at)
{
	uint16_t at[BPF_MAXINSNS];
	uint16_t set = 0;

	_Static_assert(BPF_MEMWORDS == 16, "a cell is one bit of uint16_t");
	memset(at, 0xff, sizeof(at));
	for (size_t pc = 0; pc < len; pc++) {
		const struct sock_filter *in = &prog[pc];

		set &= at[pc];
		if (in->code == BPF_ST || in->code == BPF_STX) {
			set |= (uint16_t)CELL_BIT(in->k);
		} else if (in->code == (BPF_LD | BPF_MEM) || in->code == (BPF_LDX | BPF_MEM)) {
			*ret_at = pc;
			if ((set & CELL_BIT(in->k)) == 0)
				return INTERP_UNSET;
		} else if (BPF_CLASS(in->code) == BPF_JMP) {
			meet_jump(in, at + pc, set);
			set = UINT16_MAX;	/* what follows is reached by jumps only */
		}
	}
	return INTERP_OK;
}

enum interp_fault interp_check(const struct sock_filter *prog, size_t len, size_t *ret_at)
{
	enum interp_fault fault;

	*ret_at = 0;
	if (len == 0)
		return INTERP_EMPTY;
	if (len > BPF_MAXINSNS)
		return INTERP_LONG;
	for (size_t pc = 0; pc < len; pc++) {
		*ret_at = pc;
		fault = check_alone(&prog[pc]);
		if (fault != INTERP_OK)
			return fault;
		if (!jumps_inside(&prog[pc], len - 1 - pc))
			return INTERP_JUMP;
	}
	if (BPF_CLASS(prog[len - 1].code) != BPF_RET)
		return INTERP_NO_RET;
	fault = check_cells(prog, len, ret_at);
	if (fault == INTERP_OK)
		*ret_at = 0;
	return fault;
}

struct machine {
	uint32_t a, x;
	uint32_t cell[BPF_MEMWORDS];
	const struct seccomp_data *data;
};

static bool load(struct machine *m, const struct sock_filter *in, uint32_t *ret)
{
	switch (in->code & ~(BPF_LD | BPF_LDX)) {
	case BPF_W | BPF_ABS:
		if (in->k % 4 != 0 || in->k >= sizeof(*m->data))
			return false;
		memcpy(ret, (const char *)m->data + in->k, sizeof(*ret));
		return true;
	case BPF_IMM:
		*ret = in->k;
		return true;
	case BPF_MEM:
		if (in->k >= BPF_MEMWORDS)
			return false;
		*ret = m->cell[in->k];
		return true;
	case BPF_LEN:
		*ret = sizeof(*m->data);
		return true;
	default:
		return false;
	}
}

static bool store(struct machine *m, const struct sock_filter *in, uint32_t value)
{
	if (in->k >= BPF_MEMWORDS)
		return false;
	m->cell[in->k] = value;
	return true;
}

/* Shifts take five bits, as the kernel's translation of classic programs does. */
static bool compute(struct machine *m, const struct sock_filter *in)
{
	const uint32_t v = BPF_SRC(in->code) == BPF_X ? m->x : in->k;

	switch (BPF_OP(in->code)) {
	case BPF_ADD:	m->a += v; return true;
	case BPF_SUB:	m->a -= v; return true;
	case BPF_MUL:	m->a *= v; return true;
	case BPF_AND:	m->a &= v; return true;
	case BPF_OR:	m->a |= v; return true;
	case BPF_XOR:	m->a ^= v; return true;
	case BPF_LSH:	m->a <<= v & 31; return true;
	case BPF_RSH:	m->a >>= v & 31; return true;
	case BPF_NEG:	m->a = -m->a; return true;
	case BPF_DIV:
		if (v == 0)
			return false;
		m->a /= v;
		return true;
	default:
		return false;
	}
}

/* How far to go on top of one step. */
static bool jump(const struct machine *m, const struct sock_filter *in, size_t *ret)
{
	const uint32_t v = BPF_SRC(in->code) == BPF_X ? m->x : in->k;

	switch (BPF_OP(in->code)) {
	case BPF_JA:	*ret = in->k; return true;
	case BPF_JEQ:	*ret = m->a == v ? in->jt : in->jf; return true;
	case BPF_JGT:	*ret = m->a > v ? in->jt : in->jf; return true;
	case BPF_JGE:	*ret = m->a >= v ? in->jt : in->jf; return true;
	case BPF_JSET:	*ret = (m->a & v) != 0 ? in->jt : in->jf; return true;
	default:	return false;
	}
}

static bool move(struct machine *m, const struct sock_filter *in)
{
	if (BPF_MISCOP(in->code) == BPF_TXA)
		m->a = m->x;
	else
		m->x = m->a;
	return true;
}

/*
 * Everything but a return. A division by zero is false: the kernel's program then returns 0, a
 * kill.
 */
static bool step(struct machine *m, const struct sock_filter *in, size_t *ret_skip)
{
	*ret_skip = 0;
	switch (BPF_CLASS(in->code)) {
	case BPF_LD:	return load(m, in, &m->a);
	case BPF_LDX:	return load(m, in, &m->x);
	case BPF_ST:	return store(m, in, m->a);
	case BPF_STX:	return store(m, in, m->x);
	case BPF_ALU:	return compute(m, in);
	case BPF_JMP:	return jump(m, in, ret_skip);
	case BPF_MISC:	return move(m, in);
	default:	return false;
	}
}

bool interp_run(const struct sock_filter *prog, size_t len, const struct seccomp_data *data,
		uint32_t *ret)
{
	struct machine m = { .data = data };
	size_t skip;

	*ret = SECCOMP_RET_KILL_PROCESS;
	for (size_t pc = 0; pc < len; pc += 1 + skip) {
		const struct sock_filter *in = &prog[pc];

		if (BPF_CLASS(in->code) == BPF_RET) {
			*ret = BPF_RVAL(in->code) == BPF_A ? m.a : in->k;
			return true;
		}
		if (!step(&m, in, &skip))
			return false;
	}
	return false;
}
