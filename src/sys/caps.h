/* caps.h - capability sets of this process, and of a file */
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
/* Drop these from the bounding set; CAP_SETPCAP is needed. 0 or an errno. */
int caps_drop_bounding(uint64_t goes);
/* Empty the ambient set; a kernel that has none (before 4.3) is no error. 0 or an errno. */
int caps_clear_ambient(void);

/*
 * What a program's file gives whoever executes it, in this user namespace. 0 or an errno; *ret is
 * empty then, and where it gives nothing. .effective: of the permitted ones, all or none.
 */
int caps_of_file(const char *path, struct caps *ret);

#endif
