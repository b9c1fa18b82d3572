/* confine_keys.h - the keys for confinement. Pure. */
#ifndef QH_DESC_CONFINE_KEYS_H
#define QH_DESC_CONFINE_KEYS_H

#include "desc/read.h"

read_fn read_cgroup, read_groups, read_capabilities;	/* ret is the struct desc */
read_fn read_seccomp;			/* a struct seccomp_wish */
read_fn read_id;			/* a struct id_wish */
read_fn read_landlock;			/* "landlock" and "box" of a struct desc */

/* The name of key i of "seccomp"; NULL after the last one. */
const char *seccomp_key_name(unsigned i);

#endif
