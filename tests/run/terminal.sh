#!/bin/sh
# terminal.sh - QEMU on its caller's terminal types nothing into it, and can use it
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
for python in python3 /usr/bin/python3; do "$python" -c '' 2>/dev/null && break; python=; done
[ -n "$python" ] || skip_all "needs python3"
qemu=$QEMU
[ -x "$qemu" ] || qemu=-
for_all
cp "$BUILDDIR/tests/run/typist" "$tmp/bin" && mkdir "$tmp/work" || exit 1
"$python" "$SRCDIR/tests/run/terminal.py" "$QH" "$BUILDDIR/qemu-handoff-seccomp" \
	"$tmp/bin/typist" "$qemu" "$tmp/work" >"$tmp/tap" 2>"$tmp/err" || note "$(cat "$tmp/err")"
cat "$tmp/tap"
grep -q '^1\.\.' "$tmp/tap" && exit
tap_n=$(grep -cE '^(ok|not ok)' "$tmp/tap")
not_ok "all was tried"
done_testing
