#!/bin/sh
# seccomp-exec.sh - a hostile program in QEMU's place executes nothing, whatever it tries
#
# Each way is tried without a filter, where it must succeed (else the test could not fail), and
# under the profile `qemu` with every action that confines and with all optional groups.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"

CONFINE=$BUILDDIR/tests/run/confine
HOSTILE=$BUILDDIR/tests/run/hostile
N=4096
export HOSTILE
# shellcheck disable=SC3045	# dash, bash and busybox have -n and -H
ulimit -n "$((N + 128))" 2>/dev/null || skip_all "the hard limit of open files is below $((N + 128))"

# try CONFINE-ARGS...: sets $said and $status
try() { said=$("$CONFINE" "$@" 2>&1) && status=0 || status=$?; }

# confined WAY NAME WANT-STATUS ARGS...: nothing may be executed
confined() {
	_way=$1 _want=$2; shift 2
	try "$@" "$HOSTILE" "$_way" "$N"
	case $said in *executed*) return 1 ;; esac
	case " $_want " in *" $status "*) return 0 ;; esac
	return 1
}

ALL=io_uring,daemonize,runas,chroot,affinity,9p,sockets,postcopy,bpf,keyring,mem_lock
count=0
for way in $("$HOSTILE" --list); do
	try --none "$HOSTILE" "$way" "$N"
	# 0: refused with an errno, 159: SIGSYS. A bad architecture is killed whatever the action.
	refused="0 159"
	if [ "$status" = 77 ]; then
		skip "$way: no filter, executes" "this kernel has no $way calls"
		refused="0 159 77"
	else
		is "$way: no filter, executes" "$status" 42
	fi
	bad=
	confined "$way" "$refused" || bad="$bad errno($status: $said)"
	confined "$way" "$refused" --action kill || bad="$bad kill($status: $said)"
	confined "$way" "$refused" --action trap || bad="$bad trap($status: $said)"
	# a ring is what the group io_uring is for
	case $way in
	io-uring) ;;
	*) confined "$way" "$refused" --allow "$ALL" || bad="$bad all-groups($status: $said)" ;;
	esac
	is "$way: under the filter, refused" "$bad" ""
	count=$((count + 1))
done
check "at least eleven ways" [ "$count" -ge 11 ]

# The verdicts differ as the actions say.
try "$HOSTILE" execve "$N"
has "errno: the call fails with ENOSYS" "$said" "refused at execve: Function not implemented"
try --action kill "$HOSTILE" execve "$N"
is "kill: SIGSYS" "$status" 159
try --action log "$HOSTILE" execve "$N"
is "log: confines nothing" "$status" 42
try --action kill "$HOSTILE" clone3 "$N"
has "clone3: ENOSYS also under kill" "$said" "refused at clone3: Function not implemented"

