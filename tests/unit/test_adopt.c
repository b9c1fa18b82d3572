/*
 * test_adopt.c - "nics": "argv" on 5,000 random command lines of QEMU's network words: the NICs and the words of the
 * plan are those of a model, and every other word is in its place; the same when they are converted first
 */
#include "config.h"

#include <stdio.h>

#include "ctl/convert.h"
#include "host.h"

enum { LINES = 5000, WORDS_MAX = 64, TEXT = 160 };

/* What the model says of one backend that is opened for QEMU. */
struct model {
	unsigned word;			/* which word of the line names it */
	char kept[TEXT];		/* of that word: what stays, with a comma before each */
	char link[16];
	bool bridge, virtio;
	unsigned queues;
	int vhost;			/* of the words: -1 nothing, 0 off, 1 on */
};

struct line {
	uint64_t seed;
	unsigned number;
	char text[WORDS_MAX][TEXT];
	char *words[WORDS_MAX];
	unsigned n;
	struct model models[HOST_NICS];
	unsigned n_models;
};

static unsigned pick(struct line *l, unsigned n)
{
	l->seed = l->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(l->seed >> 33) % n;
}

__attribute__((format(printf, 2, 3)))
static void word(struct line *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	assert_true(vsnprintf(l->text[l->n], TEXT, fmt, ap) < TEXT);
	va_end(ap);
	l->words[l->n] = l->text[l->n];
	l->n++;
}

/* --- words that stay -------------------------------------------------------------------------------------------- */

static void other(struct line *l)
{
	static const char *const words[][2] = {
		{ "-m", "64" }, { "-S", NULL }, { "disk.img", NULL }, { "-name", "-netdev" }, { "-smp", "2" },
		{ "-append", "tap,ifname=t9,script=no,downscript=no" }, { "-chardev", "null,id=c" }, { "--daemonize", NULL },
		{ "-netdev", "user,id=u,hostfwd=tcp::8080-:80" }, { "-netdev", "{\"type\":\"socket\",\"id\":\"s\",\"listen\":\":1\"}" },
		{ "-nic", "user,model=e1000" }, { "-global", "virtio-net-pci.speed=10" },
	};
	const unsigned i = pick(l, ARRAY_LEN(words));

	word(l, "%s", words[i][0]);
	if (words[i][1])
		word(l, "%s", words[i][1]);
}

/* --- words of a backend ----------------------------------------------------------------------------------------- */

/* One key of the word, which stays or goes. */
static void key(struct line *l, struct model *m, bool json, bool stays, const char *name, const char *value)
{
	char *text = l->text[l->n];
	const size_t at = strlen(text), kept = strlen(m->kept);

	(void)snprintf(text + at, TEXT - at, json ? ",\"%s\":\"%s\"" : ",%s=%s", name, value);
	if (stays)
		(void)snprintf(m->kept + kept, sizeof(m->kept) - kept, ",%s=%s", name, value);
}

static void vhost_key(struct line *l, struct model *m, bool json)
{
	m->vhost = (int)pick(l, 3) - 1;
	if (m->vhost >= 0)
		key(l, m, json, false, "vhost", m->vhost ? "on" : "off");
}

static void tap(struct line *l, struct model *m, bool json, const char *first, const char *value)
{
	static const char *const off[] = { "no", "" };
	char queues[8];

	(void)snprintf(m->link, sizeof(m->link), "t%u", l->n_models);
	m->queues = strcmp(first, "id") == 0 ? 1 + pick(l, 4) : 1;
	(void)snprintf(queues, sizeof(queues), "%u", m->queues);
	(void)snprintf(l->text[l->n], TEXT, json ? "{\"type\":\"tap\"" : "tap");
	key(l, m, json, true, first, value);
	if (pick(l, 2))
		key(l, m, json, true, "sndbuf", "9");
	key(l, m, json, false, "ifname", m->link);
	key(l, m, json, false, "script", off[pick(l, 2)]);
	vhost_key(l, m, json);
	key(l, m, json, false, "downscript", off[pick(l, 2)]);
	if (m->queues > 1 || pick(l, 2))
		key(l, m, json, false, "queues", queues);
	if (pick(l, 2))
		key(l, m, json, true, "poll-us", "7");
	if (json)
		strcat(l->text[l->n], "}");
}

