/* input.h - read the text of the descriptor, and not one byte more */
#ifndef QH_LOOK_INPUT_H
#define QH_LOOK_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/mem.h"
#include "desc/options.h"

/*
 * Not of INPUT_DIR.
 * *ret_text is NUL-terminated and lives in mem; ds->source is set to it. From a pipe, a socket or a
 * file, exactly one object and one newline after it are consumed: a pipe is examined with tee(2), a
 * socket with MSG_PEEK, a file with pread(2). 0, or -1 after a diag.
 */
int input_read(const struct input *input, struct arena *mem, const char **ret_text, size_t *ret_len,
	       struct diags *ds);
/* Does reading leave the text where it is, for another to read? Not so with a stream or a pipe. */
bool input_stays(const struct input *input);

#endif
