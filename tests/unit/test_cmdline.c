/*
 * test_cmdline.c - reading QEMU's command line as QEMU does
 */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "desc/cmdline.h"
#include "desc/probe.h"
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
	{ "JSON: members of members",		"{\"a\":{\"b\":{\"c\":1},\"d\":2},\"e\":3}", "type",
	  "[a.b.c]=[1] [a.d]=[2] [e]=[3]" },
	{ "JSON: arrays",			"{\"a\":[\"x\",{\"b\":\"y\"},[\"z\"]]}", "type",
	  "[a.0]=[x] [a.1.b]=[y] [a.2.0]=[z]" },
	{ "JSON: single quotes",		"{'a':'x','b':{\"c\":'it\\'s \"y\"'}}", "type",
	  "[a]=[x] [b.c]=[it's \"y\"]" },
	{ "JSON: a quote that does not end",	"{'a':'x}",		"type",	NULL },
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
	got = qopts_value(&u.mem, row->text, row->key);
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

	assert_int_equal(qopts_numbers(row->list, got, 4), row->n);
	for (unsigned i = 0; i < row->n; i++)
		assert_int_equal(got[i], row->want[i]);
}

/* Which words are options, which are their values, and in what order each option's uses come. */
static struct qemu_args *read_words(struct unit *u, const char *const *list, unsigned n)
{
	char **words = arena_array(&u->mem, n, sizeof(*words));
	const struct cmdline cmdline = { .words = words, .n = n };

	for (unsigned i = 0; i < n; i++)
		words[i] = unconst_word(list[i]);
	return qemu_args_read(&cmdline, &u->mem);
}

static void walk(void **state)
{
	static const char *const list[] = {
		"-m", "4G", "-netdev", "a", "--netdev", "b", "netdev", "c", "-netdevs", "d", "---netdev", "e",
		"-netdev=f", "-S", "-netdev",
	};
	struct qemu_args *args;
	struct qemu_arg *arg;
	struct unit u;

	(void)state;
	unit_open(&u);
	args = read_words(&u, list, ARRAY_LEN(list));
	arg = qemu_args_first(args, QEMU_OPTION_netdev);
	assert_string_equal(arg->value, "a");
	arg = qemu_args_after(args, arg);
	assert_string_equal(arg->value, "b");
	/* "-S" is the value of an option that QEMU does not have; the last one has no value */
	arg = qemu_args_after(args, arg);
	assert_null(arg->value);
	assert_null(qemu_args_after(args, arg));
	assert_true(qemu_args_has(args, QEMU_OPTION_m));
	assert_false(qemu_args_has(args, QEMU_OPTION_S));
	assert_false(qemu_args_has(args, QEMU_OPTION_h));
	unit_close(&u);
}

static void walk_nothing(void **state)
{
	struct qemu_args *args;
	struct unit u;

	(void)state;
	unit_open(&u);
	args = read_words(&u, NULL, 0);
	assert_null(qemu_args_first(args, QEMU_OPTION_netdev));
	assert_null(qemu_args_find(args, QEMU_OPTION_netdev, "id", "a"));
	assert_null(qemu_args_last(args, QEMU_OPTION_m, "size"));
	unit_close(&u);
}

static void merged(void **state)
{
	static const char *const list[] = { "-machine", "q35,accel=tcg", "-m", "1G", "-M", "memory-backend=a", "-m",
					    "slots=2", "-machine" };
	struct qemu_args *args;
	struct unit u;

	(void)state;
	unit_open(&u);
	args = read_words(&u, list, ARRAY_LEN(list));
	assert_string_equal(qemu_args_last(args, QEMU_OPTION_machine, "type"), "q35");
	assert_string_equal(qemu_args_last(args, QEMU_OPTION_machine, "memory-backend"), "a");
	assert_string_equal(qemu_args_last(args, QEMU_OPTION_m, "size"), "1G");
	assert_null(qemu_args_last(args, QEMU_OPTION_machine, "kernel"));
	unit_close(&u);
}

