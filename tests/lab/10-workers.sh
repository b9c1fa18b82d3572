#!/bin/sh
# 10-workers.sh - one vhost worker for each queue pair, and none without vhost
# shellcheck source=tests/lab/lib.sh
. /lab/lib.sh

note "vhost workers are $workers_are here"

# Workers are there as soon as QEMU has its descriptors, before any guest instruction: QEMU stands still.
add_macvtap mvt0 4
add_tap tap0 multi_queue
for kind in macvtap tap; do
	for queues in 1 2 4; do
		for vhost in true false; do
			t="$kind, queues $queues, vhost $vhost"
			link=tap0
			[ $kind = tap ] || link=mvt0
			started "$t" "$(desc "$(nic $kind $link $queues "\"vhost\":$vhost")")" -S || continue
			n=$queues
			[ $vhost = true ] || n=0
			is "$t: workers" "$(count_workers "$qemu")" "$(want_workers $n)"
			stopped "$t"
		done
	done
done

# More queue pairs than the guest has processors are no less workers.
add_macvtap mvt8 8
if started "8 queues, 2 processors" "$(desc "$(nic macvtap mvt8 8 '"vhost":true')" '"max_queues":8')" -smp 2 -S; then
	is "8 queues, 2 processors: workers" "$(count_workers "$qemu")" "$(want_workers 8)"
	stopped "8 queues, 2 processors"
fi

# What a text of the caller's own says of vhost is planned and reported, and the workers show it.
text="tap,id=net0,ifname=tap0,script=no,downscript=no,vhost=on,queues=4"
if started "custom" "$(desc "{\"mode\":\"custom\",\"netdev\":\"$text\"}" "\"report\":\"$tmp/report\"")" -S; then
	has "custom: the report has what its text says" "$(cat "$tmp/report")" '"queues":4' '"vhost":true'
	is "custom: workers" "$(count_workers "$qemu")" "$(want_workers 4)"
	stopped "custom"
fi

# The same words among QEMU's own arguments: the queues are opened for QEMU.
if started "words of argv" "{\"version\":1,\"qemu\":\"$QEMU\",\"nics\":\"argv\"}" -netdev "$text" \
	-device virtio-net-pci,netdev=net0,mq=on,vectors=10 -S; then
	is "words of argv: workers" "$(count_workers "$qemu")" "$(want_workers 4)"
	has "words of argv: QEMU has descriptors in their place" "$(tr '\0' '\n' <"/proc/$qemu/cmdline")" \
		"tap,id=net0,fds=" "vhost=on,vhostforce=on,vhostfds="
	stopped "words of argv"
fi

# A queue of a macvtap that two guests have gives each a part of the frames.
mine=$(desc "$(nic macvtap mvt0 1 '"vhost":true')")
if started "a macvtap" "$mine" -S; then
	out=$(QEMU_HANDOFF_ERRORS=json try "$mine")
	has "a macvtap: a second launch is refused, and names the first" "status $?: $out" "status 111" \
		'"code":"link-busy"' "$qemu"
	stopped "a macvtap"
	started "a macvtap, when the first has ended" "$mine" -S && stopped "a macvtap, when the first has ended"
fi

done_testing
