#!/bin/sh
# namespaces.sh - a node belongs to the link it is opened for: other namespaces, another sysfs, and
# what changes between the check and the open
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
command -v strace >/dev/null || skip_all "needs strace"
for_all

trace=openat,open,creat,mknod,mknodat,ioctl
under="strace -f -qq -o $tmp/trace -e trace=$trace"
not_opened() { check "  and it is not opened" sh -c "! grep -E '(open|openat|creat)[0-9a]*\\(.*\"/dev/(tap|net)' '$tmp/trace'"; }
macvtap() { nic "{\"mode\":\"macvtap\",\"ifname\":\"$1\",\"vhost\":false}"; }
dev_of() { in_ns cat "/sys/class/net/$1/tap$(ifindex_of "$1")/dev"; }

# --- two namespaces, one ifindex ----------------------------------------------------------------------
# /dev is one for both: the node has the number of whichever link was first.
new_ns a; a=$ns
new_macvtap mva 2
index=$(ifindex_of mva) node=$(node_of mva) dev_a=$(dev_of mva)
new_ns b; b=$ns
new_macvtap mvb 2 macvtap "$index"
dev_b=$(dev_of mvb)
is "two links in two namespaces share an ifindex" "$(ifindex_of mvb)" "$index"
launch "$(macvtap mvb)"
refused "the node of the other namespace's link is refused" 101 node-wrong-device \
	"\"object\":\"$node\"" "is $dev_a, but the link 'mvb' is $dev_b"
not_opened
launch "$(nic "{\"mode\":\"macvtap\",\"ifindex\":$index,\"vhost\":false}")"
refused "by ifindex, too" 101 node-wrong-device '"path":"nics[0].ifindex"' "is $dev_a, but the link 'mvb' is $dev_b"
not_opened
ns=$a
launch "$(macvtap mva)"; accepted "the first link can be used" "" "$node mva 0x5002"
rm "$node"; mknod -m 600 "$node" c "${dev_b%:*}" "${dev_b#*:}"
launch "$(macvtap mva)"; refused "with the second's node the first is refused" 101 node-wrong-device "is $dev_b, but the link 'mva' is $dev_a"
ns=$b
launch "$(macvtap mvb)"; accepted "  and the second can be used" "" "$node mvb 0x5002"

# --- a sysfs of another namespace ------------------------------------------------------------------------
# elsewhere DESCRIPTOR NETNS SYSFS: launched in one namespace with the sysfs of another
elsewhere() { ns=$3 _keep=$under under="nsenter --net=/run/netns/$2 $under"; launch "$1"; under=$_keep; }
elsewhere "$(macvtap mvb)" "$b" "$a"
refused "a sysfs that does not know the link" 101 sysfs-other-namespace "sysfs does not show the link 'mvb' with ifindex $index"
not_opened
ns=$a; new_macvtap same 1; same=$(ifindex_of same) mac_a=$(mac_of same)
ns=$b; new_macvtap same 1 macvtap "$same"; mac_b=$(mac_of same)
elsewhere "$(macvtap same)" "$b" "$a"
refused "a sysfs with a link of the same name and ifindex" 101 sysfs-other-namespace \
	"sysfs shows ifindex $same address $mac_a, but this network namespace has ifindex $same address $mac_b"
not_opened
ip -n "$b" link del same-l; ns=$b; new_macvtap same 1 macvtap $((same + 1000))
elsewhere "$(macvtap same)" "$b" "$a"
refused "a sysfs with a link of the same name" 101 sysfs-other-namespace "ifindex $((same + 1000))"
ns=$b
cat >"$tmp/hidden" <<END
#!/bin/sh
mount -t tmpfs -o mode=700 none /sys/class/net && exec $(as_uid 1000) "\$@"
END
chmod 755 "$tmp/hidden"
_keep=$under under="$tmp/hidden"
launch "$(macvtap mvb)"
refused "a sysfs that may not be read" 101 sysfs-unreadable EACCES "/sys/class/net/mvb/ifindex" "AppArmor"
under=$_keep

