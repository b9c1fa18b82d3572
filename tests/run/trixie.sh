#!/bin/sh
# trixie.sh - run a test with the QEMU and the passt of Debian 13, which have vhost-user; tests/run/passt.sh by itself:
#
#	make check-trixie
#	BUILDDIR=... SRCDIR=... tests/run/trixie.sh tests/bench/passt.sh [ROUNDS [SECONDS]]
#
# A small Debian 13 is made once, in trixie/ of the build directory or in QH_TRIXIE_CACHE. The test runs in a
# mount namespace with that as its root: passt makes user namespaces, which the kernel refuses in a chroot.
# Not a part of make check: it needs root, debootstrap and some 600 MB.
set -eu
: "${SRCDIR:?run me through make check-trixie}" "${BUILDDIR:?run me through make check-trixie}"
[ "$(id -u)" = 0 ] || { echo "1..0 # SKIP needs root"; exit 0; }
PATH=$PATH:/usr/sbin:/sbin
command -v debootstrap >/dev/null || { echo "1..0 # SKIP needs debootstrap"; exit 0; }
unshare -m true 2>/dev/null || { echo "1..0 # SKIP needs mount namespaces"; exit 0; }
tree=${QH_TRIXIE_CACHE:-$BUILDDIR/trixie}

if ! [ -e "$tree/complete-2" ]; then
	rm -rf "$tree"
	debootstrap --variant=minbase \
		--include=passt,qemu-system-x86,qemu-utils,libmnl0,libcjson1,libseccomp2,iproute2,jq,procps,strace trixie "$tree" ${QH_MIRROR:+"$QH_MIRROR"} >&2
	touch "$tree/complete-2"
fi
# The guest is made out here, where the compiler is.
"$SRCDIR/tests/guest/build" "${QH_GUEST_CACHE:-$BUILDDIR/guest}" >&2 || echo "# no guest"

export SRCDIR BUILDDIR QH_PASST=/usr/bin/passt QEMU=/usr/bin/qemu-system-x86_64
export QH_GUEST_CACHE="${QH_GUEST_CACHE:-$BUILDDIR/guest}"
# shellcheck disable=SC2016 # expanded by the inner shell
exec unshare -m sh -eu -c '
	tree=$1
	mount --make-rprivate /
	mount --bind "$tree" "$tree"
	for dir in "$SRCDIR" "$BUILDDIR" "$QH_GUEST_CACHE"; do
		mkdir -p "$tree$dir"
		mount --bind "$dir" "$tree$dir"
	done
	for dir in proc sys dev; do mount --rbind "/$dir" "$tree/$dir"; done
	mount -t tmpfs -o mode=755 run "$tree/run"
	mount -t tmpfs -o mode=1777 tmp "$tree/tmp"
	# tmp hides what lies below it: a build tree may be there
	for dir in "$SRCDIR" "$BUILDDIR" "$QH_GUEST_CACHE"; do
		case $dir in /tmp/*|/run/*) mkdir -p "$tree$dir"; mount --bind "$dir" "$tree$dir" ;; esac
	done
	mkdir -p "$tree/old"
	cd "$tree"
	pivot_root . old
	cd /
	umount -l old
	unset TMPDIR
	export PATH=/usr/sbin:/usr/bin:/sbin:/bin
	echo "# $(qemu-system-x86_64 --version | head -n 1)"
	echo "# $(passt --version | head -n 1)"
	shift
	exec sh "$SRCDIR/${1:-tests/run/passt.sh}" $2 $3
' sh "$tree" "${1:-}" "${2:-}" "${3:-}"
