/*
 * facts.h - what this process sees of the host, as plain data
 *
 * Filled in by probe.c and link.c, with system calls that change nothing; read by the rules and the
 * plan, which make no system calls. A unit test writes facts as literals.
 */
#ifndef QH_FACTS_FACTS_H
#define QH_FACTS_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mac.h"

struct sock_filter;

struct device_number {
	unsigned major, minor;
};

/* A device node, from stat(2) and access(2); it is never opened. */
struct node {
	const char *path;
	int err;			/* of stat: ENOENT, EACCES on the way, ... */
	bool is_chr;
	unsigned mode, uid, gid;	/* permission bits and owner */
	unsigned major, minor;
	int access_err; /* may these ids open it read-write, with ACLs and capabilities */
	unsigned fs_major,
		fs_minor; /* the file system that the node lies on, and its number there */
	uint64_t ino;
};

/* IFLA_OPERSTATE (RFC 2863); values that are not listed are not judged. */
enum { OPERSTATE_LOWER_DOWN = 3, OPERSTATE_UP = 6 };

/* A link, from one RTM_GETLINK. */
struct link {
	int err; /* 0, ENODEV if there is none, or why the query failed */
	char name[16];
	char kind[16];			/* IFLA_INFO_KIND; empty for hardware */
	unsigned ifindex, mtu, master, lower;
	/* The lower link is in another namespace: its index means nothing here. */
	bool lower_elsewhere;
	bool up, carrier, has_mac;
	bool proto_down;		/* somebody has turned its carrier off (protodown) */
	bool all_multicast;		/* it accepts every group: allmulticast or promisc is set */
	unsigned operstate;
	struct mac mac;
	unsigned tx_queues, rx_queues;
	unsigned macvtap_mode;		/* MACVLAN_MODE_*; 0: not a macvtap */
	unsigned sources;		/* addresses in the list of a macvtap in mode source */
	struct {
		bool tap;		/* not tun: frames, not packets */
		bool persist, multi_queue, packet_info, vnet_hdr;
		bool has_owner, has_group;
		unsigned owner, group;
		/*
		 * Attached queues, of a multi_queue link only (drivers/net/tun.c, tun_fill_info):
		 * enabled, and disabled.
		 */
		unsigned queues, disabled;
	} tun;
};

/* Who holds the queues of a link, as far as that can be known. */
struct holder {
	unsigned pid;			/* 0: not known */
	/*
	 * Name of its program; empty: the process has ended, and something it left behind holds the
	 * link.
	 */
	char name[16];
};

/* What sysfs shows of a macvtap link; it may belong to a different network namespace than ours. */
struct sysfs {
	int err;
	const char *file;		/* the file that err is about */
	unsigned ifindex;
	struct mac mac;
	struct device_number dev;	/* of the link's own node */
};

/* A program to be executed. */
struct program {
	const char *path;
	int err;			/* of stat */
	bool regular;
	int access_err;			/* of access(X_OK) */
	bool setuid_root;
	/* Of the helper only: */
	bool has_caps, net_admin;	/* its file has capabilities; CAP_NET_ADMIN, effective */
	bool nosuid;			/* its mount takes both away, and the set-uid bit */
	bool script;			/* begins with "#!"; also false if it cannot be read */
	unsigned mode, uid, gid;	/* permission bits and owner */
	bool acl;			/* it has an access list; only where other ids are taken */
	uint64_t dev, ino;
};

/* The version of a QEMU, as far as its file tells; major 0: unknown. */
struct qemu_version {
	unsigned major, minor;
};

/* Does a process of this network namespace listen on a socket? */
enum listened { LISTENS_UNKNOWN, LISTENS_NO, LISTENS_YES };

/* A socket or a directory that a NIC needs, from stat(2) and access(2). */
struct spot {
	const char *path;
	int err;			/* of stat */
	bool right_kind;		/* a socket, a directory, or a file */
	bool link;			/* a symbolic link, where none is followed */
	uint64_t dev, ino;
	int access_err; /* may these ids connect to it, create files in it, or write to it */
	enum listened listens;		/* of a socket */
};

/* What the access list of qemu-bridge-helper says about a bridge. */
enum acl { ACL_DENIED, ACL_ALLOWED, ACL_MISSING, ACL_UNREADABLE, ACL_BAD_LINE, ACL_UNKNOWN };

enum { ACL_DENY_MAX = 4 };

struct acl_facts {
	enum acl verdict;
	const char *list;		/* the file that the helper reads; NULL: not known */
	int err;			/* why it could not be read */
	/* The line that decided, or that is bad; line 0: there is none. */
	const char *file, *text;
	unsigned line;
	bool nearly;			/* it allows, but a name that only begins with the bridge's */
	bool allows;			/* some line allows the bridge */
	unsigned deny[ACL_DENY_MAX];	/* further lines of the same file that deny it */
	unsigned n_deny;
	bool deny_unlisted;		/* there are more, or in another file */
};

/* A limit on the tasks of a cgroup. */
struct pids_limit {
	const char *path;		/* of pids.max; NULL: no limit */
	unsigned long max, used; /* used: without this process, which will be there anyway */
};

/* A cgroup to join. */
struct cgroup_facts {
	const char *path;		/* as given, or the path of the given file descriptor */
	int err;			/* why it could not be examined */
	bool hidden;			/* a sysfs is there, on which no cgroups are mounted */
	bool is_cgroup, v2;		/* by the file system's type */
	int self_err;			/* why this process's own cgroup cannot be read */
	bool here;			/* this process is already in it */
	bool frozen, threaded;
	bool inner; /* has controllers enabled for its children: accepts no process */
	bool empty_cpuset;		/* v1 cpuset without cpus or mems */
	int access_err;			/* may these ids move a process here */
	const char *denied;		/* the cgroup.procs that access_err is about */
	struct pids_limit
		pids; /* its own, or of a cgroup above it: the one that leaves the least room */
};

