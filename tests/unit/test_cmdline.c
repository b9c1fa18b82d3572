/*
 * test_cmdline.c - reading QEMU's command line as QEMU does
 */
#include "config.h"

#include "desc/cmdline.h"
#include "unit.h"

static void put_opts(struct str *s, const void *arg)
{
	const struct qopts *opts = arg;

	for (unsigned i = 0; i < opts->n; i++)
		str_put(s, "%s[%s]=[%s]", i > 0 ? " " : "", opts->list[i].key, opts->list[i].value);
}

static const struct parse {
	const char *name, *text, *first;
	const char *want;		/* NULL: it does not parse */
} parses[] = {
	{ "options: keys and values",		"tap,id=net0,fd=3",	"type",
	  "[type]=[tap] [id]=[net0] [fd]=[3]" },
	{ "options: the first word has a key",	"id=a,type=tap",	"type",	"[id]=[a] [type]=[tap]" },
	{ "options: doubled commas",		"user,a=x,,y,b=,,,c=z",	"type",
	  "[type]=[user] [a]=[x,y] [b]=[,] [c]=[z]" },
	{ "options: three commas end one value",	"user,a=x,,,b=1",	"type",
	  "[type]=[user] [a]=[x,] [b]=[1]" },
	{ "options: an equals sign in a value",	"user,a=b=c",		"type",	"[type]=[user] [a]=[b=c]" },
	{ "options: a word is on",		"tap,vhost",		"type",	"[type]=[tap] [vhost]=[on]" },
	{ "options: a word with no is off",	"tap,novhost",		"type",
	  "[type]=[tap] [vhost]=[off]" },
	{ "options: an empty value",		"tap,fd=",		"type",	"[type]=[tap] [fd]=[]" },
	{ "options: a comma at the end",	"tap,id=a,",		"type",	"[type]=[tap] [id]=[a]" },
	{ "options: without a first key",	"fd=3,set=1",		NULL,	"[fd]=[3] [set]=[1]" },
	{ "options: nothing",			"",			"type",	"" },
	{ "JSON: every type",			"{\"a\":\"x,y\",\"b\":true,\"c\":false,\"d\":6,\"e\":null,\"f\":{},\"g\":[]}", "type",
	  "[a]=[x,y] [b]=[on] [c]=[off] [d]=[6]" },
	{ "JSON: nothing",			"{}",			"type",	"" },
	{ "JSON: cut short",			"{\"a\":1",		"type",	NULL },
	{ "JSON: a brace begins it",		"{tap}",		"type",	NULL },
};

static void parse(void **state)
{
	const struct parse *row = *state;
	struct qopts opts;
	struct unit u;

	unit_open(&u);
	assert_int_equal(qopts_parse(&u.mem, row->text, row->first, &opts), row->want != NULL);
	if (row->want)
		assert_string_equal(str_make(&u.mem, put_opts, &opts), row->want);
	unit_close(&u);
}

static const struct value {
	const char *name, *text, *key, *want;
} values[] = {
	{ "value: of a key",			"tap,id=net0,fd=3",	"fd",	"3" },
	{ "value: of several, the last",	"tap,fd=3,fd=4",	"fd",	"4" },
	{ "value: of several ids, the first",	"tap,id=a,id=b",	"id",	"a" },
	{ "value: of none",			"tap,id=a",		"fd",	NULL },
	{ "value: the first word",		"tap,id=a",		"type",	"tap" },
	{ "value: not one inside another",	"tap,a=x,,fd=3",	"fd",	NULL },
	{ "value: of text that is no JSON",	"{fd=3",		"fd",	NULL },
};

static void value(void **state)
{
	const struct value *row = *state;
	const char *got;
	struct unit u;

	unit_open(&u);
	got = qargv_value(&u.mem, row->text, row->key);
	assert_string_equal(got ? got : "(none)", row->want ? row->want : "(none)");
	unit_close(&u);
}

static const struct numbers {
	const char *name, *list;
	unsigned n;
	int want[4];
} numbers[] = {
	{ "numbers: one",		"3",			1, { 3 } },
	{ "numbers: four",		"3:4:1048575:0",	4, { 3, 4, 1048575, 0 } },
	{ "numbers: five of at most four", "3:4:5:6:7",		0, { 0 } },
	{ "numbers: none",		"",			0, { 0 } },
	{ "numbers: a colon at the end", "3:",			0, { 0 } },
	{ "numbers: a colon at the start", ":3",		0, { 0 } },
	{ "numbers: two colons",	"3::4",			0, { 0 } },
	{ "numbers: a sign",		"+3",			0, { 0 } },
	{ "numbers: minus",		"-3",			0, { 0 } },
	{ "numbers: a blank",		" 3",			0, { 0 } },
	{ "numbers: text behind",	"3x",			0, { 0 } },
	{ "numbers: text",		"net",			0, { 0 } },
	{ "numbers: above all descriptors", "1048576",		0, { 0 } },
	{ "numbers: above long",	"99999999999999999999",	0, { 0 } },
	{ "numbers: hexadecimal",	"0x3",			0, { 0 } },
};

static void number(void **state)
{
	const struct numbers *row = *state;
	int got[4] = { -1, -1, -1, -1 };

	assert_int_equal(qargv_numbers(row->list, got, 4), row->n);
	for (unsigned i = 0; i < row->n; i++)
		assert_int_equal(got[i], row->want[i]);
}

