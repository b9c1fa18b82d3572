/*
 * netopts.c - the options of passt and of vhost-user
 *
 * passt has no message for some wrong values (the release of Debian 12 takes any --mac-addr, and makes
 * 0 of a word for an MTU), so types are checked here. What passt does check, addresses and ports, is
 * left to it.
 */
#include "config.h"

#include "desc/netopts.h"

#include <string.h>

#include "base/names.h"

enum kind { KIND_PATH, KIND_TEXT, KIND_LINK, KIND_MAC, KIND_NUMBER, KIND_BOOL, KIND_LIST };

struct opt {
	const char *key;
	enum kind kind;
	const char *word;		/* passt's option that takes the value; NULL: none, or not that simple */
	const char *off, *on;		/* of a boolean: the word for each of its values; NULL: the default */
	const char *join;		/* of a list: what stands between its elements in one word */
};

/* The members of NetDevPasstOptions (qapi/net.json of QEMU 10.1) but vhost-user, which is a key of the NIC. */
static const struct opt passt_opts[] = {
	{ "path",		KIND_PATH,	NULL,			NULL, NULL, NULL },
	{ "quiet",		KIND_BOOL,	NULL,			NULL, NULL, NULL },
	{ "mtu",		KIND_NUMBER,	"--mtu",		NULL, NULL, NULL },
	{ "address",		KIND_TEXT,	"--address",		NULL, NULL, NULL },
	{ "netmask",		KIND_TEXT,	"--netmask",		NULL, NULL, NULL },
	{ "mac",		KIND_MAC,	"--mac-addr",		NULL, NULL, NULL },
	{ "gateway",		KIND_TEXT,	"--gateway",		NULL, NULL, NULL },
	{ "interface",		KIND_LINK,	"--interface",		NULL, NULL, NULL },
	{ "outbound",		KIND_TEXT,	"--outbound",		NULL, NULL, NULL },
	{ "outbound-if4",	KIND_LINK,	"--outbound-if4",	NULL, NULL, NULL },
	{ "outbound-if6",	KIND_LINK,	"--outbound-if6",	NULL, NULL, NULL },
	{ "dns",		KIND_TEXT,	"--dns",		NULL, NULL, NULL },
	{ "search",		KIND_LIST,	"--search",		NULL, NULL, " " },
	{ "fqdn",		KIND_TEXT,	"--fqdn",		NULL, NULL, NULL },
	{ "dhcp-dns",		KIND_BOOL,	NULL,	"--no-dhcp-dns", NULL, NULL },
	{ "dhcp-search",	KIND_BOOL,	NULL,	"--no-dhcp-search", NULL, NULL },
	{ "map-host-loopback",	KIND_TEXT,	"--map-host-loopback",	NULL, NULL, NULL },
	{ "map-guest-addr",	KIND_TEXT,	"--map-guest-addr",	NULL, NULL, NULL },
	{ "dns-forward",	KIND_TEXT,	"--dns-forward",	NULL, NULL, NULL },
	{ "dns-host",		KIND_TEXT,	"--dns-host",		NULL, NULL, NULL },
	{ "tcp",		KIND_BOOL,	NULL,	"--no-tcp",	NULL, NULL },
	{ "udp",		KIND_BOOL,	NULL,	"--no-udp",	NULL, NULL },
	{ "icmp",		KIND_BOOL,	NULL,	"--no-icmp",	NULL, NULL },
	{ "dhcp",		KIND_BOOL,	NULL,	"--no-dhcp",	NULL, NULL },
	{ "ndp",		KIND_BOOL,	NULL,	"--no-ndp",	NULL, NULL },
	{ "dhcpv6",		KIND_BOOL,	NULL,	"--no-dhcpv6",	NULL, NULL },
	{ "ra",			KIND_BOOL,	NULL,	"--no-ra",	NULL, NULL },
	{ "freebind",		KIND_BOOL,	NULL,	NULL, "--freebind",   NULL },
	{ "ipv4",		KIND_BOOL,	NULL,	"--ipv6-only",	NULL, NULL },
	{ "ipv6",		KIND_BOOL,	NULL,	"--ipv4-only",	NULL, NULL },
	{ "tcp-ports",		KIND_LIST,	"--tcp-ports",		NULL, NULL, "," },
	{ "udp-ports",		KIND_LIST,	"--udp-ports",		NULL, NULL, "," },
	{ "param",		KIND_LIST,	NULL,			NULL, NULL, NULL },
};

/* path names the socket; the others are properties of the chardev, for backends that come and go. */
static const struct opt vhost_user_opts[] = {
	{ "path",		KIND_PATH,	NULL,			NULL, NULL, NULL },
	{ "reconnect",		KIND_NUMBER,	NULL,			NULL, NULL, NULL },
	{ "reconnect-ms",	KIND_NUMBER,	NULL,			NULL, NULL, NULL },
};

/* --- checks ------------------------------------------------------------------------------------ */

static const char *type_name(const struct prop *prop)
{
	if (prop->listed)
		return "an array";
	switch (prop->type) {
	case PROP_STRING:	return "a string";
	case PROP_NUMBER:	return "a number";
	case PROP_BOOL:		return "a boolean";
	}
	return "";
}

