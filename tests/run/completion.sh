#!/bin/sh
# completion.sh - the completions offer every option of --help and no other, and the values that there are
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"

dir=$SRCDIR/packaging/completion
words() { tr ' ' '\n' | grep -v '^$' | sort -u; }
"$QH" --help | grep -oE '^ +--[a-z]+|, --[a-z]+' | tr -d ' ,' | words >"$tmp/qemu-handoff"
{ "$BUILDDIR/qemu-handoff-seccomp" --help | grep -oE -e '--?[a-z]+' | grep -v '^-[a-z]..*\|^-handoff\|^-seccomp'
	printf '%s\n' --help --version --output; } | words >"$tmp/qemu-handoff-seccomp"

printf '%s\n' --errors --help --version >"$tmp/qemu-handoff-ctl"

# --- bash: what it would offer, as it would ask ----------------------------------------------------
bash_completion=/usr/share/bash-completion/bash_completion
# offers WORD...: the words that are offered to complete the last one
offers() {
	bash --norc -c '
		. "$1"; . "$2/$3"; compopt() { :; }; shift 2
		COMP_WORDS=() COMP_LINE="$*"
		# As readline cuts it: = and : are words.
		for w; do while [[ $w == *[=:]* ]]; do
			[[ $w == [=:]* ]] || { COMP_WORDS+=("${w%%[=:]*}"); w=${w:${#COMP_WORDS[-1]}}; }
			COMP_WORDS+=("${w:0:1}"); w=${w:1}
		done; [[ -z $w && $# -gt 1 && ${COMP_WORDS[-1]-} == [=:] ]] || COMP_WORDS+=("$w"); done
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_POINT=${#COMP_LINE} COMP_TYPE=9 COMP_KEY=9
		"$(complete -p "$1" | sed "s/.* -F \([^ ]*\) .*/\1/")" "$1" "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
		printf "%s\n" "${COMPREPLY[@]}"' - "$bash_completion" "$dir" "$@" 2>&1 | words
}
list() { printf '%s\n' "$@" | words; }
if [ -e "$bash_completion" ] && command -v bash >/dev/null; then
	cd "$tmp" || exit 1
	for program in qemu-handoff qemu-handoff-ctl qemu-handoff-seccomp; do
		is "bash: $program's options" "$(offers $program - | sed 's/=$//' | grep -vx -e -- | sort -u)" "$(cat "$tmp/$program")"
	done
	is "bash: forms of --plan" "$(offers qemu-handoff --plan=)" "$(list text json shell)"
	is "bash: --plan=j" "$(offers qemu-handoff --plan=j)" json
	is "bash: --check=" "$(offers qemu-handoff --check=)" host
	is "bash: --errors, its value the next word" "$(offers qemu-handoff --errors '')" "$(list text json)"
	is "bash: an option behind another" "$(offers qemu-handoff --plan=json --err)" "--errors="
	echo >"$tmp/disk.img"
	is "bash: behind the first word of QEMU's, files" "$(offers qemu-handoff --check -hda disk)" disk.img
	is "bash: --descriptor=" "$(offers qemu-handoff --descriptor=di)" disk.img
	is "bash: actions of the filter" "$(offers qemu-handoff-seccomp --action '')" "$(list errno log kill trap)"
	is "bash: groups of the filter" "$(offers qemu-handoff-seccomp --allow runas,c)" runas,chroot
else
	skip "bash: options" "needs bash-completion"
fi

# --- zsh -------------------------------------------------------------------------------------------
zsh_options() { # PROGRAM
	sed -n "/^$1)/,/;;/p" "$dir/_qemu-handoff" | sed 's/([^)]*)//; s/\[.*//' | tr '{},' '\n' |
		grep -oE -e "^[[:space:]]*'?--?[a-z]+" | tr -d " '\t" | grep -vx -e '-[AS]' | words
}
for program in qemu-handoff qemu-handoff-ctl qemu-handoff-seccomp; do
	is "zsh: $program's options" "$(zsh_options $program)" "$(cat "$tmp/$program")"
done
if command -v zsh >/dev/null; then
	check "zsh: the file is zsh" zsh -n "$dir/_qemu-handoff"
else
	skip "zsh: the file is zsh" "needs zsh"
fi
done_testing
