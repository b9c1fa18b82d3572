#!/bin/sh
# seccomp-qemu.sh - the real QEMU under the profile `qemu`, where every other call kills it
#
# One TAP line for each thing QEMU is asked to do. In each the guest or the monitor shows that it was
# done, and QEMU must end by `quit` with status 0: a call outside the profile ends it with SIGSYS
# (159). The last lines take one call away and expect just that.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"

CONFINE=$BUILDDIR/tests/run/confine
TOOL=$BUILDDIR/qemu-handoff-seccomp
[ -x "$QEMU" ] || skip_all "no QEMU at $QEMU"
"$QEMU" -accel help 2>/dev/null | grep -q tcg || skip_all "this QEMU has no tcg"
# shellcheck disable=SC3045	# dash, bash and busybox have -n
ulimit -n 4200 2>/dev/null || skip_all "the hard limit of open files is below 4200"

# --- guests ----------------------------------------------------------------------------------------
# A boot sector that writes BOOT to port 0xe9 (debugcon) and stops: mov al,X; out 0xe9,al; hlt
boot_sector() {
	printf '\260B\346\351\260O\346\351\260O\346\351\260T\346\351\364\353\375' >"$1"
	truncate -s 510 "$1"
	printf '\125\252' >>"$1"
}
# disk NAME [SIZE]: a raw disk that boots; its path is in $disk
disk() { disk=$tmp/$1.img; boot_sector "$disk"; truncate -s "${2:-8M}" "$disk"; }

# A QEMU that has neither file: nor /dev/userfaultfd
old_migration() { case $("$QEMU" -version) in *" version 7."*|*" version 8."[01]*) ;; *) return 1 ;; esac; }

# --- virtual machines ------------------------------------------------------------------------------
# Up to two at once, `a` and `b`, whose monitors are descriptors 8 and 9 here.
filter='--action kill'
mon_of() { case $1 in a) echo 8 ;; *) echo 9 ;; esac; }

# vm LETTER ARG...: start it
vm() {
	_v=$1; shift
	rm -f "$tmp/$_v.in"; mkfifo "$tmp/$_v.in"
	: >"$tmp/$_v.out"; : >"$tmp/$_v.con"
	# shellcheck disable=SC2086	# $filter and $before are lists of words
	$before "$CONFINE" $filter "$QEMU" -accel tcg -m 64M -display none -nodefaults -no-user-config \
		-debugcon "file:$tmp/$_v.con" -qmp stdio "$@" \
		<"$tmp/$_v.in" >"$tmp/$_v.out" 2>"$tmp/$_v.err" 8>&- 9>&- &
	eval "pid_$_v=$!"
	eval "exec $(mon_of "$_v")>\"$tmp/$_v.in\""
	qmp "$_v" '{"execute":"qmp_capabilities"}'
}
before=

answers() { grep -c '^{"return"\|^{"error"\|[^ ]{"return"\|[^ ]{"error"' "$tmp/$1.out"; }
more_answers() { [ "$(answers "$1")" -gt "$2" ] || dead "$1"; }
# qmp LETTER JSON: send it and wait for the answer, which is in $reply
qmp() {
	_n=$(answers "$1")
	# A QEMU that is gone leaves a pipe without a reader
	(trap '' PIPE; printf '%s\n' "$2" >&"$(mon_of "$1")") 2>/dev/null
	wait_for 30 more_answers "$1" "$_n"
	reply=$(grep '{"return"\|{"error"' "$tmp/$1.out" | tail -n 1)
}
# good LETTER JSON: the same, and the answer must not be an error
good() {
	qmp "$1" "$2"
	case $reply in *'{"return"'*) ;; *) bad="$bad; $2 -> $reply" ;; esac
}
hmp() { good "$1" "{\"execute\":\"human-monitor-command\",\"arguments\":{\"command-line\":\"$2\"}}"; }
# hmp_quiet: for commands whose only answer is an error text
hmp_quiet() { hmp "$@"; case $reply in *'{"return": ""}'*) ;; *) bad="$bad; $2 -> $reply" ;; esac; }
dead() { ! eval "kill -0 \$pid_$1" 2>/dev/null; }
out_has() { grep -q "$2" "$tmp/$1.out"; }
out_has_or_dead() { out_has "$@" || dead "$1"; }
await() { wait_for 60 out_has_or_dead "$1" "$2"; out_has "$1" "$2" || bad="$bad; $1 never said $2"; }
con_has() { grep -q BOOT "$tmp/$1.con"; }
con_has_or_dead() { con_has "$1" || dead "$1"; }
boots() { wait_for 60 con_has_or_dead "$1"; con_has "$1" || bad="$bad; the guest of $1 did not boot"; }
# poll LETTER COMMAND: like wait_for, for commands that use the monitor and so wait_for itself
poll() {
	_tries=300
	while [ "$_tries" -gt 0 ] && ! dead "$1"; do "$2" && return 0; _tries=$((_tries - 1)); sleep 0.1; done
	bad="$bad; $2: $reply"
}
migrated() { qmp a '{"execute":"query-migrate"}'; case $reply in *completed*) ;; *) return 1 ;; esac; }
runs() { qmp b '{"execute":"query-status"}'; case $reply in *'"running": true'*) ;; *) return 1 ;; esac; }

