#!/bin/sh
# 40-cgroup.sh - where the CPU time of vhost workers is charged, and a pids.max that QEMU would abort on
# shellcheck source=tests/lab/lib.sh
. /lab/lib.sh

add_tap tap0 multi_queue

# --- CPU time -----------------------------------------------------------------------------------------
# charged DIR: CPU time of a cgroup in ms, v2 or v1
charged() {
	awk '$1 == "usage_usec" { printf "%d\n", $2 / 1000 }' "$1/cpu.stat" 2>/dev/null
	awk '{ printf "%d\n", $1 / 1000000 }' "$1/cpuacct.usage" 2>/dev/null
}
# where DIR...: the cgroup of each task, in the hierarchy under test
where() { for _t; do sed -n "s/^[0-9]*:$controllers://p" "$_t/cgroup"; done | sort -u; }
# load NAME: frames for some seconds; what each of the two cgroups was charged in that time, and what the tasks used
load() {
	pool=$(workers "$qemu")
	# shellcheck disable=SC2086 # a list
	set -- "$1" "$(charged "$in")" "$(charged "$out")" "$(cpu_ms "/proc/$qemu/task/"*)" "$(cpu_ms $pool)"
	frames_start tap0 1 16000
	sleep 4
	frames_stop
	in_ms=$(($(charged "$in") - $2)) out_ms=$(($(charged "$out") - $3))
	# shellcheck disable=SC2086
	worker_ms=$(($(cpu_ms $pool) - $5)) all_ms=$(($(cpu_ms "/proc/$qemu/task/"*) - $4))
	[ $workers_are = tasks ] || all_ms=$((all_ms + worker_ms))
	note "$1: the cgroup that was joined is charged $in_ms ms, the other $out_ms ms; QEMU and worker used $all_ms ms, $worker_ms ms of it the worker"
}
# most A B: A is two thirds of B or more (the clocks are read one after the other, on a machine that may be busy)
most() { [ $((3 * $1)) -ge $((2 * $2)) ]; }
# accounting NAME: with the cgroups $in, which the launch joins, and $out
accounting() {
	mkdir "$in" "$out"
	started "$1" "$(desc "$(nic tap tap0 1 "\"mac\":\"$GUEST_MAC\",\"vhost\":true")" "\"cgroup\":\"$in\"")" \
		-kernel /lab/mini -serial "file:$tmp/con" || return
	check "$1: the guest is up" mini_up
	# shellcheck disable=SC2046 # a list
	is "$1: QEMU and worker are in the cgroup that was joined" "$(where "/proc/$qemu/task/"* $(workers "$qemu"))" /in
	load "$1, joined before exec"
	check "$1: all CPU time is charged to it" most "$in_ms" "$all_ms"
	check "$1: the worker has worked" [ "$worker_ms" -gt 20 ]

	echo "$qemu" >"$out/cgroup.procs"
	load "$1, QEMU moved later"
	# shellcheck disable=SC2046
	if [ $workers_are = threads ]; then
		is "$1: QEMU moved, the worker stays" "$(where "/proc/$qemu/task/"*) $(where $(workers "$qemu"))" "/out /in"
		check "$1: its CPU time is still charged where it is" most "$in_ms" "$worker_ms"
		check "$1: and only its" most "$worker_ms" "$in_ms"
	else
		is "$1: QEMU moved, the worker with it" "$(where "/proc/$qemu/task/"* $(workers "$qemu"))" /out
		check "$1: all CPU time is charged there" most "$out_ms" "$all_ms"
		is "$1: and none where it was" "$in_ms" 0
	fi
	stopped "$1"
	rmdir "$in" "$out"
}
# --- tasks ----------------------------------------------------------------------------------------------
# in_cgroup DIR COMMAND...: become the command, there (for $as)
in_cgroup() { echo 0 >"$1/cgroup.procs"; shift; exec "$@"; }
two=$(nic tap tap0 2 '"vhost":true')
# smallest_that_runs: the least pids.max of $in with which QEMU and its guest get up when no rule looks at it.
# Without a monitor, which would have a thread of its own.
smallest_that_runs() {
	for max in 1 2 3 4 5 6 7 8 9; do
		echo $max >"$in/pids.max"
		: >"$tmp/con"
		# shellcheck disable=SC2086 # words
		desc "$two" | in_cgroup "$in" "$QH" $PLAIN -kernel /lab/mini -serial "file:$tmp/con" >"$tmp/err" 2>&1 & qemu=$!
		if mini_up; then break; fi
		wait "$qemu"
		note "pids.max $max: QEMU's status is $?: $(grep -v warning: "$tmp/err" | head -n 1)"
	done
	kill "$qemu"
	wait "$qemu"
	echo max >"$in/pids.max"
}
# smallest_that_passes LIMITED: the least pids.max of that cgroup with which --check of a launch into $in passes
smallest_that_passes() {
	for max in 1 2 3 4 5 6 7 8 9; do
		echo $max >"$1/pids.max"
		desc "$two" "\"cgroup\":\"$in\"" | "$QH" --check >"$tmp/check" 2>&1 && break
	done
	echo max >"$1/pids.max"
}
# foresees NAME TOP: with the limit on TOP/vm and on one above it
foresees() {
	in=$2/above/vm
	mkdir -p "$in"
	[ ! -e "$2/above/cgroup.subtree_control" ] || echo +pids >"$2/above/cgroup.subtree_control"
	smallest_that_runs
	note "$1: QEMU with two queue pairs needs a pids.max of $max"
	needed=$max
	for limited in "$in" "$2/above"; do
		smallest_that_passes "$limited"
		is "$1: --check foresees it in ${limited#"$2"}" "$max" "$needed"
	done
	has "$1: what it says" "$(echo $((needed - 1)) >"$in/pids.max"; desc "$two" "\"cgroup\":\"$in\"" | "$QH" --check 2>&1; echo "status $?")" \
		"$in/pids.max: allows $((needed - 1)) tasks and has 0: QEMU needs at least 3 more, and 2 for vhost workers" "status 101"
	rmdir "$in" "$2/above"
}

echo "+cpu +pids" >$CG/cgroup.subtree_control
in=$CG/in out=$CG/out controllers=
accounting "cgroup v2"
foresees "cgroup v2" $CG

# The same on v1, which can have the controllers once v2 has let go of them.
echo "-cpu -pids" >$CG/cgroup.subtree_control
mkdir /run/cpu /run/pids
check "cgroup v1: mounted" wait_for 60 mount -t cgroup -o cpu,cpuacct cpu /run/cpu
check "cgroup v1: pids mounted" wait_for 60 mount -t cgroup -o pids pids /run/pids
in=/run/cpu/in out=/run/cpu/out controllers=cpu,cpuacct
accounting "cgroup v1"
foresees "cgroup v1" /run/pids
done_testing
