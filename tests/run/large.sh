#!/bin/sh
# large.sh - a long command line and a large descriptor cost no more than their length
#
# 64 NICs, and about as many words as the kernel gives a program. Memory is bounded by a limit on the
# address space. Time is counted in instructions: four times the input may cost five times as many.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
! grep -q libasan "$QH" || skip_all "a program with sanitizers needs terabytes of address space"
KIB=65536	# the address space: 32 MiB of data, and what the libraries map

nics() {
	_i=0 _nics=
	while [ $_i -lt 64 ]; do _nics="$_nics${_nics:+,}{\"mode\":\"user\",\"id\":\"n$_i\"}"; _i=$((_i + 1)); done
	echo "{\"version\":1,\"seccomp\":\"qemu\",\"nics\":[$_nics]}"
}
nics >"$tmp/desc"
cp /bin/true "$tmp/qemu"
export QEMU_HANDOFF_QEMU="$tmp/qemu"

# words KIND COUNT: COUNT options, one a line; an option and its value take a line each
words() {
	case $1 in
	netdevs)	awk -v n="$2" 'BEGIN { for (i = 0; i < n; i++)
				printf "-netdev\nuser,id=x%d,hostfwd=tcp::%d-:22,net=10.0.2.0/24\n", i, i }' ;;
	devices)	awk -v n="$2" 'BEGIN { for (i = 0; i < n; i++)
				printf "-device\nvirtio-net-pci,netdev=x%d,id=d%d\n", i, i }' ;;
	keys)		awk -v n="$2" 'BEGIN { for (i = 0; i < n; i++) { printf "%s", i % 30000 ? "" : \
				(i ? "\n" : "") "-netdev\nuser,id=x" i; printf ",a=b" } print "" }' ;;
	json)		awk -v n="$2" 'BEGIN { for (i = 0; i < n; i++) { printf "%s\"k%d\":%d", i % 8000 ? "," : \
				(i ? "}\n" : "") "-netdev\n{", i, i } print "}" }' ;;
	esac
}
# check_words [COMMAND...]: judges the words in $tmp/words; an array of positional words keeps each whole
check_words() { tr '\n' '\0' <"$tmp/words" | xargs -0 -n 1000000 -s 2000000 "$@" "$QH" --check --descriptor="$tmp/desc" --; }
# instructions COMMAND...: how many are executed inside main()
instructions() {
	"$@" 2>&1 >/dev/null | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
count() { instructions check_words valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=main; }

# linear NAME SMALL LARGE: LARGE is what four times the input of SMALL costs
linear() {
	note "$1: $2 instructions, with four times as much $3"
	check "$1: four times as much costs at most five times" [ "$3" -le $((5 * ${2:-0})) ]
}

command -v prlimit >/dev/null || skip_all "no prlimit"
for kind in netdevs:16000 devices:16000 keys:300000 json:100000; do
	words "${kind%:*}" "${kind#*:}" >"$tmp/words"
	err=$(check_words prlimit --as=$((KIB * 1024)) 2>&1) && status=0 || status=$?
	is "${kind%:*}: ${kind#*:} in 64 MiB of address space" "$status $(echo "$err" | grep error)" "0 "
	if ! command -v valgrind >/dev/null; then
		skip "${kind%:*}: linear" "no valgrind"
		continue
	fi
	words "${kind%:*}" $((${kind#*:} / 16)) >"$tmp/words"
	small=$(count)
	words "${kind%:*}" $((${kind#*:} / 4)) >"$tmp/words"
	linear "${kind%:*}" "$small" "$(count)"
done

# properties COUNT: a descriptor with one NIC and as many properties of its device
properties() {
	awk -v n="$1" 'BEGIN { printf "{\"version\":1,\"nics\":[{\"mode\":\"user\",\"device\":{"
		for (i = 0; i < n; i++) printf "%s\"p%d\":1", i ? "," : "", i; print "}}]}" }' >"$tmp/desc"
}
: >"$tmp/words"
if command -v valgrind >/dev/null; then
	properties 2500; small=$(count)
	properties 10000; linear "properties of a device" "$small" "$(count)"
else
	skip "properties of a device: linear" "no valgrind"
fi
done_testing
