/* readconfig.h - read the files that QEMU's words name with -readconfig */
#ifndef QH_LOOK_READCONFIG_H
#define QH_LOOK_READCONFIG_H

#include "desc/cmdline.h"
#include "desc/descriptor.h"

/*
 * Sets desc->configs. QEMU's own file of default options is one of them, if it is there and no word
 * keeps QEMU from reading it. Regular files of bounded size only: nothing else is opened.
 */
void readconfig_read(struct desc *desc, const struct cmdline *cmdline, struct arena *mem);

#endif
