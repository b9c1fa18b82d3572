/*
 * confine_keys.c - the keys for confinement: "cgroup", "seccomp", "user", "group", "groups",
 * "landlock"
 */
#include "config.h"

#include "desc/confine_keys.h"

#include <string.h>

#include "base/capnames.h"
#include "desc/descriptor.h"

static int read_cgroup_fd(struct reader *r, const cJSON *item, const struct where *at,
			  struct desc *desc)
{
	/* not 0, 1 or 2, which QEMU keeps: with an open cgroup.procs it could leave its cgroup */
	static const struct field fields[] = { { "fd", read_number, 0, FD_MIN, FD_MAX - 1, true,
						 NULL } };
	unsigned fd = 0;

	if (read_object(r, item, fields, ARRAY_LEN(fields), at, &fd) < 0)
		return -1;
	desc->cgroup_fd = (int)fd;
	return 0;
}

int read_cgroup(struct reader *r, const struct field *f, const cJSON *item, const struct where *at,
		void *ret)
{
	struct desc *desc = ret;
	int n, bad = 0;

	(void)f;
	if (cJSON_IsObject(item))
		return read_cgroup_fd(r, item, at, desc);
	desc->cgroups = arena_array(r->mem, CGROUPS_MAX, sizeof(*desc->cgroups));
	if (cJSON_IsString(item)) {
		desc->n_cgroups = 1;
		return read_text(r, item, at, &rule_path, &desc->cgroups[0]);
	}
	if (!cJSON_IsArray(item))
		return read_type_error(r, at, "a path, an array of paths or {\"fd\": N}", item);
	n = read_array_size(r, item, at, CGROUPS_MAX);
	if (n < 0)
		return -1;
	for (const cJSON *child = item->child; child; child = child->next) {
		bad |= read_text(r, child, ITEM(at, desc->n_cgroups), &rule_path,
				 &desc->cgroups[desc->n_cgroups]);
		desc->n_cgroups++;
	}
	return bad;
}

static int read_profile(struct reader *r, const struct field *f, const cJSON *item,
			const struct where *at, void *ret)
{
	const char *name = "";

	(void)f;
	if (read_text(r, item, at, &rule_any, &name) < 0)
		return -1;
	if (strcmp(name, "qemu") != 0 && strcmp(name, "none") != 0)
		return read_value_error(r, at, name, "a profile: \"qemu\" or \"none\"");
	*(bool *)ret = name[0] == 'n';
	return 0;
}

static int read_action(struct reader *r, const struct field *f, const cJSON *item,
		       const struct where *at, void *ret)
{
	const char *name = "";
	int action;

	(void)f;
	if (read_text(r, item, at, &rule_any, &name) < 0)
		return -1;
	action = filter_action_find(name);
	if (action < 0)
		return read_value_error(r, at, name,
					"an action: \"errno\", \"log\", \"kill\" or \"trap\"");
	*(enum filter_action *)ret = (enum filter_action)action;
	return 0;
}

/* "a group: "io_uring", "daemonize" or another", built from the list, so no group is missing. */
static const char group_names[] = "one of the groups"
#define OPTION(group, why) " \"" #group "\""
#include "seccomp/groups.def"
#undef OPTION
	;

static int read_allow(struct reader *r, const struct field *f, const cJSON *item,
		      const struct where *at, void *ret)
{
	struct seccomp_wish *wish = ret;
	unsigned *groups = &wish->groups, i = 0;
	int bad = 0;

	(void)f;
	if (cJSON_IsString(item) && strcmp(item->valuestring, "auto") == 0)
		return 0;
	if (!cJSON_IsArray(item))
		return read_type_error(r, at, "\"auto\" or an array of groups", item);
	wish->groups_listed = true;
	if (read_array_size(r, item, at, FILTER_GROUP__COUNT) < 0)
		return -1;
	for (const cJSON *child = item->child; child; child = child->next, i++) {
		const char *name = "";
		int group = -1;

		if (read_text(r, child, ITEM(at, i), &rule_any, &name) < 0)
			bad = -1;
		else if ((group = filter_group_find(name)) < 0)
			bad |= read_value_error(r, ITEM(at, i), name, group_names);
		else
			*groups |= FILTER_GROUP_BIT((unsigned)group);
	}
	return bad;
}

static const struct field seccomp_fields[] = {
#define SECCOMP(member) offsetof(struct seccomp_wish, member)
	{ "profile", read_profile, SECCOMP(none), 0, 0, false, NULL },
	{ "action", read_action, SECCOMP(action), 0, 0, false, NULL },
	{ "allow", read_allow, 0, 0, 0, false, NULL },
	{ "bpf", read_string, SECCOMP(bpf), 0, 0, false, &rule_path },
#undef SECCOMP
};

const char *seccomp_key_name(unsigned i)
{
	return i < ARRAY_LEN(seccomp_fields) ? seccomp_fields[i].key : NULL;
}

int read_seccomp(struct reader *r, const struct field *f, const cJSON *item, const struct where *at,
		 void *ret)
{
	struct seccomp_wish *wish = ret;
	uint64_t seen = 0;

	if (!cJSON_IsObject(item))
		return cJSON_IsString(item)
			       ? read_profile(r, f, item, at, &wish->none)
			       : read_type_error(r, at, "the name of a profile, or an "
							"object", item);
	if (read_fields(r, item, seccomp_fields, ARRAY_LEN(seccomp_fields), at, wish, &seen) < 0)
		return -1;
	if ((wish->none && seen != 1) || (wish->bpf && seen != 1U << 3))
		return diag_add(r->ds, DIAG_DESC_VALUE, 0, at, NULL, "%s excludes every other key",
				wish->bpf ? "'bpf'" : "the profile \"none\"");
	return 0;
}

