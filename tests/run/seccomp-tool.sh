#!/bin/sh
# seccomp-tool.sh - qemu-handoff-seccomp: text to program and back, and every way to be refused
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"

TOOL=$BUILDDIR/qemu-handoff-seccomp
GROUPS_ALL='io_uring, daemonize, runas, chroot, affinity, 9p, sockets, postcopy, bpf, keyring, mem_lock'
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
allow execveat if arg0:64 == EXEC_FD and arg1 == EXEC_PATH and arg4:64 == 0x1000
" "
allow prlimit64 if arg2 == 0x0
" "
else errno EPERM prlimit64
" "
else errno EINVAL prctl
" "
errno ENOSYS shmget
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

# --- else, and widths ------------------------------------------------------------------------------
# answers NAME POLICY LINES: compiled without a word, the dump has these lines for ioctl, connect, ...;
# what the dump says compiles to the same
answers() {
	printf '%b' "$2" | "$TOOL" -o answers.bpf - 2>err
	is "$1: status and messages" "$? $(cat err)" "0 "
	"$TOOL" --dump answers.bpf >dump 2>&1
	is "$1" "$(grep -E '^(# )?(else )?[a-z]+ ([A-Z0-9]+ )?(ioctl|connect|mmap|1000)( if |$)' dump)" "$3"
	"$TOOL" -o again.bpf dump && "$TOOL" --dump again.bpf >again
	check "$1: and back" cmp dump again
}
answers "deny one ioctl, allow the rest" 'include qemu\nerrno EPERM ioctl if arg1 == 0x5412\nelse allow ioctl\n' \
"allow mmap
errno EPERM ioctl if arg1 == 0x5412
else allow ioctl
allow connect"
answers "allow one, deny the rest" 'include qemu\nelse kill ioctl\nallow ioctl if arg1 == 0x5401\n' \
"allow mmap
allow ioctl if arg1 == 0x5401
else kill ioctl
allow connect"
answers "two calls, three answers" 'include qemu
errno EPERM ioctl if arg1 == 0x5412
errno EACCES ioctl if arg1 == 0x541c and arg0 == 0
allow connect if arg0 == 1
errno 97 connect if arg0 == 2 and arg2 & 0xf == 3
else allow ioctl
else trap connect
log 1000 if arg0:32 == 5
else allow 1000
' \
"allow mmap
errno EPERM ioctl if arg1 == 0x5412
errno EACCES ioctl if arg0 == 0x0 and arg1 == 0x541c
else allow ioctl
errno 97 connect if arg0 == 0x2 and arg2 & 0xf == 0x3
allow connect if arg0 == 0x1
else trap connect
log 1000 if arg0:32 == 0x5
else allow 1000"
answers "a default that allows" 'default allow\nerrno EPERM ioctl if arg1 == 0x5412\n' \
"allow mmap
errno EPERM ioctl if arg1 == 0x5412
allow connect"

# What the program says, and what it does: a process that loads it makes the calls.
# live NAME POLICY ANSWERS: to the requests 0x5412, 0x100005412, 0x5413, 0x100005413 of ioctl on /dev/null
live() {
	printf '%b' "$2" | "$TOOL" -o live.bpf -
	command -v perl >/dev/null || { skip "$1" "no perl"; return; }
	is "$1" "$(perl -e '
		use strict;
		my $prog = do { local $/; open my $f, "<:raw", $ARGV[0] or die; <$f> };
		my $fprog = pack "S x6 P", length($prog) / 8, $prog;
		$! = 0; syscall(157, 38, 1, 0, 0, 0) == 0 or die "prctl: $!";
		syscall(317, 1, 0, $fprog) == 0 or die "seccomp: $!";
		for my $request (0x5412, 0x100005412, 0x5413, 0x100005413) {
			$! = 0; syscall(16, 0, $request, 0); print $! + 0, "\n";
		}' live.bpf </dev/null 2>&1 | tr '\n' ' ')" "$3"
}
live "the kernel agrees: upper bits change nothing, else" \
	'include qemu\nerrno 18 ioctl if arg1 == 0x5412\nelse errno EBUSY ioctl\n' "18 18 16 16 "
# 25 is ENOTTY, which comes from the file
live "the kernel agrees: upper bits change nothing, default allow" \
	'default allow\nerrno 18 ioctl if arg1 == 0x5412\n' "18 18 25 25 "

