#!/bin/sh
# 60-wall.sh - who carries the frames, and how many: QEMU's main thread, or vhost
#
# 64-byte frames from pktgen to a guest that takes them as fast as it can, over a TAP. Of the CPU
# times only the order is asserted: the machine is emulated, and may be busy with other things.
# From the environment: RATES (frames a second, 0: as fast as it goes), ROUNDS, SECONDS_EACH.
# shellcheck source=tests/lab/lib.sh
. /lab/lib.sh

add_tap tap0 multi_queue
RATES=$(echo "${RATES:-8000,16000,0}" | tr , ' ') ROUNDS=${ROUNDS:-1} SECONDS_EACH=${SECONDS_EACH:-4}
table=$tmp/table

# dropped: frames that the link had no room for
dropped() { cat /sys/class/net/tap0/statistics/tx_dropped; }
# told N: the guest has told N more times what it received
told() { [ "$(grep -c '^mini: second' "$tmp/con")" -ge "$1" ]; }
# point VHOST QUEUES RATE: one measurement, one line of $table
point() {
	got=$(received) drop=$(dropped) pool=$(workers "$qemu")
	frames_start tap0 "$2" "$3"
	sleep 1			# until it runs evenly
	# shellcheck disable=SC2086 # a list
	from=$(now_ms) main=$(cpu_ms "/proc/$qemu/task/$qemu") work=$(cpu_ms $pool)
	sleep "$SECONDS_EACH"
	# shellcheck disable=SC2086
	took=$(($(now_ms) - from)) main=$(($(cpu_ms "/proc/$qemu/task/$qemu") - main)) work=$(($(cpu_ms $pool) - work))
	frames_stop
	sent=$(sed -n 's/.*pkts-sofar: \([0-9]*\).*/\1/p' /proc/net/pktgen/tap0)
	us=$(sed -n 's/^Result: OK: \([0-9]*\).*/\1/p' /proc/net/pktgen/tap0)
	until_qemu told $(($(grep -c '^mini: second' "$tmp/con") + 2))
	got=$(($(received) - got)) drop=$(($(dropped) - drop))
	echo "$3 $1 $2 $sent $drop $us $got $main $work $took" >>"$table"
}
# configuration VHOST QUEUES
configuration() {
	t="vhost $1, queues $2"
	started "$t" "$(desc "$(nic tap tap0 "$2" "\"mac\":\"$GUEST_MAC\",\"vhost\":$1")")" \
		-kernel /lab/mini -serial "file:$tmp/con" || return
	check "$t: the guest is up" mini_up
	for rate in $RATES; do point "$1" "$2" "$rate"; done
	stopped "$t"
}
for _ in $(seq "$ROUNDS"); do
	configuration false 1
	configuration true 1
	configuration true 2
done

note "frames a second, and shares of one CPU"
note "$(printf '%6s %5s %6s %9s %9s %7s %7s %8s' asked vhost queues offered received lost main workers)"
note "$(sort -s -n -k 1,1 "$table" | awk '{ offered = $4 + $5; printf "%6s %5s %6s %9d %9d %6.1f%% %6.1f%% %7.1f%%\n", $1 ? $1 : "max",
	$2 == "true" ? "on" : "off", $3, offered / $6 * 1e6, $7 / $6 * 1e6, 100 * (offered - $7) / offered, 100 * $8 / $10, 100 * $9 / $10 }')"
is "the guest got frames in every case" "$(awk '$7 <= 0' "$table")" ""
# share VHOST QUEUES [RATE]: of the main thread, in ten-thousandths of one CPU; without a rate over all of them
share() {
	awk -v v="$1" -v q="$2" -v r="${3:-all}" '$2 == v && $3 == q && (r == "all" || $1 == r) { n += $8; t += $10 }
		END { printf "%d\n", 10000 * n / t }' "$table"
}
# less NAME PARTS WITH WITHOUT
less() { check "$1: vhost leaves the main thread less than one part in $2 ($3 of $4)" [ $(($2 * $3)) -lt "$4" ]; }
# What is left is QEMU's clock and its console, about 1 % whatever the rate. A machine that is busy with other
# things counts the time it takes from us as ours: single points went up to 10 % of what they are without vhost
# (load 15 on two processors), all rates together to 6 %.
for queues in 1 2; do
	less "all rates, queues $queues" 10 "$(share true $queues)" "$(share false 1)"
	for rate in $RATES; do
		less "$rate frames a second, queues $queues" 4 "$(share true $queues "$rate")" "$(share false 1 "$rate")"
	done
done
done_testing
