/* netopts.h - "options" of the modes whose options are a known list. Pure. */
#ifndef QH_DESC_NETOPTS_H
#define QH_DESC_NETOPTS_H

#include "desc/descriptor.h"

enum netopt_kind {
	NETOPT_PATH,		/* absolute */
	NETOPT_SOCKET,		/* the same, and short enough for a socket's address */
	NETOPT_TEXT,
	NETOPT_LINK,
	NETOPT_MAC,
	NETOPT_NUMBER,		/* up to NETOPT_NUMBER_MAX */
	NETOPT_BOOL,
	NETOPT_LIST,		/* one string, or an array of them */
};

/* One option of a mode; a table of them ends in one whose key is NULL. */
struct netopt {
	const char *key;
	enum netopt_kind kind;
	const char *
		word; /* the option of a program that takes the value; NULL: none, or not that simple */
	const char *off, *on; /* of a boolean: the word for each of its values; NULL: the default */
	const char *join;     /* of a list: what stands between its elements in one word */
	bool needed;
	/* More about one value: 0, or -1 after a diag. NULL: nothing. */
	int (*check)(const struct nic *nic, const struct prop *prop, struct diags *ds);
};

/*
 * Check the options of a NIC by its mode's table: known, of the right type, not able to be
 * something else than a value. Nothing to do for a mode without a table. 0, or -1 with problems in
 * ds.
 */
int netopts_check(const struct mode_syntax *syntax, const struct nic *nic, struct diags *ds);
/* The value of an option that is no list; NULL when it was not given. */
const char *netopts_get(const struct nic *nic, const char *key);

#endif
