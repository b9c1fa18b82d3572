#!/bin/sh
# commands.sh - what README and the manuals show is so
#
# Every command there is run as it stands, in order, with the programs of this build in /usr/bin, in a
# network namespace that has the links it is about; and where its output is shown, that is what it
# prints. Which block needs what is in try(); one that is not known there is a failure: somebody must
# say how it is tried. /etc, /usr and /dev are this test's own: nothing on the host is changed.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
[ -x "$QEMU" ] || skip_all "needs $QEMU"
command -v jq >/dev/null || skip_all "needs jq"
command -v python3 >/dev/null || skip_all "needs python3"

# --- the world -------------------------------------------------------------------------------------
mkdir "$tmp/layers" "$tmp/blocks" "$tmp/work"
cleanup_layers() { umount -l /etc /usr "$tmp/layers" 2>/dev/null; cleanup; }
trap cleanup_layers EXIT
mount -t tmpfs none "$tmp/layers" || skip_all "nothing can be mounted"
for dir in etc usr; do
	mkdir "$tmp/layers/$dir" "$tmp/layers/$dir.work"
	mount -t overlay -o "lowerdir=/$dir,upperdir=$tmp/layers/$dir,workdir=$tmp/layers/$dir.work" none /$dir ||
		skip_all "the kernel has no overlay file system"
done
# A /dev without /dev/vhost-net, as README's session says.
private_dev || skip_all "needs to mount a /dev of its own"
ln -s /proc/self/fd /dev/fd
mkdir -p /etc/qemu-handoff /usr/local/libexec
cp "$QH" "$BUILDDIR/qemu-handoff-seccomp" /usr/bin/
cd "$tmp/work" || exit 1

new_ns a
links() { # the links of one block, and files that it is about
	for link in mvt0 tap0 eth0; do ip -n "$ns" link del "$link" 2>/dev/null; done
	ip -n "$ns" link add eth0 type veth peer name eth0-p && ip -n "$ns" link set eth0 up && ip -n "$ns" link set eth0-p up
	ip -n "$ns" link add br0 type bridge 2>/dev/null
	printf '%s\n' '{ "version": 1, "name": "web1", "vcpus": 4,' \
		'  "nics": [ { "mode": "macvtap", "ifname": "mvt0", "queues": 4 } ] }' >web1.json
	cp web1.json /etc/web1.json
	truncate -s 1M disk.qcow2
}
# links_macvtap: the link that README makes, by README's command
links_macvtap() { links; in_ns sh -e "$tmp/blocks/README.md-$made.sh" && node; }
node() { rm -f /dev/tap[0-9]*; make_node "$(node_of mvt0)" mvt0; }
# One namespace's node under the name that another's link would have.
links_foreign() {
	links_macvtap
	_index=$(ifindex_of mvt0) _first=$ns
	new_ns b
	ip -n "$ns" link add eth0 index $((_index + 7)) type veth peer name eth0-p && ip -n "$ns" link set eth0 up
	ip -n "$ns" link add link eth0 name mvt0 index "$_index" type macvtap mode bridge && ip -n "$ns" link set mvt0 up
	echo '{"version":1,"vhost":false,"nics":[{"mode":"macvtap","ifname":"mvt0"}]}' >other.json
}

# --- blocks ----------------------------------------------------------------------------------------
# as_typed COMMAND...: in $ns, with nothing open but 0, 1 and 2, so that numbers begin with 3
as_typed() { ( for _fd in 3 4 5 6 7 8 9; do eval "exec $_fd>&-"; done; in_ns "$@" ) }
# run BLOCK [SED]: its commands succeed, or still run after some seconds: they are QEMU then
run() {
	sed "${2:-}" "$tmp/blocks/$1" >"$tmp/script"
	as_typed timeout -k 5 4 sh -e "$tmp/script" >"$tmp/out" 2>"$tmp/err" </dev/null
	_rc=$?
	case $_rc in 0|124) ;; *) not_ok "$1"; note "status $_rc" "$(cat "$tmp/script" "$tmp/err")"; return ;; esac
	if grep -i error "$tmp/err" >"$tmp/errors"; then not_ok "$1"; note "$(cat "$tmp/errors")"; return; fi
	ok "$1: $(head -n 1 "$tmp/blocks/$1")"
}
# same TEXT: without what differs between hosts and runs: numbers of nodes and devices, limits, ids
same() { sed -E 's|/dev/tap[0-9]{1,6}\b|/dev/tapN|g; s/ is [0-9]+:[0-9]+/ is M:N/g; s/at most [0-9]+/at most N/; s/ +$//'; }
# session BLOCK [SED]: each command prints what is shown
session() {
	: >"$tmp/script"
	grep -nE '^[#$] ' "$tmp/blocks/$1" >"$tmp/commands"
	while IFS= read -r _line; do
		_line=${_line#*:[#\$] }
		case $_line in
		"cat "*.json|"cat "*.policy) # the file is what is shown of it
			sed -n "/^[#$] $_line/,/^[#$] /p" "$tmp/blocks/$1" | grep -vE '^[#$] ' >"${_line#cat }" ;;
		esac
		printf "was=\$?\ncat <<'END'\n# %s\nEND\n(exit \$was)\n%s\n" "$_line" "$_line" >>"$tmp/script"
		case $_line in *"&") echo "until [ \"\$(readlink /proc/\$!/exe)\" = $QEMU ]; do sleep 0.1; done" >>"$tmp/script" ;; esac
	done <<-END
	$(cat "$tmp/commands")
	END
	echo 'kill $! 2>/dev/null' >>"$tmp/script"
	as_typed timeout -k 5 60 sh "$tmp/script" >"$tmp/out" 2>&1 </dev/null
	if sed 's/^\$ /# /' "$tmp/blocks/$1" | same >"$tmp/shown" && same <"$tmp/out" | diff "$tmp/shown" - >"$tmp/diff"; then
		ok "$1: prints what is shown"
	else
		not_ok "$1: prints what is shown"; note "$(cat "$tmp/diff")"
	fi
}
elsewhere() { ok "$1: $2"; }