static void bridge(struct line *l, struct model *m, bool json, const char *first, const char *value)
{
	m->bridge = true;
	m->queues = 1;
	m->vhost = -1;
	(void)snprintf(m->link, sizeof(m->link), "br0");
	(void)snprintf(l->text[l->n], TEXT, json ? "{\"type\":\"bridge\"" : "bridge");
	key(l, m, json, true, first, value);
	if (pick(l, 2))
		key(l, m, json, false, "br", "br0");
	if (pick(l, 2))
		key(l, m, json, false, "helper", HELPER);
	if (json)
		strcat(l->text[l->n], "}");
}

static void backend(struct line *l)
{
	struct model *m = &l->models[l->n_models];
	const bool nic = pick(l, 3) == 0, json = !nic && pick(l, 3) == 0;
	static const char *const devices[] = { NULL, "virtio-net-pci", "virtio-net", "e1000", "rtl8139" };
	const unsigned device = pick(l, ARRAY_LEN(devices));
	static const char *const models[] = { "virtio", "virtio-net-pci", "e1000" };
	const unsigned model = pick(l, ARRAY_LEN(models));
	char id[8];

	*m = (struct model){ .virtio = nic ? model < 2 : device < 3 };
	(void)snprintf(id, sizeof(id), "n%u", l->n_models);
	if (!nic && devices[device] && pick(l, 2)) {
		word(l, "-device");
		word(l, "%s,netdev=%s", devices[device], id);
	} else if (!nic) {
		m->virtio = true;	/* it may be plugged in later */
	}
	word(l, nic ? "-nic" : "-netdev");
	m->word = l->n;
	(pick(l, 3) ? tap : bridge)(l, m, json, nic ? "model" : "id", nic ? models[model] : id);
	l->words[l->n] = l->text[l->n];
	l->n++;
	l->n_models++;
}

static void make_line(struct line *l, unsigned number)
{
	memset(l, 0, sizeof(*l));
	l->seed = number;
	l->number = number;
	for (unsigned n = 2 + pick(l, 10); n > 0; n--) {
		if (l->n_models < HOST_NICS && pick(l, 2))
			backend(l);
		else
			other(l);
	}
	word(l, "-nodefaults");		/* else "-nic none" comes after a line without a network */
}

/* --- the model's words ------------------------------------------------------------------------------------------ */

static bool has_vhost(const struct model *m)
{
	return m->virtio && m->vhost != 0;
}

static void put_numbers(struct str *s, const char *one, const char *many, unsigned n, int first)
{
	str_put(s, ",%s=", n > 1 ? many : one);
	for (unsigned i = 0; i < n; i++)
		str_put(s, "%s%d", i > 0 ? ":" : "", first + (int)i);
}

/* Queues of all NICs have the first numbers, and vhost those after them. */
static void put_model(struct str *s, const struct line *l, unsigned which)
{
	const struct model *m = &l->models[which];
	int fd = FD_MIN, vhost = FD_MIN;

	for (unsigned i = 0; i < l->n_models; i++) {
		vhost += (int)l->models[i].queues;
		fd += i < which ? (int)l->models[i].queues : 0;
	}
	for (unsigned i = 0; i < which; i++)
		vhost += has_vhost(&l->models[i]) ? (int)l->models[i].queues : 0;
	str_put(s, "tap%s", m->kept);
	put_numbers(s, "fd", "fds", m->queues, fd);
	str_put(s, ",vhost=%s", has_vhost(m) ? "on,vhostforce=on" : "off");
	if (has_vhost(m))
		put_numbers(s, "vhostfd", "vhostfds", m->queues, vhost);
}

