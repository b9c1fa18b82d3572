#!/bin/sh
# frames.sh - what the warnings about links say is so: frames are sent through real links, as they are and after the hint
#
# Each case launches a guest, counts the frames of one kind (a) that reach it, does what the hint says, and counts again.
# After them goes a frame to everybody (e), at which the guest tells its count: nothing here waits for time to pass.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
new_ns a
qemu=$BUILDDIR/tests/run/frames
# shellcheck disable=SC2034 # read by stay
ready='^ready'
all=ff:ff:ff:ff:ff:ff guest=52:54:00:00:00:77
told=0

send() { in_ns "$qemu" send "$@"; }
# told_more: has the guest told of one more end than before?
told_more() { [ "$(grep -c '^seen' "$tmp/out")" -gt "$told" ]; }
# seen: what it told of it
seen() {
	wait_for 20 told_more || { echo nothing; return; }
	told=$(grep -c '^seen' "$tmp/out")
	grep '^seen' "$tmp/out" | tail -n 1
}
# counts NAME IFNAME DESTINATION WANT: send five there and the end behind them
counts() { send "$2" "$3" a 5; send "$2" "$all" e 1; is "$1" "$(seen)" "seen a$4 b0 c0"; told=$(grep -c '^seen' "$tmp/out"); }
# dropped NAME IFNAME: frames to a multicast group do not arrive; $group is that one. The kernel keeps the groups of a
# macvtap in 256 bits by a random hash (drivers/net/macvlan.c, mc_hash), so that a group may share the bit of another.
dropped() {
	for group in 33:33:ff:00:00:01 33:33:ff:00:00:02 33:33:ff:00:00:03; do
		send "$2" "$group" a 5; send "$2" "$all" e 1
		_seen=$(seen); told=$(grep -c '^seen' "$tmp/out")
		[ "$_seen" != "seen a0 b0 c0" ] || break
	done
	is "$1" "$_seen" "seen a0 b0 c0"
}
hint_of() { sed -n "s/^{\"level\":\"[a-z]*\",\"code\":\"$1\".*\"hint\":\"\(.*\)\"}$/\1/p" "$tmp/err" | sed 's/\\"/"/g'; }
# follow NAME CODE: do what its hint says
follow() {
	_hint=$(hint_of "$2")
	if [ -n "$_hint" ] && in_ns sh -c "$_hint" >"$tmp/hint" 2>&1; then ok "$1: $_hint"
	else not_ok "$1: $_hint"; note "$(cat "$tmp/hint" "$tmp/err")"
	fi
}
# guest NAME WARNINGS NIC: it runs, with these warnings
guest() {
	stay "$(nic "$3")"
	told=0
	is "$1" "$(codes warning) $(codes error)" "$2 "
}
# bare_macvtap NAME MODE: as ip makes it
bare_macvtap() {
	ifindex_next=$((ifindex_next + 1))
	ip -n "$ns" link add "$1-l" type veth peer name "$1-p" && ip -n "$ns" link set "$1-l" up && ip -n "$ns" link set "$1-p" up &&
	ip -n "$ns" link add link "$1-l" name "$1" index "$ifindex_next" type macvtap mode "$2" && ip -n "$ns" link set "$1" up &&
	make_node "$(node_of "$1")" "$1"
}
macvtap() { printf '{"mode":"macvtap","ifname":"%s","vhost":false%s}' "$@"; }
tap() { printf '{"mode":"tap","ifname":"%s","vhost":false%s}' "$@"; }

# --- multicast ---------------------------------------------------------------------------------------
for mode in bridge private vepa passthru; do
	bare_macvtap "g$mode" "$mode"
	guest "multicast, $mode: a warning" multicast-off "$(macvtap "g$mode" '')"
	dropped "  none of a group that the guest joined arrives" "g$mode-p"
	counts "  frames to the guest do" "g$mode-p" "$(mac_of "g$mode")" 5
	follow "  after the hint" multicast-off
	counts "  it arrives" "g$mode-p" "$group" 5
	leave
	guest "  and no warning is left" "" "$(macvtap "g$mode" '')"
	leave
done

# --- the guest's address on a macvtap -----------------------------------------------------------------
for mode in bridge private vepa; do
	mv=g$mode
	guest "another address, $mode: a warning" mac-differs "$(macvtap "$mv" ",\"mac\":\"$guest\"")"
	counts "  no frame to it arrives" "$mv-p" "$guest" 0
	follow "  after the hint" mac-differs
	counts "  they arrive" "$mv-p" "$guest" 5
	leave
	guest "  and no warning is left" "" "$(macvtap "$mv" ",\"mac\":\"$guest\"")"
	leave
