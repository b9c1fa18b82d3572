/*
 * gen.c - descriptors, command lines and hosts out of fuzz bytes
 *
 * A zero byte is always the ordinary choice, so a short input is an ordinary launch, and each byte that
 * differs makes one thing odd.
 */
#include "config.h"

#include "gen.h"

#include <errno.h>

#include "mode/mode.h"
#include "desc/argv_nics.h"
#include "plan/layout.h"

enum { TEXT_MAX = 32 * 1024 };

/* --- descriptors ------------------------------------------------------------------------------------ */

static const char *const odd_texts[] = {
	"x", "a,b", "a,,b", ",", "id=net9", "on", "off", "", " ", "net0", "tcp::2222-:22", "\xc3\xa4\xe2\x82\xac", "'\"\\",
	"/dev/null", "help", "a=b,c=d", "=", "{", "{\"a\":1}", "%s%n", "fd=3", "-netdev", "!", "..", "$(x)", "`x`", "~",
	"0", "4294967296", "a:b:c",
};

static void put_text(struct bytes *b, struct str *s)
{
	const unsigned n = take8(b) % 8;

	str_put(s, "\"");
	if (n < 6) {
		str_put_json(s, odd_texts[take_below(b, ARRAY_LEN(odd_texts))]);
	} else {
		for (unsigned i = 0; i < n; i++)
			str_put_json(s, (const char[]){ (char)(0x20 + take8(b) % 0x5f), '\0' });
	}
	str_put(s, "\"");
}

static void put_bool(struct bytes *b, struct str *s, const char *key)
{
	const unsigned c = take8(b) % 4;

	if (c > 0)
		str_put(s, ",\"%s\":%s", key, c == 1 ? "true" : "false");
}

static void put_mac(struct bytes *b, struct str *s, const char *key)
{
	str_put(s, ",\"%s\":\"%02x:54:00:00:00:%02x\"", key, take_rare(b, 16) ? 0x53 : 0x52, take8(b) % 4);
}

static void put_pins(struct bytes *b, struct str *s, const char *key, unsigned n)
{
	unsigned first = 3 + take_below(b, 48);

	str_put(s, ",\"%s\":[", key);
	n += take_rare(b, 16);
	for (unsigned i = 0; i < n; i++) {
		str_put(s, "%s%u", i > 0 ? "," : "", first);
		first += 1 + take_rare(b, 4);
	}
	str_put(s, "]");
}

static void put_props(struct bytes *b, struct str *s, const char *key, const char *const *names, size_t n_names)
{
	const unsigned n = take8(b) % 4;

	str_put(s, ",\"%s\":{", key);
	for (unsigned i = 0; i < n; i++) {
		str_put(s, "%s\"%s%s\":", i > 0 ? "," : "", names[take_below(b, (unsigned)n_names)],
			take_rare(b, 4) ? "x" : "");
		if (take_rare(b, 3))
			str_put(s, "%u", take8(b));
		else
			put_text(b, s);
	}
	str_put(s, "}");
}

static void put_device(struct bytes *b, struct str *s)
{
	static const char *const names[] = { "addr", "bus", "rx_queue_size", "host_mtu", "mq", "vectors", "mac", "netdev", "romfile" };
	static const char *const drivers[] = { "virtio-net-pci", "virtio-net-device", "e1000e", "virtio-net-pci-non-transitional" };

	switch (take8(b) % 8) {
	case 1:
		str_put(s, ",\"device\":false");
		return;
	case 2:
		str_put(s, ",\"device\":{\"driver\":\"%s\"}", drivers[take_below(b, ARRAY_LEN(drivers))]);
		return;
	case 3:
	case 4:
		put_props(b, s, "device", names, ARRAY_LEN(names));
		return;
	default:
		return;
	}
}

