/* screen.h - refuse JSON text that the parser accepts and the format does not. Pure. */
#ifndef QH_DESC_SCREEN_H
#define QH_DESC_SCREEN_H

#include <stddef.h>

#include "base/diag.h"

/*
 * Refuse what cJSON 1.7 accepts and this format does not: control characters, also as escapes;
 * bytes that are not UTF-8; numbers that are not JSON ("01", "1."); nesting deeper than DEPTH_MAX.
 */
int screen_json(const char *text, size_t len, struct diags *ds);

#endif