done
before=$(mac_of gpassthru-l)
guest "another address, passthru: no warning" "" "$(macvtap gpassthru ",\"mac\":\"$guest\"")"
counts "  frames to it arrive" gpassthru-p "$guest" 5
is "  and the lower link has its own address" "$(mac_of gpassthru-l)" "$before"
leave
guest "the lower link's address: a warning" mac-taken "$(macvtap gbridge ",\"mac\":\"$(mac_of gbridge-l)\"")"
counts "  no frame to it arrives" gbridge-p "$(mac_of gbridge-l)" 0
leave
guest "  without \"mac\", none" "" "$(macvtap gbridge '')"
counts "  frames to the link's arrive" gbridge-p "$(mac_of gbridge)" 5
leave

# --- mode source --------------------------------------------------------------------------------------
bare_macvtap gsource source
guest "mode source with an empty list: a warning" source-empty "$(macvtap gsource '')"
send gsource-p "$(mac_of gsource)" a 5
follow "  after the hint" source-empty
send gsource-p "$all" e 1
is "  none of before arrived" "$(seen)" "seen a0 b0 c0"; told=1
counts "  and the next do" gsource-p "$(mac_of gsource)" 5
leave
ip -n "$ns" link set dev gsource type macvtap mode source
ip -n "$ns" link set dev gsource type macvtap macaddr add 02:00:00:00:00:aa
guest "mode source goes by the sender: no warning for another address" "" "$(macvtap gsource ",\"mac\":\"$guest\"")"
counts "  frames to it arrive" gsource-p "$guest" 5
counts "  and to groups" gsource-p 33:33:ff:00:00:01 5
leave

# --- what a macvtap lies on ------------------------------------------------------------------------------
ip -n "$ns" link set gbridge-l down
guest "the lower link is down: a warning" lower-down "$(macvtap gbridge '')"
send gbridge-p "$(mac_of gbridge)" a 5
follow "  after the hint" lower-down
wait_for 10 sh -c "ip -n $ns link show gbridge-p | grep -q LOWER_UP"
send gbridge-p "$all" e 1
is "  none of before arrived" "$(seen)" "seen a0 b0 c0"; told=1
counts "  and the next do" gbridge-p "$(mac_of gbridge)" 5
leave
ip -n "$ns" link set gbridge-p down
guest "the lower link has no carrier: a warning" no-carrier "$(macvtap gbridge '')"
leave
ip -n "$ns" link set gbridge-p up
wait_for 10 sh -c "ip -n $ns link show gbridge-l | grep -q LOWER_UP"
guest "  and none with it" "" "$(macvtap gbridge '')"
leave

# The guest's own frames: it answers, and what comes out at the other end is counted there.
ip -n "$ns" link set gbridge protodown on
guest "its own carrier is turned off: a warning" no-carrier "$(macvtap gbridge '')"
in_ns "$qemu" listen gbridge-p >"$tmp/heard" & listener=$!
wait_for 10 grep -q ready "$tmp/heard"
counts "  frames to the guest arrive" gbridge-p "$(mac_of gbridge)" 5
send gbridge-p "$(mac_of gbridge)" q 5
counts "  which has taken those that it answers" gbridge-p "$(mac_of gbridge)" 5
follow "  after the hint" no-carrier
answers() { send gbridge-p "$(mac_of gbridge)" q 3; send gbridge-p "$(mac_of gbridge)" z 1; grep '^seen' "$tmp/heard"; }
wait_for 10 answers
is "  its answers come out, and none of before" "$(grep -m 1 '^seen' "$tmp/heard")" "seen a3 b0 c0"
kill "$listener"; wait "$listener" 2>/dev/null
leave
guest "  and no warning is left" "" "$(macvtap gbridge '')"
leave

# --- what a TAP is a port of --------------------------------------------------------------------------------
ip -n "$ns" link add br0 type bridge
ip -n "$ns" link add p0 type veth peer name p0-b
ip -n "$ns" link set p0 up; ip -n "$ns" link set p0-b master br0 up
new_tap t0
ip -n "$ns" link set t0 master br0
guest "the bridge is down: a warning" master-down "$(tap t0 ",\"mac\":\"$guest\"")"
send p0 "$guest" a 5
follow "  after the hint" master-down
wait_for 10 sh -c "bridge -n $ns link show dev t0 | grep -q forwarding"
wait_for 10 sh -c "bridge -n $ns link show dev p0-b | grep -q forwarding"
send p0 "$all" e 1
is "  none of before arrived" "$(seen)" "seen a0 b0 c0"; told=1
counts "  and the next do" p0 "$guest" 5
leave
# taken NAME ADDRESS: the guest has an address for which the host answers
taken() {
	guest "$1: a warning" mac-taken "$(tap t0 ",\"mac\":\"$2\"")"
	wait_for 10 sh -c "bridge -n $ns link show dev t0 | grep -q forwarding"
	counts "  no frame to it arrives" p0 "$2" 0
}
own=$(mac_of t0)
taken "the TAP's own address" "$own"
follow "  after the hint" mac-taken
counts "  they arrive" p0 "$own" 5
leave
guest "  and no warning is left" "" "$(tap t0 ",\"mac\":\"$own\"")"
leave
taken "the bridge's address" "$(mac_of br0)"; leave
taken "another port's address" "$(mac_of p0-b)"; leave
guest "an address of the guest's own: no warning" "" "$(tap t0 ",\"mac\":\"$guest\"")"
wait_for 10 sh -c "bridge -n $ns link show dev t0 | grep -q forwarding"
counts "  frames to it arrive" p0 "$guest" 5
leave

