#!/bin/sh
# passthrough.sh - under QEMU's name: without a descriptor QEMU gets exactly what the caller gave, and nothing is
# opened, read or printed; a call that only asks gets the same words and stdin, and is confined
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
record=$BUILDDIR/tests/run/record twice=$BUILDDIR/tests/run/twice
chmod 755 "$tmp"
mkdir "$tmp/bin" "$tmp/work" && chmod 777 "$tmp/work"
dropin=$tmp/bin/qemu-system-x86_64
cp "$QH" "$dropin"
cp "$record" "$tmp/bin/record" && record=$tmp/bin/record	# where other ids can execute it
export RECORD="$tmp/work/record"
cd "$tmp/work" || exit 1

# --- the same with and without ---------------------------------------------------------------------
# same STDIN STATE [WORD...]
same() {
	_name="stdin $1, state $2"
	rm -f record.plain record.dropin
	if said=$("$twice" "$1" "$2" "$record" "$dropin" -S "${3-}" "a b" "" 2>&1); [ $? = 42 ] && cmp -s record.plain record.dropin; then
		if [ -n "$said" ]; then not_ok "$_name: something was printed"; note "$said"; else ok "$_name"; fi
	else
		not_ok "$_name"; note "$said"; note "$(diff record.plain record.dropin 2>&1 | cut -c1-200)"
	fi
}
states="plain manager"
[ "$(id -u)" != 0 ] || states="plain manager nobody"
for state in $states; do
	for kind in null closed closed-all file eof pipe qmp fifo socket socket-qmp listening pty pty-line; do same $kind "$state"; done
done
# Only root may be nicer to itself than whoever started the tests was.
nice=3
[ "$(id -u)" = 0 ] || [ "$(nice)" -le 3 ] || nice=$(nice)
has "the record shows what it is to show (qmp)" "$("$twice" qmp manager "$record" "$dropin" -S 2>&1; cat record.plain)" \
	' { "execute": "qmp_capabilities" }\x0a' "death 9" "nice $nice" "fd 5 on-exec 0 flags 0100001" "lock 1" "limit 7 512 2048" \
	"SigBlk:	8000000000004200" "signal 13 ignored" "Umask:	0002" "pgid self sid self"
big=$(printf '%0100000d' 0)
same null plain "$big"
( QEMU_HANDOFF_ERRORS=json QEMU_HANDOFF_NONSENSE=1 QEMU_HANDOF=kept; export QEMU_HANDOFF_ERRORS QEMU_HANDOFF_NONSENSE QEMU_HANDOF
	"$twice" null plain "$record" "$dropin" -S )
names() { sed -n 's/^env [0-9]* [0-9]* \(.*HANDOF.*\)/\1/p' "record.$1" | sort | tr '\n' ' '; }
is "of the environment only our own variables are taken away" "$(names plain)| $(names dropin)" \
	"QEMU_HANDOF=kept QEMU_HANDOFF_ERRORS=json QEMU_HANDOFF_NONSENSE=1 | QEMU_HANDOF=kept "

# --- which QEMU ---------------------------------------------------------------------------------------
run() { rm -f record; QEMU_HANDOFF_QEMU=$record "$@" >out 2>err </dev/null; echo $? >rc; }
for name in qemu-system-x86_64 qemu-kvm kvm; do
	cp "$dropin" "$tmp/bin/$name" 2>/dev/null
	( PATH=$tmp/bin; run "$name" -S )
	is "found on PATH as $name: argv[0] is what the caller wrote" "$(sed -n 's/^arg 0 [0-9]* //p' record)" "$name"
done
cp "$dropin" "$tmp/bin/qemu-system-nonesuch"
"$tmp/bin/qemu-system-nonesuch" -S >out 2>err; is "no QEMU of that name: 127" "$? $(grep -c nonesuch err) $(wc -l <err)" "127 1 1"
QEMU_HANDOFF_QEMU=/etc/passwd "$dropin" -S >out 2>err; is "a QEMU that is not executable: 126" "$? $(wc -l <err)" "126 1"
QEMU_HANDOFF_QEMU=$dropin "$dropin" -S >out 2>err; has "the drop-in itself as QEMU: 126" "$? $(cat err)" "126 " "qemu-handoff: error: "
printf '#!/bin/sh\necho "script $*"; exit 7\n' >"$tmp/bin/script" && chmod +x "$tmp/bin/script"
out=$(QEMU_HANDOFF_QEMU=$tmp/bin/script "$dropin" -S x 2>&1); is "a script as QEMU, and its exit status" "$? $out" "7 script -S x"

# --- what is done on the way ------------------------------------------------------------------------------
# between FILE: the system calls after the loader's last and before the last exec, less those that look at
# files by name, at ids and at memory
between() {
	awk '/^munmap\(/ { text = ""; next } /^execve\(/ { if (seen++) exit } { text = text $0 "\n" } END { printf "%s", text }' "$1" |
		grep -v -E '^(getres[ug]id|newfstatat|faccessat2|access|brk|getrandom|mmap|execve)\(' | grep -v '^+++'
}
# The runtimes of sanitizers and gcov open files of their own.
trace="strace -o trace"
if grep -q -e __asan_init -e __gcov_exit "$QH" || ! strace -o trace true 2>/dev/null; then trace=; fi
if [ -n "$trace" ]; then
	run strace -o trace "$dropin" -S
	is "passthrough: nothing is opened, read, written or set" "$(between trace)" ""
	check "  (and the trace is one)" grep -q '^execve(.*record' trace
