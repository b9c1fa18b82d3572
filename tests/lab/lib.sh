#!/bin/sh
# lib.sh - what the lab's scripts share; they run inside, as root, each with no links but lo at its start
#
# shellcheck disable=SC2034,SC2120 # variables and arguments are the scripts'
SRCDIR=/lab BUILDDIR=/tmp
mkdir -p /tmp/tests/run		# where the library of the run tests notes which codes were produced
# shellcheck source=tests/lib.sh
. /lab/tests-lib.sh
QH=/usr/bin/qemu-handoff
trap '' PIPE			# a launch that fails does not read its monitor
for _l in /sys/class/net/*; do [ "${_l##*/}" = lo ] || ip link del "${_l##*/}" 2>/dev/null; done
chmod 600 /dev/vhost-net /dev/vhost-vsock /dev/net/tun		# as the kernel makes them
CG=/sys/fs/cgroup

# Before Linux 6.4 vhost workers are kernel threads of their own, since then tasks of QEMU.
case $(uname -r) in
[1-5].*|6.[0-3].*) workers_are=threads ;;
*) workers_are=tasks ;;
esac

# --- links -----------------------------------------------------------------------------------------
# add_macvtap NAME QUEUES: over one end of a veth pair NAME-l / NAME-p
add_macvtap() {
	ip link add "$1-l" type veth peer name "$1-p" && ip link set "$1-l" up && ip link set "$1-p" up &&
	ip link add link "$1-l" name "$1" numtxqueues "$2" numrxqueues "$2" type macvtap mode bridge && ip link set "$1" allmulticast on up
}
# add_tap NAME [WORD...]
add_tap() { _tap=$1; shift; ip tuntap add dev "$_tap" mode tap "$@" && ip link set "$_tap" up; }
node() { echo "/dev/tap$(cat "/sys/class/net/$1/ifindex")"; }
mac() { cat "/sys/class/net/$1/address"; }
# nic KIND LINK QUEUES REST: one member of "nics"
nic() { echo "{\"mode\":\"$1\",\"ifname\":\"$2\",\"queues\":$3${4:+,$4}}"; }
# desc NIC[,NIC...] [REST]: a descriptor
desc() { echo "{\"version\":1,\"qemu\":\"$QEMU\",\"nics\":[$1]${2:+,$2}}"; }

# --- launches ----------------------------------------------------------------------------------------
# What every QEMU here is started with; without option ROMs, which only cost time.
PLAIN="-nodefaults -no-user-config -display none -no-reboot -accel tcg -cpu qemu64 -m 32
	-machine q35,hpet=off,smm=off,sata=off,smbus=off,usb=off,vmport=off -global virtio-net-pci.romfile="
qemu_status='' as='' base=$PLAIN
# launch DESCRIPTOR QEMU-ARG...: start QEMU with a monitor; $qemu is its process id. The descriptor and
# the monitor's commands come on one stdin: the launcher leaves to QEMU what is behind the object. $as may hold
# a command that starts the program, as setpriv or strace do; then $qemu is the process id of that.
launch() {
	_desc=$1; shift
	# what an earlier one said must not be taken for this one's answer
	for _f in qmp err con; do : >"$tmp/$_f"; done
	rm -f "$tmp/in"; mkfifo "$tmp/in"
	# shellcheck disable=SC2086 # a command, and words
	$as "$QH" $base "$@" -qmp stdio <"$tmp/in" >"$tmp/qmp" 2>"$tmp/err" &
	qemu=$!
	exec 9>"$tmp/in"
	echo "$_desc" >&9
	qmp '{"execute":"qmp_capabilities"}'
}
qmp() { echo "$1" >&9; }
gone() { ! [ -e "/proc/$qemu/exe" ]; }
# until_qemu COMMAND...: poll until it succeeds. Generous: the machine may be busy. False when QEMU ended.
until_qemu() {
	_tries=3000
	while ! "$@" >/dev/null 2>&1; do
		_tries=$((_tries - 1))
		if gone || [ $_tries = 0 ]; then return 1; fi
		sleep 0.1
	done
}
# running: QEMU has come so far that its monitor answers
running() { until_qemu grep -q '"return"' "$tmp/qmp"; }
# quit: end QEMU; its exit status is in $qemu_status
quit() {
	qmp '{"execute":"quit"}' 2>/dev/null
	exec 9>&-
	wait "$qemu"
	qemu_status=$?
}
# started NAME DESCRIPTOR ARG...: launch, and see it run; else the reason
started() {
	_what=$1; shift
	launch "$@"
	if running; then return 0; fi
	not_ok "$_what"
	note "QEMU did not run: $(cat "$tmp/err" "$tmp/qmp")"
	quit
	return 1
}
# try DESCRIPTOR ARG...: a launch that is to fail; what it says
try() {
	_desc=$1; shift
	# shellcheck disable=SC2086 # a command, and words
	echo "$_desc" | $as "$QH" $PLAIN -S "$@" 2>&1
}
# stopped NAME: quit, and QEMU must have ended well
stopped() { quit; is "$1: QEMU ends with status 0" "$qemu_status" 0; }

