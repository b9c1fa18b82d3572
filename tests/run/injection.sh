#!/bin/sh
# injection.sh - no value of a descriptor becomes an option, a property or a word of its own
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
for python in python3 /usr/bin/python3; do "$python" -c '' 2>/dev/null && break; python=; done
[ -n "$python" ] || skip_all "needs python3"
qemu=$QEMU
[ -x "$qemu" ] || qemu=-
# The seed is printed, so that a failure can be had again: QH_SEED=N make check TESTS=tests/run/injection.sh
"$python" "$SRCDIR/tests/run/injection.py" "$QH" "$qemu" "${QH_SEED:-20}" >"$tmp/tap" 2>"$tmp/err" || note "$(cat "$tmp/err")"
sed '/^1\.\./d' "$tmp/tap"
tap_n=$(sed -n 's/^1\.\.//p' "$tmp/tap")
[ -n "$tap_n" ] || { tap_n=$(grep -cE '^(ok|not ok)' "$tmp/tap"); not_ok "all random texts were tried"; }

# Links with the oddest names that the kernel takes, in the form in which a name reaches QEMU.
if [ "$(id -u)" != 0 ] || [ "$qemu" = - ]; then
	skip "links with odd names" "needs root and QEMU"
	done_testing; exit 0
fi
new_ns a
# shellcheck disable=SC2016 # names, not expansions
for name in 'a;id' '$(id)' '`id`' "a'b" 'a"b' "a\\" 'a|b&c' '{a}' '*' '~' '!#^' '<a>' '[fd]' 'help' '?' 'on' 'a+b@c' '...' ; do
	new_tap "$name" || { not_ok "a TAP named $name"; continue; }
	json=$(printf '%s' "$name" | sed 's/[\\"]/\\&/g')
	printf '{"version":1,"nics":[{"mode":"tap","ifname":"%s","vhost":false,"handoff":false}]}\n' "$json" >"$tmp/in"
	printf '{"execute":"qmp_capabilities"}\n{"execute":"human-monitor-command","arguments":{"command-line":"info network"}}\n{"execute":"quit"}\n' >>"$tmp/in"
	launch_file "$tmp/in" -accel tcg -machine q35 -m 32 -nodefaults -no-user-config -display none -S -qmp stdio
	case $(cat "$tmp/out") in
	*"type=tap,ifname=$json,script=no,downscript=no"*) is "QEMU opens the TAP named $name" "$rc $(codes error)" "0 " ;;
	*) not_ok "QEMU opens the TAP named $name"; note "$(cat "$tmp/out" "$tmp/err")" ;;
	esac
done
done_testing
