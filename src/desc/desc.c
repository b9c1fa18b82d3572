/*
 * desc.c - read and check the launch descriptor
 *
 * cJSON parses; the rest is tables. Each object of the format is a table of fields, each field a key,
 * a reader and the member it fills. The walker is written once: unknown keys, keys given twice and
 * keys that are missing are its business. cJSON_GetObjectItem() is never called: it ignores case and
 * takes the first of two.
 */
#include "config.h"

#include "desc/desc.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/names.h"
#include "desc/netopts.h"
#include "desc/screen.h"

struct reader {
	struct arena *mem;
	struct diags *ds;
};

struct field;
typedef int read_fn(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret);

struct field {
	const char *key;
	read_fn *read;
	size_t offset;			/* of the member that read fills */
	unsigned min, max;		/* of numbers; of a string's length */
	bool required;
	const void *arg;		/* what else the reader needs to know */
};

/* --- plain values ------------------------------------------------------------------------------ */

static const char *type_name(const cJSON *item)
{
	return cJSON_IsString(item) ? "a string" : cJSON_IsNumber(item) ? "a number" :
	       cJSON_IsBool(item) ? "a boolean" : cJSON_IsArray(item) ? "an array" :
	       cJSON_IsObject(item) ? "an object" : "null";
}

static int wrong_type(struct reader *r, const struct where *at, const char *want, const cJSON *item)
{
	return diag_add(r->ds, DIAG_DESC_TYPE, 0, at, NULL, "must be %s, not %s", want, type_name(item));
}

static int bad_value(struct reader *r, const struct where *at, const char *value, const char *rule)
{
	return diag_add(r->ds, DIAG_DESC_VALUE, 0, at, NULL, "'%s' is not %s", value, rule);
}

static int number(struct reader *r, const cJSON *item, const struct where *at, unsigned min, unsigned max,
		  unsigned *ret)
{
	const double v = cJSON_IsNumber(item) ? item->valuedouble : -1.0;

	if (!cJSON_IsNumber(item))
		return wrong_type(r, at, "a whole number", item);
	if (!(v >= min && v <= max) || v != (double)(unsigned)v)
		return diag_add(r->ds, DIAG_DESC_RANGE, 0, at, NULL, "must be a whole number from %u to %u, not %.17g",
				min, max, v);
	*ret = (unsigned)v;
	return 0;
}

static int read_number(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	return number(r, item, at, f->min, f->max, ret);
}

static int read_bool(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	(void)f;
	if (!cJSON_IsBool(item))
		return wrong_type(r, at, "true or false", item);
	*(bool *)ret = cJSON_IsTrue(item);
	return 0;
}

static int read_choice(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	(void)f;
	if (!cJSON_IsBool(item))
		return wrong_type(r, at, "true or false", item);
	*(enum choice *)ret = cJSON_IsTrue(item) ? CHOICE_ON : CHOICE_OFF;
	return 0;
}

/* A rule for strings: its test, and what a string that passes it is. */
struct rule {
	bool (*valid)(const char *s);
	const char *what;
};

static bool path_valid(const char *s)
{
	return s[0] == '/' && s[1] != '\0';
}

static bool any_valid(const char *s)
{
	return s[0] != '\0';
}

/* The name of a driver or a property: QEMU answers "help" with a list and status 0, and starts no guest. */
static bool qemu_word_valid(const char *s)
{
	return id_valid(s) && strcmp(s, "help") != 0;
}

static const struct rule rule_id = { id_valid, "an id: a letter, then up to 62 letters, digits, '-', '.', '_'" };
static const struct rule rule_ifname = { ifname_valid, "a link's name: 1 to 15 printable characters, none of / : , = %" };
static const struct rule rule_driver = { qemu_word_valid, "the name of a device driver" };
static const struct rule rule_path = { path_valid, "an absolute path" };
static const struct rule rule_any = { any_valid, "a text: it is empty" };

static int string(struct reader *r, const cJSON *item, const struct where *at, const struct rule *rule,
		  const char **ret)
{
	if (!cJSON_IsString(item))
		return wrong_type(r, at, "a string", item);
	if (!rule->valid(item->valuestring))
		return bad_value(r, at, item->valuestring, rule->what);
	*ret = arena_str(r->mem, item->valuestring);
	return 0;
}

static int read_string(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	if (cJSON_IsString(item) && f->max > 0 && strlen(item->valuestring) > f->max)
		return diag_add(r->ds, DIAG_DESC_RANGE, 0, at, NULL, "longer than %u bytes", f->max);
	return string(r, item, at, f->arg, ret);
}

