/*
 * fuzz_plan.c - a descriptor, a command line and a host, all out of the input, into a plan
 *
 * First byte even: the descriptor is generated. Odd: it is the text up to the next NUL.
 *
 * Promises of a plan that was made: numbers are unique, were closed, and fit the limit; each stands in
 * the words exactly once, with the NIC it belongs to; queue pairs, mq and vectors agree; a value reads back
 * from an option as it was; the caller's words are untouched; JSON, text and shell forms show the
 * same; the same input gives the same plan. Promises of one that was not: there is an error.
 */
#include "config.h"

#include "fuzz.h"

#include <cjson/cJSON.h>

#include "mode/mode.h"
#include "mode/rules.h"
#include "gen.h"
#include "desc/argv_nics.h"
#include "desc/cmdline.h"
#include "desc/devices.h"
#include "plan/report.h"
#include "base/utf8.h"
#include "mode/table.h"
#include "plan/make.h"
#include "desc/desc.h"

struct trial {
	struct arena *mem;
	struct desc desc;
	struct facts facts;
	struct cmdline cmdline;
	uint64_t open;
	struct plan plan;
	struct diags ds;
};

/* --- numbers ------------------------------------------------------------------------------------------ */

static void check_slot(const struct trial *t, const struct slot *slot)
{
	const struct plan *plan = &t->plan;

	PROMISE(slot->fd >= FD_MIN && slot->fd < FD_MAX);
	PROMISE(!gen_open(t->open, &t->desc, slot->fd));
	PROMISE((unsigned long)slot->fd < t->facts.nofile_hard);
	PROMISE(slot->path && slot->path[0]);
	if (plan->confine.filter)
		PROMISE((unsigned long)slot->fd < plan->nofile);
	else
		PROMISE((unsigned long)slot->fd < (plan->nofile ? plan->nofile : t->facts.nofile_soft));
	if (slot->kind != SLOT_VHOST_VSOCK) {
		const struct nic_plan *np = &plan->nics[slot->nic];
		const int *fds = slot->kind == SLOT_VHOST_NET ? np->vhostfds : np->fds;

		PROMISE(slot->nic < t->desc.n_nics && slot->queue < np->queues);
		PROMISE(fds && fds[slot->queue] == slot->fd);
	}
	for (const struct slot *other = plan->slots; other < slot; other++)
		PROMISE(other->fd != slot->fd);
}

/* A list "3:4:5" or "3" of the option is these numbers. */
static void check_list(const struct qopts *opts, const char *one, const char *many, const int *fds, unsigned n)
{
	const char *list = qopts_get(opts, many);
	int got[QUEUES_MAX];

	if (!list)
		list = qopts_get(opts, one);
	PROMISE((list != NULL) == (fds != NULL));
	if (!fds)
		return;
	PROMISE(qopts_numbers(list, got, QUEUES_MAX) == n);
	PROMISE(memcmp(got, fds, n * sizeof(*fds)) == 0);
}

static unsigned count_slots(const struct plan *plan, unsigned nic, bool vhost)
{
	unsigned n = 0;

	for (unsigned i = 0; i < plan->n_slots; i++)
		n += plan->slots[i].kind != SLOT_VHOST_VSOCK && plan->slots[i].nic == nic &&
		     (plan->slots[i].kind == SLOT_VHOST_NET) == vhost;
	return n;
}

/* --- words -------------------------------------------------------------------------------------------- */

/* Every property is there once, as it was given. */
static void check_props(const struct qopts *opts, const struct props *props, bool repeats)
{
	unsigned next = 0;

	for (unsigned i = 0; i < props->n; i++) {
		const struct prop *prop = &props->list[i];

		if (!repeats) {
			PROMISE(strcmp(prop->key, "mac") == 0 || strcmp(prop->key, "mq") == 0 ||
				strcmp(prop->key, "vectors") == 0 || strcmp(qopts_get(opts, prop->key), prop->value) == 0);
			continue;
		}
		while (next < opts->n && strcmp(opts->list[next].key, prop->key) != 0)
			next++;
		PROMISE(next < opts->n && strcmp(opts->list[next].value, prop->value) == 0);
		next++;
	}
}

