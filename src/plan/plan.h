/*
 * plan.h - what a launch will do: the only source of argv, the opens, --plan and the report
 *
 * Pure: the same descriptor, facts and command line give the same plan.
 */
#ifndef QH_PLAN_PLAN_H
#define QH_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "desc/cmdline.h"
#include "desc/descriptor.h"
#include "base/diag.h"
#include "facts/facts.h"
#include "mode/mode.h"

/* A capability that QEMU keeps, and the word or key that needs it. */
struct kept_cap {
	unsigned cap;
	const char *why;
};

/* A rule of the box. */
struct box_rule {
	const struct box_spot *spot;
	uint64_t rights;		/* LANDLOCK_ACCESS_FS_* of the kernel */
	const char *why;
};

/* The domain with rules for files; n is 0 if there is none. */
struct box_plan {
	const struct box_rule *rules;
	unsigned n;
	uint64_t handled;		/* rights that only rules give */
	const char *lacks;		/* what this kernel cannot bound of it; NULL: nothing */
};

/* What QEMU will not be able to do. */
struct confine_plan {
	bool filter;			/* a seccomp filter, and one exec */
	unsigned groups; /* FILTER_GROUP_BIT: from the descriptor, and those that words need */
	const char *group_why[FILTER_GROUP__COUNT]; /* the word that needs it; NULL: it is listed */
	bool take_ids;
	bool drop_caps;			/* every other capability is removed from all sets */
	uint64_t caps;			/* CAP_BIT of those kept */
	const struct kept_cap *kept;
	unsigned n_kept;
	bool landlock;
	const char *landlock_why;	/* why it is off although it was preferred */
	struct box_plan box;
	bool terminal;			/* the terminal is protected, with the profile or ... */
	bool terminal_alone;		/* ... by a program of its own, where that is not loaded */
	unsigned filters;		/* programs that this launch loads */
	bool no_new_privs;
};

struct plan {
	const struct desc *desc;
	const struct facts *facts;
	const char *qemu;		/* path */
	struct nic_plan *nics;		/* as many as the descriptor has */
	/*
	 * Of the passt of each NIC, for the report: 0: none, or not known; NULL: none is started
	 * yet.
	 */
	const int *passt_pids;
	struct slot *slots;		/* in the order in which numbers are assigned */
	unsigned n_slots;
	int vsock_fd;			/* -1: no vsock */
	struct confine_plan confine;
	/*
	 * RLIMIT_NOFILE for QEMU. Under a filter it is the soft and hard limit, and the number by
	 * which QEMU is executed; else it is the soft limit, or 0 if the current one is enough
	 */
	unsigned long nofile;
	char **argv;			/* NULL-terminated, what QEMU gets */
	unsigned argc;
};

#endif
