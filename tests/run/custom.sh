#!/bin/sh
# custom.sh - netdevs of the descriptor's own: their text is planned and reported, and QEMU has it
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
need_root
command -v jq >/dev/null || skip_all "needs jq"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
new_ns a
new_tap t1
new_tap tm multi_queue
ip -n "$ns" link add br0 type bridge
no='script=no,downscript=no'
custom() { nic "{\"mode\":\"custom\",\"netdev\":\"$1\"${2-}}"; }
json() { printf '%s' "$1" | sed 's/"/\\"/g'; }
# says NAME TEXT QUEUES VHOST [MEMBERS]: plan and report, of a launch
says() {
	launch "$(custom "$2" "${5-}")" --plan=json
	is "$1" "$rc $(jq -c '.nics[0] | [.queues, .vhost]' "$tmp/out" 2>&1)" "0 [$3,$4]"
}

# --- what is read --------------------------------------------------------------------------
mknod -m 600 /dev/vhost-net c 10 238	# no plan opens it
says "a tap with 4 queue pairs and vhost" "tap,id=net0,ifname=new0,$no,vhost=on,queues=4" 4 true
in_json='{"type":"tap","id":"net0","ifname":"new0","script":"no","downscript":"no",'
in_json="$in_json\"vhost\":true,\"queues\":4}"
says "the same in JSON" "$(json "$in_json")" 4 true
says "its defaults" "tap,id=net0,ifname=new0,$no" 1 false
says "vhostforce alone turns it on" "tap,id=net0,ifname=new0,$no,vhostforce=on" 1 true
says "off, whatever else is said" "tap,id=net0,ifname=new0,$no,vhostforce=on,vhost=off" 1 false
says "of two values the last" "tap,id=net0,ifname=new0,$no,queues=2,queues=3" 3 false
says "a TAP that is there" "tap,id=net0,ifname=tm,$no,queues=2" 2 false
is "  and its link is in the report" \
	"$(jq -r '.nics[0] | "\(.ifname) \(.link.name) \(.link.kind)"' "$tmp/out")" "tm tm tun"
says "user" "user,id=net0" 1 false
says "a type that is not known" "later,id=net0,queues=4" '"unknown"' '"unknown"'
says "  with the descriptor's word" "later,id=net0" 4 true ',"queues":4,"vhost":true'
launch "$(custom "later,id=net0")" --plan
has "  and in the text" "$(cat "$tmp/out")" "?  ?" \
	"queues: unknown, the netdev's text cannot be read" \
	"vhost: unknown, the netdev's text cannot be read"
rm /dev/vhost-net

# --- what is judged ------------------------------------------------------------------------
bad() {
	launch "$(custom "$3" "${4-}")"
	_n=$1 _c=$2; shift 4
	refused "$_n" "$@" "\"path\":\"nics[0].$_c"
}
bad "vhost without its node" netdev "tap,id=net0,ifname=new0,$no,vhost=on" '' 101 node-missing \
	/dev/vhost-net
bad "two queues of a TAP that has one" netdev "tap,id=net0,ifname=t1,$no,queues=2" '' 101 \
	tap-not-multiqueue
bad "one queue of several" netdev.ifname "tap,id=net0,ifname=tm,$no" '' 101 handoff-one-queue
bad "a link that is no TAP" netdev.ifname "tap,id=net0,ifname=br0,$no" '' 101 link-kind
bad "a vDPA node that is not there" netdev.vhostdev \
	"vhost-vdpa,id=net0,vhostdev=/dev/vhost-vdpa-9" '' 101 node-missing
bad "other queues in the descriptor" queues "tap,id=net0,ifname=new0,$no,queues=4" \
	',"queues":2' 100 custom-netdev
bad "what QEMU refuses" netdev "tap,id=net0,fd=9,ifname=new0" '' 100 custom-netdev \
	"fd= does not go with ifname="
