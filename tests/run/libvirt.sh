#!/bin/sh
# libvirt.sh - the drop-in as the <emulator> of libvirt's own daemon
#
# Everything runs in mount, network and process namespaces of its own, with tmpfs where libvirt keeps
# its files: nothing of the host's libvirt is seen or changed, and all goes away with the namespaces.
if [ "${1-}" != inside ]; then
	[ "$(id -u)" = 0 ] || { echo "1..0 # SKIP needs root for namespaces"; exit 0; }
	for tool in libvirtd virsh jq setpriv; do
		PATH=$PATH:/usr/sbin:/sbin command -v $tool >/dev/null || { echo "1..0 # SKIP needs $tool"; exit 0; }
	done
	unshare -m -n -p --fork --kill-child true 2>/dev/null || { echo "1..0 # SKIP needs namespaces"; exit 0; }
	# The first process of a namespace must reap what is left to it: libvirt waits for its daemonized probes.
	# shellcheck disable=SC2016 # for that shell
	exec timeout -k 5 300 unshare -m -n -p --fork --kill-child --mount-proc sh -c 'sh "$1" inside & wait $!' sh "$0"
fi
if ! { mount --make-rprivate / && mount -t tmpfs -o mode=755 run /run && mount -t tmpfs -o mode=755 var /var &&
	mkdir -p /etc/libvirt && mount -t tmpfs -o mode=755 etc /etc/libvirt; }; then
	echo "1..0 # SKIP needs mounts"; exit 0
fi
mkdir -p /var/lib /var/cache /var/log /var/tmp /run/netns /run/home && chmod 1777 /var/tmp && ln -s /run /var/run
# A sysfs that shows this network namespace, with the cgroups where they were.
mkdir /run/cgroup && mount --rbind /sys/fs/cgroup /run/cgroup && umount -l /sys && mount -t sysfs sysfs /sys &&
	mount --move /run/cgroup /sys/fs/cgroup
export TMPDIR=/run
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
[ -x "$QEMU" ] || skip_all "needs $QEMU"
chmod 755 "$tmp"
dropin=$tmp/qemu-system-x86_64
cp "$QH" "$dropin"
# The stand-in for a second emulator: what libvirt gives to the drop-in, written down; then QEMU.
mkdir -p "$tmp/plain" && ln -s "$QEMU" "$tmp/plain/qemu-system-x86_64"

