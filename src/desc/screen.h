/* screen.h - what must be known of JSON text before a parser sees it: where it ends, what it hides. Pure. */
#ifndef QH_DESC_SCREEN_H
#define QH_DESC_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/where.h"

/* Finds the end of the first object in bytes that arrive piece by piece. Starts as { 0 }. */
struct scan {
	unsigned depth;
	bool in_string, escaped;
	bool done;		/* the closing brace was among the bytes taken */
	bool not_object;	/* something else than white space came before the first brace */
};
/* Take bytes up to the closing brace; returns how many of len were taken. */
size_t scan_feed(struct scan *scan, const char *bytes, size_t len);

/*
 * Refuse what cJSON 1.7 lets through and this format does not: control characters, also as escapes,
 * bytes that are not UTF-8, numbers that JSON does not know ("01", "1."), nesting over DEPTH_MAX.
 */
int scan_screen(const char *text, size_t len, struct diags *ds);

/* Line and column, both from 1, of an offset. A column is a character, not a byte. */
void scan_position(const char *text, size_t offset, unsigned *ret_line, unsigned *ret_column);
/* The same for a place in text that parsed; both stay 0 when it is not in the text. */
void scan_locate(const char *text, const struct where *at, unsigned *ret_line, unsigned *ret_column);

#endif