static unsigned put_queues(struct bytes *b, struct str *s)
{
	static const unsigned choices[] = { 0, 1, 2, 3, 4, 8, 17 };
	const unsigned n = take_rare(b, 64) ? QUEUES_MAX : choices[take_below(b, ARRAY_LEN(choices))];

	if (n > 0)
		str_put(s, ",\"queues\":%u", n);
	return n > 0 ? n : 1;
}

static void put_link(struct bytes *b, struct str *s, unsigned queues)
{
	put_bool(b, s, "vhost");
	if (take_rare(b, 4))
		put_pins(b, s, "fds", queues);
	if (take_rare(b, 4))
		put_pins(b, s, "vhostfds", queues);
	if (take_rare(b, 6))
		str_put(s, ",\"expect\":{\"up\":true,\"mtu\":%u}", take_rare(b, 4) ? 9000U : 1500U);
}

static void put_nic(struct bytes *b, struct str *s, unsigned index)
{
	static const char *const options[] = { "hostfwd", "net", "restrict", "guestfwd", "smb" };
	static const char *const passt_options[] = { "tcp-ports", "udp-ports", "mtu", "address", "gateway", "host-lo-to-ns-lo", "param" };
	unsigned queues;

	str_put(s, "%s{\"mode\":", index > 0 ? "," : "");
	switch (take8(b) % 9) {
	default:
	case 0:
		str_put(s, "\"macvtap\",\"ifname\":\"m%u\"", index);
		queues = put_queues(b, s);
		put_link(b, s, queues);
		break;
	case 1:
		str_put(s, "\"tap\",\"ifname\":\"t%u\"", index);
		queues = put_queues(b, s);
		put_link(b, s, queues);
		if (take_rare(b, 4))
			str_put(s, ",\"handoff\":false");
		break;
	case 2:
		str_put(s, "\"bridge\",\"bridge\":\"br%u\"", index);
		put_link(b, s, 1);
		if (take_rare(b, 4))
			str_put(s, ",\"handoff\":false");
		break;
	case 3:
		str_put(s, "\"user\"");
		put_props(b, s, "options", options, ARRAY_LEN(options));
		break;
	case 4:
		str_put(s, "\"custom\",\"netdev\":\"hubport,id=net%u,hubid=0\"", index);
		(void)put_queues(b, s);
		break;
	case 5:
		str_put(s, "\"tap\",\"ifname\":\"t%u\",\"netdev\":\"argv\"", index);
		break;
	case 6:
		str_put(s, "\"macvtap\",\"ifindex\":%u,\"netdev\":\"argv\"", index + 10);
		break;
	case 7:
		str_put(s, "\"passt\"");
		put_bool(b, s, "vhost_user");
		put_bool(b, s, "native");
		put_props(b, s, "options", passt_options, ARRAY_LEN(passt_options));
		break;
	case 8:
		str_put(s, "\"vhost-user\"");
		(void)put_queues(b, s);
		str_put(s, ",\"options\":{\"path\":\"/run/a,b%s\"}", take_rare(b, 8) ? "\",\"path\":\"/x" : "");
		break;
	}
	if (take_rare(b, 6))
		str_put(s, ",\"id\":\"n%c%u\"", "-._x"[take_below(b, 4)], index);
	if (take_rare(b, 4))
		put_mac(b, s, "mac");
	put_device(b, s);
	str_put(s, "}");
}

static void put_confinement(struct bytes *b, struct str *s)
{
	static const char *const seccomp[] = {
		"\"qemu\"", "\"none\"", "{\"action\":\"kill\"}", "{\"allow\":[\"daemonize\",\"io_uring\"]}", "{\"action\":\"log\"}",
		"{\"bpf\":\"/f.bpf\"}",
	};

	if (take_rare(b, 3))
		str_put(s, ",\"seccomp\":%s", seccomp[take_below(b, ARRAY_LEN(seccomp))]);
	if (take_rare(b, 6))
		str_put(s, ",\"cgroup\":[\"/sys/fs/cgroup/a\",\"/sys/fs/cgroup/b'\"]");
	if (take_rare(b, 6))
		str_put(s, ",\"user\":\"u\",\"groups\":[1,2]");
	if (take_rare(b, 6))
		str_put(s, ",\"landlock\":%s", take_rare(b, 2) ? "\"prefer\"" : "true");
}


