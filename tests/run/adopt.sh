#!/bin/sh
# adopt.sh - "nics": "argv": backends that QEMU would open are opened for it, and the guest is the same
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
new_ns a
new_tap tap1
new_tap tap2
new_tap tap4 multi_queue
argv='{"version":1,"nics":"argv"}'
off=script=no,downscript=no

# planned NAME DESCRIPTOR WANT WORD...: the words of the plan after QEMU's name, joined by blanks
planned() {
	_name=$1 _desc=$2 _want=$3; shift 3
	launch "$_desc" --plan=json -- "$@"
	is "$_name" "$rc $(jq -r '.argv[1:] | join(" ")' "$tmp/out" 2>&1)" "0 $_want"
}
# adopted NAME WANT WORD...: the same with "nics": "argv"
adopted() {
	_adopted=$1 _words=$2; shift 2
	planned "$_adopted" "$argv" "$_words" "$@"
}

# --- what becomes of the words ------------------------------------------------------------------------------
dev=virtio-net-pci,netdev=n
adopted "a TAP" "-netdev tap,id=n,fd=3,vhost=off -device $dev" -netdev "tap,id=n,ifname=tap1,$off" -device "$dev"
adopted "four queues" "-netdev tap,id=n,fds=3:4:5:6,vhost=off -device $dev,mq=on,vectors=10" \
	-netdev "tap,id=n,ifname=tap4,$off,queues=4" -device "$dev,mq=on,vectors=10"
adopted "one queue of a TAP that has several" "-netdev tap,id=n,fd=3,vhost=off -device $dev" \
	-netdev "tap,id=n,ifname=tap4,$off" -device "$dev"
adopted "what goes with a descriptor stays, in its order" "-netdev tap,sndbuf=9,id=n,poll-us=7,fd=3,vhost=off" \
	-netdev "tap,sndbuf=9,ifname=tap1,id=n,script=,downscript=,poll-us=7"
adopted "JSON" "-netdev tap,id=a,,b,sndbuf=9,fd=3,vhost=off" \
	-netdev '{"type":"tap","id":"a,b","ifname":"tap1","script":"no","downscript":"no","sndbuf":9}'
adopted "-nic keeps its form" "-nic tap,model=virtio,mac=52:54:00:00:00:09,fd=3,vhost=off" \
	-nic "tap,model=virtio,ifname=tap1,$off,mac=52:54:00:00:00:09"
adopted "two, in argv's order, and every other word in its place" \
	"-m 64 -device virtio-net-pci,netdev=b -netdev tap,id=b,fd=3,vhost=off -smp 2 disk.img -netdev tap,id=a,fd=4,vhost=off -device e1000,netdev=a" \
	-m 64 -device virtio-net-pci,netdev=b -netdev "tap,id=b,ifname=tap2,$off" -smp 2 disk.img \
	-netdev "tap,id=a,ifname=tap1,$off" -device e1000,netdev=a
adopted "vhost decides, not vhostforce" "-netdev tap,id=n,fd=3,vhost=off" -netdev "tap,id=n,ifname=tap1,$off,vhost=off,vhostforce=on"
adopted "what is no TAP" "-netdev user,id=u -netdev socket,id=s,listen=:1 -net none" \
	-netdev user,id=u -netdev socket,id=s,listen=:1 -net none
with="file 20=$tmp/desc"
adopted "what has its descriptor" "-netdev tap,id=n,fd=20" -netdev tap,id=n,fd=20
with=
adopted "the name of an option as another's value" "-name -netdev -netdev tap,id=n,fd=3,vhost=off" \
	-name -netdev -netdev "tap,id=n,ifname=tap1,$off"
planned "words of the descriptor" "{\"version\":1,\"nics\":\"argv\",\"args\":[\"-m\",\"64\",\"-netdev\",\"tap,id=n,ifname=tap1,$off\"]}" \
	"-m 64 -netdev tap,id=n,fd=3,vhost=off -S" -S
