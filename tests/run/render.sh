#!/bin/sh
# render.sh - the manuals look right where they are read: man (groff) and mandoc, on 80 columns
#
# A manual fails when its formatter warns, when a line is wider than the terminal, or when the row of a
# code in DIAGNOSTICS is not "code  status  meaning". The pages are in the log as text.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
export LC_ALL=C.UTF-8
columns=80

# Plain text on standard output, complaints on standard error. groff's -P-c -P-b -P-u: no colour, bold, underline.
# man-db leaves a margin, so the narrower of its two widths is tried too: a line that cannot be broken shows there.
with_groff80() { groff -mandoc -Tutf8 -P-c -P-b -P-u -P-o -rLL=80n -ww "$1"; }
with_groff78() { groff -mandoc -Tutf8 -P-c -P-b -P-u -P-o -rLL=78n -ww "$1"; }
with_mandoc() { mandoc -Tutf8 -Owidth=$columns "$1" | sed 's/.\x08//g'; }
with_man() { MANWIDTH=$columns MANROFFOPT='' MANPAGER=cat man --warnings=w -l "$1" | sed 's/.\x08//g'; }
wide() { grep -nE ".{$((columns + 1))}" "$1"; }

# rows PAGE TEXT: what of its table of codes does not stand in the text as a row
rows() {
	sed -n 's/^\.It [A-Z][a-z] \([a-z0-9-]*\) Ta \([a-z0-9]*\) Ta$/\1 \2/p' "$1" | while read -r code status; do
		grep -qE "^ +$code +$status +[^ ]" "$2" || echo "$code $status: $(grep -E "^ +[^a-z]?$code\b" "$2" | head -n 1)"
	done
}

# page FORMATTER FILE
page() {
	_name="${2##*/} by $1"
	"with_$1" "$2" >"$tmp/text" 2>"$tmp/warnings"
	is "$_name: no warning" "$(cat "$tmp/warnings")" ""
	is "$_name: no line over $columns columns" "$(wide "$tmp/text")" ""
	is "$_name: every code has its row" "$(rows "$2" "$tmp/text")" ""
	check "$_name: has its text" grep -q '^SEE ALSO' "$tmp/text"
}

# installed NAME: the formatter is there, and is the one that is meant (a minimal system has a man that does nothing)
installed() {
	command -v "$1" >/dev/null || return 1
	printf '.Dd January 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd y\n' >"$tmp/x.1"
	"with_$2" "$tmp/x.1" 2>/dev/null | grep -q '^NAME'
}

for formatter in groff80 groff78 mandoc man; do
	program=${formatter%[0-9][0-9]}
	if ! installed "$program" "$formatter"; then skip "$formatter" "needs $program (packages groff-base, man-db, mandoc)"; continue; fi
	for file in "$SRCDIR"/man/*.[1-9]; do page "$formatter" "$file"; done
	note "$formatter: qemu-handoff(7) as text" "$(cat "$tmp/text")"
done
done_testing
