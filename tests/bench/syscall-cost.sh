#!/bin/sh
# syscall-cost.sh - print what the filter costs a call here (see syscall-cost.c); $1: rounds
: "${BUILDDIR:?set BUILDDIR to the build directory}"
echo "# $(uname -r), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)," \
	"JIT $(cat /proc/sys/net/core/bpf_jit_enable 2>/dev/null || echo unknown)"
exec "$BUILDDIR/tests/bench/syscall-cost" "${1:-201}"
