#!/bin/sh
# 60-wall.sh - who carries the frames, and how many: QEMU's main thread, or vhost
#
# 64-byte frames from pktgen to a guest that takes them as fast as it can, over a TAP. Of the CPU
# times only the order is asserted: the machine is emulated, and may be busy with other things.
# From the environment: RATES (frames a second, 0: as fast as it goes), ROUNDS, SECONDS_EACH.
# shellcheck source=tests/lab/lib.sh
. /lab/lib.sh

add_tap tap0 multi_queue
RATES=${RATES:-4000 16000 0} ROUNDS=${ROUNDS:-1} SECONDS_EACH=${SECONDS_EACH:-4} LIMIT=${LIMIT:-0.1}
table=$tmp/table
line() { printf '%-8s %-6s %6s %8s %9s %9s %8s %10s\n' "$@"; }

# dropped: frames that the link had no room for
dropped() { cat /sys/class/net/tap0/statistics/tx_dropped; }
# point VHOST QUEUES RATE: one measurement, one line of $table
point() {
	started "vhost $1, queues $2" "$(desc "$(nic tap tap0 "$2" "\"mac\":\"$GUEST_MAC\",\"vhost\":$1")")" -kernel /lab/mini -serial "file:$tmp/con" || return
	mini_up || note "the guest does not come up: $(cat "$tmp/con")"
	# shellcheck disable=SC2046 # words
	set -- "$@" "/proc/$qemu/task/$qemu" $(workers "$qemu")
	got=$(received) drop=$(dropped)
	frames_start tap0 "$2" "$3"
	sleep 1			# until it runs evenly
	main=$(cpu_ms "$4") pool=$(shift 4; cpu_ms "$@") from=$(date +%s%N)
	sleep "$SECONDS_EACH"
	main=$(($(cpu_ms "$4") - main)) pool=$(($(shift 4; cpu_ms "$@") - pool)) took=$((($(date +%s%N) - from) / 1000000))
	frames_stop
	sent=$(sed -n 's/.*pkts-sofar: \([0-9]*\).*/\1/p' /proc/net/pktgen/tap0)
	us=$(sed -n 's/^Result: OK: \([0-9]*\).*/\1/p' /proc/net/pktgen/tap0)
	sleep 3			# the guest tells once a second, and its second may be a long one
	got=$(($(received) - got)) drop=$(($(dropped) - drop))
	quit
	[ "$qemu_status" = 0 ] || not_ok "vhost $1, queues $2: QEMU's status is $qemu_status"
	echo "$1 $2 $3 $sent $drop $us $got $main $pool $took" >>"$table"
}
for _ in $(seq "$ROUNDS"); do
	for rate in $RATES; do
		point false 1 "$rate"
		point true 1 "$rate"
		point true 2 "$rate"
	done
done

note "frames a second and shares of one CPU"
note "$(line vhost queues asked offered received lost main workers)"
note "$(awk '{ offered = ($4 + $5) / $6 * 1e6; got = $7 / $6 * 1e6
	printf "%-8s %-6s %6s %8d %9d %8.1f%% %7.1f%% %9.1f%%\n", $1 == "true" ? "on" : "off", $2, $3 ? $3 : "max", offered, got,
		100 * (1 - $7 / ($4 + $5)), 100 * $8 / $10, 100 * $9 / $10 }' "$table")"
awk '$1 == "false" { off[$3] += $8 }
	$1 == "true" { on[$3 " " $2] += $8 }
	END { for (k in on) { split(k, a, " "); printf "%s %s %.3f\n", a[1], a[2], on[k] / (off[a[1]] + 0.001) } }' "$table" | sort -n >"$tmp/ratios"
while read -r rate queues ratio; do
	[ "$rate" = 0 ] && rate="as many as go"
	check "frames $rate, vhost with $queues queues: the main thread needs less than $LIMIT of what it needs without ($ratio)" \
		awk -v r="$ratio" -v l="$LIMIT" 'BEGIN { exit !(r < l) }'
done <"$tmp/ratios"
is "the guest got frames in every case" "$(awk '$7 == 0' "$table")" ""
done_testing
