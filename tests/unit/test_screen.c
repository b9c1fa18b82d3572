/*
 * test_screen.c - where an object ends, what is refused before a parser sees it, where a place stands
 */
#include "config.h"

#include <stdlib.h>

#include "base/scan.h"
#include "desc/screen.h"
#include "unit.h"

/* --- the end of the first object --------------------------------------------------------------------- */

static const struct feed {
	const char *name, *text;
	size_t taken;
	bool done, not_object;
} feeds[] = {
	{ "feed: the smallest",			"{}",				2,	true,	false },
	{ "feed: what follows stays",		"{} {\"execute\":1}",		2,	true,	false },
	{ "feed: white space before",		" \t\r\n{}\n",			6,	true,	false },
	{ "feed: nested",			"{\"a\":{\"b\":[{},[]]}}x",	19,	true,	false },
	{ "feed: brackets in strings",		"{\"}\":\"]}{[\"}}",		12,	true,	false },
	{ "feed: escaped quotes",		"{\"a\\\"}\":\"\\\\\"}}",	13,	true,	false },
	{ "feed: a backslash before a quote's backslash", "{\"\\\\\\\"}\":1}}",	11,	true,	false },
	{ "feed: not yet whole",		"{\"a\":[1,2",			9,	false,	false },
	{ "feed: not yet whole, in a string",	"{\"a}",			4,	false,	false },
	{ "feed: nothing",			"",				0,	false,	false },
	{ "feed: only white space",		"  \n",				3,	false,	false },
	{ "feed: an array",			" [{}]",			1,	false,	true },
	{ "feed: text",				"x{}",				0,	false,	true },
	{ "feed: a byte order mark",		"\xef\xbb\xbf{}",		0,	false,	true },
};

/* Two cuts make three pieces, some of them empty: all there are. */
static void feed(void **state)
{
	const struct feed *row = *state;
	const size_t len = strlen(row->text);

	for (size_t a = 0; a <= len; a++) {
		for (size_t b = a; b <= len; b++) {
			const size_t cut[] = { 0, a, b, len };
			struct scan scan = { 0 };
			size_t taken = 0;

			for (unsigned i = 0; i < 3; i++)
				taken += scan_feed(&scan, row->text + cut[i], cut[i + 1] - cut[i]);
			assert_int_equal(taken, row->taken);
			assert_int_equal(scan.done, row->done);
			assert_int_equal(scan.not_object, row->not_object);
		}
	}
}

static void feed_byte_by_byte(void **state)
{
	const struct feed *row = *state;
	struct scan scan = { 0 };
	size_t taken = 0;

	for (const char *p = row->text; *p; p++)
		taken += scan_feed(&scan, p, 1);
	assert_int_equal(taken, row->taken);
	assert_int_equal(scan.done, row->done);
	assert_int_equal(scan.not_object, row->not_object);
}

/* --- screening ------------------------------------------------------------------------------------------ */

#define TEXT(literal) literal, sizeof(literal) - 1

