#!/bin/sh
# verify.sh - qemu-handoff-ctl verify: a guest as planned, and each difference named
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
find_python || skip_all "needs python3-jsonschema"
private_mounts
ctl=$BUILDDIR/qemu-handoff-ctl
for_all
new_ns a
ip -n "$ns" link add br0 type bridge && ip -n "$ns" link set br0 up
ip -n "$ns" link add br1 type bridge && ip -n "$ns" link set br1 up
new_tap tm multi_queue && ip -n "$ns" link set tm master br0
new_tap t2 multi_queue
report=$tmp/report.json
leaks=no

# verify [OPTION]...: of $pid, in the namespace; $rc, $tmp/seen
verify() {
	in_ns env QEMU_HANDOFF_ERRORS=json "$ctl" verify "$pid" --report="$report" "$@" >"$tmp/seen" 2>"$tmp/err"; rc=$?
	produced "$tmp/err"
}
lines() { grep "^$1 " "$tmp/seen" | sed 's/ \[.*//; s/  */ /g'; }
# differs NAME LINE...: status 101, these lines begin those that differ, and there is no other
differs() {
	_n=$1; shift
	_want=$(printf '%s\n' "$@")
	is "$_n" "$rc $(lines differs)" "101 $_want"
	has "$_n: the error" "$(cat "$tmp/err")" '"code":"running-differs","status":101'
}
tap='{"mode":"tap","ifname":"tm","queues":2,"vhost":false}'
desc="{\"version\":1,\"report\":\"$report\",\"user\":65534,\"group\":65534,\"nics\":[$tap]"

# --- as planned -------------------------------------------------------------------------------------
stay "$desc}" -- --stay
verify
is "as planned: nothing differs" "$rc $(lines differs) $(cat "$tmp/err")" "0  "
has "  what was looked at" "$(lines ok)" "ok fd 3 net0/0 a queue of tm" "ok fd 4 net0/1 a queue of tm" \
	"ok link of net0 tm, ifindex" "ok master br0" \
	"ok uid 65534" "ok gid 65534" "ok filters" "ok no_new_privs on" "ok capabilities" "ok held by" \
	"ok vhost workers 0" "ok queues 2"
is "  what cannot be read is unknown" "$(lines unknown | cut -d' ' -f2-3 | tr '\n' ',')" "filter's content,domain cannot,"
is "  no line over 100 columns" "$(grep -E '.{101}' "$tmp/seen")" ""
verify --strict
is "  with --strict that is an error" "$rc" 101
verify --json
is "  the document fits its schema" "$("$python" "$SRCDIR/tests/run/schema.py" "$SRCDIR/data/qemu-handoff-verify.schema.json" "$tmp/seen" |
	cut -d' ' -f1)" pass
verify --seconds=1
has "  --seconds" "$rc $(lines ok)" "0 ok" "ok frames tm: " "ok load of main thread"
"$ctl" verify "$pid" --report="$report" >"$tmp/seen" 2>&1; rc=$?
has "  from another namespace its links are unknown" "$rc $(lines unknown)" "0 " "unknown link of net0 QEMU is in another network namespace"