else
	skip "passthrough: nothing is opened, read, written or set" "needs strace; one built with sanitizers opens files of its own"
fi

# --- probes, with the variable set -----------------------------------------------------------------------
# The source cannot be used: a launch refuses it (status 100), a probe never looks at it, as it is a stream.
# opened FILE: what is opened before the last exec, less what a process knows of itself, and QEMU
opened() {
	awk '/^munmap\(/ && !own { text = ""; next } /^getresuid/ { own = 1 } /^execveat\(/ { exit }
		/^open/ { text = text $0 "\n" } END { printf "%s", text }' "$1" | grep -v -e '"/proc/self/' -e '"/etc/qemu/qemu.conf", [A-Z_|]*O_PATH' -e "\"$record\""
}
printf '{"version":0}\n{"execute":"quit"}\n' >source
probed() { # WORDS: is it passed on, with the source untouched and nothing opened?
	[ "$(cat rc)" = 42 ] || { note "status $(cat rc): $(cat err)"; return 1; }
	is_words=$(sed -n 's/^arg [1-9][0-9]* [0-9]* //p' record | tr '\n' ' ')
	[ "$is_words" = "$1 " ] || { note "words: $is_words"; return 1; }
	grep -q '^fd 0 .* offset 0 ' record || { note "$(grep '^fd 0' record)"; return 1; }
	! grep -q QEMU_HANDOFF record || return 1
	[ ! -s err ] || { note "$(cat err)"; return 1; }
	[ "$(grep -c -e 'NoNewPrivs:.1' -e 'Seccomp:.2' -e 'Cap[IPEBA].*:.0*$' record)" = 7 ] || { note "$(grep status record)"; return 1; }
	[ -z "$trace" ] || { grep -q '^execveat' trace && [ -z "$(opened trace)" ]; } || { note "$(opened trace)"; return 1; }
}
refused() {
	if [ "$(cat rc)" = 100 ] && [ ! -e record ] && [ "$(wc -l <err)" = 1 ]; then return 0; fi
	note "status $(cat rc): $(cat err)"
	return 1
}
tab=$(printf '\t')
set -f
while IFS=$tab read -r kind words; do
	rm -f record
	# shellcheck disable=SC2086 # words of a command line
	case $kind in
	'#'*|'') ;;
	print|usage|none|later)
		QEMU_HANDOFF_QEMU=$record QEMU_HANDOFF_DESCRIPTOR=- $trace "$dropin" $words <source >out 2>err; echo $? >rc
		check "a probe: $words" probed "$words" ;;
	*)	QEMU_HANDOFF_QEMU=$record QEMU_HANDOFF_DESCRIPTOR=- "$dropin" $words <source >out 2>err; echo $? >rc
		check "a launch: $words" refused ;;
	esac
done <"$SRCDIR/tests/run/probes"
set +f
QEMU_HANDOFF_DESCRIPTOR=fd:77 run "$dropin" --version
is "a probe with a stream that is not there" "$(cat rc) $(cat err)" "42 "
for source in fd:77 /nonesuch '{' '' x; do
	export QEMU_HANDOFF_DESCRIPTOR="$source"
	[ "$source" = fd:77 ] || { run "$dropin" --version; check "a probe with the source '$source' is refused like a launch" refused; }
	run "$dropin" -S; check "  and a launch: one line, nothing is started" refused
done
unset QEMU_HANDOFF_DESCRIPTOR

# --- a failure that a manager is to see --------------------------------------------------------------------
# libvirt connects to the monitor's socket, which it made itself, and shows our line when that breaks off.
if command -v python3 >/dev/null; then
	cat >late.py <<-'PY'
	import os, socket, subprocess, sys, time
	monitor = socket.socket(socket.AF_UNIX); monitor.bind("late"); monitor.listen(1)
	words = ["-S", "-chardev", "socket,id=charmonitor,fd=%d,server=on,wait=off" % monitor.fileno()]
	child = subprocess.Popen([sys.argv[1]] + words, pass_fds=[monitor.fileno()], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
	monitor.close()
	time.sleep(0.1)	# it waits for 1 s at most
	client = socket.socket(socket.AF_UNIX)
	try: client.connect("late"); print("connected", end=" ")
	except OSError as e: print(e, end=" ")
	began = time.time(); child.wait()
	print(child.returncode, "at once" if time.time() - began < 0.7 else "late", child.stderr.read().decode().count("qemu-handoff: error: "))
	PY
	is "it waits for a manager that has not connected yet" "$(QEMU_HANDOFF_DESCRIPTOR='{' python3 late.py "$dropin" 2>&1)" "connected 100 at once 1"
else
	skip "it waits for a manager that has not connected yet" "needs python3"
fi

# --- a real QEMU ------------------------------------------------------------------------------------------
if [ -x "$QEMU" ]; then
	is "--version is QEMU's own" "$(QEMU_HANDOFF_QEMU=$QEMU "$dropin" --version)" "$("$QEMU" --version)"
	qmp='{"execute":"qmp_capabilities"}{"execute":"query-status"}{"execute":"quit"}'
	{ printf '{"version":1,"qemu":"%s"}\n%s\n' "$QEMU" "$qmp"; sleep 5; } |
		QEMU_HANDOFF_DESCRIPTOR=- "$dropin" -nodefaults -display none -accel tcg -S -qmp stdio >out 2>err
	has "descriptor and QMP on one stdin: QEMU answers, confined" "$(cat out err)" '"status": "prelaunch"' '"SHUTDOWN"'
else
	skip "--version is QEMU's own" "needs $QEMU"
fi
done_testing
