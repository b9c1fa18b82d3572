/*
 * mem.c - one arena per run
 *
 * A launch decides everything and then executes QEMU or ends, so all lifetimes are the same.
 * Running out of memory is handled in one place, in main: arena_get() jumps there, so no caller
 * checks.
 */
#include "config.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"

/*
 * For this size malloc() takes fresh pages, which the kernel has zeroed, so calloc() does not clear
 * them again.
 */
enum { CHUNK_SIZE = 160 * 1024, ALIGN = _Alignof(max_align_t) };

struct chunk {
	struct chunk *next;
	size_t used, size;
	_Alignas(max_align_t) char data[];
};

static struct chunk *chunk_add(struct arena *mem, size_t size)
{
	const size_t room = size > CHUNK_SIZE ? size : CHUNK_SIZE;
	struct chunk *c = room > SIZE_MAX - sizeof(*c) ? NULL : calloc(1, sizeof(*c) + room);

	if (!c)
		longjmp(*mem->oom, 1);
	c->size = room;
	c->next = mem->chunks;
	mem->chunks = c;
	return c;
}

void *arena_get(struct arena *mem, size_t size)
{
	struct chunk *c = mem->chunks;
	char *ret;

	if (size > SIZE_MAX - ALIGN)
		longjmp(*mem->oom, 1);
	size = (size + ALIGN - 1) / ALIGN * ALIGN;
	if (!c || c->size - c->used < size)
		c = chunk_add(mem, size);
	ret = c->data + c->used;
	c->used += size;
	return ret;
}

void *arena_array(struct arena *mem, size_t n, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(n, size, &all))
		longjmp(*mem->oom, 1);
	return arena_get(mem, all);
}

char *arena_strn(struct arena *mem, const char *s, size_t len)
{
	char *ret = arena_get(mem, len + 1);

	memcpy(ret, s, len);
	return ret;
}

char *arena_str(struct arena *mem, const char *s)
{
	return arena_strn(mem, s, strlen(s));
}

char *arena_printf(struct arena *mem, const char *fmt, ...)
{
	char first[256], *ret;
	va_list ap;
	size_t len;

	va_start(ap, fmt);
	len = format_text(first, sizeof(first), fmt, ap);
	va_end(ap);
	if (len < sizeof(first))
		return arena_strn(mem, first, len);
	ret = arena_get(mem, len + 1);
	va_start(ap, fmt);
	(void)format_text(ret, len + 1, fmt, ap);
	va_end(ap);
	return ret;
}

void arena_free(struct arena *mem)
{
	struct chunk *next;

	for (struct chunk *c = mem->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	mem->chunks = NULL;
}