planned "one NIC of the descriptor" '{"version":1,"nics":[{"mode":"tap","ifname":"tap4","id":"n","queues":2,"netdev":"argv"}]}' \
	"-netdev tap,id=n,fds=3:4,vhost=off -device $dev,mq=on,vectors=6" -netdev "tap,id=n,ifname=tap4,$off" -device "$dev,mq=on,vectors=6"

# --- said ---------------------------------------------------------------------------------------------------
launch "$argv" --plan=json -- -netdev "tap,id=n,ifname=tap1,$off" -device "$dev,mac=52:54:00:00:00:07"
has "the plan has the old word beside the new one" "$(cat "$tmp/out")" "\"replaces\":\"tap,id=n,ifname=tap1,$off\"" \
	'"netdev":"tap,id=n,fd=3,vhost=off"' '"mac":"52:54:00:00:00:07","mac_from":"argv"'
launch "$argv" --plan -- -netdev "tap,id=n,ifname=tap1,$off"
has "for eyes as well" "$(cat "$tmp/out")" "argv:   tap,id=n,ifname=tap1,$off" "becomes tap,id=n,fd=3,vhost=off"
# left NAME REASON WORD...: the words stay, with a warning
left() {
	_left=$1 _why=$2; shift 2
	launch '{"version":1,"nics":"argv","seccomp":"none"}' --plan=json -- "$@"
	is "$_left: stays" "$rc $(jq -r '.argv[1:] | join(" ")' "$tmp/out")" "0 $*"
	has "$_left: is said" "$(grep argv-left "$tmp/err")" "$_why"
}
left "no link is named" "it names no link" -netdev tap,id=n,script=no,downscript=no
left "a script" "script=no turns that off" -netdev tap,id=n,ifname=tap1,downscript=no
left "a script at the end" "downscript=no turns that off" -netdev tap,id=n,ifname=tap1,script=no
left "frames without a header" "vnet_hdr=off" -netdev "tap,id=n,ifname=tap1,$off,vnet_hdr=off"
long=$(printf '%020000d' 0)
left "a name that no link has" "no name of a link" -netdev "tap,id=n,ifname=$long,$off"
left "  with a slash" "no name of a link" -netdev "tap,id=n,ifname=../x,$off"
left "  of a bridge" "no name of a link" -netdev "bridge,id=n,br=$long"
left "  a helper that is a command" "its helper no path" -netdev "bridge,id=n,br=br0,helper=sh -c id"
left "-net" "-net has no form" -net nic -net "tap,ifname=tap1,$off"
printf '[netdev "n"]\n  type = "tap"\n  ifname = "tap1"\n  script = "no"\n  downscript = "no"\n' >"$tmp/config"
left "-readconfig" "-readconfig" -readconfig "$tmp/config"

# --- judged by the rules of every NIC -----------------------------------------------------------------------
launch "$argv" -- -netdev "tap,id=n,ifname=gone,$off"
refused "a TAP that is gone is not made anew" 101 link-missing '"object":"gone"'
launch "$argv" -- -netdev "tap,id=n,ifname=tap1,$off,queues=2"
refused "more queues than the TAP has" 101 tap-not-multiqueue
launch "$argv" -- -netdev "tap,id=n,ifname=tap1,$off" -netdev "tap,id=m,ifname=tap1,$off"
refused "one link twice" 100 link-twice
launch "$argv" -- -netdev "tap,id=n,ifname=tap1,$off,vhostforce=on"
refused "vhost that is forced, and missing" 101 node-missing '"path":"nics.vhost"'
launch '{"version":1,"nics":[{"mode":"tap","ifname":"tap2","id":"n","netdev":"argv"}]}' -- -netdev "tap,id=n,ifname=tap1,$off"
refused "another link than the descriptor's" 100 argv-netdev "names 'tap1', the descriptor 'tap2'"
launch '{"version":1,"nics":"args"}'
refused "another word than \"argv\"" 100 descriptor-type 'an array, or'