static unsigned count_key(const struct qopts *opts, const char *key)
{
	unsigned n = 0;

	for (unsigned i = 0; i < opts->n; i++)
		n += strcmp(opts->list[i].key, key) == 0;
	return n;
}

/* A virtio device of several queue pairs says so, with the vectors that were given or one for each virtqueue and two. */
static void check_queue_words(const struct qopts *opts, const struct nic_plan *np)
{
	const unsigned has = nic_device(np->nic)->has;
	const struct props *given = &np->nic->device;
	unsigned long want = 2ul * np->queues + 2;

	PROMISE(count_key(opts, "mq") <= 1 && count_key(opts, "vectors") <= 1);
	if (np->queues == 1 || !(has & DEVICE_VIRTIO))
		return;
	PROMISE(count_key(opts, "mq") == 1 && strcmp(qopts_get(opts, "mq"), "on") == 0);
	PROMISE(count_key(opts, "vectors") == ((has & DEVICE_VECTORS) != 0));
	if (!(has & DEVICE_VECTORS))
		return;
	for (unsigned i = 0; i < given->n; i++)
		if (strcmp(given->list[i].key, "vectors") == 0)
			want = strtoul(given->list[i].value, NULL, 0);
	PROMISE(strtoul(qopts_get(opts, "vectors"), NULL, 0) == want);
}

static void check_device(const struct trial *t, const struct nic_plan *np)
{
	struct qopts opts;
	char text[32];

	PROMISE(qopts_parse(t->mem, np->device, "driver", &opts));
	PROMISE(strcmp(qopts_get(&opts, "driver"), np->nic->driver) == 0);
	PROMISE(strcmp(qopts_get(&opts, "netdev"), np->nic->id) == 0);
	PROMISE(count_key(&opts, "netdev") == 1 && count_key(&opts, "mac") == np->has_mac);
	check_queue_words(&opts, np);
	if (np->has_mac) {
		str_put(&STR_ON(text), MAC_FMT, MAC_ARG(np->mac));
		PROMISE(strcmp(qopts_get(&opts, "mac"), text) == 0);
	}
	check_props(&opts, &np->nic->device, false);
}

/* passt and vhost-user: the descriptor, or the socket's path, stands in the netdev or in its chardev. */
static void check_chardev(const struct trial *t, const struct nic_plan *np, const struct qopts *netdev)
{
	struct qopts chardev;
	char text[64] = "";

	PROMISE((np->chardev != NULL) == (np->chardev_id != NULL));
	if (np->fds)
		str_put(&STR_ON(text), np->chardev ? "/proc/self/fd/%d" : "%d", np->fds[0]);
	if (!np->chardev) {
		PROMISE(!np->fds || strcmp(qopts_get(netdev, "addr.str"), text) == 0);
		return;
	}
	PROMISE(strcmp(qopts_get(netdev, "chardev"), np->chardev_id) == 0);
	PROMISE(qopts_parse(t->mem, np->chardev, "backend", &chardev));
	PROMISE(strcmp(qopts_get(&chardev, "id"), np->chardev_id) == 0);
	PROMISE(count_key(&chardev, "path") == 1);
	PROMISE(strcmp(qopts_get(&chardev, "path"), np->fds ? text : np->facts->socket.path) == 0);
}

static void check_netdev(const struct trial *t, const struct nic_plan *np)
{
	struct qopts opts;

	PROMISE(qopts_parse(t->mem, np->netdev, "type", &opts));
	PROMISE(strcmp(qopts_get(&opts, "id"), np->nic->id) == 0);
	if (np->nic->mode == MODE_CUSTOM)
		return;
	PROMISE(count_key(&opts, "id") == 1 && count_key(&opts, "type") == 1);
	if (np->nic->mode == MODE_USER) {
		check_props(&opts, &np->nic->options, true);
		PROMISE(opts.n == 2 + np->nic->options.n);
		return;
	}
	if (np->nic->mode == MODE_PASST || np->nic->mode == MODE_VHOST_USER) {
		check_chardev(t, np, &opts);
		return;
	}
	check_list(&opts, "fd", "fds", np->fds, np->queues);
	check_list(&opts, "vhostfd", "vhostfds", np->vhostfds, np->queues);
	PROMISE(!np->fds || np->vhost == (qopts_get(&opts, "vhostforce") != NULL));
}

