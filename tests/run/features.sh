#!/bin/sh
# features.sh - --version=json says what the program reads: the schema and the manual say the same
# shellcheck disable=SC2016 # names of jq's are in single quotes
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
command -v jq >/dev/null || skip_all "needs jq"
schema=$SRCDIR/data/qemu-handoff.schema.json
"$QH" --version=json >"$tmp/said" 2>"$tmp/err"
is "--version=json: one line" "$? $(wc -l <"$tmp/said") $(cat "$tmp/err")" "0 1 "
is "  the version is that of --version" "$(jq -r '"\(.name) \(.version)"' "$tmp/said")" "$("$QH" --version)"
is "  and of the format, that of the schema" "$(jq .descriptor "$tmp/said")" "$(jq .properties.version.const "$schema")"
# same NAME PATH: the words of that list are the keys of that object of the schema
same() { is "  $1" "$(jq -r ".$1[]" "$tmp/said" | sort)" "$(jq -r "$2 | keys[]" "$schema" | sort)"; }
same keys .properties
same expect_keys '."$defs".expect.properties'
same seccomp_keys '[.. | objects | select(.properties?.profile?)][0].properties'
is "  nic_keys" "$(jq -r '.nic_keys[]' "$tmp/said" | sort)" \
	"$(jq -r '."$defs" | with_entries(select(.key | startswith("nic_"))) | .[].properties | keys[]' "$schema" | sort -u)"
is "  codes are those of the manual" "$(jq -r '.codes[]' "$tmp/said" | sort)" \
	"$(sed -n 's/^\.It Sy \([a-z-]*\) Ta .*/\1/p' "$SRCDIR/man/qemu-handoff.1" | sort)"
for _mode in $(jq -r '.modes[]' "$tmp/said"); do
	check "  mode $_mode is in the manual" grep -qE "^\.It Cm $_mode( |$)" "$SRCDIR/man/qemu-handoff.5"
done
# a key that it names is read, one that it does not name is refused
launch '{"version":1,"vhost":true}' --check; is "a key that is named" "$rc" 0
launch '{"version":1,"vhosts":true}' --check; is "  and one that is not" "$rc" 100
"$QH" --version=xml >"$tmp/out" 2>&1; is "--version=xml: status" $? 100
has "  and why" "$(cat "$tmp/out")" "--version: 'xml' is not 'json'"
done_testing
