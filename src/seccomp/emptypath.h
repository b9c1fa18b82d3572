/* emptypath.h - an address at which no string but "" can ever be */
#ifndef QH_SECCOMP_EMPTYPATH_H
#define QH_SECCOMP_EMPTYPATH_H

/*
 * The last byte of user memory, mapped and NUL. NULL with errno when this kernel has no such place:
 * EFAULT when something else is there, ENOTSUP when more can be mapped after it.
 */
const char *emptypath_map(void);

#endif
