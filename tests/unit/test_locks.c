/*
 * test_locks.c - who has locked a node, out of lines as /proc/locks has them
 */
#include "config.h"

#include "facts/locks.h"
#include "unit.h"

static const struct row {
	const char *name, *lines;
	unsigned pid;			/* 0: no lock */
} rows[] = {
	{ "no line", "", 0 },
	{ "a lock", "1: FLOCK  ADVISORY  WRITE 4711 00:05:1042 0 EOF\n", 4711 },
	{ "a shared lock", "1: FLOCK  ADVISORY  READ  4711 00:05:1042 0 EOF\n", 4711 },
	{ "the second line",
	  "1: POSIX  ADVISORY  WRITE 7 00:19:3 0 EOF\n12: FLOCK  ADVISORY  WRITE 4711 00:05:1042 0 EOF\n", 4711 },
	{ "no newline at the end", "1: FLOCK  ADVISORY  WRITE 4711 00:05:1042 0 EOF", 4711 },
	{ "another file", "1: FLOCK  ADVISORY  WRITE 4711 00:05:1043 0 EOF\n", 0 },
	{ "a number that begins alike", "1: FLOCK  ADVISORY  WRITE 4711 00:05:10420 0 EOF\n", 0 },
	{ "another file system", "1: FLOCK  ADVISORY  WRITE 4711 00:06:1042 0 EOF\n", 0 },
	{ "the major of another", "1: FLOCK  ADVISORY  WRITE 4711 01:05:1042 0 EOF\n", 0 },
	{ "a POSIX lock is none of ours", "1: POSIX  ADVISORY  WRITE 4711 00:05:1042 0 EOF\n", 0 },
	{ "one who waits", "1: FLOCK  ADVISORY  WRITE 7 00:05:3 0 EOF\n1: -> FLOCK  ADVISORY  WRITE 4711 00:05:1042 0 EOF\n", 0 },
	{ "cut off", "1: FLOCK  ADVISORY  WRITE 4711 00:05:10", 0 },
	{ "cut off before the file", "1: FLOCK  ADVISORY  WRI", 0 },
	{ "words that are none", "FLOCK\n\n  \n1:\nFLOCK FLOCK FLOCK", 0 },
};

static void row(void **state)
{
	static const struct node node = { .fs_major = 0, .fs_minor = 5, .ino = 1042 };
	const struct row *r = *state;
	unsigned pid = 0;

	assert_int_equal(locks_find(r->lines, &node, &pid), r->pid != 0);
	assert_int_equal(pid, r->pid);
}

/* Numbers of devices are in hexadecimal, of files in decimal. */
static void numbers(void **state)
{
	static const struct node node = { .fs_major = 0x103, .fs_minor = 0x1a, .ino = 12 };
	unsigned pid = 0;

	(void)state;
	assert_true(locks_find("1: FLOCK  ADVISORY  WRITE 9 103:1a:12 0 EOF\n", &node, &pid));
	assert_int_equal(pid, 9);
	assert_false(locks_find("1: FLOCK  ADVISORY  WRITE 9 259:26:12 0 EOF\n", &node, &pid));
}

static void queues(void **state)
{
	static const char info[] = "pos:\t0\nflags:\t02\nmnt_id:\t31\nino:\t5\niff:\ttap0\n";

	(void)state;
	assert_true(locks_is_queue_of(info, "tap0"));
	assert_false(locks_is_queue_of(info, "tap"));
	assert_false(locks_is_queue_of(info, "tap01"));
	assert_false(locks_is_queue_of("pos:\t0\n", "tap0"));
	assert_false(locks_is_queue_of("iff:\t", "tap0"));
	assert_false(locks_is_queue_of("", "tap0"));
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(rows) + 2] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(queues),
	};

	UNIT_ROWS(tests + 2, rows, row);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
