/*
 * words.c - the words of a plan
 */
#include "config.h"

#include "plan/words.h"

#include <stdlib.h>
#include <string.h>

#include "desc/adopt.h"
#include "mode/rules.h"
#include "plan/device.h"
#include "mode/table.h"

/* Properties that the plan decides, and their values. */
struct decided {
	const char *key;
	enum keyval_type type;
	char value[24];
	bool emit;
};

enum { DECIDED_MAX = 4 };

/* The descriptor's value of a property, or NULL; device_check() has checked it. */
static const char *given(const struct nic *nic, const char *key)
{
	const char *ret = NULL;

	for (unsigned i = 0; i < nic->device.n; i++)
		if (strcmp(nic->device.list[i].key, key) == 0)
			ret = nic->device.list[i].value;
	return ret;
}

static unsigned decide(const struct nic_plan *np, struct decided *d)
{
	const char *vectors = given(np->nic, "vectors");
	const unsigned has = nic_device(np->nic)->has;
	unsigned n = 0;

	d[n++] = (struct decided){
		.key = "netdev"
	}; /* compared as text elsewhere: an id may be long */
	if (np->has_mac) {
		d[n] = (struct decided){ .key = "mac", .emit = true };
		str_put(&STR_ON(d[n].value), MAC_FMT, MAC_ARG(np->mac));
		n++;
	}
	if (np->queues <= 1 || !(has & DEVICE_VIRTIO))
		return n;
	d[n++] =
		(struct decided){ .key = "mq", .type = KEYVAL_SWITCH, .emit = true, .value = "on" };
	if (!(has & DEVICE_VECTORS))
		return n;
	d[n] = (struct decided){ .key = "vectors", .type = KEYVAL_NUMBER, .emit = true };
	str_put(&STR_ON(d[n].value), "%lu",
		vectors ? strtoul(vectors, NULL, 0) : 2ul * np->queues + 2);
	return n + 1;
}

static const struct decided *find(const struct decided *d, unsigned n, const char *key)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(d[i].key, key) == 0)
			return &d[i];
	return NULL;
}

static bool agrees(const struct nic *nic, const struct decided *d, const char *value)
{
	struct mac mac;

	if (strcmp(d->key, "netdev") == 0)
		return strcmp(value, nic->id) == 0;
	if (strcmp(d->key, "mac") != 0)
		return true;
	if (strcmp(d->key, "mac") == 0 && mac_parse(value, &mac)) {
		char text[24] = "";

		str_put(&STR_ON(text), MAC_FMT, MAC_ARG(mac));
		return strcmp(text, d->value) == 0;
	}
	return strcmp(value, d->value) == 0;
}

static int check_props(const struct nic_plan *np, const struct decided *d, unsigned n,
		       struct diags *ds)
{
	int ret = 0;

	for (unsigned i = 0; i < np->nic->device.n; i++) {
		const struct prop *prop = &np->nic->device.list[i];
		const struct decided *mine = find(d, n, prop->key);

		if (strcmp(prop->key, "mac") == 0 && !mine) {
			(void)diag_add(ds, DIAG_DEVICE_CONFLICT, 0, prop->at, NULL,
				       "belongs in the NIC's \"mac\"");
			ret = -1;
		} else if (mine && !agrees(np->nic, mine, prop->value)) {
			ret |= diag_add(ds, DIAG_DEVICE_CONFLICT, 0, prop->at, NULL,
					"is '%s', but the plan has '%s'", prop->value,
					strcmp(prop->key, "netdev") == 0 ? np->nic->id
									 : mine->value);
		}
	}
	return ret;
}

static enum keyval_type type_of(const struct prop *prop)
{
	switch (prop->type) {
	case PROP_STRING:
		return KEYVAL_TEXT;
	case PROP_NUMBER:
		return KEYVAL_NUMBER;
	case PROP_BOOL:
		return KEYVAL_SWITCH;
	}
	return KEYVAL_TEXT;
}

static void device_words(struct keyvals *kv, const struct nic *nic, const struct decided *decided,
			 unsigned n)
{
	keyval_text(kv, "driver", nic->driver);
	keyval_text(kv, "netdev", nic->id);
	for (unsigned i = 0; i < n; i++)
		if (decided[i].emit)
			keyval_add(kv, decided[i].key, decided[i].type,
				   arena_str(kv->mem, decided[i].value));
	for (unsigned i = 0; i < nic->device.n; i++) {
		const struct prop *prop = &nic->device.list[i];

		if (!find(decided, n, prop->key))
			keyval_add(kv, prop->key, type_of(prop), prop->value);
	}
}