# What a guest can have a device do: refused under kill, too, and does not end QEMU.
# files NAME GROUP WANT WORD...: the program's output, under kill
files() {
	_name=$1 _group=$2 _want=$3; shift 3
	try --action kill ${_group:+--allow "$_group"} "$@"
	has "$_name" "$status $said" "$_want"
}
mkdir "$tmp/share"; : >"$tmp/share/file"
no="Operation not permitted"
tool() { command -v "$1" || echo /bin/false; }
files "a fifo, with 9p" 9p "0 " "$(tool mkfifo)" "$tmp/share/fifo"
check "it is there" [ -p "$tmp/share/fifo" ]
files "a fifo, without 9p" "" "$no" "$(tool mkfifo)" "$tmp/share/fifo2"
files "a directory, with 9p" 9p "0 " "$(tool mkdir)" "$tmp/share/dir"
# EEXIST, which PulseAudio needs: it goes on with the directory that is there
files "a directory, without 9p" "" "File exists" "$(tool mkdir)" "$tmp/share/dir2"
check "it is not there" [ ! -e "$tmp/share/dir2" ]
files "a symbolic link, with 9p" 9p "0 " "$(tool ln)" -s file "$tmp/share/link"
files "a symbolic link, without 9p" "" "$no" "$(tool ln)" -s file "$tmp/share/link2"
files "a character device, with 9p" 9p "$no" "$(tool mknod)" "$tmp/share/null" c 1 3
check "it is not there" [ ! -e "$tmp/share/null" ]
files "a set-user-id bit, with 9p" 9p "$no" "$(tool chmod)" u+s "$tmp/share/file"
files "a set-group-id bit, with all groups" "$ALL" "$no" "$(tool chmod)" g+s "$tmp/share/file"
files "other bits, without a group" "" "0 " "$(tool chmod)" 1777 "$tmp/share/file"
if command -v perl >/dev/null; then
	# 257 is openat; a file with a set-user-id bit from its birth
	# shellcheck disable=SC2016	# the expressions are perl's
	files "a file made set-user-id" 9p "$no" "$(tool perl)" -e '
		syscall(257, -100, $ARGV[0], 0101, 04755) >= 0 and exit 0; print "$!"; exit 1' "$tmp/share/suid"
	check "it is not there" [ ! -e "$tmp/share/suid" ]
	files "a signal to itself" "" "0 1" "$(tool perl)" -e 'print kill 0, $$'
	files "a signal to a thread of its own" "" "0 0" "$(tool perl)" -e 'print syscall 234, 0 + $$, 0 + $$, 0'
	# shellcheck disable=SC2016
	for way in 'kill 0, getppid' 'kill 0, 0' 'kill 0, -getppid' 'syscall(234, getppid, getppid, 0) == 0' \
		'syscall(200, getppid, 0) == 0' 'syscall(72, 0, 8, getppid) == 0' 'syscall(72, 0, 10, 9) == 0'; do
		try --none "$(tool perl)" -e "print +($way) ? 'sent' : \$!"
		case $way in *-getppid*) ;; *) is "a signal to another process, no filter: $way" "$said" sent ;; esac
		files "a signal to another process: $way" "" "0 $no" "$(tool perl)" -e "print +($way) ? 'sent' : \$!"
	done
	files "a signal to another process, with daemonize" daemonize "0 1" "$(tool perl)" -e 'print kill 0, getppid'
	# 41 is socket: vsock and packet
	files "a vsock socket" "" "not supported by protocol" "$(tool perl)" -e 'syscall(41, 40, 1, 0); print "$!"'
	files "a vsock socket, with sockets" sockets "0 other" "$(tool perl)" -e '
		syscall(41, 99, 1, 0) >= 0 or $! == 97 and print "other"'
else
	skip "a file made set-user-id" "no perl"
fi

# The number is the launch's: the same holds for another one.
for n in 64 1024 4000; do
	try --nofile "$n" "$HOSTILE" dup2 "$n"
	has "dup2 to $n" "$said" "refused at dup2: Bad file descriptor"
done
# Each half of the rule is needed: without the limit the number could be made again, without the
# address of the path the number means nothing (the kernel ignores it for an absolute path).
printf 'include qemu\nallow execveat if arg0 == EXEC_FD and arg4 == 0x1000\n' |
	"$BUILDDIR/qemu-handoff-seccomp" -o "$tmp/anypath.bpf" -
try --bpf "$tmp/anypath.bpf" "$HOSTILE" execveat-path-from-number "$N"
is "a policy that lets the path be anywhere lets it execute" "$status" 42
printf 'include qemu\nallow setrlimit\nallow execveat if arg0 == EXEC_FD and arg4 == 0x1000\n' |
	"$BUILDDIR/qemu-handoff-seccomp" -o "$tmp/open.bpf" -
# shellcheck disable=SC3045
if (ulimit -n 64 && ulimit -Hn 128) 2>/dev/null; then
	try --bpf "$tmp/open.bpf" "$HOSTILE" raise-limit "$N"
	is "one that lets root raise the limit, too, lets the number be made again (so the limit is what protects)" "$status" 42
else
	skip "one that lets root raise the limit, too, lets the number be made again" "needs CAP_SYS_RESOURCE"
fi
try --bpf "$tmp/anypath.bpf" "$HOSTILE" raise-limit "$N"
has "one that does not lets it not" "$said" "refused at dup2"

printf '#!/bin/sh\nexit 42\n' >"$tmp/script"; chmod +x "$tmp/script"
try "$tmp/script"
has "a script in QEMU's place cannot be started" "$said" "No such file or directory"
done_testing
[ "$tap_bad" = 0 ]
