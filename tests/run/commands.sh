#!/bin/sh
# commands.sh - what README and the manuals show is so
#
# Every command there is run as it stands, in order, with the programs of this build in /usr/bin, in a
# network namespace that has the links it is about; and where its output is shown, that is what it
# prints. What is no command is tried, too: the forms of QEMU's arguments, units, policies, a domain. Which block
# needs what is in try(); one that is not known there is a failure: somebody must say how it is tried. /etc, /usr,
# /var/lib and /dev are this test's own: nothing on the host is changed.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
no_terminal
private_mounts
[ -x "$QEMU" ] || skip_all "needs $QEMU"
command -v jq >/dev/null || skip_all "needs jq"
command -v python3 >/dev/null || skip_all "needs python3"

# --- the world -------------------------------------------------------------------------------------
mkdir "$tmp/layers" "$tmp/blocks" "$tmp/work"
cleanup_layers() { umount -l /etc /usr /var/lib "$tmp/layers" 2>/dev/null; cleanup; }
trap cleanup_layers EXIT
mount -t tmpfs none "$tmp/layers" || skip_all "nothing can be mounted"
for dir in etc usr; do
	mkdir "$tmp/layers/$dir" "$tmp/layers/$dir.work"
	mount -t overlay -o "lowerdir=/$dir,upperdir=$tmp/layers/$dir,workdir=$tmp/layers/$dir.work" none /$dir ||
		skip_all "the kernel has no overlay file system"
done
mount -t tmpfs none /var/lib || skip_all "nothing can be mounted"
# A /dev without /dev/vhost-net, as README's session says.
private_dev || skip_all "needs to mount a /dev of its own"
ln -s /proc/self/fd /dev/fd
mkdir -p /etc/qemu-handoff /usr/local/libexec
# a minimal system has no name for it, and QEMU's own display is a VNC server there
grep -qs localhost /etc/hosts || echo "127.0.0.1 localhost" >>/etc/hosts
cp "$QH" "$BUILDDIR/qemu-handoff-seccomp" "$BUILDDIR/qemu-handoff-ctl" /usr/bin/
# No window, whatever is installed: a QEMU whose windows are modules does without them, and there is no display.
rm -f /usr/lib*/qemu*/ui-gtk.so /usr/lib*/qemu*/ui-sdl.so /usr/lib/*/qemu/ui-gtk.so /usr/lib/*/qemu/ui-sdl.so
cd "$tmp/work" || exit 1

