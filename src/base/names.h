/* names.h - names that QEMU or the kernel must accept, and names that are nearly right. Pure. */
#ifndef QH_BASE_NAMES_H
#define QH_BASE_NAMES_H

#include <stdbool.h>

/* Would both the kernel and a QEMU option accept this as the name of a link? */
bool ifname_valid(const char *s);
/* QEMU's own rule for ids (util/id.c, id_wellformed), with a maximum length. */
bool id_valid(const char *s);

/*
 * The candidate that a mistyped name most likely means. Starts as { .name = name }. best stays NULL
 * until a candidate is near: at most one letter in three of the shorter of the two is changed,
 * added, removed or swapped with the next one.
 */
struct nearest {
	const char *name, *best;
	unsigned distance;
};
void nearest_try(struct nearest *nearest, const char *candidate);

#endif
