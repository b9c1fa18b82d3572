#!/bin/sh
# 20-opens.sh - the descriptors are the launcher's: QEMU opens no device, and needs no right to
# shellcheck source=tests/lab/lib.sh
. /lab/lib.sh

add_macvtap mvt0 2
add_tap tap0 multi_queue
tap=$(node mvt0)
chmod 600 /dev/vhost-net /dev/net/tun "$tap"
both="$(nic macvtap mvt0 2 '"vhost":true'),$(nic tap tap0 2 '"vhost":true')"

# opened WORD...: how often each of the paths was opened, by the lines on stdin
opened() {
	_lines=$(cat)
	for _p in /dev/vhost-net /dev/net/tun "$tap"; do
		printf '%s %s, ' "$_p" "$(echo "$_lines" | grep -c "\"$_p\".* = [0-9]")"
	done
}
for ids in '' '"user":"vm"'; do
	t="${ids:-root}"
	as="strace -f -qq -o $tmp/trace -e trace=open,openat,openat2,execve,execveat"
	started "$t: traced" "$(desc "$both" "$ids")" -S || continue
	quit
	as=
	is "$t: QEMU's status" "$qemu_status" 0
	# the last successful exec is QEMU's
	at=$(grep -nE ' execve(at)?\(.* = 0$' "$tmp/trace" | tail -n 1 | cut -d: -f1)
	is "$t: the launcher opens one device a queue" "$(head -n "$at" "$tmp/trace" | opened)" \
		"/dev/vhost-net 4, /dev/net/tun 2, $tap 2, "
	is "$t: QEMU tries to open none" "$(tail -n "+$at" "$tmp/trace" | grep -E '"/dev/(vhost|net/|tap)')" ""
	check "$t: the trace shows what QEMU opens" [ "$(tail -n "+$at" "$tmp/trace" | grep -c ' openat(')" -gt 20 ]

	started "$t" "$(desc "$both" "$ids")" -S || continue
	is "$t: workers" "$(count_workers "$qemu")" "$(want_workers 4)"
	is "$t: descriptors, planned from 3 on" "$(device_fds "$qemu")" "3 $tap
4 $tap
5 /dev/net/tun
6 /dev/net/tun
7 /dev/vhost-net
8 /dev/vhost-net
9 /dev/vhost-net
10 /dev/vhost-net"
	if [ -n "$ids" ]; then
		is "$t: the ids" "$(sed -nE 's/^[UG]id:\t//p' "/proc/$qemu/status" | tr '\t\n' '  ')" "1000 1000 1000 1000 1000 1000 1000 1000 "
		is "$t: no capability is left" "$(sed -nE 's/^Cap(Inh|Prm|Eff|Bnd|Amb):\t//p' "/proc/$qemu/status" | sort -u)" 0000000000000000
	fi
	stopped "$t"
done
done_testing
