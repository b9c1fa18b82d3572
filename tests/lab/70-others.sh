#!/bin/sh
# 70-others.sh - vhost-vsock, and a bridge with QEMU's own helper
# shellcheck source=tests/lab/lib.sh
. /lab/lib.sh
export QEMU_HANDOFF_ERRORS=json

# --- vsock ---------------------------------------------------------------------------------------------
chmod 600 /dev/vhost-vsock
vsock=$(desc "" '"user":"vm","vsock":{"cid":42}')
t="vsock"
if started "$t" "$vsock" -S; then
	is "$t: the descriptor" "$(device_fds "$qemu")" "3 /dev/vhost-vsock"
	qmp '{"execute":"human-monitor-command","arguments":{"command-line":"info qtree"}}'
	check "$t: QEMU's device has the cid" until_qemu grep -q 'guest-cid = 42 ' "$tmp/qmp"
	is "$t: one worker" "$(count_workers "$qemu")" "$(want_workers 1)"
	# the cid is taken: the kernel knows it by our descriptor
	out=$(try "$vsock")
	is "$t: a second guest with the cid fails in QEMU" "$?" 1
	has "$t: a second guest with the cid fails in QEMU: why" "$out" "guest cid: Address already in use"
	stopped "$t"
fi
mv /dev/vhost-vsock /dev/aside
out=$(try "$vsock")
has "no /dev/vhost-vsock: refused" "status $?: $out" "status 101" '"code":"node-missing"' "mknod -m 600 /dev/vhost-vsock c 10 241"
rmmod vhost_vsock
rm -f /dev/aside
mknod -m 600 /dev/vhost-vsock c 10 241
out=$(try "$vsock")
has "vhost_vsock is not loaded: refused" "status $?: $out" "status 101" '"code":"node-no-driver"' '"errno":"ENODEV"'
rm -f /dev/vhost-vsock
insmod /modules/*-vhost_vsock.ko

# --- bridge ----------------------------------------------------------------------------------------------
mkdir -p /etc/qemu
echo "allow br0" >/etc/qemu/bridge.conf
chmod 666 /dev/vhost-net /dev/net/tun
ip link add br0 type bridge
ip link set br0 up
bridge='{"mode":"bridge","bridge":"br0","vhost":true}'
ports() { for _p in /sys/class/net/br0/brif/*; do [ ! -e "$_p" ] || echo "${_p##*/}"; done; }
for as in "" "setpriv --reuid=1000 --regid=1000 --clear-groups"; do
	t="bridge, as $([ -n "$as" ] && echo "uid 1000, the helper is set-uid" || echo root)"
	started "$t" "$(desc "$bridge")" -S || continue
	is "$t: the descriptors" "$(device_fds "$qemu")" "3 /dev/net/tun
4 /dev/vhost-net"
	is "$t: one worker" "$(count_workers "$qemu")" "$(want_workers 1)"
	is "$t: a TAP in the bridge" "$(ports)" tap0
	stopped "$t"
	is "$t: the TAP went with QEMU" "$(ports)" ""
done
ip link add br1 type bridge
out=$(try "$(desc '{"mode":"bridge","bridge":"br1"}')")
has "a bridge that the access list does not allow: refused" "status $?: $out" "status 101" '"code":"acl-denied"'
done_testing
