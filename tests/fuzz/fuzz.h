/*
 * fuzz.h - what the fuzz targets share
 *
 * A target is one LLVMFuzzerTestOneInput(). tests/fuzz/run links it with libFuzzer; the build links it with
 * replay.c, which gives it the files of a corpus. A broken promise is an abort(), so both notice.
 */
#ifndef QH_FUZZ_H
#define QH_FUZZ_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise of the program; says which one is broken. */
#define PROMISE(cond) ((cond) ? (void)0 : promise_broken(#cond, __FILE__, __LINE__))
_Noreturn static inline void promise_broken(const char *what, const char *file, int line)
{
	(void)fprintf(stderr, "%s:%d: broken: %s\n", file, line, what);
	abort();
}

/* --- values out of the input; when it is used up, zeros ------------------------------------------------- */

struct bytes {
	const uint8_t *at;
	size_t left;
};

static inline unsigned take8(struct bytes *b)
{
	if (b->left == 0)
		return 0;
	b->left--;
	return *b->at++;
}

static inline unsigned take16(struct bytes *b)
{
	const unsigned high = take8(b);

	return high << 8 | take8(b);
}

static inline uint32_t take32(struct bytes *b)
{
	const uint32_t high = take16(b);

	return high << 16 | take16(b);
}

/* 0 to n - 1 */
static inline unsigned take_below(struct bytes *b, unsigned n)
{
	return n > 256 ? take16(b) % n : take8(b) % n;
}

/* True for about one byte in n, never for a zero: an input that ends early is the usual case. */
static inline bool take_rare(struct bytes *b, unsigned n)
{
	return take8(b) % n == n - 1;
}

/* --- problems -------------------------------------------------------------------------------------------- */

/* One line without control bytes, one JSON object, a name, a status: whatever was in the input. */
void check_diags(const struct diags *ds, struct arena *mem);

#endif
