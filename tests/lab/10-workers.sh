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

done_testing
