/*
 * where.c - a place in the descriptor
 */
#include "config.h"

#include "base/where.h"

#include <stddef.h>

void where_put(struct str *s, const struct where *at)
{
	if (at->up)
		where_put(s, at->up);
	if (at->key)
		str_put(s, "%s%s", at->up ? "." : "", at->key);
	else
		str_put(s, "[%u]", at->index);
}

const char *where_label(const struct where *at)
{
	while (at && !at->label)
		at = at->up;
	return at ? at->label : NULL;
}

const struct where *where_keep(struct arena *mem, const struct where *at)
{
	struct where *copy;

	if (!at)
		return NULL;
	copy = arena_get(mem, sizeof(*copy));
	*copy = *at;
	copy->up = where_keep(mem, at->up);
	copy->key = at->key ? arena_str(mem, at->key) : NULL;
	copy->label = at->label ? arena_str(mem, at->label) : NULL;
	return copy;
}
