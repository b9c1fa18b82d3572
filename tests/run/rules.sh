#!/bin/sh
# rules.sh - numbers and counts that are asked for, NICs of the caller's own command line, facts that must hold
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
mknod -m 600 /dev/vhost-net c 10 238
new_ns a
new_macvtap mv 64
new_tap t1
new_tap tm multi_queue user 1000
ip -n "$ns" link add br0 type bridge; ip -n "$ns" link set br0 up
ip -n "$ns" link add br1 type bridge
ip -n "$ns" link set tm master br0
mv=$(node_of mv) mac=$(mac_of mv)
plan() { launch "$@" --plan=json; }	# no device is opened, so that a node for vhost-net is enough
top() { printf '{"version":1,%s}' "$1"; }
macvtap() { printf '{"mode":"macvtap","ifname":"mv"%s}' "${1-}"; }
tap() { printf '{"mode":"tap","ifname":"tm"%s}' "${1-}"; }
off=',"vhost":false'

# --- how many queue pairs -----------------------------------------------------------------------------------
# pairs NAME TOP NIC WANT: so many, with the vectors that go with them
pairs() {
	plan "$(top "$2\"nics\":[$3]")"
	case $4 in 1) _vectors=0 ;; *) _vectors=$(grep -c "mq=on,vectors=$((2 * $4 + 2))" "$tmp/out") ;; esac
	is "$1" "$rc $(sed -n 's/.*"queues":\([0-9]*\).*/\1/p' "$tmp/out") $_vectors" "0 $4 $([ "$4" = 1 ] && echo 0 || echo 1)"
}
pairs "1 processor" '' "$(macvtap)" 1
pairs "20 processors: 16" '"vcpus":20,' "$(macvtap)" 16
pairs "16 processors, at most 2" '"vcpus":16,"max_queues":2,' "$(macvtap)" 2
pairs "24 processors, at most 32: still 16" '"vcpus":24,"max_queues":32,' "$(macvtap)" 16
pairs "4 processors by -smp: 4" '"args":["-smp","4"],' "$(macvtap)" 4
pairs "4 by -smp, vcpus 2: 2" '"vcpus":2,"args":["-smp","cores=2,threads=2"],' "$(macvtap)" 2
is "  and the difference is a warning" "$(codes warning)" vcpus-differ
pairs "8 asked for, at most 8" '"max_queues":8,' "$(macvtap ',"queues":8')" 8
pairs "24 asked for, at most 32" '"max_queues":32,' "$(macvtap ',"queues":24')" 24
pairs "vhost off: 1, whatever the processors" '"vcpus":8,' "$(macvtap "$off")" 1
pairs "vhost off for all: 1" '"vcpus":8,"vhost":false,' "$(macvtap)" 1
pairs "vhost off and 4 asked for" '"vcpus":8,' "$(macvtap "$off"',"queues":4')" 4
pairs "user: 1" '"vcpus":8,' '{"mode":"user"}' 1
pairs "a device that is not virtio-net: 1" '"vcpus":8,' "$(macvtap ',"device":{"driver":"e1000"}')" 1
pairs "three numbers pinned: 3" '' "$(macvtap ',"fds":[5,6,7]')" 3
over() { plan "$(top "$2\"nics\":[$3]")"; shift 3; refused "$@"; }
over _ '' "$(macvtap ',"queues":24')" "24 asked for, at most 16" 100 queues-over-max "24 queue pairs" "max_queues is 16"
over _ '"max_queues":8,' "$(macvtap ',"queues":9')" "9 asked for, at most 8" 100 queues-over-max "9 queue pairs" "max_queues is 8"

# --- pinned numbers -------------------------------------------------------------------------------------------
launch "$(nic "$(macvtap "$off"',"fds":[20,10]'),$(tap "$off"',"queues":2')")"
is "numbers that are asked for, the others around them" "$(given_fds)" "3 /dev/net/tun tm 0x5902
4 /dev/net/tun tm 0x5902
10 $mv mv 0x5002
20 $mv mv 0x5002"
is "  in the order of the queues" "$(given_arg -netdev | head -n 1)" "tap,id=net0,fds=20:10,vhost=off"
launch "$(nic "$(macvtap "$off"',"fds":[4,3]'),$(tap "$off")")"
is "numbers that the others would have had" "$(given_arg -netdev | tr '\n' ' ')" \
	"tap,id=net0,fds=4:3,vhost=off tap,id=net1,fd=5,vhost=off "