/* What stands around this process and decides over its devices. */
struct around {
	bool known;			/* false: not looked at, for want of a reason */
	bool own_dev;			/* /dev is not the kernel's: it holds what was put there */
	enum { AROUND_NOTHING, AROUND_UNIT, AROUND_CONTAINER, AROUND_LIBVIRT } by;
};

/* The ids that QEMU will run with. */
struct ids_facts {
	bool wanted;
	unsigned uid, gid;
	const unsigned *groups;
	unsigned n_groups;
	const char *unknown; /* the name or number without an account; NULL: all are known */
	const char *unknown_key;	/* where it stands: "user", "group", "groups" */
	int err;			/* why the lookup failed; 0: it does not exist */
	bool same;			/* this process already has them */
	bool can_take;			/* CAP_SETUID and CAP_SETGID are effective */
};

/* What a path of the box may be used for. */
enum box_access {
	BOX_READ,			/* read the file, or all files below the directory */
	BOX_EXECUTE,			/* read and execute */
	BOX_DEVICE,			/* read, write and ioctl of one device */
	BOX_WRITE,			/* everything but to execute, and to make device nodes */
	BOX_ACCESS__COUNT
};

/* A path of the box, from stat(2) and statfs(2). */
struct box_spot {
	const char *path;
	enum box_access access;
	const char *why; /* what QEMU needs it for, or the word; NULL: the descriptor lists it */
	bool named;			/* by a word of QEMU's */
	unsigned index;			/* in "read" (BOX_READ) or "write" (BOX_WRITE) */
	int err;
	bool dir;
	bool in_proc;			/* in a procfs, and not its root */
	uint64_t dev, ino;
};

/* A precompiled filter program. */
struct bpf_facts {
	int err;
	bool not_file; /* it is not a regular file, and was not opened */
	size_t size;			/* bytes of the file */
	struct sock_filter *prog;
	size_t len;			/* instructions */
};

struct nic_facts {
	struct link link;		/* ifname, or bridge */
	struct node node;		/* the one that the mode's row names, such as /dev/tapN */
	struct sysfs sysfs;
	/* What the link is a port of, and its lower link; ifindex 0: none, or unknown. */
	struct link master, lower;
	struct link want_master, want_lower;	/* the links that expect names */
	/*
	 * The bridge or port that has the NIC's address, so that the host itself answers; ifindex
	 * 0: none.
	 */
	unsigned mac_of;
	char mac_of_name[16];
	bool locked;			/* another launch has locked the node */
	struct holder holder; /* who has the link, where it is in use and not to be shared */
	struct program helper;		/* of bridge */
	struct acl_facts acl;
	struct program passt;
	int passt_link_err;		/* of "interface": why it is not found; 0: it is, or none is named */
	const char **passt_lacks;	/* options it does not know, ended by NULL; NULL: not known */
	struct spot socket, socket_dir;	/* of vhost-user, and where it is */
	const bool *pin_open, *vhost_pin_open;	/* is fds[i], vhostfds[i] open on entry? */
};

struct facts {
	unsigned kernel_major, kernel_minor;
	unsigned uid, gid;		/* effective */
	const unsigned *groups;
	unsigned n_groups;
	struct cap_facts {
		uint64_t effective, permitted, inheritable, ambient, bounding;
	} caps;				/* CAP_BIT of each */
	bool net_admin;			/* CAP_NET_ADMIN is effective in this network */
	bool net_elsewhere;		/* a user namespace owns the network that is not ours */
	unsigned outer_uid;		/* uid, as that one's processes see it */
	struct around around;
	const char *misc;		/* /proc/misc; only where around is known */
	bool no_new_privs;
	unsigned filters;		/* seccomp programs that are in force; 0: or not known */
	/* It has a controlling terminal, or 0, 1 or 2 is one; true also if that cannot be known. */
	bool terminal;
	struct node vhost_net, tun, vhost_vsock;
	struct node kvm;		/* path NULL: QEMU's words do not need it */
	bool kvm_acl;			/* it has an access list; only where other ids are taken */
	struct program qemu;
	struct qemu_version qemu_version;	/* only read if a NIC needs it */
	struct spot runtime_dir;	/* for private directories with sockets */
	uint64_t self_dev, self_ino;	/* of this program's file; 0: unknown */
	unsigned long nofile_soft, nofile_hard;
	const struct cgroup_facts *cgroups;
	unsigned n_cgroups;
	struct ids_facts ids;
	struct bpf_facts bpf;
	int seccomp_err;		/* why filters cannot be loaded; 0: they can be */
	int landlock_abi;		/* 0: this kernel has none, or it is off */
	const struct box_spot *box;	/* of "landlock" as an object */
	unsigned n_box;
	bool report_open;		/* the descriptor to report on is open */
	struct spot report_dir,
		report; /* the directory of the report, and what has the report's name now */
	const int *free_fds; /* lowest numbers >= fd_base that are not open on entry, sorted */
	unsigned n_free;
	/* Is the number of desc->fd_uses[i] open on entry? NULL: not looked at. */
	const bool *use_open;
	/* Of each of desc->vhost_users that has a path, and where it is; NULL: not looked at. */
	const struct spot *sockets, *socket_dirs;
	struct nic_facts *nics;		/* as many as the descriptor has */
};

#endif
