#!/bin/sh
# 30-access.sh - devices that are not there or not allowed: required fails, preferred does without, QEMU never aborts
# shellcheck source=tests/lab/lib.sh
. /lab/lib.sh
export QEMU_HANDOFF_ERRORS=json

add_macvtap mvt0 2
add_tap tap0 multi_queue user 1000
tap=$(node mvt0)
chmod 666 /dev/net/tun
required=$(nic tap tap0 2 '"vhost":true')
preferred=$(nic tap tap0 2)
macvtap=$(nic macvtap mvt0 2 '"vhost":false')
vm="setpriv --reuid=1000 --regid=1000 --clear-groups"

# refused NAME NIC CODE WORD...: a launch ends with 101 and that code, in a message that has the words
refused() {
	_name=$1 _nic=$2 _code=$3; shift 3
	_out=$(try "$(desc "$_nic" "${more:-}")")
	_status=$?
	has "$_name: refused" "status $_status: $_out" "status 101: " "\"code\":\"$_code\"" "$@"
	is "$_name: one error" "$(echo "$_out" | grep -c '"level":"error"')" 1
}
# falls_back NAME NIC: QEMU runs without vhost, after one warning of it
falls_back() {
	started "$1: preferred" "$(desc "$2" "${more:-}")" -S || return
	is "$1: preferred, one warning" "$(sed 's/.*"level":"\([a-z]*\)","code":"\([^"]*\)".*/\1 \2/' "$tmp/err" | grep -v ' \(qemu-root\|mac-default\)$')" "warning vhost-off"
	is "$1: preferred, no worker" "$(workers "$qemu")" ""
	stopped "$1: preferred"
}
# serves NAME NIC WORKERS
serves() {
	started "$1" "$(desc "$2" "${more:-}")" -S || return
	is "$1: workers" "$(count_workers "$qemu")" "$(want_workers "$3")"
	stopped "$1"
}
# both NAME CODE WORD...
both() {
	_case=$1; shift
	refused "$_case" "$required" "$@"
	falls_back "$_case" "$preferred"
}

# --- nodes that are not there -------------------------------------------------------------------------
mv /dev/vhost-net /dev/aside
both "no /dev/vhost-net" node-missing '"object":"/dev/vhost-net"' '"errno":"ENOENT"'
mv /dev/aside /dev/vhost-net
mv "$tap" /dev/aside
refused "no node of the macvtap" "$macvtap" node-missing "\"object\":\"$tap\"" mknod
mv /dev/aside "$tap"
mv /dev/net/tun /dev/aside
refused "no /dev/net/tun" "$required" node-missing '"object":"/dev/net/tun"' "mknod -m 666 /dev/net/tun c 10 200"
mv /dev/aside /dev/net/tun

# --- a node without a driver: stat() cannot tell, open() does -----------------------------------------------
rmmod vhost_net
mknod -m 600 /dev/vhost-net c 10 238
both "vhost_net is not loaded" node-no-driver '"object":"/dev/vhost-net"' '"errno":"ENODEV"'
rm /dev/vhost-net
insmod /modules/*-vhost_net.ko

# --- modes and access lists, as uid 1000 --------------------------------------------------------------------
chmod 600 /dev/vhost-net "$tap"
as=$vm
both "mode 0600, uid 1000" node-access '"object":"/dev/vhost-net"' '"errno":"EACCES"'
refused "macvtap node of mode 0600, uid 1000" "$macvtap" node-access "\"object\":\"$tap\"" '"errno":"EACCES"'
chmod 600 /dev/net/tun
refused "/dev/net/tun of mode 0600, uid 1000" "$(nic tap tap0 2 '"vhost":false')" node-access '"object":"/dev/net/tun"' '"errno":"EACCES"'
chmod 666 /dev/net/tun
setfacl -m u:1000:rw /dev/vhost-net "$tap"
serves "an access list lets uid 1000 in: TAP" "$required" 2
serves "an access list lets uid 1000 in: macvtap" "$(nic macvtap mvt0 2 '"vhost":true')" 2
setfacl -b /dev/vhost-net "$tap"
as=

# --- the device controller of cgroups -------------------------------------------------------------------------
# in_cgroup DIR COMMAND...: become the command, there (for $as)
in_cgroup() { echo 0 >"$1/cgroup.procs"; shift; exec "$@"; }
# denied NAME: with /dev/vhost-net denied to $deny
denied() {
	as="in_cgroup $deny"
	both "$1, this process is in it" node-access '"object":"/dev/vhost-net"' '"errno":"EPERM"' "devices cgroup"
	as=
	more="\"cgroup\":\"$deny\""
	both "$1, joined by the launch" node-access '"object":"/dev/vhost-net"' '"errno":"EPERM"' "devices cgroup"
	more=
}
deny=$CG/deny
mkdir "$deny"
denydev "$deny" 10 238
denied "denied by cgroup v2"
denydev "$deny" 10 200
as="in_cgroup $deny"
refused "/dev/net/tun denied by cgroup v2" "$(nic tap tap0 2 '"vhost":false')" node-access '"object":"/dev/net/tun"' '"errno":"EPERM"' "devices cgroup"
as=
rmdir "$deny"
mkdir -p /run/devices
mount -t cgroup -o devices devices /run/devices
deny=/run/devices/deny
mkdir "$deny"
echo "c 10:238 rwm" >"$deny/devices.deny"
denied "denied by cgroup v1"
rmdir "$deny"
done_testing
