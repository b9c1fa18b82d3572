/* descriptor.h - the launch descriptor as data, and the keys that a mode has. Pure. */
#ifndef QH_DESC_DESCRIPTOR_H
#define QH_DESC_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bounds.h"
#include "base/diag.h"
#include "base/mac.h"
#include "desc/cmdline.h"
#include "desc/guest.h"
#include "seccomp/filter.h"

enum mode {
#define MODE(id, row, name) MODE_##id,
#include "desc/modes.def"
#undef MODE
	MODE__COUNT
};

enum nic_key {
#define NIC_KEY(id, key, reader, member, min, max, arg) NIC_KEY_##id,
#include "desc/nic_keys.def"
#undef NIC_KEY
	NIC_KEY__COUNT
};
#define NIC_KEY_BIT(id) (UINT32_C(1) << NIC_KEY_##id)
/* The keys of every mode. */
#define NIC_KEYS_COMMON \
	(NIC_KEY_BIT(MODE) | NIC_KEY_BIT(ID) | NIC_KEY_BIT(QUEUES) | NIC_KEY_BIT(MAC) | \
	 NIC_KEY_BIT(DEVICE))

struct backend;
struct fd_use;
struct vhost_user;
struct netopt;
struct nic;
struct qopts;

/* The keys of a NIC of one mode; part of the mode's row. */
struct mode_syntax {
	uint32_t keys; /* NIC_KEY_BIT of each key besides the common ones */
	uint32_t needs;			/* one of these is required; 0: none */
	bool verbatim;			/* "netdev" is the -netdev value itself */
	const struct netopt *
		options; /* what "options" may contain, up to a NULL key; NULL: any property */
	/*
	 * Is this the mode that opens what these words of -netdev or -nic name? Fills in what the
	 * NIC's keys would have said. NULL: no words are.
	 */
	bool (*adopt)(const struct qopts *words, struct nic *nic);
};
typedef const struct mode_syntax *mode_syntax_fn(enum mode mode);

/* Calls of a manager that are no launch; desc/probe.h. */
enum probe_kind {
	PROBE_NONE,
	PROBE_PRINTS,	  /* QEMU prints something and exits */
	PROBE_NO_MACHINE, /* it runs, with machine type none */
};

enum choice { CHOICE_ABSENT, CHOICE_OFF, CHOICE_ON };

enum stdin_from { STDIN_KEEP, STDIN_NULL, STDIN_TTY };

/* The JSON type of a property's value in the descriptor. */
enum prop_type { PROP_STRING, PROP_NUMBER, PROP_BOOL };

/* One "key": value that becomes key=value in a QEMU option; value is text, not yet escaped. */
struct prop {
	const char *key, *value;
	enum prop_type type;
	bool listed;			/* an element of an array */
	const struct where *at;
};

struct props {
	struct prop *list;
	unsigned n;
};

/* File descriptor numbers that the descriptor asks for; n is 0 if it leaves the choice to us. */
struct pins {
	int *list;
	unsigned n;
};

/* Facts that must hold before anything is opened. */
struct expect {
	bool any;
	const char *master, *lower;	/* NULL: not asked */
	enum choice up;
	unsigned mtu;			/* 0: not asked */
	bool has_mac, has_owner;
	struct mac mac;
	unsigned owner;
};

struct nic {
	const struct where *at;		/* nics[i], labelled with the id */
	enum mode mode;
	const char *id;
	const char *ifname;		/* of tap and macvtap; NULL if only ifindex is given */
	unsigned ifindex;		/* of macvtap; 0: not given */
	const char *bridge, *helper; /* of bridge; helper NULL: the first known path that exists */
	unsigned queues;		/* queue pairs asked for; 0: the default */
	enum choice vhost;
	bool handoff;			/* false: QEMU opens the backend itself */
	bool shared;			/* other processes may have queues of the link */
	struct pins fds, vhostfds;
	bool in_argv;			/* the caller's argv has this netdev and its device */
	/* The words of argv that name a backend which is opened for QEMU, and are replaced by its
	   descriptors. NULL: none are. */
	const struct qopts *adopted;
	unsigned word;			/* of adopted: which word, those of "args" counted first */
	bool nic_option;		/* of adopted: -nic, which makes the device as well */
	bool vhost_wanted;		/* vhost=on in those words: taken where the host has it */
	const char *netdev;		/* of custom: the -netdev value, verbatim */
	const struct backend *backend;	/* what that value says; NULL: it cannot be read */
	const char *queues_key;		/* the key "queues" is from; NULL: its own */
	bool has_mac;
	struct mac mac;
	bool has_device;		/* false: no -device */
	const char *driver;
	bool has_driver;		/* it was given, and is not the default */
	struct props device, options;
	bool vhost_user, native;	/* of passt */
	struct expect expect;
};