static int read_mac(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	static const struct mac zero;
	bool *has = (bool *)((char *)ret - f->min);	/* min: how far before the address its flag is */
	struct mac mac;

	if (!cJSON_IsString(item))
		return wrong_type(r, at, "a string", item);
	if (!mac_parse(item->valuestring, &mac))
		return bad_value(r, at, item->valuestring, "an Ethernet address such as 52:54:00:12:34:56");
	if (mac.byte[0] & 1 || mac_equal(mac, zero))
		return bad_value(r, at, item->valuestring, "the address of one station: it is multicast or zero");
	*has = true;
	*(struct mac *)ret = mac;
	return 0;
}

/* --- objects ----------------------------------------------------------------------------------- */

static int unknown_key(struct reader *r, const char *key, const struct field *fields, unsigned n,
		       const struct where *at)
{
	struct nearest nearest = { .name = key };

	for (unsigned i = 0; i < n; i++)
		nearest_try(&nearest, fields[i].key);
	(void)diag_add(r->ds, DIAG_DESC_UNKNOWN_KEY, 0, at, NULL, "no such key");
	if (nearest.best)
		diag_hint(r->ds, "the nearest one is '%s'", nearest.best);
	return -1;
}

static int given_twice(struct reader *r, const struct where *at)
{
	struct where second = *at;

	second.again = true;
	return diag_add(r->ds, DIAG_DESC_DUPLICATE_KEY, 0, &second, NULL, "given twice");
}

/* Fill base from item by the table. *ret_seen has bit i set when field i was there. */
static int read_fields(struct reader *r, const cJSON *item, const struct field *fields, unsigned n,
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
			ret |= given_twice(r, &here);
		} else {
			seen |= UINT64_C(1) << i;
			ret |= fields[i].read(r, &fields[i], child, &here, (char *)base + fields[i].offset);
		}
	}
	for (unsigned i = 0; i < n; i++)
		if (fields[i].required && !(seen & UINT64_C(1) << i))
			ret |= diag_add(r->ds, DIAG_DESC_MISSING_KEY, 0, at, NULL, "'%s' is missing", fields[i].key);
	*ret_seen = seen;
	return ret;
}

static int read_object(struct reader *r, const cJSON *item, const struct field *fields, unsigned n,
		       const struct where *at, void *base)
{
	uint64_t seen;

	return cJSON_IsObject(item) ? read_fields(r, item, fields, n, at, base, &seen) :
				      wrong_type(r, at, "an object", item);
}

/* Elements of an array, or -1 after a diag. */
static int array_size(struct reader *r, const cJSON *item, const struct where *at, unsigned max)
{
	int n;

	if (!cJSON_IsArray(item))
		return wrong_type(r, at, "an array", item);
	n = cJSON_GetArraySize(item);
	if (n < 0 || (unsigned)n > max)
		return diag_add(r->ds, DIAG_DESC_RANGE, 0, at, NULL, "%d elements, at most %u are possible", n, max);
	return n;
}

/* --- properties -------------------------------------------------------------------------------- */

/* A property's name in QEMU: it must not be able to end, or to be something else than a name. */
static bool prop_key_valid(const char *s)
{
	return qemu_word_valid(s);
}

static const char *prop_value(struct reader *r, const cJSON *item, const struct where *at)
{
	static const double exact = 9007199254740992.0;		/* 2^53 */

	if (cJSON_IsString(item))
		return arena_str(r->mem, item->valuestring);
	if (cJSON_IsBool(item))
		return cJSON_IsTrue(item) ? "on" : "off";
	if (!cJSON_IsNumber(item)) {
		(void)wrong_type(r, at, "a string, a number or a boolean", item);
		return NULL;
	}
	if (!(item->valuedouble > -exact && item->valuedouble < exact) ||
	    item->valuedouble != (double)(int64_t)item->valuedouble) {
		(void)diag_add(r->ds, DIAG_DESC_RANGE, 0, at, NULL, "must be a whole number of less than 2^53");
		return NULL;
	}
	return arena_printf(r->mem, "%lld", (long long)item->valuedouble);
}

