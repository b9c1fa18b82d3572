/*
 * probe.c - which calls only ask QEMU something, and what is left of a descriptor for them
 */
#include "config.h"

#include "desc/probe.h"

#include <string.h>

/*
 * How an option asks for help, as QEMU 7.2 to 10.0 answer it. "-name help" and "-k help" start a
 * machine: they are in no row.
 */
enum help {
	HELP_WHOLE = 1 << 0,   /* the value is "help" or "?" */
	HELP_FIRST = 1 << 1,   /* its first item is, whatever follows */
	HELP_LATER = 1 << 2,   /* an item after the first is: "TYPE,help" */
	HELP_IMPLIED = 1 << 3, /* a first item without '=' is the key's value */
	HELP_TRACE = 1 << 4,   /* an item is "trace:help" */
	HELP_AT_END =
		1 << 5, /* acted on when all is read: a later option of that name replaces it */
};

/* key: asks when its value (the last one, if it is given twice) is "help" or "?". */
static const struct probe {
	enum qemu_option_id option;
	const char *key;
	unsigned help;
} probes[] = {
	{ QEMU_OPTION_machine, NULL, HELP_FIRST | HELP_LATER },
	{ QEMU_OPTION_object, "qom-type", HELP_FIRST | HELP_LATER },
	{ QEMU_OPTION_audio, "driver", HELP_FIRST | HELP_LATER },
	{ QEMU_OPTION_boot, NULL, HELP_FIRST | HELP_LATER },
	{ QEMU_OPTION_smp, NULL, HELP_FIRST | HELP_LATER },
	{ QEMU_OPTION_device, "driver", HELP_IMPLIED | HELP_LATER },
	{ QEMU_OPTION_accel, "accel", HELP_IMPLIED },
	{ QEMU_OPTION_netdev, "type", HELP_IMPLIED },
	{ QEMU_OPTION_chardev, "backend", HELP_IMPLIED },
	{ QEMU_OPTION_trace, "enable", HELP_IMPLIED },
	{ QEMU_OPTION_drive, "format", 0 },
	{ QEMU_OPTION_nic, "model", HELP_WHOLE },
	{ QEMU_OPTION_net, "model", HELP_WHOLE },
	{ QEMU_OPTION_d, NULL, HELP_FIRST | HELP_LATER | HELP_TRACE },
	{ QEMU_OPTION_cpu, NULL, HELP_WHOLE | HELP_AT_END },
	{ QEMU_OPTION_vga, NULL, HELP_WHOLE | HELP_AT_END },
	{ QEMU_OPTION_display, NULL, HELP_WHOLE },
	{ QEMU_OPTION_audiodev, NULL, HELP_WHOLE },
	{ QEMU_OPTION_L, NULL, HELP_WHOLE },
	{ QEMU_OPTION_plugin, NULL, HELP_WHOLE },
	/* these print and exit with 1 */
	{ QEMU_OPTION_tpmdev, NULL, HELP_WHOLE },
	{ QEMU_OPTION_rtc, NULL, HELP_WHOLE },
	{ QEMU_OPTION_spice, NULL, HELP_WHOLE },
	{ QEMU_OPTION_vnc, NULL, HELP_WHOLE },
	{ QEMU_OPTION_global, NULL, HELP_WHOLE },
	{ QEMU_OPTION_overcommit, NULL, HELP_WHOLE },
	{ QEMU_OPTION_action, NULL, HELP_WHOLE },
	{ QEMU_OPTION_add_fd, NULL, HELP_WHOLE },
	{ QEMU_OPTION_msg, NULL, HELP_WHOLE },
};

/* One item of an option's value, "name=value" or a word alone (value is NULL). */
struct item {
	const char *name, *value;
	size_t name_len, value_len;
};

static bool item_next(const char **pos, struct item *ret)
{
	const char *s = *pos, *equal;
	size_t len = 0;

	if (!*s)
		return false;
	while (s[len] && (s[len] != ',' || s[len + 1] == ','))
		len += s[len] == ',' ? 2 : 1;
	*pos = s + len + (s[len] == ',');
	equal = memchr(s, '=', len);
	*ret = (struct item){ .name = s, .name_len = equal ? (size_t)(equal - s) : len };
	if (equal) {
		ret->value = equal + 1;
		ret->value_len = len - ret->name_len - 1;
	}
	return true;
}

static bool is_word(const char *s, size_t len, const char *word)
{
	return len == strlen(word) && strncmp(s, word, len) == 0;
}

