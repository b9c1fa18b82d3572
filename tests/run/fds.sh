#!/bin/sh
# fds.sh - descriptor numbers, what QEMU inherits, and the order in which a launch does things
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
new_ns a
new_macvtap mv 16
new_macvtap mv64 64
new_tap t1
new_tap tm multi_queue
mv=$(node_of mv)
macvtap() { printf '{"mode":"macvtap","ifname":"%s","vhost":false%s}' "$1" "${2-}"; }
tap() { printf '{"mode":"tap","ifname":"%s","vhost":false%s}' "$1" "${2-}"; }

# --- numbers --------------------------------------------------------------------------------------------
echo kernel >"$tmp/three"; echo lock >"$tmp/five"; echo log >"$tmp/nine"
with="file 3=$tmp/three lock 5=$tmp/five file 9=$tmp/nine"
launch "$(nic "$(macvtap mv ',"queues":4'),$(tap tm ',"queues":2')")"
accepted "3, 5 and 9 are open on entry" "" "tap,id=net0,fds=4:6:7:8,vhost=off" "tap,id=net1,fds=10:11,vhost=off"
is "  they reach QEMU untouched, and no number is given twice" "$(given_fds)" "3 $tmp/three
4 $mv mv 0x5002
5 $tmp/five
6 $mv mv 0x5002
7 $mv mv 0x5002
8 $mv mv 0x5002
9 $tmp/nine
10 /dev/net/tun tm 0x5902
11 /dev/net/tun tm 0x5902"
# QEMU has the lock as long as it runs: a descriptor of that file that was closed on the way would have lost it.
stay "$(nic "$(macvtap mv),$(tap tm ',"queues":2')")" -- --stay
is "  with its lock, held by the same process" "$("$WITH" locked "$tmp/five")" "$pid"
is "  which runs QEMU" "$(head -n 1 "$tmp/out")" "fakeqemu $pid"
is "each queue of a TAP is an attachment of its own" \
	"$(ip -n "$ns" -d -o link show tm | sed -n 's/.*numqueues \([0-9]*\).*/\1/p')" 2
leave
is "  and gone with QEMU" "$(ip -n "$ns" -d -o link show tm | sed -n 's/.*numqueues \([0-9]*\).*/\1/p')" 0
with="file 3=$tmp/three"
launch "{\"version\":1,\"fd_base\":40,\"nics\":[$(macvtap mv ',"queues":2')]}"
is "fd_base" "$(given_fds)" "3 $tmp/three
40 $mv mv 0x5002
41 $mv mv 0x5002"
with="close 2"
launch "$(nic "$(macvtap mv)")"
has "closed 2 is opened on /dev/null" "$(cat "$tmp/out")" "fd 2 rw inherit 1:3 /dev/null" "fd 3 rw inherit"
with=

# --- the rest of what QEMU inherits -----------------------------------------------------------------------
with="block 15 block 2 ignore 13 ignore 17 ignore 1"
QEMU_HANDOFF_DESCRIPTOR=x QEMU_HANDOFF_OTHER=y KEPT='a b' launch "$(nic "$(tap t1)")" -S
has "signals are as in a fresh process" "$(cat "$tmp/out")" "signals blocked ignored
"
has "the environment is the caller's" "$(cat "$tmp/out")" "env KEPT=a b"
is "  without our own variables" "$(grep -c QEMU_HANDOFF "$tmp/out")" 0
is "argv[0] is QEMU's path" "$(sed -n 's/^arg 0 //p' "$tmp/out")" "$FAKE"
with=
launch '{"version":1,"args":["","-m","a b","\"x`"],"nics":[{"mode":"user"}]}' -S -name 'x y' ''
is "words are passed as they are, args first, NICs last" "$(sed -n 's/^arg [1-9][0-9]* //p' "$tmp/out")" "
-m
a b
\"x\`
-S
-name
x y

-netdev
user,id=net0
-device
virtio-net-pci,netdev=net0,mac=f2:0b:89:86:69:06"
is "nothing is said when all is well" "$(err)" ""

# --- order ------------------------------------------------------------------------------------------------
if ! command -v strace >/dev/null; then
	skip "order of checks and opens" "needs strace"