static int prop_add(struct reader *r, struct props *props, const char *key, const cJSON *item, const struct where *at,
		    bool listed)
{
	const char *value = prop_value(r, item, at);

	if (!value)
		return -1;
	if (props->n == PROPS_MAX)
		return diag_add(r->ds, DIAG_DESC_RANGE, 0, at, NULL, "more than %d properties", PROPS_MAX);
	props->list[props->n++] = (struct prop){
		.key = key, .value = value, .listed = listed, .at = where_keep(r->mem, at),
		.type = cJSON_IsString(item) ? PROP_STRING : cJSON_IsBool(item) ? PROP_BOOL : PROP_NUMBER,
	};
	return 0;
}

/* One member of a property object; an array repeats the key, where the format allows arrays. */
static int prop_read(struct reader *r, struct props *props, const cJSON *item, const struct where *at, bool arrays)
{
	const char *key = arena_str(r->mem, item->string);
	unsigned i = 0;
	int ret = 0;

	if (!prop_key_valid(key))
		return diag_add(r->ds, DIAG_DESC_VALUE, 0, at, NULL, "not the name of a QEMU property");
	for (const cJSON *other = item->prev; other->next && other != item; other = other->prev)
		if (strcmp(other->string, key) == 0)
			return given_twice(r, at);
	if (!arrays || !cJSON_IsArray(item))
		return prop_add(r, props, key, item, at, false);
	for (const cJSON *child = item->child; child; child = child->next)
		ret |= prop_add(r, props, key, child, ITEM(at, i++), true);
	return ret;
}

static int read_props(struct reader *r, const cJSON *item, const struct where *at, bool arrays, struct props *ret)
{
	int bad = 0;

	if (!cJSON_IsObject(item))
		return wrong_type(r, at, "an object", item);
	ret->list = arena_array(r->mem, PROPS_MAX, sizeof(*ret->list));
	for (const cJSON *child = item->child; child; child = child->next)
		bad |= prop_read(r, ret, child, KEY(at, child->string), arrays);
	return bad;
}

static int read_options(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	struct props *props = ret;
	int bad = read_props(r, item, at, true, props);

	(void)f;
	for (const cJSON *child = cJSON_IsObject(item) ? item->child : NULL; child; child = child->next)
		if (strcmp(child->string, "id") == 0 || strcmp(child->string, "type") == 0)
			bad |= diag_add(r->ds, DIAG_DEVICE_CONFLICT, 0, KEY(at, child->string), NULL,
					"comes from the NIC's own keys");
	return bad;
}

/* "device": an object of properties, "driver" among them, or false. */
static int read_device(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	struct nic *nic = ret;
	struct props all = { 0 };
	int bad;

	(void)f;
	if (cJSON_IsFalse(item)) {
		nic->has_device = false;
		return 0;
	}
	if (!cJSON_IsObject(item))
		return wrong_type(r, at, "an object, or false", item);
	bad = read_props(r, item, at, false, &all);
	nic->device.list = arena_array(r->mem, PROPS_MAX, sizeof(*nic->device.list));
	for (unsigned i = 0; i < all.n; i++)
		if (strcmp(all.list[i].key, "driver") != 0)
			nic->device.list[nic->device.n++] = all.list[i];
	/* its text alone would let a boolean or a number pass: true is "on" by now */
	for (const cJSON *child = bad == 0 ? item->child : NULL; child; child = child->next)
		if (strcmp(child->string, "driver") == 0)
			bad |= string(r, child, KEY(at, "driver"), &rule_driver, &nic->driver);
	return bad;
}

/* --- NICs -------------------------------------------------------------------------------------- */

static const char *const mode_names[] = {
	[MODE_USER]	= "user",
	[MODE_BRIDGE]	= "bridge",
	[MODE_TAP]	= "tap",
	[MODE_MACVTAP]	= "macvtap",
	[MODE_PASST]	= "passt",
	[MODE_VHOST_USER] = "vhost-user",
	[MODE_CUSTOM]	= "custom",
};
static_assert(ARRAY_LEN(mode_names) == MODE__COUNT, "every mode has a name");

const char *mode_name(enum mode mode)
{
	assert(mode < MODE__COUNT);
	return mode_names[mode];
}

static int read_mode(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	const char *name = "";

	(void)f;
	if (string(r, item, at, &rule_any, &name) < 0)
		return -1;
	for (unsigned i = 0; i < MODE__COUNT; i++) {
		if (strcmp(name, mode_names[i]) == 0) {
			*(enum mode *)ret = i;
			return 0;
		}
	}
	return bad_value(r, at, name, "a mode: user, bridge, tap, macvtap, passt, vhost-user, custom");
}

