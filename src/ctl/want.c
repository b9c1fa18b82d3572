/*
 * want.c - what a launch planned, out of its report
 *
 * The report is the launcher's, but the file may be anything: each member is taken only if it has
 * its type, and what is missing is not compared.
 */
#include "config.h"

#include "ctl/want.h"

#include <string.h>

#include "base/capnames.h"
#include "desc/json.h"
#include "sys/readfile.h"

enum { REPORT_MAX = 4 * 1024 * 1024 }; /* bytes; the kernel takes arguments of 2 MiB */

static const cJSON *member(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *text(struct ctl *ctl, const cJSON *item)
{
	return cJSON_IsString(item) ? arena_str(ctl->mem, item->valuestring) : NULL;
}

static const char *text_of(struct ctl *ctl, const cJSON *object, const char *name)
{
	return text(ctl, member(object, name));
}

static unsigned number(const cJSON *item)
{
	const double v = cJSON_IsNumber(item) ? item->valuedouble : 0;

	return v >= 0 && v <= UINT32_MAX ? (unsigned)v : 0;
}

static unsigned count(const cJSON *item)
{
	return cJSON_IsArray(item) ? (unsigned)cJSON_GetArraySize(item) : 0;
}

static const char **texts(struct ctl *ctl, const cJSON *list, unsigned *ret_n)
{
	const char **ret = arena_array(ctl->mem, count(list) + 1, sizeof(*ret));
	const cJSON *item;

	*ret_n = 0;
	cJSON_ArrayForEach(item, list)
		if (cJSON_IsString(item))
			ret[(*ret_n)++] = text(ctl, item);
	return ret;
}

static void read_nic(struct ctl *ctl, const cJSON *from, struct want_nic *ret)
{
	const cJSON *link = member(from, "link");

	*ret = (struct want_nic){
		.id = text_of(ctl, from, "id"),
		.mode = text_of(ctl, from, "mode"),
		.queues = number(member(from, "queues")),
		.n_vhostfds = count(member(from, "vhostfds")),
		.passt_pid = (int)(number(member(from, "passt_pid")) & INT32_MAX),
		.link = text_of(ctl, link, "name"),
		.kind = text_of(ctl, link, "kind"),
		.node = text_of(ctl, link, "node"),
		.ifindex = number(member(link, "ifindex")),
		.master = number(member(link, "master")),
	};
	ret->id = ret->id ? ret->id : "?";
	ret->mode = ret->mode ? ret->mode : "?";
}

static const struct want_nic *find_nic(const struct want *want, const char *id)
{
	for (unsigned i = 0; id && i < want->n_nics; i++)
		if (strcmp(want->nics[i].id, id) == 0)
			return &want->nics[i];
	return NULL;
}

static void read_lists(struct ctl *ctl, const cJSON *root, struct want *ret)
{
	const cJSON *nics = member(root, "nics"), *fds = member(root, "fds"), *item;
	const cJSON *cgroups = member(root, "cgroups");

	ret->nics = arena_array(ctl->mem, count(nics) + 1, sizeof(*ret->nics));
	cJSON_ArrayForEach(item, nics)
		read_nic(ctl, item, &ret->nics[ret->n_nics++]);
	ret->fds = arena_array(ctl->mem, count(fds) + 1, sizeof(*ret->fds));
	cJSON_ArrayForEach(item, fds) {
		const char *what = text_of(ctl, item, "what");

		ret->fds[ret->n_fds++] = (struct want_fd){
			.fd = (int)(number(member(item, "fd")) & INT32_MAX),
			.what = what ? what : "?",
			.path = text_of(ctl, item, "path"),
			.queue = number(member(item, "queue")),
			.nic = find_nic(ret, text_of(ctl, item, "nic")),
		};
	}
	ret->cgroups = arena_array(ctl->mem, count(cgroups) + 1, sizeof(*ret->cgroups));
	cJSON_ArrayForEach(item, cgroups)
		if (text_of(ctl, item, "path"))
			ret->cgroups[ret->n_cgroups++] = text_of(ctl, item, "path");
}

static void read_confinement(struct ctl *ctl, const cJSON *root, struct want *ret)
{
	const cJSON *ids = member(root, "ids"), *caps = member(root, "capabilities"), *item;

	ret->has_ids = cJSON_IsObject(ids);
	ret->uid = number(member(ids, "uid"));
	ret->gid = number(member(ids, "gid"));
	ret->n_groups = count(member(ids, "groups"));
	ret->has_caps = cJSON_IsArray(caps);
	cJSON_ArrayForEach(item, caps) {
		const char *name = text_of(ctl, item, "name");
		const int cap = name ? capname_find(name) : -1;

		ret->caps |= cap >= 0 ? CAP_BIT(cap) : 0;
	}
	ret->filters = number(member(root, "filters"));
	ret->no_new_privs = cJSON_IsTrue(member(root, "no_new_privs"));
	ret->landlock = cJSON_IsTrue(member(root, "landlock"));
	ret->profile = text_of(ctl, member(root, "seccomp"), "profile");
	ret->vsock = cJSON_IsObject(member(root, "vsock"));
}

int want_read(struct ctl *ctl, const char *file, struct want *ret)
{
	char *bytes = arena_get(ctl->mem, REPORT_MAX);
	const int err = readfile(file, bytes, REPORT_MAX);
	cJSON *root;

	if (err)
		return diag_add(ctl->ds, DIAG_REPORT_UNREADABLE, err, NULL, file,
				"the report cannot be read");
	root = json_parse(ctl->mem, bytes, strlen(bytes), NULL);
	*ret = (struct want){ .qemu = text_of(ctl, root, "qemu") };
	if (number(member(root, "version")) == 1 && ret->qemu &&
	    count(member(root, "argv")) > 0) {
		ret->argv = texts(ctl, member(root, "argv"), &ret->argc);
		read_lists(ctl, root, ret);
		read_confinement(ctl, root, ret);
	}
	cJSON_Delete(root);
	return ret->argc > 0 ? 0
			     : diag_add(ctl->ds, DIAG_REPORT_UNREADABLE, 0, NULL, file,
					"this is not the report of a launch");
}
