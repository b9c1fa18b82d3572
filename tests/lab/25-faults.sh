#!/bin/sh
# 25-faults.sh - each system call of a launch with vhost fails, from the check of its node on, and the node changes
#
# The work is tests/run/stepat.c's. What comes before is tried without vhost, by tests/run/stepat.sh.
# LAB_WORDS=FAULTS=all tries every errno and every kind of node, which takes some minutes.
# shellcheck source=tests/lab/lib.sh
. /lab/lib.sh

add_macvtap mvt0 2
add_tap tap0 multi_queue
mkdir "$tmp/dir" "$tmp/swap"
vhost=/dev/vhost-net
if [ "${FAULTS-}" = all ]; then errors=99 kinds="vsock zero file"; else errors=2 kinds=vsock; fi

# matrix NAME [OPTION]... MODE [ARGUMENT]: trials of the descriptor $desc; its last line is the result
matrix() {
	_name=$1; shift
	echo "$desc" >"$tmp/desc"
	if stepat -n -d "$tmp/dir" -i "$tmp/desc" "$@" -- "$QH" >"$tmp/out" 2>&1; then ok "$_name: $(tail -n 1 "$tmp/out")"
	else not_ok "$_name"; note "$(tail -n 60 "$tmp/out")"; fi
}
QEMU=/usr/bin/fakeqemu
report="\"report\":\"$tmp/dir/REPORT\""

desc=$(desc "$(nic macvtap mvt0 2)" "$report,\"vsock\":{\"cid\":7}")
matrix "macvtap and vsock, vhost preferred, each call fails" -q $vhost -e $errors fail
desc=$(desc "$(nic tap tap0 2 '"vhost":true')" "$report")
matrix "tap, vhost required, each call fails" -q $vhost -e $errors fail

# What was checked is another thing at the moment it is opened.
cp -a $vhost "$tmp/swap/good"
cp -a /dev/vhost-vsock "$tmp/swap/vsock"
mknod -m 600 "$tmp/swap/zero" c 1 5
: >"$tmp/swap/file"
put() { echo "cp -a $tmp/swap/$1 $vhost.new && mv $vhost.new $vhost"; }
for to in $kinds; do
	matrix "the vhost node becomes $to" -q $vhost -x "$(put good)" run "$(put "$to")"
done
matrix "the vhost node goes away" -q $vhost -x "$(put good)" run "rm $vhost"
done_testing