static int read_pins(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	const int n = array_size(r, item, at, QUEUES_MAX);
	struct pins pins = { 0 };
	unsigned i = 0, number_read = 0;
	int bad = 0;

	(void)f;
	if (n < 0)
		return -1;
	if (n == 0)
		return diag_add(r->ds, DIAG_DESC_RANGE, 0, at, NULL, "no number in it");
	pins.list = arena_array(r->mem, (size_t)n, sizeof(*pins.list));
	for (const cJSON *child = item->child; child; child = child->next, i++) {
		bad |= number(r, child, ITEM(at, i), FD_MIN, FD_MAX - 1, &number_read);
		pins.list[pins.n++] = (int)number_read;
	}
	if (bad == 0)
		*(struct pins *)ret = pins;
	return bad;
}

/* "netdev": the -netdev value of custom, or "argv" elsewhere; which of the two is decided by the mode. */
static int read_netdev(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	(void)f;
	return string(r, item, at, &rule_any, ret);
}

static const struct field expect_fields[] = {
	/* key		reader		member					min	max		required arg */
	{ "master",	read_string,	offsetof(struct expect, master),	0,	0,		false, &rule_ifname },
	{ "lower",	read_string,	offsetof(struct expect, lower),		0,	0,		false, &rule_ifname },
	{ "up",		read_choice,	offsetof(struct expect, up),		0,	0,		false, NULL },
	{ "mtu",	read_number,	offsetof(struct expect, mtu),		1,	0x7fffffff,	false, NULL },
	{ "mac",	read_mac,	offsetof(struct expect, mac),
	  offsetof(struct expect, mac) - offsetof(struct expect, has_mac),	0,		false, NULL },
	{ "owner",	read_number,	offsetof(struct expect, owner),		0,	0xfffffffe,	false, NULL },
};

static int read_expect(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	struct expect *expect = ret;

	(void)f;
	if (read_object(r, item, expect_fields, ARRAY_LEN(expect_fields), at, expect) < 0)
		return -1;
	expect->any = item->child != NULL;
	for (const cJSON *child = item->child; child; child = child->next)
		expect->has_owner |= strcmp(child->string, "owner") == 0;
	return 0;
}

static const char default_driver[] = "virtio-net-pci";

/* Modes a key belongs to. */
#define M(mode) (1U << MODE_##mode)
enum { ALL = (1U << MODE__COUNT) - 1 };

static const struct nic_field {
	struct field field;
	unsigned modes;
} nic_fields[] = {
#define NIC(member) offsetof(struct nic, member)
	/* key		reader		member		min	max		required arg */
	{ { "mode",	read_mode,	NIC(mode),	0,	0,		true,	NULL }, ALL },
	{ { "id",	read_string,	NIC(id),	0,	0,		false,	&rule_id }, ALL },
	{ { "ifname",	read_string,	NIC(ifname),	0,	0,		false,	&rule_ifname }, M(TAP) | M(MACVTAP) },
	{ { "ifindex",	read_number,	NIC(ifindex),	1,	0x7fffffff,	false,	NULL }, M(MACVTAP) },
	{ { "bridge",	read_string,	NIC(bridge),	0,	0,		false,	&rule_ifname }, M(BRIDGE) },
	{ { "helper",	read_string,	NIC(helper),	0,	0,		false,	&rule_path }, M(BRIDGE) },
	{ { "queues",	read_number,	NIC(queues),	1,	QUEUES_MAX,	false,	NULL }, ALL },
	{ { "vhost",	read_choice,	NIC(vhost),	0,	0,		false,	NULL },
	  M(BRIDGE) | M(TAP) | M(MACVTAP) | M(CUSTOM) },
	{ { "handoff",	read_bool,	NIC(handoff),	0,	0,		false,	NULL }, M(BRIDGE) | M(TAP) },
	{ { "fds",	read_pins,	NIC(fds),	0,	0,		false,	NULL }, M(BRIDGE) | M(TAP) | M(MACVTAP) },
	{ { "vhostfds",	read_pins,	NIC(vhostfds),	0,	0,		false,	NULL }, M(BRIDGE) | M(TAP) | M(MACVTAP) },
	{ { "netdev",	read_netdev,	NIC(netdev),	0,	0,		false,	NULL },
	  M(BRIDGE) | M(TAP) | M(MACVTAP) | M(CUSTOM) },
	{ { "mac",	read_mac,	NIC(mac),	NIC(mac) - NIC(has_mac), 0,	false,	NULL }, ALL },
	{ { "device",	read_device,	0,		0,	0,		false,	NULL }, ALL },
	{ { "options",	read_options,	NIC(options),	0,	0,		false,	NULL },
	  M(USER) | M(PASST) | M(VHOST_USER) },
	{ { "vhost_user", read_bool,	NIC(vhost_user), 0,	0,		false,	NULL }, M(PASST) },
	{ { "native",	read_bool,	NIC(native),	0,	0,		false,	NULL }, M(PASST) },
	{ { "expect",	read_expect,	NIC(expect),	0,	0,		false,	NULL }, M(BRIDGE) | M(TAP) | M(MACVTAP) },
#undef NIC
};

