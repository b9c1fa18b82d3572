/* passt_words.h - the options of passt, and the words to start passt with. Pure. */
#ifndef QH_MODE_PASST_WORDS_H
#define QH_MODE_PASST_WORDS_H

#include "desc/netopts.h"

/* The files that passt creates in its working directory, in vhost-user mode. */
#define PASST_SOCKET	"passt.sock"
#define PASST_PID	"passt.pid"

extern const struct netopt passt_options[];

/*
 * passt's command line for a NIC, NULL-terminated, as QEMU's own backend would build it
 * (net/passt.c of QEMU 10.1). But each value is in one word with its option, so no value can be
 * mistaken for an option.
 */
char **passt_words(const struct nic *nic, const char *program, struct arena *mem);

/* Is the word one of "param"? */
bool passt_is_param(const struct nic *nic, const char *word);

#endif
