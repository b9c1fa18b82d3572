/*
 * test_rules.c - each rule of a link, a node, a helper, QEMU and the host: one row that passes, one that does not
 */
#include "config.h"

#include "host.h"

#define TAP "'nics':[{'mode':'tap','ifname':'t0','vhost':false}]"
#define TAP_WITH(members) "'nics':[{'mode':'tap','ifname':'t0','vhost':false," members "}]"
#define TAP_VHOST(members) "'nics':[{'mode':'tap','ifname':'t0'" members "}]"
#define MACVTAP "'nics':[{'mode':'macvtap','ifname':'m0','vhost':false}]"
#define MACVTAP_WITH(members) "'nics':[{'mode':'macvtap','vhost':false," members "}]"
#define BRIDGE "'nics':[{'mode':'bridge','bridge':'br0','vhost':false}]"
#define BRIDGE_WITH(members) "'nics':[{'mode':'bridge','bridge':'br0','vhost':false," members "}]"
#define USER "'nics':[{'mode':'user'}]"

typedef void change_fn(struct host *h);

#define LINK h->nics[0].link
#define NODE h->nics[0].node
#define SYSFS h->nics[0].sysfs
#define CHANGE(name, ...) static void name(struct host *h) { __VA_ARGS__; }
static const unsigned groups[] = { 7, 108, 42 };
static const struct mac other_mac = MAC(9);

/* links */
CHANGE(link_missing,		LINK = (struct link){ .err = ENODEV })
CHANGE(netlink_failed,		LINK = (struct link){ .err = EPERM })
CHANGE(link_is_macvtap,		strcpy(LINK.kind, "macvtap"))
CHANGE(link_is_ipvtap,		strcpy(LINK.kind, "ipvtap"))
CHANGE(link_is_macvlan,		strcpy(LINK.kind, "macvlan"))
CHANGE(link_is_hardware,	LINK.kind[0] = '\0')
CHANGE(link_is_tun,		strcpy(LINK.kind, "tun"))
CHANGE(link_has_another_name,	strcpy(LINK.name, "real0"))
CHANGE(link_down,		LINK.up = false)
CHANGE(on_a_lower,		h->nics[0].lower = (struct link){ .name = "eth0", .ifindex = 2, .up = true, .carrier = true, \
					.has_mac = true, .mac = MAC(2) })
CHANGE(lower_down,		on_a_lower(h); h->nics[0].lower.up = h->nics[0].lower.carrier = false)
CHANGE(lower_no_carrier,	on_a_lower(h); h->nics[0].lower.carrier = false)
CHANGE(lower_elsewhere_down,	LINK.lower_elsewhere = true; LINK.operstate = OPERSTATE_LOWER_DOWN)
CHANGE(lower_elsewhere,		LINK.lower_elsewhere = true; LINK.operstate = OPERSTATE_UP)
CHANGE(carrier_off,		on_a_lower(h); LINK.carrier = false; LINK.proto_down = true)
CHANGE(carrier_off_by_lower,	lower_down(h); LINK.carrier = false)
CHANGE(in_a_bridge,		LINK.master = 4; h->nics[0].master = (struct link){ .name = "br0", .kind = "bridge", .ifindex = 4, \
					.up = true, .has_mac = true, .mac = MAC(4) })
CHANGE(bridge_down,		in_a_bridge(h); h->nics[0].master.up = false)
CHANGE(groups_dropped,		LINK.all_multicast = false)
CHANGE(mode_passthru,		LINK.macvtap_mode = 8; on_a_lower(h); h->nics[0].lower.mac = LINK.mac)
CHANGE(mode_source,		LINK.macvtap_mode = 16; LINK.sources = 1; LINK.all_multicast = false)
CHANGE(mode_source_empty,	LINK.macvtap_mode = 16)
CHANGE(link_is_macvlan_on_lower, on_a_lower(h); strcpy(LINK.kind, "macvlan"))
CHANGE(link_is_bridge,		strcpy(LINK.kind, "bridge"))
CHANGE(bridge_is_tun,		strcpy(LINK.kind, "tun"))
CHANGE(mac_is_a_ports,		in_a_bridge(h); h->nics[0].mac_of = 4; strcpy(h->nics[0].mac_of_name, "br0"))
CHANGE(down_and_mtu,		LINK.up = false; LINK.mtu = 9000)
CHANGE(down_and_other_kind,	LINK.mtu = 9000; LINK.tun.has_owner = false; strcpy(LINK.kind, "veth"))
CHANGE(mtu_and_one_queue,	LINK.mtu = 9000; LINK.tun.multi_queue = false)
/* TAP */
CHANGE(packets,			LINK.tun.tap = false)
CHANGE(not_persistent,		LINK.tun.persist = false)
CHANGE(owner_is_another,	LINK.tun.owner = 1001)
CHANGE(owner_is_another_admin,	LINK.tun.owner = 1001; h->facts.net_admin = true)
CHANGE(group_is_ours,		LINK.tun.has_group = true; LINK.tun.group = 1000)
CHANGE(group_is_another,	LINK.tun.has_group = true; LINK.tun.group = 42)
CHANGE(group_is_supplementary,	LINK.tun.has_group = true; LINK.tun.group = 42; h->facts.groups = groups; h->facts.n_groups = 3)
CHANGE(group_is_another_admin,	LINK.tun.has_group = true; LINK.tun.group = 42; h->facts.net_admin = true)
CHANGE(group_alone,		LINK.tun.has_owner = false; LINK.tun.has_group = true; LINK.tun.group = 1000)
CHANGE(owner_of_both_differs,	group_is_ours(h); LINK.tun.owner = 1001)
CHANGE(no_owner,		LINK.tun.has_owner = false)
CHANGE(no_owner_open_tun,	LINK.tun.has_owner = false; h->facts.tun.mode = 0666)
CHANGE(owner_open_tun,		h->facts.tun.mode = 0666)
CHANGE(one_queue_busy,		LINK.tun.multi_queue = false; LINK.carrier = true)
CHANGE(one_queue_free,		LINK.tun.multi_queue = false)
CHANGE(attached_2,		LINK.tun.queues = 2; LINK.carrier = true)
CHANGE(attached_2_by,		attached_2(h); h->nics[0].holder = (struct holder){ .pid = 4711, .name = "qemu" })
CHANGE(one_queue_busy_by,	one_queue_busy(h); h->nics[0].holder = (struct holder){ .pid = 4711, .name = "qemu" })
CHANGE(one_queue_held_off,	one_queue_busy_by(h); LINK.carrier = false)
CHANGE(aside,			LINK.tun.disabled = 1)
CHANGE(aside_without_vnet_hdr,	LINK.tun.disabled = 1; LINK.tun.vnet_hdr = false)
CHANGE(aside_with_pi,		LINK.tun.disabled = 1; LINK.tun.packet_info = true)
CHANGE(attached_without_vnet_hdr, LINK.tun.queues = 2; LINK.tun.vnet_hdr = false)
CHANGE(attached_with_pi,	LINK.tun.queues = 1; LINK.tun.packet_info = true)
CHANGE(locked,			h->nics[0].locked = true; h->nics[0].holder = (struct holder){ .pid = 4711, .name = "qemu" })
CHANGE(locked_by_ended,		h->nics[0].locked = true; h->nics[0].holder = (struct holder){ .pid = 4711 })
CHANGE(locked_by_hidden,	h->nics[0].locked = true)
CHANGE(flags_of_nobody,		LINK.tun.vnet_hdr = false; LINK.tun.packet_info = true)
CHANGE(attached_255,		LINK.tun.queues = 255)
CHANGE(attached_256,		LINK.tun.queues = 256)
CHANGE(tun_missing,		h->facts.tun.err = ENOENT)
CHANGE(tun_is_a_file,		h->facts.tun.is_chr = false)
CHANGE(tun_is_another_device,	h->facts.tun.minor = 229)
CHANGE(tun_denied,		h->facts.tun.access_err = EACCES; h->facts.tun.uid = 0; h->facts.tun.mode = 0600)
CHANGE(tun_denied_and_owner,	tun_denied(h); LINK.tun.owner = 1001)
CHANGE(again_in_a_bridge,	in_a_bridge(h); LINK.tun.multi_queue = false)
CHANGE(again_owner,		owner_is_another(h); LINK.tun.multi_queue = false)
CHANGE(not_persistent_group,	group_is_ours(h); LINK.tun.persist = false)
/* macvtap */
CHANGE(node_missing,		NODE.err = ENOENT)
CHANGE(node_is_a_file,		NODE.is_chr = false; NODE.major = NODE.minor = 0)
CHANGE(node_is_another_link,	NODE.minor = 2)
CHANGE(node_is_another_driver,	NODE.major = 237)
CHANGE(node_denied,		NODE.access_err = EACCES; NODE.uid = 0; NODE.gid = 0)
CHANGE(node_denied_by_list,	NODE.access_err = EACCES)
CHANGE(node_denied_in_group,	NODE.access_err = EACCES; NODE.uid = 0; NODE.gid = 42; NODE.mode = 0660; \
				h->facts.groups = groups; h->facts.n_groups = 3)
