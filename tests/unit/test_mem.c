/*
 * test_mem.c - the arena: zeroed, aligned, apart, and the way out when there is no memory
 */
#include "config.h"

#include "unit.h"

static void zeroed_and_aligned(void **state)
{
	struct unit u;
	char *last = NULL;

	(void)state;
	unit_open(&u);
	for (size_t size = 0; size < 3000; size += 7) {
		char *p = arena_get(&u.mem, size);

		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xa5, size);
		/* a piece that overlapped the one before would have undone this */
		assert_true(!last || size == 7 || last[0] == (char)0xa5);
		last = p;
	}
	unit_close(&u);
	assert_null(u.mem.chunks);
}

static void larger_than_a_chunk(void **state)
{
	struct unit u;
	char *small, *large;

	(void)state;
	unit_open(&u);
	small = arena_str(&u.mem, "before");
	large = arena_get(&u.mem, 1 << 20);
	memset(large, 'x', 1 << 20);
	assert_string_equal(small, "before");
	assert_string_equal(arena_strn(&u.mem, "behind it", 6), "behind");
	unit_close(&u);
}

static void printed(void **state)
{
	struct unit u;

	(void)state;
	unit_open(&u);
	assert_string_equal(arena_printf(&u.mem, "%s-%u", "net", 7U), "net-7");
	assert_string_equal(arena_printf(&u.mem, "%s", ""), "");
	unit_close(&u);
}

/* The address sanitizer ends the program where calloc() would return NULL, unless told not to. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static const struct oom {
	const char *name;
	size_t n, size;
} ooms[] = {
	{ "oom: all there is",			1,			SIZE_MAX },
	{ "oom: with the chunk's head too much", 1,			SIZE_MAX - 20 },
	{ "oom: more than calloc gives",	1,			SIZE_MAX / 4 },
	{ "oom: a product that overflows",	SIZE_MAX / 8,		16 },
	{ "oom: a product that wraps to zero",	SIZE_MAX / 16 + 1,	16 },
};

static void oom(void **state)
{
	const struct oom *row = *state;
	jmp_buf here;
	struct arena mem = { .oom = &here };

	if (setjmp(here) == 0) {
		(void)arena_array(&mem, row->n, row->size);
		fail_msg("it came back");
	}
	/* the arena is whole: what was taken before can be given back */
	arena_free(&mem);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(ooms) + 3] = {
		cmocka_unit_test(zeroed_and_aligned),
		cmocka_unit_test(larger_than_a_chunk),
		cmocka_unit_test(printed),
	};

	UNIT_ROWS(tests + 3, ooms, oom);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
