#!/bin/sh
# names.sh - the name by which the program is started cannot take it round the confinement
#
# QEMU is grep, which prints whether a filter is in force: what ran, and how, is seen at once.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
no_terminal
CALLAS=$BUILDDIR/tests/run/callas
QEMU_HANDOFF_QEMU=$(command -v grep)
QEMU_HANDOFF_ERRORS=json
export QEMU_HANDOFF_QEMU QEMU_HANDOFF_ERRORS
mkdir -p "$tmp/links" "$tmp/copies"
plain='{"version":1,"default_nic":true}'

# outcome COMMAND...: "filter N" of what ran, or the status and the error's code
outcome() {
	"$@" >"$tmp/out" 2>"$tmp/err"; _rc=$?
	produced "$tmp/err"
	if grep -q '^Seccomp:' "$tmp/out"; then
		sed -n 's/^Seccomp:[[:space:]]*/filter /p' "$tmp/out"
	else
		echo "$_rc $(codes error)"
	fi
}
# three PROGRAM-AND-NAME...: what comes of it without a descriptor, with one on standard input, and with the variable
three() {
	_in=$(outcome "$@" Seccomp: /proc/self/status </dev/null)
	_stdin=$(echo "$plain" | outcome "$@" Seccomp: /proc/self/status)
	_variable=$(QEMU_HANDOFF_DESCRIPTOR=$plain outcome "$@" Seccomp: /proc/self/status </dev/null)
	echo "$_in, $_stdin, $_variable"
}
qemu="filter 0, filter 0, filter 2"
ours="100 stdin-unusable, filter 2, 100 stdin-unusable"
other="100 name-unknown, 100 name-unknown, 100 name-unknown"

# as NAME WANT: by any name, by a link of that name and by a copy
as() {
	is "called '$1'" "$(three "$CALLAS" "$QH" "$1")" "$2"
	is "called '/no/such/$1'" "$(three "$CALLAS" "$QH" "/no/such/$1")" "$2"
	case $1 in ''|*/*) return ;; esac
	ln -s "$QH" "$tmp/links/$1" && is "a link '$1'" "$(three "$tmp/links/$1")" "$2"
	is "  to which a relative path leads" "$(cd "$tmp" && three "./links/../links//$1")" "$2"
	cp "$QH" "$tmp/copies/$1" && is "a copy '$1'" "$(three "$tmp/copies/$1")" "$2"
	rm -f "$tmp/copies/$1"
}
for name in qemu-system-x86_64 qemu-system-i386 qemu-system-x86_64-spice qemu-kvm kvm qemu-dm \
	vendor-system-x86_64; do as "$name" "$qemu"; done
for name in qemu-handoff qemu-handoff-0.1 qemu-handoff.old qemu-handoff-system-x86_64; do
	as "$name" "$ours"
done
for name in '' x sh -sh qemu qemu-system- -system-x86_64 vendor-system-i386 kvm2 'kvm ' KVM QEMU-KVM \
	qemu-img lt-qemu-handoff ' qemu-handoff' 'qemu-handoff/' '*'; do as "$name" "$other"; done

# There are no words to give to a QEMU either.
outcome "$CALLAS" "$QH" </dev/null >"$tmp/empty"
is "no argv at all" "$(cat "$tmp/empty")" "100 name-unknown"
is "no argv, with the variable" \
	"$(QEMU_HANDOFF_DESCRIPTOR=$plain outcome "$CALLAS" "$QH" </dev/null)" "100 name-unknown"
# a link whose name is ours leads to one whose name is QEMU's: the name called counts
ln -s "$tmp/links/kvm" "$tmp/links/qemu-handoff-link"
is "a link of ours to a link of QEMU's" "$(three "$tmp/links/qemu-handoff-link")" "$ours"
QEMU_HANDOFF_ERRORS=text outcome "$tmp/links/x" </dev/null >/dev/null
has "the message" "$(cat "$tmp/err")" "qemu-handoff: error: " "x" "(try: "
is "  is one line" "$(wc -l <"$tmp/err")" 1
done_testing
