/* nics.c - "nics": the keys of a NIC, and which mode has which keys */
#include "config.h"

#include "desc/nics.h"

#include <assert.h>
#include <string.h>

#include "base/names.h"
#include "desc/netopts.h"

/* --- properties ------------------------------------------------------------------------------- */

static const char *prop_value(struct reader *r, const cJSON *item, const struct where *at)
{
	static const double exact = 9007199254740992.0;		/* 2^53 */

	if (cJSON_IsString(item))
		return arena_str(r->mem, item->valuestring);
	if (cJSON_IsBool(item))
		return cJSON_IsTrue(item) ? "on" : "off";
	if (!cJSON_IsNumber(item)) {
		(void)read_type_error(r, at, "a string, a number or a boolean", item);
		return NULL;
	}
	if (!(item->valuedouble > -exact && item->valuedouble < exact) ||
	    item->valuedouble != (double)(int64_t)item->valuedouble) {
		(void)diag_add(r->ds, DIAG_DESC_RANGE, 0, at, NULL,
			       "must be a whole number below 2^53");
		return NULL;
	}
	return arena_printf(r->mem, "%lld", (long long)item->valuedouble);
}

static int prop_add(struct reader *r, struct props *props, const char *key, const cJSON *item,
		    const struct where *at, bool listed)
{
	const char *value = prop_value(r, item, at);

	if (!value)
		return -1;
	props->list[props->n++] = (struct prop){
		.key = key,
		.value = value,
		.listed = listed,
		.at = where_keep(r->mem, at),
		.type = cJSON_IsString(item) ? PROP_STRING
			: cJSON_IsBool(item) ? PROP_BOOL
					     : PROP_NUMBER,
	};
	return 0;
}

/* One member of a property object; an array repeats the key, if the format allows arrays. */
static int prop_read(struct reader *r, struct props *props, const cJSON *item,
		     const struct where *at, bool arrays)
{
	const char *key = arena_str(r->mem, item->string);
	unsigned i = 0;
	int ret = 0;

	if (!read_is_qemu_word(key))
		return diag_add(r->ds, DIAG_DESC_VALUE, 0, at, NULL,
				"not the name of a QEMU property");
	for (const cJSON *other = item->prev; other->next && other != item; other = other->prev)
		if (strcmp(other->string, key) == 0)
			return read_given_twice(r, at);
	if (!arrays || !cJSON_IsArray(item))
		return prop_add(r, props, key, item, at, false);
	for (const cJSON *child = item->child; child; child = child->next)
		ret |= prop_add(r, props, key, child, ITEM(at, i++), true);
	return ret;
}

/*
 * How many properties an object has, counting the elements of its arrays; PROPS_MAX + 1 means too
 * many.
 */
static unsigned count_props(const cJSON *object)
{
	unsigned n = 0;

	for (const cJSON *item = object->child; item && n <= PROPS_MAX; item = item->next) {
		n++;
		for (const cJSON *child = cJSON_IsArray(item) ? item->child : NULL;
		     child && n <= PROPS_MAX; child = child->next)
			n += child != item->child;
	}
	return n;
}

/*
 * Each key is compared with all earlier ones, so an object with too many keys is not read at all.
 */
static int read_props(struct reader *r, const cJSON *item, const struct where *at, bool arrays,
		      struct props *ret)
{
	unsigned n;
	int bad = 0;

	if (!cJSON_IsObject(item))
		return read_type_error(r, at, "an object", item);
	n = count_props(item);
	if (n > PROPS_MAX)
		return diag_add(r->ds, DIAG_DESC_RANGE, 0, at, NULL, "has more than %d properties",
				PROPS_MAX);
	ret->list = arena_array(r->mem, n, sizeof(*ret->list));
	for (const cJSON *child = item->child; child; child = child->next)
		bad |= prop_read(r, ret, child, KEY(at, child->string), arrays);
	return bad;
}

static int read_options(struct reader *r, const struct field *f, const cJSON *item,
			const struct where *at, void *ret)
{
	struct props *props = ret;
	int bad = read_props(r, item, at, true, props);

	(void)f;
	for (const cJSON *child = cJSON_IsObject(item) ? item->child : NULL; child;
	     child = child->next)
		if (strcmp(child->string, "id") == 0 || strcmp(child->string, "type") == 0)
			bad |= diag_add(r->ds, DIAG_DEVICE_CONFLICT, 0, KEY(at, child->string),
					NULL, "is set by the NIC's own keys");
	return bad;
}

int device_props_read(struct reader *r, const cJSON *item, const struct where *at,
		      struct props *ret, const char **ret_driver)
{
	struct props all = { 0 };
	int bad = read_props(r, item, at, false, &all);