/* Keys that a mode cannot do without; "a|b" is one of the two. */
static const char *mode_needs(const struct nic *nic)
{
	switch (nic->mode) {
	case MODE_USER:		return NULL;
	case MODE_BRIDGE:	return nic->bridge ? NULL : "'bridge' is missing";
	case MODE_TAP:		return nic->ifname ? NULL : "'ifname' is missing";
	case MODE_MACVTAP:	return nic->ifname || nic->ifindex ? NULL : "'ifname' or 'ifindex' is missing";
	case MODE_PASST:
	case MODE_VHOST_USER:	return NULL;	/* options.path: netopts_check() */
	case MODE_CUSTOM:	return nic->netdev ? NULL : "'netdev' is missing";
	case MODE__COUNT:	break;
	}
	return NULL;
}

/* "netdev" means one thing to custom and another to the rest. */
static int settle_netdev(struct reader *r, struct nic *nic, const struct where *at)
{
	if (nic->mode == MODE_CUSTOM || !nic->netdev)
		return 0;
	if (strcmp(nic->netdev, "argv") != 0)
		return diag_add(r->ds, DIAG_DESC_VALUE, 0, KEY(at, "netdev"), NULL,
				"only \"argv\" is possible in mode '%s'", mode_name(nic->mode));
	nic->netdev = NULL;
	nic->in_argv = true;
	if (nic->device.n == 0 && strcmp(nic->driver, default_driver) == 0)
		return 0;
	return diag_add(r->ds, DIAG_DESC_KEY_NOT_HERE, 0, KEY(at, "device"), NULL,
			"the device is in argv, and its properties are there");
}

static int check_nic(struct reader *r, struct nic *nic, uint64_t seen, const struct where *at)
{
	const char *missing = mode_needs(nic);
	int ret = 0;

	for (unsigned i = 0; i < ARRAY_LEN(nic_fields); i++)
		if (seen & UINT64_C(1) << i && !(nic_fields[i].modes & 1U << nic->mode))
			ret |= diag_add(r->ds, DIAG_DESC_KEY_NOT_HERE, 0, KEY(at, nic_fields[i].field.key), NULL,
					"mode '%s' has no such key", mode_name(nic->mode));
	if (missing)
		ret |= diag_add(r->ds, DIAG_DESC_MISSING_KEY, 0, at, NULL, "%s", missing);
	return ret | settle_netdev(r, nic, at) | netopts_check(nic, r->ds);
}

/* The id a NIC will have, before it is known to be right: it names the NIC in messages. */
static const char *peek_id(struct reader *r, const cJSON *item, unsigned index)
{
	for (const cJSON *child = cJSON_IsObject(item) ? item->child : NULL; child; child = child->next)
		if (strcmp(child->string, "id") == 0 && cJSON_IsString(child) && id_valid(child->valuestring))
			return arena_str(r->mem, child->valuestring);
	return arena_printf(r->mem, "net%u", index);
}

static int read_nic(struct reader *r, const cJSON *item, struct where *at, struct nic *nic)
{
	struct field fields[ARRAY_LEN(nic_fields)];
	uint64_t seen;

	*nic = (struct nic){ .handoff = true, .has_device = true, .driver = default_driver,
			     .id = peek_id(r, item, at->index) };
	at->label = nic->id;
	nic->at = where_keep(r->mem, at);
	if (!cJSON_IsObject(item))
		return wrong_type(r, at, "an object", item);
	for (unsigned i = 0; i < ARRAY_LEN(fields); i++)
		fields[i] = nic_fields[i].field;
	if (read_fields(r, item, fields, ARRAY_LEN(fields), at, nic, &seen) < 0)
		return -1;
	return check_nic(r, nic, seen, at);
}

