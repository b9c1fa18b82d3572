/*
 * desc.c - read and check the launch descriptor
 */
#include "config.h"

#include "desc/desc.h"

#include <string.h>

#include "desc/confine_keys.h"
#include "desc/expected.h"
#include "desc/json.h"
#include "desc/nics.h"
#include "desc/read.h"
#include "desc/screen.h"

static int read_args(struct reader *r, const struct field *f, const cJSON *item,
		     const struct where *at, void *ret)
{
	struct desc *desc = ret;
	const int n = read_array_size(r, item, at, ARGS_MAX);
	int bad = 0;

	(void)f;
	if (n < 0)
		return -1;
	desc->args = arena_array(r->mem, (size_t)n, sizeof(*desc->args));
	for (const cJSON *child = item->child; child; child = child->next) {
		const struct where *here = ITEM(at, desc->n_args);

		if (!cJSON_IsString(child))
			bad |= read_type_error(r, here, "a string", child);
		else
			desc->args[desc->n_args] = arena_str(r->mem, child->valuestring);
		desc->n_args++;
	}
	return bad;
}

static int read_version(struct reader *r, const struct field *f, const cJSON *item,
			const struct where *at, void *ret)
{
	unsigned version;

	(void)f;
	(void)ret;
	return read_whole(r, item, at, 1, 1, &version);
}

/* "$schema" is for editors; which schema it names changes nothing here. */
static int read_any(struct reader *r, const struct field *f, const cJSON *item,
		    const struct where *at, void *ret)
{
	(void)f, (void)ret;
	return cJSON_IsString(item) ? 0 : read_type_error(r, at, "a string", item);
}

static int read_stdin(struct reader *r, const struct field *f, const cJSON *item,
		      const struct where *at, void *ret)
{
	const char *from = "";

	(void)f;
	if (read_text(r, item, at, &rule_any, &from) < 0)
		return -1;
	if (strcmp(from, "null") != 0 && strcmp(from, "tty") != 0)
		return read_value_error(r, at, from, "\"null\" or \"tty\"");
	*(enum stdin_from *)ret = from[0] == 'n' ? STDIN_NULL : STDIN_TTY;
	return 0;
}

static int read_vsock_device(struct reader *r, const struct field *f, const cJSON *item,
			     const struct where *at, void *ret)
{
	struct desc *desc = ret;
	int bad = device_props_read(r, item, at, &desc->vsock_device, &desc->vsock_driver);

	(void)f;
	for (unsigned i = 0; i < desc->vsock_device.n; i++) {
		const struct prop *prop = &desc->vsock_device.list[i];

		if (strcmp(prop->key, "guest-cid") == 0)
			bad |= diag_add(r->ds, DIAG_DEVICE_CONFLICT, 0, prop->at, NULL,
					"belongs in vsock's \"cid\"");
		else if (strcmp(prop->key, "vhostfd") == 0)
			bad |= diag_add(r->ds, DIAG_DEVICE_CONFLICT, 0, prop->at, NULL,
					"is the descriptor that this program opens");
	}
	return bad;
}

static int read_vsock(struct reader *r, const struct field *f, const cJSON *item,
		      const struct where *at, void *ret)
{
	/* 0 and 1 are reserved, 2 is the host, the last number is "any" (linux/vm_sockets.h) */
	static const struct field fields[] = {
		{ "cid", read_number, offsetof(struct desc, cid), 3, 0xfffffffe, true, NULL },
		{ "device", read_vsock_device, 0, 0, 0, false, NULL },
	};

	(void)f;
	return read_object(r, item, fields, ARRAY_LEN(fields), at, ret);
}

static int read_report(struct reader *r, const struct field *f, const cJSON *item,
		       const struct where *at, void *ret)
{
	static const struct field fields[] = { { "fd", read_number, 0, 0, FD_MAX - 1, true,
						 NULL } };
	struct desc *desc = ret;
	unsigned fd = 0;

	(void)f;
	if (!cJSON_IsObject(item))
		return read_text(r, item, at, &rule_path, &desc->report_path);
	if (read_object(r, item, fields, ARRAY_LEN(fields), at, &fd) < 0)
		return -1;
	desc->report_fd = (int)fd;
	return 0;
}

