#!/bin/sh
# passt.sh - passt: a guest's traffic, how long it lives, what goes wrong
#
# The program that QH_PASST names is used (/usr/bin/passt). Where it has vhost-user, a real guest is booted over that too.
# shellcheck disable=SC2086 # words that are lists of words are split on purpose
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
need_root
command -v jq >/dev/null || skip_all "needs jq"
[ -x "$QEMU" ] || skip_all "needs $QEMU"
PASST=${QH_PASST:-/usr/bin/passt}
[ -x "$PASST" ] || skip_all "needs $PASST"
PEER=$BUILDDIR/tests/run/passtpeer
guest=${QH_GUEST_CACHE:-$BUILDDIR/guest}
! "$PASST" --help 2>&1 | grep -q -e --vhost-user || has_vhost_user=1

# passt takes addresses and routes from the host: one link, one default route
new_ns a
ip -n "$ns" link add wire0 type veth peer name wire1
ip -n "$ns" addr add 192.0.2.9/24 dev wire0
ip -n "$ns" link set wire0 up
ip -n "$ns" link set wire1 up
ip -n "$ns" route add default via 192.0.2.1
# not /run: what is left there would be the host's
mkdir -m 700 "$tmp/run"

# start DESCRIPTOR-MEMBERS NIC-MEMBERS [QEMU-ARG]...: become QEMU, with nothing open but 0, 1 and 2
start() {
	printf '{"version":1,"runtime_dir":"%s"%s,"nics":[{"mode":"passt"%s}]}' "$run_dir" "$1" "$2" >"$tmp/desc"
	shift 2
	exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
	exec ip netns exec "$ns" $wrap "$QH" "$@" <"$tmp/desc"
}
wrap=
run_dir=$tmp/run
idle="-nodefaults -display none -accel tcg -S"
# everything of the test's in the namespace but its server
left() { for _p in $(ip netns pids "$ns"); do [ "$_p" = "${server:-}" ] || tr '\0' ' ' <"/proc/$_p/cmdline" 2>/dev/null; done; ls "$tmp/run"; }
nothing_left() { [ -z "$(left)" ]; }
# ends NAME: within two seconds no process and no file is left
ends() { if wait_for 10 nothing_left; then ok "$1"; else not_ok "$1"; note "left: $(left)"; fi; }
# with NAME: the process ids in the namespace whose command name begins so
with() { for _p in $(ip netns pids "$ns"); do case $(cat "/proc/$_p/comm" 2>/dev/null) in "$1"*) echo "$_p" ;; esac; done; }
passt_runs() { [ -n "$(with passt)" ]; }
qemu_runs() { case $(cat "/proc/$qemu/comm" 2>/dev/null) in qemu-system*) passt_runs ;; *) false ;; esac; }
shared="-object memory-backend-memfd,id=mem0,size=128M,share=on -machine memory-backend=mem0"

if ! ( start ',"qemu":"/bin/true"' ",\"options\":{\"path\":\"$PASST\"}" ) >"$tmp/out" 2>&1 && grep -q "user namespace" "$tmp/out"; then
	skip_all "no user namespaces for passt here"
fi
wait_for 5 nothing_left

