/*
 * compile.c - writes program.c from policy.def and its like when the project is built
 *
 * One program of QEMU's serves all combinations. Its default action and its optional groups are
 * returns with reserved errno values; the descriptor and the path of the exec are reserved
 * constants. filter_get() fills them in. One program for each action and set of groups would be
 * hundreds of programs to embed and to test in place of one and its marks.
 *
 * Before it stand the instructions of terminal.def, which a launch without a terminal leaves out.
 * They are joined here, so that the whole can be verified as well as each part.
 *
 * It refuses to write a program whose marks are not exactly where filter_get() looks.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/bounds.h"
#include "seccomp/assemble.h"
#include "seccomp/filter.h"

/* Of the exec that is let through; each is compared exactly once. */
static const uint32_t exec_marks[] = {
	FILTER_MARK_EXEC_FD, (uint32_t)FILTER_MARK_EXEC_PATH,
	(uint32_t)(FILTER_MARK_EXEC_PATH >> 32),
};
#define EXEC_MARKS	ARRAY_LEN(exec_marks)

#define RULES_MAX	512

static bool is_exec_mark(uint32_t k)
{
	if (k == FILTER_MARK_PID)
		return true;
	for (size_t i = 0; i < EXEC_MARKS; i++)
		if (k == exec_marks[i])
			return true;
	return false;
}

static bool is_verdict_mark(uint32_t k)
{
	return k == FILTER_MARK_DEFAULT || k == FILTER_MARK_NEXT ||
	       k - FILTER_MARK_GROUP(0U) < FILTER_GROUP__COUNT ||
	       k - FILTER_MARK_TRY(0U, 0U) < FILTER_GROUP__COUNT * FILTER_TRY_ERRNOS;
}

static int count(const struct sock_filter *prog, size_t len, unsigned short code, uint32_t k)
{
	int n = 0;

	for (size_t i = 0; i < len; i++)
		n += prog[i].code == code && prog[i].k == k;
	return n;
}

/* What is wrong, or NULL. */
static const char *check_marks(const struct sock_filter *prog, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (is_exec_mark(prog[i].k) && prog[i].code != (BPF_JMP | BPF_JEQ | BPF_K))
			return "a mark of the exec is where filter_set_exec() does not look";
		if (is_verdict_mark(prog[i].k) && prog[i].code != (BPF_RET | BPF_K))
			return "a mark of a verdict is where filter_get() does not look";
	}
	if (count(prog, len, BPF_RET | BPF_K, FILTER_MARK_NEXT) != 0)
		return "what the first part leaves to the next is answered";
	for (size_t i = 0; i < EXEC_MARKS; i++)
		if (count(prog, len, BPF_JMP | BPF_JEQ | BPF_K, exec_marks[i]) != 1)
			return "a mark of the exec is not compared exactly once";
	if (count(prog, len, BPF_JMP | BPF_JEQ | BPF_K, FILTER_MARK_PID) == 0)
		return "QEMU's process has no mark";
	return count(prog, len, BPF_RET | BPF_K, FILTER_MARK_DEFAULT) > 0 ? NULL
		: "the default action has no mark";
}

/* Every row that leaves something to the launch must be in the program. */
static const char *check_rows(const struct sock_filter *prog, size_t len)
{
	for (size_t i = 0; i < policy_qemu_len; i++)
		if (is_verdict_mark(policy_qemu[i].ret) &&
		    count(prog, len, BPF_RET | BPF_K, policy_qemu[i].ret) == 0)
			return "a mark is missing";
	return NULL;
}

static const char *check_qemu(const struct sock_filter *prog, size_t len)
{
	const char *why = check_marks(prog, len);

	return why != NULL ? why : check_rows(prog, len);
}

/* No other mark than passt's process, and that wherever a row compares with it. */
static const char *check_keeper(const struct sock_filter *prog, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (is_verdict_mark(prog[i].k) && BPF_CLASS(prog[i].code) == BPF_RET)
			return "a verdict is left to a launch";
		if (is_exec_mark(prog[i].k) &&
		    (prog[i].k != FILTER_MARK_PID || prog[i].code != (BPF_JMP | BPF_JEQ | BPF_K)))
			return "a mark is where filter_get_keeper() does not look";
	}
	return count(prog, len, BPF_JMP | BPF_JEQ | BPF_K, FILTER_MARK_PID) > 0 ? NULL
		: "passt's process has no mark";
}

/* Nothing is left to a launch. */
static const char *check_constant(const struct sock_filter *prog, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (is_exec_mark(prog[i].k) || is_verdict_mark(prog[i].k))
			return "there is a mark";
	return NULL;
}

