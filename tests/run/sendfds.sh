#!/bin/sh
# sendfds.sh - what a launch opens can be sent to another process: nothing is placed, and each link is found there
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
new_ns s
new_tap tap1
new_tap tap2 multi_queue
new_macvtap mvt 2

send() { # NICS: rc and what the other process found, sorted
	nic "$1" >"$tmp/desc"
	in_ns timeout 60 "$BUILDDIR/tests/run/sendfds" "$tmp/desc" "$BUILDDIR/tests/run/fakeqemu" >"$tmp/out" 2>&1
	echo "$? $(tr '\n' ',' <"$tmp/out")"
}
is "a macvtap of two queues" "$(send '{"mode":"macvtap","ifname":"mvt","queues":2,"vhost":false}')" \
	"0 macvtap link mvt,macvtap link mvt,"
is "two TAPs" "$(send '{"mode":"tap","ifname":"tap2","queues":2,"vhost":false},{"mode":"tap","ifname":"tap1","vhost":false}')" \
	"0 tap link tap2,tap link tap2,tap link tap1,"
is "what is refused opens nothing" "$(send '{"mode":"tap","ifname":"tap1","queues":2,"vhost":false}' | cut -d' ' -f1)" 1
done_testing
