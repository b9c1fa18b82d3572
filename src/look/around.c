/*
 * around.c - look at what stands around this process, where a device is missing or denied
 *
 * For messages only, so a launch with all its devices does not pay for it.
 *
 * Never:  opens a device.
 */
#include "config.h"

#include "look/around.h"

#include <errno.h>

#include "facts/around.h"
#include "look/files.h"
#include "sys/netns.h"
#include "sys/readfile.h"

enum { TEXT_MAX = 64 * 1024 };		/* some 500 mounts; those of / and /dev are early */

static const char *read_text(struct arena *mem, const char *path)
{
	char *text = arena_get(mem, TEXT_MAX);

	return readfile_kernel(path, text, TEXT_MAX) == 0 ? text : "";
}

static bool in_trouble(const struct node *node)
{
	return node->path && (node->err != 0 || !node->is_chr || node->access_err != 0);
}

static bool wrong_device(const struct nic_facts *nf)
{
	return nf->node.path && nf->sysfs.dev.major != 0 &&
	       (nf->node.major != nf->sysfs.dev.major || nf->node.minor != nf->sysfs.dev.minor);
}

/* Docker, podman, and systemd in any other. A mount may hide a file, so it must be one. */
static bool is_marked(void)
{
	static const char *const files[] = {
		"/.dockerenv", "/run/.containerenv", "/run/systemd/container",
	};

	for (unsigned i = 0; i < ARRAY_LEN(files); i++)
		if (files_program(files[i]).regular)
			return true;
	return false;
}

void around_probe(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	bool look = in_trouble(&ret->vhost_net) || in_trouble(&ret->tun) ||
		    in_trouble(&ret->vhost_vsock);

	for (unsigned i = 0; i < desc->n_nics; i++)
		look = look || in_trouble(&ret->nics[i].node) || wrong_device(&ret->nics[i]);
	if (!look)
		return;
	ret->around = around_find(read_text(mem, "/proc/self/mountinfo"),
				  read_text(mem, "/proc/self/cgroup"), is_marked());
	ret->misc = read_text(mem, "/proc/misc");
}

void around_network(struct arena *mem, struct facts *ret)
{
	ret->outer_uid = ret->uid;
	if (netns_is_ours())
		return;
	ret->net_elsewhere = true;
	ret->net_admin = false;
	ret->outer_uid = around_outer_uid(read_text(mem, "/proc/self/uid_map"), ret->uid);
}
