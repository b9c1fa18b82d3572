#!/bin/sh
# headers.sh - each header of src stands alone: it compiles with nothing but config.h before it, and twice
set -u
: "${SRCDIR:?run me through make check}" "${BUILDDIR:?run me through make check}"
export LC_ALL=C

# alone HEADER DIR: compiled with DIR as the place of our headers
alone() {
	printf '#include "config.h"\n#include "%s"\n#include "%s"\n' "$1" "$1" |
		${CC:-cc} -std=gnu17 -Wall -Wextra -Werror -I"$BUILDDIR" -I"$2" -fsyntax-only -x c - 2>&1
}

headers=$(cd "$SRCDIR/src" && find . -name '*.h' | sed 's|^\./||' | sort)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
echo "1..$(($(echo "$headers" | wc -l) + 1))"
n=0
for header in $headers; do
	n=$((n + 1))
	if out=$(alone "$header" "$SRCDIR/src"); then echo "ok $n - $header"
	else echo "not ok $n - $header does not stand alone"; echo "$out" | sed 's/^/# /'; fi
done
n=$((n + 1))
echo 'size_t breach(void);' >"$tmp/breach.h"
if alone breach.h "$tmp" >/dev/null; then echo "not ok $n - a header that needs another was accepted"
else echo "ok $n - a header that needs another is found out"; fi
