/*
 * test_plan.c - the data-plane policy: queue pairs, vhost, the words for QEMU, descriptor numbers
 */
#include "config.h"

#include <stdio.h>

#include "host.h"
#include "plan/layout.h"

#define NIC(members) "'nics':[{" members "}]"
#define TAP "'mode':'tap','ifname':'t0'"
#define MACVTAP "'mode':'macvtap','ifname':'m0'"
#define BRIDGE "'mode':'bridge','bridge':'br0'"
/* QEMU runs a helper itself: that needs a launch without a filter */
#define BY_QEMU ",'handoff':false}],'seccomp':'none'"

/* --- changes of the facts ------------------------------------------------------------------------------------ */

typedef void change_fn(struct host *h);

#define CHANGE(name, ...) static void name(struct host *h) { __VA_ARGS__; }
CHANGE(one_queue_tap,		h->nics[0].link.tun.multi_queue = false)
CHANGE(one_queue_macvtap,	h->nics[0].link.tx_queues = h->nics[0].link.rx_queues = 1)
CHANGE(two_queue_macvtap,	h->nics[0].link.tx_queues = 4; h->nics[0].link.rx_queues = 2)
CHANGE(no_vhost_net,		h->facts.vhost_net.err = ENOENT)
CHANGE(no_helper,		h->nics[0].helper.err = ENOENT)
CHANGE(no_helper_no_vhost_net,	h->nics[0].helper.err = ENOENT; h->facts.vhost_net.err = ENOENT)
CHANGE(on_s390x,			h->facts.qemu.path = "/usr/bin/qemu-system-s390x")
CHANGE(version_7_2,		h->facts.qemu_version = ((struct qemu_version){ 7, 2 }))
CHANGE(no_mac,			h->nics[0].link.has_mac = false)
CHANGE(owner_is_none,		h->nics[0].link.tun.has_owner = false)

/* --- the policy ---------------------------------------------------------------------------------------------- */

