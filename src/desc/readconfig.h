/*
 * readconfig.h - files of -readconfig, as the words that they stand for. Pure.
 *
 * For judging only: QEMU gets the words as they came, and reads its files itself.
 */
#ifndef QH_DESC_READCONFIG_H
#define QH_DESC_READCONFIG_H

#include "desc/cmdline.h"
#include "desc/descriptor.h"

/*
 * The words with those of each file in the place where QEMU reads it: after its -readconfig, or
 * before all others if no word names it. files: as the words name them, in their order. A text that
 * QEMU would refuse gives the words before that line.
 */
struct cmdline readconfig_expand(const struct cmdline *words, const struct config_file *files,
				 unsigned n, struct arena *mem);

#endif
