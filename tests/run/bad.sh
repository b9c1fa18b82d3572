#!/bin/sh
# bad.sh - descriptors and command lines that are refused before anything of the host is looked at
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"

# bad NAME CODE PATH DESCRIPTOR: refused with one line, which names that place
bad() {
	launch "$4"
	refused "$1" 100 "$2" ${3:+"\"path\":\"$3\""} '"line":'
}
# bad_nic NAME CODE KEY NIC: the same for one NIC, whose id is in the line
bad_nic() {
	bad "$1" "$2" "nics[0]${3:+.$3}" "{\"version\":1,\"nics\":[$4]}"
}
top() { printf '{"version":1,%s}' "$1"; }
repeat() { awk -v n="$1" -v s="$2" 'BEGIN { while (n-- > 0) printf "%s", s }'; }

# --- not an object, or too much of one ------------------------------------------------------------
bad "not JSON" descriptor-syntax "" 'hello'
bad "an array" descriptor-syntax "" '[{"version":1}]'
bad "a string" descriptor-syntax "" '"{}"'
bad "JSON with a comma too many" descriptor-syntax "" '{"version":1,}'
bad "single quotes" descriptor-syntax "" "{'version':1}"
has "  and double ones are asked for" "$(cat "$tmp/err")" "expected double quotes, not single quotes"
bad "a comment" descriptor-syntax "" '{"version":1 /* one */}'
bad "a number with a leading zero" descriptor-syntax "" "$(top '"vcpus":02')"
bad "a number with a plus sign" descriptor-syntax "" "$(top '"vcpus":+2')"
bad "a hexadecimal number" descriptor-syntax "" "$(top '"vcpus":0x2')"
bad "NaN" descriptor-syntax "" "$(top '"vcpus":NaN')"
bad "10,000 nested brackets" descriptor-depth "" "$(repeat 10000 '{"a":')"'1'"$(repeat 10000 '}')"
bad "10,000 nested arrays" descriptor-depth "" '{"nics":'"$(repeat 10000 '[')$(repeat 10000 ']')"'}'
bad "a control character in a string" descriptor-syntax "" "$(top '"name":"a	b"')"
bad "an escaped NUL in a string" descriptor-syntax "" "$(top '"name":"a\u0000b"')"
bad "an escaped newline in a string" descriptor-syntax "" "$(top '"args":["a\nb"]')"
bad "a byte that is not UTF-8" descriptor-syntax "" "$(top '"name":"'"$(printf '\377')"'"')"
bad "an overlong form of '/'" descriptor-syntax "" "$(top '"name":"'"$(printf '\300\257')"'"')"
bad "a surrogate in UTF-8" descriptor-syntax "" "$(top '"name":"'"$(printf '\355\240\200')"'"')"
launch '{"version":1,"nics":[]'
refused "an object that does not end" 100 descriptor-syntax '"line":'
printf '{"version":1,"name":"a\0b"}' >"$tmp/nul"
launch_file "$tmp/nul"
refused "a NUL byte in a string" 100 descriptor-syntax '"line":1'
printf '\0{"version":1}' >"$tmp/nul"
launch_file "$tmp/nul"
refused "a NUL byte in front" 100 descriptor-syntax "a NUL byte"
launch "$(top "\"args\":[\"$(repeat 262144 x)\"]")"
refused "257 KiB" 100 descriptor-too-large "larger than 256 KiB"
launch "$(repeat 263168 ' '){\"version\":1}"
refused "257 KiB of blanks before the object" 100 descriptor-too-large
launch "$(repeat 257 "$(repeat 1024 '{')")"
refused "257 KiB of brackets" 100 descriptor-too-large

# --- keys -----------------------------------------------------------------------------------------
bad "an unknown key" descriptor-unknown-key nic "$(top '"nic":[]')"
has "  and the nearest one is named" "$(cat "$tmp/err")" "use 'nics'"
bad "a key in capitals" descriptor-unknown-key NICS "$(top '"NICS":[]')"
bad_nic "an unknown key of a NIC" descriptor-unknown-key queue '{"mode":"user","queue":1}'
has "  and the nearest one is named" "$(cat "$tmp/err")" "use 'queues'"
bad_nic "a key in capitals of a NIC" descriptor-unknown-key QUEUES '{"mode":"user","QUEUES":1}'
bad "a key that ends in a NUL" descriptor-syntax "" "$(top '"nics\u0000":[]')"
bad "a key given twice" descriptor-duplicate-key version '{"version":1,"version":1}'
bad_nic "a key of a NIC given twice" descriptor-duplicate-key mac \
	'{"mode":"user","mac":"52:54:00:00:00:01","mac":"52:54:00:00:00:01"}'
