/*
 * capnames.c - capabilities by name
 */
#include "config.h"

#include "base/capnames.h"

#include <string.h>

#include <linux/capability.h>

#include "base/bounds.h"

#define CAPABILITIES(X) \
	X(CHOWN) X(DAC_OVERRIDE) X(DAC_READ_SEARCH) X(FOWNER) X(FSETID) X(KILL) X(SETGID) \
	X(SETUID) X(SETPCAP) X(LINUX_IMMUTABLE) X(NET_BIND_SERVICE) X(NET_BROADCAST) \
	X(NET_ADMIN) X(NET_RAW) X(IPC_LOCK) X(IPC_OWNER) X(SYS_MODULE) X(SYS_RAWIO) \
	X(SYS_CHROOT) X(SYS_PTRACE) X(SYS_PACCT) X(SYS_ADMIN) X(SYS_BOOT) X(SYS_NICE) \
	X(SYS_RESOURCE) X(SYS_TIME) X(SYS_TTY_CONFIG) X(MKNOD) X(LEASE) X(AUDIT_WRITE) \
	X(AUDIT_CONTROL) X(SETFCAP) X(MAC_OVERRIDE) X(MAC_ADMIN) X(SYSLOG) X(WAKE_ALARM) \
	X(BLOCK_SUSPEND) X(AUDIT_READ) X(PERFMON) X(BPF) X(CHECKPOINT_RESTORE)

static const struct { const char *name; unsigned cap; } names[] = {
#define X(name) { "CAP_" #name, CAP_##name },
	CAPABILITIES(X)
#undef X
};

const char *capname(unsigned cap)
{
	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (names[i].cap == cap)
			return names[i].name;
	return NULL;
}

int capname_find(const char *name)
{
	const size_t prefix = strlen("CAP_");
	const char *rest = strncasecmp(name, "CAP_", prefix) == 0 ? name + prefix : name;

	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (strcasecmp(names[i].name + prefix, rest) == 0)
			return (int)names[i].cap;
	return -1;
}
