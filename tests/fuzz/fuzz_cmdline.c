/*
 * fuzz_cmdline.c - any words as QEMU's command line
 *
 * The input is words with a NUL behind each. Promises: walking ends, and sees no word twice; an option text
 * that was split is the same when it is put together again and split once more; what argv_nics_read() takes from the
 * words are numbers that can be devices.
 */
#include "config.h"

#include "fuzz.h"

#include "plan/words.h"
#include "desc/desc.h"
#include "desc/argv_nics.h"
#include "desc/choose.h"
#include "desc/cmdline.h"
#include "desc/probe.h"
#include "mode/table.h"

enum { WORDS_MAX = 256 };

static void check_walk(const struct cmdline *cmdline, struct arena *mem)
{
	const struct qemu_args *args = qemu_args_read(cmdline, mem);

	for (unsigned i = 0; i < args->n; i++) {
		struct qemu_arg *arg = &args->list[i];

		PROMISE(arg->name && (!arg->row || strcmp(arg->row->name, arg->name) == 0));
		PROMISE(arg->next == 0 || (arg->next > i + 1 && arg->next <= args->n));
		(void)qemu_arg_opts(args, arg);
	}
	(void)probe_of(cmdline);
}

/* Whatever the words are, what they choose is a name in a directory, and no path. */
static void check_choice(const struct cmdline *cmdline, struct arena *mem)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz0123456789%-._~";
	static struct diags ds;
	struct guest_files files;
	struct cmdline rest = *cmdline;
	const char *word;

	ds = (struct diags){ .mem = mem };
	if (choose_take_word(&rest, mem, &word, &ds) == 0)
		PROMISE(rest.n + (word ? 2 : 0) == cmdline->n);
	if (choose_files(cmdline, mem, &files, &ds) < 0) {
		PROMISE(ds.n > 0);
		return;
	}
	PROMISE(files.n >= 1 && strcmp(files.names[files.n - 1], choose_default) == 0);
	for (unsigned i = 0; i < files.n; i++) {
		const char *name = files.names[i];

		PROMISE(name[0] != '.' && strlen(name) <= 255);
		PROMISE(!name[strspn(name, plain)]);
		PROMISE(i + 1 == files.n || strcmp(name, choose_default) != 0);
	}
}

static void render(struct str *s, const void *arg)
{
	const struct qopts *opts = arg;

	for (unsigned i = 0; i < opts->n; i++) {
		str_put(s, "%s", i > 0 ? "," : "");
		str_put_opt(s, opts->list[i].key);
		str_put(s, "=");
		str_put_opt(s, opts->list[i].value);
	}
}

/* Keys that a program would write: others are read, but cannot be written again. */
static bool plain_keys(const struct qopts *opts)
{
	for (unsigned i = 0; i < opts->n; i++)
		if (opts->list[i].key[0] == '\0' && i == 0)
			return false;
	return opts->n == 0 || opts->list[0].key[0] != '{';
}

static void check_opts(const char *word, struct arena *mem)
{
	struct qopts first, second;

	if (!qopts_parse(mem, word, "type", &first) || word[0] == '{')
		return;
	if (!plain_keys(&first))
		return;
	for (unsigned i = 0; i < first.n; i++)
		PROMISE(!strpbrk(first.list[i].key, "=,"));
	PROMISE(qopts_parse(mem, str_make(mem, render, &first), NULL, &second));
	PROMISE(first.n == second.n);
	for (unsigned i = 0; i < first.n; i++)
		PROMISE(strcmp(first.list[i].key, second.list[i].key) == 0 &&
			strcmp(first.list[i].value, second.list[i].value) == 0);
}

static void check_numbers(const char *word)
{
	int list[QUEUES_MAX];
	const unsigned n = qopts_numbers(word, list, QUEUES_MAX);

	PROMISE(n <= QUEUES_MAX);
	for (unsigned i = 0; i < n; i++)
		PROMISE(list[i] >= 0 && list[i] < FD_MAX);
}

static void check_nic(const struct nic *nic)
{
	if (nic->adopted) {
		PROMISE(nic->queues >= 1 && nic->queues <= QUEUES_MAX && nic->fds.n == 0);
		PROMISE(strcmp(nic->ifname, qopts_get(nic->adopted, "ifname")) == 0);
		return;
	}
	PROMISE(nic->fds.n >= 1 && nic->fds.n <= QUEUES_MAX);
	PROMISE(nic->queues == nic->fds.n);
	for (unsigned i = 0; i < nic->fds.n; i++)
		PROMISE(nic->fds.list[i] >= FD_MIN);
	PROMISE(nic->vhost == CHOICE_OFF || nic->vhostfds.n > 0);
}

static void check_argv_nics(const struct cmdline *cmdline, struct arena *mem)
{
	static struct diags ds;
	struct nic nics[2] = {
		{ .at = ITEM(KEY(NULL, "nics"), 0), .mode = MODE_TAP, .id = "net0", .ifname = "t0", .handoff = true,
		  .has_device = true, .driver = "virtio-net-pci", .in_argv = true },
		{ .at = ITEM(KEY(NULL, "nics"), 1), .mode = MODE_MACVTAP, .id = "net1", .ifname = "m0", .handoff = true },
	};
	struct desc desc = { .nics = nics, .n_nics = ARRAY_LEN(nics), .fd_base = FD_MIN, .report_fd = -1,
			     .cgroup_fd = -1, .syntax_of = mode_syntax };
	int ret;

	ds = (struct diags){ .mem = mem };
	ret = argv_nics_read(&desc, cmdline, mem, &ds);
	PROMISE((ret < 0) == (ds.n > 0));
	if (ret == 0)
		check_nic(&nics[0]);
	check_diags(&ds, mem);
}

static void one(char *text, size_t len, struct arena *mem)
{
	char *words[WORDS_MAX];
	struct cmdline cmdline = { .words = words };

	for (char *p = text; p < text + len && cmdline.n < WORDS_MAX; p += strlen(p) + 1)
		words[cmdline.n++] = p;
	check_walk(&cmdline, mem);
	check_choice(&cmdline, mem);
	for (unsigned i = 0; i < cmdline.n; i++) {
		check_opts(words[i], mem);
		check_numbers(words[i]);
	}
	check_argv_nics(&cmdline, mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena mem = { 0 };
	char *text = malloc(size + 1);
	jmp_buf oom;

	mem.oom = &oom;
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (setjmp(oom) == 0)
		one(text, size, &mem);
	arena_free(&mem);
	free(text);
	return 0;
}
