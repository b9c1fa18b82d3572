/*
 * needs.c - what QEMU's words need from the filter
 *
 * QEMU's own message about a denied call names the wrong thing, or nothing, so the problem is
 * reported here, before anything is opened. Every use of an option is examined, every use of a key
 * in it, and every syntax that QEMU accepts: words, JSON, and json: in place of the file name of a
 * disk.
 */
#include "config.h"

#include "plan/needs.h"

#include <string.h>

#include "base/switch.h"

/* --- groups ----------------------------------------------------------------------------------- */

enum match {
	MATCH_OPTION, /* the option is present */
	MATCH_ON,     /* it has the key, with a value other than "off" */
	MATCH_LIST,   /* the key is present, once or as a list */
	MATCH_LEAF,   /* the key, at any depth, has the value */
};

static const struct need {
	enum qemu_option_id option;
	enum match match;
	const char *key, *value;
	enum filter_group group;
} needs[] = {
	{ QEMU_OPTION_daemonize, MATCH_OPTION, NULL, NULL, FILTER_GROUP_daemonize },
	/* a process that shares memory with QEMU, created by clone */
	{ QEMU_OPTION_async_teardown, MATCH_OPTION, NULL, NULL, FILTER_GROUP_daemonize },
	{ QEMU_OPTION_run_with, MATCH_ON, "async-teardown", NULL, FILTER_GROUP_daemonize },
	{ QEMU_OPTION_runas, MATCH_OPTION, NULL, NULL, FILTER_GROUP_runas },
	{ QEMU_OPTION_run_with, MATCH_LIST, "user", NULL, FILTER_GROUP_runas },
	{ QEMU_OPTION_chroot, MATCH_OPTION, NULL, NULL, FILTER_GROUP_chroot },
	{ QEMU_OPTION_run_with, MATCH_LIST, "chroot", NULL, FILTER_GROUP_chroot },
	{ QEMU_OPTION_drive, MATCH_LEAF, "aio", "io_uring", FILTER_GROUP_io_uring },
	{ QEMU_OPTION_drive, MATCH_LEAF, "driver", "io_uring", FILTER_GROUP_io_uring },
	{ QEMU_OPTION_blockdev, MATCH_LEAF, "aio", "io_uring", FILTER_GROUP_io_uring },
	{ QEMU_OPTION_blockdev, MATCH_LEAF, "driver", "io_uring", FILTER_GROUP_io_uring },
	{ QEMU_OPTION_fsdev, MATCH_OPTION, NULL, NULL, FILTER_GROUP_9p },
	{ QEMU_OPTION_virtfs, MATCH_OPTION, NULL, NULL, FILTER_GROUP_9p },
	/* it asks for a signal at the end of its parent */
	{ QEMU_OPTION_run_with, MATCH_ON, "exit-with-parent", NULL, FILTER_GROUP_daemonize },
	{ QEMU_OPTION_netdev, MATCH_LEAF, "type", "af-xdp", FILTER_GROUP_bpf },
	{ QEMU_OPTION_nic, MATCH_LEAF, "type", "af-xdp", FILTER_GROUP_bpf },
	{ QEMU_OPTION_object, MATCH_LEAF, "qom-type", "secret_keyring", FILTER_GROUP_keyring },
	{ QEMU_OPTION_object, MATCH_LEAF, "qom-type", "cryptodev-backend-lkcf",
	  FILTER_GROUP_keyring },
	{ QEMU_OPTION_drive, MATCH_LEAF, "driver", "nvme-io_uring", FILTER_GROUP_io_uring },
	{ QEMU_OPTION_blockdev, MATCH_LEAF, "driver", "nvme-io_uring", FILTER_GROUP_io_uring },
	{ QEMU_OPTION_drive, MATCH_LEAF, "type", "vsock", FILTER_GROUP_sockets },
	{ QEMU_OPTION_blockdev, MATCH_LEAF, "type", "vsock", FILTER_GROUP_sockets },
	{ QEMU_OPTION_overcommit, MATCH_ON, "mem-lock", NULL, FILTER_GROUP_mem_lock },
	/* keys that only thread-context has */
	{ QEMU_OPTION_object, MATCH_LIST, "cpu-affinity", NULL, FILTER_GROUP_affinity },
	{ QEMU_OPTION_object, MATCH_LIST, "node-affinity", NULL, FILTER_GROUP_affinity },
	{ QEMU_OPTION_object, MATCH_LEAF, "qom-type", "can-host-socketcan", FILTER_GROUP_sockets },
	{ QEMU_OPTION_netdev, MATCH_LEAF, "type", "af-xdp", FILTER_GROUP_sockets },
	{ QEMU_OPTION_nic, MATCH_LEAF, "type", "af-xdp", FILTER_GROUP_sockets },
	{ QEMU_OPTION_incoming, MATCH_LEAF, "type", "vsock", FILTER_GROUP_sockets },
};

