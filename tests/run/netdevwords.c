/*
 * netdevwords.c - netdevwords option|json QEMU DESCRIPTOR: run QEMU without a machine, with the netdevs of a plan
 *
 * The plan is made and its descriptors are opened as for a launch. Each -netdev is the option text of the plan, or the
 * same keys and values as JSON. QEMU's monitor is on stdin.
 */
#include "config.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/open.h"
#include "act/place.h"
#include "desc/argv_nics.h"
#include "look/probe.h"
#include "plan/plan.h"
#include "mode/table.h"
#include "plan/make.h"
#include "desc/desc.h"

enum { TEXT_MAX = 16384 };

struct run {
	struct arena mem;
	jmp_buf oom;
	struct diags ds;
	struct desc desc;
	struct facts facts;
	struct plan plan;
	struct opened opened;
};

static int decide(struct run *r, const char *qemu, const char *text)
{
	const struct cmdline none = { .argv0 = "qemu" };

	r->ds.source = (struct source){ .name = "descriptor", .text = text };
	if (desc_parse(text, strlen(text), mode_syntax, &r->mem, &r->desc, &r->ds) < 0 ||
	    argv_nics_read(&r->desc, &none, &r->mem, &r->ds) < 0)
		return -1;
	r->desc.seccomp.none = true;
	r->desc.runtime_dir = "/tmp";
	if (probe_facts(&r->desc, qemu, &r->mem, &r->facts, &r->ds) < 0)
		return -1;
	return plan_make(&r->desc, &r->facts, &none, &r->mem, &r->plan, &r->ds);
}

static int open_all(struct run *r)
{
	opened_make(&r->plan, &r->mem, &r->opened);
	if (open_slots(&r->plan, &r->opened, &r->ds) < 0)
		return -1;
	return place_slots(&r->plan, &r->opened, &r->ds);
}

static _Noreturn void become_qemu(struct run *r, bool json)
{
	static const char *const first[] = { "qemu", "-M", "none", "-nodefaults", "-display", "none", "-monitor", "stdio" };
	char **argv = arena_array(&r->mem, ARRAY_LEN(first) + 2 * (size_t)r->desc.n_nics + 1, sizeof(*argv));
	unsigned n = 0;

	for (; n < ARRAY_LEN(first); n++)
		argv[n] = unconst_word(first[n]);
	for (unsigned i = 0; i < r->desc.n_nics; i++) {
		const struct nic_plan *np = &r->plan.nics[i];

		argv[n++] = unconst_word("-netdev");
		argv[n++] = unconst_word(json ? keyval_json(&np->netdev_words) : np->netdev);
	}
	(void)execv(r->plan.qemu, argv);
	perror(r->plan.qemu);
	exit(1);
}

int main(int argc, char **argv)
{
	static char text[TEXT_MAX];
	static struct run r;
	FILE *file;

	if (argc != 4 || !(file = fopen(argv[3], "re")))
		return 2;
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	(void)fclose(file);
	r.mem.oom = &r.oom;
	r.ds.mem = &r.mem;
	if (setjmp(r.oom) != 0)
		return 2;
	if (decide(&r, argv[2], text) == 0 && open_all(&r) == 0)
		become_qemu(&r, strcmp(argv[1], "json") == 0);
	for (unsigned i = 0; i < r.ds.n; i++)
		fprintf(stderr, "%s: %s\n", diag_name(r.ds.list[i].id), r.ds.list[i].message);
	return 1;
}
