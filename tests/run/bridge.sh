#!/bin/sh
# bridge.sh - qemu-bridge-helper: the real one, and stand-ins that do everything wrong
# shellcheck disable=SC2030,SC2031 # launches that run beside others have a $tmp of their own
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
# an /etc of our own, too: the access list is at a fixed place
cp -a /etc "$tmp/etc" && mkdir -p "$tmp/etc/qemu"
mount --bind "$tmp/etc" /etc || skip_all "needs to mount an /etc of its own"
conf=/etc/qemu/bridge.conf
for_all
cp "$BUILDDIR/tests/run/fakehelper" "$tmp/bin"
helper=$tmp/bin/fakehelper
real=/usr/lib/qemu/qemu-bridge-helper
new_ns a
ip -n "$ns" link add br0 type bridge
ip -n "$ns" link set br0 up
links() { ip -n "$ns" -o link | sed 's/^[0-9]*: \([^:@]*\).*/\1/' | sort; }
before=$(links)
nothing_left() {
	if [ "$(links)" = "$before" ] && [ -z "$(ip netns pids "$ns")" ]; then ok "  nothing is left behind"
	else not_ok "  nothing is left behind"; note "$(links)" "$(ip netns pids "$ns")"; fi
}
bridge() { nic "{\"mode\":\"bridge\",\"bridge\":\"$1\"${2-}}"; }

# --- the stand-ins --------------------------------------------------------------------------------------
for b in right acl parse perm open mtu add binary hang late endless silent nofd text one two twice many null itself \
	unattached nohdr tun signal status; do
	echo "link add name $b type bridge"; echo "link set dev $b up"
done | ip -n "$ns" -batch -
before=$(links)
fake() { bridge "$1" ",\"vhost\":false,\"helper\":\"$helper\""; }
# The slow ones run beside the rest.
for b in hang late endless; do
	( tmp=$tmp/$b; mkdir "$tmp"; _from=$(date +%s); launch "$(fake $b)"; echo $(($(date +%s) - _from)) >"$tmp/took" ) &
done
launch "$(fake right)"
accepted "a helper that does everything right" "" "tap,id=net0,fd=3,vhost=off"
has "  its queue is QEMU's, as descriptor 3" "$(given_fds)" "3 /dev/net/tun tap" " 0x5002"
is "  and only that" "$(given_fds | wc -l)" 1
with="file 3=$tmp/desc lock 4=$tmp/desc block 15 ignore 17"
launch "$(fake right)"; accepted "  also beside descriptors and signals of the caller" "" "fd=5,vhost=off"
with=
# wrong NAME BRIDGE STATUS CODE [PART]...
wrong() {
	_n=$1 _b=$2 _s=$3 _c=$4; shift 4
	launch "$(fake "$_b")"
	refused "a helper that $_n" "$_s" "$_c" '"path":"nics[0].bridge"' "$@"
}
wrong "is denied by its access list" acl 101 acl-denied "it ended with status 1: access denied by acl file"
wrong "cannot read its access list" parse 101 acl-unreadable "failed to parse default acl file"
wrong "lacks the privilege" perm 101 helper-not-privileged "failed to create tun device: Operation not permitted" "chmod u+s"
chmod u+s "$helper"
wrong "is set-uid and lacks it all the same" perm 101 helper-not-privileged "Operation not permitted" '"hint":"the helper is set-uid root: look for a nosuid mount'
chmod u-s "$helper"
wrong "may not open /dev/net/tun" open 111 helper-failed "failed to open /dev/net/tun: Permission denied"
wrong "finds no bridge" mtu 111 helper-failed "failed to get mtu of bridge"
wrong "cannot add the TAP" add 111 helper-failed "failed to add interface"
wrong "prints rubbish" binary 111 helper-failed 'it ended with status 1: \u0001\u001b[31m'
wrong "ends without a word" silent 111 helper-protocol "0 descriptors in 0 messages"
wrong "sends no descriptor" nofd 111 helper-protocol "0 descriptors in 1 messages"
wrong "sends a text" text 111 helper-protocol "something else than one zero byte"
wrong "sends another byte" one 111 helper-protocol "something else than one zero byte"
wrong "sends two descriptors" two 111 helper-protocol "2 descriptors in 1 messages"
wrong "sends twice" twice 111 helper-protocol "2 descriptors in 2 messages"
wrong "sends 200 descriptors" many 111 helper-protocol
wrong "sends /dev/null" "null" 111 helper-protocol "is not a TAP"
wrong "sends the socket itself" itself 111 helper-protocol "is not a TAP"
wrong "sends a TAP that is not attached" unattached 111 helper-protocol "is not a TAP"
wrong "sends a TAP without vnet_hdr" nohdr 111 helper-protocol "has no vnet_hdr"
wrong "sends a tun" tun 111 helper-protocol
wrong "dies by a signal" signal 111 helper-failed "it was killed by signal 9"
wrong "sends a TAP and fails" status 111 helper-failed "it ended with status 3"
launch "$(bridge br0 ",\"vhost\":false,\"helper\":\"$tmp/none\"")"
refused "a helper that is missing" 101 helper-missing "$tmp/none" '"path":"nics[0].helper"'
launch "$(bridge br0 ",\"vhost\":false,\"helper\":\"$tmp/desc\"")"
refused "a helper that is not executable" 101 helper-not-executable EACCES
launch "$(bridge br0 ",\"vhost\":false,\"helper\":\"$tmp\"")"
refused "a helper that is a directory" 101 helper-not-executable
printf 'text' >"$tmp/text"; chmod 755 "$tmp/text"
launch "$(bridge br0 ",\"vhost\":false,\"helper\":\"$tmp/text\"")"
refused "a helper of no known format" 111 helper-failed "it could not be started" ENOEXEC
under=$(as_uid 1000)
launch "$(fake right)"
refused "a helper that is not set-uid, as another user" 101 helper-not-privileged "not set-uid root, and uid 1000 has no CAP_NET_ADMIN" "chmod u+s"
chmod 4755 "$helper"
under="$under --no-new-privs"
launch "$(fake right)"
refused "a set-uid helper under no_new_privs" 101 helper-not-privileged "no_new_privs is set on this process"
chmod 755 "$helper"
under=
launch "$(bridge br0 ",\"queues\":2,\"vhost\":false,\"helper\":\"$helper\"")"
refused "two queues" 100 queues-backend "mode 'bridge' serves one"
wait
for b in hang late endless; do
	( tmp=$tmp/$b; read -r rc <"$tmp/rc"; echo "$rc $(codes error) $(cat "$tmp/took")" ) >"$tmp/said"
	has "a helper that does not end ($b)" "$(cat "$tmp/said" "$tmp/$b/err" "$tmp/$b/out")" "111 helper-timeout 1" "not done after 10 s, it was killed"