static int check_ids(struct reader *r, const struct desc *desc)
{
	int ret = 0;

	for (unsigned i = 0; i < desc->n_nics; i++)
		for (unsigned j = 0; j < i; j++)
			if (strcmp(desc->nics[i].id, desc->nics[j].id) == 0)
				ret |= diag_add(r->ds, DIAG_DUPLICATE_ID, 0, KEY(desc->nics[i].at, "id"), NULL,
						"nics[%u] has the id '%s' too", j, desc->nics[i].id);
	return ret;
}

static int read_nics(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	struct desc *desc = ret;
	const int n = array_size(r, item, at, NICS_MAX);
	int bad = 0;

	(void)f;
	if (n < 0)
		return -1;
	desc->nics = arena_array(r->mem, (size_t)n, sizeof(*desc->nics));
	for (const cJSON *child = item->child; child; child = child->next) {
		struct where here = { .up = at, .index = desc->n_nics };

		bad |= read_nic(r, child, &here, &desc->nics[desc->n_nics]);
		desc->n_nics++;
	}
	return bad | check_ids(r, desc);
}

/* --- confinement ------------------------------------------------------------------------------- */

static int read_cgroup_fd(struct reader *r, const cJSON *item, const struct where *at, struct desc *desc)
{
	/* not 0, 1 or 2, which QEMU keeps: with it, it could leave its cgroup */
	static const struct field fields[] = { { "fd", read_number, 0, FD_MIN, FD_MAX - 1, true, NULL } };
	unsigned fd = 0;

	if (read_object(r, item, fields, ARRAY_LEN(fields), at, &fd) < 0)
		return -1;
	desc->cgroup_fd = (int)fd;
	return 0;
}

static int read_cgroup(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	struct desc *desc = ret;
	int n, bad = 0;

	(void)f;
	if (cJSON_IsObject(item))
		return read_cgroup_fd(r, item, at, desc);
	desc->cgroups = arena_array(r->mem, CGROUPS_MAX, sizeof(*desc->cgroups));
	if (cJSON_IsString(item)) {
		desc->n_cgroups = 1;
		return string(r, item, at, &rule_path, &desc->cgroups[0]);
	}
	if (!cJSON_IsArray(item))
		return wrong_type(r, at, "a path, an array of paths or {\"fd\": N}", item);
	n = array_size(r, item, at, CGROUPS_MAX);
	if (n < 0)
		return -1;
	for (const cJSON *child = item->child; child; child = child->next) {
		bad |= string(r, child, ITEM(at, desc->n_cgroups), &rule_path, &desc->cgroups[desc->n_cgroups]);
		desc->n_cgroups++;
	}
	return bad;
}

static int read_profile(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	const char *name = "";

	(void)f;
	if (string(r, item, at, &rule_any, &name) < 0)
		return -1;
	if (strcmp(name, "qemu") != 0 && strcmp(name, "none") != 0)
		return bad_value(r, at, name, "a profile: \"qemu\" or \"none\"");
	*(bool *)ret = name[0] == 'n';
	return 0;
}

static int read_action(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	const char *name = "";
	int action;

	(void)f;
	if (string(r, item, at, &rule_any, &name) < 0)
		return -1;
	action = filter_action_find(name);
	if (action < 0)
		return bad_value(r, at, name, "an action: \"errno\", \"log\", \"kill\" or \"trap\"");
	*(enum filter_action *)ret = (enum filter_action)action;
	return 0;
}

static int read_allow(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	unsigned *groups = ret, i = 0;
	int bad = 0;

	(void)f;
	if (array_size(r, item, at, FILTER_GROUP__COUNT) < 0)
		return -1;
	for (const cJSON *child = item->child; child; child = child->next, i++) {
		const char *name = "";
		int group = -1;

		if (string(r, child, ITEM(at, i), &rule_any, &name) < 0)
			bad = -1;
		else if ((group = filter_group_find(name)) < 0)
			bad |= bad_value(r, ITEM(at, i), name,
					 "a group: \"io_uring\", \"daemonize\", \"runas\", \"chroot\" or \"affinity\"");
		else
			*groups |= FILTER_GROUP_BIT((unsigned)group);
	}
	return bad;
}

