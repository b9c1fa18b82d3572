/*
 * report.c - a plan as a document
 *
 * Nothing is decided here: every value comes from the plan or is a fact, so what is shown is what
 * QEMU gets.
 */
#include "config.h"

#include "plan/report.h"

#include <string.h>

#include "base/capnames.h"
#include "desc/backend.h"
#include "mode/mode.h"
#include "base/utf8.h"
#include "mode/table.h"
#include "plan/box.h"
#include "plan/terminal.h"

struct view {
	const struct plan *plan;
	const struct diags *ds;
	struct arena *mem;
};

/* --- JSON ------------------------------------------------------------------------------------- */

static void put_string(struct str *s, const char *value)
{
	str_put(s, "\"");
	str_put_json(s, value);
	str_put(s, "\"");
}

static void put_member(struct str *s, const char *key, const char *value)
{
	if (value) {
		str_put(s, ",\"%s\":", key);
		put_string(s, value);
	}
}

static void put_numbers(struct str *s, const char *key, const int *fds, unsigned n)
{
	if (!fds)
		return;
	str_put(s, ",\"%s\":[", key);
	for (unsigned i = 0; i < n; i++)
		str_put(s, "%s%d", i > 0 ? "," : "", fds[i]);
	str_put(s, "]");
}

static void json_link(struct str *s, const struct nic_plan *np)
{
	const struct link *link = &np->facts->link;

	if (link->ifindex == 0)
		return;
	str_put(s, ",\"link\":{\"name\":");
	put_string(s, link->name);
	str_put(s, ",\"ifindex\":%u,\"kind\":", link->ifindex);
	put_string(s, link->kind);
	if (link->has_mac)
		str_put(s, ",\"mac\":\"" MAC_FMT "\"", MAC_ARG(link->mac));
	str_put(s, ",\"mtu\":%u,\"up\":%s", link->mtu, link->up ? "true" : "false");
	if (link->master != 0)
		str_put(s, ",\"master\":%u", link->master);
	if (mode_row(np->nic->mode)->needs & NEEDS_SYSFS)
		str_put(s, ",\"node\":\"%u:%u\"", np->facts->sysfs.dev.major,
			np->facts->sysfs.dev.minor);
	str_put(s, "}");
}

/* "tcp 2222 on all addresses" in parts. */
static void json_listens(struct str *s, const struct nic_plan *np)
{
	for (unsigned i = 0; i < np->n_listens; i++) {
		const struct listen *l = &np->listens[i];

		str_put(s, "%s{\"protocol\":\"%s\",\"address\":", i > 0 ? "," : ",\"listens\":[",
			l->udp ? "udp" : "tcp");
		put_string(s, l->address ? l->address : "*");
		put_member(s, "link", l->link);
		put_member(s, "ports", l->ports);
		str_put(s, "}");
	}
	str_put(s, "%s", np->n_listens > 0 ? "]" : "");
}

static void json_passt(struct str *s, const struct nic_plan *np)
{
	if (!(mode_row(np->nic->mode)->needs & NEEDS_PASST))
		return;
	str_put(s, ",\"vhost_user\":%s,\"native\":%s", np->nic->vhost_user ? "true" : "false",
		np->nic->native ? "true" : "false");
	if (np->lifeline >= 0)
		str_put(s, ",\"lifeline\":%d", np->lifeline);
	for (unsigned i = 0; np->passt && np->passt[i]; i++) {
		str_put(s, "%s", i > 0 ? "," : ",\"passt\":[");
		put_string(s, np->passt[i]);
	}
	str_put(s, "%s", np->passt ? "]" : "");
}

/* The word for what stands in a text that cannot be read. */
static const char unknown[] = "unknown";

static bool vhost_unknown(const struct nic_plan *np)
{
	return np->unread && np->nic->vhost == CHOICE_ABSENT;
}

