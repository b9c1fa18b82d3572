#!/bin/sh
# host.sh - hosts that do not fit: each refused before a device is opened, and nothing is changed
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
command -v strace >/dev/null || skip_all "needs strace"
chmod 666 /dev/net/tun
for_all
new_ns a
new_macvtap mv4 4
new_macvtap mv1 1
new_tap t1 user 1000
new_tap tm multi_queue user 1000
new_tap tany
new_tap tgroup group 4242
ip -n "$ns" tuntap add dev l3 mode tun
ip -n "$ns" link add br0 type bridge
mv4=$(node_of mv4) mv4_dev=$(in_ns cat "/sys/class/net/mv4/tap$(ifindex_of mv4)/dev")

# What the kernel does about a carrier some time after a queue came or went is left out.
state() { ip -n "$ns" -d -o link | sed 's/<[^>]*>//; s/ state [A-Z]* / /'; ls -lR /dev; }
devices='"/dev/(tap|net/tun|vhost)'
# refuse NAME STATUS CODES NIC [PART]...: refused, without an open of a device or a change
refuse() {
	_n=$1 _s=$2 _c=$3 _before=$(state) _under=$under; launch_nic "$4"; shift 4
	refused "$_n" "$_s" "$_c" "$@"
	if grep -E "(open|openat|creat|mknod)[0-9a]*\(.*$devices" "$tmp/trace" >"$tmp/opened"; then
		not_ok "  no device is opened"; note "$(cat "$tmp/opened")"
	elif [ "$(state)" != "$_before" ]; then not_ok "  nothing is changed"; state >"$tmp/after"; note "$(echo "$_before" | diff - "$tmp/after")"
	else ok "  no device is opened, nothing is changed"
	fi
}
launch_nic() {
	_keep=$under under="strace -f -qq -o $tmp/trace -e trace=open,openat,openat2,creat,mknod,mknodat,ioctl,execve $under"
	launch "$(nic "$1")"; under=$_keep
}
tap() { printf '{"mode":"tap","ifname":"%s","vhost":false%s}' "$1" "${2-}"; }
macvtap() { printf '{"mode":"macvtap","ifname":"%s","vhost":false%s}' "$1" "${2-}"; }
# hold WORD...: another process that holds what startwith arranges, until drop
hold() { ip netns exec "$ns" "$WITH" "$@" -- sleep 60 & held=$!; }
drop() { kill "$held"; wait "$held" 2>/dev/null; }

# The links are usable as such; what follows takes one thing away at a time.
launch_nic "$(macvtap mv4 ',"queues":2')"; accepted "a macvtap that fits" "" "mv4 0x5002"
launch_nic "$(tap t1)"; accepted "a TAP that fits" "" "t1 0x5802"

# --- links ----------------------------------------------------------------------------------------
for mode in tap macvtap; do
	refuse "$mode: no such link" 101 link-missing "$("$mode" nosuch0)" '"path":"nics[0].ifname"' '"object":"nosuch0"'
	refuse "$mode: a link without a kind" 101 link-kind "$("$mode" lo)" "of kind 'none'"
	refuse "$mode: a veth" 101 link-kind "$("$mode" mv4-l)" "of kind 'veth', but mode '$mode' needs"
done
refuse "bridge: no such link" 101 link-missing '{"mode":"bridge","bridge":"nosuch0","vhost":false,"helper":"/bin/true"}' nosuch0
refuse "bridge: not a bridge" 101 link-kind '{"mode":"bridge","bridge":"mv4-l","vhost":false,"helper":"/bin/true"}' "of kind 'veth'"
refuse "tap: a macvtap" 101 link-kind "$(tap mv4)" "of kind 'macvtap', but mode 'tap' needs 'tun'" \
	'\"mode\": \"macvtap\", \"ifname\": \"mv4\"'
refuse "macvtap: a TAP" 101 link-kind "$(macvtap t1)" "of kind 'tun', but mode 'macvtap' needs 'macvtap'" \
	'\"mode\": \"tap\", \"ifname\": \"t1\"'
refuse "a name as ip shows it" 101 link-missing "$(macvtap mv4@mv4-l)" '\"ifname\": \"mv4\"'
refuse "a long name as ip shows it" 100 descriptor-value "$(macvtap mv4@a-lower-link)" '\"mv4\"'
under=$(as_uid 65534)
refuse "no such link, as another user" 101 link-missing "$(tap nosuch0)" '"object":"nosuch0"'
under=
ip -n "$ns" link property add dev t1 altname other1
refuse "another name of a link" 101 link-name "$(tap other1)" "is an alternative name of the link 't1'"
ip -n "$ns" link set tany down
launch_nic "$(tap tany)"; accepted "a link that is down: a warning" "link-down tap-unowned" "ip link set dev tany up" "tany 0x5802"

