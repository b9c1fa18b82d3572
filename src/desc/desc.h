/* desc.h - read and check the launch descriptor by itself, without knowledge of the host. Pure. */
#ifndef QH_DESC_DESC_H
#define QH_DESC_DESC_H

#include "desc/descriptor.h"

/*
 * Read text (NUL-terminated, len bytes, ds->source set to it). syntax_of: the keys of each mode.
 * *ret is written only on success; all of it lives in mem. Continues after a problem, so that all
 * problems are listed. 0, or -1 with problems in ds.
 */
int desc_parse(const char *text, size_t len, mode_syntax_fn *syntax_of, struct arena *mem,
	       struct desc *ret, struct diags *ds);

/* The name of key i of the descriptor itself; NULL after the last one. */
const char *desc_key_name(unsigned i);

#endif
