#!/bin/sh
# stepat.sh - each system call of a launch fails, a signal comes at each, and what was checked changes at each
#
# The work is tests/run/stepat.c's. FAULTS=all tries everything (make check-faults), otherwise a part of it.
# shellcheck disable=SC2086,SC2030,SC2031 # $step is several words; groups have variables of their own
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
cp -a /etc "$tmp/etc" && mkdir -p "$tmp/etc/qemu"
mount --bind "$tmp/etc" /etc || skip_all "needs to mount an /etc of its own"
echo "allow br0" >/etc/qemu/bridge.conf
for_all
cp "$BUILDDIR/tests/run/fakehelper" "$tmp/bin"
helper=/usr/lib/qemu/qemu-bridge-helper
[ -x "$helper" ] || helper=$tmp/bin/fakehelper
STEP=$BUILDDIR/tests/run/stepat

# new_space LETTER: a namespace and a directory for one group of trials; $step starts one
new_space() {
	new_ns "$1"
	dir=$tmp/dir$1
	mkdir "$dir"
	step="ip netns exec $ns $STEP -n -d $dir"
}
# matrix NAME [OPTION]... MODE [ARGUMENT]: trials of the descriptor $desc; its last line is the result
matrix() {
	_name=$1; shift
	printf '%s\n' "$desc" >"$dir.desc"
	if $step -i "$dir.desc" "$@" -- "$QH" >"$dir.out" 2>&1; then ok "$_name: $(tail -n 1 "$dir.out")"
	else not_ok "$_name"; note "$(tail -n 60 "$dir.out")"; fi
}
# descriptor NICS [MORE]: one that reports into the directory that is watched
descriptor() { desc="{\"version\":1,\"qemu\":\"$FAKE\",\"report\":\"$dir/REPORT\"${2-},\"nics\":[$1]}"; }
# all_faults NAME [OPTION]...
all_faults() {
	_what=$1; shift
	matrix "$_what, each call fails" "$@" fail
	[ "${FAULTS-}" = all ] || return 0
	for _sig in 9 15 2; do matrix "$_what, signal $_sig at each call" "$@" signal $_sig; done
}

macvtap() {
	new_space m
	new_macvtap m0 1
	new_macvtap m1 2
	descriptor '{"mode":"macvtap","ifname":"m0"},{"mode":"macvtap","ifname":"m1","queues":2}'
	all_faults "macvtap x2"
	[ "${FAULTS-}" = all ] || return 0
	matrix "macvtap x2, RLIMIT_NOFILE" -f 4 -b 1 -t 40 limit nofile
	matrix "macvtap x2, RLIMIT_AS" -f 3000000 -b 250000 -t 16000000 limit as
	desc=$(echo "$desc" | sed 's/"version":1,/&"seccomp":"none",/')
	matrix "macvtap x2 without a filter, each call fails" fail
}

# What was checked is another thing at the moment it is opened.
races() {
	new_space r
	new_macvtap m0 1
	new_macvtap other 1
	node=$(node_of m0) index=$(ifindex_of m0)
	descriptor '{"mode":"macvtap","ifname":"m0"}'
	mkdir "$tmp/swap"
	cp -a "$(node_of other)" "$tmp/swap/other"
	cp -a "$node" "$tmp/swap/good"
	ln -s "$(node_of other)" "$tmp/swap/symlink"
	: >"$tmp/swap/file"
	mknod -m 600 "$tmp/swap/zero" c 1 5
	put() { echo "cp -aT $tmp/swap/$1 $node.new && mv -T $node.new $node"; }
	for _to in other symlink file zero; do
		matrix "the node becomes $_to" -x "$(put good)" run "$(put $_to)"
	done
	matrix "the node goes away" -x "$(put good)" run "rm $node"
	matrix "the link gets another name" -N -x "ip link set m9 down; ip link set m9 name m0 && ip link set m0 allmulticast on up" \
		run "ip link set m0 down; ip link set m0 name m9"
	matrix "another link gets the name" -q recvfrom -u "$node" -x "ip link set m0 down; ip link set m0 name other; ip link set m9 name m0; ip link set m0 allmulticast on up; ip link set other up" \
		run "ip link set m0 down; ip link set other down; ip link set m0 name m9; ip link set other name m0; ip link set m0 allmulticast on up"
	# the link is made again with the same index and name over another lower link: its minor may be the same
	_make="ip link add link m0-l name m0 index $index numtxqueues 1 numrxqueues 1 address 52:54:00:00:00:01 type macvtap mode bridge && ip link set m0 allmulticast on up && rm -f $node && IFS=: read -r a b </sys/class/net/m0/tap$index/dev && mknod -m 600 $node c \$a \$b"
	_again="ip link add link other-l name m0 index $index type macvtap mode bridge && ip link set m0 allmulticast on up && rm -f $node && IFS=: read -r a b </sys/class/net/m0/tap$index/dev && mknod -m 600 $node c \$a \$b"
	ip netns exec "$ns" sh -c "ip link del m0; $_make"
	matrix "the ifindex is another link's" -q recvfrom -u "$node" -x "ip link del m0; $_make" run "ip link del m0; $_again"
	ip netns exec "$ns" sh -c "ip link del m0; $_make"
	cp "$FAKE" "$tmp/bin/qemu" && cp /bin/false "$tmp/swap/false" && cp "$FAKE" "$tmp/swap/qemu"
	desc=$(echo "$desc" | sed "s#$FAKE#$tmp/bin/qemu#")
	matrix "QEMU is replaced after it was checked" -q "$tmp/bin/qemu" -x "cp $tmp/swap/qemu $tmp/bin/new && mv $tmp/bin/new $tmp/bin/qemu" \
		run "cp $tmp/swap/false $tmp/bin/new && mv $tmp/bin/new $tmp/bin/qemu"
}

