/*
 * test_diag.c - problems: their two forms, the exit status of all together, and more than fit
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#include "unit.h"

static void put_json(struct str *s, const void *arg)
{
	diag_json(arg, s);
}

static const char json[] = "{\n  \"nics\": [ { \"id\": \"a\" }, { \"queues\": 9 } ]\n}";
static const struct where nic1 = { .up = &(const struct where){ .key = "nics" }, .index = 1, .label = "net1" };

/* One problem, whole. */
static void text_of_a_descriptor_error(void **state)
{
	struct unit u;

	(void)state;
	unit_open(&u);
	u.ds.source = (struct source){ "stdin", json };
	assert_int_equal(diag_add(&u.ds, DIAG_DESC_RANGE, 0, KEY(&nic1, "queues"), NULL, "%u is %s", 9U, "bad"), -1);
	diag_hint(&u.ds, "take %d", 8);
	assert_string_equal(unit_text(&u, 0),
			    "qemu-handoff: error: nics[1].queues (net1): stdin:2:30: 9 is bad "
			    "(try: take 8)");
	assert_string_equal(str_make(&u.mem, put_json, &u.ds.list[0]),
			    "{\"level\":\"error\",\"code\":\"descriptor-range\",\"status\":100,"
			    "\"path\":\"nics[1].queues\",\"nic\":\"net1\",\"object\":\"stdin\",\"line\":2,\"column\":30,\"errno\":null,"
			    "\"message\":\"9 is bad\",\"hint\":\"take 8\"}");
	unit_close(&u);
}

static void text_of_a_host_error(void **state)
{
	struct unit u;

	(void)state;
	unit_open(&u);
	u.ds.source = (struct source){ "stdin", json };
	(void)diag_add(&u.ds, DIAG_NODE_ACCESS, EACCES, &nic1, "/dev/tap7", "mode 0600");
	assert_string_equal(unit_text(&u, 0),
			    "qemu-handoff: error: nics[1] (net1): /dev/tap7: Permission denied: mode 0600");
	assert_string_equal(str_make(&u.mem, put_json, &u.ds.list[0]),
			    "{\"level\":\"error\",\"code\":\"node-access\",\"status\":101,\"path\":\"nics[1]\",\"nic\":\"net1\","
			    "\"object\":\"/dev/tap7\",\"errno\":\"EACCES\",\"message\":\"mode 0600\",\"hint\":null}");
	unit_close(&u);
}

static void text_of_a_warning(void **state)
{
	struct unit u;

	(void)state;
	unit_open(&u);
	assert_int_equal(diag_add(&u.ds, DIAG_LINK_DOWN, 0, NULL, "mv0", "the link is down"), -1);
	assert_string_equal(unit_text(&u, 0), "qemu-handoff: warning: mv0: the link is down");
	assert_string_equal(str_make(&u.mem, put_json, &u.ds.list[0]),
			    "{\"level\":\"warning\",\"code\":\"link-down\",\"path\":null,\"nic\":null,\"object\":\"mv0\","
			    "\"errno\":null,\"message\":\"the link is down\",\"hint\":null}");
	assert_int_equal(u.ds.status, EXIT_NONE);
	unit_close(&u);
}

static void put_coloured(struct str *s, const void *arg)
{
	diag_text_by("x", true, arg, s);
}

static void put_excerpt(struct str *s, const void *arg)
{
	const struct diags *ds = arg;

	diag_excerpt(ds, &ds->list[0], s);
}

static void colours(void **state)
{
	struct unit u;

	(void)state;
	unit_open(&u);
	(void)diag_add(&u.ds, DIAG_LINK_MISSING, 0, NULL, "mv0", "gone");
	(void)diag_add(&u.ds, DIAG_LINK_DOWN, 0, NULL, "mv0", "down");
	assert_string_equal(str_make(&u.mem, put_coloured, &u.ds.list[0]), "x: \033[1;31merror\033[0m: mv0: gone");
	assert_string_equal(str_make(&u.mem, put_coloured, &u.ds.list[1]), "x: \033[1;35mwarning\033[0m: mv0: down");
	unit_close(&u);
}

#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
/* '!' is the place of the mistake. */
static const struct excerpt { const char *name, *text, *want; } excerpts[] = {
	{ "excerpt: one line", "{\"a\":1 !\"b\":2}", "  {\"a\":1 \"b\":2}\n         ^\n" },
	{ "excerpt: one of many, without its indent", "{\n\t\"a\": yes!,\n\t\"b\":2\n}", "  \"a\": yes,\n          ^\n" },
	{ "excerpt: the end", "{\"a\":1!", "  {\"a\":1\n        ^\n" },
	{ "excerpt: far to the right", "{\"a\":\"" FIFTY "\"!\"b\":2}",
	  "  " "1234567" "89" TEN TEN TEN TEN "\"\"b\":2}\n" "  " "          " "          " "          " "          "
	  "          " "^\n" },
	{ "excerpt: a long rest", "{!x" FIFTY FIFTY, "  {x" FIFTY TEN TEN "012345\n   ^\n" },
	{ "excerpt: nothing of bytes that a terminal acts on", "{\"\033[2J\"!\"", "" },
	{ "excerpt: nothing of a file that is none of ours", "root:x:0:0!:", "" },
	{ "excerpt: an empty line", "{\n!\n", "" },
};

