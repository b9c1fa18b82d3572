/*
 * choose.c - where a drop-in's descriptor is, and which file of a directory is a guest's
 *
 * A name from QEMU's words is never joined into a path: it is escaped to a name that every
 * directory can have, has no slash and no leading dot, and is another one for another guest.
 */
#include "config.h"

#include "desc/choose.h"

#include <string.h>

enum { FILE_NAME_MAX = 255 }; /* bytes (linux/limits.h, NAME_MAX) */

static const char administrators[] = GUESTS_DIR "/", variable_name[] = "QEMU_HANDOFF_DESCRIPTOR";
static const char word_name[] = "-handoff", suffix[] = ".json", default_stem[] = "default";
const char choose_default[] = "default.json";

/* --- "-handoff" ------------------------------------------------------------------------------- */

static bool is_option(const char *word, const char *name)
{
	return word[0] == '-' && strcmp(word + 1 + (word[1] == '-'), name) == 0;
}

static bool has_option(const struct cmdline *cmdline, unsigned from, const char *name)
{
	for (unsigned i = from; i < cmdline->n; i++)
		if (is_option(cmdline->words[i], name))
			return true;
	return false;
}

static int word_bad(struct diags *ds, const char *message)
{
	return diag_add(ds, DIAG_ARGV_HANDOFF, 0, NULL, word_name, "%s", message);
}

static int word_in_doubt(struct diags *ds, const char *unknown)
{
	(void)diag_add(ds, DIAG_ARGV_HANDOFF, 0, NULL, word_name,
		       "after '%s', an option that is not known here: it may be its value",
		       unknown);
	diag_hint(ds, "give -handoff as the first word");
	return -1;
}

/* Where "-handoff" is; cmdline->n: nowhere, or as a value only. -1 after a diag. */
static int find_word(const struct cmdline *cmdline, unsigned *ret, struct diags *ds)
{
	const char *unknown = NULL;
	unsigned found = cmdline->n;

	for (unsigned i = 0; i < cmdline->n;) {
		const char *word = cmdline->words[i];
		const struct qemu_option *row;

		if (is_option(word, word_name + 1)) {
			if (unknown)
				return word_in_doubt(ds, unknown);
			if (found < cmdline->n)
				return word_bad(ds, "given twice");
			if (i + 1 == cmdline->n)
				return word_bad(ds, "needs a value: where the descriptor is");
			found = i;
			i += 2;
			continue;
		}
		row = word[0] == '-' ? qemu_option_find(word + 1 + (word[1] == '-')) : NULL;
		if (word[0] == '-' && !row)
			unknown = word;
		/* after one that is not known, every word may be an option */
		i += row && row->arity == QEMU_VALUE && !unknown ? 2 : 1;
	}
	*ret = found;
	return 0;
}

int choose_take_word(struct cmdline *cmdline, struct arena *mem, const char **ret, struct diags *ds)
{
	unsigned at = 0, n = 0;
	char **words;

	*ret = NULL;
	if (!has_option(cmdline, 0, word_name + 1))
		return 0;
	if (find_word(cmdline, &at, ds) < 0)
		return -1;
	if (at == cmdline->n)
		return 0;
	words = arena_array(mem, (size_t)cmdline->n + 1, sizeof(*words));
	for (unsigned i = 0; i < cmdline->n; i++)
		if (i != at && i != at + 1)
			words[n++] = cmdline->words[i];
	*ret = cmdline->words[at + 1];
	cmdline->words = words;
	cmdline->n = n;
	return 0;
}

int choose_no_word(const struct cmdline *cmdline, struct arena *mem, struct diags *ds)
{
	struct cmdline copy = *cmdline;
	const char *word;

	if (choose_take_word(&copy, mem, &word, ds) < 0)
		return -1;
	if (!word)
		return 0;
	(void)word_bad(ds, "only a drop-in takes it");
	diag_hint(ds, "give --descriptor=%s before QEMU's arguments", word);
	return -1;
}

/* --- the source ------------------------------------------------------------------------------- */

int choose_source(bool holds, const char *variable, const char *word, struct input *ret,
		  struct diags *ds)
{
	if (holds) {
		if (variable || word)
			(void)diag_add(ds, DIAG_SOURCE_UNUSED, 0, NULL, administrators,
				       "the administrator's directory is used, and %s%s%s not",
				       variable ? variable_name : "",
				       variable && word ? " and " : "", word ? word_name : "");
		ret->kind = INPUT_DIR;
		ret->text = ret->name = administrators;
		return 0;
	}
	if (variable && word) {
		(void)word_bad(ds, "QEMU_HANDOFF_DESCRIPTOR names a descriptor too");
		diag_hint(ds, "unset QEMU_HANDOFF_DESCRIPTOR, or leave out -handoff");
		return -1;
	}
	return variable ? options_source(variable, variable_name, ret, ds)
			: options_source(word, word_name, ret, ds);
}

