/* passt_words.h - the options of passt, and the words that passt is started with. Pure. */
#ifndef QH_MODE_PASST_WORDS_H
#define QH_MODE_PASST_WORDS_H

#include "desc/netopts.h"

/* The files that passt makes in its working directory, in vhost-user mode. */
#define PASST_SOCKET	"passt.sock"
#define PASST_PID	"passt.pid"

extern const struct netopt passt_options[];

/*
 * passt's command line for a NIC, NULL-terminated, as QEMU's own backend would make it (net/passt.c
 * of QEMU 10.1), but each value in one word with its option: no value can be taken for an option.
 */
char **passt_words(const struct nic *nic, const char *program, struct arena *mem);

/* Is the word one of "param"? */
bool passt_is_param(const struct nic *nic, const char *word);

#endif
