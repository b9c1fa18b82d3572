/*
 * test_choose.c - which file of a directory a guest's words choose, where "-handoff" is, which
 * source holds
 */
#include "config.h"

#include <stdio.h>

#include "desc/choose.h"
#include "desc/desc.h"
#include "mode/table.h"
#include "unit.h"

enum { WORDS_MAX = 8 };

#define UUID  "01234567-89ab-cdef-0123-456789abcdef"
#define TEN   "aaaaaaaaaa"
#define FIFTY TEN TEN TEN TEN TEN

static struct cmdline words_of(const char *const *from, char **words)
{
	struct cmdline ret = { .argv0 = "qemu", .words = words };

	while (ret.n < WORDS_MAX && from[ret.n]) {
		words[ret.n] = unconst_word(from[ret.n]);
		ret.n++;
	}
	return ret;
}

/* --- names ----------------------------------------------------------------------------------- */

static struct file_row {
	const char *name;
	const char *words[WORDS_MAX]; /* NULL ends them */
	const char *want;             /* the files but default.json; NULL: refused */
	const char *text;             /* of the problem */
} files[] = {
	{ "no words", { NULL }, "", NULL },
	{ "no name", { "-S", "disk.img" }, "", NULL },
	{ "a name", { "-name", "web1" }, "web1.json ", NULL },
	{ "two dashes", { "--name", "web1" }, "web1.json ", NULL },
	{ "guest=", { "-name", "guest=web1" }, "web1.json ", NULL },
	{ "guest= after another key",
	  { "-name", "debug-threads=on,guest=web1" },
	  "web1.json ",
	  NULL },
	{ "other keys", { "-name", "web1,debug-threads=on,process=x" }, "web1.json ", NULL },
	{ "another key alone", { "-name", "debug-threads=on" }, "", NULL },
	{ "the last of two in one", { "-name", "a,guest=b" }, "b.json ", NULL },
	{ "the last of two", { "-name", "a", "-name", "b" }, "b.json ", NULL },
	{ "two options merge", { "-name", "a", "-name", "process=x" }, "a.json ", NULL },
	{ "a comma", { "-name", "a,,b" }, "a%2Cb.json ", NULL },
	{ "a comma in guest=", { "-name", "guest=a,,b,process=c" }, "a%2Cb.json ", NULL },
	{ "help is a name", { "-name", "help" }, "help.json ", NULL },
	{ "braces are a name", { "-name", "{a" }, "%7Ba.json ", NULL },
	{ "JSON is a name",
	  { "-name", "{\"guest\":\"a\"}" },
	  "%7B%22guest%22%3A%22a%22%7D.json ",
	  NULL },
	{ "an empty name", { "-name", "" }, "", NULL },
	{ "an empty guest=", { "-name", "guest=" }, "", NULL },
	{ "without a value", { "-S", "-name" }, "", NULL },
	{ "a value of another option", { "-append", "-name", "web1" }, "", NULL },
	{ "a name like an option", { "-name", "-S" }, "-S.json ", NULL },
	{ "a UUID", { "-uuid", UUID }, UUID ".json ", NULL },
	{ "a UUID in capitals",
	  { "-uuid", "01234567-89AB-CDEF-0123-456789ABCDEF" },
	  UUID ".json ",
	  NULL },
	{ "the last UUID",
	  { "-uuid", "00000000-0000-0000-0000-000000000000", "-uuid", UUID },
	  UUID ".json ",
	  NULL },
	{ "a name and a UUID", { "-uuid", UUID, "-name", "a" }, "a.json " UUID ".json ", NULL },
	{ "an empty name and a UUID", { "-uuid", UUID, "-name", "" }, UUID ".json ", NULL },
	{ "a UUID too short",
	  { "-uuid", "01234567-89ab-cdef-0123-456789abcde" },
	  NULL,
	  "-uuid: '01234567-89ab-cdef-0123-456789abcde' is no UUID" },
	{ "a UUID too long", { "-uuid", UUID "0" }, NULL, "-uuid: '" UUID "0' is no UUID" },
	{ "a UUID with another letter",
	  { "-uuid", "01234567-89ab-cdef-0123-456789abcdeg" },
	  NULL,
	  "-uuid: '01234567-89ab-cdef-0123-456789abcdeg' is no UUID" },
	{ "a UUID with a slash",
	  { "-uuid", "01234567/89ab-cdef-0123-456789abcdef" },
	  NULL,
	  "-uuid: '01234567/89ab-cdef-0123-456789abcdef' is no UUID" },
	{ "a UUID without dashes",
	  { "-uuid", "0123456789abcdef0123456789abcdef" },
	  NULL,
	  "-uuid: '0123456789abcdef0123456789abcdef' is no UUID" },
	{ "no UUID at all", { "-uuid", "" }, NULL, "-uuid: '' is no UUID" },
	/* hostile names */
	{ "a slash", { "-name", "a/b" }, "a%2Fb.json ", NULL },
	{ "up", { "-name", ".." }, "%2E..json ", NULL },
	{ "up and elsewhere",
	  { "-name", "../../etc/passwd" },
	  "%2E.%2F..%2Fetc%2Fpasswd.json ",
	  NULL },
	{ "an absolute path", { "-name", "/etc/qemu" }, "%2Fetc%2Fqemu.json ", NULL },
	{ "one dot", { "-name", "." }, "%2E.json ", NULL },
	{ "a leading dot", { "-name", ".hidden" }, "%2Ehidden.json ", NULL },
	{ "dots inside", { "-name", "a.b..c" }, "a.b..c.json ", NULL },
	{ "what stays", { "-name", "AZaz09-_~." }, "AZaz09-_~..json ", NULL },
	{ "what does not",
	  { "-name", "guest= !\"#$&'()*+:;<=" },
	  "%20%21%22%23%24%26%27%28%29%2A%2B%3A%3B%3C%3D.json ",
	  NULL },
	{ "a per cent sign", { "-name", "%2F" }, "%252F.json ", NULL },
	{ "control bytes", { "-name", "a\nb\x1b[0m\x7f" }, "a%0Ab%1B%5B0m%7F.json ", NULL },
	{ "UTF-8", { "-name", "g\xc3\xa4st" }, "g%C3%A4st.json ", NULL },
	{ "not UTF-8", { "-name", "a\xff\xc0\x80" }, "a%FF%C0%80.json ", NULL },
	{ "with our suffix", { "-name", "web1.json" }, "web1.json.json ", NULL },
	{ "default", { "-name", "default" }, "", NULL },
	{ "default, with a UUID", { "-name", "default", "-uuid", UUID }, UUID ".json ", NULL },
	{ "Default is another", { "-name", "Default" }, "Default.json ", NULL },
	{ "the longest",
	  { "-name", FIFTY FIFTY FIFTY FIFTY FIFTY },
	  FIFTY FIFTY FIFTY FIFTY FIFTY ".json ",
	  NULL },
	{ "one byte more",
	  { "-name", FIFTY FIFTY FIFTY FIFTY FIFTY "a" },
	  NULL,
	  "-name: the file's name would have 256 bytes: at most 255 are possible" },
	{ "too long when it is escaped",
	  { "-name", FIFTY FIFTY FIFTY FIFTY TEN TEN TEN TEN "aaaaaaaa/" },
	  NULL,
	  "-name: the file's name would have 256 bytes: at most 255 are possible" },
	/* options that are not known here */
	{ "unknown before a name, with a value",
	  { "-nonesuch", "x", "-name", "a" },
	  "a.json ",
	  NULL },
	{ "unknown after a name", { "-name", "a", "-nonesuch", "-S" }, "a.json ", NULL },
	{ "unknown before another option", { "-nonesuch", "-S" }, "", NULL },
	{ "unknown before another option and a name",
	  { "-nonesuch", "-S", "-name", "a" },
	  NULL,
	  "-nonesuch: not known here: -name and -uuid after it can be read in two ways (try: give "
	  "-name and -uuid before it)" },
	{ "unknown right before a name",
	  { "-nonesuch", "-name", "a" },
	  NULL,
	  "-nonesuch: not known here: -name and -uuid after it can be read in two ways (try: give "
	  "-name and -uuid before it)" },
	{ "unknown before a UUID",
	  { "-nonesuch", "--uuid", UUID },
	  NULL,
	  "-nonesuch: not known here: -name and -uuid after it can be read in two ways (try: give "
	  "-name and -uuid before it)" },
};

