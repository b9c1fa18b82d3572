# lib.sh - what the run tests share: TAP lines, private network namespaces, links, leftovers
#
# A test is a POSIX sh script that sources this file, prints TAP and is started by the build's TAP
# driver with SRCDIR and BUILDDIR (absolute) set. Everything a test makes on the host is made through
# this file and goes away when the test ends, also when it fails or is interrupted.
set -u
: "${SRCDIR:?run me through make check}" "${BUILDDIR:?run me through make check}"
QH=$BUILDDIR/qemu-handoff
PATH=$PATH:/usr/sbin:/sbin
QEMU=${QEMU:-/usr/bin/qemu-system-x86_64}
codes_file=$BUILDDIR/tests/run/$(basename "$0" .sh).codes
: >"$codes_file"
export LC_ALL=C
unset QEMU_HANDOFF_DESCRIPTOR QEMU_HANDOFF_QEMU QEMU_HANDOFF_ERRORS DISPLAY WAYLAND_DISPLAY

# --- TAP ---------------------------------------------------------------------------------------
tap_n=0
# shellcheck disable=SC2034 # for tests that end with it
tap_bad=0
note() { printf '%s\n' "$*" | sed 's/^/# /'; }
ok() { tap_n=$((tap_n + 1)); echo "ok $tap_n - $*"; }
# shellcheck disable=SC2034
not_ok() { tap_n=$((tap_n + 1)); tap_bad=1; echo "not ok $tap_n - $*"; }
skip() { tap_n=$((tap_n + 1)); echo "ok $tap_n - $1 # SKIP $2"; }	# NAME REASON
skip_all() { echo "1..0 # SKIP $*"; exit 0; }
# check NAME COMMAND...: ok when the command succeeds
check() { _name=$1; shift; if "$@"; then ok "$_name"; else not_ok "$_name"; note "failed: $*"; fi; }
# is NAME GOT WANT: ok when the two texts are equal
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; note "got:  $2"; note "want: $3"; fi; }
# has NAME TEXT PART...: ok when every part stands in the text
has() {
	_name=$1 _text=$2; shift 2
	for _part; do
		case $_text in *"$_part"*) ;; *) not_ok "$_name"; note "lacks: $_part"; note "in: $_text"; return ;; esac
	done
	ok "$_name"
}
done_testing() { echo "1..$tap_n"; }

# --- descriptors -----------------------------------------------------------------------------------
# find_python: $python is an interpreter that has jsonschema
find_python() {
	for python in python3 /usr/bin/python3; do
		"$python" -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null && return
	done
	return 1
}
# parser FILE: "pass", or the code words of what is wrong with the descriptor itself; what is wrong with
# the host (status 101 and above) does not count, but some of it is seen only where there is a QEMU
parser() {
	QEMU_HANDOFF_QEMU=/bin/sh clean_fds "$QH" --check --errors=json --descriptor="$1" >"$tmp/parsed" 2>&1 </dev/null
	produced "$tmp/parsed"
	_codes=$(sed -n 's/.*"code":"\([^"]*\)","status":100,.*/\1/p' "$tmp/parsed" | sort -u | tr '\n' ' ')
	echo "${_codes:-pass}"
}

