/*
 * keyval.h - the value of one QEMU option, as keys and typed values until it is rendered. Pure.
 *
 * Option text omits the key of the first pair: "type" of -netdev, "driver" of -device, "backend" of
 * -chardev, "qom-type" of -object.
 */
#ifndef QH_BASE_KEYVAL_H
#define QH_BASE_KEYVAL_H

#include <stdbool.h>

#include "base/mem.h"

/* The type of a value in QEMU's schema: JSON must express it, option text cannot. */
enum keyval_type {
	KEYVAL_TEXT,
	KEYVAL_NUMBER, /* text is decimal digits, with a sign if there is one */
	KEYVAL_SWITCH, /* text is "on" or "off" */
	KEYVAL_STRINGS, /* an element of a list of String (qapi/common.json); the key may repeat */
};

struct keyval {
	const char *key;
	enum keyval_type type;
	const char *text;	/* unescaped */
};

struct keyvals {
	struct arena *mem;
	struct keyval *list;
	unsigned n, room;
	const char
		*verbatim; /* option text that someone else wrote; then there are no pairs */
};

/* Add one pair. Both strings must live as long as the list. */
void keyval_add(struct keyvals *kv, const char *key, enum keyval_type type, const char *text);
void keyval_text(struct keyvals *kv, const char *key, const char *text);
void keyval_number(struct keyvals *kv, const char *key, unsigned long number);
void keyval_switch(struct keyvals *kv, const char *key, bool on);
/* The pair with that key, or NULL. */
const struct keyval *keyval_find(const struct keyvals *kv, const char *key);

/* "tap,id=net0,fds=3:4": a word on QEMU's command line. It lives in the list's arena. */
const char *keyval_option(const struct keyvals *kv);
/*
 * {"type":"tap","id":"net0","fds":"3:4"}: for QMP and for options that take JSON (-device, and
 * -netdev since QEMU 7.2). "a.b" is member b of object a. NULL for verbatim text that is not JSON:
 * the types of its values are unknown.
 */
const char *keyval_json(const struct keyvals *kv);

#endif