bad_nic "a property given twice" descriptor-duplicate-key device.mtu '{"mode":"user","device":{"mtu":1,"mtu":2}}'
bad_nic "a key of another mode" descriptor-key-not-here ifname '{"mode":"user","ifname":"tap0"}'
bad_nic "no mode" descriptor-missing-key "" '{"queues":1}'
bad_nic "no ifname" descriptor-missing-key "" '{"mode":"tap"}'
bad_nic "neither ifname nor ifindex" descriptor-missing-key "" '{"mode":"macvtap"}'
launch '{"nics":[]}'
refused "no version" 100 descriptor-missing-key "'version' is missing"
bad "another version" descriptor-version version '{"version":2,"later":[]}'

# --- types and ranges -----------------------------------------------------------------------------
for t in '"2"' true null '[2]' '{}'; do
	bad "vcpus $t" descriptor-type vcpus "$(top "\"vcpus\":$t")"
	bad_nic "queues $t" descriptor-type queues "{\"mode\":\"tap\",\"ifname\":\"t0\",\"queues\":$t}"
done
for t in 1 '"on"' null; do
	bad "vhost $t" descriptor-type vhost "$(top "\"vhost\":$t")"
	bad_nic "vhost $t of a NIC" descriptor-type vhost "{\"mode\":\"tap\",\"ifname\":\"t0\",\"vhost\":$t}"
done
bad "nics an object" descriptor-type nics "$(top '"nics":{}')"
bad "a NIC that is a string" descriptor-type 'nics[0]' "$(top '"nics":["user"]')"
bad "args a string" descriptor-type args "$(top '"args":"-S"')"
bad "a word that is a number" descriptor-type 'args[1]' "$(top '"args":["-m",512]')"
bad_nic "device true" descriptor-type device '{"mode":"user","device":true}'
bad_nic "a property that is an array" descriptor-type device.mtu '{"mode":"user","device":{"mtu":[1]}}'
for n in 1e400 -1e400 4.5 -1 0 9007199254740993 4294967297 4097; do
	bad "vcpus $n" descriptor-range vcpus "$(top "\"vcpus\":$n")"
done
for n in 1e400 4.5 -1 0 65 257 9007199254740993 4294967298; do
	bad_nic "queues $n" descriptor-range queues "{\"mode\":\"tap\",\"ifname\":\"t0\",\"queues\":$n}"
done
for n in 0 65 256; do bad "max_queues $n" descriptor-range max_queues "$(top "\"max_queues\":$n")"; done
for n in 2 -1 1048576 2147483648; do bad "fd_base $n" descriptor-range fd_base "$(top "\"fd_base\":$n")"; done
for n in 0 2 4294967295 4294967299; do bad "cid $n" descriptor-range vsock.cid "$(top "\"vsock\":{\"cid\":$n}")"; done
bad "no cid" descriptor-missing-key vsock "$(top '"vsock":{}')"
bad_nic "a pinned number below 3" descriptor-range 'fds[0]' '{"mode":"tap","ifname":"t0","fds":[2]}'
bad_nic "no pinned number" descriptor-range fds '{"mode":"tap","ifname":"t0","fds":[]}'
bad_nic "a property of 2^53 and one" descriptor-range device.mtu '{"mode":"user","device":{"mtu":9007199254740993}}'
bad "65 NICs" descriptor-range nics "$(top "\"nics\":[$(repeat 64 '{"mode":"user"},'){\"mode\":\"user\"}]")"
bad "a name of 256 bytes" descriptor-range name "$(top "\"name\":\"$(repeat 256 x)\"")"

# --- names ----------------------------------------------------------------------------------------
for n in '' a,b 'a b' a/b a:b a=b a%d .. . -x ../x 1234567890123456 'tapü' 123456789012345678901234567890123; do
	for key in ifname:tap ifname:macvtap bridge:bridge; do
		bad_nic "${key%:*} '$n' of ${key#*:}" descriptor-value "${key%:*}" "{\"mode\":\"${key#*:}\",\"${key%:*}\":\"$n\"}"
	done
done
bad "ifname with a newline" descriptor-syntax "" "$(top '"nics":[{"mode":"tap","ifname":"a\nb"}]')"
for n in '' a,b 'a b' a/b 'a=b' 1a -a _a 'ä' "$(repeat 64 a)"; do
	bad_nic "id '$n'" descriptor-value id "{\"mode\":\"user\",\"id\":\"$n\"}"
done
for n in '' net0,fd=3 'e1000,mac=x' -x help; do
	bad_nic "driver '$n'" descriptor-value device.driver "{\"mode\":\"user\",\"device\":{\"driver\":\"$n\"}}"
