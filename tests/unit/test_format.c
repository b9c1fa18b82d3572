/*
 * test_format.c - format_text() gives what vsnprintf() gives, in a buffer of any size
 */
#include "config.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/format.h"
#include "unit.h"

enum { SIZE = 128 };

__attribute__((format(printf, 1, 2)))
static void same(const char *fmt, ...)
{
	char want[SIZE], got[SIZE];

	for (size_t cap = 0; cap <= sizeof(got); cap++) {
		va_list ap, again;

		memset(want, '#', sizeof(want));
		memset(got, '#', sizeof(got));
		va_start(ap, fmt);
		va_copy(again, ap);
		assert_int_equal(format_text(got, cap, fmt, again), vsnprintf(want, cap, fmt, ap));
		va_end(again);
		va_end(ap);
		assert_memory_equal(got, want, sizeof(got));
	}
}

static void fast(void **state)
{
	(void)state;
	same("%s", "");
	same("%s-%s", "abc", "d,e");
	same("%u %u %u", 0u, 10u, UINT_MAX);
	same("%lu %lu", 0ul, ULONG_MAX);
	same("%d %d %d %d", 0, -1, INT_MAX, INT_MIN);
	same("%02x:%02x:%02x:%02x", 0u, 0xau, 0xffu, UINT_MAX);
}

static void rest(void **state)
{
	(void)state;
	same("a %04d b %s %u", 7, "x", 8u);
	same("%s %d%% of %s", "x", 50, "y");
	same("%s %zu %ld %x", "x", (size_t)1, -2l, 255u);
	same("%.3s|%5s", "abcdef", "x");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fast),
		cmocka_unit_test(rest),
	};

	return UNIT_RUN(tests, argc, argv);
}
