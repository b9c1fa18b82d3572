/* netopts.h - "options" of the modes that have a fixed list of options. Pure. */
#ifndef QH_DESC_NETOPTS_H
#define QH_DESC_NETOPTS_H

#include "desc/descriptor.h"

enum netopt_kind {
	NETOPT_PATH,		/* absolute */
	NETOPT_SOCKET,		/* the same, and short enough for the address of a socket */
	NETOPT_TEXT,
	NETOPT_LINK,
	NETOPT_MAC,
	NETOPT_NUMBER,		/* up to NETOPT_NUMBER_MAX */
	NETOPT_BOOL,
	NETOPT_LIST,		/* one string, or an array of them */
};

/* One option of a mode; a table of them ends with a NULL key. */
struct netopt {
	const char *key;
	enum netopt_kind kind;
	const char *
		word; /* the program's option for the value; NULL: none, or not that simple */
	const char *off, *on; /* of a boolean: the word for each value; NULL: the default */
	const char *join;     /* of a list: the separator between its elements in one word */
	bool needed;
	/* A further check of one value: 0, or -1 after a diag. NULL: none. */
	int (*check)(const struct nic *nic, const struct prop *prop, struct diags *ds);
};

/*
 * Check the options of a NIC against the table of its mode: each must be known, have the right
 * type, and be impossible to mistake for anything but a value. A mode without a table needs no
 * check. 0, or -1 with problems in ds.
 */
int netopts_check(const struct mode_syntax *syntax, const struct nic *nic, struct diags *ds);
/* The value of an option that is not a list; NULL if it was not given. */
const char *netopts_get(const struct nic *nic, const char *key);

#endif
