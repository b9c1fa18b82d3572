/* box_words.h - the files that QEMU's words name, for the box. Pure. */
#ifndef QH_DESC_BOX_WORDS_H
#define QH_DESC_BOX_WORDS_H

#include "base/mem.h"
#include "desc/cmdline.h"

/* A file that is there when QEMU starts, and the word that names it. */
struct box_word {
	const char *path;		/* as QEMU gets it; may be relative */
	const char *word;		/* "-drive file=" */
	bool write;			/* the word says that it is written, or nothing */
	bool created;			/* QEMU may create it where it is not there */
};

/*
 * Those of the options in box_words.c's table. What QEMU creates is not among them, and nor are
 * images by a protocol of QEMU's (nbd:, json:) or ROMs that it looks for in its data directory.
 * Returns how many; they live in the arena.
 */
unsigned box_words_read(const struct qemu_args *words, struct arena *mem, struct box_word **ret);

#endif
