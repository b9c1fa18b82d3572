/* table.h - the rows of all modes. Pure. */
#ifndef QH_MODE_TABLE_H
#define QH_MODE_TABLE_H

#include "mode/mode.h"

const struct mode_row *mode_row(enum mode mode);
/* The part of the row that desc_parse() needs. */
const struct mode_syntax *mode_syntax(enum mode mode);

#endif
