/*
 * called_as.h - by which name the program was started, and what it is by that name
 *
 * Pure. Whoever starts a program chooses argv[0], so a name that nobody knows must not be the one
 * by which nothing is confined: it is an error.
 */
#ifndef QH_DESC_CALLED_AS_H
#define QH_DESC_CALLED_AS_H

#include <stdbool.h>

enum called_as {
	CALLED_OURS,			/* our options, and always a descriptor */
	CALLED_QEMU,			/* every word is QEMU's: a drop-in */
	CALLED_OTHER,
};

/*
 * argv0 may be NULL. ret_name gets the part of it after the last slash, "" if there is none. What
 * begins with our own name is ours, whatever else it matches.
 */
enum called_as called_as(const char *argv0, const char **ret_name);

/*
 * Does one of the patterns fit, which have blanks between them? At one end of a pattern '*' stands
 * for one character or more.
 */
bool called_by(const char *name, const char *patterns);

#endif
