#!/bin/sh
# windows.sh - windows, sound, SPICE and shares of the real QEMU, where a denied call kills it
#
# Each runs first with QEMU itself: what fails there, or lacks its server, is skipped. PulseAudio, PipeWire, JACK
# and an X server are this test's own, and end with it.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
[ -x "$QEMU" ] || skip_all "no QEMU at $QEMU"
"$QEMU" -accel help 2>/dev/null | grep -q tcg || skip_all "this QEMU has no tcg"
export XDG_RUNTIME_DIR="$tmp/xdg" HOME="$tmp" QEMU_HANDOFF_QEMU="$QEMU"
mkdir -m 700 "$XDG_RUNTIME_DIR"
mkdir "$tmp/share"
echo '{"version":1,"seccomp":{"action":"kill"}}' >"$tmp/kill"
printf '%s\n' '{"execute":"qmp_capabilities"}' '{"execute":"query-status"}' '{"execute":"quit"}' >"$tmp/quit"

servers=
# shellcheck disable=SC2086	# several numbers
end_servers() { [ -z "$servers" ] || kill $servers 2>/dev/null; servers=; }
trap 'end_servers; cleanup' EXIT
# server FILE COMMAND...: start it, if it is there, and wait for its socket, or for what it says
server() {
	_file=$1; shift
	command -v "$1" >/dev/null || return 1
	"$@" >"$tmp/display" 2>/dev/null &
	servers="$servers $!"
	wait_for 10 test -s "$_file" -o -S "$_file"
}
runs() { timeout 60 "$@" <"$tmp/quit" >"$tmp/out" 2>"$tmp/err"; }
# lives NAME WORD...: under the filter as without
lives() {
	_name=$1; shift
	set -- -accel tcg -m 64 -machine q35 -nodefaults -no-user-config -qmp stdio "$@"
	if ! runs "$QEMU" "$@"; then skip "$_name" "QEMU itself: $(head -n 1 "$tmp/err")"; return; fi
	runs "$QH" --descriptor="$tmp/kill" -- "$@"
	is "$_name" "$? $(grep -c '"return"' "$tmp/out")" "0 3"
	[ "$(grep -c '"return"' "$tmp/out")" = 3 ] || note "$(head -c 300 "$tmp/err")"
}
sound() { lives "sound: $1" -display none -audiodev "$2,id=a" -device ich9-intel-hda -device hda-duplex,audiodev=a; }

# Xvfb takes a number that is free, and prints it
if server "$tmp/display" Xvfb -displayfd 1 -screen 0 800x600x24; then
	DISPLAY=:$(cat "$tmp/display")
	export DISPLAY
	lives "a window: gtk" -display gtk -device VGA
	lives "a window: sdl" -display sdl -device VGA
	unset DISPLAY
else
	skip "a window" "needs Xvfb"
fi
if server "$XDG_RUNTIME_DIR/pulse/native" pulseaudio --daemonize=no --exit-idle-time=-1 -n -L module-native-protocol-unix -L module-null-sink; then
	sound PulseAudio pa
else
	skip "sound: PulseAudio" "needs pulseaudio"
fi
if server "$XDG_RUNTIME_DIR/pipewire-0" pipewire; then sound PipeWire pipewire; else skip "sound: PipeWire" "needs pipewire"; fi
sound "JACK" jack
sound "ALSA" alsa
sound "a file" "wav,path=$tmp/sound.wav"
lives "SPICE, with sound" -display none -spice "unix=on,addr=$tmp/spice,disable-ticketing=on" -device qxl-vga \
	-audiodev spice,id=a -device AC97,audiodev=a
lives "VNC" -display none -vnc "unix:$tmp/vnc"
for model in none mapped-xattr mapped-file passthrough; do
	lives "a share, $model" -display none -virtfs "local,path=$tmp/share,mount_tag=t,security_model=$model"
done
lives "usb-mtp, writable" -display none -device qemu-xhci -device "usb-mtp,rootdir=$tmp/share,readonly=off"
lives "a serial line on a pty" -display none -serial pty
lives "random numbers, crypto, balloon" -display none -object rng-random,id=r,filename=/dev/urandom -device virtio-rng-pci,rng=r \
	-object cryptodev-backend-builtin,id=c -device virtio-crypto-pci,cryptodev=c -device virtio-balloon-pci
lives "pmem" -display none -m 64,slots=1,maxmem=128M -object "memory-backend-file,id=p,size=16M,mem-path=$tmp/pmem,share=on" \
	-device virtio-pmem-pci,memdev=p
done_testing