# --- TAPs -----------------------------------------------------------------------------------------
refuse "2 queues of a TAP without multi_queue" 101 tap-not-multiqueue "$(tap t1 ',"queues":2')" \
	'"path":"nics[0].queues"' "2 queue pairs asked for" "ip tuntap add dev t1 mode tap multi_queue"
launch_nic "$(tap tm ',"queues":1')"
accepted "one queue of a multi_queue TAP is attached with IFF_MULTI_QUEUE" "" "tm 0x5902"
is "  as one descriptor" "$(given_fds)" "3 /dev/net/tun tm 0x5902"
refuse "a tun link" 101 tap-not-tap "$(tap l3)" '"object":"l3"'
hold tun 9=np
wait_for 5 in_ns ip link show np
refuse "a TAP that is not persistent" 101 tap-not-persistent "$(tap np)" '"object":"np"'
drop
hold tun 9=t1
wait_for 5 sh -c "ip -n $ns link show t1 | grep -q LOWER_UP"
refuse "a TAP whose only queue is taken" 111 tap-busy "$(tap t1)" '"object":"t1"'
drop
hold nocarrier 9=t1
wait_for 5 grep -q sleep "/proc/$held/comm"
launch "$(nic "$(tap t1)")" --check
refused "a TAP whose only queue is taken, its carrier turned off: the check looks for it" 111 tap-busy "pid $held (sleep)"
launch_nic "$(tap t1)"
refused "  and a launch finds it" 111 tap-busy
drop
# shellcheck disable=SC2046
hold $(awk 'BEGIN { for (i = 10; i < 210; i++) printf "tun %d=tm ", i }')
wait_for 5 sh -c "ip -n $ns -d link show tm | grep -q 'numqueues 200'"
refuse "a TAP of which another has queues" 111 tap-busy "$(tap tm)" "200 of its queues are attached to pid $held (sleep)"
custom() { printf '{"mode":"custom","netdev":"tap,id=net0,ifname=tm,queues=2,script=no,downscript=no"%s}' "${1-}"; }
refuse "  which a text names" 111 tap-busy "$(custom)" "200 of its queues are attached to pid $held (sleep)"
launch_nic "$(custom ',"shared":true')"; accepted "  and by intent"
launch "{\"version\":1,\"max_queues\":64,\"nics\":[$(tap tm ',"shared":true,"queues":57')]}"
refused "57 more queues of a TAP of which 200 are taken" 111 tap-busy "57 queue pairs asked for, but 200 of the TAP's 256 are in use"
launch "{\"version\":1,\"max_queues\":64,\"nics\":[$(tap tm ',"shared":true,"queues":56')]}"
accepted "  and 56 that are left" "" "fd 58 rw inherit 10:200 /dev/net/tun tm"
drop
hold plaintun 9=tm
wait_for 5 sh -c "ip -n $ns -d link show tm | grep -q 'numqueues 1 '"
refuse "a TAP that another uses with packet information" 101 tap-flags "$(tap tm ',"shared":true')" "with packet information"
drop
under=$(as_uid 1001)
refuse "a TAP of another user" 101 tap-owner "$(tap t1)" "belongs to uid 1000, but this process runs as uid 1001"
refuse "a TAP of another group" 101 tap-owner "$(tap tgroup)" "belongs to gid 4242, but this process runs with gid 1001"
launch_nic "$(tap tany)"
accepted "a TAP of nobody" "link-down tap-unowned" "any user can attach to it"
under=$(as_uid 1001 4242)
launch_nic "$(tap tgroup)"; accepted "a TAP of a group of ours" "" "tgroup 0x5802"
under=$(as_uid 1000)
launch_nic "$(tap t1)"; accepted "a TAP of ours" "" "t1 0x5802"
chmod 600 /dev/net/tun
refuse "/dev/net/tun of root" 101 node-access "$(tap t1)" "/dev/net/tun" '"errno":"EACCES"' "its mode is 0600 and its owner 0:0, but this process runs as uid 1000"
under=
rm /dev/net/tun
refuse "/dev/net/tun missing" 101 node-missing "$(tap t1)" /dev/net/tun ENOENT "character device 10:200"
# marked COMMAND...: with the mark of a container
cat >"$tmp/marked" <<'END'
#!/bin/sh
mount -t tmpfs none /run && : >/run/.containerenv && exec "$@"
END
chmod 755 "$tmp/marked"
under="unshare -m $tmp/marked"
refuse "/dev/net/tun missing in a container" 101 node-missing "$(tap t1)" '"hint":"start the container with --device=/dev/net/tun"'
under=
: >/dev/net/tun
refuse "/dev/net/tun a file" 101 node-not-device "$(tap t1)" /dev/net/tun
rm /dev/net/tun; mknod -m 666 /dev/net/tun c 1 3
refuse "/dev/net/tun another device" 101 node-wrong-device "$(tap t1)" "is character device 1:3; must be 10:200"
rm /dev/net/tun; mknod -m 666 /dev/net/tun c 10 200

