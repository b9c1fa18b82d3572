#!/bin/sh
# vectors.sh - what went wrong elsewhere: one test for each, taken from public bug reports and from the lab
#
# Each says in what state the host is, what is wished for, and what other launchers and QEMU made of it.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
chmod 666 /dev/net/tun
for_all
new_ns a; a=$ns
new_macvtap mva 2
new_macvtap one 1
new_macvtap mvc 8
new_tap tsq user 12345
new_tap tmq multi_queue user 12345
new_tap tany
ip -n "$ns" link add br0 type bridge
mva=$(node_of mva) mva_dev=$(in_ns cat "/sys/class/net/mva/tap$(ifindex_of mva)/dev")
tap() { printf '{"mode":"tap","ifname":"%s","vhost":false%s}' "$1" "${2-}"; }
macvtap() { printf '{"mode":"macvtap","ifname":"%s","vhost":false%s}' "$1" "${2-}"; }
nic_is() { launch "$(nic "$1")"; }
traced() { under="strace -f -qq -o $tmp/trace"; "$@"; under=; }
put_node() { rm -f "$mva"; "$@"; }
have() { command -v "$1" >/dev/null; }

# open() of the other tenant's node succeeds, and TUNGETIFF names his link
new_ns b; b=$ns
new_macvtap mvb 2 macvtap "$(ns=$a; ifindex_of mva)"
mvb_dev=$(in_ns cat "/sys/class/net/mvb/tap$(ifindex_of mvb)/dev")
nic_is "$(macvtap mvb)"
refused "P01 the node of another namespace's link with the same ifindex" 101 node-wrong-device "is $mva_dev, but the link 'mvb' is $mvb_dev"
ns=$a
# bash's 20<>/dev/tapN makes a regular file there
put_node true
nic_is "$(macvtap mva)"
refused "P02 the node is lost" 101 node-missing "$mva_dev" "mknod -m 600 $mva c ${mva_dev%:*} ${mva_dev#*:}"
check "P02 and nothing is made in its place" [ ! -e "$mva" ]
# QEMU: Unable to query TUNGETIFF on FD 20: Inappropriate ioctl for device
put_node touch "$mva"
nic_is "$(macvtap mva)"; refused "P03 the node is a file" 101 node-not-device
put_node mknod "$mva" c 1 3
nic_is "$(macvtap mva)"; refused "P03 the node is /dev/null" 101 node-wrong-device "is 1:3"
put_node mknod -m 600 "$mva" c "${mva_dev%:*}" "${mva_dev#*:}"
# 8 opens succeed on a link of one queue
nic_is "$(macvtap one ',"queues":8')"
accepted "P04 8 queues of a macvtap made with 1: as asked, with a warning" queues-over-link "fds=3:4:5:6:7:8:9:10" "link created with 1"
nic_is "$(macvtap mva ',"queues":257')"; refused "P05 257 queues of a macvtap" 100 descriptor-range 'from 1 to 64, not 257'
nic_is "$(tap tmq ',"queues":257')"; refused "P06 257 queues of a TAP" 100 descriptor-range 'from 1 to 64, not 257'
nic_is "$(tap tsq ',"queues":2')"
refused "P07 2 queues of a TAP without multi_queue" 101 tap-not-multiqueue "ip tuntap add dev tsq mode tap multi_queue"
nic_is "$(tap tmq ',"queues":1')"
accepted "P08 1 queue of a multi_queue TAP is attached with IFF_MULTI_QUEUE" "" "tmq 0x5902"
# TUNSETIFF by root makes the link, and it vanishes at close
nic_is "$(tap nosuch0)"; refused "P10 no such TAP, as root" 101 link-missing nosuch0
under=$(as_uid 65534)
nic_is "$(tap nosuch0)"; refused "P11 no such TAP, as another user" 101 link-missing nosuch0
nic_is "$(tap tsq)"; refused "P12 a TAP of another user" 101 tap-owner "belongs to uid 12345, but this process runs as uid 65534"
nic_is "$(tap tany)"; accepted "P13 a TAP of nobody: usable, with a warning" tap-unowned "any user can attach to it"
under=
nic_is "$(tap mva)"; refused "P15 a macvtap as a TAP" 101 link-kind "of kind 'macvtap', but mode 'tap' needs 'tun'"
# QEMU 7.2: warning, then net_client_init1: Assertion `nc' failed, SIGABRT
nic_is '{"mode":"tap","ifname":"tsq","vhost":true}'
refused "P16 vhost on without vhost-net" 101 node-missing /dev/vhost-net
nic_is '{"mode":"tap","ifname":"tsq"}'
accepted "P16 vhost preferred without vhost-net" vhost-off "fd=3,vhost=off"
mknod -m 600 /dev/vhost-net c 10 238
launch "$(nic '{"mode":"tap","ifname":"tsq"}')" --plan=json
has "P16 vhost=on comes with vhostfd and vhostforce, always" "$(cat "$tmp/out")" "vhost=on,vhostforce=on,vhostfd=4"
under=$(as_uid 12345)
nic_is '{"mode":"tap","ifname":"tsq","vhost":true}'
refused "P16 vhost on with a vhost-net that may not be opened" 101 node-access /dev/vhost-net
under=
# the socket of qrap lands on 5, dup2(5, 5), close(5): QEMU has no 5
with="file 3=$tmp/desc file 4=$tmp/desc"
nic_is "$(macvtap mvc ',"queues":3')"
is "P17 3 and 4 are open on entry" "$(given_fds | cut -d' ' -f1,2 | tr '\n' ' ')" \
	"3 $tmp/desc 4 $tmp/desc 5 $(node_of mvc) 6 $(node_of mvc) 7 $(node_of mvc) "
