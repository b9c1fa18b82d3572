#!/bin/sh
# attach.sh - qemu-handoff-ctl attach: NICs for a QEMU that runs, confined; what fails is undone; hostile peers
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
need_root
find_python || skip_all "needs python3-jsonschema"
[ -x "$QEMU" ] || skip_all "needs $QEMU"
private_mounts
for_all
ctl=$BUILDDIR/qemu-handoff-ctl
new_ns a
new_tap tm multi_queue; new_tap t1; new_tap t2
mkdir "$tmp/m" && chown 65534:65534 "$tmp/m"
socket=$tmp/m/qmp
ids='"user":65534,"group":65534'
tap='{"mode":"tap","id":"n1","ifname":"tm","queues":4,"vhost":false}'
desc="{\"version\":1,$ids,\"nics\":[$tap]}"
ports="-device pcie-root-port,id=rp0,chassis=1 -device pcie-root-port,id=rp1,chassis=2"
# Slots of PCI Express proper, which are off without a driver: a device is then released at once.
native="-global ICH9-LPC.acpi-pci-hotplug-with-bridge-support=off"

# guest WORD...: the real QEMU, confined, as $pid, with its monitor at $socket
guest() {
	rm -f "$socket"
	echo "{\"version\":1,$ids,\"nics\":[]}" >"$tmp/guest"
	ip netns exec "$ns" env QEMU_HANDOFF_QEMU="$QEMU" "$QH" -m 32 -display none -nodefaults -smp 4 \
		-qmp "unix:$socket,server=on,wait=off" "$@" <"$tmp/guest" >"$tmp/out" 2>&1 & pid=$!
	wait_for 20 test -S "$socket" || note "not started:" "$(cat "$tmp/out")"
}
qmp() { "$python" "$SRCDIR/tests/run/qmp.py" "$socket" "$@"; }
# attach DESCRIPTOR [OPTION]...: by $at, or the monitor
attach() {
	printf '%s' "$1" >"$tmp/desc"; shift
	# shellcheck disable=SC2086 # $as is several words
	in_ns ${as-} env QEMU_HANDOFF_ERRORS=json "$ctl" attach "${at-$socket}" "$@" <"$tmp/desc" >"$tmp/seen" 2>"$tmp/err"; rc=$?
	produced "$tmp/err"
}
# state: what QEMU has: descriptors, netdevs, devices, chardevs
state() {
	qmp human-monitor-command '{"command-line":"info network"}' qom-list '{"path":"/machine/peripheral"}' query-chardev |
		grep -o -e '[a-z0-9]*: index=[0-9]*,type=[a-z]*' -e '"name": "[^"]*"' -e '"label": "[^"]*"' | sort
	find "/proc/$pid/fd" -type l -printf '%l\n' | grep -v socket: | sort
}
# Descriptors that QEMU has by a name
close_names() {
	set --; for _fd in $(seq 3 20); do set -- "$@" closefd "{\"fdname\":\"handoff-n1-$_fd\"}"; done
	qmp "$@" >"$tmp/seen"
}
# said NAME STATUS CODES [PART]...
said() {
	_n=$1 _s=$2 _c=$3; shift 3
	is "$_n" "$rc $(codes error)" "$_s $_c"
	[ $# = 0 ] || has "  what is said" "$(cat "$tmp/err")" "$@"
}

# shellcheck disable=SC2086 # several words
guest -machine q35 -S $ports $native
state >"$tmp/before"

# --- judged before anything is opened ---------------------------------------------------------------
attach "$desc" --check
is "--check" "$rc $(cat "$tmp/seen" "$tmp/err" | grep -v mac-default)" "0 "
attach "$desc" --plan
has "--plan: what QEMU would be told" "$rc $(cat "$tmp/seen")" \
	'0 {"execute":"netdev_add","arguments":{"type":"tap","id":"n1","fds":"handoff-n1-' \
	'{"execute":"device_add","arguments":{"driver":"virtio-net-pci","netdev":"n1",' '"mq":true,"vectors":10' '"id":"n1","bus":"rp0"}'
is "  each line is JSON" "$("$python" -c 'import json, sys; print([json.loads(l)["execute"] for l in sys.stdin])' <"$tmp/seen")" \
	"['netdev_add', 'device_add']"
attach "{\"version\":1,$ids,\"nics\":[{\"mode\":\"user\"},{\"mode\":\"tap\",\"ifname\":\"tm\",\"handoff\":false}],\"vsock\":{\"cid\":9}}"
said "other modes" 100 "attach-mode attach-mode attach-mode" 'nics[0].mode'
attach "{\"version\":1,$ids}"; said "no NIC" 100 attach-mode
attach "{\"version\":1,$ids,\"nics\":[{\"mode\":\"tap\",\"ifname\":\"t1\",\"queues\":2}]}"
said "the rules are those of a launch" 101 tap-not-multiqueue
attach "{\"version\":1,$ids,\"nics\":[$tap,{\"mode\":\"tap\",\"ifname\":\"t1\"},{\"mode\":\"tap\",\"ifname\":\"no\"}]}"
said "a link that there is not" 101 link-missing
attach "{\"version\":1,$ids,\"nics\":[$tap,{\"mode\":\"tap\",\"ifname\":\"t1\"},{\"mode\":\"tap\",\"ifname\":\"t2\"}]}"
said "three NICs for two ports" 101 attach-port "no free PCI Express port"
port() { attach "{\"version\":1,$ids,\"nics\":[{\"mode\":\"tap\",\"ifname\":\"t1\",\"id\":\"n9\",\"device\":{\"bus\":\"$1\"}}]}"; }
port rp7; said "a port that there is not" 101 attach-port "there is no port 'rp7'"
port pcie.0; said "the root bus" 101 attach-port
is "QEMU has what it had" "$(state)" "$(cat "$tmp/before")"

# --- attached -----------------------------------------------------------------------------------------
attach "$desc"
said "a NIC of 4 queues" 0 ""
has "  QEMU has its netdev, its device and 4 queues" "$(state)" 'n1: index=' '"name": "n1"'
is "  queues of the link" "$(grep -l '^iff:	tm$' "/proc/$pid/fdinfo"/* | wc -l)" 4
attach "$desc"
said "again: the link and the ids are in use" 101 "attach-id attach-id tap-busy" \
	"QEMU has a netdev 'n1' already" "QEMU has a device 'n1' already"
port rp0; said "a port that has a device" 101 attach-port "bus 'rp0' has a device"
out() { qmp device_del '{"id":"n1"}' wait DEVICE_DELETED netdev_del '{"id":"n1"}' >"$tmp/seen"; }
out
is "taken out by QMP: QEMU has what it had" "$(state)" "$(cat "$tmp/before")"
i=0 bad=
while [ $i -lt 50 ] && [ -z "$bad" ]; do
	i=$((i + 1)); attach "$desc"; [ $rc = 0 ] || bad="round $i: $(cat "$tmp/err")"; out
done
is "50 rounds in and out: none fails" "$bad" ""
is "  and QEMU has what it had" "$(state)" "$(cat "$tmp/before")"
new_macvtap mv 2
mv='{"mode":"macvtap","id":"n1","ifname":"mv","queues":2,"vhost":false,"device":{"bus":"rp1"}}'
attach "{\"version\":1,$ids,\"nics\":[$mv]}"
said "a macvtap in the port that is named" 0 ""
is "  with the link's address" "$(qmp qom-get '{"path":"/machine/peripheral/n1","property":"mac"}')" "\"$(mac_of mv)\""
out

# --- a step that fails is undone -----------------------------------------------------------------------
proxy() { # MODE
	rm -f "$tmp/proxy"; : >"$tmp/ready"
	"$python" "$SRCDIR/tests/run/qmpproxy.py" "$tmp/proxy" "$1" ${2:+"$2"} >"$tmp/ready" & proxy_pid=$!
	wait_for 10 grep -q ready "$tmp/ready"
}
gone() { wait "$proxy_pid"; }
two="{\"version\":1,$ids,\"nics\":[$tap,{\"mode\":\"tap\",\"id\":\"n2\",\"ifname\":\"t1\",\"vhost\":false}]}"
for step in qmp_capabilities qom-get query-cpus-fast query-name query-uuid human-monitor-command qom-list \
	getfd getfd:3 netdev_add device_add getfd:5 netdev_add:2 device_add:2; do
	proxy "fail=$step" "$socket"; at=$tmp/proxy attach "$two"; gone
	has "$step fails" "$rc $(cat "$tmp/err")" 101 '"code":"qmp-error"' "QEMU says: injected"
	is "  nothing is left, and nothing is said to be" "$(codes error) $(state)" "qmp-error $(cat "$tmp/before")"
done
for step in getfd:3 netdev_add device_add; do
	proxy "close=$step" "$socket"; at=$tmp/proxy attach "$two"; gone
	said "the monitor is closed at $step" 101 "qmp-bad attach-left" "closed by its owner"
	case $step in
	device_add) has "  what is left is the netdev" "$(cat "$tmp/err")" "netdev n1 is in QEMU"
		qmp netdev_del '{"id":"n1"}' >"$tmp/seen" ;;
	*) close_names ;; esac
	is "  and that can be taken out" "$(state)" "$(cat "$tmp/before")"
