/*
 * desc.h - the launch descriptor, read and checked on its own; nothing of the host is known yet.
 * Pure.
 */
#ifndef QH_DESC_DESC_H
#define QH_DESC_DESC_H

#include "desc/descriptor.h"

/*
 * syntax_of: what each mode may say. Read text (NUL-terminated, len bytes, ds->source set to it).
 * *ret is written only on success; all of it lives in mem. Goes on after a problem, so that all are
 * listed. 0, or -1 with problems in ds.
 */
int desc_parse(const char *text, size_t len, mode_syntax_fn *syntax_of, struct arena *mem,
	       struct desc *ret, struct diags *ds);

/* The name of key i of the descriptor itself; NULL after the last. */
const char *desc_key_name(unsigned i);

#endif
