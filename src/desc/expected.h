/* expected.h - what JSON would be right at the place where a text stops being JSON. Pure. */
#ifndef QH_DESC_EXPECTED_H
#define QH_DESC_EXPECTED_H

#include <stddef.h>

#include "base/mem.h"

/*
 * *at: where the parser stopped (cJSON names the last byte if the text ends too early); corrected
 * to the first byte that is wrong. What comes before it is JSON, and screen_json() has passed all
 * of it. The result lives in mem or is a literal.
 */
const char *json_expected(const char *text, size_t len, size_t *at, struct arena *mem);

#endif
