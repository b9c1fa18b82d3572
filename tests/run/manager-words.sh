#!/bin/sh
# manager-words.sh - the command lines of Incus, Ganeti and mkosi, with the smallest descriptor alone
#
# Words as those managers write them, with TCG in place of KVM and without vhost-vsock. Each runs first with QEMU
# itself: what fails there is skipped. Under the drop-in it must run as well, confined.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
need_root
[ -x "$QEMU" ] || skip_all "no QEMU at $QEMU"
"$QEMU" -accel help 2>/dev/null | grep -q tcg || skip_all "this QEMU has no tcg"
command -v python3 >/dev/null || skip_all "needs python3"
for_all
dropin=$tmp/bin/qemu-system-x86_64
cp "$QH" "$dropin"
user=nobody
uid=$(id -u "$user")
run=$tmp/run
truncate -s 1M "$tmp/disk"
chown "$user" "$tmp/disk"
mkdir "$tmp/share" "$tmp/root"
if "$QEMU" -help | grep -q '^-runas '; then
	drop="-runas $user" into="-chroot $tmp/root"
else
	drop="-run-with user=$user" into="-run-with chroot=$tmp/root"
fi

# quit SOCKET: QMP says what it answers to quit
cat >"$tmp/quit.py" <<-'PY'
import json, socket, sys, time
s = socket.socket(socket.AF_UNIX); s.settimeout(20)
for _ in range(100):
    try: s.connect(sys.argv[1]); break
    except OSError: time.sleep(0.1)
f = s.makefile("rw"); f.readline()
for word in "qmp_capabilities", "query-status", "quit":
    f.write(json.dumps({"execute": word})); f.flush()
    while "return" not in (answer := json.loads(f.readline())): assert "error" not in answer, answer
print("quit")
PY
# daemon NAME UID WORD...: started, it answers; as a daemon its state is read from the pid file
daemon() {
	_name=$1 _uid=$2; shift 2
	for _qemu in "$QEMU" "$dropin"; do
		rm -rf "$run" && mkdir "$run" && chown "$user" "$run"
		QEMU_HANDOFF_QEMU=$QEMU QEMU_HANDOFF_DESCRIPTOR='{"version":1}' \
			timeout 60 "$_qemu" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; rc=$?
		if [ "$_qemu" = "$QEMU" ] && [ "$rc" != 0 ]; then
			skip "$_name" "QEMU itself: $(head -n 1 "$tmp/err")"; return
		fi
		is "$_name: ${_qemu##*/bin/} starts" "$rc" 0
		[ "$rc" = 0 ] || { note "$(cat "$tmp/err")"; return; }
		_pid=$(cat "$run/pid")
		_state=$(sed -n 's/^\(Uid\|NoNewPrivs\|Seccomp\):	\([0-9]*\).*/\1 \2/p' "/proc/$_pid/status" | tr '\n' ' ')
		_end=$(timeout 30 python3 "$tmp/quit.py" "$run/qmp" 2>&1 | tail -n 1)
		is "  and answers" "$_end" quit
		[ "$_end" = quit ] || kill -9 "$_pid" 2>/dev/null
	done
	is "  confined, as $user" "$_state" "Uid $_uid NoNewPrivs 1 Seccomp 2 "
}

# --- Incus: most of it is in a file ----------------------------------------------------------------------------
cat >"$tmp/qemu.conf" <<-CFG
	# Machine
	[machine]
	graphics = "off"
	type = "q35"
	usb = "off"

	[global]
	driver = "ICH9-LPC"
	property = "disable_s3"
	value = "1"

	[boot-opts]
	strict = "on"

	[memory]
	size = "64M"

	[smp-opts]
	cpus = "1"

	[chardev "monitor"]
	backend = "socket"
	path = "$run/qmp"
	server = "on"
	wait = "off"

	[mon]
	chardev = "monitor"
	mode = "control"

	[device "qemu_pcie0"]
	driver = "pcie-root-port"
	bus = "pcie.0"
	addr = "1.0"
	multifunction = "on"

	[object "qemu_rng"]
	qom-type = "rng-random"
	filename = "/dev/urandom"

	[device "dev-qemu_rng"]
	driver = "virtio-rng-pci"
	rng = "qemu_rng"
	bus = "qemu_pcie0"

	[fsdev "qemu_config"]
	fsdriver = "local"
	security_model = "none"
	readonly = "on"
	path = "$tmp/share"

	[device "dev-qemu_config"]
	driver = "virtio-9p-pci"
	mount_tag = "config"
	fsdev = "qemu_config"
	bus = "pcie.0"
	addr = "2.0"
