#!/bin/sh
# ctl.sh - qemu-handoff-ctl: its table of commands, its help, its errors, and that the manual has every command
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
ctl=$BUILDDIR/qemu-handoff-ctl
# refuses NAME STATUS LINE WORD...
refuses() {
	_name=$1 _status=$2 _line=$3; shift 3
	"$ctl" "$@" >"$tmp/out" 2>"$tmp/err"
	is "$_name" "$? $(cat "$tmp/out" "$tmp/err")" "$_status $_line"
}

is "--version" "$("$ctl" --version)" "qemu-handoff-ctl ${QH_VERSION:-$("$QH" --version | cut -d' ' -f2)}"
refuses "no command" 100 "qemu-handoff-ctl: error: no command is given (try: qemu-handoff-ctl --help)"
refuses "a command that there is not" 100 \
	"qemu-handoff-ctl: error: zzzzzz: there is no such command (try: qemu-handoff-ctl --help)" zzzzzz
refuses "an option that there is not" 100 \
	"qemu-handoff-ctl: error: --zzzzzz: there is no such option (try: qemu-handoff-ctl --help)" --zzzzzz
refuses "--errors with another form" 100 "qemu-handoff-ctl: error: --errors: 'xml' is not text or json" --errors=xml
json='{"level":"error","code":"usage","status":100,"path":null,"nic":null,"object":"zzzzzz","errno":null,'
json=$json'"message":"there is no such command","hint":"qemu-handoff-ctl --help"}'
refuses "--errors=json" 100 "$json" --errors=json zzzzzz
refuses "--errors json" 100 "$json" --errors json zzzzzz
QEMU_HANDOFF_ERRORS=json refuses "QEMU_HANDOFF_ERRORS=json" 100 "$json" zzzzzz

# --- every command: its help, its section of the manual, its name in the completions ----------------------
commands=$("$ctl" --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' | sort)
is "the help has every command of the table" "$commands" \
	"$(sed -n 's/^COMMAND("\([a-z-]*\)".*/\1/p' "$SRCDIR/src/ctl/commands.def" | sort)"
is "the manual has every command, and no other" \
	"$(sed -n '/^\.Sh COMMANDS/,/^\.Sh ENV/s/^\.Ss \([a-z-]*\).*/\1/p' "$SRCDIR/man/qemu-handoff-ctl.1" | sort)" "$commands"
for command in $commands; do
	has "$command --help" "$("$ctl" "$command" --help)" "  $command "
	check "  bash completes it" grep -qw -e "$command" "$SRCDIR/packaging/completion/qemu-handoff-ctl"
	check "  zsh completes it" grep -qw -e "$command" "$SRCDIR/packaging/completion/_qemu-handoff"
	refuses "  an option that it does not have" 100 \
		"qemu-handoff-ctl: error: --zzzzzz: $command has no such option" "$command" --zzzzzz
done
done_testing
