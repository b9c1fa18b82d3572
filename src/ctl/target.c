/*
 * target.c - what a QEMU says of its guest before a NIC is added, by QMP
 *
 * Every command here is in QEMU 7.2, 10.0 and 11.1. Netdevs are listed by the human monitor only:
 * no version has a command of QMP for them.
 */
#include "config.h"

#include "ctl/target.h"

#include <string.h>

#include "base/keyval.h"

static const cJSON *member(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *text_of(struct qmp *q, const cJSON *item)
{
	return cJSON_IsString(item) ? arena_str(q->ctl->mem, item->valuestring) : NULL;
}

bool target_has(const char *const *ids, const char *id)
{
	for (unsigned i = 0; ids[i]; i++)
		if (strcmp(ids[i], id) == 0)
			return true;
	return false;
}

struct port *target_port(struct target *target, const char *id)
{
	struct port *ret = NULL;

	for (unsigned i = 0; i < target->n_ports; i++) {
		struct port *port = &target->ports[i];

		if (id ? strcmp(port->id, id) == 0
		       : !port->busy && (!ret || strcmp(port->id, ret->id) < 0))
			ret = port;
	}
	return ret;
}

/* --- the machine ------------------------------------------------------------------------------ */

/* "pc-q35-7.2-machine" (the QOM type) without its end */
static int ask_machine(struct qmp *q, struct target *ret)
{
	static const char end[] = "-machine";
	cJSON *type = NULL;
	const char *name;

	if (qmp_ask(q, "qom-get", "{\"path\":\"/machine\",\"property\":\"type\"}", &type) < 0)
		return -1;
	name = text_of(q, type);
	cJSON_Delete(type);
	name = name ? name : "";
	ret->machine = strlen(name) > strlen(end)
			       ? arena_strn(q->ctl->mem, name, strlen(name) - strlen(end))
			       : "none";
	/* their root bus is PCI Express, which takes no device while the guest runs */
	ret->needs_port = strstr(ret->machine, "q35") || strncmp(ret->machine, "virt", 4) == 0;
	return 0;
}

/* What a descriptor's defaults are taken from: the same address and queues as at a launch. */
static int ask_guest(struct qmp *q, struct target *ret)
{
	cJSON *cpus = NULL, *name = NULL, *uuid = NULL;
	const int bad = qmp_ask(q, "query-cpus-fast", NULL, &cpus) < 0 ||
			qmp_ask(q, "query-name", NULL, &name) < 0 ||
			qmp_ask(q, "query-uuid", NULL, &uuid) < 0;

	ret->cpus = cJSON_IsArray(cpus) ? (unsigned)cJSON_GetArraySize(cpus) : 0;
	ret->name = text_of(q, member(name, "name"));
	ret->uuid = text_of(q, member(uuid, "UUID"));
	if (ret->uuid && strcmp(ret->uuid, "00000000-0000-0000-0000-000000000000") == 0)
		ret->uuid = NULL;
	cJSON_Delete(cpus);
	cJSON_Delete(name);
	cJSON_Delete(uuid);
	return bad ? -1 : 0;
}

/* --- ids -------------------------------------------------------------------------------------- */

/* Of lines such as "net0: index=0,type=tap,..." and " \ net0: index=0,...". */
static const char **read_netdevs(struct qmp *q, const char *text)
{
	const char **ret;
	unsigned lines = 1, n = 0;

	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	ret = arena_array(q->ctl->mem, lines + 1, sizeof(*ret));
	while (*text) {
		const char *from = text + strspn(text, " \\\t");
		const size_t len = strcspn(from, ":\r\n");

		if (from[len] == ':')
			ret[n++] = arena_strn(q->ctl->mem, from, len);
		text = from + strcspn(from, "\n");
		text += *text == '\n';
	}
	return ret;
}

static int ask_netdevs(struct qmp *q, struct target *ret)
{
	cJSON *list = NULL;

	if (qmp_ask(q, "human-monitor-command", "{\"command-line\":\"info network\"}", &list) < 0)
		return -1;
	ret->netdevs = read_netdevs(q, cJSON_IsString(list) ? list->valuestring : "");
	cJSON_Delete(list);
	return 0;
}

static bool is_port(const char *type)
{
	return type && (strstr(type, "root-port") || strstr(type, "downstream"));
}

static void add_device(struct qmp *q, const cJSON *item, unsigned *n, struct target *ret)
{
	const char *id = text_of(q, member(item, "name")), *type = text_of(q, member(item, "type"));

	if (!id || !type || strncmp(type, "child<", 6) != 0)
		return;
	ret->devices[(*n)++] = id;
	if (is_port(type))
		ret->ports[ret->n_ports++] = (struct port){ .id = id };
}

static int ask_devices(struct qmp *q, struct target *ret)
{
	cJSON *list = NULL;
	const cJSON *item;
	unsigned n = 0, size;

	if (qmp_ask(q, "qom-list", "{\"path\":\"/machine/peripheral\"}", &list) < 0)
		return -1;
	size = cJSON_IsArray(list) ? (unsigned)cJSON_GetArraySize(list) : 0;
	ret->devices = arena_array(q->ctl->mem, size + 1, sizeof(*ret->devices));
	ret->ports = arena_array(q->ctl->mem, size + 1, sizeof(*ret->ports));
	cJSON_ArrayForEach(item, list)
		add_device(q, item, &n, ret);
	cJSON_Delete(list);
	return 0;
}

/* --- ports ------------------------------------------------------------------------------------ */

/* The bus of a device is "/machine/peripheral/PORT/PORT" in a port that has an id. */
static void mark_busy(struct target *ret, const char *bus)
{
	static const char dir[] = "/machine/peripheral/";

	if (!bus || strncmp(bus, dir, strlen(dir)) != 0)
		return;
	bus += strlen(dir);
	for (unsigned i = 0; i < ret->n_ports; i++) {
		const size_t len = strlen(ret->ports[i].id);

		if (strncmp(bus, ret->ports[i].id, len) == 0 && bus[len] == '/')
			ret->ports[i].busy = true;
	}
}

/* A device without a bus has no such property, which QEMU refuses. */
static int see_device(struct qmp *q, const char *path, struct target *ret)
{
	struct keyvals kv = { .mem = q->ctl->mem };
	cJSON *bus = NULL;
	enum qmp_result result;

	keyval_text(&kv, "path", path);
	keyval_text(&kv, "property", "parent_bus");
	result = qmp_run(q, "qom-get", keyval_json(&kv), -1, &bus);
	mark_busy(ret, text_of(q, bus));
	cJSON_Delete(bus);
	return result == QMP_BROKEN ? -1 : 0;
}

/*
 * By the tree of objects, not by query-pci: that finds the devices of a port only when the firmware
 * has numbered its bus.
 */
static int see_devices(struct qmp *q, const char *dir, struct target *ret)
{
	cJSON *list = NULL;
	const cJSON *item;
	int bad = qmp_ask(q, "qom-list", arena_printf(q->ctl->mem, "{\"path\":\"%s\"}", dir),
			  &list);

	cJSON_ArrayForEach(item, list) {
		const char *name = text_of(q, member(item, "name"));
		const char *type = text_of(q, member(item, "type"));

		if (bad == 0 && name && type && strncmp(type, "child<", 6) == 0)
			bad = see_device(q, arena_printf(q->ctl->mem, "%s/%s", dir, name), ret);
	}
	cJSON_Delete(list);
	return bad;
}

static int ask_ports(struct qmp *q, struct target *ret)
{
	if (ret->n_ports == 0)
		return 0;
	return see_devices(q, "/machine/peripheral", ret) < 0 ||
			       see_devices(q, "/machine/peripheral-anon", ret) < 0
		       ? -1
		       : 0;
}

int target_ask(struct qmp *q, struct target *ret)
{
	*ret = (struct target){ 0 };
	return ask_machine(q, ret) < 0 || ask_guest(q, ret) < 0 || ask_netdevs(q, ret) < 0 ||
			       ask_devices(q, ret) < 0 || ask_ports(q, ret) < 0
		       ? -1
		       : 0;
}
