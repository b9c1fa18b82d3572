/*
 * fd_uses.c - which options take the number of an open descriptor, and the numbers that they name
 *
 * From QEMU 7.2 to 11.1: every caller of monitor_fd_param() and qemu_parse_fd() that a command line
 * reaches (net/, backends/iommufd.c, hw/vfio/, hw/virtio/vhost-*.c, hw/scsi/vhost-scsi.c,
 * hw/remote/, hw/net/virtio-net.c, migration/fd.c, fsdev/), and every address of a socket whose
 * type is fd (qapi/sockets.json), wherever it stands. A word that is no number names a descriptor
 * that a monitor was given: there is none on a command line.
 */
#include "config.h"

#include "desc/fd_uses.h"

#include <string.h>

#include "desc/backend.h"

struct reading {
	struct desc *desc;
	struct arena *mem;
	unsigned room;
	/* of the option that is read */
	const char *option, *id;	/* id: what to call this use; NULL: nothing */
	const struct nic *nic;
	const struct where *at;
	bool duplicates;
};

static void add(struct reading *r, int fd, const char *what)
{
	struct desc *desc = r->desc;

	if (desc->n_fd_uses == r->room) {
		const unsigned room = r->room ? 2 * r->room : 16;
		struct fd_use *list = arena_array(r->mem, room, sizeof(*list));

		if (desc->n_fd_uses > 0)
			memcpy(list, desc->fd_uses, desc->n_fd_uses * sizeof(*list));
		desc->fd_uses = list;
		r->room = room;
	}
	desc->fd_uses[desc->n_fd_uses++] = (struct fd_use){
		.fd = fd, .what = what, .duplicates = r->duplicates, .nic = r->nic, .at = r->at
	};
}

/* "3:4:5", as "fds" has it; anything else is no use of a number. */
static void add_list(struct reading *r, const char *key, const char *text)
{
	const char *what = arena_printf(r->mem, "%s= of -%s%s%s", key, r->option, r->id ? " " : "",
					r->id ? r->id : "");
	unsigned most = 1, n;
	int *list;

	for (const char *c = text; *c; c++)
		most += *c == ':';
	list = arena_array(r->mem, most, sizeof(*list));
	n = qopts_numbers(text, list, most);
	for (unsigned i = 0; i < n; i++)
		add(r, list[i], what);
}

/* --- keys ------------------------------------------------------------------------------------- */

/* The key itself, or an element of a list of that name. */
static bool is_key(const char *key, const char *name)
{
	const size_t len = strlen(name);

	return strncmp(key, name, len) == 0 && (key[len] == '\0' || key[len] == '.');
}

static bool names_number(const char *key)
{
	static const char *const keys[] = { "fd",       "fds",     "vhostfd",      "vhostfds",
					    "sock-fds", "sock_fd", "ebpf-rss-fds" };

	for (unsigned i = 0; i < ARRAY_LEN(keys); i++)
		if (is_key(key, keys[i]))
			return true;
	return false;
}

/* "addr.type": the same object's "str" is the number if its type is fd. */
static const char *address_number(const struct reading *r, const struct qopts *opts,
				  const struct qopt *type, const char **ret_key)
{
	static const char *const forms[] = { "str", "data.str", "data" };
	const char *dot = strrchr(type->key, '.');
	const size_t len = dot ? (size_t)(dot - type->key) + 1 : 0;
	const char *prefix = arena_strn(r->mem, type->key, len), *ret = NULL;

	if (strcmp(type->key + len, "type") != 0 || strcmp(type->value, "fd") != 0)
		return NULL;
	for (unsigned i = 0; i < ARRAY_LEN(forms) && !ret; i++) {
		*ret_key = arena_printf(r->mem, "%s%s", prefix, forms[i]);
		ret = qopts_get(opts, *ret_key);
	}
	return ret;
}

static void read_opts(struct reading *r, const struct qopts *opts)
{
	for (unsigned i = 0; i < opts->n; i++) {
		const struct qopt *opt = &opts->list[i];
		const char *number, *key;

		if (names_number(opt->key))
			add_list(r, opt->key, opt->value);
		else if ((number = address_number(r, opts, opt, &key)))
			add_list(r, key, number);
	}
}

/* --- options ---------------------------------------------------------------------------------- */

/* The NIC that takes the numbers of this netdev of argv for its own. */
static const struct nic *nic_of(const struct desc *desc, const char *id)
{
	for (unsigned i = 0; id && i < desc->n_nics; i++)
		if (desc->nics[i].in_argv && strcmp(desc->nics[i].id, id) == 0)
			return &desc->nics[i];
	return NULL;
}

/* "fd:5", "unix:,fd=5": the short forms of a migration's source and of a character device. */
static void read_short(struct reading *r, const struct qemu_arg *arg)
{
	static const char fd[] = "fd:", unix_socket[] = "unix:";
	const char *value = arg->value;
	struct qopts opts;

	if ((arg->row->traits & QEMU_URI) && strncmp(value, fd, strlen(fd)) == 0) {
		r->id = NULL;
		add_list(r, "fd", value + strlen(fd));
	}
	if ((arg->row->traits & QEMU_CHARDEV) &&
	    strncmp(value, unix_socket, strlen(unix_socket)) == 0 &&
	    qopts_parse(r->mem, value + strlen(unix_socket), "path", &opts))
		read_opts(r, &opts);
}

static void read_arg(struct reading *r, struct qemu_arg *arg)
{
	const unsigned traits = arg->row->traits;
	const struct qopts *opts = NULL;

	r->option = arg->row->name;
	r->id = NULL;
	r->nic = NULL;
	r->duplicates = arg->row->same == QEMU_OPTION_add_fd;
	if ((traits & QEMU_LIST) || ((traits & QEMU_JSON) && arg->value[0] == '{'))
		opts = qemu_arg_opts(r->desc->words, arg);
	if (!opts) {
		read_short(r, arg);
		return;
	}
	r->id = qopts_get(opts, "id");
	if (arg->row->same == QEMU_OPTION_netdev)
		r->nic = nic_of(r->desc, r->id);
	if (!r->id && arg->row->first)
		r->id = qopts_get(opts, arg->row->first);
	read_opts(r, opts);
}

/* Can its text hold one of the keys, or an address? Long lines of disks are not parsed for it. */
static bool may_name(const char *value)
{
	return strstr(value, "fd") != NULL;
}

static void read_text(struct reading *r, const struct nic *nic)
{
	const struct backend *backend = nic->backend;

	if (!backend)
		return;
	r->duplicates = false;
	r->nic = NULL;
	r->at = where_keep(r->mem, KEY(nic->at, "netdev"));
	for (unsigned i = 0; i < backend->n_fds; i++)
		add(r, backend->fds[i],
		    backend->n_fds > 1 ? "fds= of the netdev's text" : "fd= of the netdev's text");
	for (unsigned i = 0; i < backend->n_vhostfds; i++)
		add(r, backend->vhostfds[i],
		    backend->n_vhostfds > 1 ? "vhostfds= of the netdev's text"
					    : "vhostfd= of the netdev's text");
}

void fd_uses_read(struct desc *desc, struct arena *mem)
{
	struct reading r = { .desc = desc, .mem = mem };

	for (unsigned i = 0; i < desc->words->n; i++) {
		struct qemu_arg *arg = &desc->words->list[i];

		if (arg->row && arg->value && may_name(arg->value))
			read_arg(&r, arg);
	}
	for (unsigned i = 0; i < desc->n_nics; i++)
		read_text(&r, &desc->nics[i]);
}
