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
for b in right apart astray acl parse perm open mtu add binary hang late endless silent nofd text one two twice many null itself \
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
launch '{"version":1,"nics":"argv"}' -- -netdev "bridge,id=n,br=right,helper=$helper" -device virtio-net-pci,netdev=n
accepted "  for words of argv, in their place" "vhost-off" "tap,id=n,fd=3,vhost=off"
launch '{"version":1,"nics":"argv"}' -- -nic "tap,br=right,helper=$helper,model=virtio,mac=52:54:00:12:00:01"
accepted "  for -nic" "vhost-off" "tap,model=virtio,mac=52:54:00:12:00:01,fd=3,vhost=off"
launch '{"version":1,"nics":"argv"}' -- -netdev "bridge,id=n,br=acl,helper=$helper"
refused "  denied" 101 acl-denied
# wrong NAME BRIDGE STATUS CODE [PART]...
wrong() {
	_n=$1 _b=$2 _s=$3 _c=$4; shift 4
	launch "$(fake "$_b")"
	refused "a helper that $_n" "$_s" "$_c" '"path":"nics[0].bridge"' "$@"
}
wrong "is denied by its access list" acl 101 acl-denied "it ended with status 1: access denied by acl file"
wrong "cannot read its access list" parse 101 acl-unreadable "failed to parse default acl file"
wrong "lacks the privilege" perm 101 helper-not-privileged "failed to create tun device: Operation not permitted" "chmod u+s"
wrong "leaves its TAP in no bridge" apart 111 helper-protocol "that it sent is no port of 'apart'"
wrong "adds its TAP to another bridge" astray 111 helper-protocol "that it sent is no port of 'astray'"
wrong "may not open /dev/net/tun" open 111 helper-failed "failed to open /dev/net/tun: Permission denied"
wrong "finds no bridge" mtu 111 helper-failed "failed to get mtu of bridge"
wrong "cannot add the TAP" add 111 helper-failed "failed to add interface"
wrong "prints rubbish" binary 111 helper-failed 'it ended with status 1: \u0001\u001b[31m'
wrong "ends without a word" silent 111 helper-protocol "0 descriptors in 0 messages"
wrong "sends no descriptor" nofd 111 helper-protocol "0 descriptors in 1 messages"
wrong "sends a text" text 111 helper-protocol "something other than one zero byte"
wrong "sends another byte" one 111 helper-protocol "something other than one zero byte"
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
refused "a helper that is not set-uid, as another user" 101 helper-not-privileged "neither set-uid root nor with cap_net_admin=ep on its file, and uid 1000 has no CAP_NET_ADMIN to pass on" "chmod u+s $helper"
chmod 4755 "$helper"
under="$under --no-new-privs"
launch "$(fake right)"
refused "a set-uid helper under no_new_privs" 101 helper-not-privileged "no_new_privs is set on this process"
chmod 755 "$helper"
under=
launch "$(bridge br0 ",\"queues\":2,\"vhost\":false,\"helper\":\"$helper\"")"
refused "two queues" 100 queues-backend "mode 'bridge' supports one" "ip tuntap add dev tap0 mode tap multi_queue"
wait
for b in hang late endless; do
	( tmp=$tmp/$b; read -r rc <"$tmp/rc"; echo "$rc $(codes error) $(cat "$tmp/took")" ) >"$tmp/said"
	has "a helper that does not end ($b)" "$(cat "$tmp/said" "$tmp/$b/err" "$tmp/$b/out")" "111 helper-timeout 1" "not finished after 10 s, so it was killed"
done
nothing_left

# --- the real helper --------------------------------------------------------------------------------------
if [ ! -x "$real" ]; then
	skip "the real helper" "needs $real"
	done_testing; exit 0
