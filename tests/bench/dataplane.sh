#!/bin/sh
# dataplane.sh - who carries the frames: the longer run of the lab's 60-wall; arguments: kernels (6.1 6.12)
: "${SRCDIR:?set SRCDIR to the source directory}" "${BUILDDIR:?set BUILDDIR to the build directory}"
export LAB_WORDS="${LAB_WORDS:-ROUNDS=3 RATES=8000,16000,32000,0 SECONDS_EACH=10}"
[ $# -gt 0 ] || set -- 6.1 6.12
echo "# $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg);" \
	"all inside an emulated machine: ratios count, not figures"
for kernel; do "$SRCDIR/tests/lab/run" "$kernel" 60-wall; done