# --- what QEMU opens is what it would have opened, and the guest sees no difference ---------------------------
if [ -x "$QEMU" ]; then
	qemu=$QEMU
	# seen PROGRAM WORD...: what the monitor says of devices, and of the network but for descriptors
	seen() {
		_program=$1; shift
		printf 'info network\ninfo pci\nquit\n' | in_ns timeout 60 "$_program" "$@" 2>"$tmp/seen.err" |
			tr -d '\r' | grep -a '^ \|^Bus\|^[a-z0-9]*:' | sed 's/#net[0-9]*/#net/g; s/fds\{0,1\}=[0-9:]*//; s/ifname=[^,]*,script=[^,]*,downscript=[^,]*//'
	}
	same() {
		_same=$1; shift
		set -- -M pc -accel tcg -m 64 -nodefaults -display none -monitor stdio -S "$@"
		seen "$QEMU" "$@" >"$tmp/plain"
		printf '%s' "$argv" >"$tmp/adopting.json"
		export QEMU_HANDOFF_DESCRIPTOR="$tmp/adopting.json" QEMU_HANDOFF_QEMU="$QEMU"
		seen "$tmp/qemu-system-x86_64" "$@" >"$tmp/handed"
		unset QEMU_HANDOFF_DESCRIPTOR QEMU_HANDOFF_QEMU
		check "$_same: QEMU has a NIC" grep -q Ethernet "$tmp/plain"
		is "$_same: the same devices in the same places" "$(cat "$tmp/handed")" "$(cat "$tmp/plain")"
	}
	ln -sf "$QH" "$tmp/qemu-system-x86_64"
	same "two NICs" -device virtio-9p-pci,fsdev=f,mount_tag=t -fsdev "local,id=f,path=$tmp,security_model=none" \
		-netdev "tap,id=n,ifname=tap1,$off" -device "virtio-net-pci,netdev=n,mac=52:54:00:01:02:03" \
		-netdev "tap,id=m,ifname=tap2,$off" -device e1000,netdev=m,addr=9
	same "four queues" -netdev "tap,id=n,ifname=tap4,$off,queues=4" -device "virtio-net-pci,netdev=n,mq=on,vectors=10"
	# dstack-vmm's words: without vhost_net plain QEMU ends or aborts, and here the guest runs
	words="tap,id=net0,ifname=tap4,$off,vhost=on,queues=4"
	device=virtio-net-pci,netdev=net0,mq=on,vectors=10,mac=52:54:00:01:02:05
	dstack() {
		_program=$1 _words=$2
		seen "$_program" -M pc -accel tcg -m 64 -nodefaults -display none -monitor stdio -S \
			-fsdev "local,id=f,path=$tmp,security_model=none" -netdev "$_words" -device "$device" \
			-device virtio-9p-pci,fsdev=f,mount_tag=t
	}
	dstack "$QEMU" "tap,id=net0,ifname=tap4,$off,queues=4" >"$tmp/plain"
	dstack "$QEMU" "$words" >"$tmp/ended"
	export QEMU_HANDOFF_DESCRIPTOR="$tmp/adopting.json" QEMU_HANDOFF_QEMU="$QEMU"
	dstack "$tmp/qemu-system-x86_64" "$words" >"$tmp/handed"
	unset QEMU_HANDOFF_DESCRIPTOR QEMU_HANDOFF_QEMU
	is "vhost=on without vhost_net: plain QEMU has no NIC" "$(grep -c Ethernet "$tmp/ended")" 0
	check "  the words without vhost have one" grep -q Ethernet "$tmp/plain"
	is "  adopted, it is that guest, device by device" "$(cat "$tmp/handed")" "$(cat "$tmp/plain")"
	same "-nic" -nic "tap,ifname=tap1,$off,model=virtio-net-pci,mac=52:54:00:01:02:04"
else
	skip "what QEMU opens" "needs $QEMU"
fi
done_testing