# --- traffic -------------------------------------------------------------------------------------------
said() { tr -d '\r' <"$tmp/out" | grep '^guest: '; }
said_word() { said | grep -q -e "$1"; }
# traffic NAME DESCRIPTOR-MEMBERS NIC-MEMBERS
traffic() {
	# Two processors and threads: for one, TCG leaves out memory barriers, and over vhost-user another process
	# is at the same memory. The guest's driver got stuck in 2 of 25 boots with one, in none of 25 with two.
	export GUEST_SMP=2 GUEST_THREAD=multi GUEST_WORDS="guest_dhcp=1 guest_tcp=192.0.2.1:7000 guest_udp=192.0.2.1:7000 guest_listen=7001"
	printf '{"version":1,"runtime_dir":"%s"%s,"nics":[{"mode":"passt"%s,"options":{"path":"%s","tcp-ports":["7001"],"mtu":1400}}]}' \
		"$tmp/run" "$2" "$3" "$PASST" >"$tmp/desc"
	: >"$tmp/out"
	( exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
	  exec ip netns exec "$ns" timeout -s KILL 120 "$SRCDIR/tests/guest/boot" "$guest" "$QH" <"$tmp/desc" ) >"$tmp/out" 2>"$tmp/err" & qemu=$!
	wait_for 60 said_word listening
	answer=$(in_ns "$guest/net" ask 127.0.0.1 7001 "from the host" 2>&1)
	wait "$qemu"
	status=$?
	is "$1: QEMU's own exit status" $status 0
	[ $status = 0 ] || note "$(cat "$tmp/out" "$tmp/err")"
	has "$1: an address, a router and an MTU by DHCP" "$(said)" "dhcp=192.0.2.9 mask=255.255.255.0 router=192.0.2.1 mtu=1400"
	# the passt of Debian 12 was seen to give a late guest the answer three times
	has "$1: the guest reaches a TCP server" "$(said)" "tcp said 'server: hello from the guest"
	has "$1: the guest reaches a UDP server" "$(said)" "udp said 'server: hello from the guest'"
	is "$1: a forwarded port reaches the guest" "$answer" "guest: from the host"
	is "$1: nothing on standard error" "$(err)" ""
	ends "$1: passt ends with QEMU"
}
if "$SRCDIR/tests/guest/build" "$guest" >"$tmp/build" 2>&1; then
	ip netns exec "$ns" "$guest/net" serve 7000 >"$tmp/server" & server=$!
	wait_for 5 grep -q ready "$tmp/server"
	traffic "stream" "" ""
	if [ -n "${has_vhost_user:-}" ]; then
		traffic "vhost-user" ',"args":["-object","memory-backend-memfd,id=mem0,size=128M,share=on","-machine","memory-backend=mem0"]' \
			',"vhost_user":true'
	else
		skip "vhost-user: a guest's traffic" "this passt has no vhost-user"
	fi
	kill "$server"; wait "$server" 2>/dev/null
	server=
else
	note "$(cat "$tmp/build")"
	skip "a guest's traffic" "no kernel for the guest"
fi

# --- its process in the report ----------------------------------------------------------------------------
# the number in the report is passt's, and passt is nobody's child whom it would surprise
: >"$tmp/out"
start ",\"report\":\"$tmp/report\"" ",\"options\":{\"path\":\"$PASST\"}" $idle >"$tmp/out" 2>&1 & qemu=$!
wait_for 10 qemu_runs || note "$(cat "$tmp/out")"
is "stream: passt's process is in the report" "$(jq '.nics[0].passt_pid' "$tmp/report")" "$(with passt)"
is "  and is no child of QEMU" "$(awk '{print $4}' "/proc/$(with passt)/stat" | grep -cx "$qemu")" 0
is "  QEMU has no child" "$(cat "/proc/$qemu/task/$qemu/children")" ""
kill -9 "$qemu"; wait "$qemu" 2>/dev/null
ends "stream: nothing is left"

# --- life: a stream -----------------------------------------------------------------------------------
( trap '' CHLD; exec 3<"$SRCDIR/tests/lib.sh"; printf '{"version":1,"nics":[{"mode":"passt"}]}' >"$tmp/desc"
  exec ip netns exec "$ns" "$QH" $idle <"$tmp/desc" ) >"$tmp/out" 2>&1 & qemu=$!
wait_for 10 qemu_runs || note "$(cat "$tmp/out")"
passt=$(with passt)
is "passt has a session of its own" "$(awk '{print $6}' "/proc/$passt/stat")" "$passt"
has "passt has no signal blocked" "$(cat "/proc/$passt/status")" "SigBlk:	0000000000000000"
is "passt has none of the caller's files open" "$(find "/proc/$passt/fd" -lname '*lib.sh')" ""
is "passt's environment is empty" "$(tr '\0' '\n' <"/proc/$passt/environ")" ""
is "passt has confined itself: no capability" "$(awk '$1 == "CapEff:" { print $2 }' "/proc/$passt/status")" \
	0000000000000000
is "  no_new_privs and a filter" "$(awk '$1 == "NoNewPrivs:" || $1 == "Seccomp:" { printf "%s ", $2 }' \
	"/proc/$passt/status")" "1 2 "