static const struct field desc_fields[] = {
#define DESC(member) offsetof(struct desc, member)
	/*
	 * key             reader          member                  min     max             required
	 * arg
	 */
	{ "$schema", read_any, 0, 0, 0, false, NULL },
	{ "version",	read_version,	0,			0,	0,		true,	NULL },
	{ "name",	read_string,	DESC(name),		0,	NAME_MAX_LEN,	false,	&rule_any },
	{ "qemu",	read_string,	DESC(qemu),		0,	0,		false,	&rule_path },
	{ "args",	read_args,	0,			0,	0,		false,	NULL },
	{ "vcpus",	read_number,	DESC(vcpus),		1,	VCPUS_MAX,	false,	NULL },
	{ "max_queues",	read_number,	DESC(max_queues),	1,	QUEUES_MAX,	false,	NULL },
	{ "vhost",	read_bool,	DESC(vhost),		0,	0,		false,	NULL },
	{ "nics",	read_nics,	0,			0,	0,		false,	NULL },
	{ "default_nic", read_bool,	DESC(default_nic),	0,	0,		false,	NULL },
	{ "vsock",	read_vsock,	0,			0,	0,		false,	NULL },
	{ "cgroup",	read_cgroup,	0,			0,	0,		false,	NULL },
	{ "seccomp",	read_seccomp,	DESC(seccomp),		0,	0,		false,	NULL },
	{ "user",	read_id,	DESC(user),		0,	0,		false,	NULL },
	{ "group",	read_id,	DESC(group),		0,	0,		false,	NULL },
	{ "groups",	read_groups,	0,			0,	0,		false,	NULL },
	{ "capabilities", read_capabilities, 0,			0,	0,		false,	NULL },
	{ "landlock",	read_landlock,	0,			0,	0,		false,	NULL },
	{ "protect_terminal", read_bool, DESC(protect_terminal), 0,	0,		false,	NULL },
	{ "runtime_dir", read_string,	DESC(runtime_dir),	0,	0,		false,	&rule_path },
	{ "fd_base",	read_number,	DESC(fd_base),		FD_MIN,	FD_MAX - 1,	false,	NULL },
	{ "die_with_parent", read_bool, DESC(die_with_parent), 0, 0, false, NULL },
	{ "stdin",	read_stdin,	DESC(stdin_from),	0,	0,		false,	NULL },
	{ "report",	read_report,	0,			0,	0,		false,	NULL },
#undef DESC
};

const char *desc_key_name(unsigned i)
{
	return i < ARRAY_LEN(desc_fields) ? desc_fields[i].key : NULL;
}

/* The keys of an unknown format version are unknown too, so only the version is reported. */
static int check_version(struct reader *r, const cJSON *root)
{
	for (const cJSON *child = cJSON_IsObject(root) ? root->child : NULL; child;
	     child = child->next) {
		if (strcmp(child->string, "version") != 0 || !cJSON_IsNumber(child) ||
		    child->valuedouble == 1)
			continue;
		(void)diag_add(r->ds, DIAG_DESC_VERSION, 0, KEY(NULL, "version"), NULL,
			       "format version %.17g is not supported", child->valuedouble);
		diag_hint(r->ds, "\"version\": 1");
		return -1;
	}
	return 0;
}

static int read_root(struct reader *r, const cJSON *root, struct desc *ret)
{
	struct desc desc = {
		.max_queues = QUEUES_DEFAULT_MAX, .vhost = true, .protect_terminal = true,
		.fd_base = FD_MIN, .report_fd = -1, .cgroup_fd = -1,
	};

	if (!cJSON_IsObject(root))
		return read_type_error(r, NULL, "an object", root);
	if (check_version(r, root) < 0)
		return -1;
	if (read_object(r, root, desc_fields, ARRAY_LEN(desc_fields), NULL, &desc) < 0)
		return -1;
	*ret = desc;
	return 0;
}

static int not_json(const char *text, size_t len, const char *end, struct arena *mem,
		    struct diags *ds)
{
	size_t at = end && end > text ? (size_t)(end - text) : 0;

	(void)diag_add(ds, DIAG_DESC_SYNTAX, 0, NULL, ds->source.name, "%s",
		       json_expected(text, len, &at, mem));
	diag_place(ds, text, at);
	return -1;
}

int desc_parse(const char *text, size_t len, mode_syntax_fn *syntax_of, struct arena *mem,
	       struct desc *ret, struct diags *ds)
{
	struct reader r = { .syntax_of = syntax_of, .mem = mem, .ds = ds };
	const char *end = NULL;
	cJSON *root;
	int bad;

	if (screen_json(text, len, ds) < 0)
		return -1;
	root = json_parse(mem, text, len, &end);
	if (!root)
		return not_json(text, len, end, mem, ds);
	bad = read_root(&r, root, ret);
	ret->syntax_of = syntax_of;
	cJSON_Delete(root);
	return bad;
}
