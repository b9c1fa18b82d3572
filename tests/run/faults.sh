#!/bin/sh
# faults.sh - a system call fails where nothing but luck decides: QEMU is not started, and the status says 111
#
# strace gives the call an error; which one of a kind it is, is said by its place among them.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
command -v strace >/dev/null || skip_all "needs strace"
new_ns a
new_tap tm multi_queue user 0

# fault NAME CODE CALL:error=E[:when=N] DESCRIPTOR [PART]...: refused with 111 and this word
fault() {
	_n=$1 _c=$2 _call=$3 _d=$4; shift 4
	under="strace -qq -o $tmp/trace -e trace=${_call%%:*} -e inject=$_call"
	launch "$_d"
	under=
	if grep -q INJECTED "$tmp/trace"; then refused "$_n" 111 "$_c" "$@"
	else not_ok "$_n"; note "the call was not made" "$(cat "$tmp/trace" "$tmp/err")"
	fi
}
tap='{"version":1,"vhost":false,"nics":[{"mode":"tap","ifname":"tm","queues":2}]}'
pins='{"version":1,"vhost":false,"nics":[{"mode":"tap","ifname":"tm","fds":[20,21]}]}'
# the first ioctl of a TAP asks whose the network namespace is
fault "a queue that cannot be attached" attach-failed ioctl:error=ENOMEM:when=2 "$tap" '"object":"tm"' '"errno":"ENOMEM"'
fault "a descriptor that cannot be placed" call-failed dup2,dup3:error=EBUSY "$pins" '"errno":"EBUSY"'
fault "ids that cannot be taken" id-failed setresuid:error=EAGAIN '{"version":1,"user":1000,"group":1000}' '"errno":"EAGAIN"'
fault "a filter that cannot be loaded" confine-failed seccomp:error=ENOMEM:when=2+ '{"version":1}' '"path":"seccomp"'
fault "no_new_privs" confine-failed prctl:error=EINVAL '{"version":1,"capabilities":"keep"}'
if mkdir "$tmp/cgroup" && mount -t cgroup2 none "$tmp/cgroup" && mkdir "$tmp/cgroup/qh$$"; then
	fault "a cgroup that cannot be joined" cgroup-failed write:error=ENOMEM:when=1 \
		"{\"version\":1,\"cgroup\":\"$tmp/cgroup/qh$$\"}" '"errno":"ENOMEM"'
	rmdir "$tmp/cgroup/qh$$"
	umount "$tmp/cgroup"
else
	skip "a cgroup that cannot be joined" "no cgroup v2 can be mounted"
fi
if grep -q libasan "$QH"; then
	skip "no memory" "a program with sanitizers needs more addresses than it can be denied"
else
	# More memory bit by bit, until the program itself is the one that lacks it; before that its libraries do.
	words=$(awk 'BEGIN { for (i = 0; i < 4000; i++) printf "%s\"a word of some length, to need memory\"", i ? "," : "" }')
	for kib in 2500 3000 3500 4000 4500 5000 5500 6000; do
		under="prlimit --as=$((kib * 1024))"
		launch "{\"version\":1,\"args\":[$words]}"
		[ "$(codes error)" != no-memory ] || break
	done
	under=
	refused "no memory" 111 no-memory
fi
fault "a report that cannot be written" report-failed linkat,rename,renameat,renameat2:error=ENOSPC \
	"{\"version\":1,\"report\":\"$tmp/report\"}" '"errno":"ENOSPC"'
under="strace -qq -o $tmp/trace -P /dev/net/tun -e trace=openat -e inject=openat:error=ENFILE"
launch "$tap"
under=
refused "a device that cannot be opened" 111 open-failed '"errno":"ENFILE"'
fault "a queue that cannot be looked at" call-failed ioctl:error=ENOMEM:when=3 "$tap" '"object":"/dev/net/tun"' '"hint":null'
# exhausted NAME PATH CALL:error=E DESCRIPTOR: a look that fails for want of something is no fault of the host's
exhausted() {
	under="strace -e quiet=attach,exit,path-resolution -o $tmp/trace -P $2 -e trace=${3%%:*} -e inject=$3"
	launch "$4"
	under=
	refused "$1" 111 call-failed '"hint":null'
}
exhausted "a node, no memory to look at it" /dev/net/tun newfstatat,stat:error=ENOMEM "$tap"
exhausted "QEMU, no memory to look at it" "$FAKE" newfstatat,stat:error=ENOMEM '{"version":1}'
new_macvtap mv 1
macvtap='{"version":1,"vhost":false,"nics":[{"mode":"macvtap","ifname":"mv"}]}'
exhausted "a link's number, no descriptor to read it with" /sys/class/net/mv/address openat:error=ENFILE "$macvtap"
printf '{"version":1}' >"$tmp/desc.json"
under="strace -qq -o $tmp/trace -P $tmp/desc.json -e trace=openat -e inject=openat:error=ENFILE"
start --descriptor="$tmp/desc.json" </dev/null
under=
refused "a descriptor, none to read it with" 111 call-failed ENFILE
done_testing
