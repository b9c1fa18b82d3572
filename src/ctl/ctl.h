/*
 * ctl.h - qemu-handoff-ctl: what its commands share
 *
 * A command adds diags and prints what it was asked for by ctl_print(). It neither prints anything
 * else nor exits: only main.c does.
 */
#ifndef QH_CTL_CTL_H
#define QH_CTL_CTL_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/mem.h"

/* The state of one run. */
struct ctl {
	struct arena *mem;
	struct diags *ds;	/* its status is the exit status */
	bool errors_json;	/* QEMU_HANDOFF_ERRORS=json, or --errors=json */
	char *const *envp;	/* this process's own */
	const char *name;	/* of the command */
};

/* words: n of them after the command's name. 0, or -1 after at least one diag. */
typedef int command_run(struct ctl *ctl, unsigned n, char **words);

#define COMMAND(name, id, takes, help) command_run command_##id;
#include "ctl/commands.def"
#undef COMMAND

/* An option of a command. Exactly one of value and flag is set. */
struct ctl_option {
	const char *name;	/* "--report" */
	const char **value;	/* takes a value, as --name=value or as the next word */
	bool *flag;		/* takes none */
};

/*
 * Sort the words of a command into options and up to max other words, which are counted in
 * *ret_n. After "--" no word is an option. 0, or -1 after a diag.
 */
int ctl_options(struct ctl *ctl, unsigned n, char **words, const struct ctl_option *options,
		unsigned n_options, const char **ret_words, unsigned max, unsigned *ret_n);
/* A whole number from min to max, in decimal. 0, or -1 after a diag about `what`. */
int ctl_number(struct ctl *ctl, const char *what, const char *text, unsigned min, unsigned max,
	       unsigned *ret);
/* Write all of the text to standard output. 0, or -1 after a diag. */
int ctl_print(struct ctl *ctl, const char *text);

#endif