static void excerpt(void **state)
{
	const struct excerpt *row = *state;
	const char *mark = strchr(row->text, '!');
	const size_t offset = (size_t)(mark - row->text);
	char text[200];
	struct unit u;

	unit_open(&u);
	str_put(&STR_ON(text), "%.*s%s", (int)offset, row->text, mark + 1);
	(void)diag_add(&u.ds, DIAG_DESC_SYNTAX, 0, NULL, "stdin", "bad");
	assert_string_equal(str_make(&u.mem, put_excerpt, &u.ds), "");
	diag_place(&u.ds, text, offset);
	assert_string_equal(str_make(&u.mem, put_excerpt, &u.ds), row->want);
	unit_close(&u);
}

#define LINE "a\\x0a\\x1b[2J\"\\\\x7f\\xc2\\x9b,'%s%n"

/* Text from outside in every part: one line, and JSON that parses back to it. */
static void hostile_parts(void **state)
{
	static const char evil[] = "a\n\x1b[2J\"\\\x7f\xc2\x9b,'%s%n";
	cJSON *root;
	struct unit u;

	(void)state;
	unit_open(&u);
	(void)diag_add(&u.ds, DIAG_OPEN_FAILED, 0, KEY(NULL, evil), evil, "%s", evil);
	diag_hint(&u.ds, "%s", evil);
	assert_string_equal(unit_text(&u, 0), "qemu-handoff: error: " LINE ": " LINE ": " LINE " (try: " LINE ")");
	root = cJSON_Parse(str_make(&u.mem, put_json, &u.ds.list[0]));
	assert_non_null(root);
	assert_string_equal(cJSON_GetObjectItemCaseSensitive(root, "path")->valuestring, evil);
	assert_string_equal(cJSON_GetObjectItemCaseSensitive(root, "object")->valuestring, evil);
	assert_string_equal(cJSON_GetObjectItemCaseSensitive(root, "message")->valuestring, evil);
	assert_string_equal(cJSON_GetObjectItemCaseSensitive(root, "hint")->valuestring, evil);
	cJSON_Delete(root);
	unit_close(&u);
}

/* The status of several problems is the lowest of them: the descriptor comes before the host. */
static const struct order {
	const char *name;
	enum diag_id ids[4];
	unsigned n;
	int status;
} orders[] = {
	{ "status: none",		{ 0 }, 0, 0 },
	{ "status: only warnings",	{ DIAG_LINK_DOWN, DIAG_VHOST_OFF }, 2, 0 },
	{ "status: warning, host",	{ DIAG_LINK_DOWN, DIAG_LINK_MISSING }, 2, 101 },
	{ "status: host, warning",	{ DIAG_LINK_MISSING, DIAG_LINK_DOWN }, 2, 101 },
	{ "status: host, descriptor",	{ DIAG_LINK_MISSING, DIAG_DESC_RANGE }, 2, 100 },
	{ "status: descriptor, host",	{ DIAG_DESC_RANGE, DIAG_LINK_MISSING }, 2, 100 },
	{ "status: call, host",		{ DIAG_OPEN_FAILED, DIAG_LINK_MISSING }, 2, 101 },
	{ "status: QEMU not found",	{ DIAG_QEMU_NOT_FOUND }, 1, 127 },
	{ "status: QEMU not executable", { DIAG_QEMU_NOT_EXECUTABLE }, 1, 126 },
	{ "status: all kinds",		{ DIAG_QEMU_NOT_FOUND, DIAG_OPEN_FAILED, DIAG_TAP_OWNER, DIAG_USAGE },
	  4, 100 },
};

static void order(void **state)
{
	const struct order *row = *state;
	struct unit u;

	unit_open(&u);
	for (unsigned i = 0; i < row->n; i++)
		(void)diag_add(&u.ds, row->ids[i], 0, NULL, NULL, "x");
	assert_int_equal(u.ds.status, row->status);
	assert_int_equal(u.ds.n, row->n);
	for (unsigned i = 0; i < row->n; i++)
		assert_true(diag_has(&u.ds, row->ids[i]));
	assert_false(diag_has(&u.ds, DIAG_EXPECT));
	unit_close(&u);
}

static void more_than_fit(void **state)
{
	struct unit u;

	(void)state;
	unit_open(&u);
	u.ds.source = (struct source){ "stdin", json };
	for (unsigned i = 0; i < DIAGS_MAX; i++)
		(void)diag_add(&u.ds, DIAG_LINK_MISSING, 0, NULL, NULL, "problem %u", i);
	diag_hint(&u.ds, "the last one's");
	assert_int_equal(diag_add(&u.ds, DIAG_DESC_RANGE, 0, NULL, NULL, "one more"), -1);
	diag_hint(&u.ds, "not the last one's");
	diag_place(&u.ds, json, 5);
	(void)diag_add(&u.ds, DIAG_LINK_DOWN, 0, NULL, NULL, "a warning");
	assert_int_equal(u.ds.n, DIAGS_MAX);
	assert_int_equal(u.ds.dropped, 2);
	assert_int_equal(u.ds.status, EXIT_DESC);
	assert_string_equal(unit_text(&u, DIAGS_MAX - 1), "qemu-handoff: error: problem 63 (try: "
							  "the last one's)");
	unit_close(&u);
}

