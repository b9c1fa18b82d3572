/* qemuver.h - the version of a QEMU, from its file: nothing is run */
#ifndef QH_LOOK_QEMUVER_H
#define QH_LOOK_QEMUVER_H

#include <stdbool.h>

#include "facts/facts.h"

enum { QEMUVER_TEXT = 80 };

/* The version that the program at path would print: "7.2.22 (Debian ...)". False: not known. */
bool qemuver_text(const char *path, char ret[QEMUVER_TEXT]);
/*
 * The version that the program at path would print. Unknown (.major 0) if the file is not a 64-bit
 * ELF program, cannot be read, or does not contain the text. Reads its constants: 1.3 ms for the 3
 * MiB of Debian 12's, which is why only NICs that need the answer ask.
 */
struct qemu_version qemuver_probe(const char *path);

#endif
