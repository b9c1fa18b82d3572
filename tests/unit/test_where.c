/*
 * test_where.c - a place in the descriptor: as text, its label, a copy that lasts
 */
#include "config.h"

#include "unit.h"
#include "base/where.h"

static void put(struct str *s, const void *arg)
{
	where_put(s, arg);
}

static void paths(void **state)
{
	struct unit u;

	(void)state;
	unit_open(&u);
	assert_string_equal(str_make(&u.mem, put, KEY(NULL, "vcpus")), "vcpus");
	assert_string_equal(str_make(&u.mem, put, KEY(ITEM(KEY(NULL, "nics"), 1), "queues")), "nics[1].queues");
	assert_string_equal(str_make(&u.mem, put, ITEM(ITEM(KEY(NULL, "a"), 0), 4294967295U)), "a[0][4294967295]");
	unit_close(&u);
}

static void labels(void **state)
{
	const struct where nic = { .up = KEY(NULL, "nics"), .index = 3, .label = "net3" };

	(void)state;
	assert_string_equal(where_label(&nic), "net3");
	assert_string_equal(where_label(ITEM(KEY(&nic, "fds"), 0)), "net3");
	assert_null(where_label(KEY(NULL, "vcpus")));
	assert_null(where_label(NULL));
}

static void kept(void **state)
{
	char key[] = "fds", label[] = "net3";
	struct where nic = { .up = KEY(NULL, "nics"), .index = 3, .label = label };
	const struct where *copy;
	struct unit u;

	(void)state;
	unit_open(&u);
	copy = where_keep(&u.mem, ITEM(KEY(&nic, key), 2));
	nic.index = 9;
	memset(key, 'x', sizeof(key) - 1);
	memset(label, 'x', sizeof(label) - 1);
	assert_string_equal(str_make(&u.mem, put, copy), "nics[3].fds[2]");
	assert_string_equal(where_label(copy), "net3");
	assert_null(where_keep(&u.mem, NULL));
	unit_close(&u);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths),
		cmocka_unit_test(labels),
		cmocka_unit_test(kept),
	};

	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