# warns NAME POLICY MESSAGE: compiled with one warning
warns() {
	printf '%b' "$2" >warns.policy
	"$TOOL" -o warns.bpf warns.policy 2>err
	is "$1" "$? $(cat err)" "0 ${3:+qemu-handoff-seccomp: warning: warns.policy$3}"
}
wide="ioctl uses only 32 bits of arg1: 0x100005412 means 0x5412 to it and is allowed (try: arg1 without a width)"
warns "a denial by 64 bits of 32, with else" 'include qemu\nerrno EPERM ioctl if arg1:64 == 0x5412\nelse allow ioctl\n' ":2:13: $wide"
warns "a denial by 64 bits of 32, with default allow" 'default allow\nkill ioctl if arg1:64 == 0x5412\n' ":2:6: $wide"
warns "a denial by 64 bits of 32, where the rest is logged" 'include qemu\nkill ioctl if arg1:64 == 0x5412\nelse log ioctl\n' ":2:6: $wide"
warns "any test of 64 bits of 32, with default allow" 'default allow\nlog ioctl if arg1:64 == 0x5412\n' ":2:5: $wide"
warns "a mask with a bit of the upper half" 'include qemu\nkill ioctl if arg1:64 & 0x100005412 == 0x5412\nelse allow ioctl\n' ":2:6: $wide"
warns "32 bits of a mode's 16" 'include qemu\nkill chmod if arg1:32 == 2541\nelse allow chmod\n' \
	":2:6: chmod uses only 16 bits of arg1: 0x109ed means 0x9ed to it and is allowed (try: arg1 without a width)"
warns "32 bits of a pointer, allowed" 'include qemu\nallow prlimit64 if arg2:32 == 0\n' \
	":2:7: prlimit64 uses 64 bits of arg2; the test ignores the upper ones (try: arg2 without a width)"
warns "no warning: the rest is denied too" 'include qemu\nkill ioctl if arg1:64 == 0x5412\n' ""
warns "no warning: an allowed test that is too strict" 'include qemu\nallow ioctl if arg1:64 == 0x5412\n' ""
warns "no warning: a mask within the width" 'include qemu\nallow prlimit64 if arg2 & 0xffffffff == 0\n' ""

# The table of widths against the kernel that runs this, by the types that it shows for tracing.
widths() {
	unshare -m sh -c 'mount -t tracefs none /mnt && cd /mnt/events/syscalls && cat sys_enter_*/format' 2>/dev/null |
		awk '/^name:/ { if (n) print n, w; n = substr($2, 11); w = ""; started = 0 }
			/__syscall_nr/ { started = 1; next }
			started && /field:/ && /size:8;/ && !/field:(char|unsigned char) __data_loc/ {
				t = $0; sub(/^.*field:/, "", t); sub(/;.*/, "", t); a = t; sub(/.*[ *]/, "", a)
				if (a ~ /^__/) next; sub(/[^ *]*$/, "", t)
				long = t ~ /[*]|size_t|long|loff_t|off_t|__u64|aio_context_t|cap_user/
				w = w (t ~ /umode_t/ ? "h" : long ? "l" : "i") }
			END { print n, w }'
}
widths >kernel
if [ "$(grep -c . kernel)" -gt 300 ]; then
	tr ')' '\n' <"$SRCDIR/src/seccomp/calls.def" | sed -n 's/^ *CALL([0-9]*, \([a-z0-9_]*\), "\([hil]*\)"/\1 \2/p' | sort >table
	# names of functions, where the call has another; arguments that are stored in an int, see calls.def
	sed 's/^newstat /stat /; s/^newlstat /lstat /; s/^newfstat /fstat /; s/^newuname /uname /; s/^sendfile64 /sendfile /
		s/^umount /umount2 /; s/^mmap llllll/mmap llllil/; s/^ptrace ll/ptrace li/; s/^clone l/clone i/
		s/^\(p*readv2*\|p*writev2*\) l/\1 i/' kernel | sort >kernel.sorted
	is "widths are those of this kernel" "$(join kernel.sorted table | awk '$2 != $3 && NF == 3')" ""
	check "and most calls were compared" [ "$(join kernel.sorted table | grep -c .)" -gt 300 ]
else
	skip "widths are those of this kernel" "no tracefs with system calls"
