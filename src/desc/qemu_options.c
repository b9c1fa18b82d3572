/*
 * qemu_options.c - the table of QEMU's options
 */
#include "config.h"

#include "desc/qemu_options.h"

#include <stddef.h>
#include <string.h>

static const struct qemu_option table[] = {
#define QEMU_OPTION(id, same, name, arity, first, releases, traits) \
	[QEMU_OPTION_##id] = { QEMU_OPTION_##same, name, arity, first, releases, traits },
#include "desc/qemu_options.def"
#undef QEMU_OPTION
};

const struct qemu_option *qemu_option_find(const char *name)
{
	size_t low = 0, high = QEMU_OPTION__COUNT;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const int order = strcmp(name, table[middle].name);

		if (order == 0)
			return &table[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

const struct qemu_option *qemu_option_row(enum qemu_option_id id)
{
	return &table[id];
}