	ret->list = arena_array(r->mem, all.n, sizeof(*ret->list));
	for (unsigned i = 0; i < all.n; i++)
		if (strcmp(all.list[i].key, "driver") != 0)
			ret->list[ret->n++] = all.list[i];
	/*
	 * checking only its text would accept a boolean or a number: true has already become "on"
	 */
	for (const cJSON *child = bad == 0 ? item->child : NULL; child; child = child->next)
		if (strcmp(child->string, "driver") == 0)
			bad |= read_text(r, child, KEY(at, "driver"), &rule_driver, ret_driver);
	return bad;
}

/* "device": an object of properties, "driver" among them, or false. */
static int read_device(struct reader *r, const struct field *f, const cJSON *item,
		       const struct where *at, void *ret)
{
	struct nic *nic = (struct nic *)((char *)ret - offsetof(struct nic, at));
	const char *driver = NULL;
	int bad;

	(void)f;
	if (cJSON_IsFalse(item)) {
		nic->has_device = false;
		return 0;
	}
	if (!cJSON_IsObject(item))
		return read_type_error(r, at, "an object, or false", item);
	bad = device_props_read(r, item, at, &nic->device, &driver);
	if (driver) {
		nic->driver = driver;
		nic->has_driver = true;
	}
	return bad;
}

/* --- NICs ------------------------------------------------------------------------------------- */

const char *mode_name(enum mode mode)
{
	static const char *const names[] = {
#define MODE(id, row, name) name,
#include "desc/modes.def"
#undef MODE
	};

	return names[mode];
}

static int read_mode(struct reader *r, const struct field *f, const cJSON *item,
		     const struct where *at, void *ret)
{
#define MODE(id, row, name) ", " name
	static const char list[] =
#include "desc/modes.def"
		;
#undef MODE
	const char *name = "";

	(void)f;
	if (read_text(r, item, at, &rule_any, &name) < 0)
		return -1;
	for (unsigned i = 0; i < MODE__COUNT; i++) {
		if (strcmp(name, mode_name(i)) == 0) {
			*(enum mode *)ret = i;
			return 0;
		}
	}
	return read_value_error(r, at, name,
				arena_printf(r->mem, "a mode: %s", list + strlen(", ")));
}

static int read_pins(struct reader *r, const struct field *f, const cJSON *item,
		     const struct where *at, void *ret)
{
	const int n = read_array_size(r, item, at, QUEUES_MAX);
	struct pins pins = { 0 };
	unsigned i = 0, number_read = 0;
	int bad = 0;

	(void)f;
	if (n < 0)
		return -1;
	if (n == 0)
		return diag_add(r->ds, DIAG_DESC_RANGE, 0, at, NULL, "the array must not be empty");
	pins.list = arena_array(r->mem, (size_t)n, sizeof(*pins.list));
	for (const cJSON *child = item->child; child; child = child->next, i++) {
		bad |= read_whole(r, child, ITEM(at, i), FD_MIN, FD_MAX - 1, &number_read);
		pins.list[pins.n++] = (int)number_read;
	}
	if (bad == 0)
		*(struct pins *)ret = pins;
	return bad;
}

static const struct field expect_fields[] = {
	/*
	 * key             reader          member                                  min     max
	 * required arg
	 */
	{ "master", read_string, offsetof(struct expect, master), 0, 0, false, &rule_ifname },
	{ "lower", read_string, offsetof(struct expect, lower), 0, 0, false, &rule_ifname },
	{ "up", read_choice, offsetof(struct expect, up), 0, 0, false, NULL },
	{ "mtu", read_number, offsetof(struct expect, mtu), 1, 0x7fffffff, false, NULL },
	{ "mac", read_mac, offsetof(struct expect, mac),
	  offsetof(struct expect, mac) - offsetof(struct expect, has_mac), 0, false, NULL },
	{ "owner", read_number, offsetof(struct expect, owner), 0, 0xfffffffe, false, NULL },
};

static int read_expect(struct reader *r, const struct field *f, const cJSON *item,
		       const struct where *at, void *ret)
{
	struct expect *expect = ret;

	(void)f;
	if (read_object(r, item, expect_fields, ARRAY_LEN(expect_fields), at, expect) < 0)
		return -1;
	if (!item->child)
		return diag_add(r->ds, DIAG_DESC_VALUE, 0, at, NULL,
				"must not be empty: name at least one fact, or leave out the key");
	expect->any = item->child != NULL;
	for (const cJSON *child = item->child; child; child = child->next)
		expect->has_owner |= strcmp(child->string, "owner") == 0;
	return 0;
}

static const char default_driver[] = "virtio-net-pci";

