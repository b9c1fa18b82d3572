/* test_readconfig.c - files of -readconfig as words, and -set as one more key */
#include "config.h"

#include "unit.h"
#include "desc/readconfig.h"

enum { WORDS_MAX = 8 };

static const struct row {
	const char *name, *text, *words;
} rows[] = {
	{ "a group", "[device]\n  driver = \"usb-mtp\"\n", "-device driver=usb-mtp" },
	{ "an id", "[drive \"d\"]\nfile = \"/d\"\naio = \"io_uring\"\n", "-drive id=d,file=/d,aio=io_uring" },
	{ "two groups", "[rtc]\nbase = \"utc\"\n[machine]\ntype = \"pc\"\n", "-rtc base=utc -machine type=pc" },
	{ "commas in a value", "[drive]\nfile = \"json:{a,b}\"\n", "-drive file=json:{a,,b}" },
	{ "an empty value", "[netdev]\nscript = \"\"\n", "-netdev script=" },
	{ "comments", "# x\n\n[overcommit]\nmem-lock = \"on\" # y\n", "-overcommit mem-lock=on" },
	{ "without blanks it is a key without a value", "[overcommit]\nmem-lock=\"on\"\n", "-overcommit mem-lock=\"on\"=" },
	{ "groups of another name", "[smp-opts]\ncpus = \"4\"\n[memory]\nsize = \"1G\"\n[boot-opts]\nmenu = \"on\"\n",
	  "-smp cpus=4 -m size=1G -boot menu=on" },
	{ "a group that is not known", "[nonesuch]\na = \"b\"\n[object]\nqom-type = \"x\"\n", "-object qom-type=x" },
	{ "an option without a value is no group", "[daemonize]\na = \"b\"\n", "" },
	{ "no newline at the end", "[device]\ndriver = \"a\"", "-device driver=a" },
	{ "what QEMU refuses, and what stands before it", "[device]\ndriver = \"a\"\n\t\n[device]\ndriver = \"b\"\n", "-device driver=a" },
	{ "a bracket after a blank is no group", " [device]\ndriver = \"a\"\n", "" },
	{ "no group", "a = \"b\"\n", "" },
	{ "an empty group", "[device]\n", "-device " },
	{ "an empty file", "", "" },
	{ "brackets in a name", "[device] x [y]\ndriver = \"a\"\n", "-device driver=a" },
};

static const char *joined(struct unit *u, const struct cmdline *line)
{
	const char *ret = "";

	for (unsigned i = 0; i < line->n; i++)
		ret = arena_printf(&u->mem, "%s%s%s", ret, i > 0 ? " " : "", line->words[i]);
	return ret;
}

static void expand(void **state)
{
	const struct row *row = *state;
	const struct config_file file = { .path = "f", .text = row->text };
	char option[] = "-readconfig", path[] = "f", last[] = "-S";
	char *words[] = { option, path, last };
	const struct cmdline line = { .words = words, .n = 3 };
	struct cmdline got;
	struct unit u;

	unit_open(&u);
	got = readconfig_expand(&line, &file, 1, &u.mem);
	assert_string_equal(joined(&u, &got),
			    arena_printf(&u.mem, "-readconfig f %s%s-S", row->words, row->words[0] ? " " : ""));
	unit_close(&u);
}

/* QEMU's own file comes first, one that was not read leaves nothing, and a line ends after 1023 bytes. */
static void places(void **state)
{
	struct config_file files[] = {
		{ .path = "default", .text = "[name]\nguest = \"a\"\n", .by_default = true },
		{ .path = "f" },
		{ .path = "g", .text = "[name]\nguest = \"b\"\n" },
	};
	char option[] = "-readconfig", f[] = "f", g[] = "g", other[] = "-S";
	char *words[] = { other, option, f, option, g, other, option };
	const struct cmdline line = { .words = words, .n = ARRAY_LEN(words) };
	struct cmdline got;
	char text[4000];
	struct unit u;

	(void)state;
	unit_open(&u);
	got = readconfig_expand(&line, files, ARRAY_LEN(files), &u.mem);
	assert_string_equal(joined(&u, &got),
			    "-name guest=a -S -readconfig f -readconfig g -name guest=b -S -readconfig");
	memset(text, ' ', sizeof(text));
	memcpy(text, "[device]\n", 9);
	memcpy(text + 9 + 1023, "[rtc]\nbase = \"utc\"\n", 20);
	files[0].text = text;
	got = readconfig_expand(&line, files, 1, &u.mem);
	assert_string_equal(joined(&u, &got), "-device  -S -readconfig f -readconfig g -S -readconfig");
	text[9] = '#';
	got = readconfig_expand(&line, files, 1, &u.mem);
	assert_string_equal(joined(&u, &got), "-device  -rtc base=utc -S -readconfig f -readconfig g -S -readconfig");
	unit_close(&u);
}

static const struct set_row {
	const char *name;
	const char *words[WORDS_MAX];
	const char *key, *value; /* of the first -drive */
} set_rows[] = {
	{ "set", { "-drive", "id=d,aio=threads", "-set", "drive.d.aio=io_uring" }, "aio", "io_uring" },
	{ "set: a new key", { "-drive", "id=d", "-set", "drive.d.aio=native" }, "aio", "native" },
	{ "set: twice", { "-drive", "id=d", "-set", "drive.d.aio=native", "-set", "drive.d.aio=threads" }, "aio", "threads" },
	{ "set: of another", { "-drive", "id=d,aio=threads", "-drive", "id=e", "-set", "drive.e.aio=native" }, "aio", "threads" },
	{ "set: of no option", { "-drive", "id=d", "-set", "drive.e.aio=native" }, "aio", NULL },
	{ "set: a value with '=' and commas", { "-drive", "id=d", "-set", "drive.d.file=a=b,c" }, "file", "a=b,c" },
	{ "set: a key with dots", { "-drive", "id=d", "-set", "drive.d.file.aio=native" }, "file.aio", "native" },
	{ "set: no value", { "-drive", "id=d", "-set", "drive.d.aio" }, "aio", NULL },
	{ "set: no word", { "-drive", "id=d", "-set" }, "aio", NULL },
	{ "set: no group", { "-drive", "id=d", "-set", "nonesuch.d.aio=native" }, "aio", NULL },
};

static void set(void **state)
{
	const struct set_row *row = *state;
	char *words[WORDS_MAX];
	struct cmdline line = { .words = words };
	struct qemu_args *args;
	const char *got;
	struct unit u;

	unit_open(&u);
	for (; line.n < WORDS_MAX && row->words[line.n]; line.n++)
		words[line.n] = unconst_word(row->words[line.n]);
	args = qemu_args_read(&line, &u.mem);
	got = qopts_get(qemu_arg_opts(args, qemu_args_first(args, QEMU_OPTION_drive)), row->key);
	assert_int_equal(got != NULL, row->value != NULL);
	if (got)
		assert_string_equal(got, row->value);
	unit_close(&u);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(rows) + ARRAY_LEN(set_rows) + 1] = { cmocka_unit_test(places) };

	if (setjmp(unit_oom) != 0)
		return 1;
	UNIT_ROWS(UNIT_ROWS(tests + 1, rows, expand), set_rows, set);
	return UNIT_RUN(tests, argc, argv);
}
