/*
 * test_box_words.c - the files that QEMU's words name
 */
#include "config.h"

#include "desc/box_words.h"
#include "unit.h"

enum { WORDS = 4 };

static const struct row {
	const char *name, *words[WORDS], *want;
} rows[] = {
	{ "nothing", { NULL }, "" },
	{ "an option that names none", { "-m", "1G" }, "" },
	{ "a disk", { "-hda", "/d" }, "w /d -hda;" },
	{ "a relative path", { "-hda", "d" }, "w d -hda;" },
	{ "a disc", { "-cdrom", "/d" }, "r /d -cdrom;" },
	{ "file: is no protocol", { "-hda", "file:/d:x" }, "w /d:x -hda;" },
	{ "a colon after a slash is none", { "-hda", "./d:x" }, "w ./d:x -hda;" },
	{ "a protocol", { "-hda", "nbd:unix:/d" }, "" },
	{ "json:", { "-hda", "json:{}" }, "" },
	{ "a handed disk", { "-hda", "/dev/fdset/2" }, "" },
	{ "two", { "-hda", "/d", "-hdb", "/e" }, "w /d -hda;w /e -hdb;" },
	{ "a comma in a path", { "-drive", "file=/a,,b,format=raw" }, "w /a,b -drive file=;" },
	{ "an empty drive", { "-drive", "file=,media=cdrom" }, "" },
	{ "readonly", { "-drive", "file=/d,readonly=on" }, "r /d -drive file=;" },
	{ "not readonly", { "-drive", "file=/d,readonly=off" }, "w /d -drive file=;" },
	{ "the child alone is read only",
	  { "-blockdev", "driver=raw,file.driver=file,file.filename=/d,file.read-only=on" },
	  "r /d -blockdev file.filename=;" },
	{ "another child is read only",
	  { "-blockdev", "driver=raw,file.driver=file,file.filename=/d,other.read-only=on" },
	  "w /d -blockdev file.filename=;" },
	{ "JSON", { "-blockdev", "{\"driver\":\"file\",\"filename\":\"/d\"}" },
	  "w /d -blockdev filename=;" },
	{ "a ROM of the data directory", { "-bios", "bios.bin" }, "" },
	{ "a ROM by its path", { "-bios", "./bios.bin" }, "r ./bios.bin -bios;" },
	{ "several modules", { "-initrd", "/a,/b x" }, "" },
	{ "a share", { "-fsdev", "local,id=f,path=/d,security_model=none" }, "w /d -fsdev path=;" },
	{ "a share that is only read", { "-fsdev", "local,id=f,path=/d,readonly=on" },
	  "r /d -fsdev path=;" },
	{ "memory", { "-mem-path", "/d" }, "w /d -mem-path (created);" },
	{ "a secret", { "-object", "secret,id=s,file=/d" }, "r /d -object file=;" },
	{ "a capture", { "-object", "filter-dump,id=f,netdev=n,file=/d" }, "" },
	{ "a type that another's name begins with", { "-object", "secre,id=s,file=/d" }, "" },
	{ "a colon in the file name of a node", { "-blockdev", "driver=file,filename=nbd:d" },
	  "w nbd:d -blockdev filename=;" },
	{ "a handed node", { "-blockdev", "driver=file,filename=/dev/fdset/1" }, "" },
	{ "a backing file", { "-drive", "file=/d,backing.file.filename=/b" },
	  "w /d -drive file=;r /b -drive backing.file.filename=;" },
	{ "a backing file's own", { "-drive", "backing.backing.file.filename=/b" },
	  "r /b -drive backing.backing.file.filename=;" },
	{ "a backing file that is written",
	  { "-drive", "backing.read-only=off,backing.file.filename=/b" },
	  "w /b -drive backing.file.filename=;" },
	{ "a key that ends in backing", { "-drive", "notbacking.file.filename=/b" },
	  "w /b -drive notbacking.file.filename=;" },
	{ "-snapshot", { "-hda", "/d", "-snapshot" }, "r /d -hda;" },
	{ "-snapshot, and a drive that says no", { "-snapshot", "-drive", "file=/d,snapshot=off" },
	  "w /d -drive file=;" },
	{ "-snapshot leaves nodes alone", { "-snapshot", "-blockdev", "driver=file,filename=/d" },
	  "w /d -blockdev filename=;" },
	{ "-snapshot leaves memory alone", { "-snapshot", "-mem-path", "/d" },
	  "w /d -mem-path (created);" },
	{ "tables", { "-acpitable", "file=/a:/b" }, "" },
	{ "a machine's kernel", { "-machine", "q35,kernel=/k" }, "r /k -machine kernel=;" },
	{ "a serial port", { "-chardev", "serial,id=c,path=/dev/ttyS0" },
	  "w /dev/ttyS0 -chardev path=;" },
	{ "a socket", { "-chardev", "socket,id=c,path=/s" }, "" },
	{ "what QEMU creates", { "-pidfile", "/p", "-D", "/l" }, "" },
};

struct found {
	const struct box_word *list;
	unsigned n;
};

static void put_found(struct str *s, const void *arg)
{
	const struct found *found = arg;

	for (unsigned i = 0; i < found->n; i++) {
		const struct box_word *word = &found->list[i];

		str_put(s, "%c %s %s%s;", word->write ? 'w' : 'r', word->path, word->word,
			word->created ? " (created)" : "");
	}
}

static void names(void **state)
{
	const struct row *row = *state;
	char *words[WORDS];
	struct cmdline line = { .argv0 = "qemu", .words = words };
	struct box_word *list = NULL;
	struct found found;
	struct unit u;

	unit_open(&u);
	for (; line.n < WORDS && row->words[line.n]; line.n++)
		words[line.n] = unconst_word(row->words[line.n]);
	found.n = box_words_read(qemu_args_read(&line, &u.mem), &u.mem, &list);
	found.list = list;
	assert_string_equal(str_make(&u.mem, put_found, &found), row->want);
	unit_close(&u);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(rows)];

	UNIT_ROWS(tests, rows, names);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
