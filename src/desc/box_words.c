/*
 * box_words.c - the files that QEMU's words name, for the box
 *
 * A word that is not understood names no file: the file is then out of QEMU's reach.
 */
#include "config.h"

#include "desc/box_words.h"

#include <string.h>

#include "base/bounds.h"

enum how {
	HOW_READ,   /* read, whatever the word says */
	HOW_ROM,    /* the same; without a slash it is looked for in the data directory */
	HOW_MODULE, /* the same; several, with arguments, are not taken apart */
	HOW_DISC,   /* an image that is only read */
	HOW_IMAGE,  /* an image: written unless the word says that it is read only */
	HOW_WRITE,  /* written, unless the word says that it is read only; no protocol */
	HOW_MEMORY, /* the same; QEMU creates one that is not there */
	HOW_OBJECT, /* read; some objects create theirs (filter-dump) */
};

/* key NULL: the whole value. Keys of any depth are compared by their last part. */
static const struct {
	enum qemu_option_id option;
	const char *key;
	enum how how;
} rows[] = {
	{ QEMU_OPTION_kernel, NULL, HOW_READ },
	{ QEMU_OPTION_dtb, NULL, HOW_READ },
	{ QEMU_OPTION_initrd, NULL, HOW_MODULE },
	{ QEMU_OPTION_bios, NULL, HOW_ROM },
	{ QEMU_OPTION_L, NULL, HOW_READ },
	{ QEMU_OPTION_hda, NULL, HOW_IMAGE },
	{ QEMU_OPTION_hdb, NULL, HOW_IMAGE },
	{ QEMU_OPTION_hdc, NULL, HOW_IMAGE },
	{ QEMU_OPTION_hdd, NULL, HOW_IMAGE },
	{ QEMU_OPTION_fda, NULL, HOW_IMAGE },
	{ QEMU_OPTION_fdb, NULL, HOW_IMAGE },
	{ QEMU_OPTION_sd, NULL, HOW_IMAGE },
	{ QEMU_OPTION_mtdblock, NULL, HOW_IMAGE },
	{ QEMU_OPTION_pflash, NULL, HOW_IMAGE },
	{ QEMU_OPTION_cdrom, NULL, HOW_DISC },
	{ QEMU_OPTION_drive, "file", HOW_IMAGE },
	{ QEMU_OPTION_drive, "filename", HOW_IMAGE },
	{ QEMU_OPTION_blockdev, "filename", HOW_IMAGE },
	{ QEMU_OPTION_fsdev, "path", HOW_WRITE },
	{ QEMU_OPTION_virtfs, "path", HOW_WRITE },
	{ QEMU_OPTION_mem_path, NULL, HOW_MEMORY },
	{ QEMU_OPTION_object, "mem-path", HOW_MEMORY },
	{ QEMU_OPTION_object, "file", HOW_OBJECT },
	{ QEMU_OPTION_object, "dir", HOW_READ },
	{ QEMU_OPTION_fw_cfg, "file", HOW_READ },
	{ QEMU_OPTION_smbios, "file", HOW_READ },
	{ QEMU_OPTION_device, "romfile", HOW_ROM },
	{ QEMU_OPTION_readconfig, NULL, HOW_READ },
};

static bool is_on(const char *value)
{
	return value && (strcmp(value, "on") == 0 || strcmp(value, "true") == 0 ||
			 strcmp(value, "yes") == 0 || strcmp(value, "y") == 0);
}

/* Read only: the whole, or the node that the key is in, "file.read-only" of "file.filename". */
static bool read_only(const struct qopts *opts, const char *key, struct arena *mem)
{
	static const char *const names[] = { "readonly", "read-only", "snapshot" };
	const char *dot = strrchr(key, '.'), *media = qopts_get(opts, "media");
	const char *node = dot ? arena_strn(mem, key, (size_t)(dot - key)) : NULL;

	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (is_on(qopts_get(opts, names[i])) ||
		    (node &&
		     is_on(qopts_get(opts, arena_printf(mem, "%s.%s", node, names[i])))))
			return true;
	return media && strcmp(media, "cdrom") == 0;
}

/* The path that an image's name stands for; NULL: a protocol (block.c, path_has_protocol()). */
static const char *image_path(const char *name)
{
	static const char file[] = "file:", set[] = "/dev/fdset/";

	/* descriptors that are handed over, which need no rule */
	if (strncmp(name, set, strlen(set)) == 0)
		return NULL;
	if (strncmp(name, file, strlen(file)) == 0)
		return name + strlen(file);
	return name[strcspn(name, ":/")] == ':' ? NULL : name;
}

static const char *path_of(enum how how, const char *value)
{
	switch (how) {
	case HOW_MODULE:
		return value[strcspn(value, ", ")] ? NULL : value;
	case HOW_DISC:
	case HOW_IMAGE:
		return image_path(value);
	case HOW_ROM:
		return strchr(value, '/') ? value : NULL;
	case HOW_READ:
	case HOW_WRITE:
	case HOW_MEMORY:
	case HOW_OBJECT:
		break;
	}
	return value;
}

static bool writes(enum how how)
{
	return how == HOW_IMAGE || how == HOW_WRITE || how == HOW_MEMORY;
}

static void add(struct box_word *list, unsigned *n, enum how how, const char *value,
		const struct box_word *word)
{
	const char *path = path_of(how, value);

	if (!path || !path[0])
		return;
	list[*n] = *word;
	list[*n].path = path;
	list[(*n)++].created = how == HOW_MEMORY || how == HOW_OBJECT;
}

static bool is_key(const char *key, const char *name)
{
	const char *dot = strrchr(key, '.');

	return strcmp(dot ? dot + 1 : key, name) == 0;
}

/* The files that one use of an option names; list NULL: count those that it may name. */
static void read_arg(const struct qemu_args *words, struct qemu_arg *arg, unsigned row,
		     struct box_word *list, unsigned *n)
{
	const char *name = qemu_option_row(rows[row].option)->name, *key = rows[row].key;
	const enum how how = rows[row].how;
	const struct qopts *opts;
	struct box_word word = { .write = writes(how) };

	if (!key) {
		word.word = arena_printf(words->mem, "-%s", name);
		if (list && arg->value)
			add(list, n, how, arg->value, &word);
		*n += !list;
		return;
	}
	opts = qemu_arg_opts(words, arg);
	for (unsigned i = 0; opts && i < opts->n; i++) {
		const struct qopt *opt = &opts->list[i];

		if (!is_key(opt->key, key))
			continue;
		word.word = arena_printf(words->mem, "-%s %s=", name, opt->key);
		word.write = writes(how) && !read_only(opts, opt->key, words->mem);
		if (list)
			add(list, n, how, opt->value, &word);
		*n += !list;
	}
}

static unsigned read_rows(const struct qemu_args *words, struct box_word *list)
{
	unsigned n = 0;

	for (unsigned row = 0; row < ARRAY_LEN(rows); row++)
		for (struct qemu_arg *arg = qemu_args_first(words, rows[row].option); arg;
		     arg = qemu_args_after(words, arg))
			read_arg(words, arg, row, list, &n);
	return n;
}

unsigned box_words_read(const struct qemu_args *words, struct arena *mem, struct box_word **ret)
{
	*ret = arena_array(mem, read_rows(words, NULL), sizeof(**ret));
	return read_rows(words, *ret);
}
