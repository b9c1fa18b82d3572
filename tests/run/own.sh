#!/bin/sh
# own.sh - what QEMU opens by itself, and QEMU's file, are judged by the ids that it will have
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
need_root
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
as() { printf '{"version":1,"default_nic":true,"user":4711,"group":4712%s}' "$1"; }
kvm() { rm -f /dev/kvm; mknod -m "$1" /dev/kvm c 10 232 && chown "$2" /dev/kvm; }
hint_of() { sed -n 's/.*"hint":"\(.*\)"}$/\1/p' "$tmp/err" | sed 's/\\"/"/g'; }

kvm 600 0:0
for words in "-enable-kvm" "-accel kvm" "-accel accel=kvm" "-accel kvm,kernel-irqchip=off" "-machine q35,accel=kvm" \
	"-M accel=tcg -M accel=kvm" "-accel kvm -accel kvm"; do
	# shellcheck disable=SC2086 # several words
	launch "$(as '')" $words
	refused "a node of root's, $words" 101 node-access '"object":"/dev/kvm"' \
		"mode is 0600 and its owner 0:0, but QEMU will have uid 4711 gid 4712"
done
for words in "-accel kvm -accel tcg" "-accel tcg -accel kvm" "-machine accel=kvm:tcg" "-accel tcg" "-m 64" \
	"-accel kvm,device=/dev/fdset/1"; do
	# shellcheck disable=SC2086 # several words
	launch "$(as '')" $words
	accepted "  there is something else, $words" ""
done
launch "$(as '')" --check -enable-kvm; refused "  --check says the same" 101 node-access "setfacl -m u:4711:rw /dev/kvm"
launch '{"version":1,"default_nic":true}' -runas 4711:4712 -enable-kvm
refused "  and with -runas" 101 node-access "uid 4711"
launch '{"version":1,"default_nic":true}' -enable-kvm; accepted "root's own QEMU may open it" ""
launch "$(as ',"capabilities":["CAP_DAC_OVERRIDE"]')" -enable-kvm; accepted "so may one that keeps CAP_DAC_OVERRIDE" ""

kvm 660 0:4713
launch "$(as '')" -enable-kvm; refused "a node of a group's" 101 node-access '\"groups\": [4713]'
launch "$(as ',"groups":[4713]')" -enable-kvm; accepted "  after the hint" ""
launch "$(as ',"groups":[4714]')" -enable-kvm; refused "  not with another group" 101 node-access "0660"
launch '{"version":1,"default_nic":true,"user":4711,"group":4713}' -enable-kvm; accepted "  its first group may be it, too" ""
kvm 606 0:4712
launch "$(as '')" -enable-kvm; refused "a group that has less than others" 101 node-access "0606"
kvm 660 4711:0
launch "$(as '')" -enable-kvm; accepted "a node of its own" ""
kvm 666 0:0
launch "$(as '')" -enable-kvm; accepted "a node of everybody's" ""
rm /dev/kvm
launch "$(as '')" -enable-kvm; refused "no node" 101 node-missing '"object":"/dev/kvm"'
mknod -m 666 /dev/kvm c 10 200
launch "$(as '')" -enable-kvm; refused "the node of another device" 101 node-wrong-device '"object":"/dev/kvm"'
rm /dev/kvm; : >/dev/kvm
launch "$(as '')" -enable-kvm; refused "a file" 101 node-not-device '"object":"/dev/kvm"'
rm /dev/kvm
dropin=$tmp/qemu-system-x86_64
ln -s "$QH" "$dropin"
QEMU_HANDOFF_QEMU=$FAKE QEMU_HANDOFF_DESCRIPTOR=$(as '') "$dropin" -accel kvm -version >"$tmp/out" 2>"$tmp/err"
is "a call that only asks needs no node" $? 0

# --- QEMU's file --------------------------------------------------------------------------------------
qemu=$tmp/qemu
cp "$FAKE" "$qemu"
chmod 755 "$tmp"
chmod 700 "$qemu"
launch "$(as '')"; refused "a QEMU of root's" 126 qemu-not-executable "mode is 0700 and its owner 0:0, but QEMU will have uid 4711 gid 4712"
eval "$(hint_of)"
launch "$(as '')"; accepted "  after the hint: $(stat -c %a "$qemu")" ""
chmod 750 "$qemu"; chgrp 4713 "$qemu"
launch "$(as '')"; refused "a QEMU of a group's" 126 qemu-not-executable "0750"
launch "$(as ',"groups":[4713]')"; accepted "  which the guest has" ""
done_testing
