/* names.c - names that QEMU or the kernel must accept, and names that are nearly right */
#include "config.h"

#include "base/names.h"

#include <string.h>

#include "base/bounds.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

bool id_valid(const char *s)
{
	const size_t len = strlen(s);

	return len > 0 && len <= ID_MAX && strchr(LETTERS, s[0]) &&
	       s[strspn(s, LETTERS "0123456789-._")] == '\0';
}

/*
 * The kernel accepts 1 to 15 bytes without '/', ':' or white space, except "." and ".."
 * (net/core/dev.c, dev_valid_name), and fills in '%d'. The rest is our own rule: no character that
 * means something in QEMU's options or on a command line.
 */
bool ifname_valid(const char *s)
{
	const size_t len = strlen(s);

	if (len == 0 || len > 15 || s[0] == '-' || strcmp(s, ".") == 0 || strcmp(s, "..") == 0)
		return false;
	for (size_t i = 0; i < len; i++)
		if (s[i] <= 0x20 || s[i] >= 0x7f || strchr("/:,=%", s[i]))
			return false;
	return true;
}

static char fold(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * How many letters must be changed, added, removed or swapped with the next one to turn a into b,
 * ignoring case (the optimal string alignment distance); both are short.
 */
static unsigned distance(const char *a, const char *b)
{
	enum { LONGEST = 32 };
	const size_t n = strlen(b);
	unsigned rows[3][LONGEST + 1], *above = rows[0], *row = rows[1], *before = rows[2], *swap;

	if (strlen(a) > LONGEST || n > LONGEST)
		return LONGEST;
	for (unsigned j = 0; j <= n; j++)
		row[j] = j;
	for (unsigned i = 0; a[i]; i++) {
		swap = before;
		before = above;
		above = row;
		row = swap;
		row[0] = i + 1;
		for (unsigned j = 0; j < n; j++) {
			const bool same = fold(a[i]) == fold(b[j]);

			row[j + 1] = least(above[j] + !same, least(above[j + 1], row[j]) + 1);
			if (i > 0 && j > 0 && fold(a[i]) == fold(b[j - 1]) &&
			    fold(a[i - 1]) == fold(b[j]))
				row[j + 1] = least(row[j + 1], before[j - 1] + 1);
		}
	}
	return row[n];
}

void nearest_try(struct nearest *nearest, const char *candidate)
{
	enum { LETTERS_PER_ERROR = 3 };
	const unsigned d = distance(nearest->name, candidate);
	const size_t a = strlen(nearest->name), b = strlen(candidate);

	/* where a third of the letters differ, it is a different word */
	if (d > (a < b ? a : b) / LETTERS_PER_ERROR || (nearest->best && d >= nearest->distance))
		return;
	nearest->best = candidate;
	nearest->distance = d;
}
