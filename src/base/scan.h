/* scan.h - where a JSON object ends in a text, and where a place in it is. Pure. */
#ifndef QH_BASE_SCAN_H
#define QH_BASE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/where.h"

/* Finds the end of the first object in bytes that arrive piecemeal. Starts as { 0 }. */
struct scan {
	unsigned depth;
	bool in_string, escaped;
	bool done;		/* the closing brace was among the bytes taken */
	bool not_object;	/* something other than white space came before the first brace */
};
/* Take bytes up to the closing brace; returns how many of len were taken. */
size_t scan_feed(struct scan *scan, const char *bytes, size_t len);


/* Line and column, both from 1, of an offset. A column is a character, not a byte. */
void scan_position(const char *text, size_t offset, unsigned *ret_line, unsigned *ret_column);
/* The same for a place in a text that parsed; both stay 0 if it is not in the text. */
void scan_locate(const char *text, const struct where *at, unsigned *ret_line,
		 unsigned *ret_column);

#endif
