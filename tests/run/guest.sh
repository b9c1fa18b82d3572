#!/bin/sh
# guest.sh - a real guest on real devices: what --plan says is what QEMU has and what the guest gets
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
need_root
command -v jq >/dev/null || skip_all "needs jq"
[ -x "$QEMU" ] || skip_all "needs $QEMU"
guest=${QH_GUEST_CACHE:-$BUILDDIR/guest}
"$SRCDIR/tests/guest/build" "$guest" >"$tmp/build" 2>&1 || { note "$(cat "$tmp/build")"; skip_all "no kernel for the guest"; }

new_ns a
new_macvtap mvt0 4
new_macvtap mvt1 1
new_tap tap0 multi_queue
new_tap tap1
links() { ip -n "$ns" -o link | sed 's/^[0-9]*: \([^:@]*\).*/\1/' | sort; }

# device_fds PID: "NUMBER PATH" of every descriptor that is a tap or macvtap queue or vhost (in a
# chroot the links have its path in front)
device_fds() {
	for _f in "/proc/$1/fd"/*; do
		_to=$(readlink "$_f")
		case $_to in */dev/tap*|*/dev/net/tun|*/dev/vhost-*) echo "${_f##*/} /dev/${_to##*/dev/}" ;; esac
	done | sort -n
}
file_id() { stat -L -c 'device %d, inode %i' "$1" 2>&1; }
# boot OPTION...: become the program, with nothing open but 0, 1 and 2, the descriptor on stdin and
# the guest's QEMU arguments. It becomes QEMU in turn: started with &, $! is QEMU's process id.
boot() {
	exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
	exec ip netns exec "$ns" "$SRCDIR/tests/guest/boot" "$guest" "$QH" "$@" <"$tmp/desc"
}
guest_said() { tr -d '\r' <"$tmp/out" | grep '^guest: '; }
guest_ready() { guest_said | grep -q '^guest: done' || ! kill -0 "$qemu"; }
descriptor() { # NIC
	printf '{"version":1,"vcpus":4,"qemu":"%s","nics":[%s]}\n' "$QEMU" "$1" >"$tmp/desc"
}

# guest MODE IFNAME QUEUES PEER: boot it on one link; peer.c answers on PEER
guest() {
	t="$1, queues $3:" links=$(links)
	descriptor "{\"mode\":\"$1\",\"ifname\":\"$2\",\"queues\":$3,\"vhost\":false}"
	ip netns exec "$ns" "$guest/peer" "$4" & peer=$!

	( boot --plan=json ) >"$tmp/plan" 2>"$tmp/err" || note "$(cat "$tmp/err")"
	is "$t the plan has one descriptor a queue" "$(jq -r '.fds[] | .what' "$tmp/plan" | grep -cx "$1")" "$3"

	# The guest stays up until it is killed: there is time to look however slow the machine is.
	: >"$tmp/out"	# what the last guest said is not this one's
	GUEST_STAY=600 boot >"$tmp/out" 2>"$tmp/err" & qemu=$!
	wait_for 400 guest_ready
	is "$t QEMU runs in the process that was started" "$(file_id "/proc/$qemu/exe")" "$(file_id "$QEMU")"
	is "$t QEMU has the planned descriptors and no other of a device" \
		"$(device_fds "$qemu")" "$(jq -r '.fds[] | "\(.fd) \(.path)"' "$tmp/plan" | sort -n)"
	has "$t the guest drives every channel" "$(guest_said)" "driver=virtio_net " " combined=$3 max=$3"
	[ "$1" != macvtap ] || has "$t the guest has the link's address" "$(guest_said)" " mac=$(mac_of "$2") "
	has "$t a frame crossed to the peer and back" "$(guest_said)" "eth0 frame=crossed by=peer"
	[ ! -s "$tmp/err" ] || note "stderr: $(cat "$tmp/err")"

	kill "$qemu" "$peer" 2>/dev/null
	wait "$qemu" 2>/dev/null
	_rc=$?
	[ "$_rc" = 0 ] || note "QEMU ended with status $_rc"	# SIGTERM ends it in order
	wait "$peer" 2>/dev/null
	is "$t no process is left in the namespace" "$(ip netns pids "$ns")" ""
	is "$t no link came or went" "$(links)" "$links"
	[ "$1" != tap ] || is "$t every queue of the TAP is free again" \
		"$(ip -n "$ns" -d -j link show "$2" | jq '.[0].linkinfo.info_data.numqueues // 0')" 0
}

guest macvtap mvt0 4 mvt0-p
guest macvtap mvt1 1 mvt1-p
guest tap tap0 4 tap0
guest tap tap1 1 tap1
# A microvm has no PCI: its device is virtio-net-device, which has no vectors, and still every channel is there.
GUEST_MACHINE=microvm
export GUEST_MACHINE
guest tap tap0 4 tap0
has "  the device is the one of a microvm" "$(jq -r '.nics[0].device' "$tmp/plan")" "virtio-net-device,netdev=net0," ",mq=on"
unset GUEST_MACHINE

# User mode networking has no device. Here the guest leaves by itself, and QEMU's status is ours.
descriptor '{"mode":"user"}'
( boot ) >"$tmp/out" 2>"$tmp/err"
is "user: QEMU's own exit status" $? 0
has "user: QEMU answered the guest" "$(guest_said)" "combined=1 max=1" "eth0 frame=crossed by=10.0.2.2" "guest: done"
[ ! -s "$tmp/err" ] || note "stderr: $(cat "$tmp/err")"
done_testing
