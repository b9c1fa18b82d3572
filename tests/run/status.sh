#!/bin/sh
# status.sh - what the kernel says of a running QEMU: its ids, privileges, filter and cgroups
#
# The cgroups are made below mounts of this test's own, and go away with it.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
no_terminal
private_mounts
for_all
# a link whose node only root may open, and QEMU as another user
new_ns a
new_macvtap mv 2
chmod 600 "$(node_of mv)"

v2=$tmp/v2 v1=$tmp/v1
mkdir "$v2" "$v1"
gone() { rmdir "$v2/qh$$" "$v1/qh$$" 2>/dev/null; umount "$v2" "$v1" 2>/dev/null; cleanup; }
trap gone EXIT
cgroups=
mount -t cgroup2 none "$v2" && mkdir "$v2/qh$$" && cgroups="\"$v2/qh$$\""
mount -t cgroup -o pids none "$v1" 2>/dev/null && mkdir "$v1/qh$$" && cgroups="$cgroups${cgroups:+,}\"$v1/qh$$\""

# run DESCRIPTOR-MEMBERS: the real QEMU, until it answers on its monitor
run() {
	mkfifo "$tmp/monitor"
	: >"$tmp/out"
	printf '{"version":1,%s"nics":[{"mode":"macvtap","ifname":"mv","queues":2,"vhost":false}]}' "$1" >"$tmp/desc"
	env "QEMU_HANDOFF_QEMU=$QEMU" ip netns exec "$ns" "$QH" "--descriptor=$tmp/desc" -nodefaults -display none -S -accel tcg -qmp stdio \
		<"$tmp/monitor" >"$tmp/out" 2>"$tmp/err" & pid=$!
	exec 9>"$tmp/monitor"
	echo '{"execute":"qmp_capabilities"}' >&9
	wait_for 30 grep -q '"return"' "$tmp/out" || note "not started:" "$(cat "$tmp/err")"
}
quit() { echo '{"execute":"quit"}' >&9; exec 9>&-; wait "$pid"; rc=$?; rm -f "$tmp/monitor"; }
status() { sed -n "s/^$1:[[:space:]]*//p" "/proc/$pid/status" | tr '\t' ' ' | sed 's/ *$//'; }
none=0000000000000000

run "\"user\":65534,\"group\":12,\"groups\":[6,10],\"cgroup\":[$cgroups],"
is "uid: real, effective, saved, file system" "$(status Uid)" "65534 65534 65534 65534"
is "gid" "$(status Gid)" "12 12 12 12"
is "groups" "$(status Groups)" "6 10"
for set in CapInh CapPrm CapEff CapBnd CapAmb; do is "$set" "$(status $set)" $none; done
is "no_new_privs" "$(status NoNewPrivs)" 1
is "a filter" "$(status Seccomp)" 2
is "two queues of the link" "$(find "/proc/$pid/fd" -lname "*$(node_of mv)" | wc -l)" 2
if [ -d "$v2/qh$$" ]; then
	is "cgroup v2" "$(sed -n 's/^0:://p' "/proc/$pid/cgroup")" "/qh$$"
else
	skip "cgroup v2" "no cgroup v2 can be mounted"
fi
if [ -d "$v1/qh$$" ]; then
	is "cgroup v1" "$(sed -n 's/^[0-9]*:pids://p' "/proc/$pid/cgroup")" "/qh$$"
else
	skip "cgroup v1" "no cgroup v1 can be mounted"
fi
quit
is "QEMU quits" "$rc" 0

run '"seccomp":"none",'
is "nothing asked for: root" "$(status Uid)" "0 0 0 0"
is "  no filter" "$(status Seccomp)" 0
is "  and what it had" "$(status NoNewPrivs)" 0
quit
is "  QEMU quits" "$rc" 0
done_testing