is "  and it is nobody, not root" "$(awk '$1 == "Uid:" { print $2, $3, $4, $5 }' "/proc/$passt/status")" \
	"65534 65534 65534 65534"
is "passt is in QEMU's cgroup" "$(cat "/proc/$passt/cgroup")" "$(cat "/proc/$qemu/cgroup")"
is "passt's parent is not QEMU" "$(awk '{print $4}' "/proc/$passt/stat" | grep -cx "$qemu")" 0
kill -9 "$qemu"; wait "$qemu" 2>/dev/null
ends "kill -9 of QEMU: passt ends"

: >"$tmp/out"
start "" "" $idle >"$tmp/out" 2>&1 & qemu=$!
wait_for 10 qemu_runs
kill -9 "$(with passt)"; sleep 0.5
check "kill -9 of passt: QEMU lives on" kill -0 "$qemu"
kill "$qemu"; wait "$qemu" 2>/dev/null
ends "kill -9 of passt, then SIGTERM: nothing is left"

# a later step fails
( start ',"report":{"fd":1}' "" $idle ) >/dev/full 2>"$tmp/out"
is "the report cannot be written: exit status" $? 111
ends "the report cannot be written: passt ends"
printf 'no program\n' >"$tmp/noexec"; chmod +x "$tmp/noexec"
( start ",\"seccomp\":\"none\",\"qemu\":\"$tmp/noexec\"" "" $idle ) >"$tmp/out" 2>&1
is "QEMU cannot be executed: exit status" $? 126
ends "QEMU cannot be executed: passt ends"
( start "" "" $idle -drive file=/nonexistent/image ) >"$tmp/out" 2>&1
is "QEMU refuses its words: exit status" $? 1
ends "QEMU refuses its words: passt ends"

# killed NAME WRAP NIC-MEMBERS: SIGKILL at the call that loads the filter, passt being ready
killed() {
	wrap=$2
	( start "" "$3" $idle $shared ) >"$tmp/out" 2>&1
	is "$1: it was killed" $? 137
	wrap=
	ends "$1: passt ends"
}
at_filter="strace -o $tmp/strace -e trace=seccomp -e inject=seccomp:signal=KILL:when=2"
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	killed "kill -9 before QEMU is executed" "$at_filter" ""
else
	skip "kill -9 before QEMU is executed" "needs strace"
fi
: >"$tmp/out"
start "" ",\"options\":{\"path\":\"$PEER\",\"param\":[\"--late=1000\"]}" $idle >"$tmp/out" 2>&1 & qemu=$!
wait_for 5 passt_runs
kill -9 "$qemu"; wait "$qemu" 2>/dev/null
ends "kill -9 while passt starts: passt ends"

# --- life: vhost-user ----------------------------------------------------------------------------------
no_file() { [ -z "$(ls "$tmp/run")" ]; }
real_passt() { for _r in $(with passt); do [ "$(cat "/proc/$_r/comm")" = passt-keeper ] || echo "$_r"; done; }
if [ -n "${has_vhost_user:-}" ]; then
	for who in QEMU passt; do
		: >"$tmp/out"
		start "" ',"vhost_user":true' $idle $shared >"$tmp/out" 2>&1 & qemu=$!
		wait_for 10 qemu_runs || note "$(cat "$tmp/out")"
		check "vhost-user: no file is left when QEMU runs" wait_for 10 no_file
		if [ $who = passt ]; then
			kill -9 "$(real_passt)"; sleep 0.5
			check "vhost-user, kill -9 of passt: QEMU lives on" kill -0 "$qemu"
		fi
		kill -9 "$qemu"; wait "$qemu" 2>/dev/null
		ends "vhost-user, kill -9 of $who: nothing is left"
	done
	( start "" ',"vhost_user":true' $idle $shared -drive file=/nonexistent/image ) >"$tmp/out" 2>&1
	is "vhost-user, QEMU refuses its words: exit status" $? 1
	ends "vhost-user, QEMU refuses its words: nothing is left"
else
	skip "vhost-user: its life" "this passt has no vhost-user"
	fails_vhost_user=1
