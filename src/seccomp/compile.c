/*
 * compile.c - writes program.c from policy.def when the project is built
 *
 * One program serves all combinations. Its default action and its optional groups are returns with
 * reserved errno values; the descriptor and the path of the exec are reserved constants.
 * filter_get() fills them in. One program for each of 4 actions x 32 sets of groups would be
 * 300 KiB of constants, and 128 programs to test in place of one and its marks.
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

static int is_mark(uint32_t k)
{
	for (size_t i = 0; i < EXEC_MARKS; i++)
		if (k == exec_marks[i])
			return 1;
	return k == FILTER_MARK_DEFAULT || k - FILTER_MARK_GROUP(0U) < FILTER_GROUP__COUNT ||
	       k - FILTER_MARK_PROBE(0U) < FILTER_GROUP__COUNT;
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
	int marks = 0, wanted = EXEC_MARKS;

	for (size_t i = 0; i < len; i++)
		marks += is_mark(prog[i].k);
	for (size_t i = 0; i < EXEC_MARKS; i++)
		if (count(prog, len, BPF_JMP | BPF_JEQ | BPF_K, exec_marks[i]) != 1)
			return "a mark of the exec is not compared exactly once";
	for (unsigned g = 0; g <= FILTER_GROUP__COUNT; g++) {
		const uint32_t mark = g < FILTER_GROUP__COUNT ? FILTER_MARK_GROUP(g)
							      : FILTER_MARK_DEFAULT;
		const int n = count(prog, len, BPF_RET | BPF_K, mark);

		if (n == 0)
			return "a mark is missing";
		wanted += n;
		if (g < FILTER_GROUP__COUNT)
			wanted += count(prog, len, BPF_RET | BPF_K, FILTER_MARK_PROBE(g));
	}
	return marks == wanted ? NULL : "a mark is where filter_get() does not look";
}

static int emit(const struct sock_filter *prog, size_t len)
{
	printf("/* program.c - written by compile.c from policy.def; do not edit */\n"
	       "#include \"seccomp/program.h\"\n\n"
	       "const struct sock_filter filter_program[] = {\n");
	for (size_t i = 0; i < len; i++)
		printf("\t{ 0x%02x, %3u, %3u, 0x%08x },\n", prog[i].code, prog[i].jt, prog[i].jf,
		       prog[i].k);
	printf("};\nconst size_t filter_program_len = %zu;\n", len);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}

int main(void)
{
	struct sock_filter prog[FILTER_PROFILE_MAX];
	const int len = assemble(policy_qemu, policy_qemu_len, FILTER_MARK_DEFAULT, prog,
				 FILTER_PROFILE_MAX);
	const char *why;
	int nr;

	if (len < 0) {
		fprintf(stderr, "compile: libseccomp: %s\n", strerror(-len));
		return 1;
	}
	nr = assemble_verify(policy_qemu, policy_qemu_len, FILTER_MARK_DEFAULT, prog, (size_t)len);
	if (nr >= 0) {
		fprintf(stderr, "compile: libseccomp: wrong answer to call %d\n", nr);
		return 1;
	}
	why = check_marks(prog, (size_t)len);
	if (why != NULL) {
		fprintf(stderr, "compile: %s\n", why);
		return 1;
	}
	return emit(prog, (size_t)len);
}
