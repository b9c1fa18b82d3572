/* words.c - netdev words that several modes share */
#include "config.h"

#include "mode/rules.h"

#include <string.h>

#include "base/names.h"
#include "base/str.h"
#include "base/switch.h"
#include "desc/cmdline.h"
#include "desc/netopts.h"

struct numbers {
	const int *fds;
	unsigned n;
};

static void render_numbers(struct str *s, const void *arg)
{
	const struct numbers *numbers = arg;

	for (unsigned i = 0; i < numbers->n; i++)
		str_put(s, i > 0 ? ":%d" : "%d", numbers->fds[i]);
}

static void add_numbers(struct keyvals *kv, const char *one, const char *many, const int *fds,
			unsigned n)
{
	const struct numbers numbers = { .fds = fds, .n = n };

	keyval_text(kv, n > 1 ? many : one, str_make(kv->mem, render_numbers, &numbers));
}

void netdev_tap_fds(struct keyvals *kv, const struct nic_plan *np)
{
	keyval_text(kv, "type", "tap");
	keyval_text(kv, "id", np->nic->id);
	netdev_numbers(kv, np);
}

void netdev_numbers(struct keyvals *kv, const struct nic_plan *np)
{
	add_numbers(kv, "fd", "fds", np->fds, np->n_fds);
	keyval_switch(kv, "vhost", np->vhost);
	if (!np->vhost)
		return;
	/*
	 * Without vhostforce, a vhost that fails to start is silently ignored by QEMU 6.2, ends 7.2
	 * and 8.2 by SIGABRT, and makes 9.2 and later exit with 1. With it, every version from 6.2
	 * to 11.1 exits with 1 (net/tap.c, net_init_tap_one).
	 */
	keyval_switch(kv, "vhostforce", true);
	add_numbers(kv, "vhostfd", "vhostfds", np->vhostfds, np->queues);
}

static bool is_off(const char *script)
{
	return script && (strcmp(script, "no") == 0 || script[0] == '\0');
}

static bool is_given(const struct qopts *words)
{
	static const char *const given[] = { "fd", "fds", "vhostfd", "vhostfds" };

	for (unsigned i = 0; i < ARRAY_LEN(given); i++)
		if (qopts_get(words, given[i]))
			return true;
	return false;
}

bool adopt_tap(const struct qopts *words, struct nic *nic)
{
	const char *type = qopts_get(words, "type"), *ifname = qopts_get(words, "ifname");

	if (!type || strcmp(type, "tap") != 0 || !ifname || !ifname_valid(ifname) ||
	    is_given(words) ||
	    qopts_get(words, "helper") || !is_off(qopts_get(words, "script")) ||
	    !is_off(qopts_get(words, "downscript")) || switch_off(qopts_get(words, "vnet_hdr")))
		return false;
	nic->ifname = ifname;
	return true;
}

bool adopt_bridge(const struct qopts *words, struct nic *nic)
{
	const char *type = qopts_get(words, "type"), *helper = qopts_get(words, "helper");
	const char *br = qopts_get(words, "br");
	const bool tap = type && strcmp(type, "tap") == 0;

	if (!type || is_given(words) || !(strcmp(type, "bridge") == 0 || (tap && helper)))
		return false;
	/* QEMU gives what is no path to a shell (net/tap.c, net_bridge_run_helper()) */
	if (helper && (helper[0] != '/' || strchr(helper, ' ')))
		return false;
	if (br && !ifname_valid(br))
		return false;
	nic->bridge = br ? br : "br0"; /* net/tap.c, DEFAULT_BRIDGE_INTERFACE */
	nic->helper = helper;
	return true;
}

/*
 * The types in QEMU's schema of members of the user netdev that a descriptor may write as text
 * (NetdevUserOptions).
 */
static const struct { const char *key; enum keyval_type type; } user_types[] = {
	{ "hostfwd",		KEYVAL_STRINGS },
	{ "guestfwd",		KEYVAL_STRINGS },
	{ "dnssearch",		KEYVAL_STRINGS },
	{ "restrict",		KEYVAL_SWITCH },
	{ "ipv4",		KEYVAL_SWITCH },
	{ "ipv6",		KEYVAL_SWITCH },
	{ "ipv6-prefixlen",	KEYVAL_NUMBER },
};

static enum keyval_type type_of(const struct prop *prop)
{
	if (prop->listed)
		return KEYVAL_STRINGS;
	for (unsigned i = 0; i < ARRAY_LEN(user_types); i++)
		if (strcmp(prop->key, user_types[i].key) == 0)
			return user_types[i].type;
	switch (prop->type) {
	case PROP_STRING:	return KEYVAL_TEXT;
	case PROP_NUMBER:	return KEYVAL_NUMBER;
	case PROP_BOOL:		return KEYVAL_SWITCH;
	}
	return KEYVAL_TEXT;
}

static enum keyval_type netopt_type(const struct netopt *options, const struct prop *prop)
{
	for (const struct netopt *opt = options; opt && opt->key; opt++)
		if (strcmp(opt->key, prop->key) == 0)
			return opt->kind == NETOPT_LIST     ? KEYVAL_STRINGS
			       : opt->kind == NETOPT_NUMBER ? KEYVAL_NUMBER
			       : opt->kind == NETOPT_BOOL   ? KEYVAL_SWITCH
							    : KEYVAL_TEXT;
	return type_of(prop);
}

void netdev_options(struct keyvals *kv, const struct nic *nic, const struct netopt *options)
{
	for (unsigned i = 0; i < nic->options.n; i++) {
		const struct prop *prop = &nic->options.list[i];

		keyval_add(kv, prop->key, netopt_type(options, prop), prop->value);
	}
}
