#!/bin/sh
# seccomp-tool.sh - qemu-handoff-seccomp: text to program and back, and every way to be refused
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"

TOOL=$BUILDDIR/qemu-handoff-seccomp
cd "$tmp" || exit 1

# --- there and back ----------------------------------------------------------------------------
for words in "--action errno" "--action log --allow affinity,chroot" \
	"--action kill --allow daemonize,io_uring,runas" "--action trap"; do
	# shellcheck disable=SC2086	# words are options
	"$TOOL" --dump --profile qemu $words >one && "$TOOL" -o two.bpf one && "$TOOL" --dump two.bpf >two
	sed -i 1d one two		# how many instructions
	check "a dump compiles to the same answers: $words" cmp one two
	# shellcheck disable=SC2086
	"$TOOL" -o three.bpf --profile qemu $words && "$TOOL" --dump three.bpf | sed 1d >three
	check "the profile as a file is the profile: $words" cmp one three
done
printf 'include qemu\n' | "$TOOL" - >four.bpf
"$TOOL" --dump four.bpf | sed 1d >four
"$TOOL" --dump --profile qemu | sed 1d >one
check "include qemu is the profile" cmp one four

dump=$("$TOOL" --dump --profile qemu --action kill)
has "the dump names calls and tests" "$dump" "
default kill
allow read
" "
allow clone if arg0 & 0x7e030000 == 0x10000
" "
allow execveat if arg0 == EXEC_FD and arg1 == EXEC_PATH and arg4 == 0x1000
" "
allow prlimit64 if arg2 == 0x0
" "
errno EPERM setrlimit
" "
errno ENOSYS io_uring_setup
kill io_uring_enter
" "
kill ptrace
" "
allow mseal"
printf 'include qemu\ngroup daemonize affinity\nallow socket if arg0 == 1\nerrno 13 socket if arg0 == 2 and arg1 & 15 == 3\nlog 1000\n' |
	"$TOOL" -o five.bpf -
has "lines of one's own replace the profile's" "$("$TOOL" --dump five.bpf)" "
allow socket if arg0 == 0x1
" "errno EACCES socket if arg0 == 0x2 and arg1 & 0xf == 0x3
" "allow clone if arg0 & 0x7e030000 == 0x0
" "allow setpriority
" "
log 1000"

# --- files -----------------------------------------------------------------------------------------
(umask 077; "$TOOL" -o mode.bpf one)
is "mode 0644 whatever the umask" "$(stat -c %a mode.bpf)" 644
ln mode.bpf before.bpf; cp mode.bpf copy.bpf
"$TOOL" -o mode.bpf --profile qemu --action kill
check "the old file is not written into" cmp before.bpf copy.bpf
is "the new one has its place" "$("$TOOL" --dump mode.bpf | grep ^default)" "default kill"
"$TOOL" -o none/x.bpf one 2>err
is "no directory: 111" "$? $(cat err)" "111 qemu-handoff-seccomp: error: none/x.bpf: create: No such file or directory"
"$TOOL" --profile qemu >/dev/full 2>err
is "disk full: 111" "$? $(cat err)" "111 qemu-handoff-seccomp: error: standard output: write: No space left on device"
"$TOOL" -o /dev/null one 2>err
is "a device is not replaced: 100" "$? $(cat err)" "100 qemu-handoff-seccomp: error: /dev/null: not a regular file"
is "nothing left beside" "$(find . -name '*.bpf.*')" ""

