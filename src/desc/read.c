/* read.c - functions that read JSON by tables of fields */
#include "config.h"

#include "desc/read.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/mac.h"
#include "base/names.h"
#include "desc/descriptor.h"

/* --- plain values ----------------------------------------------------------------------------- */

static const char *type_name(const cJSON *item)
{
	return cJSON_IsString(item) ? "a string" : cJSON_IsNumber(item) ? "a number" :
	       cJSON_IsBool(item) ? "a boolean" : cJSON_IsArray(item) ? "an array" :
	       cJSON_IsObject(item) ? "an object" : "null";
}

int read_type_error(struct reader *r, const struct where *at, const char *want, const cJSON *item)
{
	return diag_add(r->ds, DIAG_DESC_TYPE, 0, at, NULL, "must be %s, not %s", want,
			type_name(item));
}

int read_value_error(struct reader *r, const struct where *at, const char *value, const char *rule)
{
	if (!value[0])
		return diag_add(r->ds, DIAG_DESC_VALUE, 0, at, NULL, "must not be empty");
	return diag_add(r->ds, DIAG_DESC_VALUE, 0, at, NULL, "'%s' is not %s", value, rule);
}

int read_whole(struct reader *r, const cJSON *item, const struct where *at, unsigned min,
	       unsigned max, unsigned *ret)
{
	const double v = cJSON_IsNumber(item) ? item->valuedouble : -1.0;

	if (!cJSON_IsNumber(item))
		return read_type_error(r, at, "a whole number", item);
	if (!(v >= min && v <= max) || v != (double)(unsigned)v)
		return diag_add(r->ds, DIAG_DESC_RANGE, 0, at, NULL,
				"must be a whole number from %u to %u, not %.17g", min, max, v);
	*ret = (unsigned)v;
	return 0;
}

int read_number(struct reader *r, const struct field *f, const cJSON *item, const struct where *at,
		void *ret)
{
	return read_whole(r, item, at, f->min, f->max, ret);
}

int read_bool(struct reader *r, const struct field *f, const cJSON *item, const struct where *at,
	      void *ret)
{
	(void)f;
	if (!cJSON_IsBool(item))
		return read_type_error(r, at, "true or false", item);
	*(bool *)ret = cJSON_IsTrue(item);
	return 0;
}

int read_choice(struct reader *r, const struct field *f, const cJSON *item, const struct where *at,
		void *ret)
{
	(void)f;
	if (!cJSON_IsBool(item))
		return read_type_error(r, at, "true or false", item);
	*(enum choice *)ret = cJSON_IsTrue(item) ? CHOICE_ON : CHOICE_OFF;
	return 0;
}

static bool path_valid(const char *s)
{
	return s[0] == '/' && s[1] != '\0';
}

static bool any_valid(const char *s)
{
	return s[0] != '\0';
}

bool read_is_qemu_word(const char *s)
{
	return id_valid(s) && strcmp(s, "help") != 0;
}

const struct rule rule_id = { id_valid,
			      "an id: a letter, then up to 62 letters, digits, '-', '.' or '_'" };
const struct rule rule_ifname = {
	ifname_valid, "a link name: 1 to 15 printable characters without / : , = %"
};
const struct rule rule_driver = { read_is_qemu_word, "the name of a device driver" };
const struct rule rule_path = { path_valid, "an absolute path" };
const struct rule rule_any = { any_valid, "a string" };

/* Names that tools show for a link, but that are not its name. */
static void hint_ifname(struct reader *r, const char *value)
{
	const char *lower = strchr(value, '@');
	const char *name = lower ? arena_strn(r->mem, value, (size_t)(lower - value)) : value;

	if (lower && ifname_valid(name))
		diag_hint(r->ds, "\"%s\"; what 'ip' shows after '@' is the lower link", name);
	else if (!lower && strlen(name) > 15 && id_valid(name))
		diag_hint(r->ds,
			  "the name at the start of the output of 'ip -o link show dev %s'; this "
			  "may be an alternative name",
			  name);
}

int read_text(struct reader *r, const cJSON *item, const struct where *at, const struct rule *rule,
		  const char **ret)
{
	if (!cJSON_IsString(item))
		return read_type_error(r, at, "a string", item);
	if (!rule->valid(item->valuestring)) {
		(void)read_value_error(r, at, item->valuestring, rule->what);
		if (rule == &rule_ifname)
			hint_ifname(r, item->valuestring);
		return -1;
	}
	*ret = arena_str(r->mem, item->valuestring);
	return 0;
}

int read_string(struct reader *r, const struct field *f, const cJSON *item, const struct where *at,
		void *ret)
{
	if (cJSON_IsString(item) && f->max > 0 && strlen(item->valuestring) > f->max)
		return diag_add(r->ds, DIAG_DESC_RANGE, 0, at, NULL,
				"must be at most %u bytes long", f->max);
	return read_text(r, item, at, f->arg, ret);
}

