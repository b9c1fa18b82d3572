/*
 * capabilities.c - which capabilities QEMU keeps, and why
 *
 * The devices are already open when QEMU starts, so it needs almost no capability. By default uid 0
 * keeps CAP_DAC_OVERRIDE, without which it could not open disks that belong to others, and the
 * capabilities that its words or the descriptor need. Other ids keep only the latter, and after a
 * change of ids none are kept but CAP_SYS_CHROOT for -chroot. If a word is missing from this table,
 * the guest lacks a capability, but the host stays protected.
 */
#include "config.h"

#include "plan/capabilities.h"

#include <stdlib.h>
#include <string.h>

#include <linux/capability.h>

#include "base/capnames.h"
#include "base/switch.h"

struct deciding {
	struct plan *plan;
	struct arena *mem;
	struct kept_cap *kept;
	unsigned n;
	uint64_t needed;
};

static void need(struct deciding *d, uint64_t caps, const char *why)
{
	for (unsigned cap = 0; cap < CAPS_MAX; cap++) {
		if (!(caps & CAP_BIT(cap)) || (d->needed & CAP_BIT(cap)))
			continue;
		d->needed |= CAP_BIT(cap);
		d->kept[d->n++] = (struct kept_cap){ .cap = cap, .why = why };
	}
}

/* --- options that need one by their name, or by a key of their value -------------------------- */

enum match {
	MATCH_OPTION, /* the option is present */
	MATCH_KEY,    /* its value has the key */
	MATCH_ON,     /* its value has the key, set to on */
	MATCH_FIRST,  /* its first word, or the key it stands for, begins like this */
};

static const struct need_row {
	const char *option;
	enum match match;
	const char *key; /* for MATCH_FIRST: the key that the first word stands for */
	const char *first;
	uint64_t caps;
} need_rows[] = {
	{ "chroot", MATCH_OPTION, NULL, NULL, CAP_BIT(CAP_SYS_CHROOT) },
	{ "run-with", MATCH_KEY, "chroot", NULL, CAP_BIT(CAP_SYS_CHROOT) },
	{ "runas", MATCH_OPTION, NULL, NULL, CAP_BIT(CAP_SETUID) | CAP_BIT(CAP_SETGID) },
	{ "run-with", MATCH_KEY, "user", NULL, CAP_BIT(CAP_SETUID) | CAP_BIT(CAP_SETGID) },
	{ "overcommit", MATCH_ON, "mem-lock", NULL, CAP_BIT(CAP_IPC_LOCK) },
	/*
	 * pinned pages count against RLIMIT_MEMLOCK (drivers/vfio/vfio_iommu_type1.c,
	 * drivers/vhost/vdpa.c, kvm/svm/sev.c)
	 */
	{ "device", MATCH_FIRST, "driver", "vfio-", CAP_BIT(CAP_IPC_LOCK) },
	{ "netdev", MATCH_FIRST, "type", "vhost-vdpa", CAP_BIT(CAP_IPC_LOCK) },
	{ "object", MATCH_FIRST, "qom-type", "sev-", CAP_BIT(CAP_IPC_LOCK) },
	{ "object", MATCH_FIRST, "qom-type", "iommufd", CAP_BIT(CAP_IPC_LOCK) },
	{ "device", MATCH_FIRST, "driver", "scsi-generic", CAP_BIT(CAP_SYS_RAWIO) },
	{ "device", MATCH_FIRST, "driver", "scsi-block", CAP_BIT(CAP_SYS_RAWIO) },
	/* its program compares pointers (measured with 10.0 and 11.1 on Linux 6.18) */
	{ "device", MATCH_ON, "rss", NULL, CAP_BIT(CAP_BPF) | CAP_BIT(CAP_PERFMON) },
	{ "netdev", MATCH_FIRST, "type", "l2tpv3", CAP_BIT(CAP_NET_RAW) },
	{ "netdev", MATCH_FIRST, "type", "af-xdp",
	  CAP_BIT(CAP_NET_RAW) | CAP_BIT(CAP_NET_ADMIN) | CAP_BIT(CAP_BPF) },
};