# --- what there is ------------------------------------------------------------------------------------
# worker_threads PID, worker_tasks PID: the vhost workers of a QEMU, as kernel threads or as tasks of it
worker_threads() { grep -lx "vhost-$1" /proc/[0-9]*/comm 2>/dev/null | sed 's/.comm$//' | grep -vx "/proc/$1"; }
worker_tasks() { grep -lx "vhost-$1" "/proc/$1/task/"[0-9]*/comm 2>/dev/null | sed 's/.comm$//'; }
workers() { worker_threads "$1"; worker_tasks "$1"; }
count_workers() { echo "$(worker_threads "$1" | wc -l) threads, $(worker_tasks "$1" | wc -l) tasks"; }
want_workers() { case $workers_are in threads) echo "$1 threads, 0 tasks" ;; *) echo "0 threads, $1 tasks" ;; esac; }
# device_fds PID: "NUMBER PATH" of every descriptor that is a queue or vhost
device_fds() {
	for _f in "/proc/$1/fd"/*; do
		_to=$(readlink "$_f")
		case $_to in /dev/tap*|/dev/net/tun|/dev/vhost-*) echo "${_f##*/} $_to" ;; esac
	done | sort -n
}

# --- the guests ----------------------------------------------------------------------------------------
# linux DESCRIPTOR QEMU-ARG...: launch the test guest with its console on a pair of fifos: orders go to
# descriptor 8, what it says is in $tmp/con. One processor, and a clock that counts instructions: idle
# and busy waiting then cost no time, so that it is up in a third of the time.
linux() {
	_d=$1; shift
	rm -f "$tmp/tty.in" "$tmp/tty.out"; mkfifo "$tmp/tty.in" "$tmp/tty.out"
	export GUEST_SERIAL="pipe:$tmp/tty" GUEST_SMP=1 GUEST_WORDS="guest_obey=1 nolapic_timer tsc_early_khz=1000000"
	as="/lab/guest/boot /lab/guest" base="-icount shift=0,sleep=off -global virtio-net-pci.romfile="
	launch "$_d" "$@"
	as='' base=$PLAIN
	cat "$tmp/tty.out" >"$tmp/con" &
	running && exec 8>"$tmp/tty.in"
}
done_orders() { [ "$(grep -c '^guest: did ' "$tmp/con")" -ge "$1" ]; }
order() { _orders=$(grep -c '^guest: did ' "$tmp/con"); echo "$1" >&8; until_qemu done_orders $((_orders + 1)); }
guest_done() { until_qemu grep -q '^guest: done' "$tmp/con"; }
guest_said() { tr -d '\r' <"$tmp/con" | grep '^guest: '; }
# mini_up: the small guest counts frames
mini_up() { until_qemu grep -q '^mini: second=1 ' "$tmp/con"; }
# received: frames of each queue of the small guest, added up
received() { tr -d '\r' <"$tmp/con" | sed -n 's/^mini: second=.* rx=//p' | tail -n 1 | tr , '\n' | awk '{ n += $1 } END { print n + 0 }'; }

# --- frames, CPU time ------------------------------------------------------------------------------------
GUEST_MAC=52:54:00:12:34:56
pg() { echo "$2" >"/proc/net/pktgen/$1"; }
# frames_start LINK QUEUES RATE: 64-byte frames (60 and a checksum) to the guest until frames_stop; RATE 0: no limit
frames_start() {
	pg kpktgend_0 rem_device_all
	pg kpktgend_0 "add_device $1"
	for _w in "count 0" "pkt_size 60" "dst_mac $GUEST_MAC" "dst 192.0.2.2" "src_min 192.0.2.1" \
		"queue_map_min 0" "queue_map_max $(($2 - 1))" "$( [ "$3" = 0 ] && echo "delay 0" || echo "ratep $3" )"; do
		pg "$1" "$_w"
	done
	{ echo start >/proc/net/pktgen/pgctrl; } & frames=$!
}
frames_stop() { pg pgctrl stop; wait "$frames"; }
now_ms() { awk '{ printf "%d\n", $1 * 1000 }' /proc/uptime; }
# cpu_ms DIR...: CPU time of these directories of /proc together, as the scheduler counts it
cpu_ms() { for _t; do cat "$_t/schedstat" 2>/dev/null; done | awk '{ n += $1 } END { printf "%d\n", n / 1000000 }'; }