static const struct profile {
	const char *name;
	bool on_terminal;		/* the instructions of terminal.def stand before it */
	const struct policy_rule *rules;
	const size_t *n;
	uint32_t fallback;
	size_t size;
	const char *(*check)(const struct sock_filter *prog, size_t len);
} profiles[] = {
	{ "filter_program", true, policy_qemu, &policy_qemu_len, FILTER_MARK_DEFAULT,
	  FILTER_PROFILE_MAX, check_qemu },
	{ "filter_keeper_program", false, policy_keeper, &policy_keeper_len,
	  SECCOMP_RET_KILL_PROCESS, FILTER_KEEPER_MAX, check_keeper },
	{ "filter_terminal", false, policy_terminal, &policy_terminal_len, SECCOMP_RET_ALLOW,
	  FILTER_PROFILE_MAX, check_constant },
};

static void emit(const char *name, const struct sock_filter *prog, size_t len)
{
	printf("\nconst struct sock_filter %s[] = {\n", name);
	for (size_t i = 0; i < len; i++)
		printf("\t{ 0x%02x, %3u, %3u, 0x%08x },\n", prog[i].code, prog[i].jt, prog[i].jf,
		       prog[i].k);
	printf("};\nconst size_t %s_len = %zu;\n", name, len);
}

/* Does the program say what the rules say? */
static bool verified(const struct profile *p, const struct policy_rule *rules, size_t n,
		     uint32_t fallback, const struct sock_filter *prog, size_t len)
{
	const int nr = assemble_verify(rules, n, fallback, prog, len);

	if (nr >= 0)
		fprintf(stderr, "compile: %s: libseccomp: wrong answer to call %d\n", p->name, nr);
	return nr < 0;
}

/* The number of instructions, or -1 after a message. */
static int part(const struct profile *p, const struct policy_rule *rules, size_t n,
		uint32_t fallback, struct sock_filter *ret, size_t size)
{
	const int len = assemble(rules, n, fallback, ret, size);

	if (len < 0)
		fprintf(stderr, "compile: %s: libseccomp: %s\n", p->name, strerror(-len));
	return len >= 0 && verified(p, rules, n, fallback, ret, (size_t)len) ? len : -1;
}

/* Turn what the first part leaves to the next into jumps to its end. */
static void link_prefix(struct sock_filter *prog, size_t len)
{
	for (size_t pc = 0; pc < len; pc++)
		if (prog[pc].code == (BPF_RET | BPF_K) && prog[pc].k == FILTER_MARK_NEXT)
			prog[pc] = (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA,
								(uint32_t)(len - pc - 1));
}

/* The rules of both parts: terminal.def decides about the calls it names. Their number. */
static size_t join_rules(const struct profile *p, struct policy_rule ret[RULES_MAX])
{
	size_t n = 0;

	if (policy_terminal_len + *p->n > RULES_MAX)
		return 0;
	for (size_t i = 0; i < *p->n; i++)
		if (!policy_has(policy_terminal, policy_terminal_len, p->rules[i].nr))
			ret[n++] = p->rules[i];
	for (size_t i = 0; i < policy_terminal_len; i++)
		ret[n++] = policy_terminal[i];
	return n;
}

/* Both parts, each verified, joined, and verified again. The number of instructions, or -1. */
static int compile_joined(const struct profile *p, struct sock_filter *ret)
{
	static struct policy_rule both[RULES_MAX];
	const int prefix = part(p, policy_terminal, policy_terminal_len, FILTER_MARK_NEXT, ret,
				p->size);
	const int rest = prefix < 0 ? -1 : part(p, p->rules, *p->n, p->fallback, ret + prefix,
						p->size - (size_t)prefix);
	const size_t len = (size_t)prefix + (size_t)rest;

	if (rest < 0)
		return -1;
	link_prefix(ret, (size_t)prefix);
	if (!verified(p, both, join_rules(p, both), p->fallback, ret, len))
		return -1;
	printf("\nconst size_t filter_prefix_len = %d;\n", prefix);
	return (int)len;
}

/* 0, or 1 after a message. */
static int compile(const struct profile *p)
{
	struct sock_filter prog[FILTER_PROFILE_MAX];
	const int len = p->on_terminal ? compile_joined(p, prog)
				       : part(p, p->rules, *p->n, p->fallback, prog, p->size);
	const char *why;

	if (len < 0)
		return 1;
	why = p->check(prog, (size_t)len);
	if (why != NULL) {
		fprintf(stderr, "compile: %s: %s\n", p->name, why);
		return 1;
	}
	emit(p->name, prog, (size_t)len);
	return 0;
}

int main(void)
{
	printf("/* program.c - written by compile.c from policy.def and its like */\n"
	       "#include \"seccomp/program.h\"\n");
	for (size_t i = 0; i < ARRAY_LEN(profiles); i++)
		if (compile(&profiles[i]) != 0)
			return 1;
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