# --- policies that are wrong -----------------------------------------------------------------------
# wrong NAME TEXT MESSAGE
wrong() {
	printf '%b' "$2" >wrong.policy
	rm -f wrong.bpf
	"$TOOL" -o wrong.bpf wrong.policy 2>err
	is "$1" "$? $(cat err)" "100 qemu-handoff-seccomp: error: wrong.policy$3"
	[ ! -e wrong.bpf ] || not_ok "$1: a file was written"
}
wrong "unknown line" 'include qemu\nalow read\n' ":2:1: 'alow' begins no line; the nearest is 'allow'"
wrong "unknown call" 'include qemu\nallow\traed\n' ":2:7: 'raed' is no call of x86-64; the nearest is 'read'"
wrong "call of another architecture" 'include qemu\nallow socketcall\n' ":2:7: 'socketcall' is no call of x86-64; the nearest is 'socketpair'"
wrong "number too large" 'include qemu\nallow 1024\n' ":2:7: '1024' is no call of x86-64"
wrong "unknown group" 'include qemu\ngroup io_urin\n' ":2:7: 'io_urin' is no group: io_uring, daemonize, runas, chroot, affinity"
wrong "group without profile" 'group io_uring\nallow execveat\n' ":1:7: a group is part of a profile: 'include qemu' is missing"
wrong "unknown profile" 'include quemu\n' ":1:9: 'quemu' is no profile; there is one: 'qemu'"
wrong "second include" 'include qemu\ninclude qemu\n' ":2:1: a second include"
wrong "second default" 'include qemu\ndefault kill\ndefault kill\n' ":3:1: a second default"
wrong "unknown default" 'include qemu\ndefault deny\n' ":2:9: 'deny' is no answer: allow, errno, log, kill, trap"
wrong "errno out of range" 'include qemu\nerrno 4096 read\n' ":2:7: '4096' is no errno: 1 to 4095, or a name such as ENOSYS or EPERM"
wrong "errno 0" 'include qemu\nerrno 0 read\n' ":2:7: '0' is no errno: 1 to 4095, or a name such as ENOSYS or EPERM"
wrong "no call" 'include qemu\nallow # nothing\n' ":2:7: the name of a call expected"
wrong "no test" 'include qemu\nallow read if\n' ":2:14: arg0 to arg5 expected"
wrong "argument 6" 'include qemu\nallow read if arg6 == 0\n' ":2:15: 'arg6' is no argument: arg0 to arg5"
wrong "other comparison" 'include qemu\nallow read if arg0 < 3\n' ":2:20: unexpected '<'"
wrong "no comparison" 'include qemu\nallow read if arg0 3\n' ":2:20: '==' expected; it is the only comparison"
wrong "65 bits" 'include qemu\nallow read if arg0 == 0x10000000000000000\n' ":2:23: '0x10000000000000000' is no number of 64 bits, decimal or 0x"
wrong "empty mask" 'include qemu\nallow read if arg0 & 0 == 0\n' ":2:15: a mask of 0 tests nothing"
wrong "value outside mask" 'include qemu\nallow read if arg0 & 1 == 2\n' ":2:15: the test can never hold: the value has bits outside the mask"
wrong "argument twice" 'include qemu\nallow read if arg0 == 1 and arg0 == 2\n' ":2:29: arg0 is tested twice; use one mask"
wrong "call twice" 'include qemu\nkill read\nallow read\n' ":3:7: line 2 already answers this call"
wrong "overlapping tests" 'include qemu\nkill read if arg0 == 1\nallow read if arg1 == 1\n' ":3:7: line 2 already answers this call"
wrong "words after the end" 'include qemu now\n' ":1:14: unexpected 'now'"
wrong "control byte" 'include qemu\nallow \001\n' ":2:7: unexpected byte 0x01"
wrong "NUL byte" 'include qemu\nallow read\0\n' ":2:11: unexpected byte 0x00"
wrong "long word" "include qemu\nallow $(printf '%040d' 0)\n" ":2:7: a word of 40 characters, at most 31"
wrong "the exec is blocked" 'allow read\n' ": the program does not allow the launcher to start QEMU: it needs 'allow execveat if arg0 == EXEC_FD and arg1 == EXEC_PATH and arg4 == 0x1000'"
"$TOOL" nowhere 2>err
is "no such policy" "$? $(cat err)" "100 qemu-handoff-seccomp: error: nowhere: open: No such file or directory"
yes 'alow read' | head -n 100 >many
"$TOOL" -o x.bpf many 2>err
is "at most 16 faults are told" "$(grep -c . err)" 16
head -c 300000 /dev/zero | tr '\0' '\n' >big
"$TOOL" -o x.bpf big 2>err
has "a policy has an end" "$(cat err)" "big: more than 262144 bytes"

# --- programs that are wrong -----------------------------------------------------------------------
# bad NAME BYTES MESSAGE
bad() {
	printf '%b' "$2" >bad.bpf
	"$TOOL" --dump bad.bpf >out 2>err
	is "$1" "$? $(cat err)" "100 qemu-handoff-seccomp: error: bad.bpf: $3"
}
bad "empty" '' "the program has no instruction"
bad "half an instruction" '\006\000\000' "3 bytes: a program is 1 to 4096 instructions of 8 bytes"
bad "no return" '\040\000\000\000\000\000\000\000' "the program does not end in a return"
bad "eBPF" '\0267\000\000\000\000\000\000\000' "instruction 0 is not an instruction seccomp accepts"
bad "jump out" '\025\000\000\001\000\000\000\000\006\000\000\000\000\000\000\000' "instruction 0 jumps out of the program"
head -c 40000 /dev/zero >bad.bpf
"$TOOL" --dump bad.bpf 2>err
has "too long" "$(cat err)" "at least 32769 bytes: a program is 1 to 4096 instructions"

# --- usage ---------------------------------------------------------------------------------------------
for words in "" "--dump" "--dump -o x one" "one two" "--allow io_uring one" "--profile qemu one" "--frobnicate"; do
	# shellcheck disable=SC2086
	"$TOOL" $words >out 2>err
	is "usage: '$words'" "$? $(grep -c ^usage: err)" "100 1"
done
"$TOOL" --profile kvm --dump 2>err
is "no such profile" "$? $(cat err)" "100 qemu-handoff-seccomp: error: --profile: 'kvm' is no profile; there is one: 'qemu'"
"$TOOL" --profile qemu --dump --allow io_uring,net 2>err
has "no such group" "$(cat err)" "--allow: 'net' is no group"
"$TOOL" --profile qemu --dump --action deny 2>err
has "no such action" "$(cat err)" "--action: 'deny' is no action: errno, log, kill, trap"
done_testing
[ "$tap_bad" = 0 ]
