#!/bin/sh
# input.sh - where a descriptor comes from, and that not one byte behind it is taken
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"

d='{"version":1,"name":"guest"}'
# given NAME TEXT: QEMU was started, and this is all that it finds on its stdin
given() { accepted "$1" "" && is "  and what is left on stdin" "$(sed -n 's/^stdin //p' "$tmp/out")" "$2"; }
# shellcheck disable=SC2002 # a pipe is what is asked for
piped() { cat "$tmp/in" | start "$@"; }
put() { printf '%b' "$1" >"$tmp/in"; }

# --- nothing to read -------------------------------------------------------------------------------
put ''
launch_file "$tmp/in"; refused "an empty file" 100 descriptor-empty
: | start; refused "an empty pipe" 100 descriptor-empty
with="close 0"
start </dev/null; refused "closed stdin" 100 stdin-unusable "it was closed"
with=
start </dev/null; refused "/dev/null" 100 stdin-unusable "it is /dev/null"
start </dev/zero; refused "a device" 100 stdin-unusable
start <"$tmp"; refused "a directory" 100 stdin-unusable
put '\n \t\n'
launch_file "$tmp/in"; refused "blanks" 100 descriptor-empty
if command -v script >/dev/null; then
	printf '#!/bin/sh\nexec "%s" 2>"%s"\n' "$QH" "$tmp/err" >"$tmp/typed" && chmod +x "$tmp/typed"
	QEMU_HANDOFF_ERRORS=json QEMU_HANDOFF_QEMU=$FAKE script -qec "$tmp/typed" /dev/null <"$tmp/in" >"$tmp/out"; echo $? >"$tmp/rc"
	refused "a terminal" 100 stdin-unusable "it is a terminal"
else
	skip "a terminal" "needs script"
fi

# --- a writer that is late --------------------------------------------------------------------------
# seconds COMMAND...: how long it took, in $took
seconds() { _from=$(date +%s%N); "$@"; took=$((($(date +%s%N) - _from) / 100000000)); }
with="silent -"
seconds start --timeout=1
refused "a writer that never writes" 111 descriptor-timeout "within 1 s; 0 bytes arrived"
check "  within its second, not before" [ "$took" -ge 10 -a "$took" -lt 30 ]
put '{"version":1,"name":'
with="halves $tmp/in"
start --timeout=1; refused "a writer that stops in the object" 111 descriptor-timeout "20 bytes arrived"
with="socket $tmp/in"
start --timeout=1; refused "a socket that stops in the object" 111 descriptor-timeout "20 bytes arrived"
with=
mkfifo "$tmp/fifo"
seconds start --timeout=1 --descriptor="$tmp/fifo"
refused "a named pipe that nobody opens" 111 descriptor-timeout
check "  within its second, not before" [ "$took" -ge 10 -a "$took" -lt 30 ]

# --- a writer that takes its time ----------------------------------------------------------------------
qmp='{"execute":"qmp_capabilities"}'
put "$d\n$qmp\n"
with="slowly $tmp/in"
start -- --rest; accepted "byte by byte"
# the newline behind the object belongs to it only if it had come by then
is "  and nothing behind it is lost" "$(sed -n 's/^stdin //p' "$tmp/out" | grep .)" "$qmp"
with="halves $tmp/in"
put "$d"
start --timeout=5; accepted "in two pieces with a pause"
{ printf '{"version":1,'; awk 'BEGIN { for (i = 0; i < 200 * 1024; i++) printf " " }'; printf '"args":["-S"]}\n%s\n' "$qmp"; } >"$tmp/in"
with=
piped -- --rest
given "200 KiB of blanks inside, on a pipe" "$qmp"
{ printf '{"version":1,"args":['; awk 'BEGIN { for (i = 0; i < 4000; i++) printf "\"%045d\",", i }'; printf '"-S"]}%s\n' "$qmp"; } >"$tmp/in"
piped -- --rest
given "4,001 words of 190 KiB, on a pipe" "$qmp"
is "  and all words are QEMU's" "$(grep -c '^arg ' "$tmp/out")" 4005
launch_file "$tmp/in" -- --rest; given "the same on a file" "$qmp"
with="socket $tmp/in"
start -- --line; given "the same on a socket" "$qmp"
with=

# --- exactly one object --------------------------------------------------------------------------------
for rest in "$qmp" "x" '{"version":1}' ' {' '}' "$d"; do
	put "$d\n$rest\n"
	piped -- --rest; given "a pipe, and behind the object '$rest'" "$rest"
	launch_file "$tmp/in" -- --rest; given "a file, and behind the object '$rest'" "$rest"
done
put "$d$qmp\n"
piped -- --rest; given "a pipe, nothing between the two" "$qmp"
put "$d\n\n$qmp\n"
piped -- --rest; given "one newline behind the object is its own, no more" "$(printf '\n%s' "$qmp")"
put "\n  $d\n$qmp\n"
piped -- --rest; given "blanks in front" "$qmp"
put '{"version":1,"name":"a}b\\"}{"}\n'"$qmp\n"
piped -- --rest; given "brackets and quotes inside a string" "$qmp"
put "skipped\n$d\n$qmp\n"
{ read -r _first; start -- --rest; } <"$tmp/in"
given "a file that was read up to the object" "$qmp"