# ended LETTER: wait for it; its status is in $status
ended() {
	eval "exec $(mon_of "$1")>&-"
	eval "wait \$pid_$1" 2>/dev/null && status=0 || status=$?
}
quit() {
	good "$1" '{"execute":"quit"}'
	ended "$1"
	[ "$status" = 0 ] || bad="$bad; $1 ended with $status: $(head -c 300 "$tmp/$1.err")"
}
scenario() { is "$1" "$bad" ""; bad=; }
bad=

# --- what QEMU does ----------------------------------------------------------------------------------
disk d
for aio in threads native; do
	vm a -machine q35 -drive "if=none,id=d,file=$disk,format=raw,cache=none,aio=$aio" \
		-device virtio-blk-pci,drive=d,id=v,bootindex=1
	boots a
	for n in 1 2 3; do hmp a "qemu-io d \\\"aio_write -P $n ${n}M 1M\\\""; done
	hmp a 'qemu-io d \"aio_flush\"'
	for n in 1 2 3; do
		hmp a "qemu-io d \\\"read -P $n ${n}M 1M\\\""
		await a "read 1048576/1048576 bytes at offset $((n * 1048576))"
	done
	hmp a 'qemu-io d \"discard 4M 1M\"'
	hmp a 'qemu-io d \"write -z 5M 1M\"'
	out_has a 'Pattern verification failed\|failed:' && bad="$bad; $(grep failed "$tmp/a.out" | head -n 1)"
	quit a
	scenario "boots from virtio-blk and does I/O, aio=$aio"
done

vm a -machine pc -drive "if=ide,file=$disk,format=raw,snapshot=on" -serial "file:$tmp/serial" -rtc base=utc
boots a
good a '{"execute":"stop"}'; good a '{"execute":"cont"}'; good a '{"execute":"system_reset"}'
quit a
scenario "boots from IDE with snapshot=on; stop, cont, reset"

if command -v qemu-img >/dev/null; then
	qemu-img convert -O qcow2 "$disk" "$tmp/d.qcow2"
	vm a -machine q35 -drive "if=none,id=d,file=$tmp/d.qcow2,format=qcow2" \
		-device virtio-blk-pci,drive=d,bootindex=1
	boots a
	hmp_quiet a 'savevm one'
	hmp a 'qemu-io d \"write -P 7 6M 64k\"'
	hmp_quiet a 'loadvm one'
	hmp a 'qemu-io d \"read -P 0 6M 64k\"'
	await a 'read 65536/65536'
	out_has a 'Pattern verification failed' && bad="$bad; the snapshot was not restored"
	good a "{\"execute\":\"blockdev-snapshot-sync\",\"arguments\":{\"device\":\"d\",\"snapshot-file\":\"$tmp/over.qcow2\"}}"
	good a '{"execute":"block-commit","arguments":{"device":"d","job-id":"j"}}'
	await a BLOCK_JOB_READY
	good a '{"execute":"block-job-complete","arguments":{"device":"j"}}'
	await a BLOCK_JOB_COMPLETED
	quit a
	scenario "qcow2: savevm, loadvm, external snapshot, commit"