const char *gen_descriptor(struct bytes *b, struct arena *mem)
{
	struct str s = { .text = arena_get(mem, TEXT_MAX), .cap = TEXT_MAX };
	const unsigned n = 1 + take8(b) % 3;

	str_put(&s, "{\"version\":1");
	if (take_rare(b, 6)) {
		str_put(&s, ",\"name\":");
		put_text(b, &s);
	}
	if (take_rare(b, 2))
		str_put(&s, ",\"vcpus\":%u", 1 + take8(b) % 20);
	if (take_rare(b, 4))
		str_put(&s, ",\"max_queues\":%u", 1 + take_below(b, 64));
	put_bool(b, &s, "vhost");
	if (take_rare(b, 4))
		str_put(&s, ",\"fd_base\":%u", 3 + take16(b) % 1100);
	if (take_rare(b, 4)) {
		str_put(&s, ",\"args\":[");
		put_text(b, &s);
		str_put(&s, ",");
		put_text(b, &s);
		str_put(&s, "]");
	}
	if (take_rare(b, 4))
		str_put(&s, ",\"vsock\":{\"cid\":%u}", 3 + take8(b));
	if (take_rare(b, 8))
		str_put(&s, ",\"report\":{\"fd\":%u},\"stdin\":\"null\"", take8(b));
	put_confinement(b, &s);
	str_put(&s, ",\"nics\":[");
	for (unsigned i = 0; i < n; i++)
		put_nic(b, &s, i);
	str_put(&s, "]}");
	return s.text;
}

/* --- command lines ---------------------------------------------------------------------------------- */

static const char *argv_nic(struct bytes *b, struct arena *mem, unsigned index, bool device)
{
	const unsigned n = 1 + take_below(b, 3), vhost = take8(b) % 3;
	struct str s = { .text = arena_get(mem, 512), .cap = 512 };

	if (device) {
		str_put(&s, "virtio-net-pci,netdev=net%u", index);
		if (n > 1)
			str_put(&s, ",mq=on,vectors=%u", 2 * n + 2);
		return s.text;
	}
	str_put(&s, "tap,id=net%u,fds=", index);
	for (unsigned i = 0; i < n; i++)
		str_put(&s, "%s%u", i > 0 ? ":" : "", 30 + 16 * index + i);
	if (vhost == 1)
		str_put(&s, ",vhost=off");
	if (vhost == 2) {
		str_put(&s, ",vhost=on,vhostfds=");
		for (unsigned i = 0; i < n; i++)
			str_put(&s, "%s%u", i > 0 ? ":" : "", 38 + 16 * index + i);
	}
	return s.text;
}

struct cmdline gen_cmdline(struct bytes *b, struct arena *mem)
{
	static const char *const plain[] = {
		"-m", "1G", "-nodefaults", "-add-fd", "fd=7,set=1",
		"-daemonize", "-netdev", "user,id=net3,smb=/", "-device",
		"virtio-net-pci,netdev=net0", "-drive", "file=x,aio=io_uring",
		"disk\xff.img", "", "-nic", "tap", "a b\nc",
		"{\"type\":\"tap\",\"id\":\"net1\",\"fds\":\"9:10\"}",
		"-object", "memory-backend-memfd,id=m,size=1G,share=on", "-machine", "q35,memory-backend=m", "-numa", "node,memdev=m",
	};
	const unsigned n = take8(b) % 8;
	char **words = arena_array(mem, 2 * n + 2, sizeof(*words));
	struct cmdline ret = { .words = words, .argv0 = take_rare(b, 4) ? "qemu-system-x86_64" : NULL };

