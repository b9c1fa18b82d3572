#!/bin/sh
# box.sh - "landlock" as an object: a program in QEMU's place reaches what the lists name and nothing
# else, as root and as a user, and real QEMU works in it
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
need_root
for_all
cp "$BUILDDIR/tests/run/boxed" "$tmp/bin/boxed" && chmod 755 "$tmp/bin/boxed"

guest=$tmp/guest other=$tmp/other home=$tmp/home
mkdir "$guest" "$other" "$home" && chmod 777 "$guest" "$other" "$home"
files() {
	for f in "$guest/disk" "$guest/base" "$other/disk" "$other/pid" "$home/id_rsa"; do echo text >"$f"; chmod 666 "$f"; done
	ln -sf "$guest/disk" "$other/to-guest"
	ln -sf "$other/disk" "$guest/to-other"
	rm -f "$guest/new" "$guest/sock" "$other/new" "$other/sock"
}
# reached: what the program in QEMU's place reached, on one line
reached() { sed -n 's/^\([a-z]* .*\): ok$/\1/p' "$tmp/out" | sed "s,$tmp/,,g" | tr '\n' ';'; }
listed="read guest/disk;read guest/base;read other/to-guest;write guest/disk;truncate guest/disk;"
below="read guest/disk;read guest/base;read other/to-guest;write guest/disk;write guest/base;"
below="${below}truncate guest/base;truncate guest/disk;list guest;create guest/new;bind guest/sock;"
lists="\"read\":[\"$guest/base\"],\"write\":[\"$guest/disk\"]"

launch '{"version":1,"seccomp":"none","landlock":{"read":[],"write":[]}}' --plan=json
if grep -q -e landlock-missing -e landlock-rights "$tmp/err"; then
	skip_all "needs Landlock of Linux 6.12 (ABI 6)"
fi

qemu=$tmp/bin/boxed
for uid in 0 65534; do
	for seccomp in '"none"' '{"action":"kill"}'; do
		as="uid $uid, seccomp $seccomp:"
		ids=
		[ "$uid" = 0 ] || ids=",\"user\":$uid,\"group\":$uid"
		d() { printf '{"version":1,"seccomp":%s%s%s}' "$seccomp" "$ids" "$1"; }
		words() {
			launch "$1" read "$guest/disk" "$guest/base" "$other/disk" "$home/id_rsa" \
				"$guest/to-other" "$other/to-guest" /proc/1/cmdline /etc/passwd \
				write "$guest/disk" "$guest/base" "$other/disk" \
				truncate "$other/disk" "$guest/base" "$guest/disk" list "$guest" "$other" \
				create "$guest/new" "$other/new" bind "$guest/sock" "$other/sock" \
				remove "$other/pid"
		}
		files
		words "$(d '')"
		is "$as without the box everything is reached" \
			"$rc $(grep -c ': ok$' "$tmp/out") $(grep -c ': .*denied' "$tmp/out")" "0 21 0"
		files
		words "$(d ',"landlock":true')"
		is "$as in a domain without rules for files, too" "$rc $(grep -c ': ok$' "$tmp/out")" "0 21"
		files
		words "$(d ",\"landlock\":{$lists}")"
		is "$as in the box what is listed is reached" "$rc $(reached)" "0 $listed"
		is "$as   and everything else is denied" "$(grep -c ': Permission denied$' "$tmp/out")" 16
		is "$as   and is as it was" \
			"$(cat "$other/disk" "$other/pid" "$guest/base" | tr '\n' ' ')" "text text text "
		files
		words "$(d ",\"landlock\":{\"write\":[\"$guest\"]}")"
		is "$as a directory in write holds what is below it" "$rc $(reached)" "0 $below"
	done
done

# --- what is listed must be there -------------------------------------------------------------------
qemu=$FAKE
launch "{\"version\":1,\"landlock\":{\"write\":[\"$guest/disk\",\"$guest/none\"]}}"
refused "a path that is not there" 101 landlock-path '"path":"landlock.write[1]"' "$guest/none"
launch '{"version":1,"landlock":{"read":["/proc/self/status"]}}'
refused "a file of /proc" 101 landlock-path '"path":"landlock.read[0]"' "list /proc"

