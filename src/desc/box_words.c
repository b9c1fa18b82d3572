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
	HOW_NODE,   /* the same; ':' is a part of its name (block.c, bdrv_fill_options()) */
	HOW_COLONS, /* read; several, with ':' between them, are not taken apart */
	HOW_MEMORY, /* written, and made if it is missing (system/physmem.c, file_ram_open()) */
	HOW_WRITE,  /* written, unless the word says that it is read only; no protocol */
};

/*
 * key NULL: the whole value. Keys of any depth are compared by their last part. types: of the
 * object or device whose key it is, each between blanks; NULL: all.
 */
static const struct {
	enum qemu_option_id option;
	const char *key;
	enum how how;
	const char *types;
} rows[] = {
	{ QEMU_OPTION_kernel, NULL, HOW_READ, NULL },
	{ QEMU_OPTION_dtb, NULL, HOW_READ, NULL },
	{ QEMU_OPTION_initrd, NULL, HOW_MODULE, NULL },
	{ QEMU_OPTION_bios, NULL, HOW_ROM, NULL },
	{ QEMU_OPTION_L, NULL, HOW_READ, NULL },
	{ QEMU_OPTION_hda, NULL, HOW_IMAGE, NULL },
	{ QEMU_OPTION_hdb, NULL, HOW_IMAGE, NULL },
	{ QEMU_OPTION_hdc, NULL, HOW_IMAGE, NULL },
	{ QEMU_OPTION_hdd, NULL, HOW_IMAGE, NULL },
	{ QEMU_OPTION_fda, NULL, HOW_IMAGE, NULL },
	{ QEMU_OPTION_fdb, NULL, HOW_IMAGE, NULL },
	{ QEMU_OPTION_sd, NULL, HOW_IMAGE, NULL },
	{ QEMU_OPTION_mtdblock, NULL, HOW_IMAGE, NULL },
	{ QEMU_OPTION_pflash, NULL, HOW_IMAGE, NULL },
	{ QEMU_OPTION_cdrom, NULL, HOW_DISC, NULL },
	{ QEMU_OPTION_drive, "file", HOW_IMAGE, NULL },
	{ QEMU_OPTION_drive, "filename", HOW_NODE, NULL },
	{ QEMU_OPTION_blockdev, "filename", HOW_NODE, NULL },
	{ QEMU_OPTION_fsdev, "path", HOW_WRITE, NULL },
	{ QEMU_OPTION_virtfs, "path", HOW_WRITE, NULL },
	{ QEMU_OPTION_object, "mem-path", HOW_MEMORY, NULL },
	{ QEMU_OPTION_object, "file", HOW_READ, " secret igvm-cfg " },
	{ QEMU_OPTION_object, "dir", HOW_READ, NULL },
	{ QEMU_OPTION_fw_cfg, "file", HOW_READ, NULL },
	{ QEMU_OPTION_smbios, "file", HOW_READ, NULL },
	{ QEMU_OPTION_device, "romfile", HOW_ROM, NULL },
	{ QEMU_OPTION_readconfig, NULL, HOW_READ, NULL },
	{ QEMU_OPTION_shim, NULL, HOW_READ, NULL },
	{ QEMU_OPTION_mem_path, NULL, HOW_MEMORY, NULL },
	{ QEMU_OPTION_machine, "kernel", HOW_READ, NULL },
	{ QEMU_OPTION_machine, "initrd", HOW_MODULE, NULL },
	{ QEMU_OPTION_machine, "dtb", HOW_READ, NULL },
	{ QEMU_OPTION_machine, "shim", HOW_READ, NULL },
	{ QEMU_OPTION_machine, "firmware", HOW_ROM, NULL },
	{ QEMU_OPTION_option_rom, "romfile", HOW_ROM, NULL },
	{ QEMU_OPTION_acpitable, "file", HOW_COLONS, NULL },
	{ QEMU_OPTION_acpitable, "data", HOW_COLONS, NULL },
	{ QEMU_OPTION_smbios, "path", HOW_READ, NULL },
	{ QEMU_OPTION_plugin, "file", HOW_READ, NULL },
	{ QEMU_OPTION_trace, "events", HOW_READ, NULL },
	{ QEMU_OPTION_device, "file", HOW_ROM, " loader " },
	{ QEMU_OPTION_device, "kernel", HOW_READ, " guest-loader " },
	{ QEMU_OPTION_device, "initrd", HOW_READ, " guest-loader " },
	{ QEMU_OPTION_object, "filename", HOW_READ, " rng-random authz-list-file " },
	{ QEMU_OPTION_object, "evdev", HOW_WRITE, " input-linux " },
	{ QEMU_OPTION_object, "dh-cert-file", HOW_READ, NULL },
	{ QEMU_OPTION_object, "session-file", HOW_READ, NULL },
	{ QEMU_OPTION_chardev, "path", HOW_WRITE, " serial tty parallel parport " },
	{ QEMU_OPTION_tpmdev, "path", HOW_WRITE, " passthrough " },
	{ QEMU_OPTION_tpmdev, "cancel-path", HOW_WRITE, " passthrough " },
	{ QEMU_OPTION_spice, "x509-dir", HOW_READ, NULL },
	{ QEMU_OPTION_spice, "x509-key-file", HOW_READ, NULL },
	{ QEMU_OPTION_spice, "x509-cert-file", HOW_READ, NULL },
	{ QEMU_OPTION_spice, "x509-cacert-file", HOW_READ, NULL },
	{ QEMU_OPTION_spice, "x509-dh-key-file", HOW_READ, NULL },
};

