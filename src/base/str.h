/*
 * str.h - text built in a fixed buffer; what does not fit is counted, and checked once at the end.
 * Pure.
 */
#ifndef QH_BASE_STR_H
#define QH_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct str {
	char *text;		/* NUL-terminated as soon as cap > 0 */
	size_t len;		/* bytes wanted so far, including those that did not fit */
	size_t cap;		/* size of text in bytes, including the NUL; 0 only measures */
};

/* STR_ON(buf): a str that uses the caller's array */
#define STR_ON(buf) ((struct str){ .text = (buf), .cap = sizeof(buf) })

static inline bool str_cut(const struct str *s) { return s->len >= s->cap; }
void str_put(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_bytes(struct str *s, const char *bytes, size_t len);
/*
 * A value in a QEMU option, with commas doubled as QEMU reads them (util/qemu-option.c,
 * get_opt_value).
 */
void str_put_opt(struct str *s, const char *value);
/*
 * The inside of a JSON string. Characters that are not seen as themselves are escaped, bytes that
 * are not UTF-8 are replaced.
 */
void str_put_json(struct str *s, const char *value);
/*
 * One line for people: characters that are not seen as themselves (utf8_hidden()), and bytes that
 * are not UTF-8, become \xNN.
 */
void str_put_line(struct str *s, const char *value);
/* One word for a POSIX shell, quoted only where needed; the same there as in str_put_line(). */
void str_put_shell(struct str *s, const char *value);

/*
 * Render with fn; twice if the text is long, once to measure and once to fill. The text lives in
 * the arena.
 */
typedef void str_render(struct str *s, const void *arg);
const char *str_make(struct arena *mem, str_render *fn, const void *arg);

#endif
