/* dump.h - a program as the text of a policy. Writes to a stream and keeps no state. */
#ifndef QH_SECCOMP_DUMP_H
#define QH_SECCOMP_DUMP_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdio.h>

#include "seccomp/calls.h"

/* `prog` must have passed interp_check(). ferror(out) says whether all was written. */
void dump(const struct sock_filter *prog, size_t len, const struct calls *calls, FILE *out);

#endif
