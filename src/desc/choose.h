/*
 * choose.h - where a drop-in's descriptor is, and which file of a directory is a guest's. Pure.
 *
 * Whoever writes QEMU's words chooses by them: the name and the UUID of the guest, and "-handoff".
 */
#ifndef QH_DESC_CHOOSE_H
#define QH_DESC_CHOOSE_H

#include <stdbool.h>

#include "desc/descriptor.h"
#include "desc/options.h"

/* The files of a directory that a guest may have, the first that is there counts. */
struct guest_files {
	const char *names[3]; /* NAME.json, UUID.json, default.json: those that the words give */
	unsigned n;           /* the last one is choose_default */
};
/* The file of guests that have none of their own. */
extern const char choose_default[];

/*
 * "-handoff SOURCE" is taken out of *cmdline: *ret is its value, NULL without it. A value of
 * another option is none. 0, or -1 after a diag.
 */
int choose_take_word(struct cmdline *cmdline, struct arena *mem, const char **ret,
		     struct diags *ds);
/* Under our own name there is --descriptor: 0, or -1 after a diag when "-handoff" is there too. */
int choose_no_word(const struct cmdline *cmdline, struct arena *mem, struct diags *ds);
/*
 * The source of a drop-in. holds: the administrator's directory is there. variable, word: what
 * QEMU_HANDOFF_DESCRIPTOR and "-handoff" say; NULL: nothing. One of the three is given. 0, or -1
 * after a diag.
 */
int choose_source(bool holds, const char *variable, const char *word, struct input *ret,
		  struct diags *ds);
/* By -name and -uuid of QEMU's words, as QEMU reads them. 0, or -1 after a diag. */
int choose_files(const struct cmdline *cmdline, struct arena *mem, struct guest_files *ret,
		 struct diags *ds);
/*
 * default.json is of many guests, and of a manager's probes: it names no device. Before the NICs
 * of argv are added to *desc. 0, or -1 after a diag.
 */
int choose_default_rule(const struct desc *desc, struct diags *ds);

#endif
