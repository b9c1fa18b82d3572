/* choose.h - find a guest's descriptor in a directory */
#ifndef QH_LOOK_CHOOSE_H
#define QH_LOOK_CHOOSE_H

#include <stdbool.h>

#include "base/diag.h"
#include "desc/choose.h"

/* A guest's file. The caller closes fd. */
struct chosen {
	int fd;           /* for reading, close-on-exec */
	const char *path; /* for messages and the plan */
	bool is_default;
};

/* Is the administrator's directory there? One call; yes also where that cannot be known. */
bool choose_holds(void);
/*
 * The first of the files that is there. The directory and the file must be root's or the caller's
 * and writable by nobody else. So must each step of the way, or be sticky. No symbolic link is
 * followed, but from one file of the directory to another. 0, or -1 after a diag.
 */
int choose_open(const char *dir, const struct guest_files *files, struct arena *mem,
		struct chosen *ret, struct diags *ds);
/* Only the directory: 0, or -1 after a diag. */
int choose_check(const char *dir, struct arena *mem, struct diags *ds);

#endif