CHANGE(node_denied_by_cgroup,	NODE.access_err = EPERM)
#define AROUND(own, what) h->facts.around = (struct around){ .known = true, .own_dev = own, .by = AROUND_##what }
CHANGE(node_denied_in_libvirt,	NODE.access_err = EPERM; AROUND(false, LIBVIRT))
CHANGE(node_denied_in_unit,	NODE.access_err = EPERM; AROUND(false, UNIT))
CHANGE(node_denied_in_container, NODE.access_err = EPERM; AROUND(true, CONTAINER))
CHANGE(node_stale_in_container,	NODE.minor = 2; AROUND(true, CONTAINER))
CHANGE(node_stale_in_libvirt,	NODE.minor = 2; AROUND(true, LIBVIRT))
CHANGE(node_missing_in_libvirt,	NODE.err = ENOENT; AROUND(true, LIBVIRT))
CHANGE(node_missing_in_container, NODE.err = ENOENT; AROUND(true, CONTAINER))
CHANGE(node_missing_root,	NODE.err = ENOENT; h->facts.uid = 0)
CHANGE(tun_missing_in_container, h->facts.tun.err = ENOENT; AROUND(true, CONTAINER); h->facts.misc = "200 tun\n")
CHANGE(tun_missing_in_unit,	h->facts.tun.err = ENOENT; AROUND(true, UNIT))
CHANGE(tun_missing_driver,	h->facts.tun.err = ENOENT; AROUND(false, NOTHING); h->facts.misc = "200 tun\n")
CHANGE(vhost_missing_in_container, h->facts.vhost_net.err = ENOENT; AROUND(true, CONTAINER))
CHANGE(vhost_denied_by_mode,	h->facts.vhost_net.access_err = EACCES; h->facts.vhost_net.uid = h->facts.vhost_net.gid = 0; \
				h->facts.vhost_net.mode = 0600)
CHANGE(owner_elsewhere,		LINK.tun.owner = 65534; h->facts.net_elsewhere = true; h->facts.outer_uid = 4711)
CHANGE(node_not_reached,	NODE.err = EACCES)
CHANGE(sysfs_denied,		SYSFS.err = EACCES)
CHANGE(sysfs_of_another_space,	SYSFS.err = ENOENT)
CHANGE(sysfs_has_another_index,	SYSFS.ifindex = 8)
CHANGE(sysfs_and_cgroup,	SYSFS.ifindex = 8; h->cgroups[0] = (struct cgroup_facts){ .path = "/c", .is_cgroup = true, .here = true }; \
				h->facts.cgroups = h->cgroups; h->facts.n_cgroups = 1)
CHANGE(sysfs_has_another_mac,	SYSFS.mac = other_mac)
CHANGE(sysfs_bad_node_bad,	SYSFS.ifindex = 8; NODE.err = ENOENT)
CHANGE(ifindex_8,		LINK.ifindex = SYSFS.ifindex = 8)
CHANGE(no_mac_anywhere,		LINK.has_mac = false)
/* vhost */
CHANGE(vhost_missing,		h->facts.vhost_net.err = ENOENT)
CHANGE(vhost_is_a_file,		h->facts.vhost_net.is_chr = false)
CHANGE(vhost_is_another_device,	h->facts.vhost_net.minor = 200)
CHANGE(vhost_cgroup_denies,	h->facts.vhost_net.access_err = EPERM)
CHANGE(vhost_denied,		h->facts.vhost_net.access_err = EACCES)
CHANGE(vsock_missing,		h->facts.vhost_vsock.err = ENOENT)
CHANGE(vsock_is_another_device,	h->facts.vhost_vsock.minor = 238)
CHANGE(vsock_denied,		h->facts.vhost_vsock.access_err = EACCES)
/* bridge */
CHANGE(helper_missing,		h->nics[0].helper.err = ENOENT)
CHANGE(helper_is_a_directory,	h->nics[0].helper.regular = false)
CHANGE(helper_denied,		h->nics[0].helper.access_err = EACCES)
CHANGE(helper_plain,		h->nics[0].helper.setuid_root = false)
CHANGE(helper_plain_admin,	h->nics[0].helper.setuid_root = false; h->facts.net_admin = true; h->facts.uid = 0)
CHANGE(helper_plain_kept,	h->nics[0].helper.setuid_root = false; h->facts.net_admin = true)
CHANGE(helper_plain_ambient,	helper_plain_kept(h); h->facts.caps.ambient = 1 << 12)
CHANGE(helper_by_file,		h->nics[0].helper.setuid_root = false; h->nics[0].helper.has_caps = h->nics[0].helper.net_admin = true)
CHANGE(helper_by_file_nosuid,	helper_by_file(h); h->nics[0].helper.nosuid = true)
CHANGE(helper_by_file_nnp,	helper_by_file(h); h->facts.no_new_privs = true)
CHANGE(helper_other_caps,	h->nics[0].helper.setuid_root = false; h->nics[0].helper.has_caps = true)
CHANGE(helper_nosuid,		h->nics[0].helper.nosuid = true)
CHANGE(helper_both,		h->nics[0].helper.has_caps = h->nics[0].helper.net_admin = true)
CHANGE(helper_both_root,	helper_both(h); h->facts.net_admin = true; h->facts.uid = 0)
CHANGE(helper_elsewhere,	h->facts.net_elsewhere = true)
CHANGE(helper_tun_missing,	h->facts.tun.err = ENOENT)
CHANGE(helper_tun_denied,	h->facts.tun.access_err = EACCES; h->facts.tun.mode = 0600)
CHANGE(helper_with_blank,	h->nics[0].helper.path = "/a b")
CHANGE(helper_no_new_privs,	h->facts.no_new_privs = true)
CHANGE(helper_plain_admin_nnp,	helper_plain_admin(h); h->facts.no_new_privs = true)
#define ACL h->nics[0].acl
#define ACL_LINE(v, n, t) ACL.verdict = (v); ACL.line = (n); ACL.text = (t); ACL.file = "/etc/qemu/bridge.conf"
CHANGE(acl_missing,		ACL.verdict = ACL_MISSING; ACL.err = ENOENT)
CHANGE(acl_unreadable,		ACL.verdict = ACL_UNREADABLE; ACL.err = EACCES)
CHANGE(acl_denied,		ACL.verdict = ACL_DENIED)
CHANGE(acl_deny_line,		ACL_LINE(ACL_DENIED, 3, "deny br0"))
CHANGE(acl_deny_and_allow,	acl_deny_line(h); ACL.allows = true)
CHANGE(acl_deny_twice,		acl_deny_line(h); ACL.n_deny = 2; ACL.deny[0] = 5; ACL.deny[1] = 9)
CHANGE(acl_deny_elsewhere,	acl_deny_line(h); ACL.deny_unlisted = true)
CHANGE(acl_nearly,		ACL_LINE(ACL_DENIED, 2, "allow br0 # LAN"); ACL.nearly = true)
CHANGE(acl_bad_line,		ACL_LINE(ACL_BAD_LINE, 4, "permit br0"))
CHANGE(acl_unknown,		ACL.verdict = ACL_UNKNOWN; ACL.list = NULL)
CHANGE(bridge_is_dummy,		strcpy(LINK.kind, "dummy"))
/* expect */
CHANGE(mtu_9000,		LINK.mtu = 9000)
CHANGE(in_br0,			LINK.master = 4; strcpy(h->nics[0].want_master.name, "br0"); h->nics[0].want_master.ifindex = 4)
CHANGE(in_another_bridge,	LINK.master = 6; h->nics[0].want_master.ifindex = 4)
CHANGE(in_no_bridge,		h->nics[0].want_master.ifindex = 4)
CHANGE(no_such_master,		LINK.master = 4; h->nics[0].want_master.err = ENODEV)
CHANGE(master_not_looked_up,	LINK.master = 4; h->nics[0].want_master.err = EPERM)
CHANGE(on_eth0,			h->nics[0].want_lower.ifindex = 2)
CHANGE(on_another_link,		h->nics[0].want_lower.ifindex = 3)
CHANGE(on_a_link_elsewhere,	h->nics[0].want_lower.ifindex = 2; LINK.lower_elsewhere = true)
CHANGE(no_such_lower,		h->nics[0].want_lower.err = ENODEV)
CHANGE(nothing_as_expected,	LINK.up = false; LINK.mtu = 9000; LINK.mac = other_mac; LINK.tun.owner = 1001;
				h->facts.net_admin = true; h->nics[0].want_master.err = ENODEV)
/* QEMU, host */
CHANGE(qemu_missing,		h->facts.qemu.err = ENOENT)
CHANGE(qemu_below_a_file,	h->facts.qemu.err = ENOTDIR)
CHANGE(qemu_not_reached,	h->facts.qemu.err = EACCES)
CHANGE(qemu_is_a_directory,	h->facts.qemu.regular = false)
CHANGE(qemu_denied,		h->facts.qemu.access_err = EACCES)
CHANGE(qemu_is_the_shim,	h->facts.qemu.ino = 200)
CHANGE(qemu_is_another_disks,	h->facts.qemu.ino = 200; h->facts.qemu.dev = 2)
CHANGE(self_unknown,		h->facts.qemu.dev = h->facts.qemu.ino = h->facts.self_dev = h->facts.self_ino = 0)
CHANGE(linux_6_3,		h->facts.kernel_minor = 3)
CHANGE(linux_6_4,		h->facts.kernel_minor = 4)
CHANGE(linux_5_15,		h->facts.kernel_major = 5; h->facts.kernel_minor = 15)
CHANGE(linux_7_0,		h->facts.kernel_major = 7; h->facts.kernel_minor = 0)
CHANGE(linux_6_3_cgroup,	linux_6_3(h); h->facts.n_cgroups = 1; h->cgroups[0] = (struct cgroup_facts){ .path = "/c", .is_cgroup = true, .v2 = true })
CHANGE(report_open,		h->facts.report_open = true)
CHANGE(report_no_directory,	h->facts.report_dir.err = ENOENT)
CHANGE(report_denied,		h->facts.report_dir.access_err = EACCES)
CHANGE(report_over_a_file,	h->facts.report = (struct spot){ .right_kind = true })
CHANGE(report_over_another,	h->facts.report = (struct spot){ .right_kind = true, .access_err = EACCES })
CHANGE(report_over_a_link,	h->facts.report = (struct spot){ .link = true })
CHANGE(report_over_a_device,	h->facts.report = (struct spot){ .right_kind = false })