static int wrong_type(const struct prop *prop, const char *want, struct diags *ds)
{
	/* an element of an array stands at [i]: the option is what has the wrong type */
	const struct where *at = prop->listed && !prop->at->key ? prop->at->up : prop->at;

	return diag_add(ds, DIAG_DESC_TYPE, 0, at, NULL, "must be %s, not %s", want, type_name(prop));
}

static int bad_value(const struct prop *prop, const char *rule, struct diags *ds)
{
	return diag_add(ds, DIAG_DESC_VALUE, 0, prop->at, NULL, "'%s' is not %s", prop->value, rule);
}

static int check_number(const struct prop *prop, unsigned max, struct diags *ds)
{
	unsigned long long v = 0;

	/* prop_value() in desc.c made the text: a sign and at most 16 digits */
	for (const char *c = prop->value; *c; c++)
		v = *c == '-' ? ~0ULL >> 8 : 10 * v + (unsigned)(*c - '0');
	if (v <= max)
		return 0;
	return diag_add(ds, DIAG_DESC_RANGE, 0, prop->at, NULL, "must be a whole number from 0 to %u, not %s", max,
			prop->value);
}

static int check_string(const struct opt *opt, const struct prop *prop, struct diags *ds)
{
	static const struct mac zero;
	struct mac mac;

	if (prop->type != PROP_STRING || prop->listed)
		return wrong_type(prop, "a string", ds);
	if (!prop->value[0])
		return bad_value(prop, "a text: it is empty", ds);
	if (opt->kind == KIND_PATH && (prop->value[0] != '/' || !prop->value[1]))
		return bad_value(prop, "an absolute path", ds);
	if (opt->kind == KIND_LINK && !ifname_valid(prop->value))
		return bad_value(prop, "a link's name: 1 to 15 printable characters, none of / : , = %", ds);
	if (opt->kind == KIND_MAC && (!mac_parse(prop->value, &mac) || (mac.byte[0] & 1) || mac_equal(mac, zero)))
		return bad_value(prop, "the Ethernet address of one station, such as 52:54:00:12:34:56", ds);
	return 0;
}

/* passt's short options that stand alone; behind any other, the rest of the word is a value. */
static bool cluster_has(const char *word, const char *wanted)
{
	for (const char *c = word + 1; *c; c++) {
		if (strchr(wanted, *c))
			return true;
		if (!strchr("dqfeh461", *c))
			return false;
	}
	return false;
}

/*
 * A word of "param" that would take from the launch what it decides: where passt's end of the wire is,
 * and that it goes to the background, which says that it is ready. getopt_long() takes any beginning
 * of a long option.
 */
static int check_param(const struct nic *nic, const struct prop *prop, struct diags *ds)
{
	static const char *const decided[] = { "foreground", "fd", "socket", "one-off", "vhost-user" };
	const char *word = prop->value;
	const size_t len = strcspn(word, "=");
	bool bad = word[0] == '-' && word[1] != '-' && cluster_has(word, "fFs1");

	if (strncmp(word, "--", 2) == 0 && len > 2) {
		for (unsigned i = 0; i < ARRAY_LEN(decided); i++)
			bad |= len - 2 <= strlen(decided[i]) && strncmp(word + 2, decided[i], len - 2) == 0;
		bad |= nic->vhost_user && len - 2 <= strlen("pid") && strncmp(word + 2, "pid", len - 2) == 0;
	}
	bad |= nic->vhost_user && word[0] == '-' && word[1] != '-' && cluster_has(word, "P");
	if (!bad)
		return 0;
	return diag_add(ds, DIAG_DEVICE_CONFLICT, 0, prop->at, NULL, "'%s' is for the launch to decide", word);
}

static int check_list(const struct nic *nic, const struct opt *opt, const struct prop *prop, struct diags *ds)
{
	if (prop->type == PROP_BOOL)
		return diag_add(ds, DIAG_DESC_TYPE, 0, prop->at, NULL, "must be a string or an array of strings, not a boolean");
	if (!prop->value[0])
		return bad_value(prop, "a text: it is empty", ds);
	return opt->join ? 0 : check_param(nic, prop, ds);
}

static int check_prop(const struct nic *nic, const struct opt *opt, const struct prop *prop, struct diags *ds)
{
	switch (opt->kind) {
	case KIND_PATH:
	case KIND_TEXT:
	case KIND_LINK:
	case KIND_MAC:
		return check_string(opt, prop, ds);
	case KIND_NUMBER:
		if (prop->type != PROP_NUMBER || prop->listed)
			return wrong_type(prop, "a whole number", ds);
		return check_number(prop, NETOPT_NUMBER_MAX, ds);
	case KIND_BOOL:
		return prop->type == PROP_BOOL && !prop->listed ? 0 : wrong_type(prop, "true or false", ds);
	case KIND_LIST:
		return check_list(nic, opt, prop, ds);
	}
	return 0;
}

