#!/bin/sh
# examples.sh - packaging/examples: descriptors are accepted, managers read reports and errors
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"

examples=$SRCDIR/packaging/examples
schema=$SRCDIR/data/qemu-handoff.schema.json

find_python || skip_all "needs python3-jsonschema"
command -v jq >/dev/null || skip_all "needs jq"

# --- descriptors -----------------------------------------------------------------------------------
for file in "$examples"/descriptors/*.json; do
	name=${file##*/}
	is "descriptors/$name: accepted by schema and program" \
		"$("$python" "$SRCDIR/tests/run/schema.py" "$schema" "$file" | cut -d' ' -f1) $(parser "$file")" "pass pass"
	is "descriptors/$name: named after what it shows" "$(jq -r .name "$file").json" "$name"
done
for mode in $(jq -r '."$defs" | keys[] | select(startswith("nic_")) | sub("nic_"; "") | sub("_"; "-")' "$schema"); do
	check "descriptors: one has mode $mode" \
		grep -q "\"mode\": \"$mode\"" "$examples"/descriptors/*.json
done

# --- accounts --------------------------------------------------------------------------------------
# who runs the commands of the units, as "user" of their descriptors would be
for unit in "$examples"/systemd/*.service; do
	# shellcheck disable=SC2016 # the variable is the unit's
	words=$(sed -n 's/^ExecStart=[^ ]* \(.*\)/\1/p' "$unit" | sed 's/%i/web1/g; s/^-- //; s/\$QEMU_ARGS/-S/')
	# shellcheck disable=SC2086 # several words
	echo '{"version":1,"default_nic":true}' | QEMU_HANDOFF_QEMU=/bin/sh "$QH" --plan=json $words >"$tmp/plan" 2>"$tmp/err"
	has "${unit##*/}: QEMU runs as the guest's own account" "$(cat "$tmp/err")" "vm-web1"
	check "${unit##*/}: which it makes" grep -q "^ExecStartPre=.*sysusers.* 'u vm-%i " "$unit"
done
is "no example shares an account between guests" "$(grep -rlE '(user"|User=|runas).*nobody' "$examples")" ""

# --- managers --------------------------------------------------------------------------------------
# In QEMU's place: programs that end at once, with a status of their own.
QEMU_HANDOFF=$QH; export QEMU_HANDOFF
for end in true false; do
	jq --arg qemu "$(readlink -f /bin/$end)" '.qemu = $qemu' "$examples/descriptors/user.json" >"$tmp/$end.json"
done
for manager in launch.py launch.sh; do
	manager() { "$examples/manager/$manager" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; rc=$?; }
	manager "$tmp/true.json" -m 1G
	is "$manager: reads the report" "$rc $(cat "$tmp/out" "$tmp/err")" "0 net0 user 1 no vhost"
	manager "$tmp/true.json" --version
	is "$manager: QEMU's arguments are QEMU's" "$rc $(cat "$tmp/out" "$tmp/err")" "0 net0 user 1 no vhost"
	manager "$tmp/false.json"
	is "$manager: has QEMU's exit status" "$rc $(cat "$tmp/out")" "1 net0 user 1 no vhost"
	jq '.nics = [{"mode":"tap","ifname":"qh-none"}]' "$tmp/true.json" >"$tmp/bad.json"
	manager "$tmp/bad.json"
	has "$manager: reads an error of the host" "$(cat "$tmp/err")" "link-missing at nics[0].ifname: "
	is "$manager: has no warning among the errors" "$(grep -c vhost-off "$tmp/err")" 0
	printf 'no program\n' >"$tmp/noexec"; chmod +x "$tmp/noexec"
	jq --arg q "$tmp/noexec" '.qemu = $q | .seccomp = "none"' "$tmp/true.json" >"$tmp/bad.json"
	manager "$tmp/bad.json"
	is "$manager: knows that QEMU was not executed" "$(cat "$tmp/out")" ""
	has "  and why" "$(cat "$tmp/err")" "qemu-not-executable"
	echo '{"version":1,"nics":[{"mode":"user","queues":4},{"mode":"user","id":"net0"}]}' >"$tmp/bad.json"
	manager "$tmp/bad.json"
	has "$manager: reads the errors" "$rc $(cat "$tmp/out" "$tmp/err")" "duplicate-id at nics[1].id: "
	case $rc in 0|143) not_ok "$manager: ends with a failure" ;; *) ok "$manager: ends with a failure" ;; esac
done
done_testing
