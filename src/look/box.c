/*
 * box.c - find what the box holds
 *
 * Landlock's rules are for files, not for names: a path that is a symbolic link stands for what it
 * leads to.
 *
 * Never: opens a file.
 */
#include "config.h"

#include "look/box.h"

#include <errno.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "desc/box_words.h"

static const struct {
	const char *path, *why;
	enum box_access access;
} needs[] = {
#define BOX_NEED(path, access, why) { path, why, access },
#include "facts/box_needs.def"
#undef BOX_NEED
};

enum { PROC_ROOT = 1 }; /* the inode of a procfs' root (Linux 6.12, PROC_ROOT_INO) */

static struct box_spot look(const char *path, enum box_access access, const char *why)
{
	struct box_spot ret = { .path = path, .access = access, .why = why };
	struct statfs fs;
	struct stat st;

	if (stat(path, &st) < 0) {
		ret.err = errno;
		return ret;
	}
	ret.dir = S_ISDIR(st.st_mode);
	ret.dev = st.st_dev;
	ret.ino = st.st_ino;
	if (statfs(path, &fs) == 0)
		ret.in_proc = fs.f_type == PROC_SUPER_MAGIC && st.st_ino != PROC_ROOT;
	return ret;
}

/* "/opt/qemu" for /opt/qemu/bin/qemu-system-x86_64; NULL: there is nothing above its directory. */
static const char *prefix_of(const char *qemu, struct arena *mem)
{
	char real[PATH_MAX];
	char *slash;

	if (!realpath(qemu, real))
		return NULL;
	for (unsigned i = 0; i < 2; i++) {
		slash = strrchr(real, '/');
		if (!slash || slash == real)
			return NULL;
		*slash = '\0';
	}
	return arena_printf(mem, "%s", real);
}

static unsigned look_needs(const char *qemu, struct arena *mem, struct box_spot *ret)
{
	const char *prefix = prefix_of(qemu, mem);
	const bool elsewhere = prefix && strcmp(prefix, "/usr") != 0;
	unsigned n = 0;

	ret[n++] = look(qemu, BOX_EXECUTE, "QEMU");
	for (unsigned i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		const char *path = needs[i].path;

		/* below /usr they have rows of their own */
		if (path[0] == '@' && !elsewhere)
			continue;
		if (path[0] == '@')
			path = arena_printf(mem, "%s%s", prefix, path + 1);
		ret[n] = look(path, needs[i].access, needs[i].why);
		n += ret[n].err == 0;
	}
	return n;
}

void box_probe(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	const struct box_wish *wish = &desc->box;
	struct box_spot *spots;
	struct box_word *words = NULL;
	unsigned n, n_words = 0;

	if (!wish->on || ret->qemu.err != 0)
		return;
	if (wish->argv && desc->words)
		n_words = box_words_read(desc->words, mem, &words);
	spots = arena_array(mem, 1 + sizeof(needs) / sizeof(needs[0]) + n_words + wish->n_read +
					 wish->n_write, sizeof(*spots));
	n = look_needs(ret->qemu.path, mem, spots);
	for (unsigned i = 0; i < n_words; i++) {
		spots[n] = look(words[i].path, words[i].write ? BOX_WRITE : BOX_READ,
				words[i].word);
		spots[n].named = true;
		n += spots[n].err != ENOENT || !words[i].created;
	}
	for (unsigned i = 0; i < wish->n_read; i++, n++) {
		spots[n] = look(wish->read[i], BOX_READ, NULL);
		spots[n].index = i;
	}
	for (unsigned i = 0; i < wish->n_write; i++, n++) {
		spots[n] = look(wish->write[i], BOX_WRITE, NULL);
		spots[n].index = i;
	}
	ret->box = spots;
	ret->n_box = n;
}
