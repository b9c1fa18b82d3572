#!/bin/sh
# instructions.sh - instructions that a launch executes, counted by callgrind and compared with what is expected
#
# Counted inside main(), up to an exec that fails (the file is no program), so that neither the loader nor
# QEMU is in it. Without a filter: valgrind does not know seccomp(2), and a launch that is refused for that
# would count its first half only. --plan is not counted: it looks for who holds a link, among all processes. tests/bench/instructions.expected has the counts; more than 5 % above them fails. With
# UPDATE=1 the file is written anew.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
expected=$SRCDIR/tests/bench/instructions.expected
new_ns i
printf 'no program\n' >"$tmp/qemu" && chmod 755 "$tmp/qemu"
for n in 0 1 2 3; do new_macvtap "m$n" 4; done
# nics N QUEUES
nics() {
	_n=0 _list=
	while [ $_n -lt "$1" ]; do
		_list="$_list${_list:+,}{\"mode\":\"macvtap\",\"ifname\":\"m$_n\",\"queues\":$2}" _n=$((_n + 1))
	done
	echo "{\"version\":1,\"vhost\":false,\"seccomp\":\"none\",\"qemu\":\"$tmp/qemu\",\"nics\":[$_list]}"
}
# count NAME STATUS PROGRAM [ARGUMENT]...: the descriptor is on stdin
count() {
	_name=$1 _status=$2; shift 2
	in_ns env -i PATH="$PATH" QEMU_HANDOFF_QEMU="$tmp/qemu" valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=main \
		"$@" 2>"$tmp/err" >/dev/null
	_rc=$?
	n=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$tmp/err")
	is "$_name: it ends where it should" "$_rc" "$_status"
	[ -n "$n" ] || { not_ok "$_name"; return; }
	[ -z "${UPDATE-}" ] || echo "$_name $n" >>"$tmp/new"
	_want=$(sed -n "s/^$_name //p" "$expected" 2>/dev/null)
	note "$_name: $n instructions, ${_want:-nothing} expected"
	check "$_name: at most 5 % more than expected" [ "$n" -le $((${_want:-$n} * 105 / 100)) ]
}
ln -s "$QH" "$tmp/qemu-system-x86_64"
count passthrough 126 "$tmp/qemu-system-x86_64" -version </dev/null
echo '{"version":1,"seccomp":"none","nics":[{"mode":"user"}]}' >"$tmp/user"
count user 126 "$QH" <"$tmp/user"
nics 1 1 >"$tmp/1x1"
count 1x1 126 "$QH" <"$tmp/1x1"
nics 4 4 >"$tmp/4x4"
count 4x4 126 "$QH" <"$tmp/4x4"
[ -z "${UPDATE-}" ] || cp "$tmp/new" "$expected"
done_testing