try() {
	case $1:$(head -n 1 "$tmp/blocks/$1") in
	*.text:*) ;;
	README.md-*.sh:packaging/quickstart*) elsewhere "$1" "a test of its own" ;;
	README.md-*.sh:"apt install"*) packages "$1" ;;
	README.md-*.sh:./autogen.sh*) elsewhere "$1" "this build and make distcheck" ;;
	README.md-*.sh:"ip link add link eth0"*) made=${1#README.md-} made=${made%.sh}; links; run "$1" ;;
	*.sh:"ip link add link eth0"*) links; run "$1" ;;
	*.sh:"ip tuntap add"*) links; run "$1" ;;
	README.md-*:"# cat two-taps.json") links; ip -n "$ns" tuntap add dev tap0 mode tap user root; ip -n "$ns" link set tap0 up; session "$1"; cp "$tmp/out" "$tmp/taps" ;;
	README.md-*:*other.json) links_foreign; session "$1"; ns=$_first ;;
	*.message:*) message "$1" ;;
	*.sh:"ln -s"*) run "$1" ;;
	*.sh:"qemu-handoff -accel kvm"*) links_macvtap; run "$1" "s/accel kvm/accel tcg/" ;;
	*.sh:"{ cat web1.json"*) links_macvtap; run "$1"; has "$1: QMP answered" "$(cat "$tmp/out")" '{"return": {"status": "running"' ;;
	*.sh:"cat /proc/"*) # a process without workers, as there is no vhost here
		links_macvtap; in_ns qemu-handoff --plan=json <web1.json >report.json 2>/dev/null
		run "$1" "s/\$PID/$$/; 1s/\$/ || :/"; is "$1: counts" "$(tr '\n' ' ' <"$tmp/out")" "0 0 " ;;
	*seccomp*.session:*"| grep"*) run "$1" 's/^. //'; has "$1: rings" "$(cat "$tmp/out")" "allow io_uring_setup" ;;
	*.sh:*qemu*|*.sh:QEMU_HANDOFF_*) links_macvtap; run "$1" ;;
	*.session:*) links_macvtap; session "$1" ;;
	*) not_ok "$1 is known here"; note "$(cat "$tmp/blocks/$1")" ;;
	esac
}
# packages BLOCK: README names what quickstart installs
packages() {
	_want=$(sed -n '/^build_packages=(/,/)/p' "$SRCDIR/packaging/quickstart" | tr -d '()' | sed 's/.*=//' | tr -s ' \t\n' '\n' | grep -vx libc6-dev | sort)
	is "$1: names what is needed to build" "$(sed 's/apt install //' "$tmp/blocks/$1" | tr ' ' '\n' | sort)" "$_want"
}
# message BLOCK: the error of the manual is the one that the program prints
message() {
	has "$1: is what is printed" "$(cat "$tmp/taps")" "$(tr '\n' ' ' <"$tmp/blocks/$1" | sed 's/ *$//')"
}

python3 "$SRCDIR/tests/run/commands.py" "$tmp/blocks" "$SRCDIR/README.md" "$SRCDIR"/man/*.[1-9] >"$tmp/list"
check "there are examples" [ "$(wc -l <"$tmp/list")" -gt 30 ]
while read -r block; do try "$block" </dev/null; done <"$tmp/list"
done_testing
