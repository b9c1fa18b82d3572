#!/bin/sh
# schema.sh - the JSON Schema and the parser agree on tests/corpus
#
# good/ passes both and bad/ is refused by both. bad-parser-only/ is what no schema can see: text that is
# not JSON, keys given twice, values that must agree with each other; it is refused by the program alone.
# The program's verdict is about the descriptor: problems of the host (status 101 and above) do not count.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"

corpus=$SRCDIR/tests/corpus
schema=$SRCDIR/data/qemu-handoff.schema.json
find_python || skip_all "needs python3-jsonschema"

"$python" "$SRCDIR/tests/run/schema.py" "$schema" "$corpus"/*/*.json >"$tmp/verdicts" 2>"$tmp/errors" ||
	{ not_ok "the schema is one"; note "$(cat "$tmp/errors")"; done_testing; exit 0; }
ok "the schema is one"

while read -r verdict file; do
	kind=${file%/*} kind=${kind##*/} name=${file##*/} name=$kind/${name%.json}
	parsed=$(parser "$file")
	case $kind,$verdict,$parsed in
	good,pass,pass) ok "$name: accepted by both" ;;
	good,*) not_ok "$name: accepted by both"; note "schema: $verdict, program: $parsed" ;;
	*,pass) not_ok "$name: refused"; note "schema: $verdict, program: $parsed" ;;
	bad,fail,*) ok "$name: refused by both, $parsed" ;;
	bad,*) not_ok "$name: refused by both"; note "schema: $verdict, program: $parsed" ;;
	*,fail,*) not_ok "$name: not for the schema to see"; note "belongs into bad/" ;;
	*) ok "$name: refused, $parsed" ;;
	esac
done <"$tmp/verdicts"

# A descriptor may have 256 KiB, to its closing brace.
padded() { printf '{"version":1%*s}' $(($1 - 13)) ''; }
padded 262144 >"$tmp/largest.json"
padded 262145 >"$tmp/too-large.json"
is "256 KiB are accepted" "$(parser "$tmp/largest.json")" pass
is "256 KiB and a byte are refused" "$(parser "$tmp/too-large.json")" "descriptor-too-large "
done_testing