static bool is_help(const char *s, size_t len)
{
	return is_word(s, len, "help") || is_word(s, len, "?");
}

/*
 * The last value of a key, which is taken over from an option of the same name before when value
 * has none; implied: a first item without '=' is one.
 */
static void key_get(const char *value, const char *key, bool implied, const char **ret,
		    size_t *ret_len)
{
	struct item item;

	for (bool first = true; item_next(&value, &item); first = false) {
		if (first && implied && !item.value) {
			*ret = item.name;
			*ret_len = item.name_len;
		} else if (item.value && is_word(item.name, item.name_len, key)) {
			*ret = item.value;
			*ret_len = item.value_len;
		}
	}
}

static bool asks_help(const struct probe *probe, const char *value)
{
	static const char trace[] = "trace:";
	const size_t skip = strlen(trace);
	const char *named = "";
	struct item item;
	size_t len = 0;

	if (value[0] == '{') /* JSON has no help */
		return false;
	if ((probe->help & HELP_WHOLE) && is_help(value, strlen(value)))
		return true;
	if (probe->key)
		key_get(value, probe->key, probe->help & HELP_IMPLIED, &named, &len);
	if (is_help(named, len))
		return true;
	for (bool first = true; item_next(&value, &item); first = false) {
		if ((probe->help & (first ? HELP_FIRST : HELP_LATER)) &&
		    is_help(item.name, item.name_len))
			return true;
		if ((probe->help & HELP_TRACE) && item.name_len > skip &&
		    strncmp(item.name, trace, skip) == 0 &&
		    is_help(item.name + skip, item.name_len - skip))
			return true;
	}
	return false;
}

/* Options that print something and exit. */
static bool prints(enum qemu_option_id id)
{
	return id == QEMU_OPTION_h || id == QEMU_OPTION_help || id == QEMU_OPTION_version ||
	       id == QEMU_OPTION_audio_help;
}

/*
 * Where words can change what others ask: QEMU reads more of them from a file, changes one by -set,
 * or has an option that is not known here, of which it is unknown whether the next word is its
 * value.
 */
static bool in_doubt(const struct qemu_arg *arg)
{
	return !arg->row || arg->row->same == QEMU_OPTION_readconfig ||
	       arg->row->same == QEMU_OPTION_set;
}

/* What the words so far ask for. */
struct asking {
	bool now, at_end[ARRAY_LEN(probes)];
	const char *machine; /* the last type */
	size_t machine_len;
};

static void ask(struct asking *asking, const struct qemu_arg *arg)
{
	if (arg->row->same == QEMU_OPTION_machine)
		key_get(arg->value, "type", true, &asking->machine, &asking->machine_len);
	for (size_t i = 0; i < ARRAY_LEN(probes); i++) {
		if (arg->row->same != probes[i].option)
			continue;
		asking->at_end[i] = asks_help(&probes[i], arg->value);
		asking->now |= asking->at_end[i] && !(probes[i].help & HELP_AT_END);
	}
}

enum probe_kind probe_of(const struct cmdline *cmdline)
{
	struct asking asking = { .machine = "" };
	struct qemu_arg arg;
	unsigned pos = 0;

	while (qemu_arg_next(cmdline, &pos, &arg)) {
		if (in_doubt(&arg))
			return PROBE_NONE;
		if (prints(arg.row->same))
			return PROBE_PRINTS;
		if (arg.value)
			ask(&asking, &arg);
	}
	for (size_t i = 0; i < ARRAY_LEN(probes); i++)
		asking.now |= asking.at_end[i];
	if (asking.now)
		return PROBE_PRINTS;
	return is_word(asking.machine, asking.machine_len, "none") ? PROBE_NO_MACHINE : PROBE_NONE;
}

const char probe_descriptor[] = "{\"version\":1,\"capabilities\":[]}";

void probe_reduce(struct desc *desc, enum probe_kind kind)
{
	desc->probe = kind;
	desc->n_args = 0;
	desc->n_nics = 0;
	desc->adopt = false;
	desc->cid = 0;
	desc->n_cgroups = 0;
	desc->cgroup_fd = -1;
	desc->stdin_from = STDIN_KEEP;
	desc->report_path = NULL;
	desc->report_fd = -1;
	/* an answer ends it, and a manager's probe may daemonize */
	desc->die_with_parent = false;
	/* it names other files than the guest: the domain is one without rules for files */
	desc->box.on = false;
	/* no word is added to a question */
	desc->default_nic = true;
}