fi
acl() { rm -f "$conf"; [ $# = 0 ] || printf '%s\n' "$@" >"$conf"; }
acl "# guests" "allow br0"
stay "$(bridge br0 ',"vhost":false')" -- --stay
tap=$(given_fds | sed 's/.* \(tap[0-9]*\) 0x.*/\1/')
is "the real helper's queue is QEMU's" "$(given_fds)" "3 /dev/net/tun $tap 0x5002"
has "  in the bridge and up" "$(ip -n "$ns" -o link show "$tap")" "master br0" ",UP"
is "  without a process beside QEMU" "$(ip netns pids "$ns")" "$pid"
leave
nothing_left
# hint: what the last launch says to run is run
hint() {
	sed -n 's/^{"level":"error".*"hint":"\(.*\)"}$/\1/p' "$tmp/err" | sed 's/\\"/"/g; s/\\\\/\\/g' >"$tmp/hint"
	[ -s "$tmp/hint" ] && sh -e "$tmp/hint" 2>"$tmp/hint.err"
}
# after NAME: after the hint the launch succeeds
after() {
	hint || note "hint: $(cat "$tmp/hint" "$tmp/hint.err")"
	launch "$(bridge br0 ',"vhost":false')"
	accepted "  after the hint it starts: $(cat "$tmp/hint")" "" "0x5002"
}
# denied NAME CODE [PART]...: the helper is not started
denied() {
	_n=$1 _c=$2; shift 2
	under="strace -f -qq -o $tmp/trace -e trace=execve,openat"
	launch "$(bridge br0 ',"vhost":false')"; under=
	refused "access list $_n" 101 "$_c" '"path":"nics[0].bridge"' "$@"
	check "  the helper is not started" sh -c "! grep -E 'execve.*bridge-helper|/dev/net/tun' '$tmp/trace'"
	after
}
in_conf="\"object\":\"$conf\""
if command -v strace >/dev/null; then
	acl; denied "missing" acl-missing ENOENT "$in_conf"
	rm -rf /etc/qemu; denied "missing with its directory" acl-missing ENOENT
	acl ""; denied "empty" acl-denied "$in_conf" "no line allows the bridge 'br0'"
	printf 'allow br1' >"$conf"; denied "for another bridge, without a newline" acl-denied "no line allows the bridge 'br0'"
	acl "#allow br0"; denied "with the line in a comment" acl-denied "no line allows"
	acl "allow all" "deny br0"; denied "that allows all and denies this one" acl-denied "line 2, 'deny br0'" "$in_conf"
	acl "deny all" "allow br0"; denied "that denies all" acl-denied "line 1, 'deny all'"
	acl "" "deny br0" "deny all" "# x" "deny br0"; denied "that denies three times and allows nothing" acl-denied "line 2, 'deny br0'"
	acl "allow br0 # LAN"; denied "with a comment after the name" acl-denied "line 1, 'allow br0 # LAN': all that follows the word"
	acl "# two" "allow br0 br1"; denied "with two names on a line" acl-denied "line 2, 'allow br0 br1'"
	acl "allow br0" "permit br1"; denied "with a word that the helper does not know" acl-unreadable "line 2, 'permit br1'" "ends at any other line"
	acl "allow br0" "deny"; denied "with a word alone" acl-unreadable "line 2, 'deny'"
	acl "allow	br0 "; denied "with a tab, and a blank at the end" acl-unreadable "line 1, 'allow\\tbr0 '"
	echo "deny br0" >"$tmp/more.conf"
	acl "allow br0" "include $tmp/more.conf"
	denied "that includes one that denies" acl-denied "line 1, 'deny br0'" "\"object\":\"$tmp/more.conf\""
else
	skip "access lists that deny" "needs strace"
fi

# Whatever the list says, the launch and the helper agree. agree LINE...
helper_says() {
	in_ns "$real" --use-vnet --br=br0 --fd=0 </dev/null >"$tmp/says" 2>&1
	case $(cat "$tmp/says") in
	*"failed to parse"*) echo acl-unreadable ;;
	*"access denied"*) echo acl-denied ;;
	*) echo allowed ;;
	esac
}
launch_says() {
	launch "$(bridge br0 ',"vhost":false')" --check
	_said=$(codes error)
	echo "${_said:-allowed}"
}
agree() {
	acl "$@"
	is "the launch says what the helper does: $*" "$(launch_says)" "$(helper_says)"
}
printf 'allow br0\nbroken\nallow all\n' >"$tmp/broken.conf"
printf 'allow br0\000 br1\n' >"$tmp/nul.conf"
printf 'include %s\nallow br0' "$conf" >"$tmp/circle.conf"
long=$(printf '%4100s' '' | tr ' ' '#')
agree "allow br0"; agree "allow all"; agree "  allow   br0  " "" "   # br1"; agree "allow	br0"; agree "	allow	br0"
agree "allow br0 # LAN"; agree "allow br0#"; agree "allow br0 br1"; agree "allow br00"; agree "allow br"; agree "allow "
agree "allow"; agree "Allow br0"; agree "allow all br0"; agree "allow	br0 "; agree "allow br0	"; agree "deny br1" "allow br0"
agree "allow br0" "deny br0"; agree "deny br0" "allow all"; agree "deny all" "allow br0"; agree "deny br0 # no" "allow br0"
agree "allow br0" "x"; agree "x" "allow br0"; agree "include /nonexistent" "allow br0"; agree "include" "allow br0"
agree "include $tmp/broken.conf"; agree "include $tmp/broken.conf" "deny br0"; agree "include $tmp/nul.conf"
agree "include $tmp" "allow br0"; agree "allow br0$(printf '\r')"; agree "$(printf 'allow\vbr0')"; agree "$(printf '\vallow br0')"; agree "$(printf '\fallow br0\f')"; agree "$(printf 'allow br0\v')"
agree "$long" "allow br0"; agree "#$(printf '%4093s' '')allow br0"; agree "#$(printf '%4094s' '')allow br0"; agree "#$(printf '%4095s' '')allow br0"
# here the helper reads on until it has no descriptor left
acl "include $tmp/circle.conf"
launch "$(bridge br0 ',"vhost":false')" --check
is "a list that includes itself is read once" "$rc $(codes error)" "0 "

