#!/bin/sh
# untouched.sh - a look opens nothing whose type it does not know: a terminal that is named stays as it was
#
# What holds for a terminal holds for any device: an open of /dev/tapN would attach a queue, one of /dev/watchdog arm it.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
for_all
untouched=$BUILDDIR/tests/run/untouched
# shellcheck disable=SC2016 # the inner shell expands it
is "the test would see an open" "$("$untouched" sh -c ': <"$1"' sh @ </dev/null 2>/dev/null)" opened
# look NAME DESCRIPTOR STATUS [ARGUMENT]...: with the terminal's path for each @
look() {
	_name=$1 _desc=$2 _want=$3; shift 3
	printf '%s\n' "$_desc" >"$tmp/desc"
	QEMU_HANDOFF_QEMU=$FAKE QEMU_HANDOFF_ERRORS=json "$untouched" sh -c '"$@"; echo $?' sh "$QH" "$@" <"$tmp/desc" >"$tmp/out" 2>"$tmp/err"
	produced "$tmp/err"
	is "$_name" "$(tail -n 2 "$tmp/out" | tr '\n' ' ')" "$_want untouched "
}
look "a filter" '{"version":1,"seccomp":{"bpf":"@"}}' 101 --check
look "  whose launch is refused, too" '{"version":1,"seccomp":{"bpf":"@"}}' 101
look "QEMU" '{"version":1,"qemu":"@"}' 126 --check
look "a bridge helper" '{"version":1,"nics":[{"mode":"bridge","bridge":"lo","helper":"@"}]}' 101 --check
look "passt" '{"version":1,"nics":[{"mode":"passt","options":{"path":"@"}}]}' 101 --check
look "a switch's socket" '{"version":1,"nics":[{"mode":"vhost-user","options":{"path":"@"}}]}' 100 --check
look "a vDPA device" '{"version":1,"nics":[{"mode":"vhost-vdpa","options":{"path":"@"}}]}' 0 --check
look "a report" '{"version":1,"report":"@"}' 101 --check
look "a cgroup" '{"version":1,"cgroup":"@"}' 101 --check
look "a directory for sockets" '{"version":1,"runtime_dir":"@","nics":[{"mode":"passt","vhost_user":true}]}' 100 --check
look "the descriptor itself" '' 100 --check --descriptor @
done_testing
