/* calls.h - names of x86-64 system calls, both ways. Tool only. */
#ifndef QH_SECCOMP_CALLS_H
#define QH_SECCOMP_CALLS_H

#define CALLS_MAX		1024	/* numbers we look at; x86-64 has some 470 */
#define CALLS_NAME_MAX		32

struct calls {
	char name[CALLS_MAX][CALLS_NAME_MAX];	/* "" where the number has no name */
};

/* From libseccomp, and from policy.def where the row is younger than libseccomp. */
void calls_load(struct calls *ret);

/* The number, or -1. */
int calls_find(const struct calls *calls, const char *name);

/* How many letters to add, drop or change; long words count as far away. */
unsigned calls_distance(const char *a, const char *b);

/* The known name nearest to this one, or NULL when none is near enough to be meant. */
const char *calls_nearest(const struct calls *calls, const char *name);

#endif
