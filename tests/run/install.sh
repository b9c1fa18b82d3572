#!/bin/sh
# install.sh - the drop-in is installed as the program itself under QEMU's name, and goes away again
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
[ -e "$BUILDDIR/Makefile" ] || skip_all "needs the build tree"
to=$tmp/to
install() { env -u MAKEFLAGS -u MFLAGS make -C "$BUILDDIR" "$1" DESTDIR="$to" bindir=/usr/bin libexecdir=/usr/libexec datadir=/usr/share mandir=/usr/share/man \
	docdir=/usr/share/doc/x sysconfdir=/etc libdir=/usr/lib >"$tmp/log" 2>&1 || note "$(tail "$tmp/log")"; }
dropin=$to/usr/libexec/qemu-handoff/qemu-system-x86_64
install install
check "both names are there" test -x "$to/usr/bin/qemu-handoff" -a -x "$dropin"
check "  and the program for guests that run, with its manual" \
	test -x "$to/usr/bin/qemu-handoff-ctl" -a -e "$to/usr/share/man/man1/qemu-handoff-ctl.1"
check "  the second is no symbolic link" test ! -L "$dropin"
is "  but the same file" "$(stat -c %d:%i "$dropin")" "$(stat -c %d:%i "$to/usr/bin/qemu-handoff")"
is "  and is a drop-in" "$(QEMU_HANDOFF_QEMU=/bin/echo "$dropin" --version -S)" "--version -S"
install install
check "installed a second time" cmp -s "$dropin" "$to/usr/bin/qemu-handoff"

# --- the examples that go with it ------------------------------------------------------------------------
examples=$SRCDIR/packaging/examples
if command -v systemd-analyze >/dev/null; then
	for unit in "$examples"/systemd/*.service; do
		name=$(basename "$unit" | sed 's/@/@test/')
		sed 's,^ExecStart=[^ ]*,ExecStart=/bin/true,' "$unit" >"$tmp/$name"
		is "systemd accepts ${unit##*/}" "$(systemd-analyze verify --man=no "$tmp/$name" 2>&1)" ""
	done
else
	skip "systemd accepts the units" "needs systemd-analyze"
fi
for unit in "$examples"/systemd/*.service; do
	check "  and ${unit##*/} names an installed program" test -x "$to$(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' "$unit")"
done
for xml in "$examples"/libvirt/*.xml; do
	value=$(sed -n "s/.*QEMU_HANDOFF_DESCRIPTOR' value='\(.*\)'.*/\1/p" "$xml")
	echo "$value" >"$tmp/value.json"
	is "the descriptor in ${xml##*/} is one" "$(parser "$tmp/value.json")" pass
	check "${xml##*/} has the installed drop-in as emulator" test -x "$to$(sed -n 's,.*<emulator>\(.*\)</emulator>.*,\1,p' "$xml")"
done
if command -v python3 >/dev/null; then
	check "the domains are XML" python3 -c 'import sys, xml.dom.minidom
for name in sys.argv[1:]: xml.dom.minidom.parse(name)' "$examples"/libvirt/*.xml
else
	skip "the domains are XML" "needs python3"
fi
is "no rule of AppArmor lets a guest run unconfined" "$(grep -v '^#' "$examples/libvirt/apparmor" | grep -c PUx)" 0

install uninstall
is "nothing is left" "$(find "$to" -type f -o -type l)" ""
check "  nor its directory" test ! -e "$to/usr/libexec/qemu-handoff"
done_testing