static int unknown(const struct prop *prop, const struct opt *opts, size_t n, struct diags *ds)
{
	struct nearest nearest = { .name = prop->key };

	for (size_t i = 0; i < n; i++)
		nearest_try(&nearest, opts[i].key);
	(void)diag_add(ds, DIAG_DESC_UNKNOWN_KEY, 0, prop->at, NULL, "no such option");
	if (nearest.best)
		diag_hint(ds, "the nearest one is '%s'", nearest.best);
	return -1;
}

static const struct opt *find(const struct opt *opts, size_t n, const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(opts[i].key, key) == 0)
			return &opts[i];
	return NULL;
}

int netopts_check(const struct nic *nic, struct diags *ds)
{
	const bool passt = nic->mode == MODE_PASST;
	const struct opt *opts = passt ? passt_opts : vhost_user_opts;
	const size_t n = passt ? ARRAY_LEN(passt_opts) : ARRAY_LEN(vhost_user_opts);
	int ret = 0;

	if (!passt && nic->mode != MODE_VHOST_USER)
		return 0;
	for (unsigned i = 0; i < nic->options.n; i++) {
		const struct prop *prop = &nic->options.list[i];
		const struct opt *opt = find(opts, n, prop->key);
		const bool again = i > 0 && strcmp(prop->key, prop[-1].key) == 0;

		/* an array where none may be, and a key that is unknown, are one problem each */
		if (again && (!opt || opt->kind != KIND_LIST))
			continue;
		ret |= opt ? check_prop(nic, opt, prop, ds) : unknown(prop, opts, n, ds);
	}
	if (!passt && !netopts_get(nic, "path"))
		ret |= diag_add(ds, DIAG_DESC_MISSING_KEY, 0, KEY(nic->at, "options"), NULL, "'path' is missing");
	else if (!passt && strlen(netopts_get(nic, "path")) > SUN_PATH_MAX)
		ret |= diag_add(ds, DIAG_DESC_RANGE, 0, KEY(KEY(nic->at, "options"), "path"), NULL,
				"longer than %d bytes: no socket can have this path", SUN_PATH_MAX);
	return ret;
}

const char *netopts_get(const struct nic *nic, const char *key)
{
	for (unsigned i = 0; i < nic->options.n; i++)
		if (strcmp(nic->options.list[i].key, key) == 0)
			return nic->options.list[i].value;
	return NULL;
}

/* --- words ------------------------------------------------------------------------------------- */

struct words {
	char **list;
	unsigned n;
	struct arena *mem;
};

/* argv is char *const *: nobody writes to the words. */
static void push(struct words *w, const char *word)
{
	w->list[w->n++] = arena_str(w->mem, word);
}

static const char *list_word(const struct nic *nic, const struct opt *opt, struct arena *mem)
{
	const char *ret = NULL;

	for (unsigned i = 0; i < nic->options.n; i++) {
		const struct prop *prop = &nic->options.list[i];

		if (strcmp(prop->key, opt->key) == 0)
			ret = ret ? arena_printf(mem, "%s%s%s", ret, opt->join, prop->value) :
				    arena_printf(mem, "%s=%s", opt->word, prop->value);
	}
	return ret;
}

static const char *opt_word(const struct nic *nic, const struct opt *opt, struct arena *mem)
{
	const char *value = netopts_get(nic, opt->key);

	if (!value)
		return NULL;
	if (opt->kind == KIND_BOOL)
		return strcmp(value, "on") == 0 ? opt->on : opt->off;
	if (opt->join)
		return list_word(nic, opt, mem);
	return opt->word ? arena_printf(mem, "%s=%s", opt->word, value) : NULL;
}

char **netopts_passt(const struct nic *nic, const char *program, struct arena *mem)
{
	/* the program, a word for each option and each element of param, our own five, and the end */
	struct words w = { .list = arena_array(mem, ARRAY_LEN(passt_opts) + nic->options.n + 7, sizeof(*w.list)), .mem = mem };
	const char *quiet = netopts_get(nic, "quiet");

	push(&w, program);
	if (!quiet || strcmp(quiet, "on") == 0)
		push(&w, "--quiet");
	for (unsigned i = 0; i < ARRAY_LEN(passt_opts); i++) {
		const char *word = opt_word(nic, &passt_opts[i], mem);

		if (word)
			push(&w, word);
	}
	for (unsigned i = 0; i < nic->options.n; i++)
		if (strcmp(nic->options.list[i].key, "param") == 0)
			push(&w, nic->options.list[i].value);
	if (nic->vhost_user) {
		push(&w, "--vhost-user");
		push(&w, "--one-off");
		push(&w, "--socket=" PASST_SOCKET);
		push(&w, "--pid=" PASST_PID);
	} else {
		push(&w, arena_printf(mem, "--fd=%d", PASST_FD));
	}
	return w.list;
}

void netopts_native(struct str *s, const struct nic *nic)
{
	for (unsigned i = 0; i < nic->options.n; i++) {
		str_put(s, ",%s=", nic->options.list[i].key);
		str_put_opt(s, nic->options.list[i].value);
	}
}
