/*
 * verdict.h - words of the policy language: answers (SECCOMP_RET_ values), both ways, and groups
 *
 * Pure. The caller owns the buffers; what does not fit is cut.
 */
#ifndef QH_SECCOMP_VERDICT_H
#define QH_SECCOMP_VERDICT_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* "allow", "errno ENOSYS", ...; "0x..." if the language has no word for it. */
void verdict_text(uint32_t verdict, char *ret, size_t size);

/* The errno of a name such as ENOSYS; 0 if the name is not known. */
unsigned verdict_errno(const char *name);

/* The names of the optional groups, with commas between them. */
void verdict_groups(struct str *ret);

#endif