done
for n in '' a,b a=b 'a b' 1a help; do
	bad_nic "property '$n'" descriptor-value "device.$n" "{\"mode\":\"user\",\"device\":{\"$n\":1}}"
	bad_nic "option '$n'" descriptor-value "options.$n" "{\"mode\":\"user\",\"options\":{\"$n\":1}}"
done
for n in '' 52:54:00:12:34 52-54-00-12-34-56 52:54:00:12:34:5g 52:54:00:12:34:56:78 01:00:5e:00:00:01 ff:ff:ff:ff:ff:ff \
	00:00:00:00:00:00; do
	bad_nic "mac '$n'" descriptor-value mac "{\"mode\":\"user\",\"mac\":\"$n\"}"
done
for n in '' qemu ./qemu; do bad "qemu '$n'" descriptor-value qemu "$(top "\"qemu\":\"$n\"")"; done
bad_nic "helper that is not absolute" descriptor-value helper '{"mode":"bridge","bridge":"br0","helper":"helper"}'
bad "report that is not absolute" descriptor-value report "$(top '"report":"r.json"')"
bad "stdin from elsewhere" descriptor-value stdin "$(top '"stdin":"file"')"
bad_nic "mode of a later version" descriptor-value mode '{"mode":"vdpa"}'
bad_nic "netdev of a mode that has none" descriptor-value netdev '{"mode":"tap","ifname":"t0","netdev":"tap,id=net0"}'
bad "two NICs with one id" duplicate-id 'nics[1].id' "$(top '"nics":[{"mode":"user","id":"a"},{"mode":"user","id":"a"}]')"
bad "two NICs, one with the other's default id" duplicate-id 'nics[1].id' \
	"$(top '"nics":[{"mode":"user","id":"net1"},{"mode":"user"}]')"

# --- what the plan refuses of a descriptor that is well formed -------------------------------------
plan() { launch "{\"version\":1,$4}"; refused "$1" 100 "$2" "\"path\":\"$3\""; }
plan "queues above max_queues" queues-over-max 'nics[0].queues' \
	'"max_queues":8,"nics":[{"mode":"custom","netdev":"af-xdp,id=net0,ifname=e,queues=9","queues":9}]'
has "  with both numbers" "$(cat "$tmp/err")" "9 queue pairs" "max_queues is 8"
plan "4 queues of user" queues-backend 'nics[0].queues' '"nics":[{"mode":"user","queues":4}]'
two='"mode":"custom","netdev":"tap,id=net0,ifname=new0,script=no,downscript=no,queues=2"'
plan "mq against the plan" device-conflict 'nics[0].device.mq' "\"nics\":[{$two,\"device\":{\"mq\":false}}]"
plan "too few vectors" device-conflict 'nics[0].device.vectors' "\"nics\":[{$two,\"device\":{\"vectors\":4}}]"
plan "a PCI device on a microvm" device-bus 'nics[0].device.driver' '"args":["-M","microvm"],"nics":[{"mode":"user","device":{"driver":"virtio-net-pci"}}]'
plan "a size of a queue that tap has not" device-conflict 'nics[0].device.tx_queue_size' '"nics":[{"mode":"user","device":{"tx_queue_size":1024}}]'
plan "netdev against the plan" device-conflict 'nics[0].device.netdev' '"nics":[{"mode":"user","device":{"netdev":"other"}}]'
plan "mac in device" device-conflict 'nics[0].device.mac' '"nics":[{"mode":"user","device":{"mac":"52:54:00:00:00:01"}}]'
plan "id in options" device-conflict 'nics[0].options.id' '"nics":[{"mode":"user","options":{"id":"other"}}]'
plan "a custom netdev of another id" custom-id 'nics[0].netdev' '"nics":[{"mode":"custom","netdev":"user,id=net7"}]'
plan "a custom netdev without an id" custom-id 'nics[0].netdev' '"nics":[{"mode":"custom","netdev":"user"}]'
plan "a custom netdev that the descriptor contradicts" custom-netdev 'nics[0].queues' \
	'"nics":[{"mode":"custom","netdev":"user,id=net0","queues":2}]'
plan "a custom netdev that QEMU refuses" custom-netdev 'nics[0].netdev' \
	'"nics":[{"mode":"custom","netdev":"tap,id=net0,fd=9,queues=2"}]'
plan "a report on a closed descriptor" report-fd report.fd '"report":{"fd":7}'

# --- all problems, each on its line ----------------------------------------------------------------
launch "$(top '"vcpus":0,"nics":[{"mode":"user","id":"a,b"},{"mode":"tap","queues":99},{"mode":"x"}],"cgruop":1')"
refused "five problems are five lines" 100 \
	"descriptor-range descriptor-value descriptor-range descriptor-value descriptor-unknown-key" \
	'"path":"vcpus"' '"path":"nics[0].id"' '"path":"nics[1].queues"' '"path":"nics[2].mode"' '"path":"cgruop"'
