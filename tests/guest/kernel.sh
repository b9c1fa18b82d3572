# kernel.sh - a Linux kernel out of its Debian or Ubuntu package: sourced by build and by the lab
#
# The caller has set $work, a directory of its own that it removes. Nothing is installed, and the
# machine's own apt keeps its state. Needs apt, dpkg and one of xz, lz4, zstd.
die() { echo "guest: $*" >&2; exit 1; }

# Private lists and cache: they work without root, and on a machine whose own lists are old or gone.
# With a list of sources of our own, nothing of the machine's is used.
sources=
private_apt() {
	tool=$1; shift
	set -- -q -o APT::Sandbox::User=root -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" "$@"
	[ -z "$sources" ] || set -- -o Dir::Etc::sourcelist="$sources" -o Dir::Etc::sourceparts=/nonexistent "$@"
	"$tool" "$@" 9>&-
}
# debian_sources SUITE: use that Debian release, from the mirrors that this machine's own apt uses
debian_sources() {
	key=/usr/share/keyrings/debian-archive-keyring.gpg
	[ -r "$key" ] || die "there is no $key"
	# shellcheck disable=SC2016 # apt's own variable
	for mirror in $(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sort -u); do
		case $mirror in
		*/debian-security/|*/debian-security) echo "deb [signed-by=$key] $mirror $1-security main" ;;
		*/debian/|*/debian) echo "deb [signed-by=$key] $mirror $1 main" ;;
		esac
	done >"$work/sources"
	[ -s "$work/sources" ] || die "this machine's apt knows no mirror of Debian"
	sources=$work/sources
}

# name_of META: the package that META stands for; its name changes with every kernel
name_of() { private_apt apt-cache depends "$1" 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[0-9][^ ]*\)$/\1/p' | head -n 1; }
# fetch_kernel: unpack the newest kernel into $work/kernel; its version is in $release, its modules in $tree
fetch_kernel() {
	mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
	private_apt apt-get update >&2 || echo "guest: apt-get update failed" >&2	# a foreign source may be broken
	image=
	for meta in linux-image-cloud-amd64 linux-image-virtual linux-image-generic linux-image-amd64; do
		image=$(name_of "$meta")
		[ -z "$image" ] || break
	done
	[ -n "$image" ] || die "no package of a Linux kernel is known to apt here"
	# Ubuntu keeps the modules in a package of their own.
	modules=$(private_apt apt-cache depends "$image" | sed -n 's/^ *Depends: \(linux-modules-[0-9][^ ]*\)$/\1/p' | head -n 1)
	(cd "$work" && private_apt apt-get download "$image" ${modules:+"$modules"} >&2) ||
		die "$image could not be downloaded"
	for deb in "$work"/*.deb; do dpkg-deb -x "$deb" "$work/kernel"; done
	release=${image#linux-image-}
	tree=$(find "$work/kernel" -path "*/lib/modules/$release" | head -n 1)
}

# unpack FILE: by its first bytes, to stdout
unpack() {
	case $(head -c 4 "$1" | od -An -t x1 | tr -d ' \n') in
	02214c18) lz4 -dcq "$1" ;;
	fd377a58) xz -dcq --single-stream "$1" ;;
	28b52ffd) zstd -dcq "$1" ;;
	1f8b*) gzip -dcq "$1" ;;
	*) cat "$1" ;;
	esac
}
# The ELF kernel inside a bzImage: QEMU starts it through its PVH entry, so that no unpacking runs
# on the slow emulated processor. Offsets: Documentation/arch/x86/boot.rst of Linux.
extract_vmlinux() { # BZIMAGE OUT
	num() { od -An -t "u$2" -j "$1" -N "$2" "$bz" | tr -d ' '; }
	bz=$1
	[ "$(head -c 518 "$bz" | tail -c 4)" = HdrS ] || die "$bz is not a bzImage"
	tail -c +$((($(num 497 1) + 1) * 512 + $(num 584 4) + 1)) "$bz" | head -c "$(num 588 4)" >"$work/payload"
	# The last four bytes are the unpacked size. The tools call them rubbish after having
	# unpacked everything: they are cut off, and the size is what is checked.
	size=$(tail -c 4 "$work/payload" | od -An -t u4 | tr -d ' ')
	truncate -s -4 "$work/payload"
	unpack "$work/payload" >"$2" || :
	[ "$(stat -c %s "$2")" = "$size" ] || die "$bz: the kernel inside could not be unpacked"
}

# add_module NAME: copy it to $work/modules and, before it, what it depends on; numbered, so that name
# order is loading order. What is built in needs nothing. (The packages bring no modules.dep: that is
# made at installation. Each module names what it needs.)
add_module() {
	pattern=$(echo "$1" | sed 's/[-_]/[-_]/g')
	[ -z "$(find "$work/modules" -name "??-$1.ko")" ] || return 0
	! grep -q "/$pattern\.ko\$" "$tree/modules.builtin" || return 0
	file=$(find "$tree/kernel" -name "$pattern.ko*" | head -n 1)
	[ -n "$file" ] || die "the kernel package has no module $1"
	unpack "$file" >"$work/$1"
	for need in $(tr '\0' '\n' <"$work/$1" | sed -n 's/^depends=//p' | tr ',-' ' _'); do add_module "$need"; done
	cp "$work/$1" "$work/modules/$(printf %02d "$(find "$work/modules" -type f | wc -l)")-$1.ko"
}

# make_kernel DIR MODULE...: DIR/vmlinux, DIR/modules and, last, DIR/release: it says that the rest is whole
make_kernel() {
	to=$1; shift
	fetch_kernel
	extract_vmlinux "$work/kernel/boot/vmlinuz-$release" "$work/vmlinux"
	mkdir "$work/modules"
	for m; do add_module "$m"; done
	rm -rf "$to/modules"
	mv "$work/vmlinux" "$work/modules" "$to/"
	echo "$release" >"$to/release"
}

# pack DIR OUT: an initramfs of what is in DIR, all of it root's
pack() { (cd "$1" && find . | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0) >"$2"; }