/* An error takes the place of a warning: what ends a launch is always said. */
static void error_behind_warnings(void **state)
{
	struct unit u;

	(void)state;
	unit_open(&u);
	(void)diag_add(&u.ds, DIAG_LINK_MISSING, 0, NULL, NULL, "first");
	for (unsigned i = 1; i < DIAGS_MAX; i++)
		(void)diag_add(&u.ds, DIAG_LINK_DOWN, 0, NULL, NULL, "warning %u", i);
	(void)diag_add(&u.ds, DIAG_QEMU_NOT_FOUND, ENOENT, NULL, "/qemu", "gone");
	diag_hint(&u.ds, "install it");
	assert_int_equal(u.ds.n, DIAGS_MAX);
	assert_int_equal(u.ds.dropped, 1);
	assert_true(diag_has(&u.ds, DIAG_QEMU_NOT_FOUND));
	assert_string_equal(unit_text(&u, 0), "qemu-handoff: error: first");
	assert_string_equal(unit_text(&u, DIAGS_MAX - 2), "qemu-handoff: warning: warning 62");
	assert_string_equal(unit_text(&u, DIAGS_MAX - 1),
			    "qemu-handoff: error: /qemu: No such file or directory: gone (try: "
			    "install it)");
	/* a warning does not take an error's, and its hint goes with it */
	(void)diag_add(&u.ds, DIAG_LINK_DOWN, 0, NULL, NULL, "late");
	diag_hint(&u.ds, "late hint");
	assert_int_equal(u.ds.dropped, 2);
	assert_string_equal(u.ds.list[DIAGS_MAX - 1].hint, "install it");
	unit_close(&u);
}

/* What the kernel has run out of says nothing of what was looked at. */
static void ran_out(void **state)
{
	static const int errs[] = { ENOMEM, ENFILE, EMFILE };
	struct unit u;

	(void)state;
	for (unsigned i = 0; i < ARRAY_LEN(errs); i++) {
		unit_open(&u);
		(void)diag_add(&u.ds, DIAG_VHOST_OFF, errs[i], NULL, "/dev/vhost-net", "a warning stays one");
		assert_int_equal(u.ds.status, EXIT_NONE);
		(void)diag_add(&u.ds, DIAG_ACL_UNREADABLE, errs[i], NULL, "/etc/qemu/bridge.conf", "it is read");
		diag_hint(&u.ds, "let uid 0 read it");
		(void)diag_add(&u.ds, DIAG_DESC_UNREADABLE, errs[i], NULL, "guest.json", "it is read");
		(void)diag_add(&u.ds, DIAG_HELPER_FAILED, errs[i], NULL, "/helper", "it is started");
		assert_int_equal(u.ds.status, EXIT_CALL);
		assert_true(diag_has(&u.ds, DIAG_VHOST_OFF));
		assert_int_equal(u.ds.list[1].id, DIAG_CALL_FAILED);
		assert_null(u.ds.list[1].hint);
		assert_int_equal(u.ds.list[2].id, DIAG_CALL_FAILED);
		assert_int_equal(u.ds.list[3].id, DIAG_HELPER_FAILED);
		unit_close(&u);
	}
}

static void hint_without_problem(void **state)
{
	struct unit u;

	(void)state;
	unit_open(&u);
	diag_hint(&u.ds, "nothing to hint at");
	assert_int_equal(u.ds.n, 0);
	unit_close(&u);
}

/* Names are what programs compare: words of lower case, no two alike, and the class is a known status. */
static void ids(void **state)
{
	(void)state;
	for (unsigned i = 0; i < DIAG__COUNT; i++) {
		const char *name = diag_name(i);
		const int status = diag_status(i);

		assert_true(name[0] && name[strspn(name, "abcdefghijklmnopqrstuvwxyz-")] == '\0');
		assert_true(status == 0 || status == 100 || status == 101 || status == 111 || status == 126 || status == 127);
		for (unsigned j = 0; j < i; j++)
			assert_string_not_equal(name, diag_name(j));
	}
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(orders) + ARRAY_LEN(excerpts) + 10] = {
		cmocka_unit_test(text_of_a_descriptor_error),
		cmocka_unit_test(text_of_a_host_error),
		cmocka_unit_test(text_of_a_warning),
		cmocka_unit_test(hostile_parts),
		cmocka_unit_test(more_than_fit),
		cmocka_unit_test(error_behind_warnings),
		cmocka_unit_test(ran_out), cmocka_unit_test(hint_without_problem),
		cmocka_unit_test(ids), cmocka_unit_test(colours),
	};

	UNIT_ROWS(tests + 10, orders, order);
	UNIT_ROWS(tests + 10 + ARRAY_LEN(orders), excerpts, excerpt);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