else
	skip "qcow2: savevm, loadvm, external snapshot, commit" "no qemu-img"
fi

if [ "$(id -u)" = 0 ] && [ -c /dev/net/tun ]; then
	new_ns a
	new_tap t0 multi_queue
	before="ip netns exec $ns" filter='--action kill --tap t0:4'
	vm a -machine q35 -smp 2 -netdev tap,id=n,fds=10:11:12:13 \
		-device virtio-net-pci,netdev=n,mq=on,vectors=10
	before='' filter='--action kill'
	# the boot ROM asks for an address
	t0_received() { [ "$(in_ns cat /sys/class/net/t0/statistics/rx_packets)" -gt 0 ]; }
	wait_for 60 t0_received || bad="$bad; no frame came out of t0"
	good a '{"execute":"query-rx-filter"}'
	quit a
	scenario "TAP with four queues"
else
	skip "TAP with four queues" "needs root and /dev/net/tun"
fi

mkdir "$tmp/tftp"; boot_sector "$tmp/tftp/boot"
vm a -machine q35 -netdev "user,id=n,tftp=$tmp/tftp,bootfile=boot,hostfwd=tcp:127.0.0.1:0-:22" \
	-device virtio-net-pci,netdev=n,bootindex=1
boots a
hmp a 'info usernet'
quit a
scenario "user net: the guest boots over DHCP and TFTP"

vm a -machine q35 -netdev "stream,id=n,server=on,addr.type=unix,addr.path=$tmp/stream" -device virtio-net-pci,netdev=n
vm b -machine q35 -netdev "stream,id=n,server=off,addr.type=unix,addr.path=$tmp/stream" -device virtio-net-pci,netdev=n
await a NETDEV_STREAM_CONNECTED
await b NETDEV_STREAM_CONNECTED
quit b
await a NETDEV_STREAM_DISCONNECTED
quit a
scenario "stream netdev between two"

if command -v perl >/dev/null; then
	vm a -machine q35 -vga std -vnc "unix:$tmp/vnc" -device qemu-xhci -device usb-tablet
	# version, one of the security types (1: none), shared; then the size of the screen comes
	screen=$(perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new($ARGV[0]) or die; alarm 30;
		sysread $s, $v, 12; syswrite $s, $v; sysread $s, $t, 2; syswrite $s, "\1"; sysread $s, $r, 4;
		syswrite $s, "\1"; sysread $s, $i, 24; print $v; printf "%d", unpack "n", $i' "$tmp/vnc" 2>&1)
	case $screen in "RFB 003.008"*[1-9]*) ;; *) bad="$bad; VNC said $screen" ;; esac
	good a "{\"execute\":\"screendump\",\"arguments\":{\"filename\":\"$tmp/shot.ppm\"}}"
	[ -s "$tmp/shot.ppm" ] || bad="$bad; no screen dump"
	quit a
	scenario "VNC: a client connects; screen dump"
else
	skip "VNC: a client connects; screen dump" "no perl"
fi