	for (unsigned i = 0; i < n; i++) {
		const unsigned c = take8(b);

		if (c % 2 == 0) {
			words[ret.n++] = unconst_word(plain[c / 2 % ARRAY_LEN(plain)]);
			continue;
		}
		words[ret.n++] = arena_str(mem, c & 2 ? "-device" : "-netdev");
		words[ret.n++] = arena_str(mem, argv_nic(b, mem, c / 4 % 5, c & 2));
	}
	return ret;
}

/* --- hosts ------------------------------------------------------------------------------------------ */

static int odd_errno(struct bytes *b)
{
	static const int list[] = { ENOENT, EACCES, EIO, ENOTDIR, ELOOP };

	return take_rare(b, 24) ? list[take_below(b, ARRAY_LEN(list))] : 0;
}

static struct node gen_node(struct bytes *b, const char *path, unsigned major, unsigned minor)
{
	return (struct node){
		.path = path, .err = odd_errno(b), .is_chr = !take_rare(b, 32), .mode = take_rare(b, 8) ? 0666 : 0600,
		.major = major, .minor = minor + take_rare(b, 32), .access_err = odd_errno(b),
	};
}

static struct program gen_program(struct bytes *b, const char *path)
{
	return (struct program){
		.path = path, .err = odd_errno(b), .regular = !take_rare(b, 32), .access_err = odd_errno(b),
		.setuid_root = !take_rare(b, 8), .has_caps = take_rare(b, 16), .net_admin = take_rare(b, 16),
		.nosuid = take_rare(b, 16), .script = take_rare(b, 32), .dev = 1, .ino = 1 + take8(b) % 2,
	};
}

static struct link gen_link(struct bytes *b, const char *name, unsigned ifindex, const char *kind)
{
	static const unsigned queues[] = { 64, 1, 2, 4, 16 };
	struct link link = {
		.err = take_rare(b, 32) ? ENODEV : odd_errno(b), .ifindex = ifindex, .mtu = 1500, .up = !take_rare(b, 8),
		.carrier = take_rare(b, 8), .has_mac = !take_rare(b, 16), .mac = { { 0x52, 0x54, 0, 0, 0, 1 } },
		.tx_queues = queues[take_below(b, ARRAY_LEN(queues))], .rx_queues = queues[take_below(b, ARRAY_LEN(queues))],
		.all_multicast = take_rare(b, 4), .operstate = take_below(b, 7), .lower_elsewhere = take_rare(b, 8),
		.macvtap_mode = strcmp(kind, "macvtap") == 0 ? 1U << take_below(b, 5) : 0, .sources = take_below(b, 2),
		.tun = { .tap = !take_rare(b, 32), .persist = !take_rare(b, 32), .multi_queue = !take_rare(b, 3),
			 .vnet_hdr = !take_rare(b, 8), .has_owner = take_rare(b, 4), .owner = take8(b) % 2 },
	};

	(void)snprintf(link.name, sizeof(link.name), "%s", name);
	(void)snprintf(link.kind, sizeof(link.kind), "%s", kind);
	link.tun.queues = link.tun.multi_queue && take_rare(b, 16) ? take8(b) : 0;
	link.tun.disabled = link.tun.multi_queue && take_rare(b, 16) ? take8(b) : 0;
	return link;
}

static struct acl_facts gen_acl(struct bytes *b)
{
	struct acl_facts ret = {
		.verdict = take_rare(b, 8) ? (enum acl)take_below(b, ACL_UNKNOWN + 1) : ACL_ALLOWED,
		.list = "/etc/qemu/bridge.conf", .file = "/etc/qemu/more.conf", .text = "allow \x1b", .line = take_below(b, 3),
		.nearly = take_rare(b, 4), .allows = take_rare(b, 4), .deny = { 4, 5, 6, 7 },
		.n_deny = take_below(b, ACL_DENY_MAX + 1), .deny_unlisted = take_rare(b, 8),
	};

	ret.err = ret.verdict == ACL_MISSING ? ENOENT : ret.verdict == ACL_UNREADABLE ? EACCES : 0;
	/* these two are always about a line */
	ret.line += ret.line == 0 && ret.verdict == ACL_BAD_LINE;
	return ret;
}