fi

# --- life: vhost-user, both programs stood in for ---------------------------------------------------------
stand_in=",\"vhost_user\":true,\"options\":{\"path\":\"$PEER\"}"
connected() { grep -q connected "$tmp/out"; }
args='"args":["-object","memory-backend-memfd,id=m,size=1M","-machine","memory-backend=m"]'
# kept DESCRIPTOR-MEMBERS NIC-MEMBERS [QEMU-ARG]...
kept() { _members=$1 _nic=$2; shift 2; start ",\"qemu\":\"$PEER\",$args$_members" "$_nic" "$@"; }
# the stand-in for passt: the one that is not QEMU
peer() { with passtpeer | grep -vx "$qemu"; }
no_keeper() { [ -z "$(with passt-keeper)" ]; }
: >"$tmp/out"
kept ",\"report\":\"$tmp/report\"" "$stand_in" >"$tmp/out" 2>&1 & qemu=$!
wait_for 10 connected || note "$(cat "$tmp/out")"
is "vhost-user: no file is left when QEMU runs" "$(ls "$tmp/run")" ""
is "vhost-user: passt's process is in the report" "$(jq '.nics[0].passt_pid' "$tmp/report")" "$(peer)"
keeper=$(with passt-keeper)
is "vhost-user: the keeper has five descriptors, none of the caller's" \
	"$(find "/proc/$keeper/fd" -type l -printf '%f %l\n' | sort | \
	   sed 's/pipe:.*/pipe/;s/^. anon/anon/' | tr '\n' ' ')" \
	"0 /dev/null 1 /dev/null 2 /dev/null 3 pipe anon_inode:[pidfd] "
is "vhost-user: passt is its child" "$(awk '{print $4}' "/proc/$(peer)/stat")" "$keeper"
kill -9 "$qemu"; wait "$qemu" 2>/dev/null
ends "vhost-user, kill -9 of QEMU: nothing is left"

: >"$tmp/out"
kept "" "$stand_in" >"$tmp/out" 2>&1 & qemu=$!
wait_for 10 connected
kill -9 "$(peer)"
wait_for 10 no_keeper
check "vhost-user, kill -9 of passt: the keeper ends" no_keeper
check "vhost-user, kill -9 of passt: QEMU lives on" kill -0 "$qemu"
kill -9 "$qemu"; wait "$qemu" 2>/dev/null
ends "vhost-user, kill -9 of passt: nothing is left"

: >"$tmp/out"
kept "" "$stand_in" >"$tmp/out" 2>&1 & qemu=$!
wait_for 10 connected
kill -9 "$(with passt-keeper)"
kill -9 "$qemu"; wait "$qemu" 2>/dev/null
ends "vhost-user, kill -9 of the keeper: passt ends with QEMU"

( kept "" "$stand_in" -quit ) >"$tmp/out" 2>&1
is "vhost-user: QEMU exits before it connects" $? 3
ends "vhost-user: QEMU exits before it connects: nothing is left"
( kept ',"report":{"fd":1}' "$stand_in" ) >/dev/full 2>"$tmp/out"
is "vhost-user, a later step fails: exit status" $? 111
ends "vhost-user, a later step fails: nothing is left"
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	killed "vhost-user, kill -9 before QEMU is executed" "$at_filter" "$stand_in"
else
	skip "vhost-user, kill -9 before QEMU is executed" "needs strace"
fi
late=",\"vhost_user\":true,\"options\":{\"path\":\"$PEER\",\"param\":[\"--late=700\"]}"
: >"$tmp/out"
kept "" "$late" >"$tmp/out" 2>&1 & qemu=$!
wait_for 5 passt_runs
kill -9 "$qemu"; wait "$qemu" 2>/dev/null
ends "vhost-user, kill -9 while passt starts: nothing is left"
: >"$tmp/out"
kept "" ",\"vhost_user\":true,\"options\":{\"path\":\"$PEER\",\"param\":[\"--stay\"]}" >"$tmp/out" 2>&1 & qemu=$!
wait_for 10 connected
kill -9 "$qemu"; wait "$qemu" 2>/dev/null
ends "vhost-user, a passt that ignores SIGTERM: nothing is left"