CFG
# shellcheck disable=SC2086	# $drop and $into are lists of words
daemon "Incus" "$uid" -S -name guest -uuid 9e24b6a5-6a0c-4cb3-8a6c-05d1f9d0f6b1 -daemonize -cpu qemu64 -nographic -serial null \
	-nodefaults -no-user-config -sandbox on,obsolete=deny,elevateprivileges=allow,spawn=allow,resourcecontrol=deny \
	-readconfig "$tmp/qemu.conf" -accel tcg -pidfile "$run/pid" -D "$run/log" -smbios type=2,manufacturer=LinuxContainers,product=Incus $drop
# its probe is a machine without a name
printf '%s\n' '{"execute":"qmp_capabilities"}' '{"execute":"query-version"}' '{"execute":"quit"}' |
	QEMU_HANDOFF_QEMU=$QEMU QEMU_HANDOFF_DESCRIPTOR='{"version":1}' timeout 60 "$dropin" -S -nographic -nodefaults -no-user-config \
		-chardev stdio,id=monitor -mon chardev=monitor,mode=control -machine q35 -accel tcg >"$tmp/out" 2>"$tmp/err"
is "Incus, its probe of a real machine" "$? $(grep -c '"return"' "$tmp/out")" "0 3"

# --- Ganeti ----------------------------------------------------------------------------------------------------
for _chroot in "" "$into"; do
	# shellcheck disable=SC2086
	daemon "Ganeti ${_chroot:+, in a directory}" "$uid" -name inst.example.org -m 64 -smp 1 -pidfile "$run/pid" -device virtio-balloon-pci,id=balloon \
		-daemonize -machine pc -accel tcg -monitor "unix:$run/monitor,server=on,wait=off" -qmp "unix:$run/qmp,server=on,wait=off" \
		-S -vga none -display none -usb -device usb-tablet -uuid 1b0b4f1e-8c87-4a3a-a1f4-6b6d0d3a9a0e \
		-drive "file=$tmp/disk,format=raw,if=none,cache=none,aio=threads,discard=ignore,id=disk0" -device virtio-blk-pci,drive=disk0,id=d0 \
		-boot c -k en-us -serial none $drop $_chroot
done

# --- mkosi -------------------------------------------------------------------------------------------------------
mkosi() {
	printf '%s\n' '{"execute":"qmp_capabilities"}' '{"execute":"quit"}' |
		QEMU_HANDOFF_QEMU=$QEMU QEMU_HANDOFF_DESCRIPTOR='{"version":1}' timeout 60 "$1" -no-reboot -machine type=q35,smm=off,hpet=off,memory-backend=mem \
			-accel tcg -cpu max -smp 2 -m 64M -object memory-backend-memfd,id=mem,size=64M,share=on \
			-object rng-random,filename=/dev/urandom,id=rng0 -device virtio-rng-pci,rng=rng0,id=rng-device0 \
			-device virtio-balloon,free-page-reporting=on -nic user,model=virtio-net-pci -nographic -nodefaults -S \
			-chardev stdio,id=console,signal=off -mon chardev=console,mode=control -device virtio-serial-pci,id=mkosi-virtio-serial-pci \
			-blockdev "driver=raw,node-name=mkosi,discard=unmap,file.driver=file,file.filename=$tmp/disk,file.aio=$2,cache.direct=on,cache.no-flush=on" \
			-device virtio-blk-pci,drive=mkosi,bootindex=1 -smbios type=11,value=io.systemd.credential:vmm.notify_socket=x >"$tmp/out" 2>"$tmp/err"
}
for aio in io_uring threads; do
	if mkosi "$QEMU" $aio; then
		mkosi "$dropin" $aio
		is "mkosi, aio=$aio" "$? $(grep -c '"return"' "$tmp/out")" "0 2"
		_warned=0; [ $aio != io_uring ] || _warned=1
		is "  with a word about the ring" "$(grep -c 'past the filter' "$tmp/err")" "$_warned"
	else
		skip "mkosi, aio=$aio" "QEMU itself: $(tail -n 1 "$tmp/err")"
	fi
done
done_testing