static const struct field nic_fields[] = {
#define MAC_FLAG offsetof(struct nic, mac) - offsetof(struct nic, has_mac)
#define NIC_KEY(id, key, reader, member, min, max, arg) \
	{ key, reader, offsetof(struct nic, member), min, max, NIC_KEY_##id == NIC_KEY_MODE, arg },
#include "desc/nic_keys.def"
#undef NIC_KEY
#undef MAC_FLAG
};

const char *nic_key_name(unsigned i)
{
	return i < ARRAY_LEN(nic_fields) ? nic_fields[i].key : NULL;
}

const char *expect_key_name(unsigned i)
{
	return i < ARRAY_LEN(expect_fields) ? expect_fields[i].key : NULL;
}

/* "'ifname' or 'ifindex' is missing" */
static int key_missing(struct reader *r, uint32_t keys, const struct where *at)
{
	const char *list = "";

	for (unsigned i = 0; i < NIC_KEY__COUNT; i++)
		if (keys & UINT32_C(1) << i)
			list = arena_printf(r->mem, "%s%s'%s'", list, list[0] ? " or " : "",
					    nic_fields[i].key);
	return diag_add(r->ds, DIAG_DESC_MISSING_KEY, 0, at, NULL, "%s is missing", list);
}

/* "netdev" is the netdev itself in a mode that takes it verbatim; in all others it is "argv". */
static int take_netdev_key(struct reader *r, struct nic *nic, const struct where *at)
{
	if (r->syntax_of(nic->mode)->verbatim || !nic->netdev)
		return 0;
	if (strcmp(nic->netdev, "argv") != 0)
		return diag_add(r->ds, DIAG_DESC_VALUE, 0, KEY(at, "netdev"), NULL,
				"must be \"argv\" in mode '%s'", mode_name(nic->mode));
	nic->netdev = NULL;
	nic->in_argv = true;
	if (nic->device.n == 0 && strcmp(nic->driver, default_driver) == 0)
		return 0;
	return diag_add(r->ds, DIAG_DESC_KEY_NOT_HERE, 0, KEY(at, "device"), NULL,
			"argv has the device, so its properties belong there");
}

static int check_nic(struct reader *r, struct nic *nic, uint64_t seen, const struct where *at)
{
	const struct mode_syntax *syntax = r->syntax_of(nic->mode);
	const uint64_t foreign = seen & ~(uint64_t)(NIC_KEYS_COMMON | syntax->keys);
	int ret = 0;

	for (unsigned i = 0; i < NIC_KEY__COUNT; i++)
		if (foreign & UINT64_C(1) << i)
			ret |= diag_add(r->ds, DIAG_DESC_KEY_NOT_HERE, 0,
					KEY(at, nic_fields[i].key), NULL,
					"mode '%s' does not have this key", mode_name(nic->mode));
	if (syntax->needs != 0 && !(seen & syntax->needs))
		ret |= key_missing(r, syntax->needs, at);
	return ret | take_netdev_key(r, nic, at) | netopts_check(syntax, nic, r->ds);
}

/* The id that a NIC will have, before it is validated: it names the NIC in messages. */
static const char *peek_id(struct reader *r, const cJSON *item, unsigned index)
{
	for (const cJSON *child = cJSON_IsObject(item) ? item->child : NULL; child;
	     child = child->next)
		if (strcmp(child->string, "id") == 0 && cJSON_IsString(child) &&
		    id_valid(child->valuestring))
			return arena_str(r->mem, child->valuestring);
	return arena_printf(r->mem, "net%u", index);
}

static int read_nic(struct reader *r, const cJSON *item, struct where *at, struct nic *nic)
{
	uint64_t seen;

	*nic = (struct nic){ .handoff = true, .has_device = true, .driver = default_driver,
			     .id = peek_id(r, item, at->index) };
	at->label = nic->id;
	nic->at = where_keep(r->mem, at);
	if (!cJSON_IsObject(item))
		return read_type_error(r, at, "an object", item);
	if (read_fields(r, item, nic_fields, ARRAY_LEN(nic_fields), at, nic, &seen) < 0)
		return -1;
	return check_nic(r, nic, seen, at);
}

static int check_ids(struct reader *r, const struct desc *desc)
{
	int ret = 0;

	for (unsigned i = 0; i < desc->n_nics; i++)
		for (unsigned j = 0; j < i; j++)
			if (strcmp(desc->nics[i].id, desc->nics[j].id) == 0)
				ret |= diag_add(r->ds, DIAG_DUPLICATE_ID, 0,
						KEY(desc->nics[i].at, "id"), NULL,
						"nics[%u] also has the id '%s'", j,
						desc->nics[i].id);
	return ret;
}

int read_nics(struct reader *r, const struct field *f, const cJSON *item, const struct where *at,
	      void *ret)
{
	struct desc *desc = ret;
	int n, bad = 0;

	(void)f;
	if (cJSON_IsString(item) && strcmp(item->valuestring, "argv") == 0) {
		desc->adopt = true;
		return 0;
	}
	if (!cJSON_IsArray(item))
		return read_type_error(r, at, "an array, or \"argv\"", item);
	n = read_array_size(r, item, at, NICS_MAX);
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
