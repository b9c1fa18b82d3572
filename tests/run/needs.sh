#!/bin/sh
# shellcheck disable=SC2086 # lists of words
# needs.sh - what words need of the filter, judged before the launch and met by the real QEMU
#
# Under action kill: what is let through must live until `quit`; what an empty list refuses must end
# otherwise when QEMU meets the same filter all the same.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"

CONFINE=$BUILDDIR/tests/run/confine
[ -x "$QEMU" ] || skip_all "no QEMU at $QEMU"
"$QEMU" -accel help 2>/dev/null | grep -q tcg || skip_all "this QEMU has no tcg"
# shellcheck disable=SC3045	# dash, bash and busybox have -n
ulimit -n 4200 2>/dev/null || skip_all "the hard limit of open files is below 4200"
export QEMU_HANDOFF_QEMU="$QEMU"
truncate -s 1M "$tmp/disk"
mkdir "$tmp/share"
printf '%s\n' '{"execute":"qmp_capabilities"}' '{"execute":"quit"}' >"$tmp/quit"
base="-accel tcg -m 64 -nodefaults -display none -no-user-config -S -qmp stdio"
echo '{"version":1,"seccomp":{"action":"kill"}}' >"$tmp/auto"
echo '{"version":1,"seccomp":{"action":"kill","allow":[]}}' >"$tmp/none"

# ends COMMAND...: runs it with the monitor's words as its input; its status is in $rc
ends() { timeout 60 "$@" <"$tmp/quit" >"$tmp/out" 2>"$tmp/err" && rc=0 || rc=$?; produced "$tmp/err"; }
has_option() { "$QEMU" -help | grep -q "^-*-$1 "; }

# needs NAME GROUP WORD...: it lives with the groups that are found, is refused without, and dies if not refused
silent=
# shellcheck disable=SC2086	# $base is a list of words
needs() {
	_name=$1 _group=$2; shift 2
	ends "$QH" --errors=json --descriptor="$tmp/auto" -- $base "$@"
	is "$_name: lives with $_group" "$rc" 0
	[ "$rc" = 0 ] || note "$(head -c 300 "$tmp/err")"
	ends "$QH" --errors=json --descriptor="$tmp/none" -- $base "$@"
	has "  is refused without" "$rc $(cat "$tmp/err")" "100 " seccomp-needs "$_group"
	[ -z "$silent" ] || return 0
	ends "$CONFINE" --action kill "$QEMU" $base "$@"
	check "  and would have ended otherwise ($rc)" [ "$rc" -ne 0 ]
}
# lives NAME WORD...: no group is found, and none is needed
# shellcheck disable=SC2086
lives() {
	_name=$1; shift
	ends "$QH" --descriptor="$tmp/none" -- $base "$@"
	is "$_name: lives" "$rc" 0
	[ "$rc" = 0 ] || note "$(head -c 300 "$tmp/err")"
}
# program NAME WORD...: refused with the default; QEMU could not have executed it
# shellcheck disable=SC2086
program() {
	_name=$1; shift
	ends "$QH" --errors=json --descriptor="$tmp/auto" -- $base "$@"
	has "$_name: is refused" "$rc $(cat "$tmp/err")" "100 " seccomp-needs
}

# config NAME: a file of -readconfig from stdin; its path is $tmp/NAME
config() { cat >"$tmp/$1"; }
config thread <<-CFG
	# a thread
	[object "t"]
	  qom-type = "thread-context"
	  cpu-affinity.0 = "0"
