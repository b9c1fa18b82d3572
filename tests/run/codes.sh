#!/bin/sh
# codes.sh - every code word of the manual is produced by a test
#
# The build runs this test behind all others. Each of them has left the words that the program printed
# (produced() in tests/lib.sh); words that a unit test compares with count, too, if it has passed. What
# only a host with more than this one has can produce is in a list below, and so are words that cannot
# be brought about from outside: a word there that is seen all the same is an error, so the list is true.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
need_root
! grep -q libasan "$QH" || skip_all "a program with sanitizers cannot be denied memory"
for run in "$BUILDDIR"/tests/run/*.trs; do
	# One that says it needs something would have produced more.
	! grep -qE '^1\.\.0 # SKIP' "${run%.trs}.log" || skip_all "$(basename "$run" .trs) was skipped: $(sed -n 's/^1\.\.0 # SKIP *//p' "${run%.trs}.log")"
done

sed -n 's/^DIAG(.*"\([^"]*\)").*/\1/p' "$SRCDIR/src/base/diag.def" | sort >"$tmp/all"
sort -u "$BUILDDIR"/tests/run/*.codes >"$tmp/ran"
for unit in "$SRCDIR"/tests/unit/test_*.c; do
	trs=$BUILDDIR/tests/unit/$(basename "$unit" .c).trs
	if grep -q '^:test-result: PASS' "$trs" && ! grep -qE '^:test-result: (FAIL|ERROR)' "$trs"; then
		grep -oE '"[a-z0-9-]+( |")' "$unit" | tr -d '" '
	fi
done | sort -u | comm -12 "$tmp/all" - >"$tmp/compared"

excused() {
	cat <<-'END'
	END
}
while read -r code; do
	by=$(grep -lx -e "$code" "$BUILDDIR"/tests/run/*.codes | sed 's/.*\///; s/\.codes//' | tr '\n' ' ')
	grep -qx -e "$code" "$tmp/compared" && by="$by(unit tests)"
	why=$(excused | sed -n "s/^$code: //p")
	case ${by:+seen},${why:+excused} in
	seen,) ok "$code: by $by" ;;
	,excused) skip "$code" "$why" ;;
	seen,excused) not_ok "$code: is in the list of those that no test produces, and $by does" ;;
	*) not_ok "$code: produced by a test" ;;
	esac
done <"$tmp/all"
is "the list has no other words" "$(excused | sed 's/:.*//' | sort | comm -23 - "$tmp/all")" ""
done_testing