# --- a link in use ---------------------------------------------------------------------------------------------
hold() { ip netns exec "$ns" "$WITH" "$@" -- sleep 120 & held=$!; }
drop() { kill "$held"; wait "$held" 2>/dev/null; }
# share IFNAME: of 200 flows, how many reach the guest; the ends go by every queue, too
share() {
	send "$1" "$guest" a 200; send "$1" "$all" e 64
	wait_for 20 told_more || { echo 0; return; }
	grep '^seen' "$tmp/out" | sed -n 's/^seen a\([0-9]*\) .*/\1/p' | awk '{ n += $1 } END { print n + 0 }'
}
some() { [ "$1" -gt 0 ] && [ "$1" -lt 200 ]; }
new_tap tm multi_queue
ip -n "$ns" link set tm master br0
mac=",\"mac\":\"$guest\",\"queues\":2"
hold tun 9=tm tun 10=tm
wait_for 10 sh -c "ip -n $ns -d link show tm | grep -q 'numqueues 2'"
launch "$(nic "$(tap tm "$mac")")" --check
refused "a TAP of which another has two queues" 111 tap-busy "2 of its queues are attached to pid $held (sleep)"
launch "$(nic "$(tap tm "$mac")")"
refused "  at a launch, too" 111 tap-busy "pid $held (sleep)"
guest "  and shared by intent" "" "$(tap tm "$mac,\"shared\":true")"
wait_for 10 sh -c "bridge -n $ns link show dev tm | grep -q forwarding"
got=$(share p0)
check "  the guest gets a part of 200 flows: $got" some "$got"
leave
drop
guest "  alone" "" "$(tap tm "$mac")"
wait_for 10 sh -c "bridge -n $ns link show dev tm | grep -q forwarding"
is "  it gets them all" "$(share p0)" 200
leave
hold aside 9=tm
wait_for 10 sh -c "ip -n $ns -d link show tm | grep -q 'numdisabled 1'"
guest "a queue that is put aside, without vnet_hdr: a warning" tap-no-vnet-hdr "$(tap tm "$mac")"
has "  the guest's queues have none" "$(sed -n 's/^queue/& /p' "$tmp/out" | sed 's/$/./')" "3 tm." "4 tm."
wait_for 10 sh -c "bridge -n $ns link show dev tm | grep -q forwarding"
is "  and it gets all frames" "$(share p0)" 200
leave; drop
hold asidevnet 9=tm
wait_for 10 sh -c "ip -n $ns -d link show tm | grep -q 'numdisabled 1'"
guest "  with it (VNetHeader=yes), none" "" "$(tap tm "$mac")"
has "  the guest's queues have it" "$(cat "$tmp/out")" "queue 3 tm vnet_hdr" "queue 4 tm vnet_hdr"
leave; drop

# first NIC: a launch that stays beside the others
first() {
	nic "$1" >"$tmp/first"
	QEMU_HANDOFF_QEMU=$qemu ip netns exec "$ns" "$WITH" closefrom 3 -- "$QH" <"$tmp/first" >"$tmp/first.out" 2>&1 & first=$!
	wait_for 20 grep -q "^ready" "$tmp/first.out" || note "$(cat "$tmp/first.out")"
}
mv=gbridge
in_ns ip link set dev "$mv" address "$guest"
first "$(macvtap "$mv" '')"
launch "$(nic "$(macvtap "$mv" '')")" --check
refused "a macvtap that another launch has" 111 link-busy "in use by pid $first (frames)"
launch "$(nic "$(macvtap "$mv" '')")"
refused "  at a launch, too" 111 link-busy "in use by pid $first (frames)"
under="unshare -p -f --mount-proc"
if unshare -p -f --mount-proc true 2>/dev/null; then
	launch "$(nic "$(macvtap "$mv" '')")"
	refused "  from a pid namespace, in which it is not seen" 111 link-busy "in use by another launch"
else
	skip "  from a pid namespace" "needs one"
fi
under=
guest "  and shared by intent" "" "$(macvtap "$mv" ',"shared":true')"
got=$(share "$mv-p")
check "  the guest gets a part of 200 flows: $got" some "$got"
leave
kill "$first"; wait "$first" 2>/dev/null
guest "  alone" "" "$(macvtap "$mv" ',"queues":1')"
is "  it gets them all" "$(share "$mv-p")" 200
leave
guest "two NICs of one guest, by intent" "" "$(macvtap "$mv" ',"shared":true'),$(macvtap "$mv" ',"shared":true')"
has "  both have queues" "$(cat "$tmp/out")" "queue 3 $mv" "queue 4 $mv"
leave
done_testing
