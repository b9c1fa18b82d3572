#!/bin/sh
# netdev-words.sh - the real QEMU takes the words of each mode as an option text and as JSON
#
# QEMU checks a netdev when it makes it. The descriptors behind the numbers are those of real queues where that can be.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
[ -x "$QEMU" ] || skip_all "needs $QEMU"
words=$BUILDDIR/tests/run/netdevwords
new_ns w
new_tap tap1
new_tap tap4 multi_queue
new_macvtap mvt 4

# taken NAME NIC OPTIONS...: QEMU takes the netdev of the plan for NIC in both forms, and ends by itself
taken() {
	_name=$1; shift
	nic "$1" >"$tmp/desc"
	for _form in option json; do
		# the program opens what the plan says, and prints the netdev in this form
		printf 'quit\n' | in_ns timeout 60 "$words" "$_form" "$QEMU" "$tmp/desc" >"$tmp/out" 2>&1
		_rc=$?
		# the monitor echoes what it reads; QEMU's own lines begin with its name
		is "$_name, as $_form" "$_rc $(grep -a '^qemu' "$tmp/out" | grep -av 'has no peer')" "0 "
	done
}
taken "user" '{"mode":"user","options":{"hostfwd":["tcp:127.0.0.1:0-:22","udp:127.0.0.1:0-:53"],"restrict":"on","ipv6":false}}'
taken "a TAP" '{"mode":"tap","ifname":"tap1","vhost":false}'
taken "a TAP of four queues" '{"mode":"tap","ifname":"tap4","vhost":false,"queues":4}'
taken "a TAP that QEMU opens" '{"mode":"tap","ifname":"tap4","vhost":false,"queues":2,"handoff":false}'
taken "a macvtap" '{"mode":"macvtap","ifname":"mvt","vhost":false}'
taken "a macvtap of four queues" '{"mode":"macvtap","ifname":"mvt","vhost":false,"queues":4}'
taken "JSON of the descriptor's own" '{"mode":"custom","netdev":"{\"type\":\"user\",\"id\":\"net0\"}"}'
done_testing