plan "$(nic "$(macvtap ',"fds":[3,4],"vhostfds":[5,6]')")"
has "numbers for vhost" "$(cat "$tmp/out")" "fds=3:4,vhost=on,vhostforce=on,vhostfds=5:6"
with="file 9=$tmp/desc"
plan "$(nic "$(macvtap "$off"',"fds":[8,9]')")"; refused "a number that is open" 100 pin-open '"path":"nics[0].fds[1]"' "descriptor 9"
with=
plan "$(nic "$(macvtap "$off"',"fds":[8,8]')")"; refused "a number twice" 100 "pin-twice pin-twice" "descriptor 8"
plan "$(nic "$(macvtap "$off"',"fds":[8]'),$(tap "$off"',"fds":[8]')")"; refused "a number for two NICs" 100 "pin-twice pin-twice"
plan "$(nic "$(macvtap ',"fds":[8,9],"vhostfds":[9,10]')")"; refused "a number for queue and vhost" 100 "pin-twice pin-twice"
plan "$(nic "$(macvtap "$off"',"fds":[8,9],"queues":3')")"; refused "two numbers for three queues" 100 pins-count "2 numbers for 3"
plan "$(nic "$(macvtap "$off"',"fds":[8],"vhostfds":[9]')")"; refused "numbers for vhost, which is off" 100 pins-conflict
plan "$(nic "$(tap "$off"',"handoff":false,"queues":2,"fds":[8,9]')")"
refused "numbers for a NIC that QEMU opens" 100 pins-conflict

# --- a NIC of the caller's own command line ----------------------------------------------------------------------
argv() { # NIC-REST ARGUMENT...
	_rest=$1; shift
	launch "$(nic "$(macvtap ',"netdev":"argv"'"$_rest")")" "$@"
}
dev() { echo "virtio-net-pci,netdev=net0,mac=$mac$1"; }
argv "$off" -netdev tap,id=net0,fds=7:8,vhost=off -device "$(dev ,mq=on,vectors=6)"
accepted "netdev and device of argv" "" "fd 7 rw" "fd 8 rw"
is "  its numbers are placed" "$(given_fds)" "7 $mv mv 0x5002
8 $mv mv 0x5002"
is "  and its words are all there are" "$(sed -n 's/^arg [1-9] //p' "$tmp/out" | tr '\n' ' ')" \
	"-netdev tap,id=net0,fds=7:8,vhost=off -device $(dev ,mq=on,vectors=6) "
argv "$off" -netdev '{"type":"tap","id":"net0","fds":"7:8","vhost":false}' \
	-device "{\"driver\":\"virtio-net-pci\",\"netdev\":\"net0\",\"mq\":true,\"vectors\":6,\"mac\":\"$mac\"}"
accepted "in JSON" "" "fd 7 rw" "fd 8 rw"
argv "$off" --netdev type=tap,fd=7,id=net0 -device "mac=$mac,driver=virtio-net-pci,netdev=net0"
accepted "with two dashes and every key by its name" "" "fd 7 rw"
argv "$off" -netdev tap,id=net0,fd=7
refused "without a device" 100 argv-device "argv has no device for this netdev"
argv "$off"',"device":false' -netdev tap,id=net0,fd=7
accepted "without a device, as the descriptor says" "" "fd 7 rw"
launch "{\"version\":1,\"args\":[\"-netdev\",\"tap,id=net0,fd=6\",\"-device\",\"$(dev '')\"],\"nics\":[$(macvtap "$off"',"netdev":"argv"')]}"
accepted "in the descriptor's args" "" "fd 6 rw"
argv '' -netdev tap,id=net0,fds=7:8,vhost=on,vhostfds=9:10 -device "$(dev ,mq=on,vectors=6)" --check
launch "$(nic "$(macvtap ',"netdev":"argv"')")" --plan=json -- -netdev tap,id=net0,fds=7:8,vhost=on,vhostfds=9:10 -device "$(dev ,mq=on,vectors=6)"
has "with vhost" "$rc $(cat "$tmp/out")" "0 " '"fd":9,"what":"vhost-net"' '"fd":10,"what":"vhost-net"'
# disagrees NAME CODE NIC-REST ARGUMENT...
disagrees() { _n=$1 _c=$2; shift 2; argv "$@"; refused "$_n" 100 "$_c" '"path":"nics[0].netdev"'; }
d1=$(dev '') d2=$(dev ,mq=on,vectors=6)
disagrees "no such netdev" argv-netdev "$off" -S
disagrees "a netdev of another id" argv-netdev "$off" -netdev tap,id=net1,fd=7 -device "$d1"
disagrees "an id in other letters" argv-netdev "$off" -netdev tap,id=NET0,fd=7 -device "$d1"
disagrees "a netdev of another type" argv-netdev "$off" -netdev user,id=net0 -device "$d1"
disagrees "a netdev without numbers" argv-netdev "$off" -netdev tap,id=net0,ifname=mv -device "$d1"
disagrees "other numbers than pinned" argv-netdev "$off"',"fds":[7,9]' -netdev tap,id=net0,fds=7:8 -device "$d2"
disagrees "another order than pinned" argv-netdev "$off"',"fds":[8,7]' -netdev tap,id=net0,fds=7:8 -device "$d2"
disagrees "fewer numbers than queues" argv-netdev "$off"',"queues":3' -netdev tap,id=net0,fds=7:8 -device "$d2"
disagrees "a number below 3" argv-netdev "$off" -netdev tap,id=net0,fds=2:7 -device "$d2"
disagrees "a name instead of a number" argv-netdev "$off" -netdev tap,id=net0,fd=net -device "$d1"
disagrees "an empty number" argv-netdev "$off" -netdev tap,id=net0,fds=7::8 -device "$d2"
disagrees "two queues without mq" argv-device "$off" -netdev tap,id=net0,fds=7:8 -device "$(dev ,vectors=6)"
disagrees "two queues with mq off" argv-device "$off" -netdev tap,id=net0,fds=7:8 -device "$(dev ,mq=off,vectors=6)"
argv "$off" --check -netdev tap,id=net0,fd=7 -device "$(dev ,mq=on,vectors=4)"
is "one queue with mq and vectors is taken, as QEMU does" "$rc $(codes error)" "0 "
disagrees "too few vectors" argv-device "$off" -netdev tap,id=net0,fds=7:8 -device "$(dev ,mq=on,vectors=4)"
disagrees "another address" argv-device "$off"',"mac":"52:54:00:00:00:01"' -netdev tap,id=net0,fd=7 \
	-device "$(dev ,mac=52:54:00:00:00:02)"