else
	under="strace -f -o $tmp/trace"
	launch "$(nic "$(macvtap mv ',"queues":4'),$(tap tm ',"queues":2'),$(tap t1)")"
	accepted "seven queues under strace"
	# from the reading of the descriptor to the exec of QEMU; the dynamic linker comes before
	awk '/execve\(/ { n++ } n > 0' "$tmp/trace" | sed '/ execveat(/,$d' >"$tmp/launch"
	awk '/(open|openat)\(.*"\/dev\/(tap|net\/tun|vhost)/ { opened = 1 } opened' "$tmp/launch" >"$tmp/acting"
	is "every queue is an open of its own" "$(grep -cE 'openat\(.*"/dev/(tap|net/tun)' "$tmp/acting")" 7
	is "no check comes after the first open of a device" \
		"$(grep -E '(stat|access)[a-z0-9]*\([^,]*, *"/|AF_NETLINK|"/sys/|"/proc/' "$tmp/acting" | grep -v /proc/self/status)" ""
	is "one request for each link, and one for the lower link of the macvtap" "$(grep -c 'RTM_GETLINK' "$tmp/launch")" 4
	check "  and never all of them" sh -c "! grep -E 'NLM_F_DUMP|NLM_F_ROOT|NLM_F_MATCH' '$tmp/launch'"
	check "no list of descriptors is read" sh -c "! grep -E 'getdents|\"/proc/self/fd/?\"' '$tmp/launch'"
	check "no last descriptor of a device is closed" sh -c "! grep -E ' close\\(([3-9])\\)' '$tmp/acting'"
	check "no process is started" sh -c "! grep -E ' (clone|clone3|fork|vfork)\\(' '$tmp/launch'"
	under="strace -f -o $tmp/trace"
	launch "$(nic "$(macvtap mv ',"queues":4')")" --plan=json
	check "--plan opens no device" sh -c "! grep -E 'openat\\(.*\"/dev/(tap|net|vhost)' '$tmp/trace'"
	launch "$(nic "$(tap t1)")" --check
	check "--check opens no device" sh -c "! grep -E 'openat\\(.*\"/dev/(tap|net|vhost)' '$tmp/trace'"
	is "  and says nothing when all is well" "$rc $(cat "$tmp/out"; err)" "0 "
	under=
fi

# --- every form that has descriptors or queues, accepted by the real QEMU ------------------------------------
if [ ! -x "$QEMU" ]; then
	skip "the real QEMU accepts every form" "needs $QEMU"
	done_testing; exit 0
fi
qemu=$QEMU
row() { # NAME NIC NETDEV DEVICE: what the plan says, and that QEMU starts with it
	printf '{"version":1,"max_queues":64,"nics":[%s]}\n{"execute":"qmp_capabilities"}\n{"execute":"quit"}\n' "$2" >"$tmp/in"
	launch_file "$tmp/in" --plan=json
	has "$1: the words" "$(cat "$tmp/out")" "\"-netdev\",\"$3\",\"-device\",\"$4\"]"
	launch_file "$tmp/in" -accel tcg -machine q35 -m 32 -nodefaults -no-user-config -display none -S -qmp stdio
	is "$1: QEMU takes them" "$rc $(grep -c host-qmp-quit "$tmp/out") $(err)" "0 1 "
}
numbers() { seq -s : 3 $(($1 + 2)); }
for n in 1 2 4 16 64; do
	if [ $n = 1 ]; then fds=fd=3 mq='' queues=''
	else fds=fds=$(numbers $n) mq=",mq=on,vectors=$((2 * n + 2))" queues=",queues=$n"
	fi
	device=virtio-net-pci,netdev=net0
	row "macvtap, $n" "$(macvtap mv64 ",\"queues\":$n")" "tap,id=net0,$fds,vhost=off" "$device,mac=$(mac_of mv64)$mq"
	row "tap, $n" "$(tap tm ",\"queues\":$n")" "tap,id=net0,$fds,vhost=off" "$device$mq"
	row "custom, $n" "{\"mode\":\"custom\",\"netdev\":\"tap,id=net0,ifname=new$n,script=no,downscript=no$queues\",\"queues\":$n}" \
		"tap,id=net0,ifname=new$n,script=no,downscript=no$queues" "$device$mq"
	[ $n = 1 ] ||
	row "tap that QEMU opens, $n" "$(tap tm ",\"queues\":$n,\"handoff\":false")" \
		"tap,id=net0,ifname=tm,script=no,downscript=no,vhost=off,queues=$n" "$device$mq"
done
row "tap without multi_queue" "$(tap t1)" "tap,id=net0,fd=3,vhost=off" "virtio-net-pci,netdev=net0"
row "tap without multi_queue that QEMU opens" "$(tap t1 ',"handoff":false')" \
	"tap,id=net0,ifname=t1,script=no,downscript=no,vhost=off" "virtio-net-pci,netdev=net0"
launch "$(nic "$(tap tm ',"handoff":false')")"
refused "one queue of a multi_queue TAP that QEMU opens: QEMU cannot" 101 handoff-one-queue
row "user" '{"mode":"user","mac":"52:54:00:00:00:07"}' "user,id=net0" "virtio-net-pci,netdev=net0,mac=52:54:00:00:00:07"
row "another device" '{"mode":"user","device":{"driver":"e1000","romfile":""}}' "user,id=net0" "e1000,netdev=net0,romfile="
with="file 3=$tmp/three lock 5=$tmp/five file 9=$tmp/nine"
row "macvtap, 4, and 3, 5 and 9 are open" "$(macvtap mv64 ',"queues":4')" "tap,id=net0,fds=4:6:7:8,vhost=off" \
	"virtio-net-pci,netdev=net0,mac=$(mac_of mv64),mq=on,vectors=10"
with=
done_testing
