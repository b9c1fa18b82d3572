#!/bin/sh
# probe.sh - a call that only asks QEMU is confined by the descriptor of the launches, and opens nothing of it
#
# With the real QEMU a monitor without a machine is told to execute a program, and a file that QEMU reads makes
# a machine of a call that seems to have none.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
need_root
for_all
dropin=$tmp/bin/qemu-system-x86_64
cp "$QH" "$dropin"
cp "$BUILDDIR/tests/run/record" "$tmp/bin/record"
mkdir "$tmp/work" && chmod 777 "$tmp/work" && cd "$tmp/work" || exit 1
export RECORD="$tmp/work/record"

# ask SOURCE WORD...: the drop-in on a program that writes down what it is; $rc, $tmp/err
ask() {
	_source=$1; shift
	rm -f "$RECORD"
	QEMU_HANDOFF_ERRORS=json QEMU_HANDOFF_QEMU="${qemu-$tmp/bin/record}" QEMU_HANDOFF_DESCRIPTOR=$_source \
		"$WITH" closefrom 3 -- "$dropin" "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?; echo "$rc" >"$tmp/rc"
	produced "$tmp/err"
}
# state: ids, no_new_privs, filter and what of capabilities is left
state() {
	sed -n 's!^/proc/self/status \(Uid\|Gid\|Groups\|NoNewPrivs\|Seccomp\|CapEff\|CapBnd\):	*!\1 !p' "$RECORD" |
		sed 's/ 0000*/ 0/; s/ 0\([1-9a-f]\)/ \1/' | tr '\t\n' '  ' | tr -s ' ' | sed 's/ $//'
}
confined="Uid 1000 1000 1000 1000 Gid 1000 1000 1000 1000 Groups NoNewPrivs 1 Seccomp 2"
bare() { state | sed 's/ Cap.*\(NoNew\)/ \1/'; }

# --- a source that can be read again ------------------------------------------------------------------------
# nothing of this is there: a launch is refused, a probe does not look
devices='"nics":[{"mode":"macvtap","ifname":"nonesuch0"}],"vsock":{"cid":77},"cgroup":"/nonesuch","report":"/nonesuch/r","stdin":"tty","args":["-nonesuch"]'
text="{\"version\":1,\"user\":1000,\"group\":1000,$devices}"
echo "$text" >"$tmp/guest.json"
for source in "$tmp/guest.json" "$text"; do
	for words in -version "-M none" "-device help" "-machine none,accel=tcg -S"; do
		# shellcheck disable=SC2086
		ask "$source" $words </dev/null
		is "$words, ${source%%[\":/]*}...: ids and filter of the descriptor" "$rc $(bare)" "42 $confined"
		is "  no descriptor but three" "$(grep -c '^fd ' "$RECORD")" 3
		is "  the same words, and nothing is said" "$(sed -n 's/^arg [1-9][0-9]* [0-9]* //p' "$RECORD" | tr '\n' ' ')$(cat "$tmp/err")" "$words "
	done
	ask "$source" -M q35 </dev/null
	has "  and a launch is refused" "$rc $(cat "$tmp/err")" "101 " link-missing
done
echo '{"version":1,"user":"no-such-user"}' >"$tmp/bad.json"
ask "$tmp/bad.json" --version </dev/null
has "a confinement that cannot be had: the probe does not run" "$rc $(cat "$tmp/err")" "101 " id-unknown
[ ! -e "$RECORD" ] || not_ok "  it ran"
echo '{"version":1,"capabilities":["CAP_KILL"]}' >"$tmp/kill.json"
ask "$tmp/kill.json" -h </dev/null
has "root's, with a capability of the descriptor" "$(state)" "CapBnd 20" "NoNewPrivs 1" "Seccomp 2"
echo "{\"version\":1,\"qemu\":\"$tmp/bin/record\",\"seccomp\":\"none\",\"user\":1000,\"group\":1000}" >"$tmp/none.json"
qemu=/nonesuch ask "$tmp/none.json" -h </dev/null
is "the QEMU of the descriptor, without a filter where it asks for none" "$rc $(bare)" "42 ${confined%2}0"

