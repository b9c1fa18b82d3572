/* bounds.h - every limit of the program, each with its reason */
#ifndef QH_BASE_BOUNDS_H
#define QH_BASE_BOUNDS_H

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

enum {
	INPUT_MAX	= 256 * 1024,	/* bytes of a descriptor: a launch fits in a few KiB */
	READCONFIG_MAX	= 64 * 1024,	/* bytes of a -readconfig file; QEMU's examples: 5 KiB */
	READCONFIG_FILES = 16,		/* of them that are read: managers name one */
	DEPTH_MAX	= 16,		/* nesting: the format itself needs 4 */
	TIMEOUT_DEFAULT	= 10,		/* seconds for a writer; the slowest measured needed 0.3 */
	TIMEOUT_MAX	= 3600,
	WRITE_SECONDS	= 10,		/* for a reader to take a report, or a message */
	MANAGER_WAIT_MS	= 1000,		/* for a manager to connect to the monitor after an error */
	NICS_MAX	= 64,		/* a q35 machine has 32 slots; bridges add some */
	ARGS_MAX	= 4096,		/* words in "args" */
	PROPS_MAX	= 128,		/* properties of one device or netdev */
	QUEUES_MAX	= 64,		/* queue pairs of one NIC; the kernel allows 256 per link */
	QUEUES_DEFAULT_MAX = 16,	/* queue pairs at most for a NIC that asks for none */
	VCPUS_MAX	= 4096,
	NETOPT_NUMBER_MAX = 65535,	/* the largest MTU; also of a retry interval */
	SUN_PATH_MAX	= 107,		/* bytes of a socket's path (linux/un.h) */
	ID_MAX		= 63,		/* bytes of a netdev id */
	NAME_MAX_LEN	= 255,		/* bytes of the guest's name */
	CGROUPS_MAX	= 16,		/* v1 has about a dozen hierarchies */
	GROUPS_MAX	= 64,		/* supplementary groups of QEMU */
	CAPS_MAX	= 64,		/* capabilities in a list: the kernel's sets have 64 bits */
	BOX_PATHS_MAX	= 256,		/* paths in a list of "landlock": a guest has a dozen */
	CHILD_FD	= 3,		/* where a program that is started finds its descriptor */
	NOFILE_WANTED	= 4096,		/* RLIMIT_NOFILE under a filter, unless already higher */
	NOFILE_CAP	= 65536,	/* a higher soft limit is cut to this: a table of 512 KiB */
	FD_MIN		= 3,		/* 0, 1 and 2 are the caller's */
	FD_MAX		= 1 << 20,	/* default of fs.nr_open: none is above it */
	QEMU_OWN_TASKS	= 3,		/* main, RCU and one vCPU thread: the minimum */
	QEMU_OWN_FDS	= 256,		/* room for what QEMU opens itself */
	DIAGS_MAX	= 64,		/* problems listed before "and more" */
};

#endif