static bool row_matches(const struct need_row *row, const struct qopts *opts)
{
	const char *value = row->key ? qopts_get(opts, row->key) : NULL;

	switch (row->match) {
	case MATCH_OPTION:
		return true;
	case MATCH_KEY:
		return value != NULL;
	case MATCH_ON:
		return switch_on(value);
	case MATCH_FIRST:
		return value && strncmp(value, row->first, strlen(row->first)) == 0;
	}
	return false;
}

static const char *row_why(struct deciding *d, const struct need_row *row, const struct qopts *opts)
{
	if (row->match == MATCH_OPTION)
		return arena_printf(d->mem, "-%s", row->option);
	if (row->match == MATCH_FIRST)
		return arena_printf(d->mem, "-%s %s", row->option, qopts_get(opts, row->key));
	return arena_printf(d->mem, "-%s %s=%s", row->option, row->key, qopts_get(opts, row->key));
}

static void need_by_row(struct deciding *d, const char *option, const struct qopts *opts)
{
	static const struct qopts none;

	for (unsigned i = 0; i < ARRAY_LEN(need_rows); i++) {
		const struct need_row *row = &need_rows[i];

		if (strcmp(option, row->option) == 0 && row_matches(row, opts ? opts : &none))
			need(d, row->caps, row_why(d, row, opts));
	}
}

/* --- shared directories ----------------------------------------------------------------------- */

/*
 * With these, owners, modes and nodes from the guest become real ones on the host
 * (hw/9pfs/9p-local.c).
 */
static void need_of_9p(struct deciding *d, const char *option, const struct qopts *opts)
{
	const char *driver = qopts_get(opts, "fsdriver"),
		   *model = qopts_get(opts, "security_model");

	if (!driver || strcmp(driver, "local") != 0 || !model ||
	    strncmp(model, "mapped", strlen("mapped")) == 0)
		return;
	need(d, CAP_BIT(CAP_CHOWN) | CAP_BIT(CAP_FOWNER) | CAP_BIT(CAP_FSETID) | CAP_BIT(CAP_MKNOD),
	     arena_printf(d->mem, "-%s security_model=%s", option, model));
}

/* --- netdevs ---------------------------------------------------------------------------------- */

enum {
	PORT_PRIVILEGED_END = 1024
}; /* default of ip_unprivileged_port_start (net/ipv4); a host may lower it */

static bool port_is_low(const char *text)
{
	char *end;
	const unsigned long port = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;

	return port > 0 && port < PORT_PRIVILEGED_END && (*end == '\0' || strchr("-,:", *end));
}

/* "tcp:[host]:port-[guest]:port": the host's port is before the '-'. */
static bool hostfwd_is_low(const char *rule)
{
	const char *dash = strchr(rule, '-'), *colon = NULL;

	for (const char *c = rule; *c && c != dash; c++)
		if (*c == ':')
			colon = c;
	return colon && port_is_low(colon + 1);
}

static void need_of_user_netdev(struct deciding *d, const struct qopts *opts)
{
	for (unsigned i = 0; i < opts->n; i++)
		if (strcmp(opts->list[i].key, "hostfwd") == 0 &&
		    hostfwd_is_low(opts->list[i].value))
			need(d, CAP_BIT(CAP_NET_BIND_SERVICE),
			     arena_printf(d->mem, "hostfwd=%s", opts->list[i].value));
}

/*
 * A tap that QEMU itself creates or attaches to, and a bridge, whose helper has no more privilege
 * than QEMU.
 */
static void need_of_netdev(struct deciding *d, const struct qopts *opts)
{
	const char *type = qopts_get(opts, "type");

	if (!type)
		return;
	if (strcmp(type, "user") == 0)
		need_of_user_netdev(d, opts);
	if (strcmp(type, "bridge") == 0 ||
	    (strcmp(type, "tap") == 0 && !qopts_get(opts, "fd") && !qopts_get(opts, "fds")))
		need(d, CAP_BIT(CAP_NET_ADMIN), arena_printf(d->mem, "a %s that QEMU opens", type));
}

/* --- ports of servers ------------------------------------------------------------------------- */

static bool among(const char *word, const char *const *list)
{
	while (*list && strcmp(word, *list) != 0)
		list++;
	return *list != NULL;
}