disagrees "the device of another netdev" argv-device "$off" -netdev tap,id=net0,fd=7 -device "virtio-net-pci,netdev=net1"
disagrees "vhost on, here off" argv-netdev "$off" -netdev tap,id=net0,fd=7,vhostfd=8 -device "$d1"
disagrees "vhost off, here on" argv-netdev ',"vhost":true' -netdev tap,id=net0,fd=7 -device "$d1"
disagrees "vhost on without numbers" argv-netdev '' -netdev tap,id=net0,fd=7,vhost=on -device "$d1"
argv "$off" -netdev tap,id=net0,fds=7:7 -device "$d2"; refused "a number twice on the command line" 100 "pin-twice pin-twice"
argv '' -netdev tap,id=net0,fds=7:8,vhost=on,vhostfds=9 -device "$d2"; refused "one number for two vhost" 100 pins-count
with="file 7=$tmp/desc"
argv "$off" -netdev tap,id=net0,fd=7 -device "$d1"; refused "a number that is open" 100 pin-open
with=
launch "$(nic "$(macvtap "$off"),$(macvtap "$off")")"; refused "two NICs on one link" 100 link-twice '"path":"nics[1].ifname"'
launch "$(nic "$(macvtap "$off")")" -netdev user,id=net0; refused "an id that the command line has" 100 duplicate-id '"path":"nics[0].id"'
launch "$(nic "$(macvtap "$off")")" -netdev '{"type":"user","id":"net0"}'; refused "an id that the command line has, in JSON" 100 duplicate-id