# --- where it listens -------------------------------------------------------------------------------------
( start "" ",\"options\":{\"path\":\"$PASST\",\"tcp-ports\":[\"2222:22\"],\"udp-ports\":[\"127.0.0.1%lo/53\"]}" --plan=json ) >"$tmp/out" 2>"$tmp/err"
is "the plan says where it listens" "$(jq -c '.nics[0].listens' "$tmp/out")" \
	'[{"protocol":"tcp","address":"*","ports":"2222"},{"protocol":"udp","address":"127.0.0.1","link":"lo","ports":"53"}]'
( start "" ",\"options\":{\"path\":\"$PASST\",\"tcp-ports\":[\"2222:22\"],\"udp-ports\":[\"127.0.0.1%lo/53\"]}" --plan ) >"$tmp/out" 2>"$tmp/err"
has "  for eyes, too" "$(cat "$tmp/out")" "listens: tcp 2222 on all addresses" "listens: udp 53 on 127.0.0.1 of lo"

# --- the keeper's own confinement -----------------------------------------------------------------
# QEMU has no filter here, and the ids of the keeper: it is the keeper that must hold.
status_of() { awk -v k="$2:" '$1 == k { $1 = ""; sub(/^ /, ""); print; exit }' "/proc/$1/status"; }
# confined_keeper NAME UID: what the kernel has of $keeper, and what ps shows
confined_keeper() {
	is "$1: the keeper's user" "$(status_of "$keeper" Uid)" "$2 $2 $2 $2"
	is "$1: the keeper's group" "$(status_of "$keeper" Gid)" "$2 $2 $2 $2"
	for _set in CapInh CapPrm CapEff CapAmb; do
		is "$1: the keeper's $_set" "$(status_of "$keeper" $_set)" 0000000000000000
	done
	is "$1: the keeper's no_new_privs" "$(status_of "$keeper" NoNewPrivs)" 1
	is "$1: the keeper's filter" "$(status_of "$keeper" Seccomp)" 2
	is "$1: the keeper's environment" "$(tr -d '\0' <"/proc/$keeper/environ")" ""
	is "$1: the keeper's command line" "$(tr '\0' '|' <"/proc/$keeper/cmdline")" "passt-keeper|"
}
attacked() { grep -qx attacked "$tmp/out"; }
# attacks NAME UID: QEMU tries to get into the keeper, and then dies
attacks() {
	: >"$tmp/out"; rm -f "$tmp/victim"
	( export SECRET_OF_THE_CALLER=1
	  kept "$unfiltered" "$stand_in" "-attack=$tmp/victim" ) >"$tmp/out" 2>&1 & qemu=$!
	wait_for 10 connected || note "$(cat "$tmp/out")"
	keeper=$(with passt-keeper)
	confined_keeper "$1" "$2"
	echo "$keeper" >"$tmp/victim"
	wait_for 10 attacked || note "$(cat "$tmp/out")"
	for _way in mem process_vm_writev environ maps fd ptrace; do
		check "$1, $_way: the control is open to it" \
			grep -qx "control by $_way: done" "$tmp/out"
		check "$1, $_way: the keeper is not" \
			grep -Eqx "keeper by $_way: (Permission denied|$eperm)" "$tmp/out"
	done
	has "$1: signals are sent" "$(cat "$tmp/out")" "keeper by signals: done"
	is "$1: the keeper outlives all of it" "$(with passt-keeper)" "$keeper"
	kill -9 "$qemu"; wait "$qemu" 2>/dev/null
	ends "$1: the keeper still ends passt"
}
eperm='Operation not permitted'
unfiltered=',"seccomp":"none"'
attacks "QEMU of root attacks the keeper" 0
# passt of root becomes nobody, and its keeper with it: no capability is needed to end it
: >"$tmp/out"
kept "" ",\"vhost_user\":true,\"options\":{\"path\":\"$PEER\",\"param\":[\"--drop\",\"--stay\"]}" \
	>"$tmp/out" 2>&1 & qemu=$!