fi

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
for target in one.bpf nowhere /dev/stdout; do
	ln -sfn $target link.bpf
	"$TOOL" -o link.bpf one >out 2>err
	is "a symbolic link to $target is not replaced: 100" "$? $(cat err) $(readlink link.bpf)" \
		"100 qemu-handoff-seccomp: error: link.bpf: a symbolic link $target"
done
rm link.bpf
prlimit --fsize=0 "$TOOL" -o limited.bpf --profile qemu 2>&1 | cat >err
has "no file may be written: what it says" "$(cat err)" "limited.bpf: write: File too large"
is "nothing left beside" "$(find . -name '*.bpf.*' -o -name 'limited*')" ""

# --- policies that are wrong -----------------------------------------------------------------------
# wrong NAME TEXT MESSAGE
wrong() {
	printf '%b' "$2" >wrong.policy
	rm -f wrong.bpf
	"$TOOL" -o wrong.bpf wrong.policy 2>err
	is "$1" "$? $(cat err)" "100 qemu-handoff-seccomp: error: wrong.policy$3"
	[ ! -e wrong.bpf ] || not_ok "$1: a file was written"
}
wrong "unknown line" 'include qemu\nalow read\n' ":2:1: unknown keyword 'alow' (try: allow)"
wrong "a line that is nothing like one" 'include qemu\nx\n' ":2:1: unknown keyword 'x' (try: allow, errno, log, kill, trap, else, default, include or group)"
wrong "unknown call" 'include qemu\nallow\traed\n' ":2:7: unknown system call 'raed' (try: read)"
wrong "call of another architecture" 'include qemu\nallow socketcall\n' ":2:7: unknown system call 'socketcall' (try: socketpair)"
wrong "number too large" 'include qemu\nallow 1024\n' ":2:7: unknown system call '1024'"
wrong "unknown group" 'include qemu\ngroup io_urin\n' ":2:7: unknown group 'io_urin' (try: $GROUPS_ALL)"
wrong "group without profile" 'group io_uring\nallow execveat\n' ":1:7: 'group' without a profile (try: include qemu)"
wrong "unknown profile" 'include quemu\n' ":1:9: unknown profile 'quemu' (try: qemu)"
wrong "second include" 'include qemu\ninclude qemu\n' ":2:1: 'include' is given twice"
wrong "second default" 'include qemu\ndefault kill\ndefault kill\n' ":3:1: 'default' is given twice"
wrong "unknown default" 'include qemu\ndefault deny\n' ":2:9: unknown answer 'deny' (try: allow, errno, log, kill or trap)"
wrong "errno out of range" 'include qemu\nerrno 4096 read\n' ":2:7: unknown errno '4096' (try: EPERM, ENOSYS, or a number from 1 to 4095)"
wrong "errno 0" 'include qemu\nerrno 0 read\n' ":2:7: unknown errno '0' (try: EPERM, ENOSYS, or a number from 1 to 4095)"
wrong "no call" 'include qemu\nallow # nothing\n' ":2:7: expected a system call"
wrong "no test" 'include qemu\nallow read if\n' ":2:14: expected an argument"
wrong "argument 6" 'include qemu\nallow read if arg6 == 0\n' ":2:15: unknown argument 'arg6' (try: arg0 to arg5)"
wrong "other comparison" 'include qemu\nallow read if arg0 < 3\n' ":2:20: unexpected '<'"
wrong "no comparison" 'include qemu\nallow read if arg0 3\n' ":2:20: expected '=='"
wrong "65 bits" 'include qemu\nallow read if arg0 == 0x10000000000000000\n' ":2:23: '0x10000000000000000' is not a number of up to 64 bits"
wrong "empty mask" 'include qemu\nallow read if arg0 & 0 == 0\n' ":2:15: a mask of 0 tests nothing"
wrong "value outside mask" 'include qemu\nallow read if arg0 & 1 == 2\n' ":2:15: this is never true: the value has bits that the mask does not have"
wrong "argument twice" 'include qemu\nallow read if arg0 == 1 and arg0 == 2\n' ":2:29: arg0 is tested twice (try: one test with a mask)"
wrong "call twice" 'include qemu\nkill read\nallow read\n' ":3:7: line 2 already answers this call"
wrong "overlapping tests" 'include qemu\nkill read if arg0 == 1\nallow read if arg1 == 1\n' ":3:7: line 2 already answers this call"
wrong "words after the end" 'include qemu now\n' ":1:14: unexpected 'now'"
wrong "control byte" 'include qemu\nallow \001\n' ":2:7: unexpected byte 0x01"
wrong "NUL byte" 'include qemu\nallow read\0\n' ":2:11: unexpected byte 0x00"
wrong "long word" "include qemu\nallow $(printf '%040d' 0)\n" ":2:7: a word has 40 characters; the limit is 31"
wrong "the exec is blocked" 'allow read\n' ": the program does not allow the launcher to start QEMU (try: allow execveat if arg0 == EXEC_FD and arg1 == EXEC_PATH and arg4 == 0x1000)"
wrong "an else without a test" 'include qemu\nelse allow ioctl\n' ":2:12: 'else' for ioctl, but no line tests its arguments"
wrong "an else with a test" 'include qemu\nelse allow ioctl if arg1 == 1\n' ":2:18: unexpected 'if'"
wrong "an else without an answer" 'include qemu\nelse\n' ":2:5: expected an answer"
wrong "an else of another kind" 'include qemu\nelse permit ioctl\n' ":2:6: unknown answer 'permit' (try: allow, errno, log, kill or trap)"
wrong "two elses" 'include qemu\nkill ioctl if arg1 == 1\nelse allow ioctl\nelse log ioctl\n' ":4:10: line 3 already answers this call"
wrong "an else and all of the call" 'include qemu\nkill ioctl\nelse allow ioctl\n' ":3:12: line 2 already answers this call"
wrong "an argument that the call does not have" 'include qemu\nkill read if arg3 == 1\n' ":2:14: the last argument of read is arg2"
wrong "a call without arguments" 'include qemu\nkill getpid if arg0 == 1\n' ":2:16: getpid has no arguments"
wrong "33 bits of 32" 'include qemu\nkill ioctl if arg1 == 0x100005412\n' ":2:15: the value has more bits than the 32 of arg1 of ioctl"
wrong "a mask of 33 bits of 32" 'include qemu\nkill ioctl if arg1 & 0x100000000 == 0\n' ":2:15: the mask has more bits than the 32 of arg1 of ioctl"
wrong "17 bits of a mode" 'include qemu\nkill chmod if arg1 == 0x10000\n' ":2:15: the value has more bits than the 16 of arg1 of chmod"
wrong "a width of no kind" 'include qemu\nkill ioctl if arg1:8 == 1\n' ":2:15: unknown width ':8' (try: arg1:32 or arg1:64)"
wrong "a call of unknown width" 'include qemu\nkill 1000 if arg1 == 1\n' ":2:14: the width of the arguments of call 1000 is not known (try: arg1:32 or arg1:64)"
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
bad "half an instruction" '\006\000\000' "3 bytes, but a program has 1 to 4096 instructions of 8 bytes"
bad "no return" '\040\000\000\000\000\000\000\000' "the program does not end in a return"
bad "eBPF" '\0267\000\000\000\000\000\000\000' "instruction 0 is not an instruction seccomp accepts"
bad "jump out" '\025\000\000\001\000\000\000\000\006\000\000\000\000\000\000\000' "instruction 0 jumps out of the program"
head -c 40000 /dev/zero >bad.bpf
"$TOOL" --dump bad.bpf 2>err
has "too long" "$(cat err)" "at least 32769 bytes, but a program has 1 to 4096 instructions"

# --- usage ---------------------------------------------------------------------------------------------
for words in "" "--dump" "--dump -o x one" "one two" "--allow io_uring one" "--profile qemu one" "--frobnicate"; do
	# shellcheck disable=SC2086
	"$TOOL" $words >out 2>err
	is "usage: '$words'" "$? $(grep -c ^usage: err)" "100 1"
done
"$TOOL" --profile kvm --dump 2>err
is "no such profile" "$? $(cat err)" "100 qemu-handoff-seccomp: error: --profile: unknown profile 'kvm' (try: qemu)"
"$TOOL" --profile qemu --dump --allow io_uring,net 2>err
has "no such group" "$(cat err)" "--allow: unknown group 'net' (try: $GROUPS_ALL)"
"$TOOL" --profile qemu --dump --action deny 2>err
has "no such action" "$(cat err)" "--action: unknown action 'deny' (try: errno, log, kill or trap)"
done_testing
[ "$tap_bad" = 0 ]
