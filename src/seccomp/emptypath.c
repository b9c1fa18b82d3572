/*
 * emptypath.c - an address at which no string but "" can ever be
 *
 * The filter lets execveat(N, path, ..., AT_EMPTY_PATH) through once. It cannot read what `path`
 * points to, and for an absolute path the kernel ignores N: a number that is dead would still be
 * good for execveat(N, "/bin/sh", ..., AT_EMPTY_PATH), which works on every kernel. So the filter
 * also compares the address, and the address is that of the last byte a process can map. A string
 * there is "" or runs out of user memory, and then the kernel answers EFAULT: whoever maps the page
 * later may write anything to it.
 *
 * Which byte is the last depends on the CPU: with five-level page tables a process may map up to
 * 2^56 when it asks, else up to 2^47, in both cases less one page. Nothing is assumed: munmap()
 * says EINVAL, and does nothing, for a page that is not user memory, and faccessat() has the kernel
 * read the string.
 *
 * Does:   map one page, read only, which exec takes away.
 * Never:  reads through the pointer: the page may be somebody else's.
 */
#include "config.h"

#include "seccomp/emptypath.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE	((uintptr_t)4096)	/* x86-64 has no smaller one */

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000	/* 4.17; older kernels take the address as a hint */
#endif

static const unsigned tops[] = { 56, 47 };	/* bits of a user address, five and four levels */

/* Nothing can be mapped at this address, now or later. */
static int beyond_user(uintptr_t at)
{
	return munmap((void *)at, PAGE) != 0 && errno == EINVAL;
}

/* Is the empty string there, as the kernel sees it? */
static int is_empty_string(const char *s)
{
	return faccessat(AT_FDCWD, s, F_OK, 0) != 0 && errno == ENOENT;
}

/* EEXIST is no failure: without address randomisation the stack ends in this page, and in zeros. */
static int map_page(uintptr_t at)
{
	void *p = mmap((void *)at, PAGE, PROT_READ,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (p == MAP_FAILED)
		return errno == EEXIST ? 0 : -1;
	if (p != (void *)at)
		(void)munmap(p, PAGE);
	return 0;
}

const char *emptypath_map(void)
{
	for (size_t i = 0; i < sizeof(tops) / sizeof(tops[0]); i++) {
		const uintptr_t end = ((uintptr_t)1 << tops[i]) - PAGE;
		const char *last = (const char *)(end - 1);

		if (map_page(end - PAGE) != 0)
			continue;
		if (!beyond_user(end)) {
			errno = ENOTSUP;
			return NULL;
		}
		if (is_empty_string(last))
			return last;
		errno = EFAULT;
		return NULL;
	}
	return NULL;
}