none='"version":1,"seccomp":"none"'
launch "{$none,\"nics\":[{\"mode\":\"custom\",\"netdev\":\"bridge,id=net0,br=nosuch\"}]}"
refused "a bridge that is not there" 101 "$(codes error)" \
	link-missing '"path":"nics[0].netdev.bridge"'

# --- descriptors of the caller's: one number, one use, and open ------------------------------
with="tun 5=tm tun 6=tm"
says "two queues that the caller has opened" "tap,id=net0,fds=5:6" 2 false
is "  and their numbers are in the report" \
	"$(jq -c '.nics[0] | [.handoff, .fds]' "$tmp/out")" "[true,[5,6]]"
launch "$(custom "tap,id=net0,fds=5:6")" -netdev tap,id=b,fd=6
refused "one of them in argv, too" 100 fd-twice \
	"descriptor 6 has two uses: fds= of the netdev's text, and fd= of -netdev b"
launch "$(custom "tap,id=net0,fds=5:6")" -chardev socket,id=c,fd=5
refused "one of them for a chardev" 100 fd-twice "fd= of -chardev c"
launch "$(custom "tap,id=net0,fds=5:7")"
refused "one that is not open" 100 fd-closed "descriptor 7 is not open"
with=
launch "$(nic '{"mode":"tap","ifname":"tm","vhost":false}')" -netdev tap,id=b,fd=3
refused "a planned one in argv" 100 fd-twice '"path":"nics[0]"' "the plan for tap of net0"
launch "$(nic '{"mode":"tap","ifname":"tm","vhost":false,"fds":[9]}')" -add-fd fd=9,set=1
refused "a planned one for -add-fd" 100 argv-add-fd

# --- vhost-user: shared memory, wherever it is named -----------------------------------------
# shellcheck disable=SC2089 # the quotes are JSON's
for words in "-netdev vhost-user,id=n,chardev=c" "-nic vhost-user,chardev=c" \
	"-netdev {\"type\":\"vhost-user\",\"id\":\"n\",\"chardev\":\"c\"}" \
	"-device vhost-user-fs-pci,chardev=c,tag=t"; do
	# shellcheck disable=SC2086,SC2090 # several words
	launch '{"version":1}' $words
	refused "private memory: $words" 100 memory-not-shared "guest memory is not shared"
done
launch "$(custom "vhost-user,id=net0,chardev=c,queues=2")" \
	-chardev socket,id=c,path=/nosuch,reconnect=1
refused "private memory, of a custom netdev" 100 memory-not-shared '"path":"nics[0].netdev"'
shared="-object memory-backend-memfd,id=m,size=64M -machine memory-backend=m"
# shellcheck disable=SC2086 # several words
launch "$(custom "vhost-user,id=net0,chardev=c,queues=2")" $shared
refused "a chardev that is not there" 100 custom-netdev "no -chardev of the id 'c'"

# --- and QEMU has it -----------------------------------------------------------------------
if [ ! -x "$QEMU" ]; then skip "QEMU has what is planned" "needs $QEMU"; done_testing; exit 0; fi
# has_queues NAME N TEXT: as many netdevs as QEMU has of it
has_queues() {
	{
		custom "$3"
		echo '{"execute":"qmp_capabilities"}'
		printf '{"execute":"human-monitor-command","arguments":{"command-line":"%s"}}\n' \
			"info network"
		echo '{"execute":"quit"}'
	} >"$tmp/in"
	qemu=$QEMU launch_file "$tmp/in" -accel tcg -machine q35 -m 32 -nodefaults -no-user-config \
		-display none -S -qmp stdio
	is "$1" "$rc $(grep -o 'net0: index=[0-9]*,type=tap' "$tmp/out" | sort -u | wc -l)" "0 $2"
}
has_queues "QEMU has one queue pair" 1 "tap,id=net0,ifname=fresh1,$no"
has_queues "QEMU has the four of the text" 4 "tap,id=net0,ifname=fresh4,$no,queues=4"
with="tun 5=tm tun 6=tm"
has_queues "QEMU has the two that the caller opened" 2 "tap,id=net0,fds=5:6"
done_testing