#define P "qemu-handoff: error: "
#define W "qemu-handoff: warning: "

#define PIDS(max_, used_) \
	h->facts.n_cgroups = 1; \
	h->cgroups[0] = (struct cgroup_facts){ .path = "/c", .is_cgroup = true, .v2 = true, \
					       .pids = { .path = "/c/pids.max", .max = max_, .used = used_ } }
CHANGE(pids_3,			PIDS(3, 0))
CHANGE(pids_4,			PIDS(4, 0))
CHANGE(pids_5,			PIDS(5, 0))
CHANGE(pids_5_taken,		PIDS(5, 1))
CHANGE(pids_over,		PIDS(5, 7))
CHANGE(pids_here,		PIDS(2, 0); h->cgroups[0].here = true)

static const struct row {
	const char *name, *members;
	change_fn *change;
	int ret;
	const char *problems, *text;	/* text: the first problem whole; NULL: any */
} rows[] = {
	/* links */
	{ "link: there", TAP, NULL, 0, "", NULL },
	{ "link: missing", TAP, link_missing, -1, "link-missing nics[0].ifname",
	  P "nics[0].ifname (net0): t0: no such link in this network namespace" },
	{ "link: netlink failed", TAP, netlink_failed, -1, "netlink-failed nics[0].ifname",
	  P "nics[0].ifname (net0): t0: Operation not permitted: the link lookup failed" },
	{ "link: macvtap instead of tap", TAP, link_is_macvtap, -1, "link-kind nics[0].ifname",
	  P "nics[0].ifname (net0): t0: the link is of kind 'macvtap', but mode 'tap' needs 'tun' "
	    "(try: \"mode\": \"macvtap\", \"ifname\": \"t0\")" },
	{ "link: bridge instead of tap", TAP, link_is_bridge, -1, "link-kind nics[0].ifname",
	  P "nics[0].ifname (net0): t0: the link is of kind 'bridge', but mode 'tap' needs 'tun' "
	    "(try: \"mode\": \"bridge\", \"bridge\": \"t0\")" },
	{ "link: tap instead of bridge", BRIDGE, bridge_is_tun, -1, "link-kind nics[0].bridge",
	  P "nics[0].bridge (net0): br0: the link is of kind 'tun', but mode 'bridge' needs "
	    "'bridge' (try: \"mode\": \"tap\", \"ifname\": \"br0\")" },
	{ "link: a macvlan, on a link that is known", MACVTAP, link_is_macvlan_on_lower, -1, "link-kind nics[0].ifname",
	  P "nics[0].ifname (net0): m0: the link is of kind 'macvlan', but mode 'macvtap' needs "
	    "'macvtap' (try: ip link del dev m0 && ip link add link eth0 name m0 type macvtap mode "
	    "bridge && ip link set dev m0 up)" },
	{ "link: a name as ip shows it", "'nics':[{'mode':'macvtap','ifname':'m0@eth0','vhost':false}]", link_missing, -1,
	  "link-missing nics[0].ifname",
	  P "nics[0].ifname (net0): m0@eth0: no such link in this network namespace (try: "
	    "\"ifname\": \"m0\"; what 'ip' shows after '@' is the lower link)" },
	{ "link: hardware instead of macvtap", MACVTAP, link_is_hardware, -1, "link-kind nics[0].ifname",
	  P "nics[0].ifname (net0): m0: the link is of kind 'none', but mode 'macvtap' needs "
	    "'macvtap'" },
	{ "link: macvlan instead of macvtap", MACVTAP, link_is_macvlan, -1, "link-kind nics[0].ifname",
	  NULL },
	{ "link: tun instead of macvtap", MACVTAP, link_is_tun, -1, "link-kind nics[0].ifname", NULL },
	{ "link: ipvtap is as good as macvtap", MACVTAP, link_is_ipvtap, 0, "", NULL },
	{ "link: dummy instead of bridge", BRIDGE, bridge_is_dummy, -1, "link-kind nics[0].bridge", NULL },
	{ "link: bridge missing", BRIDGE, link_missing, -1, "link-missing nics[0].bridge", NULL },
	{ "link: macvtap missing by ifindex", MACVTAP_WITH("'ifindex':7"), link_missing, -1, "link-missing nics[0].ifindex",
	  P "nics[0].ifindex (net0): ifindex 7: no such link in this network namespace" },
	{ "link: another name of it", TAP, link_has_another_name, -1, "link-name nics[0].ifname",
	  P "nics[0].ifname (net0): t0: is an alternative name of the link 'real0' (try: "
	    "\"ifname\": \"real0\")" },
	{ "link: any name by ifindex", MACVTAP_WITH("'ifindex':7"), link_has_another_name, 0, "", NULL },
	{ "link: down", TAP, link_down, 0, "link-down nics[0].ifname",
	  W "nics[0].ifname (net0): t0: the link is down: no frame will pass (try: ip link set dev "
	    "t0 up)" },
	{ "link: macvtap down", MACVTAP, link_down, 0, "link-down nics[0].ifname", NULL },
	{ "link: bridge down", BRIDGE, link_down, 0, "link-down nics[0].bridge", NULL },
	{ "lower: up", MACVTAP, on_a_lower, 0, "", NULL },
	{ "lower: down", MACVTAP, lower_down, 0, "lower-down nics[0].ifname",
	  W "nics[0].ifname (net0): m0: its lower link 'eth0' is down: no frame will pass (try: ip "
	    "link set dev eth0 up)" },
	{ "passing: the carrier is turned off", MACVTAP, carrier_off, 0, "no-carrier nics[0].ifname",
	  W "nics[0].ifname (net0): m0: its carrier is turned off (protodown): no frame of the guest will pass (try: ip link "
	    "set dev m0 protodown off)" },
	{ "passing: no carrier for want of the lower link's", MACVTAP, carrier_off_by_lower, 0, "lower-down nics[0].ifname", NULL },
	{ "lower: no carrier", MACVTAP, lower_no_carrier, 0, "no-carrier nics[0].ifname",
	  W "nics[0].ifname (net0): m0: its lower link 'eth0' has no carrier, so frames reach no "
	    "other host" },
	{ "lower: down in another namespace", MACVTAP, lower_elsewhere_down, 0, "no-carrier nics[0].ifname", NULL },
	{ "lower: in another namespace", MACVTAP, lower_elsewhere, 0, "", NULL },
	{ "master: up", TAP, in_a_bridge, 0, "", NULL },
	{ "master: down", TAP, bridge_down, 0, "master-down nics[0].ifname",
	  W "nics[0].ifname (net0): t0: it is a port of 'br0', which is down: no frame will pass "
	    "(try: ip link set dev br0 up)" },
	{ "multicast: dropped", MACVTAP, groups_dropped, 0, "multicast-off nics[0].ifname",
	  W "nics[0].ifname (net0): m0: it drops multicast to groups that the guest joins, so IPv6 "
	    "neighbour discovery fails (try: ip link set dev m0 allmulticast on)" },
	{ "multicast: dropped, by ifindex", MACVTAP_WITH("'ifindex':7"), groups_dropped, 0, "multicast-off nics[0].ifindex",
	  NULL },
	{ "multicast: a TAP takes all", TAP, groups_dropped, 0, "", NULL },
	{ "multicast: in mode source the sender decides", MACVTAP, mode_source, 0, "", NULL },
	{ "source: nobody in its list", MACVTAP, mode_source_empty, 0, "source-empty nics[0].ifname",
	  W "nics[0].ifname (net0): m0: it is in mode source with an empty address list: no frame "
	    "will reach the guest (try: ip link set dev m0 type macvtap mode bridge)" },
	/* addresses */
	{ "mac: the macvtap's own", MACVTAP_WITH("'ifname':'m0','mac':'02:00:00:00:00:07'"), on_a_lower, 0, "", NULL },
	{ "mac: not the macvtap's", MACVTAP_WITH("'ifname':'m0','mac':'02:00:00:00:00:09'"), on_a_lower, 0,
	  "mac-differs nics[0].mac",
	  W "nics[0].mac (net0): m0: the guest's address 02:00:00:00:00:09 is not the link's "
	    "address 02:00:00:00:00:07, and the link drops frames to it (try: ip link set dev m0 "
	    "address 02:00:00:00:00:09)" },
	{ "mac: not the macvtap's, which takes all", MACVTAP_WITH("'ifname':'m0','mac':'02:00:00:00:00:09'"), mode_passthru, 0,
	  "", NULL },
	{ "mac: the lower link's, in passthru", MACVTAP_WITH("'ifname':'m0','mac':'02:00:00:00:00:07'"), mode_passthru, 0, "",
	  NULL },
	{ "mac: not the macvtap's, which goes by the sender", MACVTAP_WITH("'ifname':'m0','mac':'02:00:00:00:00:09'"),
	  mode_source, 0, "", NULL },
	{ "mac: the lower link's", MACVTAP_WITH("'ifname':'m0','mac':'02:00:00:00:00:02'"), on_a_lower, 0,
	  "mac-taken nics[0].mac",
	  W "nics[0].mac (net0): m0: the guest's address 02:00:00:00:00:02 belongs to 'eth0', for "
	    "which the host answers: no unicast frame will reach the guest (try: leave out "
	    "\"mac\", and the guest gets the link's address)" },
	{ "mac: the TAP's own", TAP_WITH("'mac':'02:00:00:00:00:05'"), in_a_bridge, 0, "mac-taken nics[0].mac",
	  W "nics[0].mac (net0): t0: the guest's address 02:00:00:00:00:05 belongs to 't0', for "
	    "which the host answers: no unicast frame will reach the guest (try: ip link set dev "
	    "t0 address fe:00:00:00:00:05)" },
	{ "mac: another than the TAP's", TAP_WITH("'mac':'02:00:00:00:00:06'"), in_a_bridge, 0, "", NULL },
	{ "mac: the bridge's", TAP_WITH("'mac':'02:00:00:00:00:04'"), mac_is_a_ports, 0, "mac-taken nics[0].mac",
	  W "nics[0].mac (net0): t0: the guest's address 02:00:00:00:00:04 belongs to 'br0', for "
	    "which the host answers: no unicast frame will reach the guest (try: give the NIC "
	    "another \"mac\")" },
	{ "mac: of two NICs", "'nics':[{'mode':'user','mac':'02:00:00:00:00:09'},{'mode':'user','mac':'02:00:00:00:00:09'}]", NULL,
	  -1, "mac-twice nics[1].mac 1:79",
	  P "nics[1].mac (net1): stdin:1:79: nics[0] also has the address 02:00:00:00:00:09" },
	{ "mac: two addresses", "'nics':[{'mode':'user','mac':'02:00:00:00:00:09'},{'mode':'user','mac':'02:00:00:00:00:08'}]",
	  NULL, 0, "", NULL },
	{ "ifindex: agrees with ifname", MACVTAP_WITH("'ifname':'m0','ifindex':7"), NULL, 0, "", NULL },
	{ "ifindex: stale", MACVTAP_WITH("'ifname':'m0','ifindex':7"), ifindex_8, -1, "link-ifindex nics[0].ifindex",
	  P "nics[0].ifindex (net0): m0: the link has ifindex 8, not 7 (try: look up the ifindex "
	    "again: the link was recreated)" },
	/* TAP */
	{ "tap: carries packets", TAP, packets, -1, "tap-not-tap nics[0].ifname", NULL },
	{ "tap: not persistent", TAP, not_persistent, -1, "tap-not-persistent nics[0].ifname", NULL },
	{ "owner: another uid", TAP, owner_is_another, -1, "tap-owner nics[0].ifname",
	  P "nics[0].ifname (net0): t0: the TAP belongs to uid 1001, but this process runs as uid "
	    "1000 without CAP_NET_ADMIN (try: ip link del dev t0 && ip tuntap add dev t0 mode tap "
	    "multi_queue user 1000 && ip link set dev t0 up)" },
	{ "owner: another uid, CAP_NET_ADMIN", TAP, owner_is_another_admin, 0, "", NULL },
	{ "owner: our gid too", TAP, group_is_ours, 0, "", NULL },
	{ "owner: another gid", TAP, group_is_another, -1, "tap-owner nics[0].ifname",
	  P "nics[0].ifname (net0): t0: the TAP belongs to gid 42, but this process runs with gid "
	    "1000 without CAP_NET_ADMIN (try: ip link del dev t0 && ip tuntap add dev t0 mode tap "
	    "multi_queue user 1000 && ip link set dev t0 up)" },
	{ "owner: a supplementary gid", TAP, group_is_supplementary, 0, "", NULL },
	{ "owner: another gid, CAP_NET_ADMIN", TAP, group_is_another_admin, 0, "", NULL },
	{ "owner: our gid alone", TAP, group_alone, 0, "", NULL },
	{ "owner: our gid does not help another uid", TAP, owner_of_both_differs, -1,
	  "tap-owner nics[0].ifname", NULL },
	{ "owner: none, and few may open /dev/net/tun", TAP, no_owner, 0, "", NULL },
	{ "owner: none, and all may open /dev/net/tun", TAP, no_owner_open_tun, 0,
	  "tap-unowned nics[0].ifname", NULL },
	{ "owner: ours, and all may open /dev/net/tun", TAP, owner_open_tun, 0, "", NULL },
	{ "busy: the only queue is free", TAP, one_queue_free, 0, "", NULL },
	{ "busy: the only queue is taken", TAP, one_queue_busy, -1, "tap-busy nics[0].ifname",
	  P "nics[0].ifname (net0): t0: the TAP's only queue is attached to another process (try: end the process that uses it)" },
	{ "busy: the only queue is taken, by whom", TAP, one_queue_busy_by, -1, "tap-busy nics[0].ifname",
	  P "nics[0].ifname (net0): t0: the TAP's only queue is attached to pid 4711 (qemu) (try: end the process that uses it)" },
	{ "busy: the only queue is taken, without carrier", TAP, one_queue_held_off, -1, "tap-busy nics[0].ifname",
	  P "nics[0].ifname (net0): t0: the TAP's only queue is attached to pid 4711 (qemu) (try: end the process that uses it)" },
	{ "busy: the only queue cannot be shared", TAP_WITH("'shared':true"), one_queue_busy, -1, "tap-busy nics[0].ifname", NULL },
	{ "busy: queues of multi_queue are taken", TAP, attached_2, -1, "tap-busy nics[0].ifname",
	  P "nics[0].ifname (net0): t0: 2 of its queues are attached to another process, which gets a part of the frames "
	    "(try: give each guest a TAP of its own, or write \"shared\": true)" },
	{ "busy: queues are taken, by whom", TAP, attached_2_by, -1, "tap-busy nics[0].ifname",
	  P "nics[0].ifname (net0): t0: 2 of its queues are attached to pid 4711 (qemu), which gets a part of the frames "
	    "(try: give each guest a TAP of its own, or write \"shared\": true)" },
	{ "busy: queues are taken, and shared", TAP_WITH("'shared':true"), attached_2, 0, "", NULL },
	{ "busy: not shared", TAP_WITH("'shared':false"), attached_2, -1, "tap-busy nics[0].ifname", NULL },
	{ "busy: a queue that is put aside takes no frames", TAP, aside, 0, "", NULL },
	{ "busy: room for the last queue", TAP_WITH("'shared':true"), attached_255, 0, "", NULL },
	{ "busy: room for one of two, asked for", TAP_WITH("'shared':true,'queues':2"), attached_255, -1,
	  "tap-busy nics[0].queues", NULL },
	{ "busy: no room, none asked for", TAP_WITH("'shared':true"), attached_256, -1, "tap-busy nics[0]", NULL },
	{ "busy: two NICs on one TAP, by intent",
	  "'vhost':false,'nics':[{'mode':'tap','ifname':'t0','shared':true},{'mode':'tap','ifname':'t0','shared':true}]",
	  NULL, 0, "", NULL },
	{ "busy: two NICs on one TAP, one by intent",
	  "'vhost':false,'nics':[{'mode':'tap','ifname':'t0','shared':true},{'mode':'tap','ifname':'t0'}]",
	  NULL, -1, "link-twice nics[1].ifname", NULL },
	{ "busy: a macvtap is locked", MACVTAP, locked, -1, "link-busy nics[0].ifname",
	  P "nics[0].ifname (net0): m0: the link is in use by pid 4711 (qemu): each guest would get a part of the frames "
	    "(try: give each guest a link of its own, or write \"shared\": true)" },
	{ "busy: a macvtap is locked, by its index", MACVTAP_WITH("'ifindex':7"), locked, -1, "link-busy nics[0].ifindex", NULL },
	{ "busy: what the holder of a lock has left", MACVTAP, locked_by_ended, -1, "link-busy nics[0].ifname",
	  P "nics[0].ifname (net0): m0: the link is in use by something left by pid 4711, which has ended: each guest would get a "
	    "part of the frames (try: give each guest a link of its own, or write \"shared\": true)" },
	{ "busy: the holder of a lock is hidden", MACVTAP, locked_by_hidden, -1, "link-busy nics[0].ifname", NULL },
	{ "busy: a macvtap is locked, and shared", MACVTAP_WITH("'ifname':'m0','shared':true"), locked, 0, "", NULL },
	{ "flags: attached without vnet_hdr", TAP_WITH("'shared':true"), attached_without_vnet_hdr, 0,
	  "tap-no-vnet-hdr nics[0].ifname",
	  W "nics[0].ifname (net0): t0: 2 queues are attached without vnet_hdr: the guest has no offloads (try: set "
	    "VNetHeader=yes in [Tap] of the .netdev file, where systemd-networkd made the TAP)" },
	{ "flags: put aside without vnet_hdr", TAP, aside_without_vnet_hdr, 0, "tap-no-vnet-hdr nics[0].ifname", NULL },
	{ "flags: attached with packet information", TAP_WITH("'shared':true"), attached_with_pi, -1, "tap-flags nics[0].ifname",
	  P "nics[0].ifname (net0): t0: 1 queue is attached with packet information, QEMU needs frames without it" },
	{ "flags: put aside with packet information", TAP, aside_with_pi, -1, "tap-flags nics[0].ifname", NULL },
	{ "flags: of a TAP that nobody is attached to", TAP, flags_of_nobody, 0, "", NULL },
	{ "again: with the master and the count that is asked for", TAP_WITH("'queues':2"), again_in_a_bridge, -1,
	  "tap-not-multiqueue nics[0].queues",
	  P "nics[0].queues (net0): t0: 2 queue pairs asked for, but the TAP was created without "
	    "multi_queue (try: ip link del dev t0 && ip tuntap add dev t0 mode tap multi_queue "
	    "user 1000 && ip link set dev t0 master br0 up)" },
	{ "again: with the owner, whose count is asked for", TAP_WITH("'queues':2"), again_owner, -1, "tap-owner nics[0].ifname",
	  P "nics[0].ifname (net0): t0: the TAP belongs to uid 1001, but this process runs as uid "
	    "1000 without CAP_NET_ADMIN (try: ip link del dev t0 && ip tuntap add dev t0 mode tap "
	    "multi_queue user 1000 && ip link set dev t0 up)" },
	{ "again: a group stays", TAP, not_persistent_group, -1, "tap-not-persistent nics[0].ifname",
	  P "nics[0].ifname (net0): t0: the TAP is not persistent: it disappears with the process "
	    "that holds it (try: ip link del dev t0 && ip tuntap add dev t0 mode tap multi_queue "
	    "user 1000 group 1000 && ip link set dev t0 up)" },
	{ "tun: missing", TAP, tun_missing, -1, "node-missing nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/net/tun: No such file or directory: must be character "
	    "device 10:200 (try: modprobe tun)" },
	{ "tun: a file", TAP, tun_is_a_file, -1, "node-not-device nics[0].ifname", NULL },
	{ "tun: another device", TAP, tun_is_another_device, -1, "node-wrong-device nics[0].ifname", NULL },
	{ "tun: denied", TAP, tun_denied, -1, "node-access nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/net/tun: Permission denied: its mode is 0600 and its "
	    "owner 0:108, but this process runs as uid 1000 (try: chmod 666 /dev/net/tun)" },
	{ "tun: denied, and the owner is another", TAP, tun_denied_and_owner, -1,
	  "node-access nics[0].ifname; tap-owner nics[0].ifname", NULL },
	/* macvtap */
	{ "node: in order", MACVTAP, NULL, 0, "", NULL },
	{ "node: missing", MACVTAP, node_missing, -1, "node-missing nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/tap7: No such file or directory: must be character device "
	    "236:1 (try: mknod -m 600 /dev/tap7 c 236 1 && chown 1000 /dev/tap7)" },
	{ "node: a file", MACVTAP, node_is_a_file, -1, "node-not-device nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/tap7: is not a character device; must be 236:1 (try: rm "
	    "/dev/tap7 && mknod -m 600 /dev/tap7 c 236 1 && chown 1000 /dev/tap7)" },
	{ "node: of another link", MACVTAP, node_is_another_link, -1, "node-wrong-device nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/tap7: is 236:2, but the link 'm0' is 236:1: the node "
	    "belongs to a link of another network namespace (try: recreate the link with an "
	    "ifindex that is unique on this host: ip link add ... index N)" },
	{ "node: of another driver", MACVTAP, node_is_another_driver, -1, "node-wrong-device nics[0].ifname",
	  NULL },
	{ "node: of another link, by ifindex", MACVTAP_WITH("'ifindex':7"), node_is_another_link, -1,
	  "node-wrong-device nics[0].ifindex", NULL },
	{ "node: denied", MACVTAP, node_denied, -1, "node-access nics[0].ifname", NULL },
	{ "node: denied, but not by its mode", MACVTAP, node_denied_by_list, -1, "node-access nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/tap7: Permission denied: its mode is 0600 and its owner "
	    "1000:1000, but this process runs as uid 1000 (try: allow the device in its access "
	    "list (see getfacl), or in SELinux or AppArmor)" },
	{ "node: denied, but not to a supplementary group by its mode", MACVTAP, node_denied_in_group, -1, "node-access nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/tap7: Permission denied: its mode is 0660 and its owner "
	    "0:42, but this process runs as uid 1000 (try: allow the device in its access list "
	    "(see getfacl), or in SELinux or AppArmor)" },
	{ "node: denied by the devices cgroup", MACVTAP, node_denied_by_cgroup, -1, "node-access nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/tap7: Operation not permitted: the devices cgroup of this "
	    "process denies access (try: allow /dev/tap7 in the devices cgroup of this process)" },
	{ "node: denied by the devices cgroup of a domain", MACVTAP, node_denied_in_libvirt, -1, "node-access nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/tap7: Operation not permitted: the devices cgroup of this "
	    "process denies access (try: list /dev/tap7 in cgroup_device_acl of libvirt's "
	    "qemu.conf)" },
	{ "node: denied by the devices cgroup of a unit", MACVTAP, node_denied_in_unit, -1, "node-access nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/tap7: Operation not permitted: the devices cgroup of this "
	    "process denies access (try: add DeviceAllow=/dev/tap7 rw to the unit)" },
	{ "node: denied by the devices cgroup of a container", MACVTAP, node_denied_in_container, -1,
	  "node-access nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/tap7: Operation not permitted: the devices cgroup of this "
	    "process denies access (try: start the container with --device-cgroup-rule='c 236:* "
	    "rw')" },
	{ "node: stale, in a container", MACVTAP, node_stale_in_container, -1, "node-wrong-device nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/tap7: is 236:2, but the link 'm0' is 236:1: the node "
	    "belongs to another link (try: rm /dev/tap7 && mknod -m 600 /dev/tap7 c 236 1 && chown "
	    "1000 /dev/tap7)" },
	{ "node: of another link, in libvirt's /dev", MACVTAP, node_stale_in_libvirt, -1, "node-wrong-device nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/tap7: is 236:2, but the link 'm0' is 236:1: the node "
	    "belongs to a link of another network namespace (try: recreate the link with an "
	    "ifindex that is unique on this host: ip link add ... index N)" },
	{ "node: missing in libvirt's /dev", MACVTAP, node_missing_in_libvirt, -1, "node-missing nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/tap7: No such file or directory: must be character device "
	    "236:1 (try: list /dev/tap7 in cgroup_device_acl of libvirt's qemu.conf)" },
	{ "node: missing in a container", MACVTAP, node_missing_in_container, -1, "node-missing nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/tap7: No such file or directory: must be character device "
	    "236:1 (try: mknod -m 600 /dev/tap7 c 236 1 && chown 1000 /dev/tap7)" },
	{ "node: missing, of root", MACVTAP, node_missing_root, -1, "node-missing nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/tap7: No such file or directory: must be character device "
	    "236:1 (try: mknod -m 600 /dev/tap7 c 236 1)" },
	{ "tun: missing in a container", TAP, tun_missing_in_container, -1, "node-missing nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/net/tun: No such file or directory: must be character "
	    "device 10:200 (try: start the container with --device=/dev/net/tun)" },
	{ "tun: missing in a unit with PrivateDevices", TAP, tun_missing_in_unit, -1, "node-missing nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/net/tun: No such file or directory: must be character "
	    "device 10:200 (try: set PrivateDevices=no in the unit)" },
	{ "tun: missing, and its driver is there", TAP, tun_missing_driver, -1, "node-missing nics[0].ifname",
	  P "nics[0].ifname (net0): /dev/net/tun: No such file or directory: must be character "
	    "device 10:200 (try: mkdir -p /dev/net && mknod -m 666 /dev/net/tun c 10 200)" },
	{ "vhost: required, missing in a container", TAP_VHOST(",'vhost':true"), vhost_missing_in_container, -1,
	  "node-missing nics[0].vhost",
	  P "nics[0].vhost (net0): /dev/vhost-net: No such file or directory: must be character "
	    "device 10:238 (try: start the container with --device=/dev/vhost-net)" },
	{ "vhost: required, denied by its mode", TAP_VHOST(",'vhost':true"), vhost_denied_by_mode, -1,
	  "node-access nics[0].vhost",
	  P "nics[0].vhost (net0): /dev/vhost-net: Permission denied: its mode is 0600 and its "
	    "owner 0:0, but this process runs as uid 1000 (try: setfacl -m u:1000:rw "
	    "/dev/vhost-net)" },
	{ "owner: a network of another user namespace", TAP, owner_elsewhere, -1, "tap-owner nics[0].ifname",
	  P "nics[0].ifname (net0): t0: the TAP belongs to uid 65534, but this process runs as uid "
	    "1000, whose capabilities do not count in this network: another user namespace owns it "
	    "(try: ip link del dev t0 && ip tuntap add dev t0 mode tap multi_queue user 4711 && ip "
	    "link set dev t0 up)" },
	{ "node: not to be reached", MACVTAP, node_not_reached, -1, "node-missing nics[0].ifname", NULL },
	{ "sysfs: denied", MACVTAP, sysfs_denied, -1, "sysfs-unreadable nics[0].ifname",
	  P "nics[0].ifname (net0): /sys/class/net/m0/tap7/dev: Permission denied: the device "
	    "number of 'm0' cannot be read (try: allow this process to read it; in an AppArmor "
	    "profile, /sys/devices/virtual/net/** r,)" },
	{ "sysfs: does not show the link", MACVTAP, sysfs_of_another_space, -1,
	  "sysfs-other-namespace nics[0].ifname", NULL },
	{ "sysfs: shows another ifindex", MACVTAP, sysfs_has_another_index, -1, "sysfs-other-namespace nics[0].ifname",
	  P "nics[0].ifname (net0): /sys/class/net/m0/tap7/dev: sysfs shows ifindex 8 address "
	    "02:00:00:00:00:07, but this network namespace has ifindex 7 address 02:00:00:00:00:07 "
	    "(try: put this before the command: unshare -m sh -c 'mount -t sysfs sysfs /sys && "
	    "exec \"$@\"' sh)" },
	{ "sysfs: of another namespace, and a cgroup is to be joined", "'cgroup':'/c'," MACVTAP, sysfs_and_cgroup, -1,
	  "sysfs-other-namespace nics[0].ifname",
	  P "nics[0].ifname (net0): /sys/class/net/m0/tap7/dev: sysfs shows ifindex 8 address "
	    "02:00:00:00:00:07, but this network namespace has ifindex 7 address 02:00:00:00:00:07 "
	    "(try: put this before the command: unshare -m sh -c 'mount --rbind /sys/fs/cgroup "
	    "/mnt && mount -t sysfs sysfs /sys && mount --rbind /mnt /sys/fs/cgroup && exec "
	    "\"$@\"' sh)" },
	{ "sysfs: shows another address", MACVTAP, sysfs_has_another_mac, -1,
	  "sysfs-other-namespace nics[0].ifname", NULL },
	{ "sysfs: when it is wrong the node is not judged by it", MACVTAP, sysfs_bad_node_bad, -1,
	  "sysfs-other-namespace nics[0].ifname", NULL },
	/* vhost */
	{ "vhost: required, there", TAP_VHOST(",'vhost':true"), NULL, 0, "", NULL },
	{ "vhost: required, missing", TAP_VHOST(",'vhost':true"), vhost_missing, -1, "node-missing nics[0].vhost",
	  P "nics[0].vhost (net0): /dev/vhost-net: No such file or directory: must be character "
	    "device 10:238 (try: modprobe vhost_net)" },
	{ "vhost: required, a file", TAP_VHOST(",'vhost':true"), vhost_is_a_file, -1,
	  "node-not-device nics[0].vhost", NULL },
	{ "vhost: required, another device", TAP_VHOST(",'vhost':true"), vhost_is_another_device, -1,
	  "node-wrong-device nics[0].vhost",
	  P "nics[0].vhost (net0): /dev/vhost-net: is character device 10:200; must be 10:238" },
	{ "vhost: required, denied", TAP_VHOST(",'vhost':true"), vhost_denied, -1,
	  "node-access nics[0].vhost", NULL },
	{ "vhost: preferred, there", TAP_VHOST(""), NULL, 0, "", NULL },
	{ "vhost: preferred, missing", TAP_VHOST(""), vhost_missing, 0, "vhost-off nics[0]",
	  W "nics[0] (net0): /dev/vhost-net: No such file or directory: vhost is not available, so "
	    "QEMU's main loop will carry every frame of this NIC (try: modprobe vhost_net)" },
	{ "vhost: preferred, a file", TAP_VHOST(""), vhost_is_a_file, 0, "vhost-off nics[0]", NULL },
	{ "vhost: preferred, another device", TAP_VHOST(""), vhost_is_another_device, 0, "vhost-off nics[0]",
	  NULL },
	{ "vhost: preferred, denied", TAP_VHOST(""), vhost_denied, 0, "vhost-off nics[0]", NULL },
	{ "vhost: required, the devices cgroup denies it", TAP_VHOST(",'vhost':true"), vhost_cgroup_denies, -1,
	  "node-access nics[0].vhost",
	  P "nics[0].vhost (net0): /dev/vhost-net: Operation not permitted: the devices cgroup of "
	    "this process denies access (try: allow /dev/vhost-net in the devices cgroup of this "
	    "process)" },
	{ "vhost: off, missing", TAP, vhost_missing, 0, "", NULL },
	{ "vsock: there", "'vsock':{'cid':3}", NULL, 0, "", NULL },
	{ "vsock: missing", "'vsock':{'cid':3}", vsock_missing, -1, "node-missing vsock",
	  P "vsock: /dev/vhost-vsock: No such file or directory: must be character device 10:241 "
	    "(try: modprobe vhost_vsock)" },
	{ "vsock: another device", "'vsock':{'cid':3}", vsock_is_another_device, -1,
	  "node-wrong-device vsock", NULL },
	{ "vsock: denied", "'vsock':{'cid':3}", vsock_denied, -1, "node-access vsock", NULL },
	/* bridge */
	{ "helper: a network of another user namespace", BRIDGE, helper_elsewhere, -1, "helper-not-privileged nics[0].bridge",
	  NULL },
	{ "helper: set-uid root", BRIDGE, NULL, 0, "", NULL },
	{ "helper: missing", BRIDGE, helper_missing, -1, "helper-missing nics[0].bridge",
	  P "nics[0].bridge (net0): /usr/lib/qemu/qemu-bridge-helper: No such file or directory: "
	    "qemu-bridge-helper is needed to reach the bridge (try: install QEMU's bridge helper "
	    "(Debian: qemu-system-common), or set \"helper\")" },
	{ "helper: missing, named", BRIDGE_WITH("'helper':'/h'"), helper_missing, -1,
	  "helper-missing nics[0].helper", NULL },
	{ "helper: missing, QEMU may run its own", "'seccomp':'none'," BRIDGE, helper_missing, 0, "helper-of-qemu nics[0].bridge",
	  "qemu-handoff: warning: nics[0].bridge (net0): /usr/lib/qemu/qemu-bridge-helper: No such file or directory: QEMU "
	  "makes the TAP by the helper that it was built with" },
	{ "helper: missing, vhost preferred", "'seccomp':'none','nics':[{'mode':'bridge','bridge':'br0'}]", helper_missing, 0,
	  "helper-of-qemu nics[0].bridge; vhost-off nics[0]", NULL },
	{ "helper: missing, vhost asked for", "'seccomp':'none','nics':[{'mode':'bridge','bridge':'br0','vhost':true}]",
	  helper_missing, -1, "helper-missing nics[0].bridge", NULL },
	{ "helper: missing, numbers asked for", "'seccomp':'none'," BRIDGE_WITH("'fds':[7]"), helper_missing, -1,
	  "helper-missing nics[0].bridge", NULL },
	{ "helper: a directory", BRIDGE, helper_is_a_directory, -1, "helper-not-executable nics[0].bridge",
	  NULL },
	{ "helper: denied", BRIDGE, helper_denied, -1, "helper-not-executable nics[0].bridge", NULL },
	{ "helper: without privilege", BRIDGE, helper_plain, -1, "helper-not-privileged nics[0].bridge",
	  P "nics[0].bridge (net0): /usr/lib/qemu/qemu-bridge-helper: neither set-uid root nor with cap_net_admin=ep on its "
	    "file, and uid 1000 has no CAP_NET_ADMIN to pass on (try: chmod u+s /usr/lib/qemu/qemu-bridge-helper)" },
	{ "helper: without privilege, ours ends with the exec", BRIDGE, helper_plain_kept, -1,
	  "helper-not-privileged nics[0].bridge", NULL },
	{ "helper: without privilege, ours is ambient", BRIDGE, helper_plain_ambient, 0, "", NULL },
	{ "helper: by its file", BRIDGE, helper_by_file, 0, "", NULL },
	{ "helper: by its file, nosuid", BRIDGE, helper_by_file_nosuid, -1, "helper-not-privileged nics[0].bridge", NULL },
	{ "helper: by its file, no_new_privs", BRIDGE, helper_by_file_nnp, -1, "helper-not-privileged nics[0].bridge", NULL },
	{ "helper: other capabilities", BRIDGE, helper_other_caps, -1, "helper-not-privileged nics[0].bridge", NULL },
	{ "helper: nosuid", BRIDGE, helper_nosuid, -1, "helper-not-privileged nics[0].bridge",
	  P "nics[0].bridge (net0): /usr/lib/qemu/qemu-bridge-helper: on a mount with nosuid: its set-uid bit and file "
	    "capabilities have no effect (try: mount -o remount,suid "
	    "\"$(findmnt -nro TARGET -T /usr/lib/qemu/qemu-bridge-helper)\")" },
	{ "helper: set-uid and capabilities", BRIDGE, helper_both, -1, "helper-not-privileged nics[0].bridge",
	  P "nics[0].bridge (net0): /usr/lib/qemu/qemu-bridge-helper: set-uid root, but its file also has capabilities: Linux "
	    "gives it these alone, and it cannot give up root (try: setcap -r /usr/lib/qemu/qemu-bridge-helper)" },
	{ "helper: set-uid and capabilities, for root", BRIDGE, helper_both_root, 0, "qemu-root -", NULL },
	{ "helper: no /dev/net/tun", BRIDGE, helper_tun_missing, -1, "node-missing nics[0].bridge", NULL },
	{ "helper: /dev/net/tun of others", BRIDGE, helper_tun_denied, -1, "node-access nics[0].bridge", NULL },
	{ "helper: without privilege, we have it", BRIDGE, helper_plain_admin, 0, "qemu-root -", NULL },
	{ "helper: set-uid under no_new_privs", BRIDGE, helper_no_new_privs, -1,
	  "helper-not-privileged nics[0].bridge", NULL },
	{ "helper: no_new_privs, we have the privilege", BRIDGE, helper_plain_admin_nnp, 0, "qemu-root -", NULL },
	{ "helper: a blank in its path", BRIDGE_WITH("'helper':'/a b'"), helper_with_blank, 0, "", NULL },
	{ "helper: a blank in its path, QEMU runs it", "'seccomp':'none'," BRIDGE_WITH("'helper':'/a b','handoff':false"),
	  helper_with_blank, -1, "descriptor-value nics[0].helper", NULL },
	{ "acl: missing", BRIDGE, acl_missing, -1, "acl-missing nics[0].bridge",
	  P "nics[0].bridge (net0): /etc/qemu/bridge.conf: No such file or directory: qemu-bridge-helper allows no bridge "
	    "without this file (try: mkdir -p /etc/qemu && echo 'allow br0' >/etc/qemu/bridge.conf)" },
	{ "acl: unreadable", BRIDGE, acl_unreadable, -1, "acl-unreadable nics[0].bridge",
	  P "nics[0].bridge (net0): /etc/qemu/bridge.conf: Permission denied: qemu-bridge-helper "
	    "reads it with the caller's ids (try: let uid 1000 read it)" },
	{ "acl: denied", BRIDGE, acl_denied, -1, "acl-denied nics[0].bridge",
	  P "nics[0].bridge (net0): /etc/qemu/bridge.conf: no line allows the bridge 'br0' "
	    "(try: printf '\\n%s\\n' 'allow br0' >>/etc/qemu/bridge.conf)" },
	{ "acl: a line that denies", BRIDGE, acl_deny_line, -1, "acl-denied nics[0].bridge",
	  P "nics[0].bridge (net0): /etc/qemu/bridge.conf: line 3, 'deny br0': denies the bridge 'br0', whatever another line "
	    "allows (try: sed -i -e '3c allow br0' /etc/qemu/bridge.conf)" },
	{ "acl: a line that denies, one that allows", BRIDGE, acl_deny_and_allow, -1, "acl-denied nics[0].bridge",
	  P "nics[0].bridge (net0): /etc/qemu/bridge.conf: line 3, 'deny br0': denies the bridge 'br0', whatever another line "
	    "allows (try: sed -i -e 3d /etc/qemu/bridge.conf)" },
	{ "acl: three lines that deny", BRIDGE, acl_deny_twice, -1, "acl-denied nics[0].bridge",
	  P "nics[0].bridge (net0): /etc/qemu/bridge.conf: line 3, 'deny br0': denies the bridge 'br0', whatever another line "
	    "allows (try: sed -i -e '3c allow br0' -e 5d -e 9d /etc/qemu/bridge.conf)" },
	{ "acl: lines of two files deny", BRIDGE, acl_deny_elsewhere, -1, "acl-denied nics[0].bridge",
	  P "nics[0].bridge (net0): /etc/qemu/bridge.conf: line 3, 'deny br0': denies the bridge 'br0', whatever another line "
	    "allows (try: take out each line that denies it, and write 'allow br0')" },
	{ "acl: a name with a comment", BRIDGE, acl_nearly, -1, "acl-denied nics[0].bridge",
	  P "nics[0].bridge (net0): /etc/qemu/bridge.conf: line 2, 'allow br0 # LAN': all that follows the word is a bridge's "
	    "name to the helper, so no line allows the bridge (try: sed -i '2a allow br0' /etc/qemu/bridge.conf)" },
	{ "acl: a line of another language", BRIDGE, acl_bad_line, -1, "acl-unreadable nics[0].bridge",
	  P "nics[0].bridge (net0): /etc/qemu/bridge.conf: line 4, 'permit br0': qemu-bridge-helper knows 'allow NAME', 'deny "
	    "NAME' and 'include FILE', and ends at any other line (try: sed -i '4c allow br0' /etc/qemu/bridge.conf)" },
	{ "acl: of a helper that may have another", BRIDGE_WITH("'helper':'/h'"), acl_unknown, 0, "", NULL },
	/* expect */
	{ "expect up: is up", TAP_WITH("'expect':{'up':true}"), NULL, 0, "", NULL },
	{ "expect up: is down", TAP_WITH("'expect':{'up':true}"), link_down, -1,
	  "link-down nics[0].ifname; expect nics[0].expect.up", NULL },
	{ "expect down: is down", TAP_WITH("'expect':{'up':false}"), link_down, 0, "link-down nics[0].ifname", NULL },
	{ "expect: hides no warning", TAP_WITH("'expect':{'mtu':1500}"), down_and_mtu, -1,
	  "link-down nics[0].ifname; expect nics[0].expect.mtu", NULL },
	{ "expect: hides no error", TAP_WITH("'queues':2,'expect':{'mtu':1500}"), mtu_and_one_queue, -1,
	  "expect nics[0].expect.mtu; tap-not-multiqueue nics[0].queues", NULL },
	{ "expect: is judged beside an error of the link", TAP_WITH("'expect':{'mtu':1500,'owner':1000}"), down_and_other_kind, -1,
	  "link-kind nics[0].ifname; expect nics[0].expect.mtu; expect nics[0].expect.owner", NULL },
	{ "expect down: is up", TAP_WITH("'expect':{'up':false}"), NULL, -1, "expect nics[0].expect.up",
	  P "nics[0].expect.up (net0): t0: must be down, but is up" },
	{ "expect mtu: equal", TAP_WITH("'expect':{'mtu':1500}"), NULL, 0, "", NULL },
	{ "expect mtu: another", TAP_WITH("'expect':{'mtu':1500}"), mtu_9000, -1, "expect nics[0].expect.mtu",
	  P "nics[0].expect.mtu (net0): t0: its MTU must be 1500, but is 9000" },
	{ "expect mac: equal", TAP_WITH("'expect':{'mac':'02:00:00:00:00:05'}"), NULL, 0, "", NULL },
	{ "expect mac: another", TAP_WITH("'expect':{'mac':'02:00:00:00:00:06'}"), NULL, -1, "expect nics[0].expect.mac",
	  P "nics[0].expect.mac (net0): t0: its address must be 02:00:00:00:00:06, but is "
	    "02:00:00:00:00:05" },
	{ "expect mac: none", TAP_WITH("'expect':{'mac':'02:00:00:00:00:05'}"), no_mac_anywhere, -1,
	  "expect nics[0].expect.mac", NULL },
	{ "expect owner: equal", TAP_WITH("'expect':{'owner':1000}"), NULL, 0, "", NULL },
	{ "expect owner: another", TAP_WITH("'expect':{'owner':0}"), NULL, -1, "expect nics[0].expect.owner",
	  P "nics[0].expect.owner (net0): t0: its owner must be uid 0, but is uid 1000" },
	{ "expect owner: none", TAP_WITH("'expect':{'owner':0}"), no_owner, -1, "expect nics[0].expect.owner",
	  P "nics[0].expect.owner (net0): t0: its owner must be uid 0, but it has none" },
	{ "expect owner: a macvtap has none", MACVTAP_WITH("'ifname':'m0','expect':{'owner':0}"), NULL, -1,
	  "expect nics[0].expect.owner", NULL },
	{ "expect master: equal", TAP_WITH("'expect':{'master':'br0'}"), in_br0, 0, "", NULL },
	{ "expect master: another", TAP_WITH("'expect':{'master':'br0'}"), in_another_bridge, -1, "expect nics[0].expect.master",
	  P "nics[0].expect.master (net0): t0: its master must be 'br0' (ifindex 4), but is the "
	    "link with ifindex 6" },
	{ "expect master: none", TAP_WITH("'expect':{'master':'br0'}"), in_no_bridge, -1, "expect nics[0].expect.master",
	  P "nics[0].expect.master (net0): t0: its master must be 'br0', but it has none" },
	{ "expect master: no such link", TAP_WITH("'expect':{'master':'br0'}"), no_such_master, -1,
	  "expect nics[0].expect.master", NULL },
	{ "expect master: not to be looked up", TAP_WITH("'expect':{'master':'br0'}"), master_not_looked_up, -1,
	  "netlink-failed nics[0].expect.master", NULL },
	{ "expect lower: equal", MACVTAP_WITH("'ifname':'m0','expect':{'lower':'eth0'}"), on_eth0, 0, "",
	  NULL },
	{ "expect lower: another", MACVTAP_WITH("'ifname':'m0','expect':{'lower':'eth0'}"), on_another_link, -1,
	  "expect nics[0].expect.lower", NULL },
	{ "expect lower: in another namespace", MACVTAP_WITH("'ifname':'m0','expect':{'lower':'eth0'}"), on_a_link_elsewhere, -1,
	  "expect nics[0].expect.lower", NULL },
	{ "expect lower: no such link", MACVTAP_WITH("'ifname':'m0','expect':{'lower':'eth0'}"), no_such_lower, -1,
	  "expect nics[0].expect.lower", NULL },
	{ "expect: of a bridge", BRIDGE_WITH("'expect':{'mtu':9000}"), NULL, -1, "expect nics[0].expect.mtu",
	  NULL },
	{ "expect: of a macvtap", MACVTAP_WITH("'ifname':'m0','expect':{'mtu':9000}"), NULL, -1,
	  "expect nics[0].expect.mtu", NULL },
	{ "expect: every fact that does not hold is said",
	  TAP_WITH("'expect':{'master':'br0','up':true,'mtu':1500,'mac':'02:00:00:00:00:05','owner':1000}"), nothing_as_expected, -1,
	  "link-down nics[0].ifname; expect nics[0].expect.up; expect nics[0].expect.mtu; expect nics[0].expect.mac; "
	  "expect nics[0].expect.owner; expect nics[0].expect.master", NULL },
	/* custom */
	{ "custom: its id agrees", "'nics':[{'mode':'custom','netdev':'user,id=net0'}]", NULL, 0, "", NULL },
	{ "custom: in JSON",
	  "'nics':[{'mode':'custom','netdev':'{\\'type\\':\\'user\\',\\'id\\':\\'net0\\'}'}]", NULL, 0, "",
	  NULL },
	{ "custom: another id", "'nics':[{'mode':'custom','netdev':'user,id=n1'}]", NULL, -1, "custom-id nics[0].netdev 1:39",
	  P "nics[0].netdev (net0): stdin:1:39: its id is 'n1', but the NIC's id is 'net0' (try: "
	    "make \"id\" and the id in the value the same)" },
	{ "custom: no id", "'nics':[{'mode':'custom','netdev':'user'}]", NULL, -1, "custom-id nics[0].netdev 1:39",
	  P "nics[0].netdev (net0): stdin:1:39: it has no id, but the device needs 'net0' (try: "
	    "make \"id\" and the id in the value the same)" },
	{ "custom: of two ids, QEMU takes the first", "'nics':[{'mode':'custom','netdev':'user,id=n1,id=net0'}]", NULL, -1,
	  "custom-id nics[0].netdev 1:39", NULL },
	{ "custom: an id in another value", "'nics':[{'mode':'custom','netdev':'user,hostname=a,,id=net0'}]", NULL, -1,
	  "custom-id nics[0].netdev 1:39", NULL },
	/* QEMU */
	{ "qemu: missing", USER, qemu_missing, -1, "qemu-not-found -",
	  P "/usr/bin/qemu-system-x86_64: No such file or directory: the QEMU to execute (try: "
	    "install it (Debian: qemu-system-x86), or name another with \"qemu\" or "
	    "QEMU_HANDOFF_QEMU)" },
	{ "qemu: missing, named", "'qemu':'/q'", qemu_missing, -1, "qemu-not-found qemu", NULL },
	{ "qemu: below a file", USER, qemu_below_a_file, -1, "qemu-not-found -", NULL },
	{ "qemu: not to be reached", USER, qemu_not_reached, -1, "qemu-not-executable -", NULL },
	{ "qemu: a directory", USER, qemu_is_a_directory, -1, "qemu-not-executable -",
	  P QEMU ": not a regular file" },
	{ "qemu: denied", USER, qemu_denied, -1, "qemu-not-executable -",
	  P QEMU ": Permission denied: these ids may not execute it" },
	{ "qemu: the shim", USER, qemu_is_the_shim, -1, "qemu-is-shim -", NULL },
	{ "qemu: the shim's number on another disk", USER, qemu_is_another_disks, 0, "", NULL },
	{ "qemu: who we are is not known", USER, self_unknown, 0, "", NULL },
	{ "qemu: missing, and a problem of a NIC", TAP, qemu_missing, -1, "qemu-not-found -", NULL },
	/* the host */
	{ "kernel 6.3, vhost", TAP_VHOST(""), linux_6_3, 0, "workers-cgroup nics[0]", NULL },
	{ "kernel 5.15, vhost", TAP_VHOST(""), linux_5_15, 0, "workers-cgroup nics[0]",
	  W "nics[0] (net0): on Linux 5.15 vhost workers stay in the cgroup in which QEMU starts, "
	    "even if QEMU is moved (try: set \"cgroup\" to the guest's cgroup)" },
	{ "kernel 6.4, vhost", TAP_VHOST(""), linux_6_4, 0, "", NULL },
	{ "kernel 7.0, vhost", TAP_VHOST(""), linux_7_0, 0, "", NULL },
	{ "kernel 6.3, no vhost", TAP, linux_6_3, 0, "", NULL },
	{ "kernel 6.3, vhost, a cgroup", "'cgroup':'/c'," TAP_VHOST(""), linux_6_3_cgroup, 0, "", NULL },
	{ "kernel 6.3, vhost of two NICs: one warning",
	  "'nics':[{'mode':'tap','ifname':'t0'},{'mode':'macvtap','ifname':'m0'}]", linux_6_3, 0, "workers-cgroup nics[0]", NULL },
	/* tasks: three of QEMU's own, and a worker for each queue pair with vhost */
	{ "pids: room for all", "'cgroup':'/c'," TAP_VHOST(",'queues':2"), pids_5, 0, "", NULL },
	{ "pids: one too few", "'cgroup':'/c'," TAP_VHOST(",'queues':2"), pids_4, -1, "cgroup-pids cgroup",
	  P "cgroup: /c/pids.max: allows 4 tasks and has 0: QEMU needs at least 3 more, and 2 for "
	    "vhost workers (try: write 5 or more, or set TasksMax= of systemd)" },
	{ "pids: others are there", "'cgroup':'/c'," TAP_VHOST(",'queues':2"), pids_5_taken, -1,
	  "cgroup-pids cgroup", NULL },
	{ "pids: more than allowed are there", "'cgroup':'/c'," TAP_VHOST(",'queues':2"), pids_over, -1,
	  "cgroup-pids cgroup", NULL },
	{ "pids: no vhost, no worker", "'cgroup':'/c','vhost':false,'nics':[{'mode':'tap','ifname':'t0','queues':2}]",
	  pids_3, 0, "", NULL },
	{ "pids: vsock has a worker", "'cgroup':'/c','vsock':{'cid':3}", pids_3, -1, "cgroup-pids cgroup",
	  NULL },
	{ "pids: this process is there already", "'cgroup':'/c'", pids_here, -1, "cgroup-pids cgroup", NULL },
	{ "report: the descriptor is open", "'report':{'fd':9}", report_open, 0, "", NULL },
	{ "report: the descriptor is not open", "'report':{'fd':9}", NULL, -1, "report-fd report.fd 1:24",
	  P "report.fd: stdin:1:24: descriptor 9 is not open" },
	{ "report: nothing of that name", "'report':'/d/r'", NULL, 0, "", NULL },
	{ "report: an older one", "'report':'/d/r'", report_over_a_file, 0, "", NULL },
	{ "report: somebody else's, in a directory of ours", "'report':'/d/r'", report_over_another, 0, "", NULL },
	{ "report: a symbolic link", "'report':'/d/r'", report_over_a_link, -1,
	  "report-path report",
	  P "report: /d/r: a symbolic link, and a report takes the place of what is there (try: "
	    "name the file that it leads to, or open it and give its number: {\"fd\":N})" },
	{ "report: a device", "'report':'/dev/null'", report_over_a_device, -1, "report-path report",
	  P "report: /dev/null: not a regular file, and the report would replace it (try: name a "
	    "file, or open this one and pass its descriptor: {\"fd\":N})" },
	{ "report: no directory", "'report':'/d/r'", report_no_directory, -1, "report-path report",
	  P "report: /d/r: No such file or directory: no file can be created in its directory "
	    "(try: name a path in a directory that uid 1000 may write to)" },
	{ "report: a directory that is closed", "'report':'/d/r'", report_denied, -1, "report-path report", NULL },
};

