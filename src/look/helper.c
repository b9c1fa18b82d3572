/*
 * helper.c - look at qemu-bridge-helper and its access list
 *
 * The list is read as the helper reads it (qemu-bridge-helper.c, the same from QEMU 7.2 to 11.0).
 */
#include "config.h"

#include "look/helper.h"

#include <errno.h>
#include <string.h>

#include "look/files.h"
#include "sys/readfile.h"

/* --- the access list -------------------------------------------------------------------------- */

enum { ACL_DEPTH = 8, ACL_SIZE = 64 * 1024 };

/* What all rules together say: any deny that matches wins (qemu-bridge-helper.c, main). */
struct acl_state {
	const char *bridge;
	bool allowed, denied;
};

static int acl_read(struct arena *mem, const char *file, struct acl_state *acl, unsigned depth);

static void acl_line(struct arena *mem, char *line, struct acl_state *acl, unsigned depth)
{
	char *save, *verb = strtok_r(line, " \t\r\n", &save),
		    *arg = verb ? strtok_r(NULL, " \t\r\n", &save) : NULL;

	if (!verb || verb[0] == '#' || !arg)
		return;
	if (strcmp(verb, "include") == 0) {
		/* the helper, too, goes on when an included file cannot be read */
		(void)acl_read(mem, arg, acl, depth + 1);
		return;
	}
	if (strcmp(arg, "all") != 0 && strcmp(arg, acl->bridge) != 0)
		return;
	acl->allowed |= strcmp(verb, "allow") == 0;
	acl->denied |= strcmp(verb, "deny") == 0;
}

static int acl_read(struct arena *mem, const char *file, struct acl_state *acl, unsigned depth)
{
	char *text = arena_get(mem, ACL_SIZE);
	int err = depth < ACL_DEPTH ? readfile(file, text, ACL_SIZE) : ELOOP;

	for (char *save = NULL, *line = err == 0 ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		acl_line(mem, line, acl, depth);
	return err;
}

static void acl_probe(struct arena *mem, const struct nic *nic, struct nic_facts *ret)
{
	struct acl_state acl = { .bridge = nic->bridge };

	/* a helper of the caller's choice may have been built with another file */
	if (nic->helper) {
		ret->acl = ACL_UNKNOWN;
		return;
	}
	ret->acl_file = BRIDGE_CONF;
	ret->acl_err = acl_read(mem, BRIDGE_CONF, &acl, 0);
	if (ret->acl_err != 0)
		ret->acl = ret->acl_err == ENOENT ? ACL_MISSING : ACL_UNREADABLE;
	else
		ret->acl = acl.allowed && !acl.denied ? ACL_ALLOWED : ACL_DENIED;
}

/* --- the program ------------------------------------------------------------------------------ */

static struct program find_helper(const struct nic *nic)
{
	static const char *const places[] = {
		"/usr/lib/qemu/qemu-bridge-helper",		/* Debian, Ubuntu */
		"/usr/libexec/qemu-bridge-helper",		/* Fedora, openSUSE */
		"/usr/local/libexec/qemu-bridge-helper",	/* QEMU's own default */
	};
	struct program ret;

	if (nic->helper)
		return files_program_text(nic->helper);
	for (unsigned i = 0; i < ARRAY_LEN(places); i++) {
		ret = files_program_text(places[i]);
		if (ret.err == 0)
			return ret;
	}
	return files_program_text(places[0]);
}

void helper_probe(const struct nic *nic, struct arena *mem, struct nic_facts *ret)
{
	ret->helper = find_helper(nic);
	acl_probe(mem, nic, ret);
}