# --- a link that was made again ----------------------------------------------------------------------------
old=$(ifindex_of mvb)
ip -n "$b" link del mvb-l
new_macvtap mvb 2
both() { nic "{\"mode\":\"macvtap\",\"ifname\":\"mvb\",\"ifindex\":$1,\"vhost\":false}"; }
launch "$(both "$old")"
refused "name and an ifindex of before" 101 link-ifindex "the link has ifindex $(ifindex_of mvb), not $old"
not_opened
launch "$(nic "{\"mode\":\"macvtap\",\"ifindex\":$old,\"vhost\":false}")"
refused "an ifindex of before" 101 link-missing "\"object\":\"ifindex $old\""
launch "$(both "$(ifindex_of mvb)")"; accepted "name and ifindex of now" "" "mvb 0x5002"
launch "$(nic "{\"mode\":\"macvtap\",\"ifindex\":$(ifindex_of mvb),\"vhost\":false}")"
accepted "ifindex alone" "" "mvb 0x5002" "mac=$(mac_of mvb)"

# --- between the check and the open ----------------------------------------------------------------------
# held_up PATH: strace has written the open of it, and that it ended is not written yet
held_up() { grep -qF "\"$1\"" "$tmp/trace" && ! grep -qF " = " "$tmp/trace"; }
# meanwhile PATH CHANGE DESCRIPTOR: the open of PATH is held up while CHANGE happens
meanwhile() {
	_keep=$under under="strace -f -qq -o $tmp/trace -P $1 -e trace=openat -e inject=openat:delay_enter=3000000:when=1"
	: >"$tmp/trace"
	( wait_for 10 held_up "$1" && "$2" && held_up "$1" || echo "came too late" >"$tmp/late" ) & _change=$!
	launch "$3"; wait "$_change"; under=$_keep
	[ ! -e "$tmp/late" ] || note "the change of $1 $(cat "$tmp/late")"
	rm -f "$tmp/late"
}
mvb=$(node_of mvb) dev=$(dev_of mvb)
put() { rm -f "$mvb"; mknod -m 600 "$mvb" c "$1" "$2"; }
other() { put 1 3; }
gone() { rm "$mvb"; }
file() { rm "$mvb"; echo >"$mvb"; }
tap_gone() { ip -n "$ns" link del t1; }
tap_again() { tap_gone; new_tap t1; }
meanwhile "$mvb" other "$(macvtap mvb)"
refused "the node becomes another device" 101 node-wrong-device "what was opened is character device 1:3, it was $dev"
put "${dev%:*}" "${dev#*:}"
meanwhile "$mvb" gone "$(macvtap mvb)"
refused "the node goes away" 101 node-missing ENOENT
check "  and no file is made" [ ! -e "$mvb" ]
put "${dev%:*}" "${dev#*:}"
meanwhile "$mvb" file "$(macvtap mvb)"
refused "the node becomes a file" 101 node-wrong-device "no character device"
put "${dev%:*}" "${dev#*:}"
new_tap t1
meanwhile /dev/net/tun tap_gone "$(nic '{"mode":"tap","ifname":"t1","vhost":false}')"
refused "the TAP goes away" 101 opened-wrong-link "the TAP went away since it was checked"
check "  and none is left in its place" sh -c "! ip -n $ns link show t1 2>/dev/null"
new_tap t1
meanwhile /dev/net/tun tap_again "$(nic '{"mode":"tap","ifname":"t1","vhost":false}')"
refused "the TAP is made again: another address" 101 opened-wrong-link "the queue's link has the address" "'t1' has"
# the answer of the kernel about the queue is changed: "wrong" instead of the link's name
under="strace -f -qq -o $tmp/trace -e trace=ioctl -e inject=ioctl:poke_exit=@arg3=77726f6e6700:when=1"
launch "$(macvtap mvb)"
refused "the queue belongs to a link of another name" 101 opened-wrong-link "belongs to the link 'wrong', not to 'mvb'"
under="strace -f -qq -o $tmp/trace -e trace=ioctl -e inject=ioctl:error=EBADFD:when=1"
launch "$(macvtap mvb)"
refused "the queue belongs to no link" 101 opened-wrong-link EBADFD TUNGETIFF
# struct ifreq: 16 bytes of name, 2 of the address family, then the address
ifreq=$(printf '%s%026d0100%s' "$(printf mvb | od -An -tx1 | tr -d ' ')" 0 020000000001)
under="strace -f -qq -o $tmp/trace -e trace=ioctl -e inject=ioctl:poke_exit=@arg3=$ifreq:when=2"
launch "$(macvtap mvb)"
refused "the queue belongs to a link of another address" 101 opened-wrong-link "has the address 02:00:00:00:00:01, 'mvb' has $(mac_of mvb)"
done_testing
