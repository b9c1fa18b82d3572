#!/bin/sh
# hints.sh - a hint that is a command is run as it stands, on the situation that it was printed for; then the launch succeeds
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
chmod 666 /dev/net/tun
for_all
new_ns a
ip -n "$ns" link add br0 type bridge && ip -n "$ns" link set br0 up
tap() { printf '{"mode":"tap","ifname":"%s","vhost":false%s}' "$1" "${2-}"; }
macvtap() { printf '{"mode":"macvtap","ifname":"%s","vhost":false%s}' "$1" "${2-}"; }
hint_of() { sed -n "s/^{\"level\":\"[a-z]*\",\"code\":\"$1\".*\"hint\":\"\(.*\)\"}$/\1/p" "$tmp/err" | sed 's/\\"/"/g'; }
show() { ip -n "$ns" -d -o link show "$1"; }
# works NAME CODE NIC [WARNINGS]: this problem; its hint is run by root as it is; then a launch starts, with these warnings
works() {
	launch "$(nic "$3")"
	case " $(codes error) $(codes warning) " in *" $2 "*) ;; *) not_ok "$1: $2"; note "$(cat "$tmp/err")"; return ;; esac
	_hint=$(hint_of "$2")
	if [ -n "$_hint" ] && in_ns sh -c "$_hint" >"$tmp/hint" 2>&1; then ok "$1: $_hint"
	else not_ok "$1: $_hint"; note "$(cat "$tmp/hint" "$tmp/err")"
	fi
	[ -z "${then-}" ] || $then
	launch "$(nic "$3")"
	accepted "  after it QEMU starts" "${4-}"
}
hold() { ip netns exec "$ns" "$WITH" "$@" -- sleep 60 & held=$!; }
drop() { kill "$held"; wait "$held" 2>/dev/null; }

# --- TAPs -------------------------------------------------------------------------------------------
new_tap t1
works "one queue, two are asked for" tap-not-multiqueue "$(tap t1 ',"queues":2')"
new_tap t2 user 4711
ip -n "$ns" link set t2 master br0 mtu 1400
works "one queue, in a bridge, of a user" tap-not-multiqueue "$(tap t2 ',"queues":2')"
has "  owner, bridge and MTU are as they were" "$(show t2)" "master br0" "mtu 1400" "user 4711" "multi_queue num"
under=$(as_uid 1001)
new_tap t3 user 1000
works "of another user" tap-owner "$(tap t3)"
new_tap t4 multi_queue user 1000
works "of another user, with multi_queue" tap-owner "$(tap t4 ',"queues":2')"
has "  which stays" "$(show t4)" "user 1001" "multi_queue num"
new_tap t5 user 1000
works "of another user, and two queues are asked for: one hint for both" tap-owner "$(tap t5 ',"queues":2')"
new_tap t6 group 4242
works "of another group" tap-owner "$(tap t6)"
new_tap t7
works "of nobody" tap-unowned "$(tap t7)"
has "  it has an owner then" "$(show t7)" "user 1001"
under=
hold tun 9=t8
wait_for 10 show t8
works "not persistent" tap-not-persistent "$(tap t8)"
drop
new_tap t9 user 0
ip -n "$ns" link set t9 down
works "down" link-down "$(tap t9)"

# --- macvtaps ---------------------------------------------------------------------------------------
# a container's /dev is no devtmpfs, in which the kernel would have made the node anew
again() { rm -f "$node"; make_node "$node" mv; }
new_macvtap mv 2
node=$(node_of mv)
then=again
works "two queues, four are asked for" queues-over-link "$(macvtap mv ',"queues":4')"
is "  the node has the same name" "$(node_of mv)" "$node"
then=
ip -n "$ns" link set mv down
works "a macvtap that is down" link-down "$(macvtap mv)"
ip -n "$ns" link set mv allmulticast off
works "multicast" multicast-off "$(macvtap mv)"
ip -n "$ns" link set mv-l down
works "its lower link is down" lower-down "$(macvtap mv)"
wait_for 10 sh -c "ip -n $ns link show mv-l | grep -q LOWER_UP"
ip -n "$ns" link add link mv-l name ml type macvlan mode bridge
new_node() { make_node "$(node_of ml)" ml; }
then=new_node
works "a macvlan" link-kind "$(macvtap ml)" multicast-off
done_testing