static void walk(void **state)
{
	static const char *const list[] = {
		"-m", "4G", "-netdev", "a", "--netdev", "b", "netdev", "c", "-netdevs", "d", "---netdev", "e", "-netdev=f", "-netdev",
	};
	char *words[ARRAY_LEN(list)];
	const struct cmdline cmdline = { .words = words, .n = ARRAY_LEN(list) };
	unsigned pos = 0;

	(void)state;
	for (unsigned i = 0; i < ARRAY_LEN(list); i++)
		words[i] = unconst_word(list[i]);
	assert_string_equal(qargv_next(&cmdline, "netdev", &pos), "a");
	assert_string_equal(qargv_next(&cmdline, "netdev", &pos), "b");
	/* the last one has no value */
	assert_null(qargv_next(&cmdline, "netdev", &pos));
	assert_true(qargv_has(&cmdline, "m"));
	assert_true(qargv_has(&cmdline, "netdev"));
	assert_false(qargv_has(&cmdline, "4G"));
	assert_false(qargv_has(&cmdline, "c"));
}

static void walk_nothing(void **state)
{
	static const struct cmdline none;
	unsigned pos = 0;

	(void)state;
	assert_null(qargv_next(&none, "netdev", &pos));
	assert_false(qargv_has(&none, "netdev"));
}

/* --- probes -------------------------------------------------------------------------------------------------- */

enum { WORDS_MAX = 10 };

static struct probe {
	const char *name;
	bool probe;
	const char *words[WORDS_MAX];	/* NULL ends them */
} probes[] = {
	{ "probe: no word",			false,	{ NULL } },
	{ "probe: a machine",			false,	{ "-machine", "q35", "-m", "4G" } },
	{ "probe: -version",			true,	{ "-version" } },
	{ "probe: --version behind others",	true,	{ "-m", "4G", "--version" } },
	{ "probe: -h",				true,	{ "-h" } },
	{ "probe: --help",			true,	{ "--help" } },
	{ "probe: -version as a value",		false,	{ "-name", "-version" } },
	{ "probe: help as a name",		false,	{ "-name", "help" } },
	{ "probe: help as a keyboard layout",	false,	{ "-k", "help" } },
	{ "probe: help without an option",	false,	{ "help" } },
	{ "probe: -machine help",		true,	{ "-machine", "help" } },
	{ "probe: -M ?",			true,	{ "-M", "?" } },
	{ "probe: -cpu help",			true,	{ "-cpu", "help" } },
	{ "probe: -cpu of that name and more",	false,	{ "-cpu", "helpful" } },
	{ "probe: -device help",		true,	{ "-device", "help" } },
	{ "probe: -device TYPE,help",		true,	{ "-device", "virtio-net-pci,help" } },
	{ "probe: -device driver=?",		true,	{ "-device", "driver=?" } },
	{ "probe: -device with a value of that name", false, { "-device", "virtio-net-pci,id=help" } },
	{ "probe: -drive format=help",		true,	{ "-drive", "if=none,format=help" } },
	{ "probe: -drive of that file",		false,	{ "-drive", "file=help" } },
	{ "probe: -nic model=help",		true,	{ "-nic", "user,model=help" } },
	{ "probe: -d trace:help",		true,	{ "-d", "trace:help" } },
	{ "probe: -netdev TYPE,help",		false,	{ "-netdev", "user,help" } },
	{ "probe: machine none",		true,	{ "-machine", "none", "-S" } },
	{ "probe: -M none with more",		true,	{ "-M", "none,accel=kvm" } },
	{ "probe: type=none",			true,	{ "-machine", "type=none" } },
	{ "probe: type=none behind another key", true,	{ "-machine", "accel=tcg,type=none" } },
	{ "probe: a flag of that name is no type", false,	{ "-machine", "q35,none" } },
	{ "probe: a type that begins alike",	false,	{ "-machine", "nonesuch" } },
	{ "probe: type=nonesuch",		false,	{ "-machine", "type=nonesuch" } },
	{ "probe: none, and a key later",	true,	{ "-machine", "none", "-machine", "accel=kvm" } },
	{ "probe: none, and a machine later",	false,	{ "-machine", "none", "-machine", "q35" } },
	{ "probe: none, and a type later",	false,	{ "-machine", "none", "-machine", "accel=kvm,type=q35" } },
	{ "probe: a machine, and none later",	true,	{ "-M", "q35", "-M", "none" } },
	{ "probe: none as another option's value", false, { "-display", "none", "-serial", "none" } },
	{ "probe: none behind a flag",		true,	{ "-S", "-machine", "none" } },
	{ "probe: an option without its value",	false,	{ "-machine" } },
};

static void probe(void **state)
{
	struct probe *row = *state;
	char *words[WORDS_MAX];
	struct cmdline cmdline = { .words = words };

	for (unsigned i = 0; i < WORDS_MAX && row->words[i]; i++)
		words[cmdline.n++] = unconst_word(row->words[i]);
	assert_int_equal(qargv_probe(&cmdline), row->probe);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(parses) + ARRAY_LEN(values) + ARRAY_LEN(numbers) + ARRAY_LEN(probes) + 2] = {
		cmocka_unit_test(walk),
		cmocka_unit_test(walk_nothing),
	};
	struct CMUnitTest *next = tests + 2;

	next = UNIT_ROWS(next, parses, parse);
	next = UNIT_ROWS(next, values, value);
	next = UNIT_ROWS(next, probes, probe);
	UNIT_ROWS(next, numbers, number);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