static const bool *gen_pins_open(uint64_t open, const struct desc *desc, const struct pins *pins, struct arena *mem)
{
	bool *ret = arena_array(mem, pins->n, sizeof(*ret));

	for (unsigned i = 0; i < pins->n; i++)
		ret[i] = gen_open(open, desc, pins->list[i]);
	return ret;
}

static void gen_nic(struct bytes *b, const struct nic *nic, unsigned index, struct arena *mem, struct nic_facts *ret)
{
	static const char *const kinds[MODE__COUNT] = { [MODE_BRIDGE] = "bridge", [MODE_TAP] = "tun", [MODE_MACVTAP] = "macvtap" };
	const unsigned ifindex = nic->ifindex > 0 ? nic->ifindex : index + 10;
	const char *name = nic->ifname ? nic->ifname : nic->bridge ? nic->bridge : "m9";

	if (kinds[nic->mode])
		ret->link = gen_link(b, name, ifindex, kinds[nic->mode]);
	if (nic->mode == MODE_MACVTAP) {
		ret->node = gen_node(b, arena_printf(mem, "/dev/tap%u", ifindex), 240, index);
		ret->sysfs = (struct sysfs){ .err = odd_errno(b), .file = "/sys/x", .ifindex = ifindex, .mac = ret->link.mac,
					     .dev = { 240, index } };
	}
	if (nic->mode == MODE_BRIDGE) {
		ret->helper = gen_program(b, nic->helper ? nic->helper : "/usr/lib/qemu/qemu-bridge-helper");
		ret->acl = gen_acl(b);
	}
	if (nic->mode == MODE_PASST) {
		static const char *lacks[] = { "vhost-user", "mtu", "no-such", NULL };

		ret->passt = gen_program(b, "/usr/bin/passt");
		ret->passt_link_err = odd_errno(b);
		ret->passt_lacks = take_rare(b, 8) ? lacks + take_below(b, ARRAY_LEN(lacks)) : NULL;
	}
	if (nic->mode == MODE_VHOST_USER)
		ret->socket = (struct spot){ .path = "/run/a,b", .err = odd_errno(b), .right_kind = !take_rare(b, 16),
					     .access_err = odd_errno(b) };
	if (!kinds[nic->mode])
		return;
	ret->master = gen_link(b, "br9", 99, take_rare(b, 4) ? "bond" : "bridge");
	ret->lower = gen_link(b, "eth9", 98, "");
	ret->mac_of = take_rare(b, 8) ? 99 : 0;
	ret->want_master = gen_link(b, nic->expect.master ? nic->expect.master : "br9", 99, "bridge");
	ret->want_lower = gen_link(b, nic->expect.lower ? nic->expect.lower : "eth9", 98, "");
}

bool gen_open(uint64_t open, const struct desc *desc, int fd)
{
	const int bit = fd - (int)desc->fd_base;

	return bit >= 0 && bit < 64 && (open >> bit & 1);
}

static void gen_free(const struct desc *desc, uint64_t open, struct arena *mem, struct facts *ret)
{
	const unsigned want = layout_slots_max(desc);
	int *list = arena_array(mem, want, sizeof(*list));

	for (int fd = (int)desc->fd_base; fd < FD_MAX && ret->n_free < want; fd++)
		if (!gen_open(open, desc, fd))
			list[ret->n_free++] = fd;
	ret->free_fds = list;
}

static void gen_cgroups(struct bytes *b, const struct desc *desc, struct arena *mem, struct facts *ret)
{
	struct cgroup_facts *list = arena_array(mem, desc->n_cgroups, sizeof(*list));

	for (unsigned i = 0; i < desc->n_cgroups; i++)
		list[i] = (struct cgroup_facts){ .path = desc->cgroups[i], .err = odd_errno(b), .is_cgroup = !take_rare(b, 32),
						 .v2 = !take_rare(b, 4), .here = take_rare(b, 4), .frozen = take_rare(b, 16),
						 .inner = take_rare(b, 16), .access_err = odd_errno(b), .denied = "/sys/x" };
	ret->cgroups = list;
	ret->n_cgroups = desc->n_cgroups;
}