wait_for 10 connected || note "$(cat "$tmp/out")"
keeper=$(with passt-keeper)
confined_keeper "passt becomes nobody" 65534
is "passt becomes nobody: no group of root's is left" "$(status_of "$keeper" Groups)" ""
is "passt becomes nobody: nothing can come back" "$(status_of "$keeper" CapBnd)" 0000000000000000
kill "$keeper"
kill -9 "$qemu"; wait "$qemu" 2>/dev/null
ends "passt becomes nobody and ignores SIGTERM: nothing is left"

# --- failures -------------------------------------------------------------------------------------------
# fails NAME STATUS CODE TEXT DESCRIPTOR-MEMBERS NIC-MEMBERS [QEMU-ARG]...
fails() {
	_what=$1 _status=$2 _code=$3 _text=$4; shift 4
	( export QEMU_HANDOFF_ERRORS=json; start "$@" ) >"$tmp/out" 2>&1
	is "$_what: exit status" $? "$_status"
	produced "$tmp/out"
	has "$_what: what it says" "$(jq -r '"\(.code) \(.path) \(.object): \(.message)"' "$tmp/out" 2>&1)" "$_code" "$_text"
	ends "$_what: nothing is left"
}
option() { echo ",\"options\":{\"path\":\"$PASST\",$1}"; }
fails "no passt" 101 passt-missing "nics[0].options.path /nonexistent/passt" "" ',"options":{"path":"/nonexistent/passt"}' $idle
fails "no program" 101 passt-not-executable "nics[0].options.path /etc/passwd" "" ',"options":{"path":"/etc/passwd"}' $idle
fails "an option that this passt does not know" 101 passt-option "unrecognized option '--nonsense'" "" "$(option '"param":["--nonsense"]')" $idle
if [ -n "${fails_vhost_user:-}" ]; then
	fails "a passt without vhost-user" 101 passt-option "nics[0].vhost_user $PASST: this passt does not know the option '--vhost-user'" \
		"" ",\"vhost_user\":true,\"options\":{\"path\":\"$PASST\"}" $idle $shared
	fails "  --check sees it" 101 passt-option "'--vhost-user'" "" ",\"vhost_user\":true,\"options\":{\"path\":\"$PASST\"}" --check $idle $shared
	fails "  and other options" 101 passt-option "nics[0].options.freebind $PASST" "" "$(option '"freebind":true')" --check $idle
fi
fails "a wrong value" 101 passt-option "ddress: -h" "" "$(option '"address":"-h"')" $idle
fails "a port that is none" 101 passt-option "foo" "" "$(option '"tcp-ports":["foo"]')" $idle
fails "a port twice" 101 passt-option "22" "" "$(option '"tcp-ports":["2222","2222"]')" $idle
fails "a link that is not there" 101 passt-interface "nics[0].options.interface nope" "" "$(option '"interface":"nope"')" $idle
fails "  --check sees it" 101 passt-interface "nics[0].options.interface nope" "" "$(option '"interface":"nope"')" --check $idle
fails "  among its own words" 101 passt-interface "nope" "" "$(option '"param":["--interface","nope"]')" $idle
fails "an address that is not this host's" 101 passt-interface "198.51.100.1/7005" "" "$(option '"tcp-ports":["198.51.100.1/7005"]')" $idle
fails "a file that it cannot make" 101 passt-failed "/nonexistent/x" "" "$(option '"param":["--log-file","/nonexistent/x"]')" $idle
wrap="setpriv --bounding-set -setgid --inh-caps -setgid"
fails "root without CAP_SETGID" 101 passt-privilege "Can't set GID" "" "$(option '"quiet":true')" $idle
wrap=
ip netns exec "$ns" ip route del default
case $("$PASST" --version 2>&1 | head -n 1) in
*unknown*) fails "no link with a route" 101 passt-interface "External interface not usable" "" "$(option '"quiet":true')" $idle ;;
*) skip "no link with a route" "this passt works without one" ;;
esac
ip -n "$ns" route add default via 192.0.2.1
ip netns exec "$ns" "$guest/net" serve 7000 >"$tmp/server" 2>/dev/null & server=$!
if wait_for 10 grep -q ready "$tmp/server"; then
	fails "a port that is bound already" 111 passt-port "7000" "" "$(option '"tcp-ports":["7000"]')" $idle