/* The words of argv with the descriptors in place of what QEMU would have opened. */
static void adopted_words(struct nic_plan *np)
{
	const struct qopts *old = np->nic->adopted;

	keyval_text(&np->netdev_words, "type", "tap");
	for (unsigned i = 0; i < old->n; i++)
		if (!adopt_replaces(old->list[i].key))
			keyval_text(&np->netdev_words, old->list[i].key, old->list[i].value);
	netdev_numbers(&np->netdev_words, np);
	np->netdev = keyval_option(&np->netdev_words);
}

static int nic_words(struct nic_plan *np, bool laid_out, struct arena *mem, struct diags *ds)
{
	const struct mode_row *row = mode_row(np->nic->mode);
	struct decided decided[DECIDED_MAX];
	const unsigned n = decide(np, decided);

	if (!np->nic->in_argv && np->queues > 0 && check_props(np, decided, n, ds) < 0)
		return -1;
	np->chardev_words.mem = np->netdev_words.mem = np->device_words.mem = mem;
	if (laid_out && np->nic->adopted)
		adopted_words(np);
	if (!laid_out || np->nic->in_argv)
		return 0;
	if (np->chardev_id) {
		row->chardev(&np->chardev_words, np);
		np->chardev = keyval_option(&np->chardev_words);
	}
	row->netdev(&np->netdev_words, np);
	np->netdev = keyval_option(&np->netdev_words);
	if (np->nic->has_device) {
		device_words(&np->device_words, np->nic, decided, n);
		np->device = keyval_option(&np->device_words);
	}
	return 0;
}

static void push(struct plan *plan, const char *word)
{
	plan->argv[plan->argc++] = unconst_word(word);
}

/* In its place: argv[0] comes before the words. */
static void replace_word(struct plan *plan, struct nic_plan *np)
{
	if (!np->nic->adopted)
		return;
	np->replaces = plan->argv[1 + np->nic->word];
	plan->argv[1 + np->nic->word] = unconst_word(np->netdev);
}

static void push_option(struct plan *plan, const char *option, const char *value)
{
	if (value) {
		push(plan, option);
		push(plan, value);
	}
}

static const char *vsock_words(const struct plan *plan, const char *driver, struct arena *mem)
{
	const struct props *props = &plan->desc->vsock_device;
	struct keyvals kv = { .mem = mem };

	keyval_text(&kv, "driver", driver);
	keyval_number(&kv, "guest-cid", plan->desc->cid);
	keyval_number(&kv, "vhostfd", (unsigned long)plan->vsock_fd);
	for (unsigned i = 0; i < props->n; i++)
		keyval_add(&kv, props->list[i].key, type_of(&props->list[i]), props->list[i].value);
	return keyval_option(&kv);
}

int words_make(struct plan *plan, const struct cmdline *cmdline, struct arena *mem,
	       struct diags *ds)
{
	const struct desc *desc = plan->desc;
	const char *vsock;
	int ret = 0;

	for (unsigned i = 0; i < desc->n_nics; i++)
		ret |= nic_words(&plan->nics[i], plan->slots, mem, ds);
	if (ret < 0)
		return -1;
	plan->argv = arena_array(mem,
				 (size_t)cmdline->n + desc->n_args + 6 * (size_t)desc->n_nics + 6,
				 sizeof(*plan->argv));
	push(plan, cmdline->argv0 ? cmdline->argv0 : plan->qemu);
	for (unsigned i = 0; i < desc->n_args; i++)
		push(plan, desc->args[i]);
	for (unsigned i = 0; i < cmdline->n; i++)
		push(plan, cmdline->words[i]);
	for (unsigned i = 0; plan->slots && i < desc->n_nics; i++)
		replace_word(plan, &plan->nics[i]);
	/* else QEMU adds a NIC on its user-mode network */
	if (desc->n_nics == 0 && !desc->guest.network && !desc->default_nic)
		push_option(plan, "-nic", "none");
	for (unsigned i = 0; i < desc->n_nics; i++) {
		push_option(plan, "-chardev", plan->nics[i].chardev);
		if (!plan->nics[i].nic->adopted)
			push_option(plan, "-netdev", plan->nics[i].netdev);
		push_option(plan, "-device", plan->nics[i].device);
	}
	if (desc->cid == 0)
		return 0;
	vsock = device_vsock(desc, plan->facts, ds);
	if (!vsock)
		return -1;
	push_option(plan, "-device", vsock_words(plan, vsock, mem));
	return 0;
}