CFG
needs "thread-context, out of a file" affinity -readconfig "$tmp/thread"
printf '[drive "d"]\nfile = "%s"\nformat = "raw"\nif = "none"\n' "$tmp/disk" >"$tmp/drive"
lives "a drive out of a file" -readconfig "$tmp/drive" -device virtio-blk-pci,drive=d
printf '[fsdev "f"]\nfsdriver = "local"\npath = "%s"\nsecurity_model = "none"\n' "$tmp/share" >"$tmp/fsdev"
silent=1
needs "a share out of a file" 9p -readconfig "$tmp/fsdev" -device virtio-9p-pci,fsdev=f,mount_tag=t
silent=
printf '[netdev "n"]\ntype = "bridge"\n' >"$tmp/bridge"
program "a bridge out of a file" -readconfig "$tmp/bridge"
program "a helper by -set" -netdev tap,id=n,ifname=none0,script=no,downscript=no -set netdev.n.helper=/bin/true
ends "$QH" --check --errors=json --descriptor="$tmp/auto" -- -drive "file=$tmp/disk,id=d,aio=threads" -set drive.d.aio=io_uring
has "io_uring by -set" "$rc $(cat "$tmp/err")" "0 " seccomp-weakened
ends "$QH" --check --errors=json --descriptor="$tmp/auto" -- -readconfig "$tmp/nonesuch"
has "a file that cannot be read is warned about" "$rc $(cat "$tmp/err")" "0 " argv-unread ENOENT
ends "$QH" --check --errors=json --descriptor="$tmp/auto" -- -readconfig /dev/null
has "  and so is a device, which is not opened" "$rc $(cat "$tmp/err")" "0 " argv-unread
truncate -s 65537 "$tmp/large"
ends "$QH" --check --errors=json --descriptor="$tmp/auto" -- -readconfig "$tmp/large"
has "  and a large one" "$rc $(cat "$tmp/err")" "0 " argv-unread

needs "thread-context" affinity -object thread-context,id=t,cpu-affinity=0
needs "thread-context, JSON" affinity -object '{"qom-type":"thread-context","id":"t","cpu-affinity":[0]}'
needs "thread-context, single quotes" affinity -object "{'qom-type':'thread-context','id':'t','cpu-affinity':[0]}"
# without its process QEMU goes on, and the teardown is none
silent=1
if has_option async-teardown; then
	needs "async-teardown" daemonize -async-teardown
else
	needs "async-teardown" daemonize -run-with async-teardown=on
fi
silent=
# shellcheck disable=SC2086	# $base and $with_tap are lists of words
# a serial that no key has: the kernel says so, not the filter
ends "$QH" --errors=json --descriptor="$tmp/auto" -- $base -object secret_keyring,id=s,serial=2147483647
has "a key of the kernel: asked for with keyring" "$rc $(cat "$tmp/err")" "1 " "ey not available"
ends "$CONFINE" --action kill "$QEMU" $base -object secret_keyring,id=s,serial=2147483647
is "  and refused without, under every action" "$rc $(grep -c 'not implemented' "$tmp/err")" "1 1"
ends "$QH" --errors=json --descriptor="$tmp/none" -- $base -object secret_keyring,id=s,serial=1
has "  is refused without" "$rc $(cat "$tmp/err")" "100 " seccomp-needs keyring
if "$QEMU" -run-with help 2>/dev/null | grep -q exit-with-parent; then
	silent=1
	needs "the end of its parent" daemonize -run-with exit-with-parent=on
	silent=
else
	skip "the end of its parent" "not in this QEMU"
fi
if [ "$(id -u)" = 0 ] && [ -c /dev/net/tun ]; then
	new_ns n
	new_tap rss0
	with_tap="ip netns exec $ns"
	# QEMU says "libbpf" where it is refused; 7.2 of Debian has no such program
	ends $with_tap "$QH" --errors=json --descriptor="$tmp/auto" -- $base -netdev tap,id=n,ifname=rss0,script=no,downscript=no \
		-device virtio-net-pci,netdev=n,rss=on
	has "rss: its program is loaded, with a warning" "$rc $(cat "$tmp/err")" "0 " seccomp-weakened
	_said=$(grep -c libbpf "$tmp/err")
	# that of 7.2 is refused by newer kernels, whoever loads it
	ends $with_tap "$QEMU" $base -netdev tap,id=n,ifname=rss0,script=no,downscript=no -device virtio-net-pci,netdev=n,rss=on
	is "  and no more is refused than without the launch" "$_said" "$(grep -c libbpf "$tmp/err")"
	ends $with_tap "$CONFINE" --action kill "$QEMU" $base -netdev tap,id=n,ifname=rss0,script=no,downscript=no \
		-device virtio-net-pci,netdev=n,rss=on
	is "  without the group QEMU does without" "$rc" 0
	ends $with_tap "$QH" --errors=json --descriptor="$tmp/none" -- $base -netdev tap,id=n,ifname=rss0,script=no,downscript=no \
		-device virtio-net-pci,netdev=n,rss=on
	has "  and an empty list refuses it" "$rc $(cat "$tmp/err")" "100 " seccomp-needs bpf