# --- elsewhere -----------------------------------------------------------------------------------------
put "$d\n"; cp "$tmp/in" "$tmp/d.json"
elsewhere() { echo "$qmp" | start --descriptor="$1" -- --rest; }
elsewhere "$tmp/d.json"; given "a file" "$qmp"
put "$d \n\n"; elsewhere "$tmp/in"; given "a file that ends in blanks" "$qmp"
put "$d\n$qmp\n"; elsewhere "$tmp/in"; refused "a file with more behind the object" 100 descriptor-trailing '"line":2,"column":1'
put "$d\0"; elsewhere "$tmp/in"; refused "a file with a NUL behind the object" 100 descriptor-trailing
put "$d}"; elsewhere "$tmp/in"; refused "a file with a bracket too many" 100 descriptor-trailing
elsewhere "$tmp/none"; refused "a file that is not there" 100 descriptor-unreadable '"errno":"ENOENT"' "$tmp/none"
elsewhere "$tmp"; refused "a directory" 100 descriptor-unreadable
elsewhere /dev/null; refused "/dev/null as a file" 100 descriptor-unreadable
put ''; elsewhere "$tmp/in"; refused "an empty file" 100 descriptor-empty
awk 'BEGIN { for (i = 0; i < 257 * 1024; i++) printf " "; print "{\"version\":1}" }' >"$tmp/in"
elsewhere "$tmp/in"; refused "a file of 257 KiB" 100 descriptor-too-large
with="file 7=$tmp/d.json"
elsewhere fd:7; given "fd:7" "$qmp"
# it is open for writing too: QEMU could write what the next launch reads
opened() { grep "^fd $1 " "$tmp/out" | cut -d' ' -f3,4,6; }
is "  which reaches QEMU, for reading only" "$(opened 7)" "r inherit $tmp/d.json"
with=
put "$d\n$qmp\n"; start -- --rest <>"$tmp/in"; given "a file on stdin that is open for writing" "$qmp"
is "  reaches QEMU for reading only" "$(opened 0)" "r inherit $tmp/in"
with="file 7=$tmp/both"; mkfifo "$tmp/both"
( cat "$tmp/d.json" >"$tmp/both" ) & elsewhere fd:7; given "a named pipe that is open for writing" "$qmp"
is "  reaches QEMU for reading only" "$(opened 7)" "r inherit $tmp/both"
with="socket $tmp/in"; put "$d\n"; start; accepted "a socket"
has "  stays as it was" "$(opened 0)" "rw inherit socket:"
with=
elsewhere fd:7; refused "fd:7, which is not open" 100 descriptor-unreadable '"errno":"EBADF"'
( sleep 0.3; cat "$tmp/d.json" ) >"$tmp/fifo" &
elsewhere "$tmp/fifo"; given "a named pipe whose writer is late" "$qmp"
echo "$d" | start --descriptor=fd:0; accepted "fd:0 is stdin"

# --- what QEMU finds on its stdin when the descriptor says so ---------------------------------------------
{ echo '{"version":1,"stdin":"null"}'; echo "$qmp"; } | start -- --rest; given "stdin null" ""
has "  is /dev/null" "$(grep '^fd 0 ' "$tmp/out")" "rw inherit 1:3 /dev/null"
echo '{"version":1,"stdin":"tty"}' | QEMU_HANDOFF_QEMU=$FAKE setsid -w "$QH" --errors=json >"$tmp/out" 2>"$tmp/err"; echo $? >"$tmp/rc"
refused "stdin tty without a terminal" 111 open-failed /dev/tty ENXIO

# --- QMP behind the descriptor reaches the real QEMU --------------------------------------------------------
if [ ! -x "$QEMU" ]; then
	skip "QMP behind the descriptor" "needs $QEMU"
else
	qemu=$QEMU
	qmp() { # NAME: QEMU understood what follows the descriptor, and left when it was told to
		is "$1: QEMU's status" "$(cat "$tmp/rc"; err)" 0
		has "$1: QEMU answered and left" "$(tr -d '\r' <"$tmp/out")" '"name": "guest"' '"reason": "host-qmp-quit"'
	}
	set -- -accel tcg -machine none -nodefaults -display none -S -name guest -qmp stdio
	printf '%s\n%s\n{"execute":"query-name"}\n{"execute":"quit"}\n' "$d" "$qmp" >"$tmp/in"
	piped "$@"; qmp "a pipe"
	launch_file "$tmp/in" "$@"; qmp "a file"
	with="socket $tmp/in"; start "$@"; qmp "a socket"
	with="slowly $tmp/in"; start "$@"; qmp "a pipe, byte by byte"
	with="halves $tmp/in"; start "$@"; qmp "a pipe, in two pieces"
fi
done_testing