done
proxy "hold=netdev_add" "$socket"; at=$tmp/proxy attach "$two" --timeout=1; gone
said "no answer in time" 101 "qmp-silent attach-left" "QEMU does not answer within 1 s"
close_names
attach "$desc"; said "after all that the guest runs, and takes a NIC" 0 ""
out

# --- a monitor that is none ------------------------------------------------------------------------------
while read -r mode status code text; do
	proxy "$mode"; at=$tmp/proxy attach "$desc" --timeout=1; gone
	said "a peer: $mode" "$status" "$code" "$text"
done <<'END'
silent 111 qmp-silent no greeting within 1 s
flood 111 qmp-silent QEMU does not answer within 1 s
line 101 qmp-bad a message of more than 1048576 bytes
deep 101 qmp-bad what it sends is not QMP
text 101 qmp-bad what it sends is not QMP
other 101 qmp-bad its greeting is not that of a QEMU
end 101 qmp-bad the monitor was closed by its owner
END
"$python" -u "$SRCDIR/tests/run/qmp.py" "$socket" query-status '' wait NEVER >"$tmp/busy" 2>&1 & busy=$!
wait_for 10 grep -q status "$tmp/busy"
attach "$desc" --timeout=1; kill "$busy"; wait "$busy" 2>/dev/null
said "a monitor that another client has" 111 qmp-silent "no greeting"
at=$tmp/none attach "$desc"; said "no socket" 101 qmp-socket ENOENT
chmod 777 "$tmp/m"; attach "$desc"; said "a directory that others write to" 101 qmp-socket "mode 0777" "chmod go-w"
chmod 1777 "$tmp/m"; attach "$desc" --check; said "  unless it is sticky" 0 ""
chmod 755 "$tmp/m"
attach "{\"version\":1,\"nics\":[$tap]}"
said "a QEMU of a user that the descriptor does not have" 101 qmp-socket "of uid 65534 listens here"
attach "$desc" --plan --check; is "two forms" $rc 100
"$ctl" attach >/dev/null 2>"$tmp/err"; is "no socket given" $? 100
is "QEMU has what it had, once more" "$(state)" "$(cat "$tmp/before")"
kill "$pid"; wait "$pid" 2>/dev/null

# --- a machine without ports, and one whose guest does not release --------------------------------------
guest -machine pc -S
state >"$tmp/before"
attach "$desc"; said "a machine whose root bus takes devices" 0 ""
plain() { printf '{"mode":"tap","id":"%s","ifname":"%s","vhost":false}' "$1" "$2"; }
proxy "fail=device_add" "$socket"; at=$tmp/proxy attach "{\"version\":1,$ids,\"nics\":[$(plain n2 t1)]}"; gone
said "  a second one fails" 101 qmp-error
proxy "fail=device_add:2" "$socket"
at=$tmp/proxy attach "{\"version\":1,$ids,\"nics\":[$(plain n3 t1),$(plain n4 t2)]}"; gone
said "  a guest that does not release the first of two" 101 "qmp-error attach-left" "device n3 stays in the guest" "netdev_del n3"
has "  it is as the message says" "$(state)" 'n3: index=' '"name": "n3"'
is "  and the second is gone" "$(state | grep -c n4)" 0
kill "$pid"; wait "$pid" 2>/dev/null
done_testing