else
	skip "rss" "needs root and /dev/net/tun"
fi
lives "thread-context without affinity" -object thread-context,id=t
lives "scripts that are none" -netdev user,id=n -device virtio-net-pci,netdev=n
lives "a drive with threads" -drive "file=$tmp/disk,format=raw,if=none,aio=threads"
lives "a blockdev in single quotes" -blockdev "{'driver':'file','filename':'$tmp/disk','node-name':'n'}"
lives "mem-lock=off" -overcommit mem-lock=off
lives "a guestfwd with a chardev" -chardev null,id=c -netdev user,id=n,guestfwd=tcp:10.0.2.4:1-chardev:c
lives "incoming from a descriptor" -incoming defer
program "a command of guestfwd, first of two" -chardev null,id=c \
	-netdev user,id=n,guestfwd=tcp:10.0.2.4:1-cmd:id,guestfwd=tcp:10.0.2.5:1-chardev:c
program "incoming from a command" -incoming "exec:cat /dev/null"
program "a bridge in single quotes" -netdev "{'type':'bridge','id':'n'}"
program "smb" -netdev user,id=n,smb=/
program "the default script of a tap" -netdev tap,id=n,ifname=none0

# QEMU's own filter against its other words; without the launch's, so that it alone decides
echo '{"version":1,"seccomp":"none"}' >"$tmp/off"
# sandbox NAME SANDBOX WORD...: refused, and QEMU ends by it, which without it runs
# shellcheck disable=SC2086
sandbox() {
	_name=$1 _sandbox=$2; shift 2
	ends "$QH" --errors=json --descriptor="$tmp/off" -- $plain -sandbox "$_sandbox" "$@"
	has "-sandbox, $_name: is refused" "$rc $(cat "$tmp/err")" "100 " argv-sandbox
	ends "$QEMU" $plain -sandbox "$_sandbox" "$@"
	check "  and QEMU ends by it ($rc)" [ "$rc" -ne 0 ]
}
plain="-accel tcg -m 64 -nodefaults -display none -no-user-config -S -pidfile $tmp/pid"
# shellcheck disable=SC2086
ends "$QEMU" $plain -daemonize -sandbox on
is "-sandbox on: a daemon lives" "$rc" 0
[ ! -s "$tmp/pid" ] || kill "$(cat "$tmp/pid")"
if "$QEMU" -M none -sandbox on -version >/dev/null 2>&1; then
	sandbox "daemonize" on,spawn=deny -daemonize
	sandbox "daemonize and setsid" on,elevateprivileges=deny -daemonize
	sandbox "a helper" on,spawn=deny -netdev bridge,id=n,helper=/bin/true
	# shellcheck disable=SC2086
	ends "$QH" --descriptor="$tmp/off" -- $base -sandbox on,resourcecontrol=deny -object thread-context,id=t,cpu-affinity=0
	is "-sandbox, affinity: lives" "$rc" 0
	# shellcheck disable=SC2086
	ends "$QH" --descriptor="$tmp/none" -- $base \
		-sandbox on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny
	is "-sandbox, all denied: lives under the launch's filter" "$rc" 0
fi

# whether this kernel has rings or not, the launch says what it gives away
ends "$QH" --check --errors=json --descriptor="$tmp/auto" -- -drive "file=$tmp/disk,aio=io_uring"
has "io_uring: is allowed with a warning" "$rc $(cat "$tmp/err")" "0 " seccomp-weakened
ends "$QH" --plan=json --descriptor="$tmp/auto" -- -daemonize
has "the plan names group and word" "$(cat "$tmp/out")" '"allow":["daemonize"],"needed":[{"group":"daemonize","why":"-daemonize"}]'
ends "$QH" --plan --descriptor="$tmp/auto" -- -daemonize
has "  as text, too" "$(cat "$tmp/out")" "with daemonize" "(-daemonize)"
done_testing
