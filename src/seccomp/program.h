/*
 * program.h - the profiles as compiled, marks in place. program.c is written by compile.c.
 *
 * The first filter_prefix_len instructions of the profile are those that protect a terminal: a
 * launch without one begins after them. filter_terminal is the same as a program of its own.
 */
#ifndef QH_SECCOMP_PROGRAM_H
#define QH_SECCOMP_PROGRAM_H

#include <linux/filter.h>
#include <stddef.h>

extern const struct sock_filter filter_program[];
extern const size_t filter_program_len, filter_prefix_len;
extern const struct sock_filter filter_terminal[];
extern const size_t filter_terminal_len;
extern const struct sock_filter filter_keeper_program[];
extern const size_t filter_keeper_program_len;

#endif