/* The netdev of the caller's words that has this id. */
static const struct qopts *callers_netdev(const struct trial *t, const char *id)
{
	const struct cmdline words = { .words = t->plan.argv + 1, .n = t->plan.argc - 1 };

	return qemu_args_find(qemu_args_read(&words, t->mem), QEMU_OPTION_netdev, "id", id);
}

static void check_nic(const struct trial *t, unsigned index)
{
	const struct nic_plan *np = &t->plan.nics[index];

	PROMISE(np->queues >= 1 && np->queues <= QUEUES_MAX);
	PROMISE(np->nic->queues == 0 || np->queues == np->nic->queues);
	PROMISE(np->queues <= t->desc.max_queues);
	PROMISE(!(np->nic->vhost == CHOICE_ON && !np->vhost) && !(np->nic->vhost == CHOICE_OFF && np->vhost));
	PROMISE(!np->vhost || mode_row(np->nic->mode)->has_vhost);
	PROMISE(count_slots(&t->plan, index, false) == (np->fds ? np->queues : 0));
	PROMISE(count_slots(&t->plan, index, true) == (np->vhostfds ? np->queues : 0));
	PROMISE((np->netdev == NULL) == np->nic->in_argv);
	PROMISE((np->device != NULL) == (np->nic->has_device && !np->nic->in_argv));
	if (np->nic->in_argv) {
		const struct qopts *opts = callers_netdev(t, np->nic->id);

		PROMISE(opts);
		check_list(opts, "fd", "fds", np->fds, np->queues);
		check_list(opts, "vhostfd", "vhostfds", np->vhostfds, np->queues);
		return;
	}
	check_netdev(t, np);
	if (np->device)
		check_device(t, np);
}

static void check_words(const struct trial *t)
{
	const struct plan *plan = &t->plan;
	unsigned at = 0;

	PROMISE(strcmp(plan->argv[at++], t->cmdline.argv0 ? t->cmdline.argv0 : t->facts.qemu.path) == 0);
	for (unsigned i = 0; i < t->desc.n_args; i++)
		PROMISE(strcmp(plan->argv[at++], t->desc.args[i]) == 0);
	for (unsigned i = 0; i < t->cmdline.n; i++)
		PROMISE(plan->argv[at++] == t->cmdline.words[i]);
	for (unsigned i = 0; i < t->desc.n_nics; i++) {
		const struct nic_plan *np = &plan->nics[i];

		if (np->chardev)
			PROMISE(strcmp(plan->argv[at], "-chardev") == 0 && strcmp(plan->argv[at + 1], np->chardev) == 0);
		at += np->chardev ? 2 : 0;
		if (np->netdev)
			PROMISE(strcmp(plan->argv[at], "-netdev") == 0 && strcmp(plan->argv[at + 1], np->netdev) == 0);
		at += np->netdev ? 2 : 0;
		if (np->device)
			PROMISE(strcmp(plan->argv[at], "-device") == 0 && strcmp(plan->argv[at + 1], np->device) == 0);
		at += np->device ? 2 : 0;
	}
	if (t->desc.cid != 0) {
		char text[96];

		str_put(&STR_ON(text), "vhost-vsock-pci,guest-cid=%u,vhostfd=%d", t->desc.cid, plan->vsock_fd);
		PROMISE(strcmp(plan->argv[at], "-device") == 0 && strcmp(plan->argv[at + 1], text) == 0);
		at += 2;
	}
	PROMISE(at == plan->argc && !plan->argv[at]);
}

/* --- views --------------------------------------------------------------------------------------------- */