# --- leftovers ---------------------------------------------------------------------------------
tmp=$(mktemp -d "${TMPDIR:-/tmp}/qh-test.XXXXXX")
spaces=
nodes=
cgroups=
cleanup() {
	trap - EXIT
	_pids=$(jobs -p)
	# shellcheck disable=SC2086 # several words, here and below
	[ -z "$_pids" ] || kill -9 $_pids 2>/dev/null
	for _s in $spaces; do
		for _p in $(ip netns pids "$_s" 2>/dev/null); do kill -9 "$_p" 2>/dev/null; done
		ip netns del "$_s" 2>/dev/null
	done
	# shellcheck disable=SC2086
	[ -z "$cgroups" ] || rmdir $cgroups 2>/dev/null
	# shellcheck disable=SC2086
	rm -rf "$tmp" $nodes
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 141' PIPE
trap 'exit 143' TERM

# no_terminal: go on in a session without one, so that no result depends on who runs the test
no_terminal() {
	[ -z "${QH_NO_TERMINAL-}" ] || return 0
	rm -rf "$tmp"
	QH_NO_TERMINAL=1 exec setsid -w sh "$0" </dev/null
}

# --- a /dev of one's own --------------------------------------------------------------------------
# private_mounts: go on in a mount namespace, so that what is mounted is gone with the test
private_mounts() {
	need_root
	if [ -n "${QH_PRIVATE-}" ]; then
		# the names of namespaces, too: a test that is killed leaves none behind
		mkdir -p /run/netns && mount -t tmpfs none /run/netns
		return
	fi
	rm -rf "$tmp"
	QH_PRIVATE=1 exec unshare -m sh "$0"
}
# private_dev: a /dev that only this test sees, without any device of the host's but /dev/net/tun of
# root; the kernel makes no node in it
private_dev() {
	mount -t tmpfs -o mode=755 none /dev && mkdir /dev/net /dev/pts /dev/shm &&
	mknod -m 666 /dev/null c 1 3 && mknod -m 666 /dev/zero c 1 5 && mknod -m 666 /dev/urandom c 1 9 &&
	mknod -m 666 /dev/tty c 5 0 && mknod -m 600 /dev/net/tun c 10 200 && mount -t devpts -o newinstance none /dev/pts
}

# --- launches ------------------------------------------------------------------------------------
# Tests that need no real QEMU use a stand-in, which says what it was given (tests/run/fakeqemu.c).
FAKE=$BUILDDIR/tests/run/fakeqemu
WITH=$BUILDDIR/tests/run/startwith
ns=
with=
under=
# launch DESCRIPTOR [ARGUMENT]...: with that text on stdin, in $ns when there is one, with nothing
# open but 0, 1 and 2; $with holds words for tests/run/startwith.c, $under words to put before the
# program. Then $rc, $tmp/out, $tmp/err.
launch() { printf '%s\n' "$1" >"$tmp/desc"; shift; launch_file "$tmp/desc" "$@"; }
launch_file() { _file=$1; shift; start "$@" <"$_file"; }
# start [ARGUMENT]...: the same, with the caller's stdin
start() {
	# the leak checker of a sanitizer build cannot work under strace, behind the filter or with set-id bits
	case ${leaks-}$under in *strace*|no*) _asan=detect_leaks=0 ;; *) _asan=detect_leaks=1 ;; esac
	# shellcheck disable=SC2086 # $under is several words
	ASAN_OPTIONS=$_asan QEMU_HANDOFF_QEMU="${qemu-$FAKE}" QEMU_HANDOFF_ERRORS=json \
		${ns:+ip netns exec "$ns"} "$WITH" closefrom 3 $with -- $under "$QH" "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
	echo "$rc" >"$tmp/rc"	# in a pipeline this is a subshell
	produced "$tmp/err"
}
# produced FILE: note the code words of the errors and warnings there, for tests/run/codes.sh
produced() { sed -n 's/^{"level":"[a-z]*","code":"\([^"]*\)".*/\1/p' "$1" >>"$codes_file"; }
# stay DESCRIPTOR [ARGUMENT]...: launch it beside the test, until leave; its process is $pid
stay() {
	printf '%s\n' "$1" >"$tmp/desc"; shift
	: >"$tmp/out"
	# shellcheck disable=SC2086 # $with is several words
	QEMU_HANDOFF_QEMU="${qemu-$FAKE}" QEMU_HANDOFF_ERRORS=json \
		${ns:+ip netns exec "$ns"} "$WITH" closefrom 3 $with -- "$QH" "$@" <"$tmp/desc" >"$tmp/out" 2>"$tmp/err" & pid=$!
	wait_for 20 grep -q "${ready-^nofile }" "$tmp/out" || note "not started:" "$(cat "$tmp/err")"
}
leave() { kill "$pid"; wait "$pid" 2>/dev/null; produced "$tmp/err"; }
# codes LEVEL: the code words of the errors or warnings of the last launch, on one line; without qemu-root, which every
# launch by root without "user" has, and mac-default, which every guest without a name has
codes() {
	sed -n "s/^{\"level\":\"$1\",\"code\":\"\([^\"]*\)\".*/\1/p" "$tmp/err" | grep -vx -e qemu-root -e mac-default | tr '\n' ' ' |
		sed 's/ $//'
}
# err: what the last launch said, without the warning that QEMU runs as root
err() { grep -v -e '"code":"qemu-root"' -e '"code":"mac-default"' -e 'QEMU runs as root' -e 'nothing names the guest' "$tmp/err"; }
started() { grep -q '^fakeqemu ' "$tmp/out"; }
# Other users may not enter the build tree: programs that they are to execute.
for_all() { mkdir -p "$tmp/bin" && cp "$QH" "$FAKE" "$WITH" "$tmp/bin" && chmod 755 "$tmp" "$tmp/bin" && QH=$tmp/bin/qemu-handoff FAKE=$tmp/bin/fakeqemu WITH=$tmp/bin/startwith; }
as_uid() { echo "setpriv --reuid $1 --regid $1 --groups ${2-$1}"; }	# UID [GROUPS]
nic() { printf '{"version":1,"nics":[%s]}' "$1"; }
# refused NAME STATUS CODES [PART]...: the last launch ended with this status, with one line for each
# of these errors, which hold these texts, and QEMU was not started
refused() {
	read -r rc <"$tmp/rc"
	_name=$1 _status=$2 _codes=$3; shift 3
	_lines=$(grep -vc '^{"level":"[a-z]*","code":".*}$' "$tmp/err")
	if started; then not_ok "$_name"; note "QEMU was started"
	elif [ "$rc $(codes error) $_lines" != "$_status $_codes 0" ]; then
		not_ok "$_name"; note "status $rc, want $_status $_codes; stderr:" "$(cat "$tmp/err")"
	else has "$_name" "$(cat "$tmp/err")" "$@"
	fi
}
# accepted NAME [WARNINGS [PART]...]: the last launch started QEMU, with these warnings and nothing else
accepted() {
	read -r rc <"$tmp/rc"
	_name=$1 _codes=${2-}; shift $(($# < 2 ? 1 : 2))
	_lines=$(grep -vc '^{"level":"warning"' "$tmp/err")
	if [ "$rc $(codes warning) $_lines" != "0 $_codes 0" ] || ! started; then
		not_ok "$_name"; note "status $rc, want warnings '$_codes'; stderr:" "$(cat "$tmp/err")"
	else has "$_name" "$(cat "$tmp/out" "$tmp/err")" "$@"
	fi
}
# given_fds: what the stand-in has from descriptor 3 on: "NUMBER PATH", of a queue also its link and flags
given_fds() { sed -n 's/^fd \([0-9]*\) rw inherit [0-9:]* /\1 /p' "$tmp/out" | awk '$1 > 2'; }
# given_arg OPTION: the values that it has on the stand-in's command line
given_arg() { sed -n 's/^arg [0-9]* //p' "$tmp/out" | awk -v option="$1" 'value { print; value = 0; next } $0 == option { value = 1 }'; }

# --- links ---------------------------------------------------------------------------------------
# /dev is shared by all network namespaces and /dev/tapN is named after the ifindex, so every link
# a test makes gets an index of its own.
ifindex_next=$((100000 + $$ * 64))
need_root() { [ "$(id -u)" = 0 ] || skip_all "needs root to make links in a network namespace"; }
# new_ns LETTER: make a private namespace; its name is in $ns
new_ns() { ns=qh$$$1; ip netns add "$ns" && spaces="$spaces $ns" && ip -n "$ns" link set lo up; }
# in_ns COMMAND...: run it in $ns, with a sysfs that shows $ns
in_ns() { ip netns exec "$ns" "$@"; }
# new_macvtap NAME QUEUES [KIND [INDEX]]: over one end of a veth pair NAME-l / NAME-p; traffic comes out at NAME-p
new_macvtap() {
	ifindex_next=$((ifindex_next + 1))
	ip -n "$ns" link add "$1-l" type veth peer name "$1-p" &&
	ip -n "$ns" link set "$1-l" up && ip -n "$ns" link set "$1-p" up &&
	ip -n "$ns" link add link "$1-l" name "$1" index "${4:-$ifindex_next}" numtxqueues "$2" numrxqueues "$2" \
		type "${3:-macvtap}" mode "$(case ${3:-macvtap} in ipvtap) echo l2 ;; *) echo bridge ;; esac)" &&
	ip -n "$ns" link set "$1" allmulticast on up && make_node "$(node_of "$1")" "$1"
}
# make_node NODE IFNAME: a container's /dev is no devtmpfs, in which the kernel would have made it
make_node() {
	[ ! -e "$1" ] || return 0
	_dev=$(in_ns cat "/sys/class/net/$2/tap${1#/dev/tap}/dev") && mknod -m 600 "$1" c "${_dev%:*}" "${_dev#*:}" && nodes="$nodes $1"
}
# new_tap NAME [WORD...]: a persistent TAP; words such as multi_queue, user 1000
new_tap() { _tap=$1; shift; ip -n "$ns" tuntap add dev "$_tap" mode tap "$@" && ip -n "$ns" link set dev "$_tap" up; }
ifindex_of() { in_ns cat "/sys/class/net/$1/ifindex"; }
node_of() { echo "/dev/tap$(ifindex_of "$1")"; }
mac_of() { in_ns cat "/sys/class/net/$1/address"; }

# --- processes -----------------------------------------------------------------------------------
# wait_for SECONDS COMMAND...: poll until it succeeds
wait_for() {
	_tries=$(($1 * 10)); shift
	while [ "$_tries" -gt 0 ]; do "$@" >/dev/null 2>&1 && return 0; _tries=$((_tries - 1)); sleep 0.1; done
	return 1
}
# clean_fds COMMAND...: start it with nothing open but 0, 1 and 2
clean_fds() { ( for _fd in 3 4 5 6 7 8 9; do eval "exec $_fd>&-"; done; exec "$@" ); }
