/* caps.h - capability sets of this process */
#ifndef QH_SYS_CAPS_H
#define QH_SYS_CAPS_H

#include <stdbool.h>
#include <stdint.h>

/* Bit n: capability n (linux/capability.h). */
struct caps {
	uint64_t effective, permitted, inheritable;
};

/* 0 or an errno; *ret is empty then. */
int caps_get(struct caps *ret);
/* Set the three sets. 0 or an errno. */
int caps_set(const struct caps *caps);

#endif