else
	skip "a port that is bound already" "no program for the test's server"
fi
kill "$server" 2>/dev/null; wait "$server" 2>/dev/null
server=
printf '#!/bin/sh\necho first >&2\necho second >&2\nexit 7\n' >"$tmp/exits"
printf '#!/bin/sh\nkill -SEGV $$\n' >"$tmp/crashes"
printf '#!/bin/sh\nkill -KILL $$\n' >"$tmp/killed"
printf '#!/bin/sh\necho on my way >&2\nexec sleep 60\n' >"$tmp/late"
chmod +x "$tmp/exits" "$tmp/killed" "$tmp/crashes" "$tmp/late"
fails "passt ends at once" 101 passt-failed "it ended with status 7: first; second" "" ",\"options\":{\"path\":\"$tmp/exits\"}" $idle
fails "passt crashes" 101 passt-failed "it was killed by signal 11" "" ",\"options\":{\"path\":\"$tmp/crashes\"}" $idle
fails "passt is killed" 111 passt-resources "it was killed by signal 9" "" ",\"options\":{\"path\":\"$tmp/killed\"}" $idle
fails "passt is late" 111 passt-timeout "not ready after 10 s, so it was killed: on my way" "" ",\"options\":{\"path\":\"$tmp/late\"}" $idle
wrap="setpriv --reuid 1000 --regid 1000 --clear-groups"
# which may not enter the build tree
mkdir "$tmp/bin" && cp "$QH" "$tmp/bin/" && chmod 755 "$tmp"
built=$QH QH=$tmp/bin/qemu-handoff
start "" "" $idle >"$tmp/out" 2>&1 & qemu=$!
wait_for 10 qemu_runs || note "$(cat "$tmp/out")"
has "started by an ordinary user, so does passt" "$(cat "/proc/$(with passt)/status")" "Uid:	1000	1000	1000	1000"
kill -9 "$qemu"; wait "$qemu" 2>/dev/null
ends "started by an ordinary user, passt ends with QEMU"
fails "a port below 1024, as an ordinary user" 101 passt-privilege "80" "" "$(option '"tcp-ports":["80"]')" $idle
has "  and what helps" "$(jq -r .hint "$tmp/out")" "ip_unprivileged_port_start"
cp "$PEER" "$tmp/bin/"
built_peer=$PEER PEER=$tmp/bin/passtpeer
stand_in=",\"vhost_user\":true,\"options\":{\"path\":\"$PEER\"}"
wrap="setpriv --reuid 61234 --regid 61234 --clear-groups"
mkdir "$tmp/theirs" && chown 61234 "$tmp/theirs"
run_dir=$tmp/theirs
attacks "a user's QEMU attacks the keeper" 61234
PEER=$built_peer
# one may have no third process, by number: the launch, what makes the keeper, the keeper
wrap="prlimit --nproc=2 setpriv --reuid 61234 --regid 61234 --clear-groups"
if grep -q libasan "$QH"; then
	skip "no keeper can be made" "a program with sanitizers starts a thread at its end"
else
	fails "no keeper can be made" 111 call-failed "could not start the process that ends passt when QEMU exits" "" ',"vhost_user":true,"options":{"path":"'"$tmp/bin/passtpeer"'"}' $idle $shared
	has "  and why" "$(cat "$tmp/out")" '"errno":"EAGAIN"'
fi
run_dir=$tmp/run
QH=$built
mkdir "$tmp/root"
printf 'mount --make-rprivate / && mount --rbind / "%s" && exec chroot "%s" "$@"\n' "$tmp/root" "$tmp/root" >"$tmp/chroot"
printf 'mount --make-rprivate / && mount -t tmpfs none /proc && exec "$@"\n' >"$tmp/noproc"
wrap="unshare -m sh $tmp/noproc"
if grep -q libasan "$QH"; then
	skip "the keeper cannot know whose ids passt has" "a program with sanitizers needs /proc"
else
	fails "the keeper cannot know whose ids passt has" 111 confine-failed \
		"/proc/PID/status: passt's keeper could not be confined" \
		",\"qemu\":\"$PEER\",$args" "$stand_in"
