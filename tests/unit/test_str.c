/*
 * test_str.c - text in a fixed buffer, and the five ways of escaping
 */
#include "config.h"

#include "unit.h"

typedef void put_fn(struct str *s, const char *value);

static const struct escape {
	const char *name;
	put_fn *put;
	const char *value, *want;
} escapes[] = {
	{ "opt: plain",			str_put_opt,	"virtio",		"virtio" },
	{ "opt: empty",			str_put_opt,	"",			"" },
	{ "opt: commas are doubled",	str_put_opt,	",a,,b,",		",,a,,,,b,," },
	{ "opt: nothing else is touched", str_put_opt,	"a=b\\ \"'\n",		"a=b\\ \"'\n" },
	{ "json: quote, backslash",	str_put_json,	"a\"b\\c",		"a\\\"b\\\\c" },
	{ "json: newline, tab",		str_put_json,	"a\nb\tc",		"a\\nb\\tc" },
	{ "json: control bytes",	str_put_json,	"\x01\x1f\x7f",		"\\u0001\\u001f\\u007f" },
	{ "json: UTF-8 stays",		str_put_json,	"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
	  "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
	{ "json: a byte that is not UTF-8", str_put_json, "a\xff" "b",		"a\xef\xbf\xbd" "b" },
	{ "json: a character cut short", str_put_json,	"\xe2\x82",		"\xef\xbf\xbd\xef\xbf\xbd" },
	{ "json: an overlong slash",	str_put_json,	"\xc0\xaf",		"\xef\xbf\xbd\xef\xbf\xbd" },
	{ "json: a surrogate",		str_put_json,	"\xed\xa0\x80",
	  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
	{ "json: above U+10FFFF",	str_put_json,	"\xf4\x90\x80\x80",
	  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
	{ "line: plain",		str_put_line,	"a b'\"\\",		"a b'\"\\" },
	{ "line: control bytes",	str_put_line,	"a\n\x1b[2J\x7f",	"a\\x0a\\x1b[2J\\x7f" },
	{ "line: UTF-8 stays",		str_put_line,	"\xc3\xa9\xe2\x82\xac",	"\xc3\xa9\xe2\x82\xac" },
	{ "line: a control character of two bytes", str_put_line, "\xc2\x9b" "2J", "\\xc2\\x9b" "2J" },
	{ "line: a no-break space is none", str_put_line, "\xc2\xa0",		"\xc2\xa0" },
	{ "line: a byte that is not UTF-8", str_put_line, "\x9b" "2J\xff",	"\\x9b" "2J\\xff" },
	{ "line: right-to-left override", str_put_line,	"a\xe2\x80\xae" "b",	"a\\xe2\\x80\\xaeb" },
	{ "line: an isolate",		str_put_line,	"\xe2\x81\xa6" "b",	"\\xe2\\x81\\xa6b" },
	{ "line: zero width space",	str_put_line,	"\xe2\x80\x8b",	"\\xe2\\x80\\x8b" },
	{ "line: line separator",	str_put_line,	"\xe2\x80\xa8",	"\\xe2\\x80\\xa8" },
	{ "line: byte order mark",	str_put_line,	"\xef\xbb\xbf",	"\\xef\\xbb\\xbf" },
	{ "line: a tag",		str_put_line,	"\xf3\xa0\x81\x81",
	  "\\xf3\\xa0\\x81\\x81" },
	{ "line: soft hyphen",		str_put_line,	"\xc2\xad",		"\\xc2\\xad" },
	{ "line: their neighbours stay", str_put_line,
	  "\xe2\x80\x8a\xe2\x80\x90\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xb0\xc2\xae",
	  "\xe2\x80\x8a\xe2\x80\x90\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xb0\xc2\xae" },
	{ "json: C1",			str_put_json,	"\xc2\x9b",		"\\u009b" },
	{ "json: right-to-left override", str_put_json,	"\xe2\x80\xae",	"\\u202e" },
	{ "json: byte order mark",	str_put_json,	"\xef\xbb\xbf",	"\\ufeff" },
	{ "json: a tag",		str_put_json,	"\xf3\xa0\x81\x81",	"\\udb40\\udc41" },
	{ "json: a musical format control", str_put_json, "\xf0\x9d\x85\xb3",	"\\ud834\\udd73" },
	{ "shell: an escape sequence",	str_put_shell,	"a\x1b[2J'\\",		"$'a\\x1b[2J\\'\\\\'" },
	{ "shell: right-to-left override", str_put_shell, "\xe2\x80\xae \xc3\xa9",
	  "$'\\xe2\\x80\\xae \xc3\xa9'" },
	{ "shell: a byte that is not UTF-8", str_put_shell, "\x9b" "2J",	"$'\\x9b2J'" },
	{ "shell: plain",		str_put_shell,	"a-Z_0+=.,/:@%",	"a-Z_0+=.,/:@%" },
	{ "shell: empty",		str_put_shell,	"",			"''" },
	{ "shell: blank",		str_put_shell,	"a b",			"'a b'" },
	{ "shell: single quotes",	str_put_shell,	"it's'",		"'it'\\''s'\\'''" },
	{ "shell: what a shell expands", str_put_shell,	"$(id)`id`*~{a,b}!\\",	"'$(id)`id`*~{a,b}!\\'" },
	{ "shell: newline, per cent",	str_put_shell,	"%s\n%n",		"'%s\n%n'" },
};

static void escape(void **state)
{
	const struct escape *row = *state;
	char buf[128], small[8];
	struct str s = STR_ON(buf), cut = STR_ON(small);

	row->put(&s, row->value);
	assert_string_equal(buf, row->want);
	assert_int_equal(s.len, strlen(row->want));
	assert_false(str_cut(&s));
	/* what does not fit is counted all the same, and not written */
	row->put(&cut, row->value);
	assert_int_equal(cut.len, strlen(row->want));
	assert_int_equal(strncmp(small, row->want, sizeof(small) - 1), 0);
	assert_true(strlen(small) < sizeof(small));
	assert_int_equal(str_cut(&cut), strlen(row->want) >= sizeof(small));
}

static void exact_fit(void **state)
{
	char buf[6];
	struct str s = STR_ON(buf);

	(void)state;
	str_put(&s, "%s", "12345");
	assert_string_equal(buf, "12345");
	assert_false(str_cut(&s));
	str_put(&s, "%d", 6);
	assert_string_equal(buf, "12345");
	assert_true(str_cut(&s));
	assert_int_equal(s.len, 6);
	str_bytes(&s, "789", 3);
	assert_string_equal(buf, "12345");
	assert_int_equal(s.len, 9);
}

static void measuring(void **state)
{
	struct str s = { 0 };

	(void)state;
	str_put(&s, "%04d", 7);
	str_bytes(&s, "abc", 3);
	str_put_opt(&s, ",");
	assert_int_equal(s.len, 9);
	assert_true(str_cut(&s));
}

static void render(struct str *s, const void *arg)
{
	for (unsigned i = 0; i < 1000; i++)
		str_put(s, "%s", (const char *)arg);
}

static void made_text(void **state)
{
	struct unit u;
	const char *text;

	(void)state;
	unit_open(&u);
	text = str_make(&u.mem, render, "ab");
	assert_int_equal(strlen(text), 2000);
	assert_int_equal(strspn(text, "ab"), 2000);
	assert_string_equal(str_make(&u.mem, render, ""), "");
	unit_close(&u);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(escapes) + 3] = {
		cmocka_unit_test(exact_fit),
		cmocka_unit_test(measuring),
		cmocka_unit_test(made_text),
	};

	UNIT_ROWS(tests + 3, escapes, escape);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
