#!/bin/sh
# hints.sh - a hint that is a command is run as it stands, on the situation that it was printed for; then the launch succeeds
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
chmod 666 /dev/net/tun
# a mark of a container that the host may have is no regular file any more
[ ! -e /.dockerenv ] || mount --bind /dev/null /.dockerenv
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

# a name may hold anything but '/', ':' and blanks, and is one word of the command
new_tap 't;id>x' user 0
ip -n "$ns" link set 't;id>x' down
works "a name with characters of the shell" link-down "$(tap 't;id>x')"
check "  which makes no file" [ ! -e x ]

# --- nodes ------------------------------------------------------------------------------------------
new_tap t10 user 1001
if awk '$5 == "/" { print $0 }' /proc/self/mountinfo | grep -q ' - overlay '; then
	skip "no /dev/net/tun" "this host is a container"
else
	rm -r /dev/net
	works "no /dev/net/tun" node-missing "$(tap t10)"
	echo file >/dev/tun && mv /dev/tun /dev/net/tun
	works "a file at its place" node-not-device "$(tap t10)"
fi
under=$(as_uid 1001)
chmod 600 /dev/net/tun
works "denied by its mode" node-access "$(tap t10)"
under=
if command -v setfacl >/dev/null && mknod -m 600 /dev/vhost-net c 10 238 && setfacl -m u:1:r /dev/vhost-net 2>/dev/null; then
	under=$(as_uid 1001)
	needs_vhost='{"mode":"tap","ifname":"t10","vhost":true}'
	launch "$(nic "$needs_vhost")" --check
	refused "/dev/vhost-net of root" 101 node-access
	_hint=$(hint_of node-access)
	check "  $_hint" in_ns sh -c "$_hint"
	launch "$(nic "$needs_vhost")" --check
	is "  after it the check passes" "$(codes error)" ""
	under=
else
	skip "/dev/vhost-net of root" "needs access lists"
fi
rm -f /dev/vhost-net
new_macvtap mn 1
node=$(node_of mn)
rm "$node"
works "a macvtap without its node" node-missing "$(macvtap mn)"
rm "$node"; mknod -m 600 "$node" c 10 200
works "a node of another device" node-wrong-device "$(macvtap mn)"
rm "$node"; echo file >"$node"
works "a file in its place" node-not-device "$(macvtap mn)"
under=$(as_uid 1001)
works "a node of root" node-access "$(macvtap mn)"
rm "$node"
works "a macvtap without its node, for a user" node-missing "$(macvtap mn)"
rm "$node"; mknod -m 666 "$node" c 10 200
works "a node of another device, for a user" node-wrong-device "$(macvtap mn)"
under=

# --- a user namespace, whose capabilities do not count in this network ---------------------------------
if unshare -Ur true 2>/dev/null; then
	new_tap t11 user 4711
	under="unshare -Ur"
	launch "$(nic "$(tap t11)")" --check
	refused "a TAP of another, in a user namespace: the check says so" 101 tap-owner "another user namespace owns it"
	works "  and what helps" tap-owner "$(tap t11)"
	new_tap t12 user 4711
	under="$(as_uid 1001) unshare -Ur"
	works "a TAP of another, in a user namespace of a user" tap-owner "$(tap t12)"
	has "  it belongs to the user" "$(show t12)" "user 1001"
	under="unshare -Urn"
	launch "$(nic "$(tap t12)")" --check
	refused "a network of one's own" 101 link-missing
	under=
else
	skip "a user namespace" "needs one"
fi

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

# --- a network namespace whose sysfs is not there ---------------------------------------------------------
# within WORDS: launch $1 by them, in place of 'ip netns exec'
within() {
	printf '#!/bin/sh\nexec %s "$@"\n' "$1" >"$tmp/within" && chmod 755 "$tmp/within"
	ns='' under=$tmp/within; launch "$2"; ns=$space under=''
}
space=$ns
entered="nsenter --net=/run/netns/$ns"
within "$entered" "$(nic "$(macvtap mn)")"
refused "the sysfs of another network namespace" 101 sysfs-other-namespace
words=$(hint_of sysfs-other-namespace)
within "$entered ${words#*: }" "$(nic "$(macvtap mn)")"
accepted "  with these words before it QEMU starts: ${words#*: }"
v2=$(awk '$3 == "cgroup2" { print $2 }' /proc/mounts | grep -m 1 '^/sys/fs/cgroup')
if [ -n "$v2" ] && mkdir "$v2/qh$$" 2>/dev/null; then
	cgroups=$v2/qh$$
	joins="{\"version\":1,\"cgroup\":\"$cgroups\",\"nics\":[$(macvtap mn)]}"
	launch "$joins"
	refused "a cgroup that 'ip netns exec' hides" 101 cgroup-missing "nsenter --net=/run/netns/NAME"
	within "$entered" "$joins"
	refused "  with nsenter it is found, and the sysfs is another's" 101 sysfs-other-namespace
	words=$(hint_of sysfs-other-namespace)
	within "$entered ${words#*: }" "$joins"
	accepted "  with these words before it QEMU starts in the cgroup: ${words#*: }"
	# cgroup NAME CODE: what its hint says is run; then a launch joins it
	cgroup() {
		within "$entered" "$joins"
		_hint=$(hint_of "$2")
		if [ "$(codes error)" = "$2" ] && sh -c "$_hint" 2>"$tmp/hint"; then ok "$1: $_hint"
		else not_ok "$1: $_hint"; note "$(cat "$tmp/hint" "$tmp/err")"
		fi
		within "$entered" "$joins"
		accepted "  after it QEMU starts"
	}
	joins="{\"version\":1,\"cgroup\":\"$cgroups/a;b\"}"
	cgroups="$cgroups/a;b $cgroups"
	cgroup "a cgroup that is not there" cgroup-missing
	echo 1 >"$v2/qh$$/a;b/cgroup.freeze"
	cgroup "a cgroup that is frozen" cgroup-frozen
else
	skip "a cgroup that 'ip netns exec' hides" "needs a cgroup2 to write to"
fi
done_testing