tap() {
	new_space t
	new_tap t0
	new_tap t1 multi_queue
	descriptor '{"mode":"tap","ifname":"t0"},{"mode":"tap","ifname":"t1","queues":2}'
	all_faults "tap x2"
	[ "${FAULTS-}" = all ] || return 0
	descriptor '{"mode":"tap","ifname":"t0"}'
	matrix "the TAP is another one of the same name" -x "ip link del t0; ip tuntap add dev t0 mode tap; ip link set t0 up" \
		run "ip link del t0; ip tuntap add dev t0 mode tap; ip link set t0 up"
	matrix "the TAP goes away" -x "ip tuntap add dev t0 mode tap && ip link set t0 up" run "ip link del t0"
}

bridge() {
	new_space b
	ip -n "$ns" link add br0 type bridge
	ip -n "$ns" link set br0 up
	descriptor "{\"mode\":\"bridge\",\"bridge\":\"br0\",\"helper\":\"$helper\"}"
	all_faults "bridge with ${helper##*/}"
}

passt() {
	command -v passt >/dev/null || return 0
	new_space p
	# passt takes its guest's addresses from a link that has a default route
	ip -n "$ns" link add up0 type veth peer name up1 && ip -n "$ns" link set up1 up && ip -n "$ns" addr add 192.0.2.2/24 dev up0 &&
	ip -n "$ns" link set up0 up && ip -n "$ns" route add default via 192.0.2.1
	descriptor '{"mode":"passt"}'
	all_faults "passt"
}

confined() {
	new_space c
	# not below $tmp, which is removed with all that is in it
	check "a cgroup2 to join" mount -t cgroup2 none /mnt
	mkdir "/mnt/qh$$" || return
	cgroups="$cgroups /mnt/qh$$"
	descriptor '{"mode":"user"}' ",\"cgroup\":\"/mnt/qh$$\",\"user\":\"nobody\",\"landlock\":\"prefer\""
	# after the ids were taken the report is not ours to remove
	all_faults "cgroup, user, seccomp" -R
}

# Two groups at a time, each with its own links and its own numbers of tests.
drop() {
	[ -z "$cgroups" ] || rmdir $cgroups
	for _s in $spaces; do ip netns del "$_s"; done
}
group() {
	( tap_n=0 spaces='' cgroups=''; trap drop EXIT; for _g; do $_g; done ) >"$tmp/group.$1" 2>&1
}
# renumber FILE: print a group's tests with numbers that go on
renumber() {
	awk '/^(not )?ok /{ n++; sub(/ok [0-9]+/, "ok " (start + n)) } { print } END { print n > count }' \
		start="$tap_n" count="$tmp/n" "$1"
	tap_n=$((tap_n + $(cat "$tmp/n")))
}
if [ "${FAULTS-}" = all ]; then
	group macvtap tap &
	ifindex_next=$((ifindex_next + 32))
	group races bridge passt confined
	wait
	renumber "$tmp/group.macvtap"
	renumber "$tmp/group.races"
else
	macvtap
	bridge
fi
done_testing