static void is_refused(struct unit *u, const char *code, const char *text)
{
	assert_string_equal(unit_problems(u), arena_printf(&u->mem, "%s -", code));
	assert_string_equal(unit_text(u, 0),
			    arena_printf(&u->mem, "qemu-handoff: error: %s", text));
}

static void file(void **state)
{
	const struct file_row *r = *state;
	char *words[WORDS_MAX], text[1024];
	const struct cmdline cmdline = words_of(r->words, words);
	struct guest_files got;
	struct str s = STR_ON(text);
	struct unit u;
	int ret;

	unit_open(&u);
	ret = choose_files(&cmdline, &u.mem, &got, &u.ds);
	assert_int_equal(ret, r->want ? 0 : -1);
	if (ret < 0) {
		is_refused(&u, "guest-name", r->text);
	} else {
		str_put(&s, "%s", "");
		for (unsigned i = 0; i + 1 < got.n; i++)
			str_put(&s, "%s ", got.names[i]);
		assert_string_equal(text, r->want);
		assert_string_equal(got.names[got.n - 1], "default.json");
	}
	unit_close(&u);
}

/* No two names have one file: of every byte as a name, and of each before and after a letter. */
static void distinct(void **state)
{
	static char seen[3 * 255][16];
	unsigned n = 0;

	(void)state;
	for (unsigned form = 0; form < 3; form++)
		for (unsigned c = 1; c < 256; c++) {
			char name[4], option[] = "-name", *words[2] = { option, name };
			struct guest_files got;
			struct unit u;

			(void)snprintf(name, sizeof(name),
				       form == 0   ? "%c"
				       : form == 1 ? "a%c"
						   : "%cbb",
				       (int)c);
			/* marks of QEMU's in the value of an option */
			if (c == ',' || c == '=')
				continue;
			unit_open(&u);
			assert_int_equal(choose_files(&(struct cmdline){ .words = words, .n = 2 },
						      &u.mem, &got, &u.ds),
					 0);
			assert_int_equal(got.n, 2);
			(void)snprintf(seen[n], sizeof(seen[n]), "%s", got.names[0]);
			for (unsigned i = 0; i < n; i++)
				assert_string_not_equal(seen[i], seen[n]);
			n++;
			unit_close(&u);
		}
}