static const struct screen {
	const char *name, *text;
	size_t len;
	const char *problems, *message;		/* NULL: it passes */
} screens[] = {
	{ "screen: every kind of value", TEXT("{\"a\":[1,-0,0.5,1e400,-1.25E+3,true,null,\"\"]}\r\n\t "),
	  NULL, NULL },
	{ "screen: UTF-8 of 2, 3 and 4 bytes", TEXT("{\"\xc3\xa9\":\"\xe2\x82\xac\xf0\x9f\x98\x80\"}"), NULL,
	  NULL },
	{ "screen: escapes that are none of control",
	  TEXT("{\"a\":\"\\\"\\\\\\/\\u0020\\u00e9\\u20AC\\ud83d\\ude00\\u00a0\"}"), NULL, NULL },
	{ "screen: 16 levels", TEXT("{\"a\":[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]}"), NULL, NULL },
	{ "screen: 17 levels", TEXT("{\"a\":[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]}"),
	  "descriptor-depth - 1:21", "nested deeper than 16 levels" },
	{ "screen: many objects side by side",
	  TEXT("[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}]"), NULL, NULL },
	{ "screen: a NUL byte", TEXT("{\n\0}"), "descriptor-syntax - 2:1", "a NUL byte" },
	{ "screen: a NUL byte in a string", TEXT("{\"a\0\":1}"), "descriptor-syntax - 1:4",
	  "a control character in a string" },
	{ "screen: a NUL byte at the end", TEXT("{}\0"), "descriptor-syntax - 1:3", "a NUL byte" },
	{ "screen: a newline in a string", TEXT("{\"a\":\n\"b\n\"}"), "descriptor-syntax - 2:3",
	  "a control character in a string" },
	{ "screen: a tab in a string", TEXT("{\"\t\":1}"), "descriptor-syntax - 1:3",
	  "a control character in a string" },
	{ "screen: DEL in a string", TEXT("{\"\x7f\":1}"), "descriptor-syntax - 1:3",
	  "a control character in a string" },
	{ "screen: C1 in a string", TEXT("{\"\xc3\xa9\xc2\x9b\":1}"), "descriptor-syntax - 1:4",
	  "a control character in a string" },
	{ "screen: a control character outside", TEXT("{\v}"), "descriptor-syntax - 1:2",
	  "a control character" },
	{ "screen: DEL outside", TEXT("{\x7f}"), "descriptor-syntax - 1:2", "a control character" },
	{ "screen: \\n", TEXT("{\"a\":\"b\\n\"}"), "descriptor-syntax - 1:8",
	  "an escape for a control character" },
	{ "screen: \\b", TEXT("{\"\\b\":1}"), "descriptor-syntax - 1:3",
	  "an escape for a control character" },
	{ "screen: \\f", TEXT("{\"\\f\":1}"), "descriptor-syntax - 1:3",
	  "an escape for a control character" },
	{ "screen: \\r", TEXT("{\"\\r\":1}"), "descriptor-syntax - 1:3",
	  "an escape for a control character" },
	{ "screen: \\t", TEXT("{\"\\t\":1}"), "descriptor-syntax - 1:3",
	  "an escape for a control character" },
	{ "screen: \\u0000", TEXT("{\"a\\u0000b\":1}"), "descriptor-syntax - 1:4",
	  "an escape for a control character" },
	{ "screen: \\u001F", TEXT("{\"\\u001F\":1}"), "descriptor-syntax - 1:3",
	  "an escape for a control character" },
	{ "screen: \\u001A", TEXT("{\"\\u001A\":1}"), "descriptor-syntax - 1:3",
	  "an escape for a control character" },
	{ "screen: \\u007f", TEXT("{\"\\u007f\":1}"), "descriptor-syntax - 1:3",
	  "an escape for a control character" },
	{ "screen: \\u009B", TEXT("{\"\\u009B\":1}"), "descriptor-syntax - 1:3",
	  "an escape for a control character" },
	{ "screen: not UTF-8", TEXT("{\"\xc3\xa9\xff\":1}"), "descriptor-syntax - 1:4",
	  "a byte that is not UTF-8" },
	{ "screen: an overlong NUL", TEXT("{\"\xc0\x80\":1}"), "descriptor-syntax - 1:3",
	  "a byte that is not UTF-8" },
	{ "screen: an overlong slash of 3 bytes", TEXT("{\"\xe0\x80\xaf\":1}"), "descriptor-syntax - 1:3",
	  "a byte that is not UTF-8" },
	{ "screen: a surrogate", TEXT("{\"\xed\xa0\x80\":1}"), "descriptor-syntax - 1:3",
	  "a byte that is not UTF-8" },
	{ "screen: above U+10FFFF", TEXT("{\"\xf4\x90\x80\x80\":1}"), "descriptor-syntax - 1:3",
	  "a byte that is not UTF-8" },
	{ "screen: cut in a character", TEXT("{\"\xe2\x82"), "descriptor-syntax - 1:3",
	  "a byte that is not UTF-8" },
	{ "screen: a continuation byte alone", TEXT("{\"\x80\":1}"), "descriptor-syntax - 1:3",
	  "a byte that is not UTF-8" },
	{ "screen: UTF-8 outside a string", TEXT("{\xc2\xa0}"), "descriptor-syntax - 1:2",
	  "a byte above 127 outside a string" },
	{ "screen: a leading zero", TEXT("{\"a\": 01}"), "descriptor-syntax - 1:7",
	  "not a number in JSON's syntax" },
	{ "screen: a bare point", TEXT("[1.]"), "descriptor-syntax - 1:2",
	  "not a number in JSON's syntax" },
	{ "screen: two points", TEXT("[1.2.3]"), "descriptor-syntax - 1:2",
	  "not a number in JSON's syntax" },
	{ "screen: no exponent", TEXT("[1e]"), "descriptor-syntax - 1:2",
	  "not a number in JSON's syntax" },
	{ "screen: no exponent behind its sign", TEXT("[1e-]"), "descriptor-syntax - 1:2",
	  "not a number in JSON's syntax" },
	{ "screen: minus alone", TEXT("[-]"), "descriptor-syntax - 1:2",
	  "not a number in JSON's syntax" },
	{ "screen: two minuses", TEXT("[--1]"), "descriptor-syntax - 1:2",
	  "not a number in JSON's syntax" },
	{ "screen: a leading zero behind minus", TEXT("[-012]"), "descriptor-syntax - 1:2",
	  "not a number in JSON's syntax" },
	{ "screen: hexadecimal", TEXT("[0x10]"), NULL, NULL },	/* "0", and then an x that the parser refuses */
	{ "screen: the end inside a string", TEXT("{\"a"), NULL, NULL },
	{ "screen: the end behind a backslash", TEXT("{\"a\\"), NULL, NULL },
	{ "screen: the end inside an escape", TEXT("{\"a\\u00"), NULL, NULL },
	{ "screen: the end inside a number", TEXT("{\"a\":-"), "descriptor-syntax - 1:6",
	  "not a number in JSON's syntax" },
	{ "screen: nothing", TEXT(""), NULL, NULL },
};