# --- what words name ---------------------------------------------------------------------------------
# rule PATH: the access and the word of its rule, by the report
rule() { sed 's/},/},\n/g' "$tmp/out" | sed -n "s,.*\"path\":\"$1\"\,\"access\":\"\([a-z]*\)\"\,\"why\":\"\(.*\)\"}.*,\1 \2,p"; }
argv='{"version":1,"landlock":{"files":"argv"}}'
named() { # NAME WANT WORD...
	_name=$1 _want=$2; shift 2
	launch "$argv" --plan=json -- "$@"
	is "$_name" "$(rule "$guest/disk")" "$_want"
}
files
named "-hda" "write -hda" -hda "$guest/disk"
named "-cdrom" "read -cdrom" -cdrom "$guest/disk"
named "-kernel" "read -kernel" -kernel "$guest/disk"
named "-drive" "write -drive file=" -drive "file=$guest/disk,format=raw"
named "-drive, file:" "write -drive file=" -drive "file=file:$guest/disk,format=raw"
named "-drive, readonly" "read -drive file=" -drive "file=$guest/disk,format=raw,readonly=on"
named "-drive, snapshot" "read -drive file=" -drive "file=$guest/disk,format=raw,snapshot=on"
named "-drive, media" "read -drive file=" -drive "file=$guest/disk,media=cdrom"
named "-drive of a protocol" "" -drive "file=nbd:unix:$guest/disk"
named "-cdrom of a protocol" "" -cdrom "nbd:unix:$guest/disk"
launch "$argv" --plan=json -- -drive file=/dev/fdset/2,format=raw -initrd "$guest/disk a,$guest/disk"
is "a handed disk, and several modules: no rule" "$rc $(grep -c '"why":"-[di][rn]' "$tmp/out")" "0 0"
named "-initrd" "read -initrd" -kernel "$guest/base" -initrd "$guest/disk"
named "-blockdev" "write -blockdev file.filename=" -blockdev \
	"qcow2,node-name=a,file.driver=file,file.filename=$guest/disk"
named "-blockdev, read-only child" "read -blockdev file.filename=" -blockdev \
	"raw,node-name=a,file.driver=file,file.read-only=on,file.filename=$guest/disk"
named "-blockdev, JSON" "read -blockdev filename=" -blockdev \
	"{\"driver\":\"file\",\"node-name\":\"a\",\"read-only\":true,\"filename\":\"$guest/disk\"}"
named "-fw_cfg" "read -fw_cfg file=" -fw_cfg "name=opt/a,file=$guest/disk"
named "-object" "write -object mem-path=" -object "memory-backend-file,id=m,size=1M,mem-path=$guest/disk"
while IFS='|' read -r want words; do
	# the words of a row have no blanks
	# shellcheck disable=SC2046,SC2086
	named "$words" "$want" $(echo "$words" | sed "s,@,$guest/disk,g")
	is "$words: planned" "$rc" 0
done <<'END'
read -drive file=|-snapshot -drive file=@,format=raw
read -hda|-hda @ -snapshot
write -drive file=|-snapshot -drive file=@,format=raw,snapshot=off
write -blockdev filename=|-snapshot -blockdev driver=file,node-name=a,filename=@
read -drive backing.file.filename=|-drive driver=qcow2,file=/dev/fdset/1,backing.file.filename=@
write -drive backing.file.filename=|-drive driver=qcow2,file=/dev/fdset/1,backing.read-only=off,backing.file.filename=@
read -blockdev backing.filename=|-blockdev {"backing":{"driver":"file","filename":"@"}}
|-blockdev driver=file,node-name=a,filename=/dev/fdset/1 -drive file=ssh://host@
|-object filter-dump,id=f,netdev=n,file=@
read -object file=|-object secret,id=s,file=@
read -object filename=|-object rng-random,id=r,filename=@
read -machine kernel=|-machine none,kernel=@
read -machine firmware=|-machine none,firmware=@
read -option-rom romfile=|-option-rom @
read -acpitable file=|-acpitable file=@
|-acpitable data=@:@
read -smbios path=|-smbios type=11,path=@
read -device file=|-device loader,file=@
|-device other,file=@
read -device kernel=|-device guest-loader,addr=1,kernel=@
read -trace events=|-trace events=@
read -spice x509-key-file=|-spice x509-key-file=@
write -chardev path=|-chardev serial,id=c,path=@
|-chardev socket,id=c,server=on,wait=off,path=@
write -tpmdev path=|-tpmdev passthrough,id=t,path=@
write -mem-path|-mem-path @
END
launch "$argv" --plan=json -- -object "memory-backend-file,id=m,size=1M,mem-path=$guest/none" \
	-object "filter-dump,id=d,netdev=n,file=$guest/pcap"
