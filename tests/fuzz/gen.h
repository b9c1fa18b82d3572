/* gen.h - descriptors, command lines and hosts out of fuzz bytes: mostly such as fit together */
#ifndef QH_FUZZ_GEN_H
#define QH_FUZZ_GEN_H

#include "fuzz.h"

#include "desc/desc.h"
#include "facts/facts.h"
#include "plan/plan.h"

/* JSON text of a descriptor; parses nearly always. */
const char *gen_descriptor(struct bytes *b, struct arena *mem);
/* Words for QEMU; those of NICs that are to be in argv are often right. */
struct cmdline gen_cmdline(struct bytes *b, struct arena *mem);
/* A host for the descriptor; *ret_open says which numbers are open, see gen_open(). */
void gen_facts(struct bytes *b, const struct desc *desc, struct arena *mem, struct facts *ret, uint64_t *ret_open);
/* Is the number open on entry? Only the first 64 from fd_base on can be. */
bool gen_open(uint64_t open, const struct desc *desc, int fd);

#endif