allowed() { launch "$(bridge br0 ',"vhost":false')"; accepted "access list $1" "" "0x5002"; }
acl "allow all"; allowed "that allows all"
acl "  allow   br0  " "" "   # br1"; allowed "with blanks"
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
chmod 600 /dev/net/tun
launch "$(bridge br0 ',"vhost":false')"
refused "/dev/net/tun that this user may not open" 101 node-access /dev/net/tun '"path":"nics[0].bridge"'
chmod 666 /dev/net/tun
if setcap cap_net_raw=ep "$tmp/bin/setuid" 2>/dev/null; then
	chmod 4755 "$tmp/bin/setuid"
	launch "$(bridge br0 ',"vhost":false')"
	refused "a helper with the bit and capabilities" 101 helper-not-privileged "set-uid root, but its file also has capabilities"
	chmod 755 "$tmp/bin/setuid"
	launch "$(bridge br0 ',"vhost":false')"
	refused "a helper with another capability" 101 helper-not-privileged "chmod u+s $real"
	setcap cap_net_admin=p "$tmp/bin/setuid"
	launch "$(bridge br0 ',"vhost":false')"
	refused "a helper with the capability, not effective" 101 helper-not-privileged "nor with cap_net_admin=ep"
	setcap cap_net_admin=ep "$tmp/bin/setuid"
	launch "$(bridge br0 ',"vhost":false')"
	accepted "a helper with the capability, as another user" "" "0x5002"
	# shellcheck disable=SC2086 # several words
	is "  --check=host says so" "$(in_ns $under "$QH" --check=host | grep -c 'with cap_net_admin on its file')" 1
	under="$under --no-new-privs"
	launch "$(bridge br0 ',"vhost":false')"
	refused "  but not under no_new_privs" 101 helper-not-privileged "no_new_privs is set on this process"
	mount -o remount,bind,nosuid "$real"
	under=$(as_uid 1000)
	launch "$(bridge br0 ',"vhost":false')"
	refused "  nor on a mount with nosuid" 101 helper-not-privileged "on a mount with nosuid"
	mount -o remount,bind,suid "$real"
else
	skip "a helper with a capability" "needs setcap and a file system with extended attributes"
fi
# the capability of the caller's own that is lost in the exec, and the one that is not
setcap -r "$tmp/bin/setuid" 2>/dev/null; chmod 755 "$tmp/bin/setuid"
under="setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps +net_admin --ambient-caps +net_admin"
launch "$(bridge br0 ',"vhost":false')"
accepted "a helper without privilege, with the caller's ambient capability" "" "0x5002"
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
is "no helper: QEMU runs its own, without vhost and with warnings" "$rc $(codes warning) $(codes error)" "0 helper-of-qemu vhost-off "
plan "  with its words" "" "bridge,id=net0,br=br0" "helper-of-qemu vhost-off"
has "  and the reason in the plan" "$(cat "$tmp/out")" '"vhost_why":"' '"handoff":false'
plan "no helper, vhost off" ',"vhost":false' "bridge,id=net0,br=br0" helper-of-qemu
launch "$(bridge br0 ',"vhost":true')" --check
refused "no helper, vhost asked for" 101 helper-missing "$real"
launch "$(printf '{"version":1,"nics":[%s]}' '{"mode":"bridge","bridge":"br0"}')" --check
refused "no helper, under the filter" 101 helper-missing "$real"
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