static void json_nic(struct str *s, const struct nic_plan *np, int passt_pid)
{
	const struct backend *text = np->nic->backend;
	const bool given = text && text->n_fds > 0;

	str_put(s, "{\"id\":");
	put_string(s, np->nic->id);
	put_member(s, "mode", mode_name(np->nic->mode));
	put_member(s, "ifname", np->nic->ifname);
	put_member(s, "bridge", np->nic->bridge);
	if (np->queues_unknown)
		put_member(s, "queues", unknown);
	else
		str_put(s, ",\"queues\":%u", np->queues);
	put_member(s, "queues_why", np->queues_why);
	if (vhost_unknown(np))
		put_member(s, "vhost", unknown);
	else
		str_put(s, ",\"vhost\":%s", np->vhost ? "true" : "false");
	put_member(s, "vhost_why", np->vhost_why);
	if (np->unread)
		put_member(s, "handoff", unknown);
	else
		str_put(s, ",\"handoff\":%s", np->fds || given ? "true" : "false");
	if (np->has_mac)
		str_put(s, ",\"mac\":\"" MAC_FMT "\"", MAC_ARG(np->mac));
	put_member(s, "mac_from", np->mac_from);
	put_numbers(s, "fds", given ? text->fds : np->fds, given ? text->n_fds : np->n_fds);
	put_numbers(s, "vhostfds", given ? text->vhostfds : np->vhostfds,
		    given ? text->n_vhostfds : np->queues);
	json_passt(s, np);
	if (passt_pid > 0)
		str_put(s, ",\"passt_pid\":%d", passt_pid);
	json_listens(s, np);
	put_member(s, "chardev", np->chardev);
	put_member(s, "netdev", np->netdev);
	put_member(s, "replaces", np->replaces);
	put_member(s, "device", np->device);
	json_link(s, np);
	str_put(s, "}");
}

static void json_slot(struct str *s, const struct plan *plan, const struct slot *slot)
{
	str_put(s, "{\"fd\":%d,\"what\":\"%s\"", slot->fd, slot_kind_name(slot->kind));
	if (slot->kind != SLOT_VHOST_VSOCK) {
		put_member(s, "nic", plan->nics[slot->nic].nic->id);
		str_put(s, ",\"queue\":%u", slot->queue);
	}
	put_member(s, "path", slot->path);
	str_put(s, "}");
}

static const char *profile_name(const struct plan *plan)
{
	return !plan->confine.filter ? "none" : plan->desc->seccomp.bpf ? "bpf" : "qemu";
}

/* The groups that are allowed because a word needs them. */
static void json_groups_why(struct str *s, const struct plan *plan)
{
	bool any = false;

	for (unsigned g = 0; g < FILTER_GROUP__COUNT; g++) {
		if (!plan->confine.group_why[g])
			continue;
		str_put(s, "%s{\"group\":\"%s\"", any ? "," : ",\"needed\":[",
			filter_group_name(g));
		put_member(s, "why", plan->confine.group_why[g]);
		str_put(s, "}");
		any = true;
	}
	str_put(s, "%s", any ? "]" : "");
}

static void json_seccomp(struct str *s, const struct plan *plan)
{
	const struct seccomp_wish *wish = &plan->desc->seccomp;
	bool any = false;

	str_put(s, ",\"seccomp\":{\"profile\":\"%s\"", profile_name(plan));
	put_member(s, "bpf", wish->bpf);
	if (plan->confine.filter && !wish->bpf) {
		str_put(s, ",\"action\":\"%s\",\"allow\":[", filter_action_name(wish->action));
		for (unsigned g = 0; g < FILTER_GROUP__COUNT; g++) {
			if (!(plan->confine.groups & FILTER_GROUP_BIT(g)))
				continue;
			str_put(s, "%s\"%s\"", any ? "," : "", filter_group_name(g));
			any = true;
		}
		str_put(s, "]");
		json_groups_why(s, plan);
	}
	str_put(s, "}");
}

static void json_ids(struct str *s, const struct plan *plan)
{
	const struct ids_facts *ids = &plan->facts->ids;

	if (!plan->confine.take_ids)
		return;
	str_put(s, ",\"ids\":{\"uid\":%u,\"gid\":%u,\"groups\":[", ids->uid, ids->gid);
	for (unsigned i = 0; i < ids->n_groups; i++)
		str_put(s, "%s%u", i > 0 ? "," : "", ids->groups[i]);
	str_put(s, "]}");
}