# The devices cgroup says no where mode and owner say yes.
devices_group=$(sed -n 's/^[^ ]* \([^ ]*\) cgroup .*devices.*/\1/p' /proc/mounts | head -n 1)/qh$$
if [ "$devices_group" = "/qh$$" ] || ! mkdir "$devices_group" 2>/dev/null; then
	skip "a devices cgroup that denies" "needs the devices controller of cgroup v1"
else
	cgroups=$devices_group
	echo "c 10:200 rwm" >"$devices_group/devices.deny"
	nic "$(tap t1)" >"$tmp/desc"
	# shellcheck disable=SC2016 # for that shell
	QEMU_HANDOFF_QEMU=$FAKE QEMU_HANDOFF_ERRORS=json sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$devices_group" \
		ip netns exec "$ns" "$QH" <"$tmp/desc" >"$tmp/out" 2>"$tmp/err"; echo $? >"$tmp/rc"
	refused "a devices cgroup that denies" 101 node-access EPERM "/dev/net/tun" "the devices cgroup of this process"
fi

# --- macvtap nodes ----------------------------------------------------------------------------------
put_node() { rm -f "$mv4"; "$@"; }	# COMMAND...: makes $mv4 anew
major=${mv4_dev%:*} minor=${mv4_dev#*:}
put_node true
refuse "node missing" 101 node-missing "$(macvtap mv4)" "\"object\":\"$mv4\"" ENOENT "character device $mv4_dev" \
	"mknod -m 600 $mv4 c $major $minor"
check "  no file is made in its place" [ ! -e "$mv4" ]
put_node touch "$mv4"
refuse "node a file" 101 node-not-device "$(macvtap mv4)" "\"object\":\"$mv4\"" "must be $mv4_dev"
check "  the file is as it was" [ ! -s "$mv4" ]
put_node mkfifo "$mv4"
refuse "node a pipe" 101 node-not-device "$(macvtap mv4)"
put_node mknod "$mv4" b "$major" "$minor"
refuse "node a block device of the right number" 101 node-not-device "$(macvtap mv4)"
put_node mknod "$mv4" c 1 3
refuse "node /dev/null" 101 node-wrong-device "$(macvtap mv4)" "is 1:3, but the link 'mv4' is $mv4_dev"
put_node mknod "$mv4" c "$major" $((minor + 1))
refuse "node the next one" 101 node-wrong-device "$(macvtap mv4)" "is $major:$((minor + 1)), but the link 'mv4' is $mv4_dev"
put_node ln -s /dev/null "$mv4"
refuse "node a link to /dev/null" 101 node-wrong-device "$(macvtap mv4)" "is 1:3"
put_node ln -s nowhere "$mv4"
refuse "node a link to nowhere" 101 node-missing "$(macvtap mv4)"
put_node mknod -m 600 "$mv4" c "$major" "$minor"
under=$(as_uid 1000)
refuse "node of root" 101 node-access "$(macvtap mv4)" EACCES "its mode is 0600 and its owner 0:0, but this process runs as uid 1000"
chown 0:1000 "$mv4"; chmod 660 "$mv4"
launch_nic "$(macvtap mv4)"; accepted "node of a group of ours" "" "mv4 0x5002"
under=

# --- vhost ------------------------------------------------------------------------------------------
vhost_on() { refuse "vhost true, $1" 101 "$2" '{"mode":"tap","ifname":"t1","vhost":true}' '"path":"nics[0].vhost"' /dev/vhost-net; }
# vhost_absent NAME [PART]...: two NICs that only prefer vhost start without it, with one warning
vhost_absent() {
	_n=$1; shift
	launch_nic '{"mode":"tap","ifname":"t1"},{"mode":"macvtap","ifname":"mv4"}'
	accepted "vhost absent, $_n: off with one warning" "vhost-off" "tap,id=net0,fd=3,vhost=off" \
		"tap,id=net1,fd=4,vhost=off" /dev/vhost-net "$@"
}
vhost_on "node missing" node-missing; vhost_absent "node missing" ENOENT
: >/dev/vhost-net
vhost_on "node a file" node-not-device; vhost_absent "node a file"
rm /dev/vhost-net; mknod -m 600 /dev/vhost-net c 10 239
vhost_on "node another device" node-wrong-device; vhost_absent "node another device"
rm /dev/vhost-net; mknod -m 600 /dev/vhost-net c 10 238
chmod 666 "$mv4"
under=$(as_uid 1000)
vhost_on "node of root" node-access; vhost_absent "node of root" EACCES
under=
launch '{"version":1,"vcpus":4,"nics":[{"mode":"tap","ifname":"t1"}]}' --plan=json
has "by default one queue of a TAP without multi_queue, with one warning" "$(cat "$tmp/err" "$tmp/out")" \
	'"code":"queues-reduced"' "1 queue pairs instead of 4" '"queues":1' "tap,id=net0,fd=3,vhost=on,vhostforce=on,vhostfd=4"
launch '{"version":1,"vcpus":4,"nics":[{"mode":"macvtap","ifname":"mv4"}]}' --plan=json
has "by default four queues of four processors" "$(cat "$tmp/out")" \
	"tap,id=net0,fds=3:4:5:6,vhost=on,vhostforce=on,vhostfds=7:8:9:10" "mq=on,vectors=10"
if [ -e /sys/class/misc/vhost-net ]; then
	skip "vhost true, no driver behind the node" "this kernel has vhost-net"
else
	launch '{"version":1,"nics":[{"mode":"tap","ifname":"t1","vhost":true}]}'
	refused "vhost true, no driver behind the node" 101 node-no-driver /dev/vhost-net
	launch '{"version":1,"vcpus":4,"nics":[{"mode":"tap","ifname":"tm"}]}'
	accepted "vhost absent, no driver behind the node: off, and one queue" "vhost-off" "tap,id=net0,fd=3,vhost=off"
fi

# --- numbers ----------------------------------------------------------------------------------------
under="prlimit --nofile=6:6"
refuse "hard limit on descriptors too low" 101 nofile-limit "$(macvtap mv4 ',"queues":4')" "4 descriptors are planned" "RLIMIT_NOFILE is 6"
limits() { launch "{\"version\":1,\"seccomp\":\"$1\",\"nics\":[$(macvtap mv4 ',"queues":4')]}"; }
under="prlimit --nofile=6:4096"
limits none
accepted "soft limit too low: raised" "" "fds=3:4:5:6"
check "  to more than is planned" [ "$(sed -n 's/^nofile \([0-9]*\) .*/\1/p' "$tmp/out")" -ge 64 ]
is "  the hard limit is as it was" "$(sed -n 's/^nofile [0-9]* //p' "$tmp/out")" 4096
under="prlimit --nofile=512:4096"
limits none
has "a soft limit that is enough is left alone" "$(cat "$tmp/out")" "nofile 512 4096"
limits qemu
has "under the filter the highest number is not QEMU's" "$(cat "$tmp/out")" "fds=3:4:5:6" "nofile 4095 4095"
under=

# --- QEMU -------------------------------------------------------------------------------------------
qemu=$tmp/none
refuse "QEMU missing" 127 qemu-not-found "$(tap t1)" "\"object\":\"$tmp/none\""
: >"$tmp/text"; qemu=$tmp/text
refuse "QEMU not executable" 126 qemu-not-executable "$(tap t1)" EACCES
qemu=$tmp
refuse "QEMU a directory" 126 qemu-not-executable "$(tap t1)" "not a regular file"
qemu=$QH
refuse "QEMU is the program itself" 126 qemu-is-shim "$(tap t1)"
ln -s "$QH" "$tmp/bin/link"; qemu=$tmp/bin/link
refuse "QEMU is a symbolic link to the program" 126 qemu-is-shim "$(tap t1)"
ln "$QH" "$tmp/bin/hard"; qemu=$tmp/bin/hard
refuse "QEMU is a hard link to the program" 126 qemu-is-shim "$(tap t1)"
unset qemu
launch "{\"version\":1,\"qemu\":\"$tmp/none\"}"
refused "QEMU of the descriptor missing" 127 qemu-not-found '"path":"qemu"'
printf 'no interpreter' >"$tmp/text"; chmod 755 "$tmp/text"; qemu=$tmp/text
leaks=no
launch '{"version":1}'; refused "QEMU of no known format" 126 qemu-not-executable ENOEXEC
printf '#!/nonexistent\n' >"$tmp/text"
launch '{"version":1,"seccomp":"none"}'
refused "QEMU whose interpreter is missing" 126 qemu-not-executable ENOENT "its interpreter"
launch '{"version":1}'; refused "QEMU a script, under the filter" 126 qemu-script
unset qemu

# --- more privilege than the caller -------------------------------------------------------------------
real=$QH
set_id() { # NAME COMMAND...
	_n=$1; shift
	QH=$tmp/bin/qemu-handoff-set && cp "$real" "$QH" && "$@" "$QH" && refuse "$_n" 101 set-id "$(tap t1)"
}
if findmnt -n -o OPTIONS -T "$tmp" | grep -q nosuid; then
	skip "set-id bits" "the temporary directory ignores them"
elif grep -q libasan "$QH"; then
	skip "set-id bits" "a program with sanitizers cannot end with more privilege than its caller has"
else
	# without strace in front: a traced program gets no privilege from its file
	launch_nic() { launch "$(nic "$1")"; : >"$tmp/trace"; }
	under=$(as_uid 1000)
	set_id "set-uid" chmod 4755
	set_id "set-gid" chmod 2755
	if command -v setcap >/dev/null; then set_id "file capabilities" setcap cap_net_admin+ep
	else skip "file capabilities" "needs setcap"; fi
	QH=$real
	under="setpriv --ruid 1000"
	refuse "real and effective user differ" 101 set-id "$(tap t1)" "uid 1000, effective 0"
	under="setpriv --rgid 1000 --keep-groups"
	refuse "real and effective group differ" 101 set-id "$(tap t1)"
	under=
fi

unset leaks

# --- vsock ---------------------------------------------------------------------------------------------
vsock() { launch '{"version":1,"vsock":{"cid":3}}'; }
vsock; refused "vsock: node missing" 101 node-missing '"path":"vsock"' /dev/vhost-vsock "10:241"
mknod /dev/vhost-vsock c 10 238
vsock; refused "vsock: node of vhost-net" 101 node-wrong-device "10:238; must be 10:241"
rm /dev/vhost-vsock; mknod /dev/vhost-vsock c 10 241
launch '{"version":1,"vsock":{"cid":3}}' --plan=json
has "vsock: the plan" "$(cat "$tmp/out")" '"vsock":{"cid":3,"fd":3}' "vhost-vsock-pci,guest-cid=3,vhostfd=3"
launch '{"version":1,"vsock":{"cid":3,"device":{"driver":"vhost-vsock-pci-non-transitional","iommu_platform":true}}}' --plan=json
has "vsock: its device" "$(cat "$tmp/out")" "vhost-vsock-pci-non-transitional,guest-cid=3,vhostfd=3,iommu_platform=on"
if [ -e /sys/class/misc/vhost-vsock ]; then skip "vsock: no driver behind the node" "this kernel has vhost-vsock"
else vsock; refused "vsock: no driver behind the node" 101 node-no-driver /dev/vhost-vsock; fi

# --- the seven of them -----------------------------------------------------------------------------------
rm /dev/vhost-net /dev/vhost-vsock
put_node mknod "$mv4" c 1 3
qemu=$tmp/none
launch '{"version":1,"vsock":{"cid":3},"nics":[
	{"mode":"tap","ifname":"nosuch0","vhost":false},
	{"mode":"tap","ifname":"mv4-l","vhost":false},
	{"mode":"tap","ifname":"t1","queues":2,"vhost":false},
	{"mode":"macvtap","ifname":"mv4","vhost":false},
	{"mode":"user","queues":4},
	{"mode":"user","device":{"mq":1}}],"report":{"fd":9}}' --check
is "--check lists all of nine problems" "$rc $(err | wc -l) $(codes error)" "100 9 link-missing link-kind \
tap-not-multiqueue node-wrong-device queues-backend device-conflict node-missing report-fd qemu-not-found"
done_testing
