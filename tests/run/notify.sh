#!/bin/sh
# notify.sh - a service manager is told when QEMU is about to run, and the journal which lines are errors
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
command -v python3 >/dev/null || skip_all "no python3"
# listen ADDRESS: what arrives there within 20 s goes to $tmp/said; $listener
listen() {
	: >"$tmp/said"
	python3 -c 'import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.settimeout(20)
s.bind(sys.argv[1].replace("@", "\0", 1) if sys.argv[1][0] == "@" else sys.argv[1])
open(sys.argv[2] + ".ready", "w").close()
open(sys.argv[2], "wb").write(s.recv(4096))' "$1" "$tmp/said" & listener=$!
	wait_for 20 [ -e "$tmp/said.ready" ]
	rm -f "$tmp/said.ready"
}
# told: what was said, without the number of the process, which is compared
told() {
	wait "$listener"
	sed "s/^MAINPID=$1\$/MAINPID=right/" "$tmp/said" | tr '\n' ' '
}
# starts with the number of the process in $tmp/pid, which it keeps
printf '#!/bin/sh\necho $$ >%s/pid\nexec env "$@"\n' "$tmp" >"$tmp/recorded" && chmod 755 "$tmp/recorded"
want="READY=1 MAINPID=right STATUS=QEMU runs, descriptors handed over: 0 "

for address in "$tmp/notify" "@qh-notify-$$"; do
	listen "$address"
	under="$tmp/recorded NOTIFY_SOCKET=$address"
	launch '{"version":1}' -S
	accepted "a socket: ${address%"${address#?}"}" ""
	is "  is told of the process" "$(told "$(cat "$tmp/pid")")" "$want"
	check "  QEMU does not get the variable" [ -z "$(grep NOTIFY_SOCKET "$tmp/out")" ]
	rm -f "$tmp/notify"
done
for filter in '"none"' '{"action":"kill"}'; do
	listen "$tmp/notify"
	under="$tmp/recorded NOTIFY_SOCKET=$tmp/notify"
	launch "{\"version\":1,\"seccomp\":$filter,\"user\":65534,\"group\":65534}" -S
	is "  with other ids, filter $filter" "$rc $(told "$(cat "$tmp/pid")")" "0 $want"
	rm -f "$tmp/notify"
done
under="$tmp/recorded NOTIFY_SOCKET=$tmp/gone"
launch '{"version":1}' -S
accepted "a socket that is gone is a warning" notify-failed
under="$tmp/recorded NOTIFY_SOCKET=vsock:2:1234"
launch '{"version":1}' -S
accepted "an address of another family, too" notify-failed
# nothing is said of a launch that does not come about
listen "$tmp/notify"
under="$tmp/recorded NOTIFY_SOCKET=$tmp/notify"
launch '{"version":1,"nics":[{"mode":"tap","ifname":"gone"}]}'
kill "$listener"; wait "$listener" 2>/dev/null
is "a launch that is refused is not ready" "$rc $(cat "$tmp/said")" "101 "
rm -f "$tmp/notify"
ln -sf "$QH" "$tmp/qemu-system-x86_64"
NOTIFY_SOCKET=$tmp/notify QEMU_HANDOFF_QEMU=$FAKE QEMU_HANDOFF_DESCRIPTOR='{"version":1}' \
	"$tmp/qemu-system-x86_64" -S >"$tmp/out" 2>"$tmp/err"
check "a drop-in leaves the variable to its manager" grep -q "NOTIFY_SOCKET=$tmp/notify" "$tmp/out"
under=

# --- the journal -------------------------------------------------------------------------------------------
# printed VALUE: the beginnings of the lines on stderr, a file, with that JOURNAL_STREAM
printed() {
	JOURNAL_STREAM=$1 QEMU_HANDOFF_QEMU=$FAKE "$QH" <"$tmp/desc" >/dev/null 2>"$tmp/err"
	sed 's/:.*//' "$tmp/err" | sort -u | tr '\n' ' '
}
echo '{"version":1,"nics":[{"mode":"tap","ifname":"gone"}]}' >"$tmp/desc"
: >"$tmp/err"
here=$(stat -c %d:%i "$tmp/err")
is "errors and warnings have their priority" "$(printed "$here")" "<3>qemu-handoff <4>qemu-handoff "
is "another stream has none" "$(printed "1:$here")" "qemu-handoff "
is "what is no number has none" "$(printed "x")" "qemu-handoff "
done_testing
