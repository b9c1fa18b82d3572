/* netopts.c - check "options" against the table of a mode */
#include "config.h"

#include "desc/netopts.h"

#include <string.h>

#include "base/names.h"

/* --- checks ----------------------------------------------------------------------------------- */

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
	/* for an element of an array at [i], the option itself has the wrong type */
	const struct where *at = prop->listed && !prop->at->key ? prop->at->up : prop->at;

	return diag_add(ds, DIAG_DESC_TYPE, 0, at, NULL, "must be %s, not %s", want,
			type_name(prop));
}

static int bad_value(const struct prop *prop, const char *rule, struct diags *ds)
{
	if (!prop->value[0])
		return diag_add(ds, DIAG_DESC_VALUE, 0, prop->at, NULL, "must not be empty");
	return diag_add(ds, DIAG_DESC_VALUE, 0, prop->at, NULL, "'%s' is not %s", prop->value,
			rule);
}

static int check_number(const struct prop *prop, unsigned max, struct diags *ds)
{
	unsigned long long v = 0;

	/* prop_value() in nics.c made the text: a sign and at most 16 digits */
	for (const char *c = prop->value; *c; c++)
		v = *c == '-' ? ~0ULL >> 8 : 10 * v + (unsigned)(*c - '0');
	if (v <= max)
		return 0;
	return diag_add(ds, DIAG_DESC_RANGE, 0, prop->at, NULL,
			"must be a whole number from 0 to %u, not %s", max, prop->value);
}

static int check_string(const struct netopt *opt, const struct prop *prop, struct diags *ds)
{
	static const struct mac zero;
	struct mac mac;

	if (prop->type != PROP_STRING || prop->listed)
		return wrong_type(prop, "a string", ds);
	if (!prop->value[0])
		return bad_value(prop, "a string", ds);
	if ((opt->kind == NETOPT_PATH || opt->kind == NETOPT_SOCKET) &&
	    (prop->value[0] != '/' || !prop->value[1]))
		return bad_value(prop, "an absolute path", ds);
	if (opt->kind == NETOPT_SOCKET && strlen(prop->value) > SUN_PATH_MAX)
		return diag_add(ds, DIAG_DESC_RANGE, 0, prop->at, NULL,
				"must be at most %d bytes long, the limit for the path of a "
				"socket",
				SUN_PATH_MAX);
	if (opt->kind == NETOPT_LINK && !ifname_valid(prop->value))
		return bad_value(prop,
				 "a link name: 1 to 15 printable characters without / : , = %",
				 ds);
	if (opt->kind == NETOPT_MAC &&
	    (!mac_parse(prop->value, &mac) || (mac.byte[0] & 1) || mac_equal(mac, zero)))
		return bad_value(prop,
				 "a unicast Ethernet address, such as 52:54:00:12:34:56",
				 ds);
	return 0;
}

static int check_list(const struct nic *nic, const struct netopt *opt, const struct prop *prop,
		      struct diags *ds)
{
	if (prop->type == PROP_BOOL)
		return diag_add(ds, DIAG_DESC_TYPE, 0, prop->at, NULL,
				"must be a string or an array of strings, not a boolean");
	if (!prop->value[0])
		return bad_value(prop, "a string", ds);
	return opt->check ? opt->check(nic, prop, ds) : 0;
}

static int check_prop(const struct nic *nic, const struct netopt *opt, const struct prop *prop,
		      struct diags *ds)
{
	switch (opt->kind) {
	case NETOPT_PATH:
	case NETOPT_SOCKET:
	case NETOPT_TEXT:
	case NETOPT_LINK:
	case NETOPT_MAC:
		return check_string(opt, prop, ds);
	case NETOPT_NUMBER:
		if (prop->type != PROP_NUMBER || prop->listed)
			return wrong_type(prop, "a whole number", ds);
		return check_number(prop, NETOPT_NUMBER_MAX, ds);
	case NETOPT_BOOL:
		return prop->type == PROP_BOOL && !prop->listed
			       ? 0
			       : wrong_type(prop, "true or false", ds);
	case NETOPT_LIST:
		return check_list(nic, opt, prop, ds);
	}
	return 0;
}

static int unknown(const struct prop *prop, const struct netopt *opts, struct diags *ds)
{
	struct nearest nearest = { .name = prop->key };

	for (const struct netopt *opt = opts; opt->key; opt++)
		nearest_try(&nearest, opt->key);
	(void)diag_add(ds, DIAG_DESC_UNKNOWN_KEY, 0, prop->at, NULL, "unknown option");
	if (nearest.best)
		diag_hint(ds, "use '%s'", nearest.best);
	return -1;
}

static const struct netopt *find(const struct netopt *opts, const char *key)
{
	while (opts->key && strcmp(opts->key, key) != 0)
		opts++;
	return opts->key ? opts : NULL;
}

static int check_needed(const struct nic *nic, const struct netopt *opts, struct diags *ds)
{
	int ret = 0;

	for (const struct netopt *opt = opts; opt->key; opt++)
		if (opt->needed && !netopts_get(nic, opt->key))
			ret |= diag_add(ds, DIAG_DESC_MISSING_KEY, 0, KEY(nic->at, "options"), NULL,
					"'%s' is missing", opt->key);
	return ret;
}

int netopts_check(const struct mode_syntax *syntax, const struct nic *nic, struct diags *ds)
{
	const struct netopt *opts = syntax->options;
	int ret = 0;

	for (unsigned i = 0; opts && i < nic->options.n; i++) {
		const struct prop *prop = &nic->options.list[i];
		const struct netopt *opt = find(opts, prop->key);
		const bool again = i > 0 && strcmp(prop->key, prop[-1].key) == 0;

		/* a misplaced array and an unknown key are one problem each */
		if (again && (!opt || opt->kind != NETOPT_LIST))
			continue;
		ret |= opt ? check_prop(nic, opt, prop, ds) : unknown(prop, opts, ds);
	}
	return opts ? ret | check_needed(nic, opts, ds) : 0;
}

const char *netopts_get(const struct nic *nic, const char *key)
{
	for (unsigned i = 0; i < nic->options.n; i++)
		if (strcmp(nic->options.list[i].key, key) == 0)
			return nic->options.list[i].value;
	return NULL;
}