new_ns a
links() { # the links of one block, and files that it is about
	for link in mvt0 tap0 eth0; do ip -n "$ns" link del "$link" 2>/dev/null; done
	ip -n "$ns" link add eth0 type veth peer name eth0-p && ip -n "$ns" link set eth0 up && ip -n "$ns" link set eth0-p up
	ip -n "$ns" link add br0 type bridge 2>/dev/null
	printf '%s\n' '{ "version": 1, "name": "web1", "vcpus": 4,' \
		'  "nics": [ { "mode": "macvtap", "ifname": "mvt0", "queues": 4 } ] }' >web1.json
	cp web1.json /etc/web1.json
	cp web1.json /etc/qemu-handoff/web1.json
	truncate -s 1M disk.qcow2
}
# links_macvtap: the link that README makes, by README's command
links_macvtap() { links; in_ns sh -e "$tmp/blocks/README.md-$made.sh" && node; }
node() { rm -f /dev/tap[0-9]*; make_node "$(node_of mvt0)" mvt0; }
# links_macvtap_of N: one of N queues
links_macvtap_of() {
	links
	ip -n "$ns" link add link eth0 name mvt0 numtxqueues "$1" numrxqueues "$1" type macvtap mode bridge &&
		ip -n "$ns" link set mvt0 allmulticast on up && node
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

# planned DESCRIPTOR: the words that QEMU would get
planned() { echo "$1" >form.json; as_typed qemu-handoff --plan=json <form.json 2>>"$tmp/forms.err" | jq -r '.argv[]' >>"$tmp/forms"; }
nic() { planned "{\"version\":1,\"qemu\":\"$FAKE\",\"nics\":[{$1}]${2-}}"; }
# forms: words of every form of argument that qemu-handoff(5) shows, from descriptors that it describes. Nothing is
# opened, so devices without a driver will do; the stand-in's version is not known, so it has every backend.
forms() {
	: >"$tmp/forms.err"
	links_macvtap
	mknod /dev/vhost-net c 10 238 && mknod /dev/vhost-vsock c 10 241
	mkdir -p /etc/qemu && echo "allow br0" >/etc/qemu/bridge.conf
	python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("switch")'
	_shared='"args":["-object","memory-backend-memfd,id=mem0,size=1G,share=on","-machine","memory-backend=mem0"]'
	_none='"seccomp":"none"'
	nic '"mode":"macvtap","ifname":"mvt0","queues":1' ',"vsock":{"cid":3}'
	nic '"mode":"macvtap","ifname":"mvt0","queues":2'
	for _queues in 1 2; do nic "\"mode\":\"macvtap\",\"ifname\":\"mvt0\",\"vhost\":false,\"queues\":$_queues"; done
	ip -n "$ns" tuntap add dev tap0 mode tap
	nic '"mode":"tap","ifname":"tap0","handoff":false,"queues":1'
	ip -n "$ns" link del tap0 && ip -n "$ns" tuntap add dev tap0 mode tap multi_queue
	nic '"mode":"tap","ifname":"tap0","handoff":false,"vhost":false,"queues":4'
	nic '"mode":"bridge","bridge":"br0","handoff":false' ",$_none"
	nic '"mode":"bridge","bridge":"br0","handoff":false,"vhost":false' ",$_none"
	nic '"mode":"user","options":{"hostfwd":["tcp::2222-:22"]},"mac":"52:54:00:12:34:56"'
	nic '"mode":"custom","netdev":"tap,id=net0,ifname=new0,script=no,downscript=no,queues=2","mac":"52:54:00:12:34:56"'
	_passt="\"mode\":\"passt\",\"options\":{\"path\":\"$FAKE\"}"
	nic "$_passt"
	nic "$_passt,\"vhost_user\":true" ",$_shared"
	nic '"mode":"passt","native":true,"vhost_user":true,"options":{"mtu":1500,"tcp-ports":["22","80"]}' ",$_none,$_shared"
	nic "\"mode\":\"vhost-user\",\"queues\":4,\"options\":{\"path\":\"$PWD/switch\"}" ",$_shared"
	mknod /dev/vhost-vdpa-0 c 1 5
	for _queues in 1 4; do
		nic "\"mode\":\"vhost-vdpa\",\"queues\":$_queues,\"options\":{\"path\":\"/dev/vhost-vdpa-0\"}"
	done
	rm -f /dev/vhost-net /dev/vhost-vsock /dev/vhost-vdpa-0 /etc/qemu/bridge.conf
}
form() {
	[ -s "$tmp/forms" ] || forms
	if grep -qxF -e "$(cat "$tmp/blocks/$1")" "$tmp/forms"; then ok "$1: $(cat "$tmp/blocks/$1")"
	else not_ok "$1: is what QEMU gets"; note "$(cat "$tmp/blocks/$1")" "planned:" "$(cat "$tmp/forms" "$tmp/forms.err")"; fi
}
# unit BLOCK: its lines are in an example unit, which install.sh checks
unit() {
	check "$1: is in the examples' units" [ "$(grep -cxF -f "$tmp/blocks/$1" "$SRCDIR/packaging/examples/systemd/guest@.service")" = "$(wc -l <"$tmp/blocks/$1")" ]
}
# domain BLOCK: the descriptor in it is one, and fits
domain() {
	links_macvtap
	python3 - "$tmp/blocks/$1" >domain.json <<-'END'
	import sys, xml.dom.minidom
	domain = xml.dom.minidom.parse(sys.argv[1])
	print(domain.getElementsByTagName("qemu:env")[0].getAttribute("value"))
	END
	check "$1: its descriptor fits" as_typed qemu-handoff --check --descriptor=domain.json
	has "$1: its emulator is the drop-in" "$(cat "$tmp/blocks/$1")" "<emulator>$dropin</emulator>"
}
dropin=/usr/libexec/qemu-handoff/qemu-system-x86_64
policy() { check "$1: is a policy" qemu-handoff-seccomp -o policy.bpf "$tmp/blocks/$1"; }
member() { echo "{\"version\":1,$(cat "$tmp/blocks/$1")}" >member.json; check "$1: is a member of a descriptor" as_typed qemu-handoff --check --descriptor=member.json; }

# boxed BLOCK DESCRIPTOR: it fits, on a host that has what it lists
boxed() {
	mkdir -p "$tmp/srv/images" "$tmp/srv/guests/web1" /var/lib/guests/web1
	: >"$tmp/srv/images/base.qcow2"; : >"$tmp/srv/images/debian.qcow2"
	echo "$2" | sed "s#/srv/#$tmp/srv/#" >boxed.json
	check "$1: its descriptor fits" as_typed qemu-handoff --check --descriptor=boxed.json
}

try() {
	case $1:$(head -n 1 "$tmp/blocks/$1") in
	*.text:*"a person, systemd"*|*.text:"manager --descriptor"*) elsewhere "$1" "a picture" ;;
	*.text:"the least of vcpus"*) elsewhere "$1" "unit/test_plan" ;;
	*.text:tap,*|*.text:bridge,*|*.text:user,*|*.text:stream,*|*.text:passt,*|*.text:vhost-user,*|*.text:vhost-vdpa,*|*.text:socket,*|\
	*.text:virtio-net-pci,*|*.text:vhost-vsock-pci,*) form "$1" ;;
	*.text:ExecStart=*) links_macvtap; run "$1" 's/^ExecStart=//; s/%i/web1/' ;;
	*.text:Restart=*) unit "$1" ;;
	*.text:"<domain "*) domain "$1" ;;
	*seccomp*.text:"allow execveat"*|*seccomp*.text:"include qemu"*) policy "$1" ;;
	*seccomp*.text:'"seccomp": '*) member "$1" ;;
	*.sh:"qemu-handoff-ctl verify "*) elsewhere "$1" "verify.sh" ;;
	README.md-*.sh:packaging/quickstart*) elsewhere "$1" "a test of its own" ;;
	README.md-*.sh:"apt install"*) packages "$1" ;;
	README.md-*.sh:./autogen.sh*) elsewhere "$1" "this build and make distcheck" ;;
	README.md-*.sh:"ip link add link eth0"*) made=${1#README.md-} made=${made%.sh}; links; run "$1" ;;
	*.sh:"ip link add link eth0"*) links; run "$1" ;;
	*.sh:"useradd "*) account "$1" ;;
	*.sh:"ip tuntap add"*) links; run "$1" ;;
	*.sh:"strace "*) trace "$1" ;;
	*.sh:"journalctl "*) elsewhere "$1" "needs the journal of the kernel" ;;
	*.text:'"user": '*) member "$1" ;;
	*.text:"-netdev tap,id=net0,ifname="*) elsewhere "$1" "adopt.sh and bridge.sh" ;;
	*.text:"audit: type=1326"*) elsewhere "$1" "a line of the kernel's" ;;
	README.md-*.text:"node=/dev/tap"*) # here is no /dev/vhost-net
		links_macvtap_of 2; run "$1" '/vhost-net/d; s/,vhost=on,[a-z0-9=:]*/,vhost=off/' ;;
	README.md-*:"# cat missing.json") links; session "$1" ;;
	README.md-*:"# cat two-taps.json")
		links; ip -n "$ns" tuntap add dev tap0 mode tap user root; ip -n "$ns" link set tap0 up; session "$1"
		as_typed qemu-handoff --check --descriptor=two-taps.json 2>"$tmp/taps" ;;
	*.message:*" stdin:"*) mistake "$1" ;;
	*.message:*) message "$1" ;;
	*.text:'{"version":1,"landlock":{'*) boxed "$1" "$(cat "$tmp/blocks/$1")" ;;
	*.text:'"landlock": {'*) boxed "$1" "{\"version\":1,$(cat "$tmp/blocks/$1")}" ;;
	*.sh:"qemu-handoff-ctl convert --descriptor"*) run "$1" 's/"\$@"/-m 1G/; s/^words=.*/words="-m 1G"/' ;;
	*.sh:"ln -s"*) run "$1" ;;
	*.sh:"qemu-handoff -accel kvm"*) links_macvtap; run "$1" "s/accel kvm/accel tcg/" ;;
	*.sh:"{ cat web1.json"*) links_macvtap; run "$1"; has "$1: QMP answered" "$(cat "$tmp/out")" '{"return": {"status": "running"' ;;
	*.sh:"cat /proc/"*) # a process without workers, as there is no vhost here
		links_macvtap; in_ns qemu-handoff --plan=json <web1.json >report.json 2>/dev/null
		run "$1" "s/\$PID/$$/; 1s/\$/ || :/"; is "$1: counts" "$(tr '\n' ' ' <"$tmp/out")" "0 0 " ;;
	*seccomp*.session:*"| grep"*) run "$1" 's/^. //'; has "$1: rings" "$(cat "$tmp/out")" "allow io_uring_setup" ;;
	*.sh:"install -d"*) links; run "$1" ;;
	*.sh:*/guests/*) # without it again, so that no drop-in after this obeys it
		links_macvtap; run "$1"; rm -r /etc/qemu-handoff/guests ;;
	*.sh:*qemu*|*.sh:QEMU_HANDOFF_*) links_macvtap; run "$1" ;;
	*.session:*) links_macvtap; session "$1" ;;
	*) not_ok "$1 is known here"; note "$(cat "$tmp/blocks/$1")" ;;
	esac
}
# account BLOCK: the guest's own; the tests' /etc goes away with them
account() {
	command -v useradd >/dev/null || { skip "$1" "needs useradd"; return; }
	run "$1"
	getent group kvm >/dev/null || groupadd --system kvm
	is "$1: the directory is the account's" "$(stat -c '%U %a' /var/lib/guests/web1)" "vm-web1 700"
}
# trace BLOCK: QEMU is a program that makes a call for which it is killed, which is found
trace() {
	for _tool in strace perl; do command -v "$_tool" >/dev/null || { skip "$1" "needs $_tool"; return; }; done
	printf '{"version":1,"default_nic":true,"qemu":"%s","seccomp":{"action":"kill"}}\n' \
		"$(readlink -f "$(command -v perl)")" >web1.json
	sed "s/-m 1G/-e 'syscall 101, 0, 0, 0, 0'/" "$tmp/blocks/$1" >"$tmp/script"
	as_typed timeout -k 5 20 sh "$tmp/script" >"$tmp/out" 2>"$tmp/err" </dev/null
	has "$1: shows the call" "$(cat "$tmp/out")" "ptrace(" "killed by SIGSYS"
}
# packages BLOCK: README names what quickstart installs
packages() {
	_want=$(sed -n '/^build_packages=(/,/)/p' "$SRCDIR/packaging/quickstart" | tr -d '()' | sed 's/.*=//' | tr -s ' \t\n' '\n' | grep -vx libc6-dev | sort)
	is "$1: names what is needed to build" "$(sed 's/apt install //' "$tmp/blocks/$1" | tr -s ' \\\n' '\n' | sort)" "$_want"
}
# mistake BLOCK: the message shows the text that it is about
mistake() {
	sed -n 's/^ *{/{/p' "$tmp/blocks/$1" | as_typed qemu-handoff --check 2>mistake.err
	has "$1: is what is printed" "$(tr -s ' \n' ' ' <mistake.err)" "$(tr -s ' \n' ' ' <"$tmp/blocks/$1" | sed 's/ *$//')"
}
# message BLOCK: the error of the manual is the one that the program prints
message() {
	has "$1: is what is printed" "$(cat "$tmp/taps")" "$(tr '\n' ' ' <"$tmp/blocks/$1" | sed 's/ *$//')"
}

python3 "$SRCDIR/tests/run/commands.py" "$tmp/blocks" "$SRCDIR/README.md" "$SRCDIR"/man/*.[1-9] >"$tmp/list"
check "there are examples" [ "$(wc -l <"$tmp/list")" -gt 30 ]
while read -r block; do try "$block" </dev/null; done <"$tmp/list"
done_testing
