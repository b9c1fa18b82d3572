#!/bin/sh
# vhost-user.sh - sockets of vhost-user: who listens, a stale one, and QEMU as the one that listens
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
need_root
command -v python3 >/dev/null || skip_all "needs python3"
new_ns a
cd "$tmp" || exit 1
ln -s . link
shared="-object memory-backend-memfd,id=m,size=64M -machine memory-backend=m"
# switch PATH [MEMBER]...: a NIC of that socket
switch() {
	_options="\"options\":{\"path\":\"$1\"${2-}}"
	nic "{\"mode\":\"vhost-user\",\"mac\":\"52:54:00:12:34:56\",$_options}"
}
# with_memory DESCRIPTOR [WORD]...
with_memory() {
	_d=$1; shift
	# shellcheck disable=SC2086 # several words
	launch "$_d" "$@" $shared
}
# A process that listens, and says at its end whether anybody connected.
cat >listen.py <<'EOF'
import os, signal, socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1])
s.listen()
s.setblocking(False)
def end(*_):
    try:
        s.accept()
        print("connected", flush=True)
    except BlockingIOError:
        print("left alone", flush=True)
    os._exit(0)
signal.signal(signal.SIGTERM, end)
print("listens", flush=True)
while True:
    signal.pause()
EOF
# listen PATH [NAMESPACE]: its process is $peer
listen() {
	ip netns exec "${2-$ns}" python3 listen.py "$1" >listened 2>&1 & peer=$!
	wait_for 20 grep -q listens listened
}
unlisten() { kill "$peer"; wait "$peer" 2>/dev/null; }
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("stale")'
touch file

# --- a switch that listens ----------------------------------------------------------------
listen switch
with_memory "$(switch "$tmp/switch")"; accepted "a socket that somebody listens on" ""
with_memory "$(switch "$tmp/link/link/switch")"; accepted "  by a path with links in it" ""
with_memory "$(switch "$tmp/stale")"
accepted "one that nobody listens on" socket-stale "$tmp/stale"
with_memory '{"version":1}' -chardev "socket,id=c,path=$tmp/stale" -netdev vhost-user,id=n,chardev=c
accepted "the same in argv" socket-stale "cannot connect"
with_memory '{"version":1}' -chardev "socket,id=c,path=$tmp/switch" \
	-netdev vhost-user,id=n,chardev=c
accepted "  where somebody listens" ""
custom=$(nic '{"mode":"custom","netdev":"vhost-user,id=net0,chardev=c","mac":"52:54:00:12:34:56"}')
with_memory "$custom" -chardev "socket,id=c,path=$tmp/stale,reconnect=1"
accepted "in a custom netdev that connects again" socket-stale "QEMU waits until one does"
with_memory "$custom" -chardev "socket,id=c,path=$tmp/nosuch,reconnect=1"
accepted "  and is not there yet" ""
with_memory "$custom" -chardev "socket,id=c,path=$tmp/nosuch"
refused "one that is not there" 101 socket-missing '"path":"nics[0].netdev"' "$tmp/nosuch"
with_memory "$custom" -chardev "socket,id=c,path=$tmp/file"
refused "one that is a file" 101 socket-not-socket "$tmp/file"

# --- QEMU listens -------------------------------------------------------------------------
server=',"server":true'
with_memory "$(switch "$tmp/new" "$server")"
accepted "a socket that QEMU makes" "" "path=$tmp/new,server=on,wait=off"
with_memory "$(switch "$tmp/stale" "$server")"; accepted "  where an old one is left" ""
with_memory "$(switch "$tmp/switch" "$server")"
refused "one that another process listens on" 101 socket-in-use "$tmp/switch"
with_memory "$(switch "$tmp/file" "$server")"
refused "a file" 101 socket-not-socket "QEMU would remove it"
with_memory "$(switch "$tmp/none/new" "$server")"
refused "a directory that is not there" 101 socket-missing "$tmp/none/"
with_memory "$(switch "$tmp/new" "$server,\"reconnect\":1")"
refused "a time between two tries" 100 device-conflict '"path":"nics[0].options.reconnect"'
with_memory '{"version":1}' -chardev "socket,id=c,path=$tmp/switch,server=on" \
	-netdev vhost-user,id=n,chardev=c
refused "the same in argv" 101 socket-in-use "$tmp/switch"
unlisten
is "nobody connected to the switch in all of this" "$(tail -n 1 listened)" "left alone"

# --- and it is so -------------------------------------------------------------------------
if [ ! -x "$QEMU" ]; then skip "QEMU listens" "needs $QEMU"; done_testing; exit 0; fi
switch "$tmp/made" "$server" >desc
# shellcheck disable=SC2086 # several words
QEMU_HANDOFF_QEMU=$QEMU ip netns exec "$ns" "$QH" -accel tcg -machine q35 -m 64 -nodefaults \
	-display none -S $shared <desc >out 2>err & pid=$!
wait_for 30 grep -q "waiting for connection" err || note "$(cat err)"
with_memory "$(switch "$tmp/made" "$server")"
refused "QEMU listens where it was told, so a second one is refused" 101 socket-in-use "$tmp/made"
kill "$pid"; wait "$pid" 2>/dev/null
done_testing
