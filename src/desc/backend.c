/*
 * backend.c - what the value of -netdev says
 *
 * Sources: qapi/net.json, net/tap.c, net/vhost-user.c, net/vhost-vdpa.c of QEMU 7.2 to 11.1.
 */
#include "config.h"

#include "desc/backend.h"

#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/switch.h"
#include "desc/cmdline.h"

enum { TAP_QUEUES_MAX = 1024 };	/* net/tap.c, MAX_TAP_QUEUES; a vhost-user netdev has as many */

struct reading {
	struct arena *mem;
	const struct qopts *opts;
	struct backend *ret;
};

static const char *get(const struct reading *r, const char *key)
{
	return qopts_get(r->opts, key);
}

/* The first thing that is wrong is said. */
static void refuse(const struct reading *r, const char *why)
{
	if (!r->ret->refused)
		r->ret->refused = why;
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* "queues", which is one if it is not said. */
static void read_queues(const struct reading *r)
{
	const char *text = get(r, "queues");
	char *end = NULL;
	const unsigned long n = text && text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 0)
									  : 0;

	r->ret->queues = 1;
	if (!text)
		return;
	if (!end || *end || n < 1 || n > TAP_QUEUES_MAX)
		refuse(r, arena_printf(r->mem, "queues=%s is not a number from 1 to %d", text,
				       TAP_QUEUES_MAX));
	else
		r->ret->queues = (unsigned)n;
}

/* The numbers of key, separated by colons. On a command line there are no names of descriptors. */
static unsigned read_numbers(const struct reading *r, const char *key, const int **ret)
{
	const char *text = get(r, key);
	unsigned most = 1, n;
	int *list;

	if (!text)
		return 0;
	for (const char *c = text; *c; c++)
		most += *c == ':';
	list = arena_array(r->mem, most, sizeof(*list));
	n = most <= TAP_QUEUES_MAX ? qopts_numbers(text, list, most) : 0;
	if (n == 0)
		refuse(r, arena_printf(r->mem, "%s=%s is not a list of descriptor numbers", key,
				       text));
	*ret = list;
	return n;
}

/* --- types ------------------------------------------------------------------------------------ */

/* net/tap.c, net_init_tap(): what cannot stand beside fd, fds, helper, and ifname. */
static void refuse_mixed(const struct reading *r, const char *form)
{
	static const char *const alone[] = { "ifname", "script", "downscript", "vnet_hdr", "helper",
					     "queues" };
	const bool helper = strcmp(form, "helper") == 0;

	for (unsigned i = 0; form[0] && i < ARRAY_LEN(alone); i++)
		if (get(r, alone[i]) && !(helper && strcmp(alone[i], "helper") == 0))
			refuse(r, arena_printf(r->mem, "%s= does not go with %s=", form, alone[i]));
	if (strcmp(form, "fds") != 0 && get(r, "vhostfds"))
		refuse(r, "vhostfds= goes with fds= only");
	if (strcmp(form, "fds") == 0 && get(r, "vhostfd"))
		refuse(r, "fds= goes with vhostfds=, not with vhostfd=");
}

static const char *tap_form(const struct reading *r)
{
	return get(r, "fd") ? "fd" : get(r, "fds") ? "fds" : get(r, "helper") ? "helper" : "";
}

/* net/tap.c, net_init_tap_one(): a descriptor for vhost, or vhostforce, turns it on by itself. */
static void tap_vhost(const struct reading *r)
{
	struct backend *ret = r->ret;
	const char *word = get(r, "vhost");
	const bool given = get(r, "vhostfd") || get(r, "vhostfds");

	ret->has_vhost = true;
	ret->vhost = word ? switch_on(word) : given || switch_on(get(r, "vhostforce"));
	ret->n_vhostfds = read_numbers(r, get(r, "vhostfds") ? "vhostfds" : "vhostfd",
				       &ret->vhostfds);
	ret->opens_vhost = ret->vhost && !given;
	if (word && !switch_on(word) && !switch_off(word))
		refuse(r, arena_printf(r->mem, "vhost=%s is neither on nor off", word));
	if (!ret->vhost && given)
		refuse(r, "vhost is off, and there are descriptors for it");
	if (get(r, "vhostfds") && ret->n_vhostfds != ret->n_fds)
		refuse(r, arena_printf(r->mem, "%u descriptors, and %u for vhost", ret->n_fds,
				       ret->n_vhostfds));
}

