/* features.h - what this program can read, for programs that write descriptors. Pure. */
#ifndef QH_MODE_FEATURES_H
#define QH_MODE_FEATURES_H

#include "base/mem.h"

/*
 * One JSON object and a newline: the version, and every key, mode and code word, out of the tables
 * that the parser and the messages have. Lives in mem.
 */
const char *features_json(struct arena *mem);

#endif
