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

/*
 * How many letters must be changed, added or removed to turn a into b, ignoring case; both are
 * short.
 */
static unsigned distance(const char *a, const char *b)
{
	enum { LONGEST = 32 };
	const size_t n = strlen(b);
	unsigned row[LONGEST + 1];

	if (strlen(a) > LONGEST || n > LONGEST)
		return LONGEST;
	for (unsigned j = 0; j <= n; j++)
		row[j] = j;
	for (unsigned i = 0; a[i]; i++) {
		unsigned diagonal = row[0];

		row[0] = i + 1;
		for (unsigned j = 0; j < n; j++) {
			const unsigned change = diagonal + (fold(a[i]) != fold(b[j]));
			const unsigned leave = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;

			diagonal = row[j + 1];
			row[j + 1] = change < leave ? change : leave;
		}
	}
	return row[n];
}

void nearest_try(struct nearest *nearest, const char *candidate)
{
	enum { TYPING_ERRORS = 3 };
	const unsigned d = distance(nearest->name, candidate);

	/* half of a short name makes it a different name */
	if (d > TYPING_ERRORS || d > strlen(candidate) / 2 ||
	    (nearest->best && d >= nearest->distance))
		return;
	nearest->best = candidate;
	nearest->distance = d;
}
