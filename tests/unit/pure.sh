#!/bin/sh
# pure.sh - the pure files import no system call and no process state: their objects are looked at
#
# Allowed are memory, text and numbers of the C library, cJSON, and what other pure files define; and
# what compilers put in by themselves. Everything else is a call that a pure file must not make.
set -u
: "${SRCDIR:?run me through make check}" "${BUILDDIR:?run me through make check}"
export LC_ALL=C

libc='abort bcmp calloc free longjmp malloc memchr memcmp memcpy memmove memset strchr strcmp strcspn strlen strncmp
strnlen strcasecmp strncasecmp strrchr strspn strstr strtol strtoul strtoull vsnprintf snprintf strerrordesc_np strerrorname_np __assert_fail'
compiler='_GLOBAL_OFFSET_TABLE_'
# what src/seccomp knows of its own names and programs; it can load one as well, which is not pure
filter='filter_action_find filter_action_name filter_check filter_group_find filter_group_name filter_set_exec
interp_fault_text'

# The C files in variables of Makefile.am, continuation lines joined.
sources() {
	for _v; do
		awk -v name="$_v" '$1 == name && $2 == "=" { on = 1 } on { print } on && !/\\$/ { on = 0 }' \
			"$SRCDIR/Makefile.am"
	done | tr -s ' \t' '\n' | grep '\.c$'
}

# What fortified calls, sanitizers, gcov and newer C libraries call a function or add of their own.
plain() { sed -e 's/@.*//' -e 's/^__isoc23_//' -e 's/^__\(.*\)_chk$/\1/' -e '/^__stack_chk_fail$/d' \
	-e '/^__\(asan\|ubsan\|lsan\|sanitizer\|gcov\|llvm\)_/d' -e '/^___asan_/d' -e '/^mangle_path$/d'; }

objects=$(sources base_sources desc_sources facts_sources mode_sources plan_sources | sed "s|^\(.*\)c\$|$BUILDDIR/\1o|")
[ -n "$objects" ] || { echo "Bail out! Makefile.am has no pure_sources"; exit 1; }
# shellcheck disable=SC2086 # a list of words
defined=$(nm --defined-only $objects 2>/dev/null | awk 'NF == 3 { print $3 }')
allowed=$(echo "$libc $compiler $filter $defined" | tr '\n' ' ')

n=0
echo "1..$(echo "$objects" | wc -l)"
for object in $objects; do
	n=$((n + 1))
	bad=
	for name in $(nm -u "$object" | awk '{ print $NF }' | plain | sort -u); do
		case $name in cJSON_*) continue ;; esac
		case " $allowed " in *" $name "*) ;; *) bad="$bad $name" ;; esac
	done
	[ -s "$object" ] || bad=" (no such object)"
	if [ -z "$bad" ]; then
		echo "ok $n - ${object#"$BUILDDIR"/}"
	else
		echo "not ok $n - ${object#"$BUILDDIR"/}"
		echo "# imports:$bad"
	fi
done