/* The part of a key after its last dot. */
static const char *leaf(const char *key)
{
	const char *dot = strrchr(key, '.');

	return dot ? dot + 1 : key;
}

bool needs_is_key(const char *key, const char *name)
{
	const size_t len = strlen(name);

	return strncmp(key, name, len) == 0 && (key[len] == '\0' || key[len] == '.');
}

static bool opts_match(const struct need *need, const struct qopts *opts, struct arena *mem);

/* The file name of a disk may be its options: json:{...} (block.c, parse_json_filename). */
static bool name_matches(const struct need *need, const char *value, struct arena *mem)
{
	static const char json[] = "json:";
	struct qopts opts;

	return need->match == MATCH_LEAF && strncmp(value, json, strlen(json)) == 0 &&
	       qopts_parse(mem, value + strlen(json), NULL, &opts) && opts_match(need, &opts, mem);
}

static bool opts_match(const struct need *need, const struct qopts *opts, struct arena *mem)
{
	for (unsigned i = 0; i < opts->n; i++) {
		const struct qopt *opt = &opts->list[i];

		if (need->match == MATCH_ON && strcmp(opt->key, need->key) == 0 &&
		    strcmp(opt->value, "off") != 0)
			return true;
		if (need->match == MATCH_LIST && needs_is_key(opt->key, need->key))
			return true;
		if (need->match != MATCH_LEAF)
			continue;
		if (strcmp(leaf(opt->key), need->key) == 0 && strcmp(opt->value, need->value) == 0)
			return true;
		if (name_matches(need, opt->value, mem))
			return true;
	}
	return false;
}

static const char *need_text(const struct need *need, struct arena *mem)
{
	const char *name = qemu_option_row(need->option)->name;

	if (need->match == MATCH_OPTION)
		return arena_printf(mem, "-%s", name);
	return arena_printf(mem, "-%s %s%s%s", name, need->key, need->value ? "=" : "",
			    need->value ? need->value : "");
}

/* What a list would have had to name, because it gives away more than calls. */
static void warn_weakened(enum filter_group group, const char *what, struct diags *ds)
{
	if (group == FILTER_GROUP_io_uring) {
		(void)diag_add(ds, DIAG_SECCOMP_WEAKENED, 0, KEY(NULL, "seccomp"), "argv",
			       "%s needs io_uring, and a ring opens files and sockets past the "
			       "filter",
			       what);
		diag_hint(ds, "aio=native or aio=threads, or \"seccomp\": {\"allow\": "
			      "[\"io_uring\"]}");
	} else if (group == FILTER_GROUP_bpf) {
		(void)diag_add(ds, DIAG_SECCOMP_WEAKENED, 0, KEY(NULL, "seccomp"), "argv",
			       "%s needs bpf, and its program runs in the kernel", what);
		diag_hint(ds, "leave it out, or \"seccomp\": {\"allow\": [\"bpf\"]}");
	}
}

static int need_group(struct plan *plan, enum filter_group group, const char *what,
		      struct diags *ds)
{
	const struct seccomp_wish *wish = &plan->desc->seccomp;

	if (plan->confine.groups & FILTER_GROUP_BIT(group))
		return 0;
	if (wish->groups_listed && plan->desc->probe == PROBE_PRINTS)
		return 0;
	if (wish->groups_listed) {
		(void)diag_add(ds, DIAG_SECCOMP_NEEDS, 0, KEY(NULL, "seccomp"), "argv",
			       "%s needs system calls that the filter denies", what);
		diag_hint(ds, "\"seccomp\": {\"allow\": [\"%s\"]}, or leave out \"allow\"",
			  filter_group_name(group));
		return -1;
	}
	plan->confine.groups |= FILTER_GROUP_BIT(group);
	plan->confine.group_why[group] = what;
	warn_weakened(group, what, ds);
	return 0;
}