is "what QEMU creates: no rule, and no error" "$rc $(grep -c '"why":"-object' "$tmp/out")" "0 0"
launch "$argv" -drive "file=$guest/none,format=raw"
refused "a disk that is not there" 101 landlock-path '"path":"landlock.files"' "$guest/none" "-drive file="
qemu=$tmp/bin/boxed
launch "$argv" -drive "file=$guest/disk" -drive "file=$guest/base,readonly=on" \
	read "$guest/disk" "$guest/base" "$other/disk" write "$guest/disk" "$guest/base" "$other/disk"
is "a program in QEMU's place reaches what words name" "$rc $(reached)" \
	"0 read guest/disk;read guest/base;write guest/disk;"
qemu=$FAKE

# --- a call that only asks ---------------------------------------------------------------------------
qemu=
[ -x "$QEMU" ] || { skip "real QEMU" "needs $QEMU"; done_testing; exit; }
qemu=$QEMU
printf '{"version":1,"landlock":{"write":["/nowhere/at/all"]}}' >"$tmp/asks.json"
chmod 644 "$tmp/asks.json"
ln -s qemu-handoff "$tmp/bin/qemu-system-x86_64"
out=$(QEMU_HANDOFF_QEMU=$QEMU QEMU_HANDOFF_DESCRIPTOR=$tmp/asks.json \
	"$tmp/bin/qemu-system-x86_64" -version 2>&1)
has "a call that only asks needs no file of the guest" "$out" "QEMU emulator"

