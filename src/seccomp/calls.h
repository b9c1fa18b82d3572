/*
 * calls.h - names of x86-64 system calls, both ways, and the widths of their arguments
 *
 * Part of qemu-handoff-seccomp only. Nothing here fails or prints; names stay in struct calls.
 */
#ifndef QH_SECCOMP_CALLS_H
#define QH_SECCOMP_CALLS_H

#define CALLS_MAX		1024	/* numbers looked at; x86-64 has about 470 */
#define CALLS_NAME_SIZE		32

struct calls {
	char name[CALLS_MAX][CALLS_NAME_SIZE];	/* "" if the number has no name */
	const char *widths[CALLS_MAX];		/* as in calls.def; NULL if not known */
};

/* From calls.def; libseccomp names those that are younger. */
void calls_load(struct calls *ret);

/* The number of a call, or -1. */
int calls_find(const struct calls *calls, const char *name);

/* How many arguments a call has, or -1 if that is not known. */
int calls_arguments(const struct calls *calls, int nr);

/* How many bits of an argument (from 0) the kernel uses: 16, 32 or 64; 0 if that is not known. */
unsigned calls_width(const struct calls *calls, int nr, unsigned argument);

/* The name that a mistyped one most likely means, or NULL. */
const char *calls_nearest(const struct calls *calls, const char *name);

#endif
