#!/bin/sh
# 50-guest.sh - what a Linux guest sees of every kind of network card, and that it all stays: channels are changed,
# a card is unplugged and plugged in, the guest reboots; under a filter that kills QEMU for any other call
# shellcheck source=tests/lab/lib.sh
. /lab/lib.sh

# One card for each mode, number of queue pairs and vhost on or off, all in one guest; a peer answers on each link.
nics='' peers='' want='' i=0
for kind in macvtap tap; do
	for queues in 4 2 1; do
		for vhost in true false; do
			i=$((i + 1))
			mac=$(printf '52:54:00:00:00:%02x' $i) rest=
			if [ $kind = macvtap ]; then
				add_macvtap "l$i" $queues
				ip link set "l$i" address "$mac"
				peer "l$i-p" &
			else
				add_tap "l$i" multi_queue
				peer "l$i" &
			fi
			peers="$peers $!"
			# the first one can be unplugged
			[ $i != 1 ] || rest=',"device":{"id":"nic0","bus":"port0"}'
			nics="$nics${nics:+,}$(nic $kind "l$i" $queues "\"mac\":\"$mac\",\"vhost\":$vhost$rest")"
			want="$want
mac=$mac combined=$queues max=$queues frame=crossed by=peer"
		done
	done
done
want=${want#?}
workers=14
first=$(echo "$want" | head -n 1)
plug='{"execute":"device_add","arguments":{"driver":"virtio-net-pci","netdev":"net0","id":"nic0","bus":"port0","mac":"52:54:00:00:00:01","mq":true,"vectors":10}}'

# seen: what the guest said of its cards in its last look, one line for each, by address
seen() {
	guest_said | awk '
	/driver=virtio_net/ { if (talked) { delete card; talked = 0 } card[$2] = $4 " " $5 " " $6 }
	/ frame=/ { talked = 1; $1 = ""; name = $2; $2 = ""; sub(/^ */, ""); card[name] = card[name] " " $0 }
	END { for (c in card) print card[c] }' | sort
}
# all_there NAME
all_there() {
	is "$1: every card has its channels, and frames crossed" "$(seen)" "$want"
	is "$1: workers" "$(count_workers "$qemu")" "$(want_workers $workers)"
	is "$1: the descriptors" "$(device_fds "$qemu")" "$fds"
	note "after $(($(now_ms) / 1000 - begin)) s"
}
begin=$(($(now_ms) / 1000))
if ! linux "$(desc "$nics" '"seccomp":{"action":"kill"}')" -device pcie-root-port,id=port0 || ! guest_done; then
	not_ok "the guest is up"
	note "$(cat "$tmp/err" "$tmp/qmp" "$tmp/con")"
	quit
	done_testing
	exit
fi
is "a filter is in force" "$(sed -n 's/^Seccomp:\t//p' "/proc/$qemu/status")" 2
fds=$(device_fds "$qemu")
is "a descriptor for each queue pair, and one for each with vhost" "$(echo "$fds" | wc -l)" $((28 + workers))
all_there "started"

# The cards have names in the order of the bus: the one behind the port is not the first.
name=$(guest_said | sed -n 's/^guest: \(eth[0-9]*\) .* mac=52:54:00:00:00:01 .*/\1/p')
for n in 2 4; do
	order "channels $name $n"
	has "$n channels, set in the guest" "$(guest_said | tail -n 2)" "guest: $name combined=$n max=4"
done
is "channels were changed: workers" "$(count_workers "$qemu")" "$(want_workers $workers)"

qmp '{"execute":"device_del","arguments":{"id":"nic0"}}'
check "the card is unplugged" until_qemu grep -q '"DEVICE_DELETED", "data": {"device": "nic0"' "$tmp/qmp"
order look
is "unplugged: the guest has the others" "$(seen)" "$(echo "$want" | tail -n +2)"
# the guest is told of it, and takes a moment
plugged() { order look && seen | grep -qx "$first"; }
qmp "$plug"
check "a card is plugged in" until_qemu plugged
all_there "plugged in"

# QEMU was told to end when the guest reboots, and is told to go on this time.
qmp '{"execute":"set-action","arguments":{"reboot":"reset"}}'
echo reboot >&8
done_again() { [ "$(guest_said | grep -c '^guest: done')" = 2 ]; }
check "the guest is up again" until_qemu done_again
check "it was a reset" grep -q '"event": "RESET"' "$tmp/qmp"
all_there "rebooted"
stopped "the guest"
is "the launcher said nothing" "$(grep '^qemu-handoff' "$tmp/err" | grep -v 'vhost workers stay\|QEMU runs as root')" ""
# shellcheck disable=SC2086 # a list
kill $peers
done_testing