/* Many ids, so that the index has collisions; the first use of one counts. */
static void found(void **state)
{
	enum { IDS = 500 };
	const char *list[2 * IDS + 6];
	struct qemu_args *args;
	unsigned n = 0;
	struct unit u;

	(void)state;
	unit_open(&u);
	for (unsigned i = 0; i < IDS; i++) {
		list[n++] = "-object";
		list[n++] = arena_printf(&u.mem, "iothread,id=t%u,n=%u", i, i);
	}
	list[n++] = "-object";
	list[n++] = "iothread,id=t7,n=again";
	list[n++] = "-object";
	list[n++] = "{'qom-type':'iothread','id':'json'}";
	list[n++] = "-object";
	list[n++] = "iothread";
	args = read_words(&u, list, n);
	for (unsigned i = 0; i < IDS; i++) {
		const struct qopts *opts =
			qemu_args_find(args, QEMU_OPTION_object, "id", arena_printf(&u.mem, "t%u", i));

		assert_string_equal(qopts_get(opts, "n"), arena_printf(&u.mem, "%u", i));
	}
	assert_string_equal(qopts_get(qemu_args_find(args, QEMU_OPTION_object, "id", "json"), "qom-type"), "iothread");
	assert_null(qemu_args_find(args, QEMU_OPTION_object, "id", "t500"));
	unit_close(&u);
}

/* The table is searched by halves: it must be in order, and every option must be found in it. */
static void table(void **state)
{
	(void)state;
	for (unsigned i = 0; i < QEMU_OPTION__COUNT; i++) {
		const struct qemu_option *row = qemu_option_row((enum qemu_option_id)i);

		assert_ptr_equal(qemu_option_find(row->name), row);
		assert_true(row->arity == QEMU_VALUE || !row->first);
	}
	assert_null(qemu_option_find("netdevs"));
	assert_null(qemu_option_find(""));
}

/* What -help of each release lists is in the table, with its arity, and nothing else is said to be there. */
static void facts(void **state)
{
	static const struct { const char *release; unsigned bit; } releases[] = {
		{ "7.2", QEMU_IN_7_2 }, { "10.0", QEMU_IN_10_0 }, { "11.1", QEMU_IN_10_0 },
	};
	const char *top = getenv("SRCDIR");

	(void)state;
	if (!top)
		skip();
	for (unsigned i = 0; i < ARRAY_LEN(releases); i++) {
		bool listed[QEMU_OPTION__COUNT] = { false };
		char path[PATH_MAX], name[64], arity[8];
		FILE *f;

		(void)snprintf(path, sizeof(path), "%s/tests/facts/qemu-%s/options", top, releases[i].release);
		f = fopen(path, "re");
		assert_non_null(f);
		while (fscanf(f, "%63s %7s", name, arity) == 2) {
			const struct qemu_option *row = qemu_option_find(name);

			if (!row || !(row->releases & releases[i].bit) ||
			    (row->arity == QEMU_FLAG) != (strcmp(arity, "none") == 0))
				fail_msg("QEMU %s: %s %s", releases[i].release, name, arity);
			listed[row->same] = true;
		}
		(void)fclose(f);
		for (unsigned id = 0; id < QEMU_OPTION__COUNT; id++) {
			const struct qemu_option *row = qemu_option_row((enum qemu_option_id)id);

			if ((row->releases & releases[i].bit) && !listed[row->same])
				fail_msg("QEMU %s has no -%s", releases[i].release, row->name);
		}
	}
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
	assert_int_equal(probe_of(&cmdline) != PROBE_NONE, row->probe);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(parses) + ARRAY_LEN(values) + ARRAY_LEN(numbers) + ARRAY_LEN(probes) + 6] = {
		cmocka_unit_test(walk),
		cmocka_unit_test(walk_nothing),
		cmocka_unit_test(merged),
		cmocka_unit_test(found),
		cmocka_unit_test(table),
		cmocka_unit_test(facts),
	};
	struct CMUnitTest *next = tests + 6;

	next = UNIT_ROWS(next, parses, parse);
	next = UNIT_ROWS(next, values, value);
	next = UNIT_ROWS(next, probes, probe);
	UNIT_ROWS(next, numbers, number);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