/* --- "-handoff" ------------------------------------------------------------------------------ */

static struct word_row {
	const char *name;
	const char *words[WORDS_MAX];
	const char *want; /* the source and what is left; NULL: refused */
	const char *text;
} words_rows[] = {
	{ "handoff: none", { "-S", "a" }, "(none) | -S a", NULL },
	{ "handoff: first", { "-handoff", "/d", "-S" }, "/d | -S", NULL },
	{ "handoff: last", { "-m", "1G", "-S", "-handoff", "/d" }, "/d | -m 1G -S", NULL },
	{ "handoff: alone", { "-handoff", "-" }, "- |", NULL },
	{ "handoff: two dashes", { "--handoff", "{}", "x" }, "{} | x", NULL },
	{ "handoff: after a disk", { "disk.img", "-handoff", "/d" }, "/d | disk.img", NULL },
	{ "handoff: its value is like an option", { "-handoff", "-S" }, "-S |", NULL },
	{ "handoff: its value is the word itself", { "-handoff", "-handoff" }, "-handoff |", NULL },
	{ "handoff: a value of another option",
	  { "-name", "-handoff", "-S" },
	  "(none) | -name -handoff -S",
	  NULL },
	{ "handoff: a value, and then not",
	  { "-append", "-handoff", "-handoff", "/d" },
	  "/d | -append -handoff",
	  NULL },
	{ "handoff: after a flag", { "-S", "-handoff", "/d" }, "/d | -S", NULL },
	{ "handoff: with =", { "-handoff=/d" }, "(none) | -handoff=/d", NULL },
	{ "handoff: a beginning", { "-handof", "/d" }, "(none) | -handof /d", NULL },
	{ "handoff: three dashes", { "---handoff", "/d" }, "(none) | ---handoff /d", NULL },
	{ "handoff: after the value of the last option", { "-S", "-m" }, "(none) | -S -m", NULL },
	{ "handoff: no value",
	  { "-S", "-handoff" },
	  NULL,
	  "-handoff: needs a value: where the descriptor is" },
	{ "handoff: twice",
	  { "-handoff", "/d", "-S", "--handoff", "/d" },
	  NULL,
	  "-handoff: given twice" },
	{ "handoff: after an unknown option",
	  { "-nonesuch", "x", "-handoff", "/d" },
	  NULL,
	  "-handoff: after '-nonesuch', an option that is not known here: it may be its value "
	  "(try: give -handoff as the first word)" },
	{ "handoff: right after one",
	  { "-nonesuch", "-handoff", "/d" },
	  NULL,
	  "-handoff: after '-nonesuch', an option that is not known here: it may be its value "
	  "(try: give -handoff as the first word)" },
	{ "handoff: a second one after an unknown option",
	  { "-handoff", "/d", "-nonesuch", "-handoff" },
	  NULL,
	  "-handoff: after '-nonesuch', an option that is not known here: it may be its value "
	  "(try: give -handoff as the first word)" },
	{ "handoff: before an unknown option",
	  { "-handoff", "/d", "-nonesuch", "-S" },
	  "/d | -nonesuch -S",
	  NULL },
	{ "handoff: a value after an unknown option",
	  { "-nonesuch", "-append", "-handoff" },
	  NULL,
	  "-handoff: after '-nonesuch', an option that is not known here: it may be its value "
	  "(try: give -handoff as the first word)" },
};