# --- a source that cannot -----------------------------------------------------------------------------------
root="Uid 0 0 0 0 Gid 0 0 0 0 Groups CapEff 0 CapBnd 0 NoNewPrivs 1 Seccomp 2"
mkfifo "$tmp/fifo"
for source in - fd:0 fd:77 "$tmp/fifo" /dev/stdin; do
	ask "$source" -M none <<-DESC
	$text
	DESC
	is "$source: the default filter and no capability" "$rc $(state)" "42 $root"
	has "  nothing is read" "$(cat "$RECORD")" "waiting $((${#text} + 1)) bytes"
done

# --- what the words need ------------------------------------------------------------------------------------
echo '{"version":1,"seccomp":{"allow":[]}}' >"$tmp/list.json"
ask "$tmp/list.json" -M none -daemonize </dev/null
has "a monitor that needs what a list denies" "$rc $(cat "$tmp/err")" "100 " seccomp-needs daemonize
ask "$tmp/list.json" -daemonize -netdev user,id=n,smb=/ -display spice-app -incoming exec:id -version </dev/null
is "a version needs nothing" "$rc $(cat "$tmp/err")" "42 "
ask - -M none -netdev bridge,id=n </dev/null
has "a program that QEMU would execute" "$rc $(cat "$tmp/err")" "100 " seccomp-needs

# --- the real QEMU ------------------------------------------------------------------------------------------
if [ ! -x "$QEMU" ]; then skip "the real QEMU" "needs $QEMU"; done_testing; exit 0; fi
cat >"$tmp/exec" <<-QMP
{"execute":"qmp_capabilities"}
{"execute":"migrate","arguments":{"uri":"exec:id -u >$tmp/work/executed"}}
QMP
# monitor SOURCE WORD...: a monitor without a machine, told to execute a program
monitor() {
	_source=$1; shift
	rm -f "$tmp/work/executed"
	{ cat "$tmp/exec"; wait_for 3 test -s "$tmp/work/executed"; echo '{"execute":"quit"}'; } | qemu=$QEMU ask "$_source" "$@"
}
# migration needs a machine in some releases, and in others not
echo '{"execute":"qmp_capabilities"}{"execute":"quit"}' >"$tmp/quit"
printf '[machine]\n  type = "pc"\n' >"$tmp/machine.cfg"
base="-nodefaults -display none -accel tcg -S"
echo '{"version":1,"user":1000,"group":1000}' >"$tmp/user.json"
# the control: the same calls without a descriptor execute it, as root
# shellcheck disable=SC2086
{ cat "$tmp/exec"; wait_for 10 test -s "$tmp/work/executed"; echo '{"execute":"quit"}'; } |
	QEMU_HANDOFF_QEMU=$QEMU "$dropin" $base -M none -qmp stdio >/dev/null 2>&1
is "control: without a descriptor the monitor executes a program" "$(cat "$tmp/work/executed" 2>&1)" 0
for source in "$tmp/user.json" '{"version":1}' fd:77; do
	# shellcheck disable=SC2086
	monitor "$source" $base -M none -qmp stdio
	read -r rc <"$tmp/rc"
	is "a monitor without a machine executes nothing, $source" "$rc $(cat "$tmp/work/executed" 2>/dev/null)" "0 "
done
# shellcheck disable=SC2086
monitor "$tmp/user.json" $base -M none -readconfig "$tmp/machine.cfg" -qmp stdio
read -r rc <"$tmp/rc"
is "  nor does a machine that a file makes of it" "$rc $(cat "$tmp/work/executed" 2>/dev/null)" "0 "
ask "$tmp/guest.json" -M none -readconfig "$tmp/machine.cfg" </dev/null
has "  which is a launch: its devices are judged" "$rc $(cat "$tmp/err")" "101 " link-missing
# shellcheck disable=SC2086
qemu=$QEMU ask "$tmp/user.json" $base -M none -qmp stdio <"$tmp/quit"
is "what it is asked, it answers" "$rc $(grep -c return "$tmp/out")" "0 2"
for words in --version -help "-device help" "-machine help" "-cpu help" "-device virtio-net-pci,help" "-accel help" "-object help" "-netdev help"; do
	# shellcheck disable=SC2086
	qemu=$QEMU ask "$tmp/user.json" $words </dev/null
	# shellcheck disable=SC2086
	"$QEMU" $words >"$tmp/plain" 2>/dev/null </dev/null
	check "$words: QEMU's own answer" cmp -s "$tmp/out" "$tmp/plain"
done
done_testing
