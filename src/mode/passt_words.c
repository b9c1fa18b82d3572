/*
 * passt_words.c - the options of passt, and the words to start passt with
 *
 * passt silently accepts some wrong values (the release of Debian 12 takes any --mac-addr, and
 * reads a word as MTU 0), so types are checked here. passt itself checks addresses and ports.
 */
#include "config.h"

#include "mode/passt_words.h"

#include <string.h>

/* passt's short options without a value; after any other, the rest of the word is its value. */
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
 * A word of "param" that would override what the launch decides: passt's end of the connection, and
 * that passt goes to the background, which shows that it is ready. getopt_long() accepts any unique
 * prefix of a long option.
 */
static int check_param(const struct nic *nic, const struct prop *prop, struct diags *ds)
{
	static const char *const decided[] = { "foreground", "fd", "socket", "one-off",
					       "vhost-user" };
	const char *word = prop->value;
	const size_t len = strcspn(word, "=");
	bool bad = word[0] == '-' && word[1] != '-' && cluster_has(word, "fFs1");

	if (strncmp(word, "--", 2) == 0 && len > 2) {
		for (unsigned i = 0; i < ARRAY_LEN(decided); i++)
			bad |= len - 2 <= strlen(decided[i]) &&
			       strncmp(word + 2, decided[i], len - 2) == 0;
		bad |= nic->vhost_user && len - 2 <= strlen("pid") &&
		       strncmp(word + 2, "pid", len - 2) == 0;
	}
	bad |= nic->vhost_user && word[0] == '-' && word[1] != '-' && cluster_has(word, "P");
	if (!bad)
		return 0;
	return diag_add(ds, DIAG_DEVICE_CONFLICT, 0, prop->at, NULL,
			"'%s' is decided by the launch", word);
}

/*
 * The members of NetDevPasstOptions (qapi/net.json of QEMU 10.1) except vhost-user, which is a key
 * of the NIC.
 */
const struct netopt passt_options[] = {
	{ .key = "path",		.kind = NETOPT_PATH },
	{ .key = "quiet",		.kind = NETOPT_BOOL },
	{ .key = "mtu",			.kind = NETOPT_NUMBER, .word = "--mtu" },
	{ .key = "address",		.kind = NETOPT_TEXT, .word = "--address" },
	{ .key = "netmask",		.kind = NETOPT_TEXT, .word = "--netmask" },
	{ .key = "mac",			.kind = NETOPT_MAC, .word = "--mac-addr" },
	{ .key = "gateway",		.kind = NETOPT_TEXT, .word = "--gateway" },
	{ .key = "interface",		.kind = NETOPT_LINK, .word = "--interface" },
	{ .key = "outbound",		.kind = NETOPT_TEXT, .word = "--outbound" },
	{ .key = "outbound-if4",	.kind = NETOPT_LINK, .word = "--outbound-if4" },
	{ .key = "outbound-if6",	.kind = NETOPT_LINK, .word = "--outbound-if6" },
	{ .key = "dns",			.kind = NETOPT_TEXT, .word = "--dns" },
	{ .key = "search",		.kind = NETOPT_LIST, .word = "--search", .join = " " },
	{ .key = "fqdn",		.kind = NETOPT_TEXT, .word = "--fqdn" },
	{ .key = "dhcp-dns",		.kind = NETOPT_BOOL, .off = "--no-dhcp-dns" },
	{ .key = "dhcp-search",		.kind = NETOPT_BOOL, .off = "--no-dhcp-search" },
	{ .key = "map-host-loopback",	.kind = NETOPT_TEXT, .word = "--map-host-loopback" },
	{ .key = "map-guest-addr",	.kind = NETOPT_TEXT, .word = "--map-guest-addr" },
	{ .key = "dns-forward",		.kind = NETOPT_TEXT, .word = "--dns-forward" },
	{ .key = "dns-host",		.kind = NETOPT_TEXT, .word = "--dns-host" },
	{ .key = "tcp",			.kind = NETOPT_BOOL, .off = "--no-tcp" },
	{ .key = "udp",			.kind = NETOPT_BOOL, .off = "--no-udp" },
	{ .key = "icmp",		.kind = NETOPT_BOOL, .off = "--no-icmp" },
	{ .key = "dhcp",		.kind = NETOPT_BOOL, .off = "--no-dhcp" },
	{ .key = "ndp",			.kind = NETOPT_BOOL, .off = "--no-ndp" },
	{ .key = "dhcpv6",		.kind = NETOPT_BOOL, .off = "--no-dhcpv6" },
	{ .key = "ra",			.kind = NETOPT_BOOL, .off = "--no-ra" },
	{ .key = "freebind",		.kind = NETOPT_BOOL, .on = "--freebind" },
	{ .key = "ipv4",		.kind = NETOPT_BOOL, .off = "--ipv6-only" },
	{ .key = "ipv6",		.kind = NETOPT_BOOL, .off = "--ipv4-only" },
	{ .key = "tcp-ports",		.kind = NETOPT_LIST, .word = "--tcp-ports", .join = "," },
	{ .key = "udp-ports",		.kind = NETOPT_LIST, .word = "--udp-ports", .join = "," },
	{ .key = "param",		.kind = NETOPT_LIST, .check = check_param },
	{ .key = NULL },
};

/* --- words ------------------------------------------------------------------------------------ */

struct words {
	char **list;
	unsigned n;
	struct arena *mem;
};

/* argv is char *const *: the words are never modified. */
static void push(struct words *w, const char *word)
{
	w->list[w->n++] = arena_str(w->mem, word);
}

static const char *list_word(const struct nic *nic, const struct netopt *opt, struct arena *mem)
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

static const char *opt_word(const struct nic *nic, const struct netopt *opt, struct arena *mem)
{
	const char *value = netopts_get(nic, opt->key);

	if (!value)
		return NULL;
	if (opt->kind == NETOPT_BOOL)
		return strcmp(value, "on") == 0 ? opt->on : opt->off;
	if (opt->join)
		return list_word(nic, opt, mem);
	return opt->word ? arena_printf(mem, "%s=%s", opt->word, value) : NULL;
}

char **passt_words(const struct nic *nic, const char *program, struct arena *mem)
{
	/*
	 * the program, one word per option and per element of param, our own five, and the final
	 * NULL
	 */
	struct words w = { .list = arena_array(mem, ARRAY_LEN(passt_options) + nic->options.n + 7,
					       sizeof(*w.list)),
			   .mem = mem };
	const char *quiet = netopts_get(nic, "quiet");

	push(&w, program);
	if (!quiet || strcmp(quiet, "on") == 0)
		push(&w, "--quiet");
	for (unsigned i = 0; passt_options[i].key; i++) {
		const char *word = opt_word(nic, &passt_options[i], mem);

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
		push(&w, arena_printf(mem, "--fd=%d", CHILD_FD));
	}
	return w.list;
}

bool passt_is_param(const struct nic *nic, const char *word)
{
	for (unsigned i = 0; i < nic->options.n; i++)
		if (strcmp(nic->options.list[i].key, "param") == 0 &&
		    strcmp(nic->options.list[i].value, word) == 0)
			return true;
	return false;
}
