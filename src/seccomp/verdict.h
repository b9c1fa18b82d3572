/* verdict.h - SECCOMP_RET_ values as words of the policy language, both ways */
#ifndef QH_SECCOMP_VERDICT_H
#define QH_SECCOMP_VERDICT_H

#include <stddef.h>
#include <stdint.h>

/* "allow", "errno ENOSYS", ...; "0x..." for one the language has no word for. */
void verdict_text(uint32_t verdict, char *ret, size_t size);

/* The errno of a name such as ENOSYS, or 0. */
unsigned verdict_errno(const char *name);

#endif