done
nothing_left

# --- the real helper --------------------------------------------------------------------------------------
if [ ! -x "$real" ]; then
	skip "the real helper" "needs $real"
	done_testing; exit 0
fi
acl() { rm -f "$conf"; [ $# = 0 ] || printf '%s\n' "$@" >"$conf"; }
acl "# guests" "allow br0"
stay "$(bridge br0 ',"vhost":false')" --stay
tap=$(given_fds | sed 's/.* \(tap[0-9]*\) 0x.*/\1/')
is "the real helper's queue is QEMU's" "$(given_fds)" "3 /dev/net/tun $tap 0x5002"
has "  in the bridge and up" "$(ip -n "$ns" -o link show "$tap")" "master br0" ",UP"
is "  without a process beside QEMU" "$(ip netns pids "$ns")" "$pid"
leave
nothing_left
# denied NAME CODE [PART]...: and the helper is not started
denied() {
	_n=$1 _c=$2; shift 2
	under="strace -f -qq -o $tmp/trace -e trace=execve,openat"
	launch "$(bridge br0 ',"vhost":false')"; under=
	refused "access list $_n" 101 "$_c" "\"object\":\"$conf\"" '"path":"nics[0].bridge"' "$@"
	check "  the helper is not started" sh -c "! grep -E 'execve.*bridge-helper|/dev/net/tun' '$tmp/trace'"
}
if command -v strace >/dev/null; then
	acl; denied "missing" acl-missing ENOENT "add the line 'allow br0' to the file"
	acl ""; denied "empty" acl-denied "does not allow the bridge 'br0'"
	acl "allow br1"; denied "for another bridge" acl-denied
	acl "allow all" "deny br0"; denied "that allows all and denies this one" acl-denied
	acl "deny all" "allow br0"; denied "that denies all" acl-denied
	acl "#allow br0"; denied "with the line in a comment" acl-denied
else
	skip "access lists that deny" "needs strace"
fi
allowed() { launch "$(bridge br0 ',"vhost":false')"; accepted "access list $1" "" "0x5002"; }
acl "allow all"; allowed "that allows all"
acl "  allow   br0  " "" "   # br1"; allowed "with blanks"
acl "allow	br0"; allowed "with a tab"
acl "allow br0" "permit br1"
launch "$(bridge br0 ',"vhost":false')"
refused "access list with a word that the helper does not know" 101 acl-unreadable "Unknown command \`permit'"
acl "allow br0" "deny"
launch "$(bridge br0 ',"vhost":false')"
refused "access list with a line that is not whole" 101 acl-unreadable "Invalid config line"
echo "allow br0" >"$tmp/more.conf"
acl "include $tmp/more.conf"; allowed "that includes one"
acl "allow br0" "include $tmp/none"; allowed "that includes one that is missing"
acl "allow br0"
chmod 640 "$conf"
under=$(as_uid 1000)
launch "$(bridge br0 ',"vhost":false')"
refused "access list of root, not set-uid, as another user" 101 helper-not-privileged
cp "$real" "$tmp/bin/setuid"; chmod 4755 "$tmp/bin/setuid"; chmod 666 /dev/net/tun
mount --bind "$tmp/bin/setuid" "$real" 2>/dev/null
launch "$(bridge br0 ',"vhost":false')"
refused "access list that this user may not read" 101 acl-unreadable EACCES "let uid 1000 read it"
chmod 644 "$conf"
launch "$(bridge br0 ',"vhost":false')"
accepted "a set-uid helper, as another user" "" "0x5002"
under=
umount "$real"
nothing_left

# --- vhost, and the forms in which QEMU runs the helper ---------------------------------------------------
launch "$(bridge br0 ',"handoff":false,"vhost":false')"
refused "handoff false under the filter: QEMU could not run the helper" 100 seccomp-needs '"path":"nics[0]"' '"seccomp\": \"none'
nic() { printf '{"version":1,"seccomp":"none","nics":[%s]}' "$1"; }
device=virtio-net-pci,netdev=net0
plan() { # NAME NIC-REST NETDEV [WARNINGS]
	launch "$(bridge br0 "$2")" --plan=json
	is "$1" "$rc $(codes warning) $(codes error) $(sed 's/.*"argv":\[//; s/\].*//' "$tmp/out")" \
		"0 ${4-}  \"$FAKE\",\"-netdev\",\"$3\",\"-device\",\"$device\""
}
mknod -m 600 /dev/vhost-net c 10 238
plan "with vhost" "" "tap,id=net0,fd=3,vhost=on,vhostforce=on,vhostfd=4"
plan "handoff false, vhost absent" ',"handoff":false' "tap,id=net0,br=br0,helper=$real,vhost=on"
plan "handoff false, vhost on" ',"handoff":false,"vhost":true' "tap,id=net0,br=br0,helper=$real,vhost=on"
plan "handoff false, vhost off" ',"handoff":false,"vhost":false' "bridge,id=net0,br=br0"
plan "handoff false, a helper of one's own" ",\"handoff\":false,\"helper\":\"$helper\"" \
	"tap,id=net0,br=br0,helper=$helper,vhost=on"
mkdir "$tmp/a,b"; cp "$helper" "$tmp/a,b/help"
plan "handoff false, a helper with a comma in its path" ",\"handoff\":false,\"helper\":\"$tmp/a,b/help\"" \
	"tap,id=net0,br=br0,helper=$tmp/a,,b/help,vhost=on"
mkdir "$tmp/a b"; cp "$helper" "$tmp/a b/help"
launch "$(bridge br0 ",\"handoff\":false,\"helper\":\"$tmp/a b/help\"")" --check
refused "handoff false, a helper with a blank in its path: QEMU would ask a shell" 100 descriptor-value "$tmp/a b/help"
launch "$(bridge right ",\"vhost\":false,\"helper\":\"$tmp/a b/help\"")"
accepted "  and no shell is asked when the launch runs it" "" "0x5002"
mkdir "$tmp/empty"
mount --bind "$tmp/empty" /usr/lib/qemu
plan "handoff false, no helper: vhost gives way with one warning" ',"handoff":false' "bridge,id=net0,br=br0" vhost-off
launch "$(bridge br0 ',"handoff":false,"vhost":true')" --check
refused "handoff false, no helper, vhost on" 101 helper-missing
launch "$(bridge br0)" --check
refused "no helper" 101 helper-missing "$real"
umount /usr/lib/qemu
rm /dev/vhost-net
plan "handoff false, no vhost-net" ',"handoff":false' "bridge,id=net0,br=br0" vhost-off
launch "$(bridge br0 ',"handoff":false,"vhost":true')" --check
refused "handoff false, no vhost-net, vhost on" 101 node-missing /dev/vhost-net

if [ ! -x "$QEMU" ]; then
	skip "the real QEMU takes them" "needs $QEMU"
else
	qemu=$QEMU
	for rest in '' ',"handoff":false'; do
		{ bridge br0 ",\"vhost\":false$rest"; printf '\n{"execute":"qmp_capabilities"}\n{"execute":"quit"}\n'; } >"$tmp/in"
		launch_file "$tmp/in" -accel tcg -machine q35 -m 32 -nodefaults -no-user-config -display none -S -qmp stdio
		is "the real QEMU takes it: vhost off${rest}" "$rc $(grep -c host-qmp-quit "$tmp/out") $(err)" "0 1 "
	done
	nothing_left
fi
done_testing