int read_mac(struct reader *r, const struct field *f, const cJSON *item, const struct where *at,
	     void *ret)
{
	static const struct mac zero;
	bool *has = (bool *)((char *)ret -
			     f->min); /* min: how far before the address its flag is stored */
	struct mac mac;

	if (!cJSON_IsString(item))
		return read_type_error(r, at, "a string", item);
	if (!mac_parse(item->valuestring, &mac))
		return read_value_error(r, at, item->valuestring,
					"an Ethernet address such as 52:54:00:12:34:56");
	if (mac.byte[0] & 1 || mac_equal(mac, zero))
		return read_value_error(r, at, item->valuestring,
					"a unicast address: it is multicast or zero");
	*has = true;
	*(struct mac *)ret = mac;
	return 0;
}

/* --- objects ---------------------------------------------------------------------------------- */

/* What libvirt, QEMU, ip(8) and other launchers call the thing that a key of ours is for. */
static const struct { const char *theirs, *ours; } synonyms[] = {
	{ "address", "mac" },	    { "arguments", "args" },	{ "br", "bridge" },
	{ "cid", "vsock" },	    { "cpus", "vcpus" },	{ "dev", "ifname" },
	{ "driver", "device" },	    { "emulator", "qemu" },	{ "gid", "group" },
	{ "hwaddr", "mac" },	    { "iface", "ifname" },	{ "interface", "ifname" },
	{ "interfaces", "nics" },   { "macaddr", "mac" },	{ "model", "device" },
	{ "net", "nics" },	    { "netdev", "ifname" },	{ "netdevs", "nics" },
	{ "network", "nics" },	    { "networks", "nics" },	{ "nic", "nics" },
	{ "qemu_args", "args" },    { "queue_pairs", "queues" },{ "smp", "vcpus" },
	{ "type", "mode" },	    { "uid", "user" },
};

static bool has_key(const struct field *fields, unsigned n, const char *key)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(fields[i].key, key) == 0)
			return true;
	return false;
}

/* The key that an unknown one most likely means; NULL: none is near. */
static const char *meant_key(const char *key, const struct field *fields, unsigned n)
{
	struct nearest nearest = { .name = key };

	for (unsigned i = 0; i < ARRAY_LEN(synonyms); i++)
		if (strcasecmp(synonyms[i].theirs, key) == 0 &&
		    has_key(fields, n, synonyms[i].ours))
			return synonyms[i].ours;
	for (unsigned i = 0; i < n; i++)
		nearest_try(&nearest, fields[i].key);
	return nearest.best;
}

static int unknown_key(struct reader *r, const char *key, const struct field *fields, unsigned n,
		       const struct where *at)
{
	const char *meant = meant_key(key, fields, n);

	(void)diag_add(r->ds, DIAG_DESC_UNKNOWN_KEY, 0, at, NULL, "unknown key");
	if (meant)
		diag_hint(r->ds, "use '%s'", meant);
	return -1;
}

int read_given_twice(struct reader *r, const struct where *at)
{
	struct where second = *at;

	second.again = true;
	return diag_add(r->ds, DIAG_DESC_DUPLICATE_KEY, 0, &second, NULL, "given twice");
}

int read_fields(struct reader *r, const cJSON *item, const struct field *fields, unsigned n,
		       const struct where *at, void *base, uint64_t *ret_seen)
{
	uint64_t seen = 0;
	int ret = 0;

	assert(n <= 64);
	for (const cJSON *child = item->child; child; child = child->next) {
		const struct where here = { .up = at, .key = child->string };
		unsigned i = 0;

		while (i < n && strcmp(fields[i].key, child->string) != 0)
			i++;
		if (i == n) {
			ret |= unknown_key(r, child->string, fields, n, &here);
		} else if (seen & UINT64_C(1) << i) {
			ret |= read_given_twice(r, &here);
		} else {
			seen |= UINT64_C(1) << i;
			ret |= fields[i].read(r, &fields[i], child, &here,
					      (char *)base + fields[i].offset);
		}
	}
	for (unsigned i = 0; i < n; i++)
		if (fields[i].required && !(seen & UINT64_C(1) << i))
			ret |= diag_add(r->ds, DIAG_DESC_MISSING_KEY, 0, at, NULL,
					"'%s' is missing", fields[i].key);
	*ret_seen = seen;
	return ret;
}

int read_object(struct reader *r, const cJSON *item, const struct field *fields, unsigned n,
		       const struct where *at, void *base)
{
	uint64_t seen;

	return cJSON_IsObject(item) ? read_fields(r, item, fields, n, at, base, &seen) :
				      read_type_error(r, at, "an object", item);
}

int read_array_size(struct reader *r, const cJSON *item, const struct where *at, unsigned max)
{
	int n;

	if (!cJSON_IsArray(item))
		return read_type_error(r, at, "an array", item);
	n = cJSON_GetArraySize(item);
	if (n < 0 || (unsigned)n > max)
		return diag_add(r->ds, DIAG_DESC_RANGE, 0, at, NULL,
				"has %d elements; the maximum is %u", n, max);
	return n;
}
