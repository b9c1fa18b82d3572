/*
 * convert.h - a descriptor that equals words of QEMU, and the words that remain. Pure: no system
 * call, and the same words give the same descriptor.
 *
 * NICs stay where they are in the words, and the descriptor names them ("netdev": "argv"): order,
 * addresses and properties of devices are what the guest sees, and a device that is added at the
 * end would get another slot.
 */
#ifndef QH_CTL_CONVERT_H
#define QH_CTL_CONVERT_H

#include "base/diag.h"
#include "desc/cmdline.h"

struct converted {
	const char *descriptor;	/* one line of JSON, without its newline */
	struct cmdline words;	/* what remains, without QEMU itself: the caller's strings */
};

/*
 * words: n of them, QEMU's arguments, before them QEMU and before that NAME=VALUE, each if it is
 * there. is_spec: they are of a launch spec, so the first is QEMU, by whatever name, and it ends
 * with the process that starts it. What has no equal is a warning, convert-left or argv-left. *ret
 * is written only on success, and a launch reads the result without an error. 0, or -1 after at
 * least one diag.
 */
int convert_words(unsigned n, char *const *words, bool is_spec, struct arena *mem,
		  struct converted *ret, struct diags *ds);

#endif
