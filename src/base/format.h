/* format.h - text from a format, quickly for what nearly every text is made of. Pure. */
#ifndef QH_BASE_FORMAT_H
#define QH_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/*
 * As vsnprintf(): up to cap bytes of to, NUL-terminated if cap > 0; the result is the length of the
 * whole text. %s, %u, %lu, %d and %02x are done here, and from any other conversion on vsnprintf()
 * does
 * the rest: it costs about 700 instructions a call, and a launch of 4 NICs makes some 300 pieces.
 */
size_t format_text(char *to, size_t cap, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));

#endif
