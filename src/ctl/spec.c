/* spec.c - a launch spec of dstack-vmm: QEMU's words, and the programs beside it */
#include "config.h"

#include "ctl/spec.h"

#include <string.h>

#include "desc/expected.h"
#include "desc/json.h"
#include "desc/read.h"
#include "desc/screen.h"

/* A program: its path, then its arguments. */
struct program {
	char **words;
	unsigned n;
	const char *command;
};

struct members {
	struct program qemu, swtpm;
	const char *swtpm_socket;
	unsigned startup_ms, shutdown_ms;
};

static int read_words(struct reader *r, const struct field *f, const cJSON *item,
		      const struct where *at, void *ret)
{
	struct program *p = ret;
	const int n = read_array_size(r, item, at, ARGS_MAX);
	int bad = 0;

	(void)f;
	if (n < 0)
		return -1;
	p->words = arena_array(r->mem, (size_t)n + 1, sizeof(*p->words));
	p->n = 1;
	for (const cJSON *child = item->child; child; child = child->next) {
		if (!cJSON_IsString(child))
			bad |= read_type_error(r, ITEM(at, p->n - 1), "a string", child);
		else
			p->words[p->n] = arena_str(r->mem, child->valuestring);
		p->n++;
	}
	return bad;
}

static int read_program(struct reader *r, const struct field *f, const cJSON *item,
			const struct where *at, void *ret)
{
	static const struct field fields[] = {
		{ "command", read_string, offsetof(struct program, command), 0, 0, true,
		  &rule_any },
		{ "args", read_words, 0, 0, 0, false, NULL },
	};
	struct program *p = ret;

	(void)f;
	if (read_object(r, item, fields, ARRAY_LEN(fields), at, p) < 0)
		return -1;
	if (p->n == 0) {
		p->words = arena_array(r->mem, 1, sizeof(*p->words));
		p->n = 1;
	}
	p->words[0] = arena_str(r->mem, p->command);
	return 0;
}

enum { MS_MAX = 2147483647 };

static const struct field spec_fields[] = {
#define MEMBER(name) offsetof(struct members, name)
	{ "qemu",		 read_program,	MEMBER(qemu),		0, 0,	   true,  NULL },
	{ "swtpm",		 read_program,	MEMBER(swtpm),		0, 0,	   false, NULL },
	{ "swtpm_socket",	 read_string,	MEMBER(swtpm_socket),	0, 0, false, &rule_any },
	{ "startup_timeout_ms",	 read_number,	MEMBER(startup_ms),	0, MS_MAX, false, NULL },
	{ "shutdown_timeout_ms", read_number,	MEMBER(shutdown_ms),	0, MS_MAX, false, NULL },
#undef MEMBER
};

static void put_command(struct str *s, const void *arg)
{
	const struct program *p = arg;

	for (unsigned i = 0; i < p->n; i++) {
		str_put(s, i > 0 ? " " : "");
		str_put_shell(s, p->words[i]);
	}
}

static void say(struct diags *ds, const char *member, const char *what)
{
	(void)diag_add(ds, DIAG_CONVERT_LEFT, 0, KEY(NULL, member), NULL, "%s", what);
}

static void say_members(const struct members *m, struct arena *mem, struct diags *ds)
{
	if (m->swtpm.n > 0) {
		say(ds, "swtpm", "a launch starts no such program: start it before QEMU");
		diag_hint(ds, "%s", str_make(mem, put_command, &m->swtpm));
	}
	if (m->swtpm_socket)
		say(ds, "swtpm_socket",
		    arena_printf(mem, "a launch does not wait for '%s': it must be there",
				 m->swtpm_socket));
	if (m->startup_ms > 0)
		say(ds, "startup_timeout_ms", "a launch does not wait for another program");
	if (m->shutdown_ms > 0)
		say(ds, "shutdown_timeout_ms", "no launcher is left to end QEMU: whoever does "
					       "has this limit");
}

/* "taskset -c LIST QEMU": it is no word of QEMU, and runs before the launcher as well. */
static void take_taskset(struct program *p, struct diags *ds)
{
	const char *slash = strrchr(p->words[0], '/');

	if (strcmp(slash ? slash + 1 : p->words[0], "taskset") != 0 || p->n < 4 ||
	    strcmp(p->words[1], "-c") != 0)
		return;
	(void)diag_add(ds, DIAG_CONVERT_LEFT, 0, KEY(NULL, "qemu"), "taskset",
		       "is left out, with its processors");
	diag_hint(ds, "taskset -c %s qemu-handoff ...", diag_word(ds, p->words[2]));
	p->words += 3;
	p->n -= 3;
}

static int not_json(const char *text, size_t len, const char *end, struct arena *mem,
		    struct diags *ds)
{
	size_t at = end && end > text ? (size_t)(end - text) : 0;

	(void)diag_add(ds, DIAG_DESC_SYNTAX, 0, NULL, ds->source.name, "%s",
		       json_expected(text, len, &at, mem));
	diag_place(ds, text, at);
	return -1;
}

int spec_read(const char *text, size_t len, struct arena *mem, struct spec *ret, struct diags *ds)
{
	struct reader r = { .mem = mem, .ds = ds };
	struct members m = { 0 };
	const char *end = NULL;
	cJSON *root;
	int bad;

	if (screen_json(text, len, ds) < 0)
		return -1;
	root = json_parse(mem, text, len, &end);
	if (!root)
		return not_json(text, len, end, mem, ds);
	bad = read_object(&r, root, spec_fields, ARRAY_LEN(spec_fields), NULL, &m);
	cJSON_Delete(root);
	if (bad)
		return -1;
	take_taskset(&m.qemu, ds);
	say_members(&m, mem, ds);
	*ret = (struct spec){ .words = m.qemu.words, .n = m.qemu.n };
	return 0;
}
