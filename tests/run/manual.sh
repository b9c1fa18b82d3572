#!/bin/sh
# manual.sh - manuals, schema and program say the same
#
# Code words and exit statuses, the keys of the descriptor and the modes that have them, and every example.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
find_python || skip_all "needs python3-jsonschema"

man1=$SRCDIR/man/qemu-handoff.1
man5=$SRCDIR/man/qemu-handoff.5
man7=$SRCDIR/man/qemu-handoff.7
readme=$SRCDIR/README.md
schema=$SRCDIR/data/qemu-handoff.schema.json
facts() { "$python" "$SRCDIR/tests/run/manual.py" "$@"; }
# same NAME FILE FILE: ok when both hold the same lines
same() {
	if [ -s "$2" ] && _diff=$(diff "$2" "$3"); then ok "$1"; else not_ok "$1"; note "$_diff"; fi
}

facts codes "$SRCDIR/src/base/diag.def" >"$tmp/codes"
facts codes "$man1" >"$tmp/codes.manual"
same "qemu-handoff(1) has every code word with its status, and no other" "$tmp/codes" "$tmp/codes.manual"

"$BUILDDIR/tests/run/keys" | sort >"$tmp/keys"
MODES=$("$BUILDDIR/tests/run/keys" | sed -n 's/^mode //p')
export MODES
facts keys "$schema" | sort >"$tmp/keys.schema"
facts keys "$man5" | sort >"$tmp/keys.manual"
same "the schema has every mode of the parser, and every key in its modes, and no other" "$tmp/keys" "$tmp/keys.schema"
same "qemu-handoff(5) has every mode of the parser, and every key in its modes, and no other" "$tmp/keys" "$tmp/keys.manual"

facts members "$SRCDIR/src/plan/report.c" >"$tmp/report"
facts members "$man5" >"$tmp/report.manual"
same "qemu-handoff(5) has every member of the report, and no other" "$tmp/report" "$tmp/report.manual"
facts members "$SRCDIR/src/base/diag.c" >"$tmp/diag"
facts members "$man1" >"$tmp/diag.manual"
same "qemu-handoff(1) has every member of an error, and no other" "$tmp/diag" "$tmp/diag.manual"

"$QH" --help | grep -oE '^ +--[a-z]+|, --[a-z]+' | tr -d ' ,' | sort -u >"$tmp/options"
sed -n '/^\.Sh OPTIONS/,/^\.Sh ENV/s/^\.It Fl \(-[a-z]*\).*/-\1/p' "$man1" | sort -u >"$tmp/options.manual"
same "qemu-handoff(1) has every option of --help, and no other" "$tmp/options" "$tmp/options.manual"

mkdir "$tmp/examples"
facts examples "$tmp/examples" "$man1" "$man5" "$man7" "$readme" >"$tmp/counts" 2>"$tmp/errors" ||
	{ not_ok "the examples can be read"; note "$(cat "$tmp/errors")"; }
while read -r file n; do
	check "$file has examples" [ "$n" -gt 0 ]
done <"$tmp/counts"
for example in "$tmp/examples"/*.json; do
	name=${example##*/} name=${name%.json}
	is "$name: accepted by schema and program" \
		"$("$python" "$SRCDIR/tests/run/schema.py" "$schema" "$example" | cut -d' ' -f1) $(parser "$example")" "pass pass"
done

# Whether the manuals that are referred to are installed here is not the point.
if command -v mandoc >/dev/null; then
	for page in "$SRCDIR"/man/*.[1-9]; do
		is "mandoc finds nothing in ${page##*/}" \
			"$(mandoc -Tlint "$page" 2>&1 | grep -v -e 'referenced manual not found' -e 'outdated mandoc.db')" ""
	done
else
	skip "mandoc finds nothing" "needs mandoc"
fi
done_testing
