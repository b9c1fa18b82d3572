#!/bin/sh
# convert.sh - qemu-handoff-ctl convert: what it prints, and that a guest by it is the guest of the words
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
ctl=$BUILDDIR/qemu-handoff-ctl
off=script=no,downscript=no

# --- what is printed --------------------------------------------------------------------------------------
# converted NAME WANT OPTION... -- WORD...
converted() {
	_name=$1 _want=$2; shift 2
	is "$_name" "$("$ctl" convert "$@" 2>"$tmp/err")" "$_want"
}
tap="tap,id=n,ifname=tap1,$off"
nics='"nics":[{"mode":"tap","id":"n","ifname":"tap1","netdev":"argv"}]'
converted "a document" \
	"{\"descriptor\":{\"version\":1,\"user\":5,\"group\":6,$nics},\"argv\":[\"-m\",\"64\",\"-netdev\",\"$tap\"]}" \
	-- -m 64 -runas 5:6 -netdev "$tap"
converted "the descriptor alone" '{"version":1,"user":5,"group":6}' --descriptor -- -m 64 -runas 5:6
converted "the words alone, for a shell" "-name 'a b' --" --words -- -name "a b" --
QEMU_HANDOFF_ERRORS=json "$ctl" convert -- -netdev tap,id=n,fd=9 >"$tmp/out" 2>"$tmp/err"
rc=$?
is "what has no equal is a warning" \
	"$rc $(sed 's/.*"level":"\([a-z]*\)","code":"\([a-z-]*\)".*"message":"\([^"]*\)".*/\1 \2 \3/' "$tmp/err")" \
	"0 warning convert-left fd=9 stays: whoever starts QEMU must have it open"
produced "$tmp/err"
# wrong NAME LINE WORD...
wrong() {
	_name=$1 _line=$2; shift 2
	"$ctl" convert "$@" >"$tmp/out" 2>"$tmp/err"
	is "$_name" "$? $(cat "$tmp/out" "$tmp/err")" "100 qemu-handoff-ctl: error: $_line"
}
wrong "no words" "no words of QEMU are given (try: put -- before them)"
wrong "words without -- before them" "-m: convert has no such option" -m 64
wrong "both parts" "--words: --descriptor asks for something else" --words --descriptor -- -S
mknod -m 666 /dev/full c 1 7
"$ctl" convert -- -S >/dev/full 2>"$tmp/err"
is "no room for the output" "$?" 111

# --- a launch spec of dstack-vmm ----------------------------------------------------------------------------
cat >"$tmp/spec.json" <<'END'
{
  "qemu": { "command": "taskset", "args": ["-c", "0-3", "/opt/qemu-system-x86_64", "-m", "64",
    "-netdev", "bridge,id=net0,br=br1", "-device", "virtio-net-pci,netdev=net0"] },
  "swtpm": { "command": "/usr/bin/swtpm", "args": ["socket", "--tpmstate", "dir=/a b"] },
  "swtpm_socket": "/run/tpm.sock", "startup_timeout_ms": 5000, "shutdown_timeout_ms": 10000
}
END
nics='"nics":[{"mode":"bridge","id":"net0","bridge":"br1","netdev":"argv"}]'
converted "a spec" "{\"version\":1,\"qemu\":\"/opt/qemu-system-x86_64\",$nics,\"die_with_parent\":true}" \
	--descriptor --spec="$tmp/spec.json"
has "  what has no equal is said" "$(cat "$tmp/err")" "taskset -c 0-3 qemu-handoff" "'/run/tpm.sock'" startup_timeout_ms \
	shutdown_timeout_ms "(try: /usr/bin/swtpm socket --tpmstate 'dir=/a b')"
is "  the words" "$("$ctl" convert --words --spec "$tmp/spec.json" 2>/dev/null)" \
	"-m 64 -netdev bridge,id=net0,br=br1 -device virtio-net-pci,netdev=net0"
printf '{"qemu":{"command":"/opt/emulator","args":["-S"]}}' >"$tmp/spec.json"
converted "  QEMU by another name, and nothing beside it" \
	'{"descriptor":{"version":1,"qemu":"/opt/emulator","die_with_parent":true},"argv":["-S"]}' --spec="$tmp/spec.json"
is "  says nothing" "$(cat "$tmp/err")" ""
# bad_spec NAME CODE TEXT
bad_spec() {
	printf '%s' "$3" >"$tmp/bad.json"
	QEMU_HANDOFF_ERRORS=json "$ctl" convert --spec="$tmp/bad.json" >"$tmp/out" 2>"$tmp/err"
	is "$1" "$? $(sed 's/.*"code":"\([^"]*\)".*/\1/' "$tmp/err" | tr '\n' ' ')$(cat "$tmp/out")" "100 $2 "
}
bad_spec "a spec that is no JSON" descriptor-syntax '{"qemu":'
bad_spec "  without QEMU" descriptor-missing-key '{"swtpm":{"command":"x"}}'
bad_spec "  with a member that nobody knows" descriptor-unknown-key '{"qemu":{"command":"x"},"sidecars":[]}'
bad_spec "  with a number for a word" descriptor-type '{"qemu":{"command":"x","args":[1]}}'
wrong "a spec and words" "--spec: the file has the words of QEMU" --spec=x -- -S

# --- a guest by it is the guest of the words ----------------------------------------------------------------
if [ ! -x "$QEMU" ]; then
	skip "a guest" "needs $QEMU"
	done_testing
	exit 0
fi
new_ns a
new_tap tap1
new_tap tap2
new_tap tap4 multi_queue
# seen COMMAND...: what the monitor says of devices, and of the network but for descriptors
seen() {
	printf 'info network\ninfo pci\nquit\n' | in_ns timeout 60 "$@" 2>"$tmp/seen.err" | tr -d '\r' |
		grep -a '^ \|^Bus\|^[a-z0-9]*:' |
		sed 's/#net[0-9]*/#net/g; s/fds\{0,1\}=[0-9:]*//; s/ifname=[^,]*,script=[^,]*,downscript=[^,]*//'
}
round() {
	_round=$1; shift
	set -- -M pc -accel tcg -m 64 -nodefaults -display none -monitor stdio -S "$@"
	seen "$QEMU" "$@" >"$tmp/plain"
	"$ctl" convert --descriptor -- "$QEMU" "$@" >"$tmp/guest.json" 2>"$tmp/err"
	eval "set -- $("$ctl" convert --words -- "$QEMU" "$@" 2>/dev/null)"
	seen "$QH" --descriptor="$tmp/guest.json" -- "$@" >"$tmp/handed"
	check "$_round: QEMU has a NIC" grep -q Ethernet "$tmp/plain"
	is "$_round: the same devices in the same places" "$(cat "$tmp/handed")" "$(cat "$tmp/plain")"
}
round "two NICs and a device between them" -netdev "$tap" -device virtio-net-pci,netdev=n,mac=52:54:00:01:02:03 \
	-device virtio-rng-pci -netdev "tap,id=m,ifname=tap2,$off" -device e1000,netdev=m,addr=9,mac=52:54:00:01:02:04
round "four queues" -netdev "tap,id=n,ifname=tap4,$off,queues=4" -device virtio-net-pci,netdev=n,mq=on,vectors=10
round "-nic" -nic "tap,ifname=tap1,$off,model=virtio-net-pci,mac=52:54:00:01:02:04"
done_testing
