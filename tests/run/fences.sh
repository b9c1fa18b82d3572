#!/bin/sh
# fences.sh - what the drop-in does where /proc and /sys are closed, as libvirt's AppArmor profile closes them:
# what needs neither works, what needs one is refused and says what to allow
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
[ -x "$QEMU" ] || skip_all "needs $QEMU"
command -v setpriv >/dev/null || skip_all "needs setpriv"
! grep -q __asan_init "$QH" || skip_all "built with sanitizers, whose runtime needs /proc"
chmod 755 "$tmp"
cp "$QH" "$tmp/qemu-system-x86_64"
cp "$BUILDDIR/tests/run/fakeqemu" "$tmp/fake"
mkdir "$tmp/shut" "$tmp/empty" && chmod 0 "$tmp/shut"

# run HOW DESCRIPTOR [WORD...]: as another user, with /proc and /sys that he may not enter ("shut": EACCES, as from
# AppArmor) or that are empty ("empty": ENOENT)
run() {
	how=$1 desc=$2; shift 2
	# shellcheck disable=SC2016 # for that shell
	unshare -m sh -ec 'mount --bind "$1" /sys; mount --bind "$1" /proc; shift; exec "$@"' sh "$tmp/$how" \
		setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs env QEMU_HANDOFF_QEMU="${qemu-$tmp/fake}" \
		${desc:+QEMU_HANDOFF_DESCRIPTOR="$desc"} "$tmp/qemu-system-x86_64" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	rc=$?
}
ran() {
	if [ $rc = 0 ] && grep -q '^fakeqemu ' "$tmp/out" && [ ! -s "$tmp/err" ]; then return 0; fi
	note "status $rc: $(cat "$tmp/err")"
	return 1
}
said() { cat "$tmp/err"; }
ip link show lo >/dev/null 2>&1 || skip_all "needs ip"

for how in shut empty; do
	run $how "" -S; check "$how: passthrough" ran
	run $how '{"version":1}' --version; check "$how: a probe" ran
	run $how - --version; check "$how: a probe with the descriptor in a stream" ran
	run $how '{"version":1}' -S; check "$how: a descriptor that confines" ran
	run $how '{"version":1,"nics":[{"mode":"user"}]}' -S; check "$how: user mode networking" ran
	run $how '{"version":1,"nics":[{"mode":"custom","netdev":"user,id=net0"}]}' -S; check "$how: custom" ran
	run $how '{"version":1,"vcpus":2,"landlock":"prefer"}' -S
	check "$how: Landlock, when the kernel has it" grep -q '^fakeqemu ' "$tmp/out"
	run $how '{"version":1,"cgroup":"/sys/fs/cgroup/x"}' -S
	has "$how: a cgroup is refused" "$rc $(said)" "101 " "error: cgroup: /sys/fs/cgroup/x: "
	[ "$how" = empty ] || has "  and says what to allow" "$(said)" "/sys/fs/cgroup/** rw,"
	qemu=$tmp/qemu-system-x86_64 run $how "" -S
	has "$how: ourselves as QEMU end in an error, not in a loop" "$rc $(said | wc -l)" "126 1"
done
# /proc alone is shut, and the cgroup can be reached
for cgroup in /sys/fs/cgroup/unified /sys/fs/cgroup; do
	[ -e $cgroup/cgroup.procs ] || continue
	# shellcheck disable=SC2016 # for that shell
	unshare -m sh -ec 'mount --bind "$1" /proc; shift; exec "$@"' sh "$tmp/shut" setpriv --reuid 65534 --regid 65534 --clear-groups \
		env QEMU_HANDOFF_QEMU="$tmp/fake" QEMU_HANDOFF_DESCRIPTOR="{\"version\":1,\"cgroup\":\"$cgroup\"}" "$tmp/qemu-system-x86_64" -S \
		>"$tmp/out" 2>"$tmp/err" </dev/null
	has "a cgroup without /proc is refused, with the rule to add" "$? $(said)" "101 " "cgroup: /proc/self/cgroup: Permission denied" \
		"@{PROC}/@{pid}/{cgroup,mountinfo} r,"
	break
done
qemu=$QEMU run shut '{"version":1}' -version; is "QEMU itself starts there" "$rc $(head -c 13 "$tmp/out")" "0 QEMU emulator"
new_ns f
new_macvtap mv0 1
link() { # HOW
	# shellcheck disable=SC2016 # for that shell
	ip netns exec "$ns" unshare -m sh -ec 'mount --bind "$1" /sys; shift; exec "$@"' sh "$tmp/$1" \
		setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs env QEMU_HANDOFF_QEMU="$tmp/fake" \
		QEMU_HANDOFF_DESCRIPTOR='{"version":1,"nics":[{"mode":"macvtap","ifname":"mv0"}]}' "$tmp/qemu-system-x86_64" -S >"$tmp/out" 2>"$tmp/err" </dev/null
	rc=$?
}
link shut
has "a macvtap without sysfs is refused, with the rule to add" "$rc $(said)" "101 " \
	"/sys/class/net/mv0/ifindex: Permission denied" "/sys/devices/virtual/net/** r,"
done_testing
