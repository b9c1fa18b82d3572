#!/bin/sh
# launch.sh DESCRIPTOR [QEMU-ARGUMENT]... - start a guest as a manager would, and say what it got
#
# The descriptor comes from a file, so standard input stays QEMU's. Needs jq and flock.
set -eu
descriptor=$1; shift
run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT

jq --arg report "$run/report" '.report = $report' "$descriptor" >"$run/descriptor"
"${QEMU_HANDOFF:-qemu-handoff}" --errors=json --descriptor="$run/descriptor" -- "$@" 2>"$run/errors" &
qemu=$!	# the same process, before and after it is QEMU

until [ -e "$run/report" ] || ! kill -0 "$qemu" 2>/dev/null; do sleep 0.1; done
# locked until QEMU is executed; removed if it is not
if [ -e "$run/report" ] && flock -s "$run/report" test -s "$run/report"; then
	jq -r '.nics[] | "\(.id) \(.mode) \(.queues) \(if .vhost then "vhost" else "no vhost" end)"' "$run/report"
fi
status=0
wait "$qemu" || status=$?
case $status in
100|101|111|126|127)
	jq -rR 'fromjson? | select(.level == "error") | "\(.code) at \(.path): \(.message)\(if .hint then " (try: \(.hint))" else "" end)"' "$run/errors" >&2 ;;
esac
exit "$status"
