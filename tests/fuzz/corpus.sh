#!/bin/sh
# corpus.sh - what fuzzing ever found, and seeds: each target on each file of its corpus
. "$SRCDIR/tests/lib.sh"

replay() {
	_target=$1; shift
	if _n=$("$BUILDDIR/tests/fuzz/fuzz_$_target" "$@" 2>"$tmp/err"); then
		ok "$_target: $_n files"
	else
		not_ok "$_target"
		note "$(tail -n 20 "$tmp/err")"
	fi
}
for target in link bpf screen cmdline plan; do replay "$target" "$SRCDIR/tests/fuzz/corpus/$target"; done
replay desc "$SRCDIR/tests/fuzz/corpus/desc" "$SRCDIR/tests/corpus/good" "$SRCDIR/tests/corpus/bad" \
	"$SRCDIR/tests/corpus/bad-parser-only"
done_testing