with=

# probes by a manager, to which we are qemu-system-x86_64
ln -s "$QH" "$tmp/bin/qemu-system-x86_64"
dropin() { env -u QEMU_HANDOFF_QEMU "$tmp/bin/qemu-system-x86_64" "$@"; }
if [ -x "$QEMU" ]; then
	for word in -version --help "-machine help" "-device virtio-net-pci,help"; do
		# shellcheck disable=SC2086
		"$QEMU" $word >"$tmp/want" 2>&1 </dev/null; want=$?
		# shellcheck disable=SC2086
		dropin $word >"$tmp/out" 2>&1 </dev/null; rc=$?
		sed -i "s#$tmp/bin/##g; s#/usr/bin/##g" "$tmp/out"; sed -i "s#/usr/bin/##g" "$tmp/want"
		is "P19 $word is QEMU's" "$rc $(cksum <"$tmp/out")" "$want $(cksum <"$tmp/want")"
	done
	dropin -S -no-user-config -nodefaults -nographic -machine none,accel=tcg -qmp "unix:$tmp/qmp,server,nowait" \
		-pidfile "$tmp/pid" -daemonize >"$tmp/out" 2>"$tmp/err"; rc=$?
	is "P19 libvirt's probe becomes a daemon" "$rc $(cat "$tmp/out" "$tmp/err")" "0 "
	check "P19 and runs without a filter" grep -q "^Seccomp:.0" "/proc/$(cat "$tmp/pid")/status"
	kill "$(cat "$tmp/pid")"
else
	skip "P19 probes" "needs $QEMU"
fi
start </dev/null; refused "P20 stdin is /dev/null" 100 stdin-unusable
nic_is '{"mode":"user"}'; cp "$tmp/desc" "$tmp/d.json"
start --descriptor="$tmp/d.json" </dev/null; accepted "P20 and the descriptor is a file"
if have strace; then
	traced nic_is "$(macvtap mvc ',"queues":8'),$(tap nosuch0)"
	refused "P22 8 queues that fit and a NIC that does not" 101 link-missing nosuch0
	check "P22 no queue was opened" sh -c "! grep -E 'openat\\(.*\"/dev/tap' '$tmp/trace'"
else
	skip "P22 all checks come before the first open" "needs strace"
fi

ns=
unified=$(sed -n 's/^[^ ]* \([^ ]*\) cgroup2 .*/\1/p' /proc/mounts | head -n 1)
here=$unified/qh$$
if [ -z "$unified" ] || ! mkdir "$here" 2>/dev/null; then
	skip "P23 already in the cgroup" "no cgroup can be made here"
elif have strace; then
	cgroups=$here
	printf '#!/bin/sh\necho $$ >"%s/cgroup.procs" && exec "$@"\n' "$here" >"$tmp/bin/join"; chmod 755 "$tmp/bin/join"
	under="$tmp/bin/join strace -f -qq -o $tmp/trace"
	launch "{\"version\":1,\"cgroup\":\"$here\"}"; under=
	accepted "P23 already in the cgroup"
	check "P23 nothing is written to it" sh -c "! grep -E 'openat\\(.*cgroup.procs.*O_(WRONLY|RDWR)' '$tmp/trace'"
	traced launch "{\"version\":1,\"cgroup\":\"$here\"}"
	accepted "P23 not in it: joined"
	check "P23 by a write" grep -qE 'openat\(.*cgroup.procs.*O_(WRONLY|RDWR)' "$tmp/trace"
fi
if [ -n "$unified" ]; then
	launch "{\"version\":1,\"cgroup\":\"$unified/qh-no-such-group\"}"
	has "P24 the cgroup is missing: QEMU is not started" "$rc $(cat "$tmp/err")" "101 " "qh-no-such-group"
	check "P24 and it is not made" [ ! -e "$unified/qh-no-such-group" ]
else
	skip "P24 the cgroup is missing" "no cgroup2 here"
