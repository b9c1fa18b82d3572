/*
 * vhost_users.c - what QEMU's words and a custom netdev serve over vhost-user
 *
 * Netdevs (net/vhost-user.c, net/passt.c), devices (hw/virtio/vhost-user-*.c,
 * contrib/vhost-user-gpu) and the crypto object (backends/cryptodev-vhost-user.c) of QEMU 7.2 to
 * 11.1.
 */
#include "config.h"

#include "desc/vhost_users.h"

#include <string.h>

#include "base/switch.h"
#include "desc/backend.h"

/* Is it one, and with which chardev? */
static bool is_netdev(const struct qopts *opts, const char **ret_chardev)
{
	const char *type = qopts_get(opts, "type");

	*ret_chardev = qopts_get(opts, "chardev");
	if (type && strcmp(type, "passt") == 0) {
		*ret_chardev = NULL;
		return switch_on(qopts_get(opts, "vhost-user"));
	}
	return type && strcmp(type, "vhost-user") == 0;
}

static bool is_device(const struct qopts *opts, const char **ret_chardev)
{
	static const char prefix[] = "vhost-user-";
	const char *driver = qopts_get(opts, "driver");

	*ret_chardev = qopts_get(opts, "chardev");
	return driver && strncmp(driver, prefix, strlen(prefix)) == 0;
}

static bool is_object(const struct qopts *opts, const char **ret_chardev)
{
	const char *type = qopts_get(opts, "qom-type");

	*ret_chardev = qopts_get(opts, "chardev");
	return type && strcmp(type, "cryptodev-vhost-user") == 0;
}

static const struct place {
	enum qemu_option_id option;
	bool (*is)(const struct qopts *opts, const char **ret_chardev);
} places[] = {
	{ QEMU_OPTION_netdev, is_netdev },
	{ QEMU_OPTION_nic, is_netdev },
	{ QEMU_OPTION_device, is_device },
	{ QEMU_OPTION_object, is_object },
};

/* An abstract socket has no file, and a descriptor has no path. */
static void read_chardev(const struct desc *desc, struct vhost_user *ret)
{
	const struct qopts *opts = ret->chardev ? qemu_args_find(desc->words, QEMU_OPTION_chardev,
								 "id", ret->chardev)
						: NULL;

	if (!opts)
		return;
	ret->has_chardev = true;
	ret->server = switch_on(qopts_get(opts, "server"));
	ret->reconnects = qopts_get(opts, "reconnect") || qopts_get(opts, "reconnect-ms");
	if (!switch_on(qopts_get(opts, "abstract")))
		ret->path = qopts_get(opts, "path");
}

static const char *name_of(struct arena *mem, const struct qemu_arg *arg)
{
	const char *id = qopts_get(&arg->opts, "id");

	if (!id)
		id = qopts_get(&arg->opts, arg->row->first);
	return arena_printf(mem, "-%s %s", arg->row->name, id);
}

/* Counts them, and writes them down where ret is not NULL. */
static unsigned walk(const struct desc *desc, struct arena *mem, struct vhost_user *ret)
{
	unsigned n = 0;

	for (unsigned p = 0; p < ARRAY_LEN(places); p++)
		for (struct qemu_arg *arg = qemu_args_first(desc->words, places[p].option); arg;
		     arg = qemu_args_after(desc->words, arg)) {
			const struct qopts *opts = qemu_arg_opts(desc->words, arg);
			const char *chardev;

			if (!opts || !places[p].is(opts, &chardev))
				continue;
			if (ret)
				ret[n] = (struct vhost_user){ .what = name_of(mem, arg),
							      .chardev = chardev };
			n++;
		}
	for (unsigned i = 0; i < desc->n_nics; i++) {
		const struct nic *nic = &desc->nics[i];

		if (!nic->backend || !nic->backend->shares_memory)
			continue;
		if (ret)
			ret[n] = (struct vhost_user){ .what = "the netdev's text",
						      .nic = nic,
						      .chardev = nic->backend->chardev };
		n++;
	}
	return n;
}

void vhost_users_read(struct desc *desc, struct arena *mem)
{
	desc->n_vhost_users = walk(desc, mem, NULL);
	desc->vhost_users = arena_array(mem, desc->n_vhost_users, sizeof(*desc->vhost_users));
	(void)walk(desc, mem, desc->vhost_users);
	for (unsigned i = 0; i < desc->n_vhost_users; i++)
		read_chardev(desc, &desc->vhost_users[i]);
}