# --- facts that must hold -------------------------------------------------------------------------------------------
holds() { launch "$(nic "{$2$off,\"expect\":{$3}}")"; accepted "expect $1: holds" ""; }
fails() { _d=$2 _e=$3 _n=$1; shift 3; launch "$(nic "{$_d$off,\"expect\":{$_e}}")"; refused "expect $_n: does not" 101 expect "\"path\":\"nics[0].expect.$_n\"" "$@"; }
tm='"mode":"tap","ifname":"tm"' t1='"mode":"tap","ifname":"t1"' mvt='"mode":"macvtap","ifname":"mv"'
holds master "$tm" '"master":"br0"'
fails master "$tm" '"master":"br1"' "its master must be 'br1'"
fails master "$t1" '"master":"br0"' "it has none"
fails master "$tm" '"master":"nosuch0"' "there is no such link"
holds lower "$mvt" '"lower":"mv-l"'
fails lower "$mvt" '"lower":"br0"' "its lower must be 'br0'"
fails lower "$t1" '"lower":"br0"' "it has none"
holds up "$tm" '"up":true'
fails up "$tm" '"up":false' "must be down, but is up"
ip -n "$ns" link set t1 down
fails up "$t1" '"up":true' "must be up, but is down"
holds mtu "$tm" '"mtu":1500'
fails mtu "$tm" '"mtu":9000' "must be 9000, but is 1500"
holds mac "$mvt" "\"mac\":\"$(echo "$mac" | tr a-f A-F)\""
fails mac "$mvt" '"mac":"52:54:00:00:00:01"' "52:54:00:00:00:01, but is $mac"
holds owner "$tm" '"owner":1000'
fails owner "$tm" '"owner":0' "must be uid 0, but is uid 1000"
fails owner "$t1" '"owner":0' "it has none"
ip -n "$ns" link set tm nomaster
fails master "$tm" '"master":"br0","up":true' "it has none"
launch "$(nic "{$t1$off,\"expect\":{\"up\":true,\"mtu\":9000,\"owner\":5,\"master\":\"br0\",\"mac\":\"52:54:00:00:00:01\"}}")"
refused "expect: five that do not are five lines" 101 "expect expect expect expect expect"
launch "$(nic "{$tm$off,\"expect\":{}}")"; refused "expect: nothing" 100 descriptor-value '"path":"nics[0].expect"'
launch "$(nic "{$t1$off,\"queues\":2,\"expect\":{\"mtu\":9000}}")"
refused "expect hides no other problem" 101 "expect tap-not-multiqueue"
has "  and no warning" "$(cat "$tmp/err")" link-down
launch "$(nic "{\"mode\":\"bridge\",\"bridge\":\"br0\",\"helper\":\"/bin/true\"$off,\"expect\":{\"mtu\":9000}}")"
refused "expect of a bridge" 101 expect "must be 9000, but is 1500"
# a lower link in another namespace: its number there may be that of another link here
home=$ns
new_ns b; ip -n "$home" link add up0 type veth peer name far0
index=$(ip -n "$home" -o link show far0 | sed 's/:.*//')
ip -n "$home" link add link far0 name moved index $((ifindex_next + 30)) type macvtap mode bridge
ip -n "$home" link set moved netns "$ns"
ip -n "$ns" link set moved allmulticast on up; ip -n "$ns" link add name decoy index "$index" type bridge 2>/dev/null
make_node "$(node_of moved)" moved
launch "$(nic "{\"mode\":\"macvtap\",\"ifname\":\"moved\"$off,\"expect\":{\"lower\":\"decoy\"}}")"
refused "expect lower: a link of the same number in another namespace" 101 expect
ns=$home

# --- more of macvtap ---------------------------------------------------------------------------------------------
launch "$(nic "$(macvtap "$off")")"; has "the guest's address is the link's" "$(given_arg -device)" "mac=$mac"
launch "$(nic "$(macvtap "$off"',"mac":"52:54:00:00:00:01"')")"
accepted "another address: a warning" mac-differs "52:54:00:00:00:01" "$mac" "ip link set dev mv address 52:54:00:00:00:01"
launch "$(nic "$(macvtap "$off"),$(tap "$off,\"mac\":\"$mac\"")")"
refused "one address for two NICs" 100 mac-twice '"path":"nics[1].mac"' "nics[0] also has the address $mac"
if new_macvtap iv 2 ipvtap 2>/dev/null; then
	launch "$(nic "{\"mode\":\"macvtap\",\"ifname\":\"iv\",\"queues\":2$off}")"
	accepted "ipvtap" "" "iv 0x5002"
	is "  two queues, each of the right node" "$(given_fds)" "3 $(node_of iv) iv 0x5002
4 $(node_of iv) iv 0x5002"
else
	skip "ipvtap" "this kernel has no ipvtap"
fi
if [ -x "$QEMU" ]; then
	qemu=$QEMU
	{ nic "$(macvtap "$off"',"netdev":"argv"')"; printf '\n{"execute":"qmp_capabilities"}\n{"execute":"quit"}\n'; } >"$tmp/in"
	for form in "tap,id=net0,fds=7:8,vhost=off $(dev ,mq=on,vectors=6)" \
		"{\"type\":\"tap\",\"id\":\"net0\",\"fds\":\"7:8\",\"vhost\":false} \
{\"driver\":\"virtio-net-pci\",\"netdev\":\"net0\",\"mq\":true,\"vectors\":6,\"mac\":\"$mac\"}"; do
		launch_file "$tmp/in" -accel tcg -machine q35 -m 32 -nodefaults -no-user-config -display none -S -qmp stdio \
			-netdev "${form%% *}" -device "${form#* }"
		is "the real QEMU finds the descriptors of its own -netdev ${form%% *}" \
			"$rc $(grep -c host-qmp-quit "$tmp/out") $(err)" "0 1 "
	done
else
	skip "the real QEMU takes them" "needs $QEMU"
fi

# What ends the launch is listed before what is only worth knowing.
launch "$(nic '{"mode":"tap","ifname":"nosuch0"},{"mode":"user","device":{"driver":"virtio-net-no"}},
	{"mode":"tap","ifname":"nosuch1"}')" --check
is "errors come before warnings" \
	"$(sed -n 's/^{"level":"\([a-z]*\)".*/\1/p' "$tmp/err" | uniq | tr '\n' ' ')" "error warning "
done_testing
