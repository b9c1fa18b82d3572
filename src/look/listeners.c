/*
 * listeners.c - which unix sockets of this network namespace somebody listens on
 *
 * One request of sock_diag(7) lists them with device and inode of the file that each is bound to
 * (net/unix/diag.c). The name alone would not do: it is the one that was given to bind(2), which a
 * link or a chroot makes another. The numbers alone would not do either: of a stacked file system
 * (overlay, btrfs) stat(2) shows others. A process in another network namespace is not listed,
 * though it can be reached.
 */
#include "config.h"

#include "look/listeners.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <libmnl/libmnl.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>

enum { LISTENING = 1 << 10 };	/* TCP_LISTEN (net/tcp_states.h), which unix sockets use as well */
enum { REPLY_MAX = 32768 };

struct listener {
	const struct listener *next;
	uint32_t dev, ino;		/* as the kernel has them */
	char name[109];			/* sun_path, and a NUL */
};

struct listeners {
	struct arena *mem;
	const struct listener *first;
};

static int take_attribute(const struct nlattr *attr, void *data)
{
	struct listener *ret = data;

	switch (mnl_attr_get_type(attr)) {
	case UNIX_DIAG_NAME:
		if (mnl_attr_get_payload_len(attr) < sizeof(ret->name))
			memcpy(ret->name, mnl_attr_get_payload(attr),
			       mnl_attr_get_payload_len(attr));
		break;
	case UNIX_DIAG_VFS:
		if (mnl_attr_get_payload_len(attr) >= sizeof(struct unix_diag_vfs)) {
			const struct unix_diag_vfs *vfs = mnl_attr_get_payload(attr);

			ret->dev = vfs->udiag_vfs_dev;
			ret->ino = vfs->udiag_vfs_ino;
		}
		break;
	default:
		break;
	}
	return MNL_CB_OK;
}

static int take_message(const struct nlmsghdr *nlh, void *data)
{
	struct listeners *listeners = data;
	struct listener *new;

	if (nlh->nlmsg_len < mnl_nlmsg_size(sizeof(struct unix_diag_msg)))
		return MNL_CB_OK;
	new = arena_get(listeners->mem, sizeof(*new));
	(void)mnl_attr_parse(nlh, sizeof(struct unix_diag_msg), take_attribute, new);
	new->next = listeners->first;
	listeners->first = new;
	return MNL_CB_OK;
}

static int request(const struct mnl_socket *nl)
{
	_Alignas(struct nlmsghdr) char buf[MNL_NLMSG_HDRLEN + 64] = { 0 };
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct unix_diag_req *req;

	nlh->nlmsg_type = SOCK_DIAG_BY_FAMILY;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	nlh->nlmsg_seq = 1;
	req = mnl_nlmsg_put_extra_header(nlh, sizeof(*req));
	req->sdiag_family = AF_UNIX;
	req->udiag_states = LISTENING;
	req->udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_VFS;
	return mnl_socket_sendto(nl, nlh, nlh->nlmsg_len) < 0 ? -1 : 0;
}

static int receive(struct mnl_socket *nl, struct listeners *ret)
{
	char *reply = arena_get(ret->mem, REPLY_MAX);
	int more = MNL_CB_OK;

	while (more == MNL_CB_OK) {
		const ssize_t n = mnl_socket_recvfrom(nl, reply, REPLY_MAX);

		if (n < 0)
			return -1;
		more = mnl_cb_run(reply, (size_t)n, 1, mnl_socket_get_portid(nl), take_message,
				  ret);
	}
	return more;
}

const struct listeners *listeners_probe(struct arena *mem)
{
	struct mnl_socket *nl = mnl_socket_open2(NETLINK_SOCK_DIAG, SOCK_CLOEXEC);
	struct listeners *ret = arena_get(mem, sizeof(*ret));
	bool ok;

	if (!nl)
		return NULL;
	ret->mem = mem;
	ok = mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) == 0 && request(nl) == 0 &&
	     receive(nl, ret) >= 0;
	(void)mnl_socket_close(nl);
	return ok ? ret : NULL;
}

enum listened listeners_find(const struct listeners *listeners, const char *path)
{
	struct stat st;

	if (!listeners || stat(path, &st) < 0)
		return LISTENS_UNKNOWN;
	for (const struct listener *l = listeners->first; l; l = l->next)
		if (strcmp(l->name, path) == 0 ||
		    (l->ino != 0 && l->ino == (uint32_t)st.st_ino &&
		     l->dev == ((uint32_t)major(st.st_dev) << 20 | minor(st.st_dev))))
			return LISTENS_YES;
	return LISTENS_NO;
}