static void json_caps(struct str *s, const struct plan *plan)
{
	if (plan->desc->caps == CAPS_KEEP) {
		str_put(s, ",\"capabilities\":\"keep\"");
		return;
	}
	str_put(s, ",\"capabilities\":[");
	for (unsigned i = 0; i < plan->confine.n_kept; i++) {
		const struct kept_cap *kept = &plan->confine.kept[i];

		str_put(s, "%s{\"name\":\"%s\"", i > 0 ? "," : "", capname(kept->cap));
		put_member(s, "why", kept->why);
		str_put(s, "}");
	}
	str_put(s, "]");
}

static void json_box(struct str *s, const struct plan *plan)
{
	const struct box_plan *box = &plan->confine.box;
	const char *unbounded[BOX_UNBOUNDED_MAX];

	if (box->n == 0)
		return;
	str_put(s, ",\"box\":{\"abi\":%d,\"rules\":[", plan->facts->landlock_abi);
	for (unsigned i = 0; i < box->n; i++) {
		str_put(s, "%s{\"path\":", i > 0 ? "," : "");
		put_string(s, box->rules[i].spot->path);
		put_member(s, "access", box_access_name(box->rules[i].spot->access));
		put_member(s, "why", box->rules[i].why);
		str_put(s, "}");
	}
	str_put(s, "],\"cannot_bound\":[");
	box_unbounded(plan, unbounded);
	for (unsigned i = 0; unbounded[i]; i++) {
		str_put(s, "%s", i > 0 ? "," : "");
		put_string(s, unbounded[i]);
	}
	str_put(s, "]}");
}

static void json_confine(struct str *s, const struct plan *plan)
{
	str_put(s, ",\"cgroups\":[");
	for (unsigned i = 0; i < plan->facts->n_cgroups; i++) {
		str_put(s, "%s{\"path\":", i > 0 ? "," : "");
		put_string(s, plan->facts->cgroups[i].path);
		str_put(s, ",\"already_member\":%s}",
			plan->facts->cgroups[i].here ? "true" : "false");
	}
	str_put(s, "]");
	json_ids(s, plan);
	json_caps(s, plan);
	put_member(s, "taken", plan->desc->taken);
	json_seccomp(s, plan);
	str_put(s, ",\"landlock\":%s", plan->confine.landlock ? "true" : "false");
	put_member(s, "landlock_why", plan->confine.landlock_why);
	json_box(s, plan);
	put_member(s, "terminal", terminal_word(plan));
	str_put(s, ",\"filters\":%u", plan->confine.filters);
	str_put(s, ",\"no_new_privs\":%s", plan->confine.no_new_privs ? "true" : "false");
	if (plan->desc->die_with_parent)
		str_put(s, ",\"die_with_parent\":true");
	if (plan->nofile > 0)
		str_put(s, ",\"nofile\":%lu", plan->nofile);
}

static void json_warnings(struct str *s, const struct diags *ds)
{
	bool any = false;

	str_put(s, ",\"warnings\":[");
	for (unsigned i = 0; i < ds->n; i++) {
		if (diag_status(ds->list[i].id) != EXIT_NONE)
			continue;
		str_put(s, "%s", any ? "," : "");
		diag_json(&ds->list[i], s);
		any = true;
	}
	str_put(s, "]");
}

static void render_json(struct str *s, const void *arg)
{
	const struct view *v = arg;
	const struct plan *plan = v->plan;

	str_put(s, "{\"version\":1");
	put_member(s, "name", plan->desc->name);
	put_member(s, "descriptor", plan->desc->chosen);
	put_member(s, "qemu", plan->qemu);
	str_put(s, ",\"nics\":[");
	for (unsigned i = 0; i < plan->desc->n_nics; i++) {
		str_put(s, "%s", i > 0 ? "," : "");
		json_nic(s, &plan->nics[i], plan->passt_pids ? plan->passt_pids[i] : 0);
	}
	str_put(s, "]");
	if (plan->desc->cid != 0)
		str_put(s, ",\"vsock\":{\"cid\":%u,\"fd\":%d}", plan->desc->cid, plan->vsock_fd);
	str_put(s, ",\"fds\":[");
	for (unsigned i = 0; i < plan->n_slots; i++) {
		str_put(s, "%s", i > 0 ? "," : "");
		json_slot(s, plan, &plan->slots[i]);
	}
	str_put(s, "]");
	json_confine(s, plan);
	str_put(s, ",\"argv\":[");
	for (unsigned i = 0; i < plan->argc; i++) {
		str_put(s, "%s", i > 0 ? "," : "");
		put_string(s, plan->argv[i]);
	}
	str_put(s, "]");
	json_warnings(s, v->ds);
	str_put(s, "}\n");
}

