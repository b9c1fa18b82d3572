#!/bin/sh
# 10-workers.sh - one vhost worker for each queue pair, and as many channels inside
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

# All of that in one Linux guest, whose driver tells how many channels it drives.
nics='' want='' i=0
for kind in macvtap tap; do
	for queues in 1 2 4; do
		for vhost in true false; do
			i=$((i + 1))
			mac=$(printf '52:54:00:00:00:%02x' $i)
			if [ $kind = macvtap ]; then
				add_macvtap "l$i" $queues
				ip link set "l$i" address "$mac"
			else
				add_tap "l$i" multi_queue
			fi
			nics="$nics${nics:+,}$(nic $kind "l$i" $queues "\"mac\":\"$mac\",\"vhost\":$vhost")"
			want="$want mac=$mac,combined=$queues,max=$queues"
		done
	done
done
t="a guest with all of them"
if linux "$(desc "$nics")" && guest_done; then
	is "$t: workers" "$(count_workers "$qemu")" "$(want_workers 14)"
	said=$(guest_said | sed -n 's/.* driver=virtio_net \(mac=[^ ]*\) \(combined=[0-9]*\) \(max=[0-9]*\)$/\1,\2,\3/p' | sort | tr '\n' ' ')
	is "$t: channels inside" "$said" "$(echo "$want" | tr ' ' '\n' | grep . | sort | tr '\n' ' ')"
else
	not_ok "$t"
	note "$(cat "$tmp/err" "$tmp/con")"
fi
stopped "$t"
done_testing
