/*
 * table.c - the rows of all modes
 */
#include "config.h"

#include "mode/table.h"

const struct mode_row *mode_row(enum mode mode)
{
	static const struct mode_row *const rows[] = {
#define MODE(id, row, name) &mode_##row,
#include "desc/modes.def"
#undef MODE
	};

	return rows[mode];
}

const struct mode_syntax *mode_syntax(enum mode mode)
{
	return &mode_row(mode)->syntax;
}