# --- a /dev and a network of its own -----------------------------------------------------------------------
# Its own /dev, because /dev/tapN of the host's is named after an ifindex that other namespaces have too, and
# without KVM: libvirt probes again at every look at an emulator while the probe (with one capability) can
# open /dev/kvm and its user cannot. The other /dev must go: libvirt moves every mount that it finds below.
mkdir /run/dev && mount -t tmpfs -o mode=755 dev /run/dev
for n in null:3 zero:5 full:7 random:8 urandom:9; do mknod -m 666 /run/dev/${n%:*} c 1 ${n#*:}; done
mknod -m 666 /run/dev/tty c 5 0
mkdir /run/dev/pts /run/dev/shm /run/dev/net && mknod -m 600 /run/dev/net/tun c 10 200
mount -t devpts -o newinstance,ptmxmode=0666 pts /run/dev/pts && ln -s pts/ptmx /run/dev/ptmx
ln -s /proc/self/fd /run/dev/fd
umount -l /dev; mount --move /run/dev /dev || skip_all "needs a /dev of its own"
# What devtmpfs or udev do: a node for each macvtap that comes. libvirt waits for it 0.2 s, also on a busy machine.
while sleep 0.01; do
	for sys in /sys/class/net/*/tap*/dev; do
		name=/dev/${sys#/sys/class/net/*/}
		name=${name%/dev}
		[ -e "$name" ] || { read -r dev <"$sys" && mknod -m 600 "$name" c "${dev%:*}" "${dev#*:}"; } 2>/dev/null
	done
done &
renice -n -10 -p $! >/dev/null 2>&1
ip link set lo up
ip link add lower type veth peer name far || skip_all "no links can be made here"
ip link set lower up && ip link set far up

# --- libvirt -----------------------------------------------------------------------------------------------
# The account that Debian's libvirt-daemon-system makes; libvirtd looks it up before it reads its files.
user=libvirt-qemu group=libvirt-qemu
if ! id $user >/dev/null 2>&1; then
	for f in passwd group; do cp /etc/$f "$tmp/$f" && mount --bind "$tmp/$f" /etc/$f; done
	echo "$user:x:64055:64055::/var/lib/libvirt:/usr/sbin/nologin" >>/etc/passwd
	echo "$group:x:64055:" >>/etc/group
fi
controllers='[]'
for dir in /sys/fs/cgroup/devices /sys/fs/cgroup/unified /sys/fs/cgroup; do
	[ ! -e $dir/cgroup.procs ] || [ ! -w $dir ] || controllers='[ "devices" ]'
done
had_machine=$(ls -d /sys/fs/cgroup/machine /sys/fs/cgroup/*/machine 2>/dev/null)
# The group that libvirt keeps for all its guests is not in these namespaces alone.
machine_gone() { [ -n "$had_machine" ] || rmdir /sys/fs/cgroup/machine /sys/fs/cgroup/*/machine 2>/dev/null; }
trap 'kill "$daemon" 2>/dev/null; machine_gone; cleanup' EXIT
cat >/etc/libvirt/qemu.conf <<-CONF
	user = "$user"
	group = "$group"
	security_driver = "none"
	cgroup_controllers = $controllers
	stdio_handler = "file"
	remember_owner = 0
CONF
cat >/etc/libvirt/libvirtd.conf <<-CONF
	auth_unix_rw = "none"
	auth_unix_ro = "none"
	log_outputs = "2:file:/var/log/libvirtd.log"
CONF
daemon_ready() { virsh -c qemu:///system list; }
start_daemon() { libvirtd >/dev/null 2>&1 & daemon=$!; wait_for 30 daemon_ready; }
restart_with() { kill "$daemon"; wait "$daemon" 2>/dev/null; printf '%s\n' "$1" | cat /etc/libvirt/first.conf - >/etc/libvirt/qemu.conf; start_daemon; }
cp /etc/libvirt/qemu.conf /etc/libvirt/first.conf
if ! start_daemon; then
	not_ok "libvirtd starts"; note "$(daemon_ready 2>&1)"; note "$(cat /var/log/libvirtd.log)"; done_testing; exit 0
fi
as=
v() { $as virsh -q -c "$uri" "$@"; }	# $as: as another user
uri=qemu:///system

# domain NAME EMULATOR [DEVICES [EXTRA]]: its XML
domain() {
	cat <<-XML
	<domain type='qemu' xmlns:qemu='http://libvirt.org/schemas/domain/qemu/1.0'>
	  <name>$1</name><memory unit='MiB'>64</memory><vcpu>2</vcpu>
	  <os><type arch='x86_64' machine='q35'>hvm</type></os>
	  <devices><emulator>$2</emulator>${3-}<memballoon model='none'/></devices>
	  ${4-}
	</domain>
	XML
}
# The process of a domain, by the UUID that libvirt puts on its command line.
qemu_of() { pgrep -f -- "-name guest=$1," | head -n 1; }
no_qemu() { ! pgrep -f -- "-name guest=$1,"; }
status_of() { v qemu-monitor-command "$1" '{"execute":"query-status"}' 2>&1 | jq -r .return.status; }
words_of() { tr '\0' '\n' <"/proc/$1/cmdline"; }
# fds_of PID: number and where it leads, without 0 to 2 and what QEMU opens itself
fds_of() { for f in "/proc/$1/fd"/*; do to=$(readlink "$f"); case $to in */tap*|*/net/tun|*.pid|*vhost*) echo "${f##*/} /${to##*/}" ;; esac; done | sort -n; }
has_state() { [ "$(v domstate "$1" 2>&1)" = "$2" ]; }

# --- system mode: passthrough -----------------------------------------------------------------------------
has "the capabilities are those of a QEMU" "$(v domcapabilities --emulatorbin "$dropin" --virttype qemu --machine q35 2>&1)" \
	"<path>$dropin</path>" "<machine>pc-q35-"
is "  and the same as QEMU's" "$(v domcapabilities --emulatorbin "$dropin" --virttype qemu 2>&1 | sed 's,<path>.*</path>,,')" \
	"$(v domcapabilities --emulatorbin "$tmp/plain/qemu-system-x86_64" --virttype qemu 2>&1 | sed 's,<path>.*</path>,,')"
# libvirt passes no variable on to a probe: a script as emulator does. The probe daemonizes, under the filter.
# shellcheck disable=SC2016 # the script's own words
printf '#!/bin/sh\nQEMU_HANDOFF_DESCRIPTOR=%s exec %s "$@"\n' "'{\"version\":1,\"seccomp\":{\"action\":\"kill\"}}'" "$dropin" \
	>"$tmp/probed" && chmod 755 "$tmp/probed"
is "  and the same from a probe that a descriptor confines" "$(v domcapabilities --emulatorbin "$tmp/probed" --virttype qemu 2>&1 | sed 's,<path>.*</path>,,')" \
	"$(v domcapabilities --emulatorbin "$tmp/plain/qemu-system-x86_64" --virttype qemu 2>&1 | sed 's,<path>.*</path>,,')"
check "  no process is left of the probe" no_qemu none
is "  nor a daemon of it" "$(pgrep -f -- '-machine none' | wc -l)" 0

nic="<interface type='direct'><source dev='lower' mode='bridge'/><model type='virtio'/><driver name='qemu' queues='4'/></interface>"
domain sys "$dropin" "$nic" >"$tmp/sys.xml"
sed "s,$dropin,$tmp/plain/qemu-system-x86_64," "$tmp/sys.xml" >"$tmp/plain.xml"
sed -i 's,<name>sys,<name>plain,' "$tmp/plain.xml"
said=$(v define "$tmp/sys.xml" 2>&1 && v start sys 2>&1); is "a domain with a macvtap of four queues is defined and started" "$?" 0
[ -z "$said" ] || note "$said"
pid=$(qemu_of sys)
is "  QMP answers" "$(status_of sys)" running
is "  libvirt's pidfile has the process" "$(cat /run/libvirt/qemu/sys.pid)" "$pid"
is "  which is QEMU" "$(stat -L -c %d:%i "/proc/$pid/exe")" "$(stat -L -c %d:%i "$QEMU")"
is "  libvirt's four queues, and no other device" "$(fds_of "$pid" | grep -c ' /tap')" 4
is "  under the numbers that libvirt wrote" "$(fds_of "$pid" | sed -n 's,^\([0-9]*\) /tap.*,\1,p' | paste -sd:)" \
	"$(words_of "$pid" | grep '"type":"tap"' | jq -r .fds)"
is "  its pidfile is open" "$(fds_of "$pid" | grep -c ' /sys.pid')" 1
# shellcheck disable=SC2016 # the other shell's
check "  and locked by the process" sh -c 'grep -q "POSIX .*WRITE '"$pid"' " /proc/locks'
fds_sys=$(fds_of "$pid" | sed 's,/tap.*,/tap,')
words_sys=$(words_of "$pid" | sed 1d)
is "destroyed" "$(v destroy sys 2>&1)" ""
check "  no QEMU is left" wait_for 5 no_qemu sys
v define "$tmp/plain.xml" >/dev/null 2>&1; v start plain >/dev/null 2>&1
pid=$(qemu_of plain)
is "QEMU itself is given the same descriptors" "$(fds_of "$pid" | sed 's,/tap.*,/tap,;s,plain.pid,sys.pid,')" "$fds_sys"
norm() { sed 's/domain-[0-9]*-[a-z]*/domain/g;s/guest=[a-z]*/guest/;s/-uuid//;s/[0-9a-f]\{8\}-[0-9a-f-]*/UUID/;s/52:54:00[0-9a-f:]*/MAC/;s/fds":"[0-9:]*/fds/'; }
is "  and the same words" "$(words_of "$pid" | sed 1d | norm)" "$(printf '%s\n' "$words_sys" | norm)"
v destroy plain >/dev/null 2>&1; v undefine plain >/dev/null 2>&1

is "started again, and saved" "$(v start sys 2>&1; v managedsave sys 2>&1)" ""
check "  no QEMU is left" no_qemu sys
is "  and restored" "$(v start sys 2>&1; status_of sys)" running
v qemu-monitor-command sys '{"execute":"quit"}' >/dev/null 2>&1
check "QEMU that leaves by itself: the domain is off" wait_for 10 has_state sys "shut off"
check "  no QEMU is left" no_qemu sys

# --- system mode: a descriptor meets libvirt's fences -----------------------------------------------------
# with_descriptor NAME JSON: a domain whose environment has it
with_descriptor() {
	_json=$(printf '%s' "$2" | sed "s/&/\&amp;/g;s/'/\&apos;/g;s/</\&lt;/g")
	domain "$1" "$dropin" "" "<qemu:commandline><qemu:env name='QEMU_HANDOFF_DESCRIPTOR' value='$_json'/></qemu:commandline>"
}
start_with() { with_descriptor "$1" "$2" >"$tmp/$1.xml"; v create "$tmp/$1.xml" 2>&1; }
is "a descriptor that confines only" "$(start_with conf '{"version":1}')" ""
pid=$(qemu_of conf)
is "  two filters: ours and that of -sandbox" "$(sed -n 's/^Seccomp_filters:[^0-9]*//p' "/proc/$pid/status")" 2
is "  QMP answers behind both" "$(status_of conf)" running
is "  the variable is not QEMU's" "$(tr '\0' '\n' <"/proc/$pid/environ" | grep -c HANDOFF)" 0
v destroy conf >/dev/null 2>&1
check "  no QEMU is left" wait_for 5 no_qemu conf

ip link add link lower name mvt0 numtxqueues 2 numrxqueues 2 type macvtap mode bridge && ip link set mvt0 allmulticast on up
node=/dev/tap$(cat /sys/class/net/mvt0/ifindex)
wait_for 5 test -e "$node"
chown $user "$node"
nic0='{"version":1,"vhost":false,"nics":[{"mode":"macvtap","ifname":"mvt0","queues":2}]}'
# libvirt gives every device of its own an address: ours needs one, too, or QEMU takes the first free one for it
nic1='{"version":1,"vhost":false,"nics":[{"mode":"macvtap","ifname":"mvt0","queues":2,"device":{"bus":"pcie.0","addr":"0x10"}}]}'
said=$(start_with fence "$nic0")
has "libvirt's own /dev has no node (ENOENT): the line says which fence" "$said" \
	"qemu-handoff: error: nics[0].ifname (net0): $node: No such file or directory" "cgroup_device_acl"
check "  no QEMU is left" no_qemu fence
has "a descriptor that is wrong: its line is in virsh's error as it is" "$(start_with wrong '{"version":1,"nics":[{"mode":"user","queues":2}]}')" \
	"qemu-handoff: error: nics[0].queues" "queue"
for i in 1 2 3 4 5; do
	has "a failure at once is shown, too ($i)" "$(start_with path /nonesuch.json)" "qemu-handoff: error: /nonesuch.json: No such file or directory"
done
has "a cgroup in libvirt's group" "$(start_with cg '{"version":1,"cgroup":"/sys/fs/cgroup/devices/machine"}')" "qemu-handoff: error: cgroup"
cat /var/log/libvirtd.log >"$tmp/log"

# With the host's /dev what is left is the devices cgroup.
if [ "$controllers" != '[]' ]; then
	restart_with 'namespaces = []'
	said=$(start_with eperm "$nic0")
	has "the node is there, and libvirt's devices cgroup denies it (EPERM)" "$said" "qemu-handoff: error: nics[0]" "$node: Operation not permitted" \
		"the devices cgroup of this process denies access" "cgroup_device_acl"
	restart_with "namespaces = []
cgroup_device_acl = [ \"/dev/null\", \"/dev/full\", \"/dev/zero\", \"/dev/random\", \"/dev/urandom\", \"/dev/ptmx\", \"$node\" ]"
	is "  listed in cgroup_device_acl it is opened" "$(start_with acl "$nic1")" ""
	is "  both queues" "$(fds_of "$(qemu_of acl)" | grep -c ' /tap')" 2
	v destroy acl >/dev/null 2>&1
else
	skip "libvirt's devices cgroup denies the node (EPERM)" "needs a writable cgroup hierarchy"
fi
kill "$daemon"; wait "$daemon" 2>/dev/null

# --- session mode: the data plane --------------------------------------------------------------------------
mkdir -p "$tmp/home" "$tmp/xdg" && chown $user "$tmp/home" "$tmp/xdg" && chmod 700 "$tmp/xdg"
uri=qemu:///session
as_user() { setpriv --reuid "$user" --regid "$group" --clear-groups env -i PATH="$PATH" HOME="$tmp/home" XDG_RUNTIME_DIR="$tmp/xdg" XDG_CONFIG_HOME="$tmp/home/config" XDG_CACHE_HOME="$tmp/home/cache" XDG_DATA_HOME="$tmp/home/data" "$@"; }
as=as_user
mkdir -p "$tmp/home/config/libvirt" && printf 'security_driver = "none"\nstdio_handler = "file"\n' >"$tmp/home/config/libvirt/qemu.conf"
chown -R $user "$tmp/home/config"
as_user libvirtd --timeout 600 >"$tmp/session.log" 2>&1 &
session_ready() { v list; }
wait_for 30 session_ready || note "$(cat "$tmp/session.log")"
is "session: a descriptor adds a macvtap of two queues" "$(start_with sess "$nic1")" ""
pid=$(qemu_of sess)
is "  QMP answers" "$(status_of sess)" running
has "  and has the NIC" "$(v qemu-monitor-command sess --hmp info network 2>&1)" "net0" "index=1,type=tap"
is "  the process has its two queues" "$(fds_of "$pid" | grep -c " $(basename "$node" | sed 's,^,/,')\$")" 2
is "  and libvirt's files as they were" "$(fds_of "$pid" | grep -c ' /sess.pid')" 1
is "  two filters: ours and that of -sandbox" "$(sed -n 's/^Seccomp_filters:[^0-9]*//p' "/proc/$pid/status")" 2
is "  saved" "$(v save sess "$tmp/home/saved" 2>&1)" ""
check "  no QEMU is left" no_qemu sess
is "  restored, with the device again" "$(v restore "$tmp/home/saved" 2>&1; status_of sess)" running
is "  the process has its two queues" "$(fds_of "$(qemu_of sess)" | grep -c ' /tap')" 2
is "destroyed" "$(v destroy sess 2>&1)" ""
check "  no QEMU is left" wait_for 5 no_qemu sess
chown root "$node"
has "a node of other ids (EACCES): mode and ids are said" "$(start_with mode "$nic1")" \
	"qemu-handoff: error: nics[0].ifname (net0): $node: Permission denied: its mode is 0600 and its owner 0:0, but this process runs as uid"
printf '{"version":1}' >"$tmp/home/d.json" && chmod 644 "$tmp/home/d.json"
is "a descriptor by its path" "$(start_with bypath "$tmp/home/d.json")" ""
is "  QMP answers" "$(status_of bypath)" running
v destroy bypath >/dev/null 2>&1
check "  no QEMU is left" wait_for 5 no_qemu bypath
[ "$tap_bad" = 0 ] || note "$(tail -n 20 "$tmp/log")"
done_testing
