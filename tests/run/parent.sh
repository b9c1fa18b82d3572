#!/bin/sh
# parent.sh - "die_with_parent": QEMU ends with the process that started it, whatever its ids are
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
need_root
for_all
gone() { ! kill -0 "$1" 2>/dev/null || grep -qs '^State:.Z' "/proc/$1/status"; }
# begin SOURCE: a shell starts it, writes down its process, and waits to be killed; $parent
begin() {
	rm -f "$tmp/pid" "$tmp/out"
	# shellcheck disable=SC2016 # the shell's own words
	QEMU_HANDOFF_ERRORS=json QEMU_HANDOFF_QEMU=$FAKE sh -c '
		"$0" --descriptor="$1" -- --stay "" >"$2/out" 2>"$2/err" </dev/null &
		echo $! >"$2/pid.new"; mv "$2/pid.new" "$2/pid"; wait' "$QH" "$1" "$tmp" & parent=$!
	wait_for 10 test -s "$tmp/pid"
	child=$(cat "$tmp/pid")
}
end_parent() { kill -9 "$parent"; wait "$parent" 2>/dev/null; }
started_with() {
	echo "$1" >"$tmp/desc.json"
	begin "$tmp/desc.json"
	wait_for 20 grep -qs '^nofile ' "$tmp/out" || note "not started: $(cat "$tmp/err")"
}
other=',"user":1000,"group":1000'
for ids in '' "$other" "$other,\"seccomp\":\"none\"" "$other,\"capabilities\":[\"CAP_KILL\"]"; do
	started_with "{\"version\":1,\"die_with_parent\":true$ids}"
	check "it runs$ids" kill -0 "$child"
	end_parent
	check "  and ends with its parent" wait_for 5 gone "$child"
done
started_with "{\"version\":1$other}"
end_parent
check "control: without the key it stays" kill -0 "$child"
kill -9 "$child"

# the parent ends while the descriptor is waited for
mkfifo "$tmp/fifo"
begin "$tmp/fifo"
opened() { readlink "/proc/$child/fd"/* 2>/dev/null | grep -qx "$tmp/fifo"; }
check "it waits for its descriptor" wait_for 10 opened
end_parent
echo '{"version":1,"die_with_parent":true}' >"$tmp/fifo"
check "  and ends" wait_for 10 gone "$child"
produced "$tmp/err"
has "a parent that has ended before is an error" "$(cat "$tmp/err")" parent-gone '"status":111'
is "  and QEMU is not started" "$(cat "$tmp/out")" ""
launch '{"version":1,"die_with_parent":true}' -daemonize
refused "a QEMU that daemonizes" 100 parent-daemonize die_with_parent
launch '{"version":1,"die_with_parent":true}' --plan=json
has "the plan says it" "$(cat "$tmp/out")" '"die_with_parent":true'
done_testing