static int read_seccomp(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	static const struct field fields[] = {
#define SECCOMP(member) offsetof(struct seccomp_wish, member)
		{ "profile",	read_profile,	SECCOMP(none),		0, 0, false, NULL },
		{ "action",	read_action,	SECCOMP(action),	0, 0, false, NULL },
		{ "allow",	read_allow,	SECCOMP(groups),	0, 0, false, NULL },
		{ "bpf",	read_string,	SECCOMP(bpf),		0, 0, false, &rule_path },
#undef SECCOMP
	};
	struct seccomp_wish *wish = ret;
	uint64_t seen = 0;

	if (!cJSON_IsObject(item))
		return cJSON_IsString(item) ? read_profile(r, f, item, at, &wish->none) :
					      wrong_type(r, at, "a profile's name or an object", item);
	if (read_fields(r, item, fields, ARRAY_LEN(fields), at, wish, &seen) < 0)
		return -1;
	if ((wish->none && seen != 1) || (wish->bpf && seen != 1U << 3))
		return diag_add(r->ds, DIAG_DESC_VALUE, 0, at, NULL, "%s goes with no other key",
				wish->bpf ? "'bpf'" : "the profile \"none\"");
	return 0;
}

static int read_id(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	struct id_wish wish = { .given = true };

	(void)f;
	if (cJSON_IsNumber(item)) {
		/* the last one means "leave it" to setresuid(2) */
		if (number(r, item, at, 0, 0xfffffffe, &wish.id) < 0)
			return -1;
	} else if (!cJSON_IsString(item)) {
		return wrong_type(r, at, "a name or a number", item);
	} else if (string(r, item, at, &rule_any, &wish.name) < 0) {
		return -1;
	}
	*(struct id_wish *)ret = wish;
	return 0;
}

static int read_groups(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	struct desc *desc = ret;
	const int n = array_size(r, item, at, GROUPS_MAX);
	int bad = 0;

	if (n < 0)
		return -1;
	desc->has_groups = true;
	desc->groups = arena_array(r->mem, (size_t)n, sizeof(*desc->groups));
	for (const cJSON *child = item->child; child; child = child->next) {
		bad |= read_id(r, f, child, ITEM(at, desc->n_groups), &desc->groups[desc->n_groups]);
		desc->n_groups++;
	}
	return bad;
}

static int read_landlock(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	enum landlock_wish *wish = ret;

	(void)f;
	if (cJSON_IsBool(item))
		*wish = cJSON_IsTrue(item) ? LANDLOCK_REQUIRED : LANDLOCK_OFF;
	else if (cJSON_IsString(item) && strcmp(item->valuestring, "prefer") == 0)
		*wish = LANDLOCK_PREFERRED;
	else
		return diag_add(r->ds, DIAG_DESC_VALUE, 0, at, NULL, "must be true, false or \"prefer\"");
	return 0;
}

/* --- the descriptor ---------------------------------------------------------------------------- */

static int read_args(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	struct desc *desc = ret;
	const int n = array_size(r, item, at, ARGS_MAX);
	int bad = 0;

	(void)f;
	if (n < 0)
		return -1;
	desc->args = arena_array(r->mem, (size_t)n, sizeof(*desc->args));
	for (const cJSON *child = item->child; child; child = child->next) {
		const struct where *here = ITEM(at, desc->n_args);

		if (!cJSON_IsString(child))
			bad |= wrong_type(r, here, "a string", child);
		else
			desc->args[desc->n_args] = arena_str(r->mem, child->valuestring);
		desc->n_args++;
	}
	return bad;
}

static int read_version(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	unsigned version;

	(void)f;
	(void)ret;
	return number(r, item, at, 1, 1, &version);
}

static int read_stdin(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	const char *from = "";

	(void)f;
	if (string(r, item, at, &rule_any, &from) < 0)
		return -1;
	if (strcmp(from, "null") != 0 && strcmp(from, "tty") != 0)
		return bad_value(r, at, from, "\"null\" or \"tty\"");
	*(enum stdin_from *)ret = from[0] == 'n' ? STDIN_NULL : STDIN_TTY;
	return 0;
}

static int read_vsock(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	/* 0 and 1 are reserved, 2 is the host, the last is "any" (linux/vm_sockets.h) */
	static const struct field fields[] = { { "cid", read_number, 0, 3, 0xfffffffe, true, NULL } };

	(void)f;
	return read_object(r, item, fields, ARRAY_LEN(fields), at, ret);
}