/* --- text ------------------------------------------------------------------------------------- */

enum { COLUMNS = 80, ID_COLUMNS = 16 };

/*
 * How many bytes of text fit on one line: all, or up to a comma, a colon or a space, or as many
 * characters as there is room for.
 */
static size_t text_fit(const char *text, unsigned room)
{
	size_t at = 0, comma = 0;
	unsigned column = 0;

	while (text[at]) {
		const unsigned n = utf8_len(text + at, strnlen(text + at, 4)),
			       bytes = n > 0 ? n : 1;

		/* str_put_line() writes \xNN for a byte that is not shown */
		column += n > 0 && !utf8_hidden(text + at, n) ? 1 : 4 * bytes;
		if (column > room)
			return comma > 0 ? comma : at;
		at += bytes;
		if (strchr(",: ", text[at - 1]))
			comma = at;
	}
	return at;
}

/*
 * A text of any length, starting at `column`, broken after a comma, a colon or a space where a line
 * ends.
 */
static void text_wrapped(struct str *s, const char *text, unsigned column, unsigned indent)
{
	char line[4 * COLUMNS + 1];
	size_t cut;

	while (text[cut = text_fit(text, COLUMNS - column)]) {
		memcpy(line, text, cut);
		line[cut] = '\0';
		str_put_line(s, line);
		str_put(s, "\n%*s", (int)indent, "");
		text += cut;
		column = indent;
	}
	str_put_line(s, text);
	str_put(s, "\n");
}

/* The command line, with an option and its value on one line. */
static void text_command(struct str *s, const struct plan *plan)
{
	str_put(s, "\nCOMMAND\n");
	for (unsigned i = 0; i < plan->argc; i++) {
		const char *word = plan->argv[i];
		unsigned column = 2;

		str_put(s, "  ");
		if (word[0] == '-' && strlen(word) < COLUMNS / 2 && i + 1 < plan->argc &&
		    plan->argv[i + 1][0] != '-') {
			str_put_line(s, word);
			str_put(s, " ");
			column += (unsigned)strlen(word) + 1;
			word = plan->argv[++i];
		}
		text_wrapped(s, word, column, 8);
	}
}

static const char *nic_link(const struct nic_plan *np)
{
	if (np->nic->bridge)
		return np->nic->bridge;
	return np->facts->link.name[0] ? np->facts->link.name : "-";
}

static const char *derived_from(const struct nic_plan *np)
{
	if (strcmp(np->mac_from, "name") == 0)
		return "the guest's name";
	return strcmp(np->mac_from, "uuid") == 0 ? "-uuid" : "-name";
}

/* What the two columns with a question mark stand for. */
static void text_unknown(struct str *s, const struct nic_plan *np)
{
	if (np->queues_unknown)
		str_put(s, "    queues: %s, %s\n", unknown,
			np->unread ? "the netdev's text cannot be read"
				   : "the device has as many as it says");
	if (vhost_unknown(np))
		str_put(s, "    vhost: %s, the netdev's text cannot be read\n", unknown);
}

/* The word of argv, and what stands in its place. */
static void text_replaced(struct str *s, const struct nic_plan *np)
{
	if (!np->replaces)
		return;
	str_put(s, "    argv:   ");
	text_wrapped(s, np->replaces, 12, 12);
	str_put(s, "    becomes ");
	text_wrapped(s, np->netdev, 12, 12);
}