static int rule_groups(struct plan *plan, struct diags *ds)
{
	const struct qemu_args *words = plan->desc->words;
	int ret = 0;

	for (unsigned i = 0; i < ARRAY_LEN(needs); i++) {
		struct qemu_arg *arg = qemu_args_first(words, needs[i].option);
		bool found = false;

		for (; arg && !found; arg = qemu_args_after(words, arg)) {
			const struct qopts *opts = needs[i].match == MATCH_OPTION
							   ? NULL
							   : qemu_arg_opts(words, arg);

			found = needs[i].match == MATCH_OPTION ||
				(opts && opts_match(&needs[i], opts, ds->mem));
		}
		if (found)
			ret |= need_group(plan, needs[i].group, need_text(&needs[i], ds->mem), ds);
	}
	return ret;
}

/* Disks that have an option of their own. */
static int rule_disks(struct plan *plan, struct diags *ds)
{
	static const enum qemu_option_id disks[] = {
		QEMU_OPTION_fda,      QEMU_OPTION_fdb,    QEMU_OPTION_hda,   QEMU_OPTION_hdb,
		QEMU_OPTION_hdc,      QEMU_OPTION_hdd,    QEMU_OPTION_cdrom, QEMU_OPTION_sd,
		QEMU_OPTION_mtdblock, QEMU_OPTION_pflash,
	};
	static const struct need ring = { .match = MATCH_LEAF, .key = "aio", .value = "io_uring" };
	const struct qemu_args *words = plan->desc->words;
	int ret = 0;

	for (unsigned i = 0; i < ARRAY_LEN(disks); i++)
		for (struct qemu_arg *arg = qemu_args_first(words, disks[i]); arg;
		     arg = qemu_args_after(words, arg))
			if (arg->value && name_matches(&ring, arg->value, ds->mem))
				ret |= need_group(plan, FILTER_GROUP_io_uring,
						  arena_printf(ds->mem, "-%s json: aio=io_uring",
							       arg->name),
						  ds);
	return ret;
}

static bool is_on(const char *value)
{
	return value && switch_on(value);
}

static bool is_not_on(const char *value)
{
	return !switch_on(value);
}

/*
 * -global DRIVER.KEY=VALUE, or driver=,property=,value=: does it set that key? The value of the key
 * is in *ret. The driver may be one that others are made of, so its name is not looked at.
 */
static bool global_sets(const struct qemu_args *words, struct qemu_arg *arg, const char *key,
			const char **ret)
{
	const struct qopts *opts = qemu_arg_opts(words, arg);
	const char *property = opts ? qopts_get(opts, "property") : NULL;
	const char *dot = arg->value ? strchr(arg->value, '.') : NULL;
	const char *equal = dot ? strchr(dot, '=') : NULL;
	const size_t len = strlen(key);

	/* the short form is tried first (softmmu/vl.c, qemu_global_option()) */
	if (equal && (size_t)(equal - dot - 1) == len && strncmp(dot + 1, key, len) == 0) {
		*ret = equal + 1;
		return true;
	}
	*ret = property && strcmp(property, key) == 0 ? qopts_get(opts, "value") : NULL;
	return *ret != NULL;
}

/* Is there a -global that sets key, to a value for which is() holds? */
static bool global_has(const struct qemu_args *words, const char *key, bool (*is)(const char *))
{
	for (struct qemu_arg *arg = qemu_args_first(words, QEMU_OPTION_global); arg;
	     arg = qemu_args_after(words, arg)) {
		const char *value;

		if (global_sets(words, arg, key, &value) && is(value))
			return true;
	}
	return false;
}

/* A guest creates files on it, as on a share. */
static int rule_usb_mtp(struct plan *plan, struct diags *ds)
{
	const struct qemu_args *words = plan->desc->words;
	const bool global = global_has(words, "readonly", is_not_on);

	for (struct qemu_arg *arg = qemu_args_first(words, QEMU_OPTION_device); arg;
	     arg = qemu_args_after(words, arg)) {
		const struct qopts *opts = qemu_arg_opts(words, arg);
		const char *driver = opts ? qopts_get(opts, "driver") : NULL;
		const char *readonly = opts ? qopts_get(opts, "readonly") : NULL;

		if (driver && strcmp(driver, "usb-mtp") == 0 &&
		    (readonly ? is_not_on(readonly) : global))
			return need_group(plan, FILTER_GROUP_9p, "-device usb-mtp readonly=off",
					  ds);
	}
	return 0;
}