fi
wrap="unshare -m sh $tmp/chroot"
fails "in a chroot" 101 passt-namespace "user namespace" "" "" $idle
wrap=
fails "QEMU's own backend under the filter" 100 seccomp-needs "QEMU starts passt for it" ",\"qemu\":\"$PEER\"" ',"native":true'
case $("$QEMU" --version) in
*"version 7."*) fails "a QEMU without that backend" 101 qemu-version "is version 7." "" ',"native":true' $idle ;;
*) skip "a QEMU without that backend" "this QEMU is newer" ;;
esac
fails "vhost-user: passt ends at once" 101 passt-failed "it ended with status 7: first; second" "" ",\"vhost_user\":true,\"options\":{\"path\":\"$tmp/exits\"}" $idle $shared
fails "vhost-user: no pid" 101 passt-failed "its process or its socket does not exist" "" ",\"vhost_user\":true,\"options\":{\"path\":\"$PEER\",\"param\":[\"--no-pid\"]}" $idle $shared
fails "vhost-user: no socket" 101 passt-failed "its process or its socket does not exist" "" ",\"vhost_user\":true,\"options\":{\"path\":\"$PEER\",\"param\":[\"--no-socket\"]}" $idle $shared
fails "vhost-user: guest memory is not shared" 100 memory-not-shared "nics[0].vhost_user argv" "" "$stand_in" $idle
run_dir=/nonexistent
fails "vhost-user: no directory" 101 runtime-dir "runtime_dir /nonexistent" "" "$stand_in" $idle $shared
# a path that has no room for a name below it
run_dir=$tmp/long
while [ ${#run_dir} -lt 3840 ]; do run_dir=$run_dir/$(printf '%0100d' 0); done
run_dir=$run_dir/$(printf "%0$((4094 - ${#run_dir} - 1))d" 0)
mkdir -p "$run_dir"
# the directory is made in the one that is held, so no path becomes longer
( kept "" "$stand_in" -quit ) >"$tmp/out" 2>&1
is "vhost-user: a long path is none to the keeper: exit status" $? 3
is "  and nothing is left in it" "$(ls "$run_dir")" ""
# a program of the launch changes what the name of the directory leads to
run_dir=$tmp/named; mkdir "$run_dir" "$tmp/elsewhere"
printf '#!/bin/sh\nmv "%s" "%s.was" && ln -s elsewhere "%s"\n' "$run_dir" "$run_dir" "$run_dir" >"$tmp/swap"
chmod +x "$tmp/swap"
stream=",\"options\":{\"path\":\"$tmp/swap\"}},{\"mode\":\"passt\",\"id\":\"b\"$stand_in"
fails "another runtime directory has its name by then" 101 runtime-dir "could not create a private directory" \
	',"qemu":"/bin/true"' "$stream" $idle $shared
is "  and nothing is made in it" "$(ls "$tmp/elsewhere")" ""
rm "$run_dir"; run_dir=$tmp/run
# whose base is another user's can put another directory in the place of ours, at the moment after it was made
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	run_dir=$tmp/theirs
	mkdir -p "$run_dir/victim" && chmod 700 "$run_dir/victim" && : >"$run_dir/victim/file"
	made() { [ -d "$(echo "$run_dir"/qemu-handoff-*)" ]; }
	( wait_for 10 made && for _d in "$run_dir"/qemu-handoff-*; do mv -T "$_d" "$tmp/made"; mv -T "$run_dir/victim" "$_d"; done ) &
	swap=$!
	wrap="strace -f -qq -o $tmp/strace -e trace=mkdir,mkdirat -e inject=mkdir,mkdirat:delay_exit=2000000"
	export ASAN_OPTIONS=detect_leaks=0	# which cannot work under strace
	fails "vhost-user: another directory in its place" 101 runtime-dir "runtime_dir" ',"qemu":"/bin/true"' "$stand_in" $idle $shared
	unset ASAN_OPTIONS
	wrap=
	wait "$swap"
	check "vhost-user: another directory in its place: what is in it stays" [ -e "$(echo "$run_dir"/*/file)" ]
else
	skip "vhost-user: another directory in its place" "needs strace"
fi
done_testing