static bool well_formed(const char *text)
{
	while (*text) {
		const unsigned n = utf8_len(text, strnlen(text, 4));

		if (n == 0)
			return false;
		text += n;
	}
	return true;
}

static const cJSON *get(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	PROMISE(item);
	return item;
}

static void check_json_nics(const struct trial *t, const cJSON *nics)
{
	unsigned i = 0;

	PROMISE((unsigned)cJSON_GetArraySize(nics) == t->desc.n_nics);
	for (const cJSON *item = nics->child; item; item = item->next, i++) {
		const struct nic_plan *np = &t->plan.nics[i];
		const cJSON *fds = cJSON_GetObjectItemCaseSensitive(item, "fds");
		unsigned q = 0;

		PROMISE(strcmp(get(item, "id")->valuestring, np->nic->id) == 0);
		PROMISE(get(item, "queues")->valuedouble == np->queues);
		PROMISE(cJSON_IsTrue(get(item, "vhost")) == np->vhost);
		PROMISE((fds != NULL) == (np->fds != NULL));
		for (const cJSON *fd = fds ? fds->child : NULL; fd; fd = fd->next)
			PROMISE(fd->valuedouble == np->fds[q++]);
		PROMISE(!np->fds || q == np->queues);
		PROMISE(!np->netdev || !well_formed(np->netdev) ||
			strcmp(get(item, "netdev")->valuestring, np->netdev) == 0);
	}
}

static void check_json(const struct trial *t, const char *text)
{
	const char *end = NULL;
	cJSON *root = cJSON_ParseWithOpts(text, &end, 0);
	unsigned i = 0;

	PROMISE(cJSON_IsObject(root) && strcmp(end, "\n") == 0);
	check_json_nics(t, get(root, "nics"));
	PROMISE((unsigned)cJSON_GetArraySize(get(root, "fds")) == t->plan.n_slots);
	for (const cJSON *item = get(root, "fds")->child; item; item = item->next, i++)
		PROMISE(get(item, "fd")->valuedouble == t->plan.slots[i].fd &&
			strcmp(get(item, "what")->valuestring, slot_kind_name(t->plan.slots[i].kind)) == 0 &&
			strcmp(get(item, "path")->valuestring, t->plan.slots[i].path) == 0);
	i = 0;
	PROMISE((unsigned)cJSON_GetArraySize(get(root, "argv")) == t->plan.argc);
	for (const cJSON *item = get(root, "argv")->child; item; item = item->next, i++)
		PROMISE(!well_formed(t->plan.argv[i]) || strcmp(item->valuestring, t->plan.argv[i]) == 0);
	PROMISE((unsigned)cJSON_GetArraySize(get(root, "warnings")) == t->ds.n);
	PROMISE(cJSON_IsTrue(get(root, "no_new_privs")) == t->plan.confine.no_new_privs);
	PROMISE(get(root, "filters")->valuedouble == t->plan.confine.filters);
	/* a filter leaves no terminal open, unless that was asked for */
	PROMISE(!t->plan.confine.filter || !t->plan.facts->terminal ||
		!t->plan.desc->protect_terminal || t->plan.confine.terminal);
	cJSON_Delete(root);
}

/* The text with its line breaks taken out again. */
static const char *unwrapped(const char *text, struct arena *mem)
{
	static const char fold[] = "\n        ";
	char *ret = arena_str(mem, text), *to = ret;

	for (const char *from = text; *from; from++) {
		if (strncmp(from, fold, sizeof(fold) - 1) == 0)
			from += sizeof(fold) - 2;
		else
			*to++ = *from;
	}
	*to = '\0';
	return ret;
}

static void check_text(const struct trial *t, const char *text)
{
	const char *flat = unwrapped(text, t->mem);

	for (const char *p = text; *p; p++)
		PROMISE(*p == '\n' || ((unsigned char)*p >= 0x20 && *p != 0x7f));
	for (unsigned i = 0; i < t->desc.n_nics; i++) {
		const struct nic_plan *np = &t->plan.nics[i];

		PROMISE(strstr(text, np->nic->id));
		PROMISE(!np->netdev || strstr(np->netdev, "        ") || strstr(flat, np->netdev));
		PROMISE(!np->device || strstr(np->device, "        ") || strstr(flat, np->device));
	}
}

