/*
 * read.h - functions that read JSON by tables of fields. Pure.
 *
 * Each object of the format is a table; each field has a key, a reader and the member that it
 * fills. The walker finds unknown, repeated and missing keys for all objects. cJSON_GetObjectItem()
 * is never called: it ignores case, and takes the first of two.
 *
 * Readers return 0, or -1 after a diag, and write *ret only on success.
 */
#ifndef QH_DESC_READ_H
#define QH_DESC_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/diag.h"
#include "base/mem.h"
#include "base/where.h"
#include "desc/descriptor.h"

struct reader {
	mode_syntax_fn *syntax_of;
	struct arena *mem;
	struct diags *ds;
};

struct field;
typedef int read_fn(struct reader *r, const struct field *f, const cJSON *item,
		    const struct where *at, void *ret);

struct field {
	const char *key;
	read_fn *read;
	size_t offset;			/* of the member that the reader fills */
	unsigned min, max;		/* of a number; of the length of a string */
	bool required;
	const void *arg;		/* what else the reader needs */
};

/* A rule for strings: its test, and what a string is that passes it. */
struct rule {
	bool (*valid)(const char *s);
	const char *what;
};
extern const struct rule rule_id, rule_ifname, rule_driver, rule_path, rule_any;

/* "must be WANT, not a number". Returns -1. */
int read_type_error(struct reader *r, const struct where *at, const char *want, const cJSON *item);
/* "'VALUE' is not RULE", or "must not be empty". Returns -1. */
int read_value_error(struct reader *r, const struct where *at, const char *value, const char *rule);
/* A second member of the same name. Returns -1. */
int read_given_twice(struct reader *r, const struct where *at);

/* A whole number from min to max. */
int read_whole(struct reader *r, const cJSON *item, const struct where *at, unsigned min,
	       unsigned max, unsigned *ret);
/* A string that follows the rule; the copy lives in the arena. */
int read_text(struct reader *r, const cJSON *item, const struct where *at, const struct rule *rule,
	      const char **ret);
/* The number of elements of an array, or -1 after a diag. */
int read_array_size(struct reader *r, const cJSON *item, const struct where *at, unsigned max);
/*
 * Could QEMU accept it as the name of a driver or a property? Not "help": QEMU answers with a list
 * and status 0, and starts no guest.
 */
bool read_is_qemu_word(const char *s);

/* Fill base from item by the table. Bit i of *ret_seen is set if field i was present. */
int read_fields(struct reader *r, const cJSON *item, const struct field *fields, unsigned n,
		const struct where *at, void *base, uint64_t *ret_seen);
/* The same, for a value that must first be an object. */
int read_object(struct reader *r, const cJSON *item, const struct field *fields, unsigned n,
		const struct where *at, void *base);

/*
 * Readers for tables. min and max of the field bound a number; max bounds the length of a string,
 * and arg is its rule.
 */
read_fn read_number, read_bool, read_choice, read_string;
/* A unicast Ethernet address; its flag (bool) is min bytes before the member. */
read_fn read_mac;

#endif
