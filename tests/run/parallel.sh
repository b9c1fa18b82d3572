#!/bin/sh
# parallel.sh - 200 launches at a time, each with its own pipe and its own macvtap of two queues: no
# descriptor of one reaches another, and no process is left
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev
links=${QH_PARALLEL:-200}
new_ns p
{
	echo "link add lower type veth peer name far"
	echo "link set lower up"; echo "link set far up"
	i=1
	while [ $i -le "$links" ]; do
		echo "link add link lower name mv$i numtxqueues 2 numrxqueues 2 type macvtap mode bridge"
		echo "link set mv$i allmulticast on up"
		i=$((i + 1))
	done
} | ip -n "$ns" -batch - || skip_all "no macvtap here"
# shellcheck disable=SC2016 # for that shell
in_ns sh -c 'for f in /sys/class/net/mv*; do i=$(cat $f/ifindex); echo "${f##*/} $i $(cat $f/tap$i/dev)"; done' >"$tmp/links"
while read -r _ index dev; do mknod -m 600 "/dev/tap$index" c "${dev%:*}" "${dev#*:}"; done <"$tmp/links"
is "links to launch on" "$(grep -c . "$tmp/links")" "$links"

# A launch: the descriptor and then a line that is QEMU's come through a pipe, which stays open until
# the test opens "go" and closes it; the stand-in (tests/run/crossed.c) stays as long.
mkfifo "$tmp/go"
cat >"$tmp/batch" <<'SH'
while read -r name _ dev; do
	{
		{ printf '{"version":1,"vhost":false,"nics":[{"mode":"macvtap","ifname":"%s","queues":2}]}\n%s\n' "$name" "$name"
		  read -r _ <"$tmp/go"; } | "$WITH" closefrom 3 -- "$QH" -name "$name:$dev" >"$tmp/said.$name" 2>&1
		echo "$? $name" >>"$tmp/status"
	} &
done <"$tmp/links"
wait
SH
said() { cat "$tmp"/said.* 2>/dev/null | grep -v "QEMU runs as root"; }
all_said() { [ "$(said | grep -c .)" -ge "$links" ]; }
running() { for p in $(ip netns pids "$ns"); do cat "/proc/$p/comm" 2>/dev/null; done | grep -cx crossed; }
nobody() { [ -z "$(ip netns pids "$ns")" ]; }
export QEMU_HANDOFF_QEMU="$BUILDDIR/tests/run/crossed"
launch='{"version":1,"vhost":false,"nics":[{"mode":"macvtap","ifname":"mv1","queues":2}]}'
has "the stand-in would say so: another link" "$(printf '%s\nmv2\n' "$launch" | in_ns "$WITH" closefrom 3 -- "$QH" -name "$(sed -n 's/^mv2 [0-9]* /mv2:/p' "$tmp/links")")" "wrong mv2: 2"
has "  another's stdin" "$(printf '%s\nmv2\n' "$launch" | in_ns "$WITH" closefrom 3 -- "$QH" -name "$(sed -n 's/^mv1 [0-9]* /mv1:/p' "$tmp/links")")" "wrong mv1: mv2"
has "  a descriptor too many" "$(printf '%s\nmv1\n' "$launch" | in_ns "$WITH" closefrom 3 file 9=/dev/null -- "$QH" -name "$(sed -n 's/^mv1 [0-9]* /mv1:/p' "$tmp/links")")" "wrong mv1: not planned, and open (descriptor 9)"

for round in 1 2 3 4 5; do	# a thousand launches
	rm -f "$tmp"/said.* "$tmp/status"
	from=$(date +%s%N)
	in_ns env tmp="$tmp" QH="$QH" WITH="$WITH" sh "$tmp/batch" & batch=$!
	wait_for 90 all_said
	took=$((($(date +%s%N) - from) / 1000000))
	is "round $round: every launch has its own two queues and its own stdin" "$(said | grep -c '^fine ')" "$links"
	bad=$(said | grep -v '^fine ' | head -n 5); [ -z "$bad" ] || note "$bad"
	is "  each as the process that was started, all at the same time" "$(running)" "$links"
	: >"$tmp/go"
	wait_for 30 nobody; wait "$batch"
	is "  all exit as they should" "$(grep -c '^0 ' "$tmp/status")" "$links"
	check "  no process is left" nobody
	note "$links launches in $took ms"
done
is "no link came or went" "$(in_ns sh -c 'ls -d /sys/class/net/mv*' | wc -l)" "$links"
done_testing