static int read_report(struct reader *r, const struct field *f, const cJSON *item, const struct where *at, void *ret)
{
	static const struct field fields[] = { { "fd", read_number, 0, 0, FD_MAX - 1, true, NULL } };
	struct desc *desc = ret;
	unsigned fd = 0;

	(void)f;
	if (!cJSON_IsObject(item))
		return string(r, item, at, &rule_path, &desc->report_path);
	if (read_object(r, item, fields, ARRAY_LEN(fields), at, &fd) < 0)
		return -1;
	desc->report_fd = (int)fd;
	return 0;
}

static const struct field desc_fields[] = {
#define DESC(member) offsetof(struct desc, member)
	/* key		reader		member			min	max		required arg */
	{ "version",	read_version,	0,			0,	0,		true,	NULL },
	{ "name",	read_string,	DESC(name),		0,	NAME_MAX_LEN,	false,	&rule_any },
	{ "qemu",	read_string,	DESC(qemu),		0,	0,		false,	&rule_path },
	{ "args",	read_args,	0,			0,	0,		false,	NULL },
	{ "vcpus",	read_number,	DESC(vcpus),		1,	VCPUS_MAX,	false,	NULL },
	{ "max_queues",	read_number,	DESC(max_queues),	1,	QUEUES_MAX,	false,	NULL },
	{ "vhost",	read_bool,	DESC(vhost),		0,	0,		false,	NULL },
	{ "nics",	read_nics,	0,			0,	0,		false,	NULL },
	{ "vsock",	read_vsock,	DESC(cid),		0,	0,		false,	NULL },
	{ "cgroup",	read_cgroup,	0,			0,	0,		false,	NULL },
	{ "seccomp",	read_seccomp,	DESC(seccomp),		0,	0,		false,	NULL },
	{ "user",	read_id,	DESC(user),		0,	0,		false,	NULL },
	{ "group",	read_id,	DESC(group),		0,	0,		false,	NULL },
	{ "groups",	read_groups,	0,			0,	0,		false,	NULL },
	{ "landlock",	read_landlock,	DESC(landlock),		0,	0,		false,	NULL },
	{ "runtime_dir", read_string,	DESC(runtime_dir),	0,	0,		false,	&rule_path },
	{ "fd_base",	read_number,	DESC(fd_base),		FD_MIN,	FD_MAX - 1,	false,	NULL },
	{ "stdin",	read_stdin,	DESC(stdin_from),	0,	0,		false,	NULL },
	{ "report",	read_report,	0,			0,	0,		false,	NULL },
#undef DESC
};

/* A format we do not know has keys we do not know: only its version is worth a word. */
static int check_version(struct reader *r, const cJSON *root)
{
	for (const cJSON *child = cJSON_IsObject(root) ? root->child : NULL; child; child = child->next) {
		if (strcmp(child->string, "version") != 0 || !cJSON_IsNumber(child) || child->valuedouble == 1)
			continue;
		(void)diag_add(r->ds, DIAG_DESC_VERSION, 0, KEY(NULL, "version"), NULL,
			       "format version %.17g is not known here", child->valuedouble);
		diag_hint(r->ds, "this program reads version 1");
		return -1;
	}
	return 0;
}

static int read_root(struct reader *r, const cJSON *root, struct desc *ret)
{
	struct desc desc = {
		.vcpus = 1, .max_queues = QUEUES_DEFAULT_MAX, .vhost = true,
		.fd_base = FD_MIN, .report_fd = -1, .cgroup_fd = -1,
	};

	if (!cJSON_IsObject(root))
		return wrong_type(r, NULL, "an object", root);
	if (check_version(r, root) < 0)
		return -1;
	if (read_object(r, root, desc_fields, ARRAY_LEN(desc_fields), NULL, &desc) < 0)
		return -1;
	*ret = desc;
	return 0;
}

static int not_json(const char *text, const char *end, struct diags *ds)
{
	(void)diag_add(ds, DIAG_DESC_SYNTAX, 0, NULL, ds->source.name, "not JSON here");
	diag_place(ds, text, end && end > text ? (size_t)(end - text) : 0);
	return -1;
}

int desc_parse(const char *text, size_t len, struct arena *mem, struct desc *ret, struct diags *ds)
{
	struct reader r = { .mem = mem, .ds = ds };
	const char *end = NULL;
	cJSON *root;
	int bad;

	if (screen_json(text, len, ds) < 0)
		return -1;
	root = cJSON_ParseWithLengthOpts(text, len, &end, 0);
	if (!root)
		return not_json(text, end, ds);
	bad = read_root(&r, root, ret);
	cJSON_Delete(root);
	return bad;
}