static bool is_on(const char *value)
{
	return value && (strcmp(value, "on") == 0 || strcmp(value, "true") == 0 ||
			 strcmp(value, "yes") == 0 || strcmp(value, "y") == 0);
}

static bool is_off(const char *value)
{
	return value && (strcmp(value, "off") == 0 || strcmp(value, "false") == 0 ||
			 strcmp(value, "no") == 0 || strcmp(value, "n") == 0);
}

/* What is below "backing" is read, unless it says otherwise (block.c, bdrv_backing_options()). */
static bool backing(const struct qopts *opts, const char *key, struct arena *mem)
{
	static const char name[] = "backing.";
	const size_t len = strlen(name);

	for (const char *p = strstr(key, name); p; p = strstr(p + 1, name))
		if ((p == key || p[-1] == '.') &&
		    !is_off(qopts_get(opts, arena_printf(mem, "%.*sread-only",
							 (int)((size_t)(p - key) + len), key))))
			return true;
	return false;
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
	return backing(opts, key, mem) || (media && strcmp(media, "cdrom") == 0);
}

/* -snapshot is snapshot=on of each drive that does not say (softmmu/vl.c, drive_enable_snapshot) */
static bool by_snapshot(const struct qemu_args *words, unsigned row, const struct qopts *opts)
{
	const enum qemu_option_id option = rows[row].option;

	return (rows[row].how == HOW_IMAGE || rows[row].how == HOW_NODE) &&
	       option != QEMU_OPTION_blockdev && qemu_args_has(words, QEMU_OPTION_snapshot) &&
	       !(opts && qopts_get(opts, "snapshot"));
}

/* Descriptors that are handed over need no rule. */
static const char *node_path(const char *name)
{
	static const char set[] = "/dev/fdset/";

	return strncmp(name, set, strlen(set)) == 0 ? NULL : name;
}

/* The path that an image's name stands for; NULL: a protocol (block.c, path_has_protocol()). */
static const char *image_path(const char *name)
{
	static const char file[] = "file:";

	if (!node_path(name))
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
	case HOW_NODE:
		return node_path(value);
	case HOW_COLONS:
		return strchr(value, ':') ? NULL : value;
	case HOW_ROM:
		return strchr(value, '/') ? value : NULL;
	case HOW_READ:
	case HOW_WRITE:
	case HOW_MEMORY:
		break;
	}
	return value;
}

static void add(struct box_word *list, unsigned *n, const struct box_word *word)
{
	if (word->path && word->path[0])
		list[(*n)++] = *word;
}

static bool is_key(const char *key, const char *name)
{
	const char *dot = strrchr(key, '.');

	return strcmp(dot ? dot + 1 : key, name) == 0;
}

/* Is it of a type that the row is for? */
static bool is_type(unsigned row, const struct qopts *opts, struct arena *mem)
{
	const char *key = qemu_option_row(rows[row].option)->first;
	const char *type = key ? qopts_get(opts, key) : NULL;

	return !rows[row].types ||
	       (type && strstr(rows[row].types, arena_printf(mem, " %s ", type)));
}

/* Does the row's option write, if the word does not say that it only reads? */
static bool writes(enum how how)
{
	return how == HOW_IMAGE || how == HOW_NODE || how == HOW_WRITE || how == HOW_MEMORY;
}

/* What a value of the row names; key NULL: it is the whole value. */
static struct box_word word_of(const struct qemu_args *words, unsigned row,
			       const struct qopts *opts, const char *key, const char *value)
{
	const char *name = qemu_option_row(rows[row].option)->name;

	return (struct box_word){
		.path = path_of(rows[row].how, value),
		.word = key ? arena_printf(words->mem, "-%s %s=", name, key) :
			      arena_printf(words->mem, "-%s", name),
		.write = writes(rows[row].how) && !by_snapshot(words, row, opts) &&
			 !(key && read_only(opts, key, words->mem)),
		.created = rows[row].how == HOW_MEMORY,
	};
}

/* The files that one use of an option names; list NULL: count those that it may name. */
static void read_arg(const struct qemu_args *words, struct qemu_arg *arg, unsigned row,
		     struct box_word *list, unsigned *n)
{
	const struct qopts *opts;
	struct box_word word;

	if (!rows[row].key) {
		if (list && arg->value) {
			word = word_of(words, row, NULL, NULL, arg->value);
			add(list, n, &word);
		}
		*n += !list;
		return;
	}
	opts = qemu_arg_opts(words, arg);
	for (unsigned i = 0; opts && i < opts->n; i++) {
		const struct qopt *opt = &opts->list[i];

		if (!is_key(opt->key, rows[row].key) || !is_type(row, opts, words->mem))
			continue;
		if (list) {
			word = word_of(words, row, opts, opt->key, opt->value);
			add(list, n, &word);
		}
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
