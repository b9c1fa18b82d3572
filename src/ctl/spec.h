/*
 * spec.h - a launch spec of dstack-vmm: QEMU's words, and the programs beside it. Pure.
 *
 * The members are those of LaunchSpec (dstack, vmm/src/vm_launcher.rs). Its launcher kills QEMU
 * when it ends, and waits for swtpm's socket before QEMU starts.
 */
#ifndef QH_CTL_SPEC_H
#define QH_CTL_SPEC_H

#include <stddef.h>

#include "base/diag.h"

struct spec {
	char **words;	/* QEMU, and its words */
	unsigned n;
};

/*
 * text: NUL-terminated, len bytes, ds->source set to it. What a descriptor cannot say is a warning,
 * convert-left; an unknown member is an error. 0, or -1 after a diag.
 */
int spec_read(const char *text, size_t len, struct arena *mem, struct spec *ret, struct diags *ds);

#endif
