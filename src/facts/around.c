/*
 * around.c - what stands around this process and decides over its devices
 *
 * A /dev that is not the kernel's own (devtmpfs) holds only what somebody put there. libvirt mounts
 * one for each domain, a tmpfs by the name of "devfs" (libvirt 9 and 11, virFileSetupDev()).
 * Containers have one as well; so have units of systemd with PrivateDevices=.
 */
#include "config.h"

#include "facts/around.h"

#include <stdlib.h>
#include <string.h>

/* --- mounts: ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [MORE]... - TYPE SOURCE OPTIONS (proc(5)) --- */

static const char *word_at(const char *line, unsigned n)
{
	for (; n > 0; n--) {
		line += strcspn(line, " \n");
		line += *line == ' ';
	}
	return line;
}

static bool is_word(const char *at, const char *word)
{
	const size_t len = strcspn(at, " \n");

	return strlen(word) == len && strncmp(at, word, len) == 0;
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

/* Where "TYPE SOURCE" of the last mount at that point stands: it hides those before. NULL: none. */
static const char *mounted_at(const char *mountinfo, const char *point)
{
	const char *ret = NULL;

	for (const char *line = mountinfo; *line; line = next_line(line)) {
		const char *at = word_at(line, 5);

		if (!is_word(word_at(line, 4), point))
			continue;
		while (*at && *at != '\n' && !is_word(at, "-"))
			at = word_at(at, 1);
		ret = is_word(at, "-") ? word_at(at, 1) : ret;
	}
	return ret;
}

/* --- cgroups: ID:CONTROLLERS:PATH (cgroups(7)) --- */

static bool in_unit(const char *cgroup)
{
	static const char end[] = ".service";
	const size_t len = strlen(end);

	for (const char *line = cgroup; *line; line = next_line(line)) {
		const size_t n = strcspn(line, "\n");

		if (n > len && strncmp(line + n - len, end, len) == 0)
			return true;
	}
	return false;
}

/* "machine-qemu" is libvirt's scope with systemd, ".libvirt-qemu" the end of its group without. */
static bool in_domain(const char *cgroup)
{
	return strstr(cgroup, "/machine-qemu") || strstr(cgroup, ".libvirt-qemu");
}

struct around around_find(const char *mountinfo, const char *cgroup, bool marked)
{
	const char *dev = mounted_at(mountinfo, "/dev"), *root = mounted_at(mountinfo, "/");
	struct around ret = { .known = true, .own_dev = dev && !is_word(dev, "devtmpfs") };

	if ((ret.own_dev && is_word(word_at(dev, 1), "devfs")) || in_domain(cgroup))
		ret.by = AROUND_LIBVIRT;
	else if (ret.own_dev && (marked || (root && is_word(root, "overlay"))))
		ret.by = AROUND_CONTAINER;
	else if (in_unit(cgroup))
		ret.by = AROUND_UNIT;
	return ret;
}

/* --- numbers --- */

/* "200 tun": a line of /proc/misc is a minor and a name. */
bool around_has_driver(const char *misc, unsigned minor)
{
	for (const char *line = misc; *line; line = next_line(line)) {
		char *end;

		if (strtoul(line, &end, 10) == minor && end != line && *end == ' ')
			return true;
	}
	return false;
}

/* "INSIDE OUTSIDE COUNT" in each line. */
unsigned around_outer_uid(const char *uid_map, unsigned uid)
{
	for (const char *line = uid_map; *line; line = next_line(line)) {
		char *at;
		const unsigned long inside = strtoul(line, &at, 10);
		const unsigned long outside = strtoul(at, &at, 10);
		const unsigned long count = strtoul(at, &at, 10);

		if (uid >= inside && uid - inside < count)
			return (unsigned)(outside + (uid - inside));
	}
	return uid;
}