/* --- the test --------------------------------------------------------------------------------------------------- */

static void check_nics(const struct line *l, const struct host *h)
{
	assert_int_equal(h->desc.n_nics, l->n_models);
	for (unsigned i = 0; i < l->n_models; i++) {
		const struct model *m = &l->models[i];
		const struct nic_plan *np = &h->plan.nics[i];

		assert_int_equal(np->nic->mode, m->bridge ? MODE_BRIDGE : MODE_TAP);
		assert_string_equal(m->bridge ? np->nic->bridge : np->nic->ifname, m->link);
		assert_int_equal(np->queues, m->queues);
		assert_int_equal(np->vhost, has_vhost(m));
	}
}

static void check_words(const struct line *l, const struct host *h)
{
	unsigned next = 0;

	assert_int_equal(h->plan.argc, l->n + 1);
	for (unsigned i = 0; i < l->n; i++) {
		char text[2 * TEXT] = "";
		struct str s = STR_ON(text);

		if (next < l->n_models && l->models[next].word == i)
			put_model(&s, l, next++);
		else
			str_put(&s, "%s", l->words[i]);
		assert_string_equal(h->plan.argv[i + 1], text);
	}
	assert_int_equal(next, l->n_models);
}

static void check_launch(const struct line *l, struct host *h, const struct cmdline *cmdline)
{
	host_fit(h);
	for (unsigned i = 0; i < h->desc.n_nics; i++) {
		h->nics[i].link.ifindex = 100 + i;
		if (h->desc.nics[i].ifname)
			(void)snprintf(h->nics[i].link.name, sizeof(h->nics[i].link.name), "%s",
				       h->desc.nics[i].ifname);
	}
	if (host_plan(h, cmdline) < 0)
		fail_msg("line %u: %s", l->number, unit_problems(&h->u));
	check_nics(l, h);
	check_words(l, h);
}

static void random_lines(void **state)
{
	static struct line l;
	static struct host h;

	(void)state;
	for (unsigned number = 0; number < LINES; number++) {
		make_line(&l, number);
		const struct cmdline cmdline = { .argv0 = "qemu", .words = l.words, .n = l.n };

		if (host_read(&h, "'nics':'argv','seccomp':'none'", &cmdline) < 0)
			fail_msg("line %u: %s", number, unit_problems(&h.u));
		check_launch(&l, &h, &cmdline);
		unit_close(&h.u);
	}
}

static bool has_nic_option(const struct line *l)
{
	for (unsigned i = 0; i < l->n_models; i++)
		if (strcmp(l->words[l->models[i].word - 1], "-nic") == 0)
			return true;
	return false;
}

/* The members of the descriptor but for its version; the launch has no filter, as above. */
static const char *members(struct unit *u, const struct converted *c)
{
	static const char start[] = "{\"version\":1";
	char *ret = arena_str(&u->mem, c->descriptor + strlen(start));

	assert_memory_equal(c->descriptor, start, strlen(start));
	ret[strlen(ret) - 1] = '\0';
	return arena_printf(&u->mem, "'seccomp':'none'%s", ret);
}

static void converted_lines(void **state)
{
	static struct line l;
	static struct host h;

	(void)state;
	for (unsigned number = 0; number < LINES; number++) {
		struct converted c;
		struct unit u;

		make_line(&l, number);
		unit_open(&u);
		if (convert_words(l.n, l.words, false, &u.mem, &c, &u.ds) < 0)
			fail_msg("line %u: %s", number, unit_problems(&u));
		/* which NICs are named is the descriptor's, where each of them can be */
		assert_true(!strstr(c.descriptor, "\"nics\":\"argv\"") == !has_nic_option(&l));
		assert_int_equal(c.words.n, l.n);
		for (unsigned i = 0; i < l.n; i++)
			assert_string_equal(c.words.words[i], l.words[i]);
		c.words.argv0 = "qemu";
		if (host_read(&h, members(&u, &c), &c.words) < 0)
			fail_msg("line %u: %s", number, unit_problems(&h.u));
		check_launch(&l, &h, &c.words);
		unit_close(&h.u);
		unit_close(&u);
	}
}