/* "tcp:host:port,..." and the like: the port is after the last colon before the first comma. */
static bool address_is_low(const char *value)
{
	const size_t len = strcspn(value, ",");
	const char *colon = NULL;

	for (size_t i = 0; i < len; i++)
		if (value[i] == ':')
			colon = value + i;
	return colon && colon != value && port_is_low(colon + 1);
}

static void need_of_server(struct deciding *d, struct qemu_arg *arg)
{
	const char *const option = arg->row->name;
	const struct qopts *opts;
	static const char *const ports[] = { "port",      "tls-port",   "websocket",
					     "addr.port", "local.port", NULL };
	bool low = strcmp(option, "netdev") != 0 && strcmp(option, "vnc") != 0 &&
		   address_is_low(arg->value);

	opts = low ? NULL : qemu_arg_opts(d->plan->desc->words, arg);
	for (unsigned i = 0; opts && i < opts->n; i++)
		low |= among(opts->list[i].key, ports) && port_is_low(opts->list[i].value);
	if (low)
		need(d, CAP_BIT(CAP_NET_BIND_SERVICE),
		     arena_printf(d->mem, "-%s %s", option, arg->value));
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Options that are not examined here cost nothing, however long they are. */
static void need_of_words(struct deciding *d)
{
	static const enum qemu_option_id servers[] = {
		QEMU_OPTION_chardev, QEMU_OPTION_serial,   QEMU_OPTION_parallel,
		QEMU_OPTION_monitor, QEMU_OPTION_qmp,      QEMU_OPTION_qmp_pretty,
		QEMU_OPTION_gdb,     QEMU_OPTION_incoming, QEMU_OPTION_spice,
		QEMU_OPTION_vnc,     QEMU_OPTION_netdev,
	};
	static const enum qemu_option_id netdevs[] = { QEMU_OPTION_netdev, QEMU_OPTION_nic,
						       QEMU_OPTION_net };
	static const enum qemu_option_id shares[] = { QEMU_OPTION_fsdev, QEMU_OPTION_virtfs };
	const struct qemu_args *words = d->plan->desc->words;

	for (unsigned i = 0; i < ARRAY_LEN(need_rows); i++) {
		const struct qemu_option *row = qemu_option_find(need_rows[i].option);

		for (struct qemu_arg *arg = qemu_args_first(words, row->same); arg;
		     arg = qemu_args_after(words, arg))
			if (arg->value)
				need_by_row(d, row->name, qemu_arg_opts(words, arg));
	}
	for (unsigned i = 0; i < ARRAY_LEN(shares); i++)
		for (struct qemu_arg *arg = qemu_args_first(words, shares[i]); arg;
		     arg = qemu_args_after(words, arg))
			if (qemu_arg_opts(words, arg))
				need_of_9p(d, arg->row->name, &arg->opts);
	for (unsigned i = 0; i < ARRAY_LEN(servers); i++)
		for (struct qemu_arg *arg = qemu_args_first(words, servers[i]); arg;
		     arg = qemu_args_after(words, arg))
			if (arg->value)
				need_of_server(d, arg);
	for (unsigned i = 0; i < ARRAY_LEN(netdevs); i++)
		for (struct qemu_arg *arg = qemu_args_first(words, netdevs[i]); arg;
		     arg = qemu_args_after(words, arg))
			if (qemu_arg_opts(words, arg))
				need_of_netdev(d, &arg->opts);
}

static void need_of_nics(struct deciding *d)
{
	for (unsigned i = 0; i < d->plan->desc->n_nics; i++) {
		const char *value = d->plan->nics[i].netdev, *device = d->plan->nics[i].device;
		struct qopts opts;

		if (device && qopts_parse(d->mem, device, "driver", &opts))
			need_by_row(d, "device", &opts);
		if (!value || !qopts_parse(d->mem, value, "type", &opts))
			continue;
		need_by_row(d, "netdev", &opts);
		need_of_netdev(d, &opts);
	}
}

/* The list in the descriptor: a capability can only be kept if this process has it. */
static int keep_list(struct deciding *d, struct diags *ds)
{
	const uint64_t lacking = d->plan->desc->caps_list & ~d->plan->facts->caps.permitted;

	for (unsigned cap = 0; cap < CAPS_MAX; cap++) {
		if (!(lacking & CAP_BIT(cap)))
			continue;
		(void)diag_add(ds, DIAG_CAPABILITY_MISSING, 0, KEY(NULL, "capabilities"),
			       capname(cap), "uid %u does not have it, so QEMU cannot keep it",
			       d->plan->facts->uid);
		diag_hint(ds, "start with this capability (systemd: AmbientCapabilities=), or "
			      "leave it out");
		return -1;
	}
	need(d, d->plan->desc->caps_list, "capabilities");
	return 0;
}

/*
 * Other ids keep none, but QEMU changes its root directory itself, and ends where it may not. It
 * has done so before a guest runs.
 */
static void keep_chroot(struct deciding *d)
{
	const struct qemu_args *words = d->plan->desc->words;
	const char *dir = qemu_args_last(words, QEMU_OPTION_run_with, "chroot");

	if (!(d->plan->facts->caps.permitted & CAP_BIT(CAP_SYS_CHROOT)))
		return;
	if (qemu_args_has(words, QEMU_OPTION_chroot))
		need(d, CAP_BIT(CAP_SYS_CHROOT), "-chroot");
	else if (dir)
		need(d, CAP_BIT(CAP_SYS_CHROOT), "-run-with chroot");
}

static void keep_default(struct deciding *d)
{
	const struct plan *plan = d->plan;
	uint64_t have = plan->facts->caps.permitted;
	unsigned n = 0;

	if (plan->confine.take_ids && !plan->facts->ids.same) {
		keep_chroot(d);
		return;
	}
	need_of_words(d);
	need_of_nics(d);
	if (plan->facts->uid == 0)
		need(d, CAP_BIT(CAP_DAC_OVERRIDE), "files of other owners");
	/* QEMU runs without what this process does not have, as before */
	for (unsigned i = 0; i < d->n; i++)
		if (have & CAP_BIT(d->kept[i].cap))
			d->kept[n++] = d->kept[i];
	d->n = n;
	d->needed &= have;
}

/*
 * Without CAP_SETPCAP the bounding set stays, and an exec by root would restore the capabilities in
 * it.
 */
static int rule_bounding(const struct plan *plan, struct diags *ds)
{
	const struct cap_facts *caps = &plan->facts->caps;

	if (!plan->confine.drop_caps || (caps->effective & CAP_BIT(CAP_SETPCAP)) ||
	    plan->confine.no_new_privs || plan->facts->uid != 0 ||
	    (caps->bounding & ~plan->confine.caps) == 0)
		return 0;
	(void)diag_add(ds, DIAG_CAPABILITY_MISSING, 0, KEY(NULL, "capabilities"),
		       capname(CAP_SETPCAP),
		       "without it, root's capabilities cannot be dropped for good");
	diag_hint(ds, "start with this capability, leave the filter on, or set \"capabilities\": "
		      "\"keep\"");
	return -1;
}

int capabilities_decide(struct plan *plan, struct arena *mem, struct diags *ds)
{
	const struct cap_facts *caps = &plan->facts->caps;
	struct deciding d = { .plan = plan, .mem = mem };

	d.kept = arena_array(mem, CAPS_MAX, sizeof(*d.kept));
	plan->confine.drop_caps = plan->desc->caps != CAPS_KEEP &&
				  (plan->confine.take_ids ||
				   (caps->permitted | caps->inheritable | caps->ambient) != 0);
	if (plan->desc->caps == CAPS_LIST && keep_list(&d, ds) < 0)
		return -1;
	if (plan->confine.drop_caps && plan->desc->caps == CAPS_DEFAULT)
		keep_default(&d);
	plan->confine.caps = d.needed;
	plan->confine.kept = d.kept;
	plan->confine.n_kept = d.n;
	return rule_bounding(plan, ds);
}

void capabilities_warn(const struct plan *plan, struct diags *ds)
{
	if ((plan->confine.take_ids ? plan->facts->ids.uid : plan->facts->uid) != 0)
		return;
	(void)diag_add(ds, DIAG_QEMU_ROOT, 0, NULL, plan->qemu,
		       "QEMU runs as root, so it owns the host's files%s",
		       plan->confine.drop_caps ? "" : " and keeps every capability");
	diag_hint(ds, "set \"user\" to an account of the guest's own");
}