/* A user or group in the descriptor: a number, or a name to look up. */
struct id_wish {
	const char *name;		/* NULL: the number */
	unsigned id;
	bool given;
};

/* "capabilities": those that QEMU keeps. */
enum caps_wish { CAPS_DEFAULT, CAPS_KEEP, CAPS_LIST };

enum landlock_wish { LANDLOCK_OFF, LANDLOCK_PREFERRED, LANDLOCK_REQUIRED };

/* "landlock" as an object: a domain with rules for files. */
struct box_wish {
	bool on, optional;		/* optional: without the rights that the kernel lacks */
	bool argv;			/* the files that QEMU's words name, too */
	const char **read, **write;	/* absolute paths */
	unsigned n_read, n_write;
};

/* "seccomp": which filter, and its answer to a call that it does not allow. */
struct seccomp_wish {
	bool none;
	const char *bpf;		/* file with a program made beforehand; NULL: the profile */
	enum filter_action action;
	unsigned groups;		/* FILTER_GROUP_BIT, of a list */
	bool groups_listed;		/* false: "auto", which allows what the words need */
};

/* A file of -readconfig, in the order of QEMU's words. */
struct config_file {
	const char *path;
	const char *text; /* NULL: it was not read, err says why */
	int err;
	bool by_default;  /* QEMU reads it by default, and before all others */
};

struct desc {
	enum probe_kind probe; /* by probe_reduce(); PROBE_NONE: a launch */
	struct guest guest;		/* what the caller's words say about the guest */
	const char *chosen;		/* the file of a directory that it is from; NULL: of none */
	const char *name;		/* NULL: none */
	const char *qemu;		/* NULL: not given */
	const char **args;
	unsigned n_args;
	struct fd_use *fd_uses;		/* numbers that words and texts name */
	unsigned n_fd_uses;
	struct vhost_user *vhost_users;	/* of words and texts */
	unsigned n_vhost_users;
	struct config_file *configs;	/* by readconfig_read(); NULL: none */
	unsigned n_configs;
	/* "args", the caller's words and those of configs, by argv_nics_read() */
	struct qemu_args *words;
	unsigned vcpus;			/* 0: not said */
	unsigned max_queues;
	bool vhost;			/* for NICs that do not give it */
	bool default_nic;		/* without any network option QEMU adds its own NIC */
	bool adopt;			/* "nics": "argv" */
	mode_syntax_fn *syntax_of;	/* by desc_parse() */
	struct nic *nics;
	unsigned n_nics;
	unsigned cid;			/* of vsock; 0: none */
	const char *vsock_driver;	/* NULL: by the machine's bus */
	struct props vsock_device;	/* without "driver" */
	const char **cgroups;		/* directories to join */
	unsigned n_cgroups;
	int cgroup_fd;			/* an open cgroup.procs; -1: none */
	struct seccomp_wish seccomp;
	struct id_wish user, group;
	struct id_wish *groups;
	unsigned n_groups;
	bool has_groups;
	enum caps_wish caps;
	uint64_t caps_list;		/* of CAPS_LIST: CAP_BIT of each */
	const char *taken;		/* words of argv that became "user"; NULL: none */
	enum landlock_wish landlock;
	struct box_wish box;		/* on: landlock is not LANDLOCK_OFF */
	bool protect_terminal;
	const char *runtime_dir;	/* NULL: not given */
	unsigned fd_base;
	bool die_with_parent; /* the kernel kills QEMU when its parent ends */
	enum stdin_from stdin_from;
	const char *report_path;	/* NULL: none */
	int report_fd;			/* -1: none */
};

const char *mode_name(enum mode mode);

#endif