/*
 * rss=on of a virtio NIC loads a program, where its backend is a TAP. From 10.0 on QEMU goes on
 * without if that is refused (hw/net/virtio-net.c, virtio_net_load_ebpf()).
 */
static const char *rss_of(const struct plan *plan, struct arena *mem)
{
	const struct qemu_args *words = plan->desc->words;

	for (struct qemu_arg *arg = qemu_args_first(words, QEMU_OPTION_device); arg;
	     arg = qemu_args_after(words, arg)) {
		const struct qopts *opts = qemu_arg_opts(words, arg);

		if (opts && is_on(qopts_get(opts, "rss")))
			return "-device rss=on";
	}
	if (global_has(words, "rss", is_on))
		return "-global rss=on";
	for (unsigned i = 0; i < plan->desc->n_nics; i++) {
		const struct props *props = &plan->desc->nics[i].device;

		for (unsigned p = 0; p < props->n; p++)
			if (strcmp(props->list[p].key, "rss") == 0 && is_on(props->list[p].value))
				return arena_printf(mem, "rss of nics[%u]", i);
	}
	return NULL;
}

static int rule_rss(struct plan *plan, struct diags *ds)
{
	const char *what = rss_of(plan, ds->mem);

	return what ? need_group(plan, FILTER_GROUP_bpf, what, ds) : 0;
}

/* --- programs --------------------------------------------------------------------------------- */

/* What QEMU would execute, and what to do instead. */
struct program_use {
	const char *what, *instead;
};

static bool is_script(const struct qopts *opts, const char *key)
{
	const char *value = qopts_get(opts, key);

	/* "no" and the empty string mean none (net/tap.c, net_init_tap_one) */
	return !value || (value[0] && strcmp(value, "no") != 0);
}

static struct program_use tap_executes(const struct qopts *opts)
{
	static const char off[] = "script=no,downscript=no, and set the link up before the launch";

	if (qopts_get(opts, "helper"))
		return (struct program_use){
			"QEMU runs a bridge helper for it",
			"make it a NIC of the descriptor with \"mode\": \"bridge\""
		};
	if (qopts_get(opts, "fd") || qopts_get(opts, "fds"))
		return (struct program_use){ 0 };
	if (is_script(opts, "script"))
		return (struct program_use){ "QEMU runs its script", off };
	if (is_script(opts, "downscript"))
		return (struct program_use){ "QEMU runs its downscript", off };
	return (struct program_use){ 0 };
}

static struct program_use user_executes(const struct qopts *opts)
{
	if (qopts_get(opts, "smb"))
		return (struct program_use){ "QEMU starts smbd for it",
					     "share the directory by 9p or virtiofs" };
	for (unsigned i = 0; i < opts->n; i++)
		if (needs_is_key(opts->list[i].key, "guestfwd") &&
		    strstr(opts->list[i].value, "-cmd:"))
			return (struct program_use){
				"QEMU runs the command of guestfwd",
				"name a chardev instead of the command: -chardev:ID"
			};
	return (struct program_use){ 0 };
}

static struct program_use netdev_executes(const struct qopts *opts)
{
	const char *type = qopts_get(opts, "type"), *sock = qopts_get(opts, "sock");

	if (!type)
		return (struct program_use){ 0 };
	if (strcmp(type, "passt") == 0)
		return (struct program_use){
			"QEMU starts passt for it",
			"make it a NIC of the descriptor with \"mode\": \"passt\""
		};
	if (strcmp(type, "bridge") == 0)
		return (struct program_use){
			"QEMU runs a bridge helper for it",
			"make it a NIC of the descriptor with \"mode\": \"bridge\""
		};
	if (strcmp(type, "vde") == 0 && sock && strncmp(sock, "cmd://", strlen("cmd://")) == 0)
		return (struct program_use){ "QEMU runs the command of sock",
					     "start a vde_switch before the launch" };
	if (strcmp(type, "tap") == 0)
		return tap_executes(opts);
	return strcmp(type, "user") == 0 ? user_executes(opts) : (struct program_use){ 0 };
}

const char *needs_program(const struct qopts *netdev)
{
	return netdev_executes(netdev).what;
}

static int refuse(const struct where *at, const char *object, struct program_use use,
		  struct diags *ds)
{
	if (!use.what)
		return 0;
	(void)diag_add(ds, DIAG_SECCOMP_NEEDS, 0, at, object,
		       "%s, and the filter lets QEMU execute nothing", use.what);
	diag_hint(ds, "%s, or set \"seccomp\": \"none\"", use.instead);
	return -1;
}

