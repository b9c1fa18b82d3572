#!/bin/sh
# facts.sh - tests/facts is what the QEMU of its version says of itself
#
# A version that tests/facts does not know is skipped: tests/facts/make adds it.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
[ -x "$QEMU" ] || skip_all "needs $QEMU"
made=$(QEMU=$QEMU "$SRCDIR/tests/facts/make" "$tmp") || { not_ok "tests/facts/make runs"; done_testing; exit 1; }
version=$(basename "$made")
known=$SRCDIR/tests/facts/$version
[ -d "$known" ] || skip_all "tests/facts knows no $version"
is "the same files, for $version" "$(ls "$made")" "$(ls "$known")"
for file in "$known"/*; do
	name=$(basename "$file")
	if diff "$file" "$made/$name" >"$tmp/diff" 2>&1; then ok "$name"; else not_ok "$name"; note "$(head -n 20 "$tmp/diff")"; fi
done
# -netdev and -S stand for the two kinds of options: a list of nothing would be the same as another.
has "options that take a word, and options that do not" "$(tr '\n' ';' <"$made/options")" ";S none;" ";netdev arg;"
done_testing