fi
ns=$a

# QEMU takes mq=on with one queue and two queues without it, and says nothing
launch "$(nic "$(macvtap mva ',"queues":1')")" --plan=json
is "P26 one queue: no mq, no vectors" "$(grep -cE 'mq=|vectors=' "$tmp/out")" 0
launch "$(nic "$(macvtap mva ',"queues":2')")" --plan=json
has "P26 two queues: both" "$(cat "$tmp/out")" "mq=on,vectors=6"
for property in '"mq":false:2' '"vectors":4:2'; do
	queues=${property##*:} property=${property%:*}
	nic_is "$(macvtap mva ",\"queues\":$queues,\"device\":{$property}")"
	refused "P26 $queues queues and $property" 100 device-conflict
done
in_argv() { launch "$(nic "$(macvtap mva ',"netdev":"argv"')")" "$@"; }
in_argv -netdev tap,id=net0,fds=3:4 -device virtio-net-pci,netdev=net0
refused "P26 two descriptors without mq=on on the command line" 100 argv-device
nic_is '{"mode":"macvtap","ifname":"mva","queues":2,"fds":[5,6],"vhostfds":[7]}'
refused "P27 two numbers for queues and one for vhost" 100 pins-count '"path":"nics[0].vhostfds"' "1 numbers for 2 queue pairs"
# libvirt warns and goes on with a short list
if have strace; then
	under="strace -f -qq -o $tmp/trace -P $(node_of mvc) -e trace=openat -e inject=openat:error=EBUSY:when=3"
	nic_is "$(macvtap mvc ',"queues":4')"
	refused "P28 the third of four queues cannot be opened" 111 open-failed EBUSY; under=
fi
if [ -e /sys/class/misc/vhost-net ]; then
	skip "P28 the second of two vhost-net cannot be opened" "no way to make an open of it fail"
else
	skip "P28 the second of two vhost-net cannot be opened" "needs /dev/vhost-net"
	nic_is '{"mode":"tap","ifname":"tmq","queues":2,"vhost":true}'
	refused "P28 none of two can" 101 node-no-driver /dev/vhost-net
fi

cp "$BUILDDIR/tests/run/fakehelper" "$tmp/bin"
bridge() { printf '{"mode":"bridge","bridge":"%s","vhost":false,"helper":"%s"}' "$1" "$tmp/bin/fakehelper"; }
for b in acl mtu perm; do ip -n "$ns" link add name $b type bridge; done
nic_is "$(bridge acl)"; refused "P30 the bridge is not allowed" 101 acl-denied "access denied by acl file"
nic_is "$(bridge mtu)"; refused "P30 the bridge went away" 111 helper-failed "failed to get mtu of bridge"
nic_is "$(bridge perm)"; refused "P30 the helper lacks the privilege" 101 helper-not-privileged "Operation not permitted"

under="prlimit --nofile=32:32"
launch "{\"version\":1,\"max_queues\":64,\"nics\":[$(tap tmq ',"queues":64')]}"
refused "P31 64 queues and a limit of 32 descriptors" 101 nofile-limit "64 descriptors are planned" "RLIMIT_NOFILE is 32"
under="prlimit --nofile=1024:4096"
many=
for i in 1 2 3 4 5 6 7 8 9; do
	new_macvtap "mvn$i" 64
	many=$many${many:+,}"{\"mode\":\"macvtap\",\"ifname\":\"mvn$i\",\"queues\":64}"
done
launch "{\"version\":1,\"max_queues\":64,\"nics\":[$many]}" --plan=json
has "P31 9 NICs of 64 queues and vhost: the soft limit will be raised" "$rc $(cat "$tmp/out")" "0 " '"fd":1154'
under="prlimit --nofile=1024:1024"
launch "{\"version\":1,\"max_queues\":64,\"nics\":[$many]}"
refused "P31 and a hard limit of 1024" 101 nofile-limit "1152 descriptors are planned" "RLIMIT_NOFILE is 1024"
under=

if have strace; then
	awk 'BEGIN { for (i = 0; i < 150; i++) printf "link add x%d type veth peer name y%d\n", i, i }' | ip -n "$ns" -batch -
	under="strace -f -qq -o $tmp/trace -e trace=sendto,recvmsg,recvfrom"
	nic_is "$(tap tsq)"; under=
	is "P33 among 300 links: one request, one answer" "$(grep -c 'RTM_GETLINK' "$tmp/trace") $(grep -c 'RTM_NEWLINK' "$tmp/trace")" "1 1"
else
	skip "P33 one request among many links" "needs strace"
fi
for name in ../x a,b aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa '' -x 'tapü' a:b a=b 'a b' a/b; do
	nic_is "$(tap "$name")"; refused "P34 ifname '$name'" 100 descriptor-value '"path":"nics[0].ifname"'
done
done_testing