launch "$(top "$(repeat 100 '"x":1,')\"y\":1")"
is "64 lines, and one that says how many more there are" "$(wc -l <"$tmp/err") $(tail -n 1 "$tmp/err" | grep -c 'more problems are not listed')" "65 1"
launch '{
  "version": 1,
  "nics": [ { "mode": "user" },
            { "mode": "user",
              "queues": 0 } ] }'
refused "line and column" 100 descriptor-range '"object":"stdin","line":5,"column":15' '"path":"nics[1].queues"'
printf '%s\n' '{"version":1,"nics":[{"mode":"tap","id":"lan","ifname":"t0","queues":65}]}' >"$tmp/d"
clean_fds "$QH" --errors=text <"$tmp/d" >"$tmp/out" 2>"$tmp/err"
is "as text" "$? $(cat "$tmp/out" "$tmp/err")" \
	"100 qemu-handoff: error: nics[0].queues (lan): stdin:1:61: must be a whole number from 1 to 64, not 65"
printf '%s\n' "$(top '"n\u001b[31mics":[]')" >"$tmp/d"
clean_fds "$QH" <"$tmp/d" >"$tmp/out" 2>"$tmp/err"
check "control characters do not reach the terminal" sh -c "! LC_ALL=C grep -q '[^ -~]' '$tmp/err'"

# --- command line -----------------------------------------------------------------------------------
usage() { _n=$1; shift; launch '{"version":1}' "$@"; refused "$_n" 100 usage; }
usage "--plan of an unknown form" --plan=xml
usage "--errors of an unknown form" --errors=xml
usage "--check with a value" --check=all
usage "an option that is mistyped" --chek -S
has "  and what was meant" "$(cat "$tmp/err")" "use '--check'"
usage "an option after QEMU's first word" -m 1G --descriptor=x
usage "--timeout 0" --timeout=0
usage "--timeout without a number" --timeout=soon
usage "--descriptor without a value" --descriptor
usage "--descriptor of no file" --descriptor=
usage "--descriptor of a number that is none" --descriptor=fd:x
usage "--descriptor of a negative number" --descriptor=fd:-1
launch '{"version":1}' -- --check
accepted "after -- all words are QEMU's" "" "arg 1 --check"
launch '{"version":1}' -- -S --plan
accepted "  after the first, too" "" "arg 1 -S" "arg 2 --plan"

# --- on a terminal: colours, where they are wanted -----------------------------------------------------------
# coloured WORD...: how many lines of a mistyped option are coloured, with these words of env
coloured() {
	# shellcheck disable=SC2016 # a shell of script's expands it
	env QH="$QH" script -qec 'env '"$*"' "$QH" --chek' /dev/null </dev/null |
		grep -c "$(printf '\033')\[1;31merror$(printf '\033')\[0m: --chek"
}
is "a terminal's error is coloured" "$(coloured -u NO_COLOR -u QEMU_HANDOFF_ERRORS TERM=xterm)" 1
is "  also with an empty NO_COLOR" "$(coloured -u QEMU_HANDOFF_ERRORS NO_COLOR= TERM=xterm)" 1
is "  not with NO_COLOR" "$(coloured -u QEMU_HANDOFF_ERRORS NO_COLOR=1 TERM=xterm)" 0
is "  not on a dumb one" "$(coloured -u QEMU_HANDOFF_ERRORS -u NO_COLOR TERM=dumb)" 0
printf '{"version":1 "nics":[]}' | env -u QEMU_HANDOFF_ERRORS "$QH" --check >"$tmp/out" 2>&1
is "not JSON: the line and a caret, without colours in a file" "$(cat "$tmp/out")" "qemu-handoff: error: stdin:1:14: expected ',' or '}'
  {\"version\":1 \"nics\":[]}
               ^"
printf 'root:x:0:0\n' >"$tmp/other"
env -u QEMU_HANDOFF_ERRORS "$QH" --check --descriptor="$tmp/other" >"$tmp/out" 2>&1
is "not JSON at all: nothing of the file is shown" "$(grep -c root "$tmp/out")" 0

# None of them looked at the host.
under="strace -f -o $tmp/trace -e trace=file,socket,ioctl"
if command -v strace >/dev/null; then
	launch "$(top '"nics":[{"mode":"macvtap","ifname":"lo","queues":0}]')"
	check "the host is not looked at for a descriptor that is refused" \
		sh -c "! grep -E 'AF_NETLINK|/dev/(tap|net/tun|vhost)|/sys/class' '$tmp/trace'"
else
	skip "the host is not looked at for a descriptor that is refused" "needs strace"
fi
done_testing