static void text_listens(struct str *s, const struct nic_plan *np)
{
	for (unsigned i = 0; i < np->n_listens; i++) {
		const struct listen *l = &np->listens[i];

		str_put(s, "    listens: %s ", l->udp ? "udp" : "tcp");
		str_put_line(s, l->ports);
		str_put(s, " on %s", l->address ? "" : "all addresses");
		str_put_line(s, l->address ? l->address : "");
		str_put(s, "%s", l->link ? " of " : "");
		str_put_line(s, l->link ? l->link : "");
		str_put(s, "\n");
	}
}

static void text_nics(struct str *s, const struct plan *plan)
{
	if (plan->desc->n_nics > 0)
		str_put(s, "\n%-16s %-10s %-15s %6s  %-5s  %s\n", "NIC", "MODE", "LINK", "QUEUES",
			"VHOST", "MAC");
	for (unsigned i = 0; i < plan->desc->n_nics; i++) {
		const struct nic_plan *np = &plan->nics[i];

		/* an id may be longer than its column */
		if (strlen(np->nic->id) > ID_COLUMNS)
			str_put(s, "%s\n%-16s ", np->nic->id, "");
		else
			str_put(s, "%-16s ", np->nic->id);
		str_put(s, "%-10s %-15s ", mode_name(np->nic->mode), nic_link(np));
		if (np->queues_unknown)
			str_put(s, "%6s  ", "?");
		else
			str_put(s, "%6u  ", np->queues);
		str_put(s, "%-5s  ", vhost_unknown(np) ? "?" : np->vhost ? "on" : "off");
		if (np->has_mac)
			str_put(s, MAC_FMT "\n", MAC_ARG(np->mac));
		else
			str_put(s, "-\n");
		if (np->mac_from && np->has_mac && !np->nic->has_mac &&
		    !mode_row(np->nic->mode)->own_mac)
			str_put(s, "    mac: derived from %s and the NIC's id\n", derived_from(np));
		text_unknown(s, np);
		if (np->queues_why)
			str_put(s, "    queues: %s\n", np->queues_why);
		if (np->vhost_why)
			str_put(s, "    vhost off: %s\n", np->vhost_why);
		text_replaced(s, np);
		text_listens(s, np);
	}
}

/*
 * How many slots, from i on, share one row: the same kind of thing, with consecutive numbers and
 * queues.
 */
static unsigned run_length(const struct plan *plan, unsigned i)
{
	const struct slot *first = &plan->slots[i];
	unsigned n = 1;

	while (i + n < plan->n_slots && plan->slots[i + n].kind == first->kind &&
	       plan->slots[i + n].nic == first->nic && plan->slots[i + n].fd == first->fd + (int)n)
		n++;
	return n;
}

static void put_range(struct str *s, unsigned first, unsigned n, int width)
{
	char text[32];

	if (n > 1)
		str_put(&STR_ON(text), "%u-%u", first, first + n - 1);
	else
		str_put(&STR_ON(text), "%u", first);
	str_put(s, "%*s", width, text);
}

/* The words of each passt that is started. */
static void text_passt(struct str *s, const struct plan *plan)
{
	for (unsigned i = 0; i < plan->desc->n_nics; i++) {
		char **words = plan->nics[i].passt;
		unsigned column;

		if (!words)
			continue;
		str_put(s, "\nPASST OF %s\n  ", plan->nics[i].nic->id);
		column = 2;
		for (unsigned w = 0; words[w]; w++) {
			if (w > 0 && column + 1 + strlen(words[w]) > COLUMNS) {
				str_put(s, "\n        ");
				column = 8;
			} else if (w > 0) {
				str_put(s, " ");
				column++;
			}
			str_put_line(s, words[w]);
			column += (unsigned)strlen(words[w]);
		}
		str_put(s, "\n");
	}
}

static void text_slots(struct str *s, const struct plan *plan)
{
	if (plan->n_slots > 0)
		str_put(s, "\n%10s  %-11s %-16s %5s  %s\n", "DESCRIPTOR", "WHAT", "NIC", "QUEUE",
			"NODE");
	for (unsigned i = 0, n; i < plan->n_slots; i += n) {
		const struct slot *slot = &plan->slots[i];
		const bool vsock = slot->kind == SLOT_VHOST_VSOCK;

		n = run_length(plan, i);
		put_range(s, (unsigned)slot->fd, n, 10);
		str_put(s, "  %-11s %-16.16s ", slot_kind_name(slot->kind),
			vsock ? "-" : plan->nics[slot->nic].nic->id);
		put_range(s, slot->queue, n, 5);
		str_put(s, "  ");
		text_wrapped(s, slot->path, 48, 48);
	}
}