static void rule(void **state)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	const struct row *row = *state;
	static struct host h;
	int ret;

	assert_int_equal(host_read(&h, row->members, &none), 0);
	host_fit(&h);
	if (row->change)
		row->change(&h);
	ret = host_plan(&h, &none);
	assert_string_equal(unit_problems(&h.u), row->problems);
	assert_int_equal(ret, row->ret);
	if (row->text)
		assert_string_equal(unit_text(&h.u, 0), row->text);
	host_close(&h);
}

/* Problems of all NICs, of QEMU and of the whole come together. */
static void seven_problems(void **state)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	static struct host h;

	(void)state;
	assert_int_equal(host_read(&h, "'vsock':{'cid':3},'report':{'fd':9},"
				   "'nics':[{'mode':'tap','ifname':'t0','vhost':true},"
				   "{'mode':'macvtap','ifname':'m0','queues':17},"
				   "{'mode':'bridge','bridge':'br0','expect':{'mtu':9000}}]", &none), 0);
	host_fit(&h);
	h.facts.vhost_net.err = ENOENT;
	h.facts.vhost_vsock.err = ENOENT;
	h.nics[0].link.tun.owner = 0;
	h.nics[1].node.minor = 9;
	h.facts.qemu.err = ENOENT;
	assert_int_equal(host_plan(&h, &none), -1);
	assert_string_equal(unit_problems(&h.u),
			    "tap-owner nics[0].ifname; node-missing nics[0].vhost; node-wrong-device nics[1].ifname; "
			    "vhost-off nics[1]; queues-over-max nics[1].queues 1:132; expect nics[2].expect.mtu; "
			    "node-missing vsock; report-fd report.fd 1:42; qemu-not-found -");
	assert_int_equal(h.u.ds.status, EXIT_DESC);
	host_close(&h);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(rows) + 1] = { cmocka_unit_test(seven_problems) };

	UNIT_ROWS(tests + 1, rows, rule);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
