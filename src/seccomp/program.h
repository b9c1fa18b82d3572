/* program.h - the profiles as compiled, marks in place. program.c is written by compile.c. */
#ifndef QH_SECCOMP_PROGRAM_H
#define QH_SECCOMP_PROGRAM_H

#include <linux/filter.h>
#include <stddef.h>

extern const struct sock_filter filter_program[];
extern const size_t filter_program_len;
extern const struct sock_filter filter_keeper_program[];
extern const size_t filter_keeper_program_len;

#endif