static void text_seccomp(struct str *s, const struct plan *plan)
{
	const struct seccomp_wish *wish = &plan->desc->seccomp;
	char text[1024];
	struct str line = STR_ON(text);

	str_put(s, "  seccomp       ");
	if (wish->bpf) {
		str_put(s, "bpf ");
		text_wrapped(s, wish->bpf, 20, 16);
		return;
	}
	str_put(&line, "%s", profile_name(plan));
	if (plan->confine.filter)
		str_put(&line, ", other calls: %s", filter_action_name(wish->action));
	for (unsigned g = 0; plan->confine.filter && g < FILTER_GROUP__COUNT; g++)
		if (plan->confine.groups & FILTER_GROUP_BIT(g))
			str_put(&line, ", with %s%s%s%s", filter_group_name(g),
				plan->confine.group_why[g] ? " (" : "",
				plan->confine.group_why[g] ? plan->confine.group_why[g] : "",
				plan->confine.group_why[g] ? ")" : "");
	text_wrapped(s, text, 16, 15);
}

/* "none", or each capability that is kept with its reason, one per line. */
static void text_caps(struct str *s, const struct plan *plan)
{
	str_put(s, "  capabilities  ");
	if (plan->desc->caps == CAPS_KEEP || plan->confine.n_kept == 0)
		str_put(s, "%s\n", plan->desc->caps == CAPS_KEEP ? "as they are" : "none");
	for (unsigned i = 0; i < plan->confine.n_kept; i++) {
		const char *name = capname(plan->confine.kept[i].cap);

		str_put(s, "%*s%s: ", i > 0 ? 16 : 0, "", name);
		text_wrapped(s, plan->confine.kept[i].why, 18 + (unsigned)strlen(name), 18);
	}
}

static void text_box(struct str *s, const struct plan *plan)
{
	const struct box_plan *box = &plan->confine.box;
	const char *unbounded[BOX_UNBOUNDED_MAX];

	for (unsigned i = 0; i < box->n; i++) {
		const struct box_rule *rule = &box->rules[i];

		str_put(s, "    %-10s  ", box_access_name(rule->spot->access));
		text_wrapped(s, rule->spot->path, 16, 16);
		str_put(s, "%18s", "");
		text_wrapped(s, rule->why, 18, 18);
	}
	if (box->n == 0)
		return;
	box_unbounded(plan, unbounded);
	for (unsigned i = 0; unbounded[i]; i++) {
		str_put(s, "    unbounded   ");
		text_wrapped(s, unbounded[i], 16, 16);
	}
}

static void text_confine(struct str *s, const struct plan *plan)
{
	const struct ids_facts *ids = &plan->facts->ids;

	str_put(s, "\nCONFINEMENT\n");
	for (unsigned i = 0; i < plan->facts->n_cgroups; i++) {
		str_put(s, "  cgroup        ");
		text_wrapped(s, plan->facts->cgroups[i].path, 16, 16);
		if (plan->facts->cgroups[i].here)
			str_put(s, "%16salready a member\n", "");
	}
	if (plan->confine.take_ids)
		str_put(s, "  ids           uid %u gid %u, %u other groups\n", ids->uid, ids->gid,
			ids->n_groups);
	if (plan->desc->taken) {
		str_put(s, "%16sfrom argv: ", "");
		text_wrapped(s, plan->desc->taken, 27, 16);
	}
	text_caps(s, plan);
	text_seccomp(s, plan);
	str_put(s, "  landlock      %s\n", plan->confine.box.n > 0 ? "the box"
						 : plan->confine.landlock ? "on" : "off");
	text_box(s, plan);
	if (plan->facts->terminal)
		str_put(s, "  terminal      %s\n",
			plan->confine.terminal ? "protected" : "open");
	str_put(s, "  no_new_privs  %s\n", plan->confine.no_new_privs ? "on" : "off");
	if (plan->desc->die_with_parent)
		str_put(s, "  parent        its end ends QEMU\n");
	if (plan->nofile > 0)
		str_put(s, "  descriptors   at most %lu\n", plan->nofile);
}