static void word(void **state)
{
	const struct word_row *r = *state;
	char *words[WORDS_MAX], text[256];
	struct cmdline cmdline = words_of(r->words, words);
	const char *source = NULL;
	struct str s = STR_ON(text);
	struct unit u;
	int ret;

	unit_open(&u);
	ret = choose_take_word(&cmdline, &u.mem, &source, &u.ds);
	assert_int_equal(ret, r->want ? 0 : -1);
	if (ret < 0) {
		is_refused(&u, "argv-handoff", r->text);
	} else {
		str_put(&s, "%s |", source ? source : "(none)");
		for (unsigned i = 0; i < cmdline.n; i++)
			str_put(&s, " %s", cmdline.words[i]);
		assert_string_equal(text, r->want);
		assert_string_equal(cmdline.argv0, "qemu");
	}
	unit_close(&u);
}

/* --- the source ------------------------------------------------------------------------------ */

static struct source_row {
	const char *name;
	bool holds;
	const char *variable, *word;
	const char *want; /* the input; NULL: refused */
	const char *problems;
} sources[] = {
	{ "source: the variable", false, "/d", NULL, "/d", "" },
	{ "source: the word", false, NULL, "/d", "/d", "" },
	{ "source: the JSON in the word", false, NULL, "{}", "{}", "" },
	{ "source: both", false, "/d", "/d", NULL, "argv-handoff -" },
	{ "source: a bad word", false, NULL, "d", NULL, "usage -" },
	{ "source: an empty word", false, NULL, "", NULL, "usage -" },
	{ "source: the administrator's directory", true, NULL, NULL, GUESTS_DIR "/", "" },
	{ "source: the directory before the variable", true, "/d", NULL, GUESTS_DIR "/",
	  "source-unused -" },
	{ "source: the directory before the word", true, NULL, "/d", GUESTS_DIR "/",
	  "source-unused -" },
	{ "source: the directory before both, good or bad", true, "", "x", GUESTS_DIR "/",
	  "source-unused -" },
};

static void source(void **state)
{
	const struct source_row *r = *state;
	struct input input = { 0 };
	struct unit u;

	unit_open(&u);
	assert_int_equal(choose_source(r->holds, r->variable, r->word, &input, &u.ds),
			 r->want ? 0 : -1);
	assert_string_equal(unit_problems(&u), r->problems);
	if (r->want)
		assert_string_equal(input.text, r->want);
	assert_int_equal(input.kind == INPUT_DIR, r->holds);
	unit_close(&u);
}

/* --- default.json ---------------------------------------------------------------------------- */

static struct default_row {
	const char *name, *text;
	const char *problems;
} defaults[] = {
	{ "default.json: nothing", "{'version':1}", "" },
	{ "default.json: what confines",
	  "{'version':1,'user':1000,'group':1000,'landlock':'prefer','seccomp':{'action':'kill'},"
	  "'cgroup':'/c','capabilities':[],'qemu':'/q','runtime_dir':'/"
	  "r','vhost':false,'default_nic':true}",
	  "" },
	{ "default.json: no NIC", "{'version':1,'nics':[]}", "" },
	{ "default.json: the NICs of argv", "{'version':1,'nics':'argv'}", "" },
	{ "default.json: a NIC", "{'version':1,'nics':[{'mode':'user'}]}",
	  "default-device nics 1:14" },
	{ "default.json: vsock", "{'version':1,'vsock':{'cid':3}}", "default-device vsock 1:14" },
	{ "default.json: words", "{'version':1,'args':['-S']}", "default-device args 1:14" },
	{ "default.json: all of them",
	  "{'version':1,'args':['-S'],'vsock':{'cid':3},'nics':[{'mode':'user'}]}",
	  "default-device nics 1:46; default-device vsock 1:28; default-device args 1:14" },
};

static void of_all(void **state)
{
	const struct default_row *r = *state;
	const char *text;
	struct desc desc;
	struct unit u;

	unit_open(&u);
	text = unit_json(&u, r->text);
	assert_int_equal(desc_parse(text, strlen(text), mode_syntax, &u.mem, &desc, &u.ds), 0);
	assert_int_equal(choose_default_rule(&desc, &u.ds), r->problems[0] ? -1 : 0);
	assert_string_equal(unit_problems(&u), r->problems);
	unit_close(&u);
}

int main(int argc, char **argv)
{
	enum { ROWS = ARRAY_LEN(files) + ARRAY_LEN(words_rows) + ARRAY_LEN(sources) };
	struct CMUnitTest tests[ROWS + ARRAY_LEN(defaults) + 1] = { cmocka_unit_test(distinct) };
	struct CMUnitTest *next = tests + 1;

	next = UNIT_ROWS(next, files, file);
	next = UNIT_ROWS(next, words_rows, word);
	next = UNIT_ROWS(next, sources, source);
	(void)UNIT_ROWS(next, defaults, of_all);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
