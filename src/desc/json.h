/* json.h - a JSON text as a tree of cJSON. Pure. */
#ifndef QH_DESC_JSON_H
#define QH_DESC_JSON_H

#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/mem.h"

/*
 * The first JSON value of the text, for cJSON_Delete(); NULL: there is none, *ret_end (may be NULL)
 * is where that was seen. Without memory it does not come back: it goes where the arena's does.
 */
cJSON *json_parse(struct arena *mem, const char *text, size_t len, const char **ret_end);

#endif
