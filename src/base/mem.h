/* mem.h - one arena per run: nothing is freed before the end. Pure. */
#ifndef QH_BASE_MEM_H
#define QH_BASE_MEM_H

#include <setjmp.h>
#include <stddef.h>

struct chunk;

struct arena {
	struct chunk *chunks;
	jmp_buf *oom;		/* where to jump if memory runs out; set by the owner, not NULL */
};

/*
 * Zeroed memory, aligned for any type, owned by the arena. Does not return if there is none left.
 */
void *arena_get(struct arena *mem, size_t size)
	__attribute__((malloc, alloc_size(2), returns_nonnull));
/* n elements of `size` bytes; the product is checked. */
void *arena_array(struct arena *mem, size_t n, size_t size)
	__attribute__((malloc, alloc_size(2, 3), returns_nonnull));
/* A copy of len bytes, followed by a NUL. */
char *arena_strn(struct arena *mem, const char *s, size_t len) __attribute__((returns_nonnull));
char *arena_str(struct arena *mem, const char *s) __attribute__((returns_nonnull));
char *arena_printf(struct arena *mem, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));
/* Free everything: for unit tests and fuzz targets. The program leaves it to process exit. */
void arena_free(struct arena *mem);

#endif