static const struct policy {
	const char *name, *members;
	change_fn *change;		/* of a host that fits; NULL: none */
	const char *words;		/* NULL: refused */
	const char *problems;		/* NULL: none */
	const char *message;		/* of the first; NULL: any */
} policies[] = {
	/* the command lines that managers wrote by hand before */
	{ "user", NIC("'mode':'user'"), NULL, "-netdev user,id=net0 -device virtio-net-pci,netdev=net0", NULL,
	  NULL },
	{ "bridge, one queue pair", NIC(BRIDGE), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=on,vhostforce=on,vhostfd=4 -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "bridge without vhost", NIC(BRIDGE ",'vhost':false"), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "persistent TAP with 4 queue pairs", NIC(TAP ",'queues':4"), NULL,
	  "-netdev tap,id=net0,fds=3:4:5:6,vhost=on,vhostforce=on,vhostfds=7:8:9:10"
	  " -device virtio-net-pci,netdev=net0,mq=on,vectors=10", NULL, NULL },
	{ "macvtap with 2 queue pairs", NIC(MACVTAP ",'queues':2"), NULL,
	  "-netdev tap,id=net0,fds=3:4,vhost=on,vhostforce=on,vhostfds=5:6"
	  " -device virtio-net-pci,netdev=net0,mac=02:00:00:00:00:07,mq=on,vectors=6", NULL, NULL },
	{ "TAP bound by a filter: one queue pair, vhost on", NIC(TAP ",'queues':1,'vhost':true"), one_queue_tap,
	  "-netdev tap,id=net0,fd=3,vhost=on,vhostforce=on,vhostfd=4 -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "custom, word for word, with queue pairs", NIC("'mode':'custom','netdev':'vhost-vdpa,id=net0,vhostdev=/dev/x,,y','queues':4"), NULL,
	  "-netdev vhost-vdpa,id=net0,vhostdev=/dev/x,,y -device virtio-net-pci,netdev=net0,mq=on,vectors=10", NULL, NULL },
	{ "8 queue pairs at the cap of 8", "'max_queues':8," NIC(TAP ",'queues':8,'vhost':false"), NULL,
	  "-netdev tap,id=net0,fds=3:4:5:6:7:8:9:10,vhost=off -device virtio-net-pci,netdev=net0,mq=on,vectors=18", NULL, NULL },
	{ "9 queue pairs over the cap of 8", "'max_queues':8," NIC(TAP ",'queues':9"), NULL,
	  NULL, "queues-over-max nics[0].queues 1:65",
	  "9 queue pairs asked for, but max_queues is 8" },
	{ "user with 4 queue pairs", NIC("'mode':'user','queues':4"), NULL,
	  NULL, "queues-backend nics[0].queues 1:37",
	  "4 queue pairs asked for, but mode 'user' supports one" },
	{ "24 queue pairs, cap of 16 by default", NIC(TAP ",'queues':24"), NULL,
	  NULL, "queues-over-max nics[0].queues 1:50",
	  "24 queue pairs asked for, but max_queues is 16" },
	{ "24 queue pairs, cap of 32", "'max_queues':32," NIC(TAP ",'queues':24,'vhost':false"), NULL,
	  "-netdev tap,id=net0,fds=3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:21:22:23:24:25:26,vhost=off"
	  " -device virtio-net-pci,netdev=net0,mq=on,vectors=50", NULL, NULL },
	{ "20 vCPUs: 16 queue pairs by default", "'vcpus':20," NIC(TAP), NULL,
	  "-netdev tap,id=net0,fds=3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18,vhost=on,vhostforce=on,"
	  "vhostfds=19:20:21:22:23:24:25:26:27:28:29:30:31:32:33:34 -device virtio-net-pci,netdev=net0,mq=on,vectors=34", NULL, NULL },
	{ "16 vCPUs, cap of 2: 2 queue pairs by default", "'vcpus':16,'max_queues':2," NIC(TAP), NULL,
	  "-netdev tap,id=net0,fds=3:4,vhost=on,vhostforce=on,vhostfds=5:6"
	  " -device virtio-net-pci,netdev=net0,mq=on,vectors=6", NULL, NULL },
	{ "24 vCPUs, cap of 32: still 16 by default", "'vcpus':24,'max_queues':32," NIC(TAP), NULL,
	  "-netdev tap,id=net0,fds=3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18,vhost=on,vhostforce=on,"
	  "vhostfds=19:20:21:22:23:24:25:26:27:28:29:30:31:32:33:34 -device virtio-net-pci,netdev=net0,mq=on,vectors=34", NULL, NULL },
	/* processors of argv */
	{ "-smp 2: 2 queue pairs by default", "'args':['-smp','2']," NIC(TAP), NULL,
	  "-netdev tap,id=net0,fds=3:4,vhost=on,vhostforce=on,vhostfds=5:6 -device virtio-net-pci,netdev=net0,mq=on,vectors=6",
	  NULL, NULL },
	{ "-smp by its topology", "'args':['-smp','sockets=2,cores=1']," NIC(TAP), NULL,
	  "-netdev tap,id=net0,fds=3:4,vhost=on,vhostforce=on,vhostfds=5:6 -device virtio-net-pci,netdev=net0,mq=on,vectors=6",
	  NULL, NULL },
	{ "-smp and vcpus agree", "'vcpus':2,'args':['-smp','2']," NIC(TAP), NULL,
	  "-netdev tap,id=net0,fds=3:4,vhost=on,vhostforce=on,vhostfds=5:6 -device virtio-net-pci,netdev=net0,mq=on,vectors=6",
	  NULL, NULL },
	{ "-smp and vcpus differ: vcpus counts", "'vcpus':2,'args':['-smp','4']," NIC(TAP), NULL,
	  "-netdev tap,id=net0,fds=3:4,vhost=on,vhostforce=on,vhostfds=5:6 -device virtio-net-pci,netdev=net0,mq=on,vectors=6",
	  "vcpus-differ vcpus", "-smp makes 4 processors, and \"vcpus\" is 2" },
	{ "-smp and vcpus differ in a launch without NICs", "'vcpus':8,'args':['-nodefaults','-smp','2']", NULL, "",
	  "vcpus-differ vcpus", NULL },
	{ "-smp in a file: vcpus is not contradicted", "'vcpus':1,'args':['-smp','4','-readconfig','/f']," NIC(TAP), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=on,vhostforce=on,vhostfd=4 -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "vhost off and 4 queue pairs asked for", NIC(TAP ",'vhost':false,'queues':4"), NULL,
	  "-netdev tap,id=net0,fds=3:4:5:6,vhost=off -device virtio-net-pci,netdev=net0,mq=on,vectors=10", NULL, NULL },
	{ "vhost off: one queue pair by default", "'vcpus':8," NIC(TAP ",'vhost':false"), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "max_queues 0", "'max_queues':0," NIC(TAP), NULL, NULL, "descriptor-range max_queues 1:14", NULL },
	{ "max_queues 65", "'max_queues':65," NIC(TAP), NULL, NULL, "descriptor-range max_queues 1:14",
	  NULL },
	{ "1 vCPU: no mq", NIC(TAP), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=on,vhostforce=on,vhostfd=4 -device virtio-net-pci,netdev=net0", NULL, NULL },
	/* QEMU opens the backend itself */
	{ "bridge by QEMU", "'nics':[{" BRIDGE BY_QEMU, NULL,
	  "-netdev tap,id=net0,br=br0,helper=/usr/lib/qemu/qemu-bridge-helper,vhost=on -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "bridge by QEMU without vhost", "'nics':[{" BRIDGE ",'vhost':false" BY_QEMU, NULL,
	  "-netdev bridge,id=net0,br=br0 -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "bridge by QEMU on a host without the helper", "'nics':[{" BRIDGE BY_QEMU, no_helper,
	  "-netdev bridge,id=net0,br=br0 -device virtio-net-pci,netdev=net0", "vhost-off nics[0]",
	  "without the helper, the bridge is used without vhost" },
	{ "bridge by QEMU on a host without both", "'nics':[{" BRIDGE BY_QEMU, no_helper_no_vhost_net,
	  "-netdev bridge,id=net0,br=br0 -device virtio-net-pci,netdev=net0", "vhost-off nics[0]", NULL },
	{ "bridge by QEMU, vhost asked for, no helper", "'nics':[{" BRIDGE ",'vhost':true" BY_QEMU, no_helper,
	  NULL, "helper-missing nics[0].bridge", NULL },
	{ "bridge by QEMU, helper named, not there", "'nics':[{" BRIDGE ",'helper':'/h'" BY_QEMU, no_helper,
	  NULL, "helper-missing nics[0].helper", NULL },
	{ "tap by QEMU, 4 queue pairs", "'vcpus':4,'nics':[{" TAP ",'handoff':false}]", NULL,
	  "-netdev tap,id=net0,ifname=t0,script=no,downscript=no,vhost=on,queues=4"
	  " -device virtio-net-pci,netdev=net0,mq=on,vectors=10", NULL, NULL },
	{ "tap by QEMU, one queue pair", "'nics':[{" TAP ",'handoff':false}]", one_queue_tap,
	  "-netdev tap,id=net0,ifname=t0,script=no,downscript=no,vhost=on -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "tap by QEMU without vhost, 4 asked for", "'nics':[{" TAP ",'handoff':false,'vhost':false,'queues':4}]", NULL,
	  "-netdev tap,id=net0,ifname=t0,script=no,downscript=no,vhost=off,queues=4"
	  " -device virtio-net-pci,netdev=net0,mq=on,vectors=10", NULL, NULL },
	{ "tap by QEMU: one queue pair of a multi_queue TAP", "'nics':[{" TAP ",'handoff':false}]", NULL,
	  NULL, "handoff-one-queue nics[0].handoff", NULL },
	{ "tap by QEMU takes no numbers", "'nics':[{" TAP ",'handoff':false,'fds':[9]}]", one_queue_tap,
	  NULL, "pins-conflict nics[0].handoff 1:50", NULL },
	/* counts */
	{ "64 queue pairs, cap of 64", "'max_queues':64," NIC("'mode':'custom','netdev':'x,id=net0','queues':64"), NULL,
	  "-netdev x,id=net0 -device virtio-net-pci,netdev=net0,mq=on,vectors=130", NULL, NULL },
	{ "bridge: 1 asked for", "'vcpus':8," NIC(BRIDGE ",'queues':1,'vhost':false"), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "bridge: 2 asked for", NIC(BRIDGE ",'queues':2"), NULL,
	  NULL, "queues-backend nics[0].queues 1:54",
	  "2 queue pairs asked for, but mode 'bridge' supports one" },
	{ "bridge: one by default, and a warning", "'vcpus':8," NIC(BRIDGE ",'vhost':false"), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0", "queues-reduced nics[0]",
	  "one queue pair instead of 8: mode 'bridge' supports one" },
	{ "bridge: one that is asked for", "'vcpus':8," NIC(BRIDGE ",'queues':1,'vhost':false"), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "bridge: one processor", NIC(BRIDGE ",'vhost':false"), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "custom: one by default, whatever the vCPUs", "'vcpus':8," NIC("'mode':'custom','netdev':'user,id=net0'"), NULL,
	  "-netdev user,id=net0 -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "user: one by default, whatever the vCPUs", "'vcpus':8," NIC("'mode':'user'"), NULL,
	  "-netdev user,id=net0 -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "TAP without multi_queue: the default gives way", "'vcpus':4," NIC(TAP), one_queue_tap,
	  "-netdev tap,id=net0,fd=3,vhost=on,vhostforce=on,vhostfd=4 -device virtio-net-pci,netdev=net0",
	  "queues-reduced nics[0]",
	  "1 queue pairs instead of 4: the link was created with no more" },
	{ "TAP without multi_queue: 2 asked for", NIC(TAP ",'queues':2"), one_queue_tap,
	  NULL, "tap-not-multiqueue nics[0].queues",
	  "2 queue pairs asked for, but the TAP was created without multi_queue" },
	{ "TAP without multi_queue: 2 numbers given", NIC(TAP ",'fds':[9,10]"), one_queue_tap,
	  NULL, "tap-not-multiqueue nics[0].fds", NULL },
	{ "macvtap made with 2: the default gives way", "'vcpus':4," NIC(MACVTAP), two_queue_macvtap,
	  "-netdev tap,id=net0,fds=3:4,vhost=on,vhostforce=on,vhostfds=5:6"
	  " -device virtio-net-pci,netdev=net0,mac=02:00:00:00:00:07,mq=on,vectors=6", "queues-reduced nics[0]", NULL },
	{ "macvtap made with 1: 2 asked for", NIC(MACVTAP ",'queues':2,'vhost':false"), one_queue_macvtap,
	  "-netdev tap,id=net0,fds=3:4,vhost=off -device virtio-net-pci,netdev=net0,mac=02:00:00:00:00:07,mq=on,vectors=6",
	  "queues-over-link nics[0].queues",
	  "2 queue pairs on a link created with 1: frames will share its queues" },
	{ "macvtap made with 1: 2 numbers given", NIC(MACVTAP ",'fds':[9,10],'vhost':false"), one_queue_macvtap,
	  "-netdev tap,id=net0,fds=9:10,vhost=off -device virtio-net-pci,netdev=net0,mac=02:00:00:00:00:07,mq=on,vectors=6",
	  "queues-over-link nics[0].fds", NULL },
	/* vhost */
	{ "no /dev/vhost-net: the default gives way, to one queue pair", "'vcpus':4," NIC(TAP), no_vhost_net,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0", "vhost-off nics[0]", NULL },
	{ "no /dev/vhost-net: one warning for two NICs", "'nics':[{" TAP "},{" MACVTAP "}]", no_vhost_net,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0"
	  " -netdev tap,id=net1,fd=4,vhost=off -device virtio-net-pci,netdev=net1,mac=02:00:00:00:00:07", "vhost-off nics[0]", NULL },
	{ "no /dev/vhost-net: a count asked for stays", NIC(TAP ",'queues':2"), no_vhost_net,
	  "-netdev tap,id=net0,fds=3:4,vhost=off -device virtio-net-pci,netdev=net0,mq=on,vectors=6", "vhost-off nics[0]", NULL },
	{ "no /dev/vhost-net: vhost asked for", NIC(TAP ",'vhost':true"), no_vhost_net, NULL,
	  "node-missing nics[0].vhost", NULL },
	{ "no /dev/vhost-net: vhost off needs none", NIC(TAP ",'vhost':false"), no_vhost_net,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "no /dev/vhost-net: user needs none", NIC("'mode':'user'"), no_vhost_net,
	  "-netdev user,id=net0 -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "no /dev/vhost-net: custom needs none", NIC("'mode':'custom','netdev':'user,id=net0'"), no_vhost_net,
	  "-netdev user,id=net0 -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "no /dev/vhost-net: custom with vhost", NIC("'mode':'custom','netdev':'x,id=net0','vhost':true"), no_vhost_net,
	  NULL, "node-missing nics[0].vhost", NULL },
	{ "the node's default is off", "'vcpus':4,'vhost':false," NIC(TAP), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "the node's default is off, the NIC's is on", "'vhost':false," NIC(TAP ",'vhost':true"), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=on,vhostforce=on,vhostfd=4 -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "the node's default is off: no number for vhost", "'vhost':false," NIC(TAP ",'vhostfds':[9]"), NULL,
	  NULL, "pins-conflict nics[0].vhostfds 1:64", "must not be given when vhost is off" },
	{ "vhost off: no number for vhost", NIC(TAP ",'vhost':false,'vhostfds':[9]"), NULL,
	  NULL, "pins-conflict nics[0].vhostfds 1:64", NULL },
	{ "no vhost for e1000: no number for it", NIC(TAP ",'vhostfds':[9],'device':{'driver':'e1000'}"), NULL,
	  NULL, "pins-conflict nics[0].vhostfds 1:50", NULL },
	{ "preferred, not to be had: its numbers lie idle", NIC(TAP ",'vhostfds':[9]"), no_vhost_net,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0", "vhost-off nics[0]", NULL },
	/* devices */
	{ "e1000: one queue pair, no vhost", "'vcpus':4," NIC(TAP ",'device':{'driver':'e1000'}"), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=off -device e1000,netdev=net0", NULL, NULL },
	{ "e1000 with vhost", NIC(TAP ",'vhost':true,'device':{'driver':'e1000'}"), NULL,
	  NULL, "device-conflict nics[0].vhost 1:50", NULL },
	{ "e1000 with 2 queue pairs", NIC(TAP ",'queues':2,'device':{'driver':'e1000'}"), NULL,
	  NULL, "queues-backend nics[0].queues 1:50", NULL },
	{ "virtio-net-ccw is virtio-net without vectors", "'vcpus':2," NIC(TAP ",'device':{'driver':'virtio-net-ccw'}"), on_s390x,
	  "-netdev tap,id=net0,fds=3:4,vhost=on,vhostforce=on,vhostfds=5:6 -device virtio-net-ccw,netdev=net0,mq=on", NULL, NULL },
	{ "virtio-net-ccw on a PC", NIC(TAP ",'device':{'driver':'virtio-net-ccw'}"), NULL, NULL,
	  "device-bus nics[0].device.driver 1:60",
	  "device 'virtio-net-ccw' needs a CCW bus, which QEMU's default machine does not have" },
	{ "tx_queue_size of a tap in 7.2", NIC(TAP ",'vhost':false,'device':{'tx_queue_size':1024}"), version_7_2,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0,tx_queue_size=1024",
	  "device-property nics[0].device.tx_queue_size",
	  "tx_queue_size=1024: this QEMU changes it to 256: only vhost-user and vDPA support "
	  "more" },
	{ "vsock on a microvm", "'args':['-M','microvm'],'vsock':{'cid':3}", NULL, "-device vhost-vsock-device,guest-cid=3,vhostfd=3", NULL, NULL },
	{ "vsock on an isapc", "'args':['-M','isapc'],'vsock':{'cid':3}", NULL, NULL, "device-bus vsock 1:36", NULL },
	{ "no device", NIC(TAP ",'device':false"), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=on,vhostforce=on,vhostfd=4", NULL, NULL },
	{ "the address of the descriptor", NIC(TAP ",'mac':'52:54:00:00:00:01'"), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=on,vhostforce=on,vhostfd=4 -device virtio-net-pci,netdev=net0,mac=52:54:00:00:00:01", NULL, NULL },
	{ "macvtap: another address than the link's", NIC(MACVTAP ",'vhost':false,'mac':'52:54:00:00:00:01'"), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0,mac=52:54:00:00:00:01",
	  "mac-differs nics[0].mac",
	  "the guest's address 52:54:00:00:00:01 is not the link's address 02:00:00:00:00:07, and "
	  "the link drops frames to it" },
	{ "macvtap: the link's address, said once more", NIC(MACVTAP ",'vhost':false,'mac':'02:00:00:00:00:07'"), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0,mac=02:00:00:00:00:07", NULL, NULL },
	{ "ipvtap without an address", NIC(MACVTAP ",'vhost':false"), no_mac,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0", NULL, NULL },
	{ "macvtap by ifindex", NIC("'mode':'macvtap','ifindex':7,'vhost':false"), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0,mac=02:00:00:00:00:07", NULL, NULL },
	{ "options of user, escaped", NIC("'mode':'user','options':{'hostfwd':['tcp::2222-:22','tcp::80,id=x'],'net':'10.0.2.0/24'}"), NULL,
	  "-netdev user,id=net0,hostfwd=tcp::2222-:22,hostfwd=tcp::80,,id=x,net=10.0.2.0/24 -device virtio-net-pci,netdev=net0", NULL, NULL },
	/* vsock, and no NIC */
	{ "vsock behind the NICs", "'vsock':{'cid':42}," NIC(TAP), NULL,
	  "-netdev tap,id=net0,fd=3,vhost=on,vhostforce=on,vhostfd=4 -device virtio-net-pci,netdev=net0"
	  " -device vhost-vsock-pci,guest-cid=42,vhostfd=5", NULL, NULL },
	{ "vsock alone", "'vsock':{'cid':3}", NULL, "-device vhost-vsock-pci,guest-cid=3,vhostfd=3", NULL,
	  NULL },
	{ "vsock: properties", "'vsock':{'cid':3,'device':{'bus':'pcie.0','id':'a,b','iommu_platform':true,'indirect_desc':false}}", NULL,
	  "-device vhost-vsock-pci,guest-cid=3,vhostfd=3,bus=pcie.0,id=a,,b,iommu_platform=on,indirect_desc=off", NULL, NULL },
	{ "vsock: a driver", "'vsock':{'cid':3,'device':{'addr':'5','driver':'vhost-vsock-pci-non-transitional'}}", NULL,
	  "-device vhost-vsock-pci-non-transitional,guest-cid=3,vhostfd=3,addr=5", NULL, NULL },
	{ "vsock: a driver for another bus", "'vsock':{'cid':3,'device':{'driver':'vhost-vsock-ccw'}}", NULL,
	  NULL, "device-bus vsock.device.driver 1:41", "device 'vhost-vsock-ccw' needs a CCW bus, which the machine does not have" },
	{ "vsock: ccw", "'vsock':{'cid':3,'device':{'driver':'vhost-vsock-ccw','devno':'fe.0.0001'}}", on_s390x,
	  "-device vhost-vsock-ccw,guest-cid=3,vhostfd=3,devno=fe.0.0001", NULL, NULL },
	{ "vsock: a device that opens a socket itself", "'vsock':{'cid':3,'device':{'driver':'vhost-user-vsock-pci'}}", NULL,
	  NULL, "device-conflict vsock.device.driver 1:41", "'vhost-user-vsock-pci' is not a vhost-vsock device" },
	{ "vsock: a device that is none", "'vsock':{'cid':3,'device':{'driver':'vfio-pci'}}", NULL,
	  NULL, "device-conflict vsock.device.driver 1:41", "'vfio-pci' is not a vhost-vsock device" },
	{ "nothing", "'nics':[]", NULL, "", NULL, NULL },
	/* numbers of both kinds */
	{ "numbers for the queues alone", NIC(TAP ",'fds':[20,10]"), NULL,
	  "-netdev tap,id=net0,fds=20:10,vhost=on,vhostforce=on,vhostfds=3:4 -device virtio-net-pci,netdev=net0,mq=on,vectors=6", NULL, NULL },
	{ "numbers for vhost alone", NIC(TAP ",'queues':2,'vhostfds':[3,4]"), NULL,
	  "-netdev tap,id=net0,fds=5:6,vhost=on,vhostforce=on,vhostfds=3:4 -device virtio-net-pci,netdev=net0,mq=on,vectors=6", NULL, NULL },
	{ "3 numbers for 2 queue pairs", NIC(TAP ",'queues':2,'fds':[3,4,5]"), NULL,
	  NULL, "pins-count nics[0].fds 1:61", "3 numbers for 2 queue pairs" },
	{ "1 number for vhost, 2 queue pairs", NIC(TAP ",'queues':2,'vhostfds':[3]"), NULL, NULL,
	  "pins-count nics[0].vhostfds 1:61", NULL },
	{ "9 numbers over the cap of 8", "'max_queues':8," NIC(TAP ",'fds':[11,12,13,14,15,16,17,18,19]"), NULL,
	  NULL, "queues-over-max nics[0].fds 1:65",
	  "9 queue pairs asked for, but max_queues is 8" },
	/* more than one problem */
	{ "each NIC's problem is said", "'max_queues':2,'nics':[{" TAP ",'queues':3},{'mode':'user','queues':2},{" BRIDGE ",'queues':2}]", NULL,
	  NULL, "queues-over-max nics[0].queues 1:65; queues-backend nics[1].queues 1:92; queues-backend nics[2].queues 1:136", NULL },
	{ "a TAP that any user may attach to", NIC(TAP ",'vhost':false"), owner_is_none,
	  "-netdev tap,id=net0,fd=3,vhost=off -device virtio-net-pci,netdev=net0", NULL, NULL },
};

static void policy(void **state)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	const struct policy *row = *state;
	static struct host h;
	int ret = host_read(&h, row->members, &none);

	if (ret == 0) {
		host_fit(&h);
		if (row->change)
			row->change(&h);
		ret = host_plan(&h, &none);
	}
	assert_string_equal(unit_problems(&h.u), row->problems ? row->problems : "");
	assert_int_equal(ret, row->words ? 0 : -1);
	if (row->message)
		assert_string_equal(h.u.ds.list[0].message, row->message);
	if (row->words)
		assert_string_equal(host_words(&h), row->words);
	host_close(&h);
}

/* --- every form for 1, 2, 4, 16 and 64 queue pairs ----------------------------------------------------------- */

static const unsigned counts[] = { 1, 2, 4, 16, 64 };

/* "fd=3" or "fds=3:4": n numbers from first on. */
static void put_list(struct str *s, const char *key, unsigned first, unsigned n)
{
	str_put(s, ",%s%s=", key, n > 1 ? "s" : "");
	for (unsigned i = 0; i < n; i++)
		str_put(s, "%s%u", i > 0 ? ":" : "", first + i);
}

static const struct form {
	const char *name, *nic;
	bool fds, vhost;		/* behind netdev come lists of numbers, and the words of vhost */
	const char *netdev, *device;
	const char *queues;		/* "queues=" for more than one; NULL: none */
	unsigned most;			/* queue pairs it serves */
} forms[] = {
	{ "form: user", "'mode':'user'", false, false, "user,id=net0", "virtio-net-pci,netdev=net0", NULL,
	  1 },
	{ "form: bridge", BRIDGE, true, true, "tap,id=net0", "virtio-net-pci,netdev=net0", NULL, 1 },
	{ "form: bridge, vhost off", BRIDGE ",'vhost':false", true, false, "tap,id=net0",
	  "virtio-net-pci,netdev=net0", NULL, 1 },
	{ "form: bridge by QEMU", BRIDGE ",'handoff':false", false, false, "tap,id=net0,br=br0,helper=" HELPER ",vhost=on",
	  "virtio-net-pci,netdev=net0", NULL, 1 },
	{ "form: bridge by QEMU, vhost off", BRIDGE ",'handoff':false,'vhost':false", false, false, "bridge,id=net0,br=br0",
	  "virtio-net-pci,netdev=net0", NULL, 1 },
	{ "form: tap", TAP, true, true, "tap,id=net0", "virtio-net-pci,netdev=net0", NULL, 64 },
	{ "form: tap, vhost off", TAP ",'vhost':false", true, false, "tap,id=net0",
	  "virtio-net-pci,netdev=net0", NULL, 64 },
	{ "form: tap by QEMU", TAP ",'handoff':false", false, false, "tap,id=net0,ifname=t0,script=no,downscript=no,vhost=on",
	  "virtio-net-pci,netdev=net0", "queues", 64 },
	{ "form: tap by QEMU, vhost off", TAP ",'handoff':false,'vhost':false", false, false,
	  "tap,id=net0,ifname=t0,script=no,downscript=no,vhost=off", "virtio-net-pci,netdev=net0", "queues", 64 },
	{ "form: macvtap", MACVTAP, true, true, "tap,id=net0",
	  "virtio-net-pci,netdev=net0,mac=02:00:00:00:00:07", NULL, 64 },
	{ "form: macvtap, vhost off", MACVTAP ",'vhost':false", true, false, "tap,id=net0",
	  "virtio-net-pci,netdev=net0,mac=02:00:00:00:00:07", NULL, 64 },
	{ "form: custom", "'mode':'custom','netdev':'x,id=net0,fds=a'", false, false, "x,id=net0,fds=a", "virtio-net-pci,netdev=net0",
	  NULL, 64 },
};

static void form_words(struct str *s, const struct form *row, unsigned n)
{
	str_put(s, "-netdev %s", row->netdev);
	if (row->fds)
		put_list(s, "fd", 3, n);
	if (row->vhost) {
		str_put(s, ",vhost=on,vhostforce=on");
		put_list(s, "vhostfd", 3 + n, n);
	} else if (row->fds) {
		str_put(s, ",vhost=off");
	}
	if (row->queues && n > 1)
		str_put(s, ",%s=%u", row->queues, n);
	str_put(s, " -device %s", row->device);
	if (n > 1)
		str_put(s, ",mq=on,vectors=%u", 2 * n + 2);
}

static void form_of(const struct form *row, unsigned n)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	static struct host h;
	char members[512], want[2048];
	struct str s = STR_ON(want);

	(void)snprintf(members, sizeof(members), "'max_queues':64,'seccomp':'none','nics':[{%s,'queues':%u}]", row->nic, n);
	form_words(&s, row, n);
	assert_int_equal(host_read(&h, members, &none), 0);
	host_fit(&h);
	if (n == 1)
		h.nics[0].link.tun.multi_queue = false;
	assert_int_equal(host_plan(&h, &none), n <= row->most ? 0 : -1);
		if (n <= row->most)
		assert_string_equal(host_words(&h), want);
	else
		assert_int_equal(h.u.ds.list[0].id, DIAG_QUEUES_BACKEND);
	assert_int_equal(h.u.ds.n, n > row->most);
	host_close(&h);
}

static void form(void **state)
{
	for (unsigned i = 0; i < ARRAY_LEN(counts); i++)
		form_of(*state, counts[i]);
}

/* --- descriptor numbers ------------------------------------------------------------------------------------------ */

static const int inherited[] = { 3, 5, 9, 0 };
static const int libvirt[] = { 5, 22, 23, 24, 25, 26, 27, 28, 0 };

CHANGE(pin_1_open,		h->open[0][0][1] = true)
CHANGE(vhost_pin_0_open,	h->open[1][0][0] = true)
CHANGE(hard_limit_6,		h->facts.nofile_soft = 6; h->facts.nofile_hard = 6)
CHANGE(hard_limit_7,		h->facts.nofile_soft = 7; h->facts.nofile_hard = 7)
CHANGE(soft_limit_6,		h->facts.nofile_soft = 6)
CHANGE(soft_limit_6_hard_100,	h->facts.nofile_soft = 6; h->facts.nofile_hard = 100)
CHANGE(no_number_left,		h->facts.n_free = 3)

#define FOUR "'seccomp':'none'," NIC(TAP ",'queues':2")

static const struct numbers {
	const char *name, *members;
	const int *taken;		/* open on entry; ends with 0; NULL: none */
	change_fn *change;
	const char *slots;		/* NULL: refused */
	unsigned long nofile;
	const char *problems;
} numbers[] = {
	{ "numbers: devices first, then vhost, then vsock",
	  "'seccomp':'none','vsock':{'cid':3},'nics':[{" TAP ",'queues':2},{" MACVTAP ",'queues':1}]", NULL, NULL,
	  "3 tap net0 0; 4 tap net0 1; 5 macvtap net1 0; 6 vhost-net net0 0; 7 vhost-net net0 1; 8 vhost-net net1 0; 9 vhost-vsock", 0, NULL },
	{ "numbers: 3, 5 and 9 are inherited", "'seccomp':'none'," NIC(TAP ",'queues':4"), inherited, NULL,
	  "4 tap net0 0; 6 tap net0 1; 7 tap net0 2; 8 tap net0 3; 10 vhost-net net0 0; 11 vhost-net net0 1; 12 vhost-net net0 2; 13 vhost-net net0 3",
	  0, NULL },
	{ "numbers: as libvirt leaves them", "'seccomp':'none','fd_base':20," NIC(TAP ",'queues':4"), libvirt, NULL,
	  "20 tap net0 0; 21 tap net0 1; 29 tap net0 2; 30 tap net0 3; 31 vhost-net net0 0; 32 vhost-net net0 1; 33 vhost-net net0 2; 34 vhost-net net0 3",
	  0, NULL },
	{ "numbers: from fd_base on", "'seccomp':'none','fd_base':100," NIC(TAP ",'queues':1"), inherited, NULL,
	  "100 tap net0 0; 101 vhost-net net0 0", 0, NULL },
	{ "numbers: pinned ones are left out", "'seccomp':'none','nics':[{" TAP ",'id':'a','queues':2},{" MACVTAP ",'id':'b','fds':[4,3],'vhostfds':[8,6]}]",
	  inherited + 1, NULL,
	  "7 tap a 0; 10 tap a 1; 4 macvtap b 0; 3 macvtap b 1; 11 vhost-net a 0; 12 vhost-net a 1; 8 vhost-net b 0; 6 vhost-net b 1", 0, NULL },
	{ "numbers: of a NIC that comes later", "'seccomp':'none','nics':[{" TAP ",'queues':1,'vhost':false},{" MACVTAP ",'fds':[3],'vhost':false}]",
	  NULL, NULL, "4 tap net0 0; 3 macvtap net1 0", 0, NULL },
	{ "numbers: pinned below fd_base", "'seccomp':'none','fd_base':50," NIC(TAP ",'fds':[10]"), NULL, NULL,
	  "10 tap net0 0; 50 vhost-net net0 0", 0, NULL },
	{ "numbers: a pinned one is open", NIC(TAP ",'fds':[3,4]"), NULL, pin_1_open, NULL, 0,
	  "pin-open nics[0].fds[1] 1:59" },
	{ "numbers: a pinned one of vhost is open", NIC(TAP ",'vhostfds':[9]"), NULL, vhost_pin_0_open, NULL,
	  0, "pin-open nics[0].vhostfds[0] 1:62" },
	{ "numbers: one twice in a list", NIC(TAP ",'fds':[3,3]"), NULL, NULL, NULL, 0,
	  "pin-twice nics[0].fds[0] 1:57; pin-twice nics[0].fds[1] 1:59" },
	{ "numbers: one for a queue and for vhost", NIC(TAP ",'fds':[9],'vhostfds':[9]"), NULL, NULL, NULL, 0,
	  "pin-twice nics[0].fds[0] 1:57; pin-twice nics[0].vhostfds[0] 1:72" },
	{ "numbers: one for two NICs", "'nics':[{" TAP ",'fds':[9]},{" MACVTAP ",'fds':[9]}]", NULL, NULL, NULL, 0,
	  "pin-twice nics[0].fds[0] 1:57; pin-twice nics[1].fds[0] 1:100" },
	{ "numbers: the last one fits below the hard limit", FOUR, NULL, hard_limit_7,
	  "3 tap net0 0; 4 tap net0 1; 5 vhost-net net0 0; 6 vhost-net net0 1", 0, NULL },
	{ "numbers: over the hard limit", FOUR, NULL, hard_limit_6, NULL, 0, "nofile-limit nics[0]" },
	{ "numbers: a pinned one over the hard limit", NIC(TAP ",'fds':[524288]"), NULL, NULL, NULL, 0,
	  "nofile-limit nics[0]" },
	{ "numbers: the soft limit is raised", FOUR, NULL, soft_limit_6,
	  "3 tap net0 0; 4 tap net0 1; 5 vhost-net net0 0; 6 vhost-net net0 1", 7 + 256, NULL },
	{ "numbers: the soft limit is raised to the hard one", FOUR, NULL, soft_limit_6_hard_100,
	  "3 tap net0 0; 4 tap net0 1; 5 vhost-net net0 0; 6 vhost-net net0 1", 100, NULL },
	{ "numbers: none is left", FOUR, NULL, no_number_left, NULL, 0, "nofile-limit nics[0]" },
	{ "numbers: none is left for vsock", "'vsock':{'cid':3}", NULL, hard_limit_6, "3 vhost-vsock", 5,
	  NULL },
	{ "numbers: vsock over the hard limit", "'vsock':{'cid':3},'fd_base':6", NULL, hard_limit_6, NULL, 0,
	  "nofile-limit vsock" },
	{ "numbers: under a filter the limit is 4096 at least", NIC(TAP ",'vhost':false"), NULL, NULL,
	  "3 tap net0 0", 4096, NULL },
	{ "numbers: under a filter with a low hard limit", NIC(TAP), NULL, soft_limit_6_hard_100,
	  "3 tap net0 0; 4 vhost-net net0 0", 99, NULL },
	{ "numbers: under a filter one more is needed", NIC(TAP ",'queues':2"), NULL, hard_limit_7, NULL, 0,
	  "nofile-limit nics[0]" },
	{ "numbers: under a filter, a high number", "'fd_base':70000," NIC(TAP ",'vhost':false"), NULL, NULL,
	  "70000 tap net0 0", 70001 + 256 + 4, NULL },
};

static void number(void **state)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	const struct numbers *row = *state;
	static struct host h;
	int ret;

	assert_int_equal(host_read(&h, row->members, &none), 0);
	host_fit(&h);
	host_free_fds(&h, row->taken);
	if (row->change)
		row->change(&h);
	ret = host_plan(&h, &none);
	assert_string_equal(unit_problems(&h.u), row->problems ? row->problems : "");
	assert_int_equal(ret, row->slots ? 0 : -1);
	if (row->slots) {
		assert_string_equal(host_slots(&h), row->slots);
		assert_int_equal(h.plan.nofile, row->nofile);
	}
	host_close(&h);
}

/* More numbers pinned than the default has queue pairs: the plan has room for all of their vhost. */
static void many_numbers(void **state)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	static struct host h;
	struct str s;
	char members[1024];

	(void)state;
	s = STR_ON(members);
	str_put(&s, "'max_queues':64,'nics':[{" TAP ",'fds':[100");
	for (unsigned i = 1; i < 64; i++)
		str_put(&s, ",%u", 100 + i);
	str_put(&s, "]}]");
	assert_int_equal(host_read(&h, members, &none), 0);
	host_fit(&h);
	/* numbers that the facts must hold: as many as may be handed out, and as are pinned */
	assert_int_equal(layout_slots_max(&h.desc), 2 * 64 + 64);
	h.facts.n_free = layout_slots_max(&h.desc);
	assert_int_equal(host_plan(&h, &none), 0);
	assert_int_equal(h.plan.n_slots, 128);
	assert_int_equal(h.plan.slots[127].fd, 66);
	host_close(&h);
}

/* --- the command line ---------------------------------------------------------------------------------------------- */

static void whole_command_line(void **state)
{
	char m[] = "-m", g[] = "4G";
	char *const words[] = { m, g };
	const struct cmdline cmdline = { .argv0 = "/run/vm-7", .words = words, .n = 2 };
	static const char *const want[] = {
		"/run/vm-7", "-nodefaults", "-S", "-m", "4G", "-netdev", "user,id=net0", "-device",
		"virtio-net-pci,netdev=net0", "-netdev", "user,id=b",
	};
	static struct host h;

	(void)state;
	assert_int_equal(host_read(&h, "'args':['-nodefaults','-S'],"
				   "'nics':[{'mode':'user'},{'mode':'user','id':'b','device':false}]", &cmdline), 0);
	host_fit(&h);
	assert_int_equal(host_plan(&h, &cmdline), 0);
	assert_int_equal(h.plan.argc, ARRAY_LEN(want));
	for (unsigned i = 0; i < ARRAY_LEN(want); i++)
		assert_string_equal(h.plan.argv[i], want[i]);
	assert_null(h.plan.argv[ARRAY_LEN(want)]);
	assert_string_equal(h.plan.qemu, QEMU);
	host_close(&h);
}

static void argv0_is_qemus_own(void **state)
{
	static const struct cmdline none;
	static struct host h;

	(void)state;
	assert_int_equal(host_read(&h, "'vcpus':1", &none), 0);
	host_fit(&h);
	assert_int_equal(host_plan(&h, &none), 0);
	assert_string_equal(h.plan.argv[0], QEMU);
	assert_int_equal(h.plan.argc, 3);
	assert_string_equal(h.plan.argv[1], "-nic");
	assert_string_equal(h.plan.argv[2], "none");
	host_close(&h);
}

/* A plan that is refused leaves *ret as it was. */
static void untouched_on_failure(void **state)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	static struct host h;

	(void)state;
	assert_int_equal(host_read(&h, NIC(TAP ",'vhost':true"), &none), 0);
	host_fit(&h);
	h.facts.vhost_net.err = ENOENT;
	h.plan.argc = 77;
	assert_int_equal(host_plan(&h, &none), -1);
	assert_int_equal(h.plan.argc, 77);
	assert_null(h.plan.argv);
	host_close(&h);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(policies) + ARRAY_LEN(forms) + ARRAY_LEN(numbers) + 4] = {
		cmocka_unit_test(many_numbers),
		cmocka_unit_test(whole_command_line),
		cmocka_unit_test(argv0_is_qemus_own),
		cmocka_unit_test(untouched_on_failure),
	};
	struct CMUnitTest *next = tests + 4;

	next = UNIT_ROWS(next, policies, policy);
	next = UNIT_ROWS(next, forms, form);
	UNIT_ROWS(next, numbers, number);
	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
