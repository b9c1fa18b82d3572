/*
 * adopt.c - backends that QEMU would open by the words of argv, and that are opened for it
 *
 * Only words of backends are replaced, each in its place: ids, devices and their order decide what
 * the guest sees. What the words say is taken as it is; what they leave open has QEMU's default,
 * but for vhost, which is taken where the device can use it and the host has it.
 */
#include "config.h"

#include "desc/adopt.h"

#include <string.h>

#include "base/names.h"
#include "base/switch.h"
#include "desc/devices.h"

/* QEMU's default of a word that stands for a script; both of these turn it off. */
static bool no_script(const char *value)
{
	return value && (strcmp(value, "no") == 0 || value[0] == '\0');
}

bool adopt_replaces(const char *key)
{
	static const char *const keys[] = {
		"type",   "ifname", "script", "downscript", "br",
		"helper", "queues", "vhost",  "vhostforce", "vnet_hdr"
	};

	for (unsigned i = 0; i < ARRAY_LEN(keys); i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

/* Why QEMU goes on opening a tap of these words itself; NULL: it opens none. */
static const char *why_left(const struct qopts *words)
{
	const char *type = qopts_get(words, "type");

	if (!type || qopts_get(words, "fd") || qopts_get(words, "fds"))
		return NULL;
	if (strcmp(type, "bridge") == 0)
		return "its br is no name of a link, or its helper no path";
	if (strcmp(type, "tap") != 0)
		return NULL;
	if (!qopts_get(words, "ifname"))
		return "it names no link: QEMU makes one";
	if (!ifname_valid(qopts_get(words, "ifname")))
		return "its ifname is no name of a link";
	if (switch_off(qopts_get(words, "vnet_hdr")))
		return "vnet_hdr=off";
	if (qopts_get(words, "vhostfd") || qopts_get(words, "vhostfds"))
		return "it has descriptors of vhost, and none of the TAP";
	if (!no_script(qopts_get(words, "script")))
		return "QEMU runs its script: script=no turns that off";
	if (!no_script(qopts_get(words, "downscript")))
		return "QEMU runs its downscript: downscript=no turns that off";
	return "its words are not understood";
}

static bool take_queues(const struct qopts *words, struct nic *nic)
{
	const char *text = qopts_get(words, "queues");
	int n = 1;

	if (text && (qopts_numbers(text, &n, 1) != 1 || n < 1 || n > QUEUES_MAX))
		return false;
	if (nic->queues == 0)
		nic->queues = (unsigned)n;
	return true;
}

/*
 * vhost=on: with a device that is missing QEMU 7.2 aborts and others end; it is taken where the
 * host has it. Where a guest comes in by -incoming, only what the words say.
 */
static void take_vhost(const struct desc *desc, const struct qopts *words, struct nic *nic)
{
	const char *vhost = qopts_get(words, "vhost");
	const bool incoming = qemu_args_has(desc->words, QEMU_OPTION_incoming);

	if (nic->vhost != CHOICE_ABSENT)
		return;
	/* vhost decides where both are there (net/tap.c, net_init_tap_one()) */
	if (!switch_off(vhost) && switch_on(qopts_get(words, "vhostforce")))
		nic->vhost = CHOICE_ON;
	else if (switch_on(vhost))
		nic->vhost_wanted = true;
	else if (vhost || incoming)
		nic->vhost = CHOICE_OFF;
}

/* The words as the rest of the program is to see them: a backend that is given a descriptor. */
static void replace_words(struct qemu_arg *arg, struct arena *mem)
{
	struct qopts *words = &arg->opts;
	struct qopt *list = arena_array(mem, words->n + 2, sizeof(*list));
	unsigned n = 0;

	list[n++] = (struct qopt){ .key = "type", .value = "tap" };
	list[n++] = (struct qopt){ .key = "fd", .value = "" };
	for (unsigned i = 0; i < words->n; i++)
		if (!adopt_replaces(words->list[i].key))
			list[n++] = words->list[i];
	words->list = list;
	words->n = n;
}

static void take_words(const struct desc *desc, struct nic *nic, struct qemu_arg *arg,
		       struct arena *mem)
{
	struct qopts *old = arena_get(mem, sizeof(*old));

	*old = arg->opts;
	nic->in_argv = true;
	nic->adopted = old;
	nic->word = arg->word;
	nic->nic_option = arg->row->same == QEMU_OPTION_nic;
	take_vhost(desc, old, nic);
	replace_words(arg, mem);
}

static bool try_modes(const struct desc *desc, const struct qopts *words, struct nic *nic)
{
	for (unsigned mode = 0; mode < MODE__COUNT; mode++) {
		const struct mode_syntax *syntax = desc->syntax_of((enum mode)mode);

		if (syntax->adopt && syntax->adopt(words, nic)) {
			nic->mode = (enum mode)mode;
			return take_queues(words, nic);
		}
	}
	return false;
}

/*
 * -nic makes its device too: of the machine's own model where it names none, which has one queue.
 */
static void take_model(const struct qopts *words, struct nic *nic)
{
	const char *model = qopts_get(words, "model");
	struct mac mac;

	nic->driver = !model ? "default" : strcmp(model, "virtio") == 0 ? "virtio-net-pci" : model;
	if (qopts_get(words, "mac") && mac_parse(qopts_get(words, "mac"), &mac)) {
		nic->has_mac = true;
		nic->mac = mac;
	}
}

static const char in_file[] = "it is in a file of -readconfig, whose words cannot be replaced";

static void warn_left(const struct qemu_arg *arg, const char *id, const char *why, struct diags *ds)
{
	(void)diag_add(ds, DIAG_ARGV_LEFT, 0, KEY(NULL, "nics"), "argv",
		       "-%s %s stays as it is, and QEMU opens it: %s", arg->row->name, id, why);
}

static int adopt_arg(struct desc *desc, struct qemu_arg *arg, struct arena *mem, struct diags *ds)
{
	const struct qopts *words = qemu_arg_opts(desc->words, arg);
	struct nic nic = { .handoff = true };
	struct where at = { .key = "nics" };

	if (!words)
		return 0;
	nic.id = qopts_get(words, "id");
	if (!nic.id)
		nic.id = arena_printf(mem, "nic%u", desc->n_nics);
	if (!try_modes(desc, words, &nic)) {
		const char *why = why_left(words);

		if (why)
			warn_left(arg, nic.id, why, ds);
		return 0;
	}
	if (arg->in_file) {
		warn_left(arg, nic.id, in_file, ds);
		return 0;
	}
	if (desc->n_nics == NICS_MAX)
		return diag_add(ds, DIAG_DESC_RANGE, 0, KEY(NULL, "nics"), "argv",
				"it has more than %d NICs to open", NICS_MAX);
	at.label = nic.id;
	nic.at = where_keep(mem, &at);
	take_words(desc, &nic, arg, mem);
	nic.has_device = true;
	nic.driver = "default";
	if (nic.nic_option)
		take_model(nic.adopted, &nic);
	desc->nics[desc->n_nics++] = nic;
	return 0;
}

/* -net makes a hub, and QEMU does not say which of its words are one backend's. */
static void warn_net(const struct desc *desc, struct diags *ds)
{
	for (struct qemu_arg *arg = qemu_args_first(desc->words, QEMU_OPTION_net); arg;
	     arg = qemu_args_after(desc->words, arg)) {
		const struct qopts *words = qemu_arg_opts(desc->words, arg);
		const char *type = words ? qopts_get(words, "type") : NULL;

		if (type && (strcmp(type, "tap") == 0 || strcmp(type, "bridge") == 0))
			warn_left(arg, type, "-net has no form that takes queues or vhost", ds);
	}
	if (desc->guest.readconfig)
		(void)diag_add(ds, DIAG_ARGV_LEFT, 0, KEY(NULL, "nics"), "argv",
			       "what an unread file of -readconfig says of networks stays "
			       "as it is");
}

int adopt_nics(struct desc *desc, struct arena *mem, struct diags *ds)
{
	struct qemu_args *words = desc->words;
	int ret = 0;

	if (!desc->adopt)
		return 0;
	desc->nics = arena_array(mem, NICS_MAX, sizeof(*desc->nics));
	for (unsigned i = 0; i < words->n; i++) {
		struct qemu_arg *arg = &words->list[i];

		if (arg->row && arg->value &&
		    (arg->row->same == QEMU_OPTION_netdev || arg->row->same == QEMU_OPTION_nic))
			ret |= adopt_arg(desc, arg, mem, ds);
	}
	warn_net(desc, ds);
	return ret;
}

int adopt_netdev(const struct desc *desc, struct nic *nic, struct qemu_arg *arg, struct arena *mem,
		 struct diags *ds)
{
	const struct qopts *words = qemu_arg_opts(desc->words, arg);
	const struct mode_syntax *syntax = desc->syntax_of(nic->mode);
	struct nic said = *nic;
	const char *why = words ? why_left(words) : NULL;

	if (!words || !syntax->adopt || !syntax->adopt(words, &said) || !take_queues(words, nic))
		return diag_add(ds, DIAG_ARGV_NETDEV, 0, KEY(nic->at, "netdev"), "argv",
				"-netdev %s: %s", nic->id,
				why ? why
				    : arena_printf(mem, "no words of mode '%s'",
						   mode_name(nic->mode)));
	if ((said.ifname && (!nic->ifname || strcmp(nic->ifname, said.ifname) != 0)) ||
	    (nic->bridge && said.bridge && strcmp(nic->bridge, said.bridge) != 0))
		return diag_add(ds, DIAG_ARGV_NETDEV, 0, KEY(nic->at, "netdev"), "argv",
				"-netdev %s names '%s', the descriptor '%s'", nic->id,
				said.bridge ? said.bridge : said.ifname,
				nic->bridge   ? nic->bridge
				: nic->ifname ? nic->ifname
					      : "a link by its index");
	if (arg->in_file)
		return diag_add(ds, DIAG_ARGV_NETDEV, 0, KEY(nic->at, "netdev"), "argv",
				"-netdev %s: %s", nic->id, in_file);
	take_words(desc, nic, arg, mem);
	return 0;
}