# --- real QEMU -----------------------------------------------------------------------------------------
if command -v qemu-img >/dev/null; then
	chain=$tmp/chain
	mkdir "$chain" && chmod 777 "$chain"
	(
		cd "$chain" && qemu-img create -q -f raw base.raw 8M &&
			qemu-img create -q -f qcow2 -F raw -b base.raw mid.qcow2 &&
			qemu-img create -q -f qcow2 -F qcow2 -b mid.qcow2 top.qcow2 &&
			cp top.qcow2 foreign.qcow2 &&
			qemu-img rebase -q -u -F raw -b "$other/disk" foreign.qcow2 && chmod 666 ./*
	)
	head -c 1048576 /dev/zero >"$other/disk"; chmod 666 "$other/disk"
	run=$tmp/run; mkdir "$run" && chmod 777 "$run"
	# box IMAGE: a descriptor with the chain to read, and that image to write
	box() {
		printf '{"version":1,"user":65534,"group":65534,"seccomp":{"action":"kill"},"landlock":'
		printf '{"read":["%s/base.raw","%s/mid.qcow2"],' "$chain" "$chain"
		printf '"write":["%s/%s","%s"]}}\n' "$chain" "$1" "$run"
	}
	# quits WORD...: launch with what box said; a monitor on stdin and stdout that ends it
	quits() {
		{ cat "$tmp/box"; printf '{"execute":"qmp_capabilities"}{"execute":"quit"}'; } >"$tmp/both"
		rm -f "$run"/*
		QEMU_HANDOFF_QEMU=$QEMU timeout 60 "$QH" -display none -device virtio-rng-pci -qmp stdio "$@" \
			<"$tmp/both" >"$tmp/out" 2>"$tmp/err"
		rc=$?
	}
	box top.qcow2 >"$tmp/box"
	quits -drive "file=$chain/top.qcow2,format=qcow2" -pidfile "$run/pid" -vnc "unix:$run/vnc" \
		-D "$run/log" -d guest_errors -serial "file:$run/serial"
	is "QEMU on a chain of three, with pid file, VNC, log, serial file" \
		"$rc $(grep -c host-qmp-quit "$tmp/out") $(grep -v -e warning "$tmp/err" | grep -c .)" "0 1 0"
	box none | sed "s,\"$chain/none\"\,,,; s,{\"read\",{\"files\":\"argv\"\,\"read\"," >"$tmp/box"
	quits -drive "file=$chain/top.qcow2,format=qcow2" -vnc "unix:$run/vnc"
	is "QEMU on the same chain, its image named by its words" \
		"$rc $(grep -c host-qmp-quit "$tmp/out") $(grep -v -e warning "$tmp/err" | grep -c .)" "0 1 0"
	# the descriptor lists no image: each of the chain has its rule by a word, and two are only read
	printf '{"version":1,"user":65534,"group":65534,"seccomp":{"action":"kill"},"landlock":' >"$tmp/box"
	printf '{"files":"argv","write":["%s"]}}' "$run" >>"$tmp/box"
	below=backing.backing.driver=raw,backing.backing.file.driver=file
	below=$below,backing.backing.file.filename=$chain/base.raw
	below=backing.driver=qcow2,backing.file.driver=file,backing.file.filename=$chain/mid.qcow2,$below
	quits -blockdev "driver=qcow2,node-name=a,file.driver=file,file.filename=$chain/top.qcow2,$below"
	is "QEMU on the same chain, each image named by its words" \
		"$rc $(grep -c host-qmp-quit "$tmp/out") $(grep -v -e warning "$tmp/err" | grep -c .)" "0 1 0"
	box foreign.qcow2 >"$tmp/box"
	quits -drive "file=$chain/foreign.qcow2,format=qcow2"
	has "an image whose header was rewritten to name a foreign file" "$rc $(cat "$tmp/err")" "1 " "$other/disk" "Permission denied"
	printf '{"version":1,"user":65534,"group":65534,"landlock":false}\n' >"$tmp/box"
	quits -drive "file=$chain/foreign.qcow2,format=qcow2"
	is "  and without the box it is read" "$rc $(grep -c host-qmp-quit "$tmp/out")" "0 1"
	# a guest that moves from one box to another: monitors on pipes that stay open
	box top.qcow2 >"$tmp/box"
	rm -f "$run"/*
	mkfifo "$tmp/from" "$tmp/to"
	qmp() { QEMU_HANDOFF_QEMU=$QEMU timeout 60 "$QH" -display none -qmp stdio "$@" 2>>"$tmp/moved"; }
	: >"$tmp/moved"
	qmp -incoming "unix:$run/move" <"$tmp/to" >"$tmp/there" &
	exec 4>"$tmp/to"
	cat "$tmp/box" >&4; echo '{"execute":"qmp_capabilities"}' >&4
	wait_for 30 test -S "$run/move"
	qmp <"$tmp/from" >"$tmp/here" &
	exec 5>"$tmp/from"
	cat "$tmp/box" >&5; echo '{"execute":"qmp_capabilities"}' >&5
	echo "{\"execute\":\"migrate\",\"arguments\":{\"uri\":\"unix:$run/move\"}}" >&5
	wait_for 30 grep -q '"RESUME"' "$tmp/there"
	echo '{"execute":"quit"}' | tee /dev/fd/4 >&5
	exec 4>&- 5>&-
	wait
	is "a guest moves from one box to another" \
		"$(cat "$tmp/here" "$tmp/there" | grep -c host-qmp-quit) $(grep -v -e warning "$tmp/moved")" "2 "
else
	skip "QEMU on a chain of three" "needs qemu-img"
fi
done_testing