static const struct row {
	const char *name;
	const char *words[8];
	const char *descriptor, *left;	/* descriptor NULL: refused */
	const char *problems;
} rows[] = {
	{ "nothing", { NULL }, "{'version':1}", "", "" },
	{ "nothing to convert", { "-m", "64" }, "{'version':1}", "-m 64", "" },
	{ "QEMU by its path", { "/opt/qemu-system-x86_64", "-S" }, "{'version':1,'qemu':'/opt/qemu-system-x86_64'}", "-S", "" },
	{ "QEMU without one", { "qemu-kvm", "-S" }, "{'version':1}", "-S", "convert-left -" },
	{ "variables before it", { "LC_ALL=C", "HOME=/", "/bin/qemu-system-arm", "-S" },
	  "{'version':1,'qemu':'/bin/qemu-system-arm'}", "-S", "convert-left -; convert-left -" },
	{ "an image that looks like a variable", { "a=b", "-S" }, "{'version':1}", "a=b -S", "" },
	{ "a user by numbers", { "-runas", "5:6", "-S" }, "{'version':1,'user':5,'group':6}", "-S", "" },
	{ "a user by name", { "-S", "-run-with", "user=qemu,chroot=/x" }, "{'version':1,'user':'qemu'}", "-S -run-with chroot=/x",
	  "convert-left -" },
	{ "two users", { "-runas", "5:6", "-runas", "a" }, NULL, NULL, "argv-user user" },
	{ "a descriptor already", { "-handoff", "/x.json", "-S" }, "{'version':1}", "-S", "convert-left -" },
	{ "a descriptor without its value", { "-handoff" }, NULL, NULL, "argv-handoff -" },
	{ "descriptors of a process that is gone", { "-netdev", "tap,id=n,fds=3:4,vhost=on" }, "{'version':1}",
	  "-netdev tap,id=n,fds=3:4,vhost=on", "convert-left -" },
	{ "a script", { "-netdev", "tap,id=n,ifname=t,script=/x" }, "{'version':1}", "-netdev tap,id=n,ifname=t,script=/x",
	  "argv-left nics" },
	{ "an id twice", { "-netdev", "bridge,id=n", "-netdev", "bridge,id=n" }, NULL, NULL, "duplicate-id nics[1].id 1:97" },
	{ "no id", { "-netdev", "bridge,br=b" }, NULL, NULL, "argv-netdev nics[0].netdev" },
	{ "bytes that are not UTF-8", { "-name", "\xff" }, NULL, NULL, "usage -" },
};

static void put_left(struct str *s, const void *arg)
{
	const struct converted *c = arg;

	for (unsigned i = 0; i < c->words.n; i++)
		str_put(s, "%s%s", i > 0 ? " " : "", c->words.words[i]);
}

static void words_of_row(void **state)
{
	const struct row *row = *state;
	char *words[ARRAY_LEN(row->words)];
	struct converted c = { 0 };
	struct unit u;
	unsigned n = 0;
	int got;

	unit_open(&u);
	for (; n < ARRAY_LEN(words) && row->words[n]; n++)
		words[n] = arena_str(&u.mem, row->words[n]);
	got = convert_words(n, words, false, &u.mem, &c, &u.ds);
	assert_string_equal(unit_problems(&u), row->problems);
	assert_int_equal(got, row->descriptor ? 0 : -1);
	if (row->descriptor) {
		assert_string_equal(c.descriptor, unit_json(&u, row->descriptor));
		assert_string_equal(str_make(&u.mem, put_left, &c), row->left);
	}
	unit_close(&u);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[2 + ARRAY_LEN(rows)] = {
		cmocka_unit_test(random_lines), cmocka_unit_test(converted_lines)
	};

	UNIT_ROWS(tests + 2, rows, words_of_row);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