/* What a shell can do by hand: open a node at a number. */
static bool by_hand(const struct slot *slot)
{
	return slot->kind == SLOT_MACVTAP || slot->kind == SLOT_VHOST_NET || slot->kind == SLOT_VHOST_VSOCK;
}

static void check_shell(const struct trial *t, const char *text)
{
	bool possible = true;

	for (unsigned i = 0; i < t->plan.n_slots; i++)
		possible &= by_hand(&t->plan.slots[i]);
	for (unsigned i = 0; i < t->plan.n_slots && possible; i++)
		PROMISE(strstr(text, arena_printf(t->mem, "\nexec %d<>%s\t", t->plan.slots[i].fd, t->plan.slots[i].path)));
	PROMISE((strstr(text, "\nexec -a ") != NULL) == possible);
}

static void check_plan(struct trial *t)
{
	const char *json = report_make(&t->plan, &t->ds, REPORT_JSON, t->mem);
	struct plan again;

	for (unsigned i = 0; i < t->plan.n_slots; i++)
		check_slot(t, &t->plan.slots[i]);
	for (unsigned i = 0; i < t->desc.n_nics; i++)
		check_nic(t, i);
	check_words(t);
	check_json(t, json);
	check_text(t, report_make(&t->plan, &t->ds, REPORT_TEXT, t->mem));
	check_shell(t, report_make(&t->plan, &t->ds, REPORT_SHELL, t->mem));
	t->ds.n = 0;
	PROMISE(plan_make(&t->desc, &t->facts, &t->cmdline, t->mem, &again, &t->ds) == 0);
	PROMISE(strcmp(json, report_make(&again, &t->ds, REPORT_JSON, t->mem)) == 0);
}

/* --- a trial -------------------------------------------------------------------------------------------- */

static const char *take_descriptor(struct bytes *b, struct arena *mem)
{
	const bool verbatim = take8(b) & 1;
	const uint8_t *end = verbatim ? memchr(b->at, '\0', b->left) : NULL;
	const size_t len = end ? (size_t)(end - b->at) : b->left;
	const char *ret;

	if (!verbatim)
		return gen_descriptor(b, mem);
	ret = arena_strn(mem, (const char *)b->at, len);
	b->at += end ? len + 1 : len;
	b->left -= end ? len + 1 : len;
	return ret;
}

static void run(struct bytes *b, struct trial *t)
{
	const char *text = take_descriptor(b, t->mem);

	t->ds.source = (struct source){ .name = "stdin", .text = text };
	t->cmdline = gen_cmdline(b, t->mem);
	if (desc_parse(text, strlen(text), mode_syntax, t->mem, &t->desc, &t->ds) < 0 ||
	    argv_nics_read(&t->desc, &t->cmdline, t->mem, &t->ds) < 0) {
		PROMISE(t->ds.status == EXIT_DESC);
		return;
	}
	PROMISE(t->ds.n == 0);
	gen_facts(b, &t->desc, t->mem, &t->facts, &t->open);
	if (plan_make(&t->desc, &t->facts, &t->cmdline, t->mem, &t->plan, &t->ds) < 0) {
		PROMISE(t->ds.n > 0 && t->ds.status != EXIT_NONE);
		return;
	}
	PROMISE(t->ds.status == EXIT_NONE);
	check_plan(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct trial t;
	struct bytes b = { .at = data, .left = size };
	struct arena mem = { 0 };
	jmp_buf oom;

	mem.oom = &oom;
	t = (struct trial){ .mem = &mem, .ds = { .mem = &mem } };
	if (setjmp(oom) == 0) {
		run(&b, &t);
		check_diags(&t.ds, &mem);
	}
	arena_free(&mem);
	return 0;
}
