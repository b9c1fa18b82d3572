/*
 * called_as.c - names that QEMU has, with distributions and managers
 */
#include "config.h"

#include "desc/called_as.h"

#include <string.h>

#include "base/bounds.h"

#if defined(__x86_64__)
#define SYSTEM "-system-x86_64"
#elif defined(__aarch64__)
#define SYSTEM "-system-aarch64"
#endif

static const char *const qemu_names[] = {
	"qemu-system-*",		/* as it is built */
	("*" SYSTEM),			/* a prefix, such as a cross build or a vendor has */
	"qemu-kvm", "kvm",		/* RHEL, Debian */
	"qemu-dm",			/* Xen */
};

static bool matches(const char *name, const char *pattern, size_t len)
{
	const size_t n = strlen(name);

	if (pattern[0] == '*')
		return n >= len && memcmp(name + n - (len - 1), pattern + 1, len - 1) == 0;
	if (pattern[len - 1] == '*')
		return n >= len && memcmp(name, pattern, len - 1) == 0;
	return n == len && memcmp(name, pattern, len) == 0;
}

bool called_by(const char *name, const char *patterns)
{
	for (size_t len; *(patterns += strspn(patterns, " ")); patterns += len) {
		len = strcspn(patterns, " ");
		if (matches(name, patterns, len))
			return true;
	}
	return false;
}

static bool is_qemu(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(qemu_names); i++)
		if (called_by(name, qemu_names[i]))
			return true;
	return called_by(name, PASSTHROUGH_NAMES);
}

enum called_as called_as(const char *argv0, const char **ret_name)
{
	static const char ours[] = PACKAGE_NAME;
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;
	const char *name = slash ? slash + 1 : argv0 ? argv0 : "";

	*ret_name = name;
	if (strncmp(name, ours, sizeof(ours) - 1) == 0)
		return CALLED_OURS;
	return is_qemu(name) ? CALLED_QEMU : CALLED_OTHER;
}