int read_id(struct reader *r, const struct field *f, const cJSON *item, const struct where *at,
	    void *ret)
{
	struct id_wish wish = { .given = true };

	(void)f;
	if (cJSON_IsNumber(item)) {
		/* to setresuid(2) the last number means "leave it unchanged" */
		if (read_whole(r, item, at, 0, 0xfffffffe, &wish.id) < 0)
			return -1;
	} else if (!cJSON_IsString(item)) {
		return read_type_error(r, at, "a name or a number", item);
	} else if (read_text(r, item, at, &rule_any, &wish.name) < 0) {
		return -1;
	}
	*(struct id_wish *)ret = wish;
	return 0;
}

int read_groups(struct reader *r, const struct field *f, const cJSON *item, const struct where *at,
		void *ret)
{
	struct desc *desc = ret;
	const int n = read_array_size(r, item, at, GROUPS_MAX);
	int bad = 0;

	if (n < 0)
		return -1;
	desc->has_groups = true;
	desc->groups = arena_array(r->mem, (size_t)n, sizeof(*desc->groups));
	for (const cJSON *child = item->child; child; child = child->next) {
		bad |= read_id(r, f, child, ITEM(at, desc->n_groups),
			       &desc->groups[desc->n_groups]);
		desc->n_groups++;
	}
	return bad;
}

static int read_paths(struct reader *r, const struct field *f, const cJSON *item,
		      const struct where *at, void *ret)
{
	struct box_wish *wish = ret;
	const bool write = f->arg != NULL;
	const int n = read_array_size(r, item, at, BOX_PATHS_MAX);
	const char **list;
	unsigned i = 0;
	int bad = 0;

	if (n < 0)
		return -1;
	list = arena_array(r->mem, (size_t)n, sizeof(*list));
	for (const cJSON *child = item->child; child; child = child->next, i++)
		bad |= read_text(r, child, ITEM(at, i), &rule_path, &list[i]);
	*(write ? &wish->write : &wish->read) = list;
	*(write ? &wish->n_write : &wish->n_read) = (unsigned)n;
	return bad;
}

static int read_files(struct reader *r, const struct field *f, const cJSON *item,
		      const struct where *at, void *ret)
{
	const char *name = "";

	(void)f;
	if (read_text(r, item, at, &rule_any, &name) < 0)
		return -1;
	if (strcmp(name, "argv") != 0)
		return read_value_error(r, at, name, "\"argv\"");
	*(bool *)ret = true;
	return 0;
}

static int read_box(struct reader *r, const cJSON *item, const struct where *at, struct desc *desc)
{
	static const struct field fields[] = {
		{ "files", read_files, offsetof(struct box_wish, argv), 0, 0, false, NULL },
		{ "read", read_paths, 0, 0, 0, false, NULL },
		{ "write", read_paths, 0, 0, 0, false, "" },
		{ "optional", read_bool, offsetof(struct box_wish, optional), 0, 0, false, NULL },
	};

	if (read_object(r, item, fields, ARRAY_LEN(fields), at, &desc->box) < 0)
		return -1;
	desc->box.on = true;
	desc->landlock = desc->box.optional ? LANDLOCK_PREFERRED : LANDLOCK_REQUIRED;
	return 0;
}

int read_landlock(struct reader *r, const struct field *f, const cJSON *item,
		  const struct where *at, void *ret)
{
	struct desc *desc = ret;

	(void)f;
	if (cJSON_IsObject(item))
		return read_box(r, item, at, desc);
	if (cJSON_IsBool(item))
		desc->landlock = cJSON_IsTrue(item) ? LANDLOCK_REQUIRED : LANDLOCK_OFF;
	else if (cJSON_IsString(item) && strcmp(item->valuestring, "prefer") == 0)
		desc->landlock = LANDLOCK_PREFERRED;
	else
		return diag_add(r->ds, DIAG_DESC_VALUE, 0, at, NULL,
				"must be true, false, \"prefer\" or an object");
	return 0;
}

/* "keep", or an array of names. */
int read_capabilities(struct reader *r, const struct field *f, const cJSON *item,
		      const struct where *at, void *ret)
{
	struct desc *desc = ret;
	unsigned i = 0;
	int bad = 0;

	(void)f;
	if (cJSON_IsString(item) && strcmp(item->valuestring, "keep") == 0) {
		desc->caps = CAPS_KEEP;
		return 0;
	}
	if (!cJSON_IsArray(item))
		return read_type_error(r, at, "an array of capabilities or \"keep\"", item);
	if (read_array_size(r, item, at, CAPS_MAX) < 0)
		return -1;
	desc->caps = CAPS_LIST;
	for (const cJSON *child = item->child; child; child = child->next, i++) {
		const char *name = "";
		int cap;

		if (read_text(r, child, ITEM(at, i), &rule_any, &name) < 0)
			bad = -1;
		else if ((cap = capname_find(name)) < 0)
			bad |= read_value_error(r, ITEM(at, i), name,
						"a capability, such as \"CAP_NET_ADMIN\"");
		else
			desc->caps_list |= CAP_BIT(cap);
	}
	return bad;
}
