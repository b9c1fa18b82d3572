/* where.h - a place in the descriptor: a chain on the stack of its reader. Pure. */
#ifndef QH_BASE_WHERE_H
#define QH_BASE_WHERE_H

#include <stdbool.h>

#include "base/mem.h"
#include "base/str.h"

struct where {
	const struct where *up; /* towards the root; NULL: a member of the descriptor itself */
	const char *key;		/* member of an object; NULL: element of an array */
	unsigned index;			/* of the element */
	bool again;			/* the second member of the same name */
	const char *label;		/* its name for people, such as the NIC's id; may be NULL */
};
#define KEY(up_, key_) (&(const struct where){ .up = (up_), .key = (key_) })
#define ITEM(up_, index_) (&(const struct where){ .up = (up_), .index = (index_) })

/* "nics[1].queues" */
void where_put(struct str *s, const struct where *at);
/* The label nearest to the leaf, or NULL. */
const char *where_label(const struct where *at);
/* A copy of the chain that outlives the stack it was made on; NULL stays NULL. */
const struct where *where_keep(struct arena *mem, const struct where *at);

#endif
