#!/bin/sh
# 50-lifecycle.sh - channels, unplug and plug, reboot, quit: with vhost, and under a filter that kills
# shellcheck source=tests/lab/lib.sh
. /lab/lib.sh

add_macvtap mvt0 4
peer mvt0-p & peer=$!
nic=$(nic macvtap mvt0 4 '"vhost":true,"device":{"id":"nic0","bus":"port0"}')
plug='{"execute":"device_add","arguments":{"driver":"virtio-net-pci","netdev":"net0","id":"nic0","bus":"port0","mac":"'$(mac mvt0)'","mq":true,"vectors":10}}'
# seen N EVENT: QEMU has told of it that often
seen() { [ "$(grep -c "\"event\": \"$2\"" "$tmp/qmp")" -ge "$1" ]; }
# the_card NAME: what the guest sees, after another look, on all four pairs, and a frame comes back
the_card() {
	is "$1: workers" "$(count_workers "$qemu")" "$(want_workers 4)"
	guest_said | tail -n 4 >"$tmp/said"
	has "$1: four channels, and a frame crossed" "$(cat "$tmp/said")" "eth0 driver=virtio_net mac=$(mac mvt0) combined=4 max=4" \
		"eth0 frame=crossed by=peer"
}
# plugged: a card that was plugged in takes the guest a moment
plugged() { order look && guest_said | tail -n 3 | grep -q "eth0 driver=virtio_net"; }

t="a guest"
if ! linux "$(desc "$nic" '"seccomp":{"action":"kill"}')" -device pcie-root-port,id=port0 || ! guest_done; then
	not_ok "$t"
	note "$(cat "$tmp/err" "$tmp/qmp" "$tmp/con")"
	quit
	done_testing
	exit
fi
is "$t: a filter is in force" "$(sed -n 's/^Seccomp:\t//p' "/proc/$qemu/status")" 2
the_card "started"
for n in 2 4; do
	order "channels eth0 $n"
	has "$n channels, set in the guest" "$(guest_said | tail -n 2)" "guest: eth0 combined=$n max=4"
	is "$n channels, set in the guest: workers" "$(count_workers "$qemu")" "$(want_workers 4)"
done

fds=$(device_fds "$qemu")
qmp '{"execute":"device_del","arguments":{"id":"nic0"}}'
check "the card is unplugged" until_qemu grep -q '"DEVICE_DELETED", "data": {"device": "nic0"' "$tmp/qmp"
order look
has "the guest has no card" "$(guest_said | tail -n 2)" "no network card"
qmp "$plug"
check "a card is plugged in" until_qemu plugged
the_card "plugged in"
is "plugged in: the same descriptors" "$(device_fds "$qemu")" "$fds"

# The guest reboots; QEMU was told to end then, and is told to go on this time.
qmp '{"execute":"set-action","arguments":{"reboot":"reset"}}'
echo reboot >&8
check "the guest reboots" until_qemu seen 1 RESET
done_again() { [ "$(guest_said | grep -c '^guest: done')" = 2 ]; }
check "the guest is up again" until_qemu done_again
the_card "rebooted"
is "rebooted: the same descriptors" "$(device_fds "$qemu")" "$fds"
stopped "$t"
is "QEMU and the launcher said nothing else" "$(grep -v workers-cgroup "$tmp/err" | grep -v 'vhost workers stay')" ""
kill "$peer"
done_testing