static void read_tap(const struct reading *r)
{
	struct backend *ret = r->ret;
	const char *form = tap_form(r);

	refuse_mixed(r, form);
	read_queues(r);
	if (strcmp(form, "fd") == 0 || strcmp(form, "fds") == 0) {
		ret->n_fds = read_numbers(r, form, &ret->fds);
		ret->queues = ret->n_fds > 0 ? ret->n_fds : 1;
		if (strcmp(form, "fd") == 0 && ret->n_fds > 1)
			refuse(r, "fd= is one number, a list goes into fds=");
	} else if (form[0]) {
		ret->helper = get(r, "helper");
		ret->bridge = get(r, "br") ? get(r, "br") : "br0";
	} else {
		ret->opens_tap = true;
		ret->ifname = get(r, "ifname");
	}
	tap_vhost(r);
}

static void read_bridge(const struct reading *r)
{
	r->ret->queues = 1;
	r->ret->bridge = get(r, "br") ? get(r, "br") : "br0";
	r->ret->helper = get(r, "helper");
}

static void read_vhost_user(const struct reading *r)
{
	read_queues(r);
	r->ret->shares_memory = r->ret->long_tx_queue = true;
	r->ret->chardev = get(r, "chardev");
	if (!r->ret->chardev)
		refuse(r, "it names no chardev");
}

/* The device says how many queue pairs it has (net_init_vhost_vdpa()). */
static void read_vdpa(const struct reading *r)
{
	struct backend *ret = r->ret;

	ret->queues = BACKEND_QUEUES_UNKNOWN;
	ret->long_tx_queue = true;
	ret->node = get(r, "vhostdev");
	ret->n_fds = read_numbers(r, "vhostfd", &ret->fds);
	if (!ret->node && !get(r, "vhostfd"))
		refuse(r, "it has neither vhostdev nor vhostfd");
	if (ret->node && get(r, "vhostfd"))
		refuse(r, "it has both vhostdev and vhostfd");
}

static void read_passt(const struct reading *r)
{
	r->ret->queues = 1;
	r->ret->shares_memory = r->ret->long_tx_queue = switch_on(get(r, "vhost-user"));
}

static void read_one(const struct reading *r)
{
	r->ret->queues = 1;
}

static void read_socket(const struct reading *r)
{
	r->ret->queues = 1;
	r->ret->n_fds = read_numbers(r, "fd", &r->ret->fds);
}

static const struct type {
	const char *name;
	void (*read)(const struct reading *r);
} types[] = {
	{ "tap",	read_tap },
	{ "bridge",	read_bridge },
	{ "vhost-user",	read_vhost_user },
	{ "vhost-vdpa",	read_vdpa },
	{ "passt",	read_passt },
	{ "user",	read_one },
	{ "hubport",	read_one },
	{ "socket",	read_socket },
	{ "stream",	read_one },
	{ "dgram",	read_one },
	{ "vde",	read_one },
	{ "l2tpv3",	read_one },
	{ "netmap",	read_one },
	{ "af-xdp",	read_queues },
};

const struct backend *backend_read(struct arena *mem, const struct qopts *opts)
{
	const char *type = qopts_get(opts, "type");

	for (unsigned i = 0; type && i < ARRAY_LEN(types); i++) {
		struct backend *ret;

		if (strcmp(type, types[i].name) != 0)
			continue;
		ret = arena_get(mem, sizeof(*ret));
		ret->type = types[i].name;
		types[i].read(&(struct reading){ .mem = mem, .opts = opts, .ret = ret });
		return ret;
	}
	return NULL;
}
