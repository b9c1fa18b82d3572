#!/bin/sh
# valgrind.sh - no invalid read, no lost memory and no descriptor left open, up to the exec of QEMU
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
need_root
command -v valgrind >/dev/null || skip_all "needs valgrind"
if grep -q 'libasan' "$QH"; then skip_all "a program with sanitizers cannot run under valgrind"; fi
new_ns a
new_macvtap mv 4
new_tap tm multi_queue
new_tap t1
ip -n "$ns" link add name right type bridge
ip -n "$ns" link add name twice type bridge
helper=$BUILDDIR/tests/run/fakehelper
off='"vhost":false'
# The exec ends valgrind's watch: what it found until then is in its log.
under="valgrind -q --track-fds=yes --leak-check=full --errors-for-leak-kinds=definite --child-silent-after-fork=yes --log-file=$tmp/log --error-exitcode=97"
# From 3.24 on it calls it an error to ask whether a number is open that was once, and 3.24 cannot be told that
# this is meant ("unknown core suppression type"): there what it says is looked at, and not its status.
case $(valgrind --version) in
valgrind-3.1*|valgrind-3.2[0-3]*) ;;
*) under=${under% --error-exitcode=97} ;;
esac
# clean NAME STATUS: nothing was found, and nothing is open at the end that was not open at the start
clean() {
	_open=$(awk '/^==[0-9]*== Open / { line = $0; getline; if (!/inherited/) print line }' "$tmp/log")
	if [ "$rc" != "$2" ]; then not_ok "$1"; note "status $rc, want $2"; note "$(cat "$tmp/err" "$tmp/log")"
	elif grep -qE 'Invalid|uninitialised|definitely|overlap|ERROR SUMMARY: [1-9]' "$tmp/log"; then not_ok "$1"; note "$(cat "$tmp/log")"
	elif [ -n "$_open" ]; then not_ok "$1"; note "$(cat "$tmp/log")"
	else ok "$1"
	fi
}
# Debian 12's valgrind does not know seccomp(2).
nic() { printf '{"version":1,"seccomp":"none","nics":[%s]}' "$1"; }
try() { _n=$1 _s=$2; shift 2; launch "$@"; clean "$_n" "$_s"; }
mv="{\"mode\":\"macvtap\",\"ifname\":\"mv\",\"queues\":4,$off}"
tm="{\"mode\":\"tap\",\"ifname\":\"tm\",\"queues\":2,$off}"
bridge() { printf '{"mode":"bridge","bridge":"%s","helper":"%s",%s}' "$1" "$helper" "$off"; }
all=$(nic "$mv,$tm,{\"mode\":\"user\",\"options\":{\"hostfwd\":[\"a,b\",\"c\"]},\"device\":{\"romfile\":\"x,y\"}},$(bridge right)")

try "--version" 0 '' --version
try "--help" 0 '' --help
try "--check" 0 "$all" --check
for form in text json shell; do try "--plan=$form" 0 "$all" "--plan=$form" -- -S -name 'a b'; done
try "nothing" 100 ''
try "not JSON" 100 '{"version":1,}'
try "nested too deep" 100 '{"a":[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]}'
try "a string that does not end" 100 '{"version":1,"name":"'
try "escapes" 100 '{"version":1,"name":"\u12","x":"\ud800","y":"\\"}'
try "100 problems" 100 "{\"version\":1$(awk 'BEGIN { for (i = 0; i < 100; i++) printf ",\"nix%d\":[{}]", i }')}"
try "wrong everywhere" 100 "$(nic '{"mode":"x","id":1,"queues":1e400,"mac":"","device":{"a":[],"b":{}},"options":[],"expect":1},[],null')"
try "a link that is missing" 101 "$(nic '{"mode":"tap","ifname":"nosuch0"}')"
try "a link of another kind" 101 "$(nic '{"mode":"macvtap","ifname":"tm"}')"
try "facts that do not hold" 101 "$(nic "{\"mode\":\"tap\",\"ifname\":\"t1\",$off,\"expect\":{\"master\":\"right\",\"mtu\":1,\"owner\":7,\"lower\":\"tm\"}}")"
try "vsock" 101 '{"version":1,"seccomp":"none","vsock":{"cid":3}}'
try "argv that disagrees" 100 "$(nic "{\"mode\":\"tap\",\"ifname\":\"tm\",\"netdev\":\"argv\",$off}")" \
	-netdev '{"type":"tap","id":"net0","fds":"7:8"}' -device virtio-net-pci,netdev=net0
with="silent -" try "a writer that never writes" 111 '' --descriptor=fd:0 --timeout=1
with=
try "a file that is missing" 100 '' --descriptor="$tmp/none"
printf '%s\n' "$all" >"$tmp/all"
try "a file" 0 '' --descriptor="$tmp/all" --check
try "QEMU is missing" 127 '{"version":1,"seccomp":"none","qemu":"/nonexistent"}'
try "a launch" 0 "$(nic "$mv,$tm")"
check "  that started QEMU" started
try "a launch with a helper" 0 "$(nic "$(bridge right)")"
check "  that started QEMU" started
try "a helper that sends twice" 111 "$(nic "$(bridge twice)")"
done_testing
