/*
 * probe.h - calls of a manager that only ask QEMU something. Pure.
 *
 * A probe is confined like a launch, because only QEMU knows for certain what QEMU makes of its
 * words. What the answer decides is whether devices are opened, cgroups joined, and a stream read:
 * a probe does without them.
 */
#ifndef QH_DESC_PROBE_H
#define QH_DESC_PROBE_H

#include "desc/descriptor.h"

/*
 * What QEMU will do with these words, as 7.2 to 11.1 do. Where a file or a word that is not known
 * here could change the answer, it is PROBE_NONE: a launch.
 */
enum probe_kind probe_of(const struct cmdline *cmdline);
/*
 * The descriptor of a probe whose source is not for it to read: the default filter, no capability.
 */
extern const char probe_descriptor[];
/* Leave of a descriptor what a probe is to have: QEMU's path and the confinement. */
void probe_reduce(struct desc *desc, enum probe_kind kind);

#endif