static void screen(void **state)
{
	const struct screen *row = *state;
	struct unit u;
	char *text;
	int ret;

	unit_open(&u);
	/* its own allocation: a byte read behind the NUL is seen by the sanitizer and by valgrind */
	text = malloc(row->len + 1);
	assert_non_null(text);
	memcpy(text, row->text, row->len + 1);
	u.ds.source = (struct source){ "stdin", text };
	ret = screen_json(text, row->len, &u.ds);
	free(text);
	assert_string_equal(unit_problems(&u), row->problems ? row->problems : "");
	assert_int_equal(ret, row->problems ? -1 : 0);
	if (row->problems) {
		assert_string_equal(u.ds.list[0].message, row->message);
		assert_string_equal(u.ds.list[0].object, "stdin");
	}
	unit_close(&u);
}

static void ten_thousand_levels(void **state)
{
	static char text[10001];
	struct unit u;

	(void)state;
	unit_open(&u);
	memset(text, '[', 10000);
	assert_int_equal(screen_json(text, 10000, &u.ds), -1);
	assert_string_equal(unit_problems(&u), "descriptor-depth - 1:17");
	unit_close(&u);
}

/* --- places --------------------------------------------------------------------------------------------- */

#define A(up_, index_) &(const struct where){ .up = (up_), .index = (index_) }
#define K(up_, key_) &(const struct where){ .up = (up_), .key = (key_) }
#define AGAIN(up_, key_) &(const struct where){ .up = (up_), .key = (key_), .again = true }