disk h; spare=$disk; disk d
# hotplug LETTER: add and take away one of each kind
hotplug() {
	good "$1" "{\"execute\":\"blockdev-add\",\"arguments\":{\"driver\":\"raw\",\"node-name\":\"h\",\"file\":{\"driver\":\"file\",\"filename\":\"$spare\"}}}"
	good "$1" '{"execute":"device_add","arguments":{"driver":"usb-storage","drive":"h","id":"u"}}'
	good "$1" '{"execute":"device_add","arguments":{"driver":"usb-kbd","id":"k"}}'
	good "$1" '{"execute":"netdev_add","arguments":{"type":"user","id":"n1"}}'
	good "$1" '{"execute":"device_add","arguments":{"driver":"virtio-net-pci","netdev":"n1","id":"e","bus":"rp"}}'
	good "$1" '{"execute":"object-add","arguments":{"qom-type":"iothread","id":"t"}}'
	good "$1" '{"execute":"object-add","arguments":{"qom-type":"memory-backend-ram","id":"m","size":1048576}}'
	good "$1" '{"execute":"object-del","arguments":{"id":"t"}}'
	good "$1" '{"execute":"object-del","arguments":{"id":"m"}}'
	good "$1" '{"execute":"netdev_add","arguments":{"type":"user","id":"n2"}}'
	good "$1" '{"execute":"netdev_del","arguments":{"id":"n2"}}'
	good "$1" '{"execute":"device_del","arguments":{"id":"k"}}'
	await "$1" '"device": "k"'
	good "$1" '{"execute":"device_del","arguments":{"id":"u"}}'
	await "$1" '"device": "u"'
	good "$1" '{"execute":"blockdev-del","arguments":{"node-name":"h"}}'
}
vm a -machine q35 -device pcie-root-port,id=rp -device qemu-xhci
hotplug a
quit a
scenario "QMP hotplug: block, USB, netdev, NIC, objects"

set -- -machine q35 -drive "if=none,id=d,file=$disk,format=raw,file.locking=off" -device virtio-blk-pci,drive=d,bootindex=1
# 7.2 has no file: target and exec: is what the filter is against, so a listener writes the file
if command -v perl >/dev/null; then
	perl -MIO::Socket::UNIX -e 'my $l = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 1) or die;
		my $s = $l->accept; print $b while sysread $s, $b, 65536' "$tmp/store" >"$tmp/state" &
	vm a "$@"
	boots a
	good a "{\"execute\":\"migrate\",\"arguments\":{\"uri\":\"unix:$tmp/store\"}}"
	poll a migrated
	quit a
	exec 7<"$tmp/state"
	# Newer ones refuse a file behind a descriptor: file: came with 8.2.
	if old_migration; then vm b "$@" -incoming fd:7; else vm b "$@" -incoming "file:$tmp/state"; fi
	exec 7<&-
	poll b runs
	quit b
	scenario "migration to a file and back"
else
	skip "migration to a file and back" "no perl"
fi

vm b "$@" -incoming "unix:$tmp/migrate"
vm a "$@"
boots a
good a "{\"execute\":\"migrate\",\"arguments\":{\"uri\":\"unix:$tmp/migrate\"}}"
poll a migrated
poll b runs
quit a
quit b
scenario "migration to another QEMU"

vm a -object memory-backend-memfd,id=m,size=64M,share=on,prealloc=on -machine q35,memory-backend=m \
	-drive "if=none,id=d,file=$disk,format=raw" -device virtio-blk-pci,drive=d,bootindex=1
boots a
quit a
scenario "shared memory from memfd"

vm a -machine q35 -device pcie-root-port,id=rp -device qemu-xhci \
	-sandbox on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny \
	-drive "if=none,id=d,file=$disk,format=raw" -device virtio-blk-pci,drive=d,bootindex=1
boots a
hotplug a
quit a
scenario "QEMU's own -sandbox with all four denials on top"

vm a -machine q35
# shellcheck disable=SC2154	# vm() sets it
kill "$pid_a"
ended a
is "SIGTERM: a clean end" "$status" 0

# A name is resolved: the C library asks netlink, which is refused, and goes on
vm a -machine q35 -chardev socket,id=s,host=localhost,port=0,server=on,wait=off -device virtio-serial-pci \
	-device virtserialport,chardev=s
good a '{"execute":"query-chardev"}'
case $reply in *disconnected:tcp:*) ;; *) bad="$bad; $reply" ;; esac
quit a
scenario "a listener on localhost, by name"