# --- links ------------------------------------------------------------------------------------------
ip -n "$ns" link set tm nomaster; verify
differs "out of its bridge" "differs master none (planned: br0)"
ip -n "$ns" link set tm master br1; verify
differs "in another bridge" "differs master br1 (planned: br0)"
ip -n "$ns" link set tm master br0; ip -n "$ns" link set tm down; verify
differs "down" "differs state down (planned: up)"
ip -n "$ns" link set tm name other; ip -n "$ns" link set other up; verify
has "renamed" "$rc $(lines differs)" "101 " "differs fd 3 net0/0 a queue of other (planned: tm)" "differs link of net0 other, ifindex"
ip -n "$ns" link set other down; ip -n "$ns" link set other name tm; ip -n "$ns" link set tm up
ip netns exec "$ns" "$python" "$SRCDIR/tests/run/byhand.py" - tm >"$tmp/holding" &
wait_for 10 grep -q holding "$tmp/holding"; verify
has "held by another process, too" "$rc $(lines differs)" "101 " "differs queues 3 attached" "differs held by process" "'python3"
kill $!; wait $! 2>/dev/null
wait_for 10 sh -c "ip netns exec $ns $ctl verify $pid --report=$report >$tmp/seen"
is "  until that has ended" "$(lines differs)" ""
new_ns b; b=$ns ns=${spaces# }; ns=${ns%% *}
ip -n "$ns" link set tm netns "$b" && verify
has "moved to another namespace" "$rc $(lines differs)" "101 " "differs link of net0 gone from QEMU's network namespace"
ip -n "$b" link set tm netns "$ns" && ip -n "$ns" link set tm master br0 up

# --- which process ----------------------------------------------------------------------------------
other() { pid=$1 verify; }
other $$; has "another process" "$rc $(cat "$tmp/err")" 101 '"code":"report-of-another"'
leave
verify
has "one that is gone" "$rc $(cat "$tmp/err")" 101 '"code":"process-gone"' "there is no such process"
echo '{"version":1}' >"$tmp/no"
report=$tmp/no verify; has "a file that is not a report" "$rc $(cat "$tmp/err")" 100 '"code":"report-unreadable"'
report=$tmp/nothing verify; has "no file" "$rc $(cat "$tmp/err")" 100 '"code":"report-unreadable"' ENOENT
"$ctl" verify 1 >/dev/null 2>"$tmp/err"; is "no report" $? 100
"$ctl" verify x --report=/r >/dev/null 2>"$tmp/err"; is "no number" $? 100

# --- QEMU by hand: the same words, and less than the launch gave ----------------------------------------
by_hand() { # LINK...
	cp "$tmp/kept" "$report"; : >"$tmp/out"
	ip netns exec "$ns" "$python" "$SRCDIR/tests/run/byhand.py" "$report" "$@" >"$tmp/out" 2>&1 & pid=$!
	wait_for 10 grep -q '^nofile ' "$tmp/out"
	verify
}
stay "$desc}" -- --stay; cp "$report" "$tmp/kept"; leave
by_hand tm t2
has "a queue of another link" "$rc $(lines differs)" "101 " "differs fd 4 net0/1 a queue of t2 (planned: tm)" "differs queues 1 attached"
has "  ids" "$(lines differs)" "differs uid 0 0 0 0 (planned: 65534)" "differs gid 0 0 0 0 (planned: 65534)"
has "  capabilities" "$(lines differs)" "differs capabilities permitted"
has "  no filter" "$(lines differs)" "differs filters none" "differs no_new_privs off"
leave
by_hand tm -
has "one that is closed" "$rc $(lines differs)" "101 " "differs fd 4 net0/1 closed (planned: tap)"
leave

# --- cgroups ----------------------------------------------------------------------------------------
v2=$tmp/v2; mkdir "$v2"
gone() { rmdir "$v2/qh$$a" "$v2/qh$$b" 2>/dev/null; umount "$v2" 2>/dev/null; cleanup; }
trap gone EXIT
if mount -t cgroup2 none "$v2" 2>/dev/null && mkdir "$v2/qh$$a" "$v2/qh$$b" 2>/dev/null; then
	stay "$desc,\"cgroup\":\"$v2/qh$$a\"}" -- --stay
	verify
	has "in its cgroup" "$rc $(lines ok)" "0 ok" "ok threads' cgroup 1, all in it"
	echo "$pid" >"$v2/qh$$b/cgroup.procs"; verify
	has "moved to another cgroup" "$rc $(lines differs)" "101 " "differs threads' cgroup $pid 'fakeqemu' is in" "qh$$b"
	leave
else
	skip "in its cgroup" "no cgroup v2 can be mounted"
fi

# --- the real QEMU ----------------------------------------------------------------------------------
if [ -x "$QEMU" ]; then
	printf '%s}' "$desc" >"$tmp/desc"
	ip netns exec "$ns" env QEMU_HANDOFF_QEMU="$QEMU" \
		"$QH" -machine q35 -m 32 -display none -nodefaults -S <"$tmp/desc" >"$tmp/out" 2>&1 & pid=$!
	threads() { [ "$(sed -n 's/^Threads:	//p' "/proc/$pid/status")" -gt 1 ] && grep -q qemu-system "/proc/$pid/cmdline"; }
	wait_for 20 threads; verify
	has "the real QEMU" "$rc $(lines ok)" "0 ok" "ok program $(readlink -f "$QEMU")" "ok threads " "all alike"
	note "$(cat "$tmp/seen" "$tmp/err")"
	for tid in "/proc/$pid/task"/*; do [ "${tid##*/}" = "$pid" ] || other "${tid##*/}"; done
	has "  one of its threads" "$rc $(cat "$tmp/err")" 101 '"code":"process-gone"' "this is a thread, not a process"
	kill "$pid"; wait "$pid" 2>/dev/null
else
	skip "the real QEMU" "needs $QEMU"
fi
done_testing