static const struct place {
	const char *name, *text;
	const struct where *at;
	unsigned line, column;
} places[] = {
	{ "place: a member is at its key",	"{'a':1,'b':2}",	K(NULL, "b"),			1,
	  8 },
	{ "place: an element is at its value",	"{'a':[10, 20]}",	A(K(NULL, "a"), 1),		1,
	  11 },
	{ "place: a member of an element",	"{'a':[{},\n {'b':2}]}", K(A(K(NULL, "a"), 1), "b"),	2,
	  3 },
	{ "place: behind nested values",	"{'x':{'b':[{'b':1}]},\n'b':2}", K(NULL, "b"),		2,
	  1 },
	{ "place: behind brackets in a string",	"{'x':'}]{[','b':2}",	K(NULL, "b"),			1,
	  13 },
	{ "place: behind escaped quotes",	"{'x':'\\'b\\':','b':2}", K(NULL, "b"),			1,
	  15 },
	{ "place: a key, not a value, counts",	"{'x':'b','b':2}",	K(NULL, "b"),			1,
	  10 },
	{ "place: not a key that begins alike",	"{'bb':1,'b':2}",	K(NULL, "b"),			1,
	  9 },
	{ "place: of two, the first",		"{'b':1,'b':2}",	K(NULL, "b"),			1,
	  2 },
	{ "place: of two, the second",		"{'b':1,'b':2}",	AGAIN(NULL, "b"),		1,
	  8 },
	{ "place: the second of one is not there", "{'b':1}",		AGAIN(NULL, "b"),		0,
	  0 },
	{ "place: within the first of two",	"{'b':{'c':1},'b':{'c':2}}", K(K(NULL, "b"), "c"),	1,
	  7 },
	{ "place: within the second of two",	"{'b':{'c':1},'b':{'c':2}}", K(AGAIN(NULL, "b"), "c"),	1,
	  19 },
	{ "place: columns are characters",	"{'\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80':1,'b':2}",
	  K(NULL, "b"), 1, 10 },
	{ "place: a key that is not ASCII",	"{'x':0,'\xc3\xa9':1}",	K(NULL, "\xc3\xa9"),		1,
	  8 },
	{ "place: lines end at a newline",	"\r\n{\r\n\r\n\t'b':2}", K(NULL, "b"),			4,
	  2 },
	{ "place: behind true, false, null",	"{'x':[true,false,null],'b':2}", K(NULL, "b"),		1,
	  24 },
	{ "place: element of mixed values",	"{'x':[true,{'y':[1,2]},'z',-1.5e3, 7]}", A(K(NULL, "x"), 4),
	  1, 36 },
	{ "place: no such member",		"{'a':1}",		K(NULL, "b"),			0,
	  0 },
	{ "place: no such element",		"{'a':[1]}",		A(K(NULL, "a"), 1),		1,
	  2 },
	{ "place: a member of an array",	"{'a':[1]}",		K(K(NULL, "a"), "b"),		1,
	  2 },
	{ "place: an element of an object",	"{'a':{'b':1}}",	A(K(NULL, "a"), 0),		1,
	  2 },
	{ "place: a member of a number",	"{'a':1}",		K(K(NULL, "a"), "b"),		1,
	  2 },
	{ "place: in nothing",			"",			K(NULL, "a"),			0,
	  0 },
	{ "place: in a text that was cut",	"{'a':[1,{'b",		K(A(K(NULL, "a"), 1), "c"),	1,
	  9 },
};

static void place(void **state)
{
	const struct place *row = *state;
	unsigned line = 0, column = 0;
	struct unit u;

	unit_open(&u);
	scan_locate(unit_json(&u, row->text), row->at, &line, &column);
	assert_int_equal(line, row->line);
	assert_int_equal(column, row->column);
	unit_close(&u);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[2 * ARRAY_LEN(feeds) + ARRAY_LEN(screens) + ARRAY_LEN(places) + 1] = {
		cmocka_unit_test(ten_thousand_levels),
	};
	struct CMUnitTest *next = tests + 1;

	next = UNIT_ROWS(next, feeds, feed);
	next = UNIT_ROWS(next, feeds, feed_byte_by_byte);
	next = UNIT_ROWS(next, screens, screen);
	UNIT_ROWS(next, places, place);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