static void gen_ids(struct bytes *b, const struct desc *desc, struct facts *ret)
{
	static const unsigned groups[] = { 1, 2 };

	if (!desc->user.given && !desc->group.given && !desc->has_groups)
		return;
	ret->ids = (struct ids_facts){ .wanted = true, .uid = take_rare(b, 16) ? 0 : 1000, .gid = 1000, .groups = groups,
				       .n_groups = 2, .can_take = !take_rare(b, 16) };
	if (take_rare(b, 16)) {
		ret->ids.unknown = "nobody-known";
		ret->ids.unknown_key = "user";
	}
}

/* Programs that allow everything, deny everything, and are none. */
static void gen_bpf(struct bytes *b, struct facts *ret)
{
	static struct sock_filter programs[][1] = {
		{ BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) }, { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS) },
		{ BPF_STMT(BPF_ALU | BPF_MOD | BPF_K, 0) },
	};

	ret->bpf = (struct bpf_facts){ .err = odd_errno(b), .size = 8 + take_rare(b, 16), .len = 1,
				       .prog = programs[take_below(b, ARRAY_LEN(programs))] };
}

void gen_facts(struct bytes *b, const struct desc *desc, struct arena *mem, struct facts *ret, uint64_t *ret_open)
{
	static const unsigned long hard[] = { 524288, 1024, 4096, 64, 1 << 20 };
	struct facts facts = { .kernel_major = take_rare(b, 4) ? 5 : 6, .kernel_minor = take8(b) % 20 };

	*ret_open = take_rare(b, 2) ? (uint64_t)take32(b) << 32 | take32(b) : 0;
	facts.uid = take8(b) % 2;
	facts.net_admin = facts.uid == 0;
	facts.no_new_privs = take_rare(b, 16);
	facts.vhost_net = gen_node(b, "/dev/vhost-net", 10, 238);
	facts.tun = gen_node(b, "/dev/net/tun", 10, 200);
	facts.vhost_vsock = gen_node(b, "/dev/vhost-vsock", 10, 241);
	facts.qemu = gen_program(b, desc->qemu ? desc->qemu : "/usr/bin/qemu-system-x86_64");
	facts.self_dev = 1;
	facts.self_ino = take_rare(b, 8) ? 1 : 77;
	facts.nofile_hard = hard[take_below(b, ARRAY_LEN(hard))];
	facts.nofile_soft = facts.nofile_hard < 1024 ? facts.nofile_hard : 1024;
	facts.seccomp_err = odd_errno(b);
	facts.qemu_version = (struct qemu_version){ .major = take8(b) % 12, .minor = take8(b) % 3 };
	facts.runtime_dir = (struct spot){ .path = "/run", .err = odd_errno(b), .right_kind = !take_rare(b, 16),
					   .access_err = odd_errno(b) };
	facts.landlock_abi = take8(b) % 7;
	facts.report_open = !take_rare(b, 8);
	gen_free(desc, *ret_open, mem, &facts);
	gen_cgroups(b, desc, mem, &facts);
	gen_ids(b, desc, &facts);
	gen_bpf(b, &facts);
	facts.nics = arena_array(mem, desc->n_nics, sizeof(*facts.nics));
	for (unsigned i = 0; i < desc->n_nics; i++) {
		gen_nic(b, &desc->nics[i], i, mem, &facts.nics[i]);
		facts.nics[i].pin_open = gen_pins_open(*ret_open, desc, &desc->nics[i].fds, mem);
		facts.nics[i].vhost_pin_open = gen_pins_open(*ret_open, desc, &desc->nics[i].vhostfds, mem);
	}
	facts.terminal = take_rare(b, 2);
	*ret = facts;
}