# --- optional groups: with and without ---------------------------------------------------------------
# group NAME GROUP STATUS ARG...: with the group it runs, without it ends with this status: 159 is SIGSYS, 1 QEMU's own
# where the call fails under every action
group() {
	_name=$1 _group=$2 _status=$3; shift 3
	filter="--action kill --allow $_group"
	vm a -machine q35 "$@"
	quit a
	filter='--action kill'
	scenario "$_name: with the group $_group"
	vm a -machine q35 "$@"
	ended a
	is "$_name: without it, status $_status" "$status" "$_status"
}
postcopy() {
	vm a -machine q35 -incoming defer
	qmp a '{"execute":"migrate-set-capabilities","arguments":{"capabilities":[{"capability":"postcopy-ram","state":true}]}}'
	_reply=$reply
	quit a
}
# Where root has /dev/userfaultfd, QEMU after 8.1 opens it and needs no call.
postcopy
case $_reply in
*'{"error"'*) ;;
*) { [ -w /dev/userfaultfd ] && ! old_migration; } || bad="$bad; $_reply" ;;
esac
scenario "postcopy: without the group, an error that QEMU survives, or the device in its place"
if [ "$(id -u)" = 0 ]; then
	group "-overcommit mem-lock=on" mem_lock 1 -overcommit mem-lock=on
	filter='--action kill --allow postcopy'
	postcopy
	filter='--action kill'
	case $_reply in *'{"return"'*) ;; *) bad="$bad; $_reply" ;; esac
	scenario "postcopy: with the group postcopy"
	# QEMU 10.0 has only the second form.
	if "$QEMU" -help | grep -q '^-runas '; then
		group "-runas" runas 159 -runas nobody
		group "-chroot" chroot 159 -chroot "$tmp/tftp"
	fi
	if "$QEMU" -help | grep -A1 '^-run-with ' | grep -q 'user='; then
		group "-run-with user=" runas 159 -run-with user=nobody
		group "-run-with chroot=" chroot 159 -run-with "chroot=$tmp/tftp"
	fi
fi
group "thread-context" affinity 1 -object thread-context,id=t,cpu-affinity=0

filter='--action kill --allow io_uring'
vm a -machine q35 -drive "if=none,id=d,file=$disk,format=raw,aio=io_uring" -device virtio-blk-pci,drive=d,bootindex=1
boots a
quit a
filter='--action kill'
case $bad in
*"not supported"* | *"Parameter 'aio'"*) bad=; skip "aio=io_uring: with the group io_uring" "not in this QEMU" ;;
*) scenario "aio=io_uring: with the group io_uring" ;;
esac

daemon() { "$CONFINE" --action kill "$@" "$QEMU" -accel tcg -machine q35 -nodefaults -display none \
	-daemonize -pidfile "$tmp/pid" >"$tmp/d.err" 2>&1; }
daemon --allow daemonize
is "-daemonize: with the group daemonize" "$?" 0
check "-daemonize: the daemon lives, confined" grep -q 'Seccomp:.2' "/proc/$(cat "$tmp/pid")/status"
kill "$(cat "$tmp/pid")"
daemon
is "-daemonize: without it, QEMU cannot fork and ends" "$?" 1

# The child that frees the memory ends by a signal that it asks for, when QEMU has ended
if "$QEMU" -help | grep -q '^-async-teardown'; then
	filter='--action kill --allow daemonize'
	vm a -machine q35 -async-teardown -name "teardown$$"
	quit a
	filter='--action kill'
	gone() { ! grep -qs "teardown$$" /proc/[0-9]*/cmdline; }
	wait_for 30 gone || bad="$bad; its child is left"
	scenario "-async-teardown: with the group daemonize, nothing is left"
else
	skip "-async-teardown: with the group daemonize, nothing is left" "not in this QEMU"
fi

# --- can this test fail? -------------------------------------------------------------------------------
for call in ppoll eventfd2 newfstatat; do
	printf 'include qemu\ndefault kill\nkill %s\n' "$call" | "$TOOL" -o "$tmp/less.bpf" -
	filter="--bpf $tmp/less.bpf"
	vm a -machine q35
	ended a
	is "the profile without $call: SIGSYS" "$status" 159
done
printf 'include qemu\ndefault kill\n' | "$TOOL" -o "$tmp/same.bpf" -
filter="--bpf $tmp/same.bpf"
vm a -machine q35
quit a
scenario "the whole profile from a file"
done_testing
[ "$tap_bad" = 0 ]