/* --- the file --------------------------------------------------------------------------------- */

/* What a URI calls unreserved (RFC 3986, 2.3), but a dot only inside of a name. */
static bool is_plain(const char *c, bool first)
{
	return (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
	       *c == '-' || *c == '_' || *c == '~' || (*c == '.' && !first);
}

static void render_file(struct str *s, const void *arg)
{
	const char *name = arg;

	for (const char *c = name; *c; c++) {
		if (is_plain(c, c == name))
			str_bytes(s, c, 1);
		else
			str_put(s, "%%%02X", (unsigned)(unsigned char)*c);
	}
	str_put(s, "%s", suffix);
}

/* The file of a guest of that name; a guest named "default" has none but that of all. */
static int add_name(const char *name, struct arena *mem, struct guest_files *ret, struct diags *ds)
{
	const char *file;

	if (!name || !name[0] || strcmp(name, default_stem) == 0)
		return 0;
	file = str_make(mem, render_file, name);
	if (strlen(file) > FILE_NAME_MAX)
		return diag_add(ds, DIAG_GUEST_NAME, 0, NULL, "-name",
				"the file's name would have %zu bytes: at most %d are possible",
				strlen(file), FILE_NAME_MAX);
	ret->names[ret->n++] = file;
	return 0;
}

static char hex_lower(char c)
{
	if (c >= 'A' && c <= 'F')
		return (char)(c - 'A' + 'a');
	return (char)((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ? c : 0);
}

/* As QEMU takes it (util/uuid.c, qemu_uuid_is_valid()); a file's name has small letters. */
static int add_uuid(const char *uuid, struct arena *mem, struct guest_files *ret, struct diags *ds)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	bool good = uuid && strlen(uuid) == strlen(form);
	char *small;

	if (!uuid)
		return 0;
	small = arena_printf(mem, "%s%s", good ? uuid : form, suffix);
	for (unsigned i = 0; good && form[i]; i++) {
		if (form[i] == 'x')
			small[i] = hex_lower(uuid[i]);
		good = form[i] == 'x' ? small[i] != '\0' : uuid[i] == '-';
	}
	if (!good)
		return diag_add(ds, DIAG_GUEST_NAME, 0, NULL, "-uuid", "'%s' is no UUID", uuid);
	ret->names[ret->n++] = small;
	return 0;
}

/*
 * An option that is not known here may be a flag, or have a value. It matters where the word after
 * it looks like an option: then what follows can be read in two ways.
 */
static int rule_doubt(const struct cmdline *cmdline, struct diags *ds)
{
	struct qemu_arg arg;
	unsigned pos = 0;

	while (qemu_arg_next(cmdline, &pos, &arg)) {
		if (arg.row || !arg.value || arg.value[0] != '-' ||
		    !(has_option(cmdline, pos - 1, "name") || has_option(cmdline, pos - 1, "uuid")))
			continue;
		(void)diag_add(ds, DIAG_GUEST_NAME, 0, NULL, cmdline->words[pos - 2],
			       "not known here: -name and -uuid after it can be read in two ways");
		diag_hint(ds, "give -name and -uuid before it");
		return -1;
	}
	return 0;
}

static const char *last_uuid(const struct qemu_args *args)
{
	const char *ret = NULL;

	for (struct qemu_arg *arg = qemu_args_first(args, QEMU_OPTION_uuid); arg;
	     arg = qemu_args_after(args, arg))
		ret = arg->value;
	return ret;
}

int choose_files(const struct cmdline *cmdline, struct arena *mem, struct guest_files *ret,
		 struct diags *ds)
{
	const struct qemu_args *args = qemu_args_read(cmdline, mem);

	*ret = (struct guest_files){ 0 };
	if (rule_doubt(cmdline, ds) < 0 ||
	    add_name(qemu_args_last(args, QEMU_OPTION_name, "guest"), mem, ret, ds) < 0 ||
	    add_uuid(last_uuid(args), mem, ret, ds) < 0)
		return -1;
	ret->names[ret->n++] = choose_default;
	return 0;
}

int choose_default_rule(const struct desc *desc, struct diags *ds)
{
	const struct {
		const char *key;
		bool given;
	} devices[] = {
		{ "nics", desc->n_nics > 0 },
		{ "vsock", desc->cid != 0 },
		{ "args", desc->n_args > 0 },
	};
	int ret = 0;

	for (unsigned i = 0; i < ARRAY_LEN(devices); i++) {
		if (!devices[i].given)
			continue;
		ret |= diag_add(ds, DIAG_DEFAULT_DEVICE, 0, KEY(NULL, devices[i].key), NULL,
				"%s is for every guest that has no file of its own, so it names "
				"no device",
				choose_default);
		diag_hint(ds, "move the key to a file of the guest's own");
	}
	return ret;
}
