/* mode.c - names of the kinds of descriptors in a plan */
#include "config.h"

#include "mode/mode.h"

const char *slot_kind_name(enum slot_kind kind)
{
	static const char *const names[] = {
#define X(id, name) name,
		SLOT_KINDS(X)
#undef X
	};

	return names[kind];
}