static int rule_netdevs(const struct plan *plan, struct diags *ds)
{
	static const enum qemu_option_id options[] = { QEMU_OPTION_netdev, QEMU_OPTION_nic,
						       QEMU_OPTION_net };
	const struct qemu_args *words = plan->desc->words;
	int ret = 0;

	for (unsigned i = 0; i < ARRAY_LEN(options); i++)
		for (struct qemu_arg *arg = qemu_args_first(words, options[i]); arg;
		     arg = qemu_args_after(words, arg))
			if (qemu_arg_opts(words, arg))
				ret |= refuse(KEY(NULL, "seccomp"), "argv",
					      netdev_executes(&arg->opts), ds);
	return ret;
}

/* The netdevs of the plan, for which the remedy is a key of the NIC. */
static int rule_nics(const struct plan *plan, struct diags *ds)
{
	int ret = 0;

	for (unsigned i = 0; i < plan->desc->n_nics; i++) {
		const struct nic_plan *np = &plan->nics[i];
		struct program_use use;
		struct qopts opts;

		if (!np->netdev || !qopts_parse(ds->mem, np->netdev, "type", &opts))
			continue;
		use = netdev_executes(&opts);
		if (!np->nic->handoff)
			use.instead = "leave out \"handoff\": the launch then does it";
		else if (np->nic->native)
			use.instead = "leave out \"native\": the launch then starts passt";
		ret |= refuse(np->nic->at, NULL, use, ds);
	}
	return ret;
}

static bool is_exec_channel(const struct qopts *opts)
{
	for (unsigned i = 0; i < opts->n; i++)
		if (strcmp(leaf(opts->list[i].key), "transport") == 0 &&
		    strcmp(opts->list[i].value, "exec") == 0)
			return true;
	return false;
}

static int rule_incoming(struct plan *plan, struct diags *ds)
{
	static const struct program_use use = {
		"-incoming exec runs a command",
		"start the command first, and pass its output with -incoming fd:N",
	};
	const struct qemu_args *words = plan->desc->words;
	int ret = 0;

	for (struct qemu_arg *arg = qemu_args_first(words, QEMU_OPTION_incoming); arg;
	     arg = qemu_args_after(words, arg)) {
		const char *value = arg->value ? arg->value : "";
		const struct qopts *opts = value[0] == '{' ? qemu_arg_opts(words, arg) : NULL;

		if (strncmp(value, "exec:", strlen("exec:")) == 0 ||
		    (opts && is_exec_channel(opts)))
			ret |= plan->desc->probe == PROBE_PRINTS
				       ? 0
				       : refuse(KEY(NULL, "seccomp"), "argv", use, ds);
		if (strncmp(value, "vsock:", strlen("vsock:")) == 0)
			ret |= need_group(plan, FILTER_GROUP_sockets, "-incoming vsock", ds);
	}
	return ret;
}

static int rule_display(const struct plan *plan, struct diags *ds)
{
	static const struct program_use use = {
		"-display spice-app starts a viewer",
		"-spice unix=on,addr=PATH, and start the viewer outside",
	};
	const struct qemu_args *words = plan->desc->words;
	int ret = 0;

	for (struct qemu_arg *arg = qemu_args_first(words, QEMU_OPTION_display); arg;
	     arg = qemu_args_after(words, arg)) {
		const struct qopts *opts = qemu_arg_opts(words, arg);
		const char *type = opts ? qopts_get(opts, "type") : NULL;

		if (type && strcmp(type, "spice-app") == 0)
			ret |= refuse(KEY(NULL, "seccomp"), "argv", use, ds);
	}
	return ret;
}

static int rule_programs(const struct plan *plan, struct diags *ds)
{
	/* it ends before it would execute one */
	if (plan->desc->probe == PROBE_PRINTS)
		return 0;
	return rule_netdevs(plan, ds) | rule_nics(plan, ds) | rule_display(plan, ds);
}

int needs_of_filter(struct plan *plan, struct diags *ds)
{
	return rule_groups(plan, ds) | rule_disks(plan, ds) | rule_usb_mtp(plan, ds) |
	       rule_rss(plan, ds) | rule_incoming(plan, ds) | rule_programs(plan, ds);
}
