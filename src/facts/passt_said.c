/*
 * passt_said.c - what passt means by what it says when it does not start
 */
#include "config.h"

#include "facts/passt_said.h"

#include <errno.h>
#include <string.h>

#include "base/bounds.h"

#define USER_NAMESPACE "allow user namespaces: passt cannot run in a chroot, or with " \
		       "user.max_user_namespaces=0"
#define LOW_PORT "forward a port of 1024 or above, or lower net.ipv4.ip_unprivileged_port_start"
#define IN_USE "end what uses the port, or forward another"

/* In this order: a text may be in a line with others, and the reason counts more than what failed. */
static const struct {
	const char *text;
	struct passt_meaning meaning;
} meanings[] = {
	/* words and values */
	{ "unrecognized option", { DIAG_PASST_OPTION,
	  "leave the option out, or install a passt that knows it" } },
	{ "invalid option", { DIAG_PASST_OPTION,
	  "leave the option out, or install a passt that knows it" } },
	{ "is ambiguous", { DIAG_PASST_OPTION, NULL } },
	{ "requires an argument", { DIAG_PASST_OPTION, NULL } },
	{ "doesn't allow an argument", { DIAG_PASST_OPTION, NULL } },
	{ "Extra non-option argument", { DIAG_PASST_OPTION, NULL } },
	{ "mutually exclusive", { DIAG_PASST_OPTION, NULL } },
	{ "Invalid port specifier", { DIAG_PASST_OPTION,
	  "write a port as [ADDRESS/]PORT[-LAST][:GUEST-PORT]" } },
	{ "Overlapping port specifier", { DIAG_PASST_OPTION, "name each port once" } },
	{ "Altering mapping of already mapped", { DIAG_PASST_OPTION, "name each port once" } },
	{ "Forwarding configuration conflict", { DIAG_PASST_OPTION, "name each port once" } },
	/* what is not there */
	{ "Invalid interface name", { DIAG_PASST_INTERFACE, NULL } },
	{ "No such device", { DIAG_PASST_INTERFACE, NULL } },
	{ "Cannot assign requested address", { DIAG_PASST_INTERFACE, NULL } },
	{ "External interface not usable", { DIAG_PASST_INTERFACE,
	  "give this network a default route, or name the link with \"interface\"" } },
	/* the rest of what is wrong with values */
	{ "Invalid ", { DIAG_PASST_OPTION, NULL } },
	{ "Cannot use DNS ", { DIAG_PASST_OPTION, NULL } },
	{ " too large (max ", { DIAG_PASST_OPTION, NULL } },
	/* privilege */
	{ "create user namespace", { DIAG_PASST_NAMESPACE, USER_NAMESPACE } },
	{ "detach isolating namespaces", { DIAG_PASST_NAMESPACE, USER_NAMESPACE } },
	{ "Can't set GID to ", { DIAG_PASST_PRIVILEGE,
	  "start without root, or with CAP_SETUID and CAP_SETGID" } },
	{ "Can't set UID to ", { DIAG_PASST_PRIVILEGE,
	  "start without root, or with CAP_SETUID and CAP_SETGID" } },
	{ "Can't drop supplementary groups", { DIAG_PASST_PRIVILEGE,
	  "start without root, or with CAP_SETUID and CAP_SETGID" } },
	/* what may be there another time */
	{ "Resource temporarily unavailable", { DIAG_PASST_RESOURCES, NULL } },
	{ "Too many open files", { DIAG_PASST_RESOURCES, NULL } },
	{ "Cannot allocate memory", { DIAG_PASST_RESOURCES, NULL } },
	{ "No buffer space available", { DIAG_PASST_RESOURCES, NULL } },
	{ "Address already in use", { DIAG_PASST_PORT, IN_USE } },
};

/* Of these the reason is said beside them, or nowhere. */
static bool about_port(const char *said)
{
	static const char *const texts[] = { "Failed to bind ", "Couldn't bind", "Listen failed for ",
					     "Couldn't listen on " };

	for (unsigned i = 0; i < ARRAY_LEN(texts); i++)
		if (strstr(said, texts[i]))
			return true;
	return false;
}

bool passt_hides_reason(const char *said)
{
	return strstr(said, "Failed to bind any port") != NULL;
}

static struct passt_meaning port_meaning(int err)
{
	switch (err) {
	case EACCES:
	case EPERM:
		return (struct passt_meaning){ DIAG_PASST_PRIVILEGE, LOW_PORT };
	case 0:			/* it is free by now */
	case EADDRINUSE:
		return (struct passt_meaning){ DIAG_PASST_PORT, IN_USE };
	default:		/* no such address, ... */
		return (struct passt_meaning){ DIAG_PASST_INTERFACE, NULL };
	}
}

struct passt_meaning passt_meaning(const char *said, int port_err)
{
	if (passt_hides_reason(said))
		return port_meaning(port_err);
	for (unsigned i = 0; i < ARRAY_LEN(meanings); i++)
		if (strstr(said, meanings[i].text))
			return meanings[i].meaning;
	if (about_port(said) && strstr(said, "Permission denied"))
		return port_meaning(EACCES);
	return (struct passt_meaning){ .id = DIAG_PASST_FAILED };
}
