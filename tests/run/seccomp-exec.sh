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

ALL=io_uring,daemonize,runas,chroot,affinity
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