static void render_text(struct str *s, const void *arg)
{
	const struct view *v = arg;
	const struct plan *plan = v->plan;

	if (plan->desc->name) {
		str_put(s, "guest  ");
		text_wrapped(s, plan->desc->name, 7, 7);
	}
	if (plan->desc->chosen) {
		str_put(s, "from   ");
		text_wrapped(s, plan->desc->chosen, 7, 7);
	}
	str_put(s, "qemu   ");
	text_wrapped(s, plan->qemu, 7, 7);
	text_nics(s, plan);
	text_slots(s, plan);
	text_passt(s, plan);
	text_confine(s, plan);
	text_command(s, plan);
}

/* --- shell ------------------------------------------------------------------------------------ */

/*
 * bash can open a node at a given number; it cannot attach to a TAP, receive a descriptor, or load
 * a filter.
 */
static bool shell_impossible(struct str *s, const struct plan *plan)
{
	for (unsigned i = 0; i < plan->n_slots; i++) {
		const enum slot_way way = plan->slots[i].way;

		if (way == WAY_OPEN)
			continue;
		str_put(s, "echo 'bash cannot %s of %s: that takes %s' >&2\nexit 101\n",
			way == WAY_PASST ? "start the passt" : "open the queues",
			plan->nics[plan->slots[i].nic].nic->id,
			way == WAY_PASST ? "a socket pair" : "an ioctl");
		return true;
	}
	return false;
}

static void shell_slots(struct str *s, const struct plan *plan)
{
	for (unsigned i = 0; i < plan->n_slots; i++) {
		const struct slot *slot = &plan->slots[i];

		/* a redirection would create a missing file */
		if (i == 0 || strcmp(slot->path, plan->slots[i - 1].path) != 0) {
			str_put(s, "[ -c ");
			str_put_shell(s, slot->path);
			str_put(s, " ] || { echo 'a device node is missing' >&2; exit 101; }\n");
		}
		str_put(s, "exec %d<>", slot->fd);
		str_put_shell(s, slot->path);
		str_put(s, "\t# %s\n", slot_kind_name(slot->kind));
	}
}

static void render_shell(struct str *s, const void *arg)
{
	const struct view *v = arg;
	const struct plan *plan = v->plan;

	str_put(s, "#!/bin/bash\n# What qemu-handoff would do, by hand and without its "
		   "checks.\nset -eu\n");
	if (shell_impossible(s, plan))
		return;
	for (unsigned i = 0; i < plan->facts->n_cgroups; i++) {
		str_put(s, "echo 0 >");
		str_put_shell(s, arena_printf(v->mem, "%s/cgroup.procs",
					      plan->facts->cgroups[i].path));
		str_put(s, "\n");
	}
	if (plan->confine.no_new_privs)
		str_put(s, "# not done here: the ids, no_new_privs, Landlock and the seccomp "
			   "filter\n");
	else if (plan->nofile > 0)
		str_put(s, "ulimit -Sn %lu\n", plan->nofile);
	shell_slots(s, plan);
	if (plan->desc->stdin_from != STDIN_KEEP)
		str_put(s, "exec 0<>%s\n",
			plan->desc->stdin_from == STDIN_NULL ? "/dev/null" : "/dev/tty");
	str_put(s, "exec -a ");
	str_put_shell(s, plan->argv[0]);
	str_put(s, " ");
	str_put_shell(s, plan->qemu);
	for (unsigned i = 1; i < plan->argc; i++) {
		str_put(s, " \\\n\t");
		str_put_shell(s, plan->argv[i]);
	}
	str_put(s, "\n");
}

const char *report_make(const struct plan *plan, const struct diags *ds, enum report_form form,
			struct arena *mem)
{
	static str_render *const forms[] = {
		[REPORT_TEXT] = render_text,
		[REPORT_JSON] = render_json,
		[REPORT_SHELL] = render_shell,
	};
	const struct view view = { .plan = plan, .ds = ds, .mem = mem };

	return str_make(mem, forms[form], &view);
}
